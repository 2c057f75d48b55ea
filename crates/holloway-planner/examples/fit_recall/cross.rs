//! How good are plans over all requests, with weights that have not seen them? Every fold is
//! measured with weights that are fitted on the other folds alone.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use holloway_planner::measure::Means;
use holloway_planner::recall::PastRun;
use holloway_planner::recall::weights::ShippedRecall;

use crate::figures::{measured, show};
use crate::fitting::{STEPS, shipped};
use crate::set::{Set, seen_or_not, shuffled, without_fold};

/// Numbers of runs that are remembered; all of the other folds come after them.
const POINTS: [usize; 10] = [0, 1, 3, 5, 10, 30, 75, 100, 300, 1_000];
/// A fold is asked in so many parts where nearly all runs are remembered.
const PARTS: usize = 4;

/// How many runs were remembered, and the kind of requests.
type Key = (Point, &'static str);
type Sums = BTreeMap<Key, (Means, f64)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Runs(usize),
    /// All runs of the other folds: these may differ by one.
    OtherFolds,
    /// Those of the same fold as well, but for the part that is asked.
    NearlyAll,
}

pub(crate) fn crossed(folders: &[String], folds: usize) {
    let sets: Vec<Set> = folders.iter().map(|folder| Set::read(folder)).collect();
    let mut sums: Vec<Sums> = sets.iter().map(|_| Sums::new()).collect();
    // Folds have nothing to do with each other.
    std::thread::scope(|scope| {
        let sets = &sets;
        let each: Vec<_> = (0..folds)
            .map(|fold| scope.spawn(move || one_fold(sets, fold, folds)))
            .collect();
        for found in each.into_iter().flat_map(|fold| fold.join().unwrap()) {
            let (set, key, (means, micros)) = found;
            let sum = sums[set].entry(key).or_default();
            sum.0.add_all(&means);
            sum.1 += micros;
        }
    });
    for (set, sums) in sets.iter().zip(sums) {
        for ((point, kind), sum) in sums {
            show(&format!("{} {point:?} {kind}", set.name), sum);
        }
    }
}

/// The sums of a fold, each with the number of its set.
fn one_fold(sets: &[Set], fold: usize, folds: usize) -> Vec<(usize, Key, (Means, f64))> {
    let begun = Instant::now();
    let parts: Vec<Set> = sets
        .iter()
        .map(|set| without_fold(set, fold, folds))
        .collect();
    let fitted_on: Vec<&Set> = parts.iter().collect();
    let weights = Arc::new(shipped(&fitted_on, &STEPS, "the other folds"));
    let mut found = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let mut sums = Sums::new();
        ask_fold(part, &weights, &mut sums);
        found.extend(sums.into_iter().map(|(key, sum)| (at, key, sum)));
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("fold {} of {folds} took {seconds:.0} s", fold + 1);
    found
}

fn ask_fold(set: &Set, weights: &Arc<ShippedRecall>, sums: &mut Sums) {
    let others = set.training.len();
    for runs in POINTS.into_iter().filter(|runs| *runs < others) {
        // A few runs say little: several memories are asked.
        let memories = match runs {
            0 => 1,
            1..=30 => 4,
            31..=100 => 2,
            _ => 1,
        };
        for seed in 0..memories {
            let memory = &shuffled(&set.training, 100 + seed)[..runs];
            ask(
                Point::Runs(runs),
                set,
                &set.validation,
                memory,
                weights,
                sums,
            );
        }
    }
    let memory = shuffled(&set.training, 100);
    ask(
        Point::OtherFolds,
        set,
        &set.validation,
        &memory,
        weights,
        sums,
    );
    for part in 0..PARTS {
        let own = set.validation.iter().enumerate();
        let (asked, known): (Vec<_>, Vec<_>) = own.partition(|(at, _)| at % PARTS == part);
        let of = |some: Vec<(usize, &PastRun)>| -> Vec<PastRun> {
            some.into_iter().map(|(_, run)| run.clone()).collect()
        };
        let memory = [memory.clone(), of(known)].concat();
        ask(Point::NearlyAll, set, &of(asked), &memory, weights, sums);
    }
}

fn ask(
    point: Point,
    set: &Set,
    requests: &[PastRun],
    memory: &[PastRun],
    weights: &Arc<ShippedRecall>,
    sums: &mut Sums,
) {
    let mut recall = set.recall().with_weights(Arc::clone(weights));
    recall.learn(memory);
    let (seen, unseen) = seen_or_not(requests, memory);
    for (kind, requests) in [("seen", seen), ("unseen", unseen)] {
        let (means, micros) = measured(&recall, &requests, set);
        for kind in [kind, "together"] {
            let sum = sums.entry((point, kind)).or_default();
            sum.0.add_all(&means);
            sum.1 += micros;
        }
    }
}
