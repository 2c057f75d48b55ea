//! How many requests can be planned, how long does it take, and is every plan sound?
//!
//!     cargo run --release -p holloway-planner --example plan_many -- FOLDER [MOST]
//!
//! FOLDER holds one folder per set with `tools.jsonl` and `requests.jsonl`; a set without
//! requests is asked those of all the others. MOST bounds the requests of each set.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // measures, and reads files
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::sync::Arc;
use std::time::Instant;

use holloway_plan::limits::Limits;
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::catalogue::Catalogue;
use holloway_planner::generate::{GenerateSettings, generate};
use holloway_planner::recall::Recall;
use holloway_planner::request::analyse;
use serde_json::Value;

#[path = "fit_choice/catalogue.rs"]
mod catalogue;

use catalogue::{catalogue, lines_of};

const BORROWED: usize = 1_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the folder with the sets");
    let most: usize = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usize::MAX);
    let mut sets: Vec<(String, Vec<Value>, Vec<String>)> = Vec::new();
    let mut folders: Vec<_> = std::fs::read_dir(&folder)
        .expect("a folder")
        .flatten()
        .collect();
    folders.sort_by_key(std::fs::DirEntry::path);
    for set in folders {
        let tools = lines_of(&set.path().join("tools.jsonl"));
        let requests = lines_of(&set.path().join("requests.jsonl"));
        let requests = requests
            .iter()
            .filter_map(|line| Some(line.get("query")?.as_str()?.to_owned()));
        let requests: Vec<String> = requests.take(most).collect();
        if !tools.is_empty() {
            sets.push((
                set.file_name().to_string_lossy().into_owned(),
                tools,
                requests,
            ));
        }
    }
    let all: Vec<String> = sets.iter().flat_map(|set| set.2.iter().cloned()).collect();
    let mut total = Sum::default();
    for (name, tools, requests) in &sets {
        let step = (all.len() / BORROWED.min(most)).max(1);
        let borrowed: Vec<String> = all.iter().step_by(step).cloned().collect();
        let requests = if requests.is_empty() {
            &borrowed
        } else {
            requests
        };
        let sum = run(&catalogue(tools), requests);
        sum.print(&format!("{name} ({} tools)", tools.len()));
        total.requests += sum.requests;
        total.drafts += sum.drafts;
        total.invalid += sum.invalid;
        total.without += sum.without;
        total.times.extend(sum.times);
        total.drafting.extend(sum.drafting);
    }
    total.print("all");
}

#[derive(Default)]
struct Sum {
    requests: usize,
    drafts: usize,
    invalid: usize,
    without: usize,
    /// From the request to the drafts, and from the analysis and the sequences to them; ms.
    times: Vec<f64>,
    drafting: Vec<f64>,
}

impl Sum {
    fn print(&self, name: &str) {
        println!(
            "{name}: {} requests, {} drafts, {} invalid, {} without a draft; all {}; drafts alone {}",
            self.requests,
            self.drafts,
            self.invalid,
            self.without,
            spread(&self.times),
            spread(&self.drafting),
        );
    }
}

fn spread(times: &[f64]) -> String {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize);
    let [half, most] = [0.5, 0.99].map(|share| at(share).copied().unwrap_or_default());
    format!("p50 {half:.2} ms, p99 {most:.2} ms")
}

fn run(catalogue: &Catalogue, requests: &[String]) -> Sum {
    let settings = GenerateSettings::default();
    let recall = Recall::new(Arc::clone(catalogue.index()));
    let limits = Limits::default();
    let around = Surroundings {
        tools: catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    let mut sum = Sum::default();
    for request in requests {
        let begun = Instant::now();
        let analysis = analyse(request, catalogue);
        let sequences = recall.propose(request, settings.strategies.len());
        let drafting = Instant::now();
        let drafts = generate(&analysis, catalogue, &sequences, &settings);
        sum.drafting
            .push(drafting.elapsed().as_secs_f64() * 1_000.0);
        sum.times.push(begun.elapsed().as_secs_f64() * 1_000.0);
        sum.requests += 1;
        sum.without += usize::from(drafts.is_empty());
        for drafted in &drafts {
            sum.drafts += 1;
            if let Err(problems) = validate(&drafted.draft, &around) {
                sum.invalid += 1;
                println!("invalid: {request}: {problems:?}");
            }
        }
    }
    sum
}
