//! How were the shipped weights made? `fit WEIGHTS SET…` fits them on folders that have
//! `tools.jsonl`, `training.jsonl` (remembered) and `fitting.jsonl` (asked); `score WEIGHTS SET…`
//! measures on their `validation.jsonl`. By the first two bytes of the SHA-256 of `set/id`,
//! training has a first byte from 64 on, of the rest fitting a second byte below 128.
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
const STEPS: [(usize, usize); 6] = [(0, 1), (10, 4), (30, 3), (100, 2), (300, 2), (1_000, 1)];
/// How many requests of the training part that are not remembered are asked too.
const REST_AT_MOST: usize = 150;
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
    let mut held: Vec<(Recall, Vec<PastRun>, f32)> = Vec::new();
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
        let remembered = runs.min(set.training.len() * 3 / 4);
        for seed in 0..memories {
            let order = shuffled(&set.training, seed as u64 + 1);
            let (memory, rest) = order.split_at(remembered);
            let rest = &rest[..rest.len().min(REST_AT_MOST / memories)];
            let mut recall = set.recall();
            recall.learn(memory);
            let requests: Vec<PastRun> = set.fitting.iter().chain(rest).cloned().collect();
            let counts = whole / memories as f32 / requests.len().max(1) as f32;
            held.push((recall, requests, counts));
        }
    }
    let lessons: Vec<Lesson<'_>> = held
        .iter()
        .map(|(recall, requests, counts)| Lesson {
            recall,
            requests,
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
    let micros = (processor() - begun) * 1e6 / requests.len().max(1) as f64;
    (means.mean(), micros)
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
    (means.mean(), 0.0)
}

fn show(name: &str, (means, micros): (Means, f64)) {
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
                let is_seen = |request: &&PastRun| {
                    let sorted = |run: &PastRun| {
                        let mut tools = run.tools.clone();
                        tools.sort_unstable();
                        tools.dedup();
                        tools
                    };
                    memory.iter().any(|run| sorted(run) == sorted(request))
                };
                let (seen, unseen): (Vec<&PastRun>, Vec<&PastRun>) =
                    set.validation.iter().partition(is_seen);
                let owned = |runs: Vec<&PastRun>| runs.into_iter().cloned().collect::<Vec<_>>();
                show("   seen", measured(&recall, &owned(seen), &set));
                show("   unseen", measured(&recall, &owned(unseen), &set));
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
            let mut steps = Vec::new();
            let mut prior = Weights::default();
            for (runs, memories) in STEPS {
                let begun = Instant::now();
                let weights = fitted(&sets, runs, memories, &prior);
                println!("{runs}: {:.1} s", begun.elapsed().as_secs_f64());
                prior = weights.clone();
                steps.push(Step { runs, weights });
            }
            let named: Vec<&str> = folders
                .iter()
                .filter_map(|folder| folder.rsplit('/').next())
                .collect();
            let shipped = Shipped {
                fitted_on: format!("the training and fitting parts of {}", named.join(" and ")),
                steps,
            };
            std::fs::write(out, serde_json::to_string(&shipped).unwrap() + "\n").unwrap();
        }
        Some(("score", [file, folders @ ..])) => {
            let text = std::fs::read_to_string(file).unwrap();
            let weights = Arc::new(serde_json::from_str(&text).unwrap());
            for folder in folders {
                score(folder, 2, &weights);
            }
        }
        _ => println!("fit WEIGHTS SET… or score WEIGHTS SET…"),
    }
}
