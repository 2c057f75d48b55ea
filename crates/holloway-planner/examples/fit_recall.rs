//! How were the shipped weights made? `fit WEIGHTS SET…` fits them on folders that have
//! `tools.jsonl`, `training.jsonl` (remembered) and `fitting.jsonl` (asked); `score WEIGHTS SET…`
//! measures on their `validation.jsonl`. By the first two bytes of the SHA-256 of `set/id`,
//! training has a first byte from 64 on, of the rest fitting a second byte below 128.
//!
//! `cross FOLDS SET…` takes all three together, and measures every fold with weights that are
//! fitted on the other folds alone and with runs of the other folds remembered. `grow SET`
//! remembers all runs one by one and tells how long each took.
//!
//! ```text
//! cargo run --release -p holloway-planner --example fit_recall -- fit data/recall.json ULTRATOOL NESTFUL
//! ```

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use holloway_planner::measure::{Means, Plan};
use holloway_planner::recall::fit::{Lesson, fit};
use holloway_planner::recall::flow::Flow;
use holloway_planner::recall::weights::{Shipped, Step, Weights};
use holloway_planner::recall::{PastRun, Recall};
use holloway_search::index::Index;
use holloway_search::lines;
use serde_json::Value;

/// Numbers of remembered runs, and how many different memories of that size are asked.
const STEPS: [(usize, usize); 7] = [
    (0, 1),
    (10, 6),
    (30, 4),
    (100, 3),
    (300, 2),
    (1_000, 1),
    (2_200, 1),
];
/// How many requests of the training part that are not remembered are asked too.
const REST_AT_MOST: usize = 800;
/// How many of those that are remembered are asked too, each left out, where there are many.
const LEFT_OUT_AT_MOST: usize = 2_500;
const MANY: usize = 1_000;
/// What all requests of a small set count beside those of a large one.
const SHARE: f32 = 0.5;
const HOLD: f64 = 1.0;

struct Set {
    index: Arc<Index>,
    flows: Vec<Flow>,
    training: Vec<PastRun>,
    /// Requests that the table of meanings was not made from either.
    fitting: Vec<PastRun>,
    validation: Vec<PastRun>,
}

impl Set {
    fn read(folder: &str) -> Self {
        let text = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
        let tools = text("tools.jsonl");
        let index = Arc::new(Index::new(lines::tools(&tools).unwrap()));
        let lines = tools
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut flows = vec![Flow::default(); index.len()];
        for line in lines {
            let id = line["id"].as_str().unwrap();
            let place = index
                .entries()
                .iter()
                .position(|entry| entry.id == id)
                .unwrap();
            flows[place] = Flow::of(&line["input_schema"], &line["output_schema"]);
        }
        Self {
            index,
            flows,
            training: requests(&text("training.jsonl")),
            fitting: requests(&text("fitting.jsonl")),
            validation: requests(&text("validation.jsonl")),
        }
    }

    fn recall(&self) -> Recall {
        Recall::new(Arc::clone(&self.index)).with_flows(&self.flows)
    }
}

fn requests(text: &str) -> Vec<PastRun> {
    let each = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        PastRun {
            request: line["query"].as_str().unwrap().to_owned(),
            tools: serde_json::from_value(line["tools"].clone()).unwrap(),
            links: serde_json::from_value(line["links"].clone()).unwrap_or_default(),
            arguments: Vec::new(),
        }
    });
    each.collect()
}

/// The same order for the same seed, anywhere.
fn shuffled(runs: &[PastRun], seed: u64) -> Vec<PastRun> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
    let mut runs = runs.to_vec();
    for at in (1..runs.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        runs.swap(at, (state >> 33) as usize % (at + 1));
    }
    runs
}

