//! How good are given weights on the validation part, and how long does it take to
//! remember runs and to fit weights to them?

use std::sync::Arc;
use std::time::Instant;

use holloway_planner::recall::PastRun;
use holloway_planner::recall::weights::ShippedRecall;

use crate::figures::{linked, measured, processor, show};
use crate::set::{Set, seen_or_not, shuffled};

pub(crate) fn score(folder: &str, seeds: u64, weights: &Arc<ShippedRecall>) {
    let set = Set::read(folder);
    println!("{folder}");
    for runs in [0, 5, 10, 20, 30, 75, 100, 300, 1_000, usize::MAX] {
        let runs = runs.min(set.training.len());
        for seed in 0..if runs == 0 || runs > 900 { 1 } else { seeds } {
            let memory = &shuffled(&set.training, 100 + seed)[..runs];
            let mut recall = set.recall().with_weights(Arc::clone(weights));
            let begun = processor();
            recall.learn(memory);
            let learned = (processor() - begun) * 1e3;
            show(&format!("{runs}"), measured(&recall, &set.validation, &set));
            if runs >= 100 {
                let begun = processor();
                let own = recall.refit().unwrap();
                let refitted = (processor() - begun) * 1e3;
                recall.adopt(own);
                show(
                    &format!("{runs} own weights"),
                    measured(&recall, &set.validation, &set),
                );
                println!("   learned in {learned:.0} ms, refitted in {refitted:.0} ms");
            }
            if runs == 0 || runs == set.training.len() {
                show("   links of the right tools", linked(&recall, &set));
            }
            if runs == set.training.len() || runs == 300 {
                let (seen, unseen) = seen_or_not(&set.validation, memory);
                show("   seen", measured(&recall, &seen, &set));
                show("   unseen", measured(&recall, &unseen, &set));
            }
        }
        if runs == set.training.len() {
            break;
        }
    }
}

/// How long it takes to remember one more run.
pub(crate) fn grown(folder: &str) {
    let set = Set::read(folder);
    let mut recall = set.recall();
    let mut times: Vec<f64> = Vec::new();
    let runs = [&set.training, &set.fitting, &set.validation];
    let runs: Vec<&PastRun> = runs.into_iter().flatten().collect();
    let (first, last) = runs.split_at(runs.len() * 9 / 10);
    let mut remember = |run: &PastRun| {
        let begun = Instant::now();
        recall.remember(run);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    };
    for run in first {
        remember(run);
    }
    let begun = processor();
    for run in last {
        remember(run);
    }
    let mean = (processor() - begun) * 1e3 / last.len() as f64;
    times.sort_by(f64::total_cmp);
    let share = |share: f64| times[(times.len() as f64 * share) as usize];
    println!(
        "{} runs one by one: half within {:.1} ms, 99 of 100 within {:.1} ms, the longest {:.1} ms; the last {} took {mean:.1} ms of a processor each",
        times.len(),
        share(0.5),
        share(0.99),
        times[times.len() - 1],
        last.len(),
    );
    let begun = processor();
    let own = recall.refit();
    println!(
        "refitted in {:.0} ms: {}",
        (processor() - begun) * 1e3,
        own.is_some()
    );
}