fn fitted(sets: &[Set], runs: usize, memories: usize, prior: &Weights) -> Weights {
    let mut held: Vec<(Recall, Vec<PastRun>, usize, f32)> = Vec::new();
    let largest = sets.iter().map(|set| set.training.len()).max().unwrap_or(1);
    for set in sets {
        if runs > set.training.len() {
            continue;
        }
        let whole = if set.training.len() == largest {
            1.0
        } else {
            SHARE
        };
        let (remembered, left_out) = if runs < MANY {
            (runs.min(set.training.len() * 3 / 4), 0)
        } else {
            (runs, runs.min(LEFT_OUT_AT_MOST))
        };
        for seed in 0..memories {
            let order = shuffled(&set.training, seed as u64 + 1);
            let (memory, rest) = order.split_at(remembered);
            let rest = &rest[..rest.len().min(REST_AT_MOST / memories)];
            let mut recall = set.recall();
            recall.learn(memory);
            let requests: Vec<PastRun> = set.fitting.iter().chain(rest).cloned().collect();
            let asked = requests.len() + left_out;
            let counts = whole / memories as f32 / asked.max(1) as f32;
            held.push((recall, requests, left_out, counts));
        }
    }
    let lessons: Vec<Lesson<'_>> = held
        .iter()
        .map(|(recall, requests, remembered, counts)| Lesson {
            recall,
            requests,
            remembered: *remembered,
            counts: *counts,
        })
        .collect();
    fit(&lessons, prior, HOLD)
}

/// Time on a processor, in seconds: others may be at work on the same machine.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let first = text
        .split(' ')
        .next()
        .and_then(|nanos| nanos.parse::<f64>().ok());
    first.unwrap_or_default() / 1e9
}

fn measured(recall: &Recall, requests: &[PastRun], set: &Set) -> (Means, f64) {
    let place = |id: &String| set.index.entries().iter().position(|entry| entry.id == *id);
    let begun = processor();
    let mut means = Means::default();
    for request in requests {
        let right = Plan {
            tools: request.tools.iter().filter_map(place).collect(),
            links: request.links.clone(),
        };
        let plans: Vec<Plan> = recall
            .propose(&request.request, 3)
            .into_iter()
            .map(|one| Plan {
                tools: one.tools,
                links: one.links,
            })
            .collect();
        means.add(&plans, &right);
    }
    (means, (processor() - begun) * 1e6)
}

/// How good links are where the tools are right.
fn linked(recall: &Recall, set: &Set) -> (Means, f64) {
    let place = |id: &String| set.index.entries().iter().position(|entry| entry.id == *id);
    let mut means = Means::default();
    for request in &set.validation {
        let tools: Vec<usize> = request.tools.iter().filter_map(place).collect();
        let links = recall.links(&tools);
        let chain = Plan::chain(tools.clone());
        let right = Plan {
            links: request.links.clone(),
            tools: tools.clone(),
        };
        means.add(&[Plan { tools, links }, chain], &right);
    }
    (means, 0.0)
}

/// Numbers of runs that are remembered where weights are fitted without what is measured.
const POINTS: [usize; 10] = [0, 1, 3, 5, 10, 30, 75, 100, 300, 1_000];

/// The set with one fold to be measured and the others to learn from.
fn without_fold(set: &Set, fold: usize, folds: usize) -> Set {
    let all = [&set.training, &set.fitting, &set.validation];
    let all: Vec<PastRun> = all.into_iter().flatten().cloned().collect();
    let order = shuffled(&all, 7);
    let part = |is_meant: &dyn Fn(usize) -> bool| {
        let each = order
            .iter()
            .enumerate()
            .filter(|(at, _)| is_meant(at % folds));
        each.map(|(_, run)| run.clone()).collect::<Vec<PastRun>>()
    };
    Set {
        index: Arc::clone(&set.index),
        flows: set.flows.clone(),
        training: part(&|own| own != fold),
        fitting: Vec::new(),
        validation: part(&|own| own == fold),
    }
}

fn crossed(folders: &[String], folds: usize) {
    let sets: Vec<Set> = folders.iter().map(|folder| Set::read(folder)).collect();
    let mut sums: BTreeMap<(usize, usize, &str), (Means, f64)> = BTreeMap::new();
    for fold in 0..folds {
        let begun = Instant::now();
        let parts: Vec<Set> = sets
            .iter()
            .map(|set| without_fold(set, fold, folds))
            .collect();
        let weights = Arc::new(shipped(&parts, "the other folds"));
        println!(
            "fold {fold} fitted in {:.0} s",
            begun.elapsed().as_secs_f64()
        );
        for (at, part) in parts.iter().enumerate() {
            let points = POINTS
                .into_iter()
                .filter(|runs| *runs < part.training.len());
            for runs in points.chain([part.training.len()]) {
                // A few runs say little: several memories are asked.
                let memories = match runs {
                    0 => 1,
                    1..=30 => 4,
                    31..=100 => 2,
                    _ => 1,
                };
                for seed in 0..memories {
                    let memory = &shuffled(&part.training, 100 + seed)[..runs];
                    let mut recall = part.recall().with_weights(Arc::clone(&weights));
                    recall.learn(memory);
                    let (seen, unseen) = seen_or_not(&part.validation, memory);
                    for (kind, requests) in [("seen", seen), ("unseen", unseen)] {
                        let (means, micros) = measured(&recall, &requests, part);
                        for kind in [kind, "together"] {
                            let sum = sums.entry((at, runs, kind)).or_default();
                            sum.0.add_all(&means);
                            sum.1 += micros;
                        }
                    }
                }
            }
        }
    }
    for ((at, runs, kind), sum) in sums {
        show(&format!("{} {runs} {kind}", name_of(&folders[at])), sum);
    }
}

/// Requests whose tools were used together by a remembered run, and the others.
fn seen_or_not(requests: &[PastRun], memory: &[PastRun]) -> (Vec<PastRun>, Vec<PastRun>) {
    let sorted = |run: &PastRun| {
        let mut tools = run.tools.clone();
        tools.sort_unstable();
        tools.dedup();
        tools
    };
    let known: BTreeSet<Vec<String>> = memory.iter().map(sorted).collect();
    let requests = requests.iter().cloned();
    requests.partition(|request| known.contains(&sorted(request)))
}

/// How long it takes to remember one more run.
fn grown(folder: &str) {
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

fn name_of(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or_default()
}

fn shipped(sets: &[Set], fitted_on: &str) -> Shipped {
    let mut steps = Vec::new();
    let mut prior = Weights::default();
    for (runs, memories) in STEPS {
        let weights = fitted(sets, runs, memories, &prior);
        prior = weights.clone();
        steps.push(Step { runs, weights });
    }
    Shipped {
        fitted_on: fitted_on.to_owned(),
        steps,
    }
}

/// Sums are shown as means.
fn show(name: &str, (means, micros): (Means, f64)) {
    let micros = micros / means.requests.max(1) as f64;
    let means = means.mean();
    let percent = |share: f64| share * 100.0;
    println!(
        "{name:28} {:5.1} / {:5.1} / {:5.1}   of three {:5.1}   {:4} requests {micros:7.0} µs",
        percent(means.nodes),
        percent(means.links),
        percent(means.exact),
        percent(means.exact_of_three),
        means.requests,
    );
}

fn score(folder: &str, seeds: u64, weights: &Arc<Shipped>) {
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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        Some(("fit", rest)) => {
            let (out, folders) = rest.split_first().unwrap();
            let sets: Vec<Set> = folders.iter().map(|folder| Set::read(folder)).collect();
            let named: Vec<&str> = folders.iter().map(|folder| name_of(folder)).collect();
            let fitted_on = format!("the training and fitting parts of {}", named.join(" and "));
            let shipped = shipped(&sets, &fitted_on);
            std::fs::write(out, serde_json::to_string(&shipped).unwrap() + "\n").unwrap();
        }
        Some(("score", [file, folders @ ..])) => {
            let text = std::fs::read_to_string(file).unwrap();
            let weights = Arc::new(serde_json::from_str(&text).unwrap());
            for folder in folders {
                score(folder, 2, &weights);
            }
        }
        Some(("cross", [folds, folders @ ..])) => crossed(folders, folds.parse().unwrap()),
        Some(("grow", [folder])) => grown(folder),
        _ => println!("fit WEIGHTS SET…, score WEIGHTS SET…, cross FOLDS SET… or grow SET"),
    }
}
