//! Which weights say what tool is meant? Fits them and prints how often they are right.
//!
//!     cargo run --release -p holloway-planner --example fit_choice -- FOLDER [OUT]
//!
//! FOLDER holds one folder per set with `tools.jsonl` and `requests.jsonl`, and `mcp-catalogue`
//! with tools alone, for which the requests stand beside this crate's data. Weights are first
//! fitted on the sets, then on the everyday requests that are for fitting, near the first.
//! Whether a tool does it at all is learned against the best tools of catalogues that have
//! nothing for a request.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // reads and writes files
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::path::Path;

use holloway_planner::catalogue::{Catalogue, Place};
use holloway_planner::other::score::fit::{LabelledTools, does, meant, parts};
use holloway_planner::other::score::{DOES, SEEN, Shipped, Weights};
use holloway_planner::read::other;
use serde_json::Value;

#[path = "fit_choice/catalogue.rs"]
mod catalogue;

use catalogue::{catalogue, lines, lines_of, text};

/// So many requests of each set at most.
const REQUESTS: usize = 400;
const FOREIGN: usize = 120;
/// Everyday requests count like so many sets.
const DAILY: usize = 10;
/// How firmly weights are held near nothing, and near those of the sets.
const HOLD: (f64, f64) = (0.002, 0.0015);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the folder with the sets");
    let out = arguments.next();
    let names = ["bfcl", "metatool", "nestful", "sealtools", "ultratool"];
    let sets: Vec<Set> = names.iter().map(|name| Set::read(&folder, name)).collect();
    let everyday = Set::everyday(&folder, include_str!("../data/everyday-fitting.jsonl"));
    let held = Set::everyday(&folder, include_str!("../data/everyday-held.jsonl"));
    let own: Vec<Vec<LabelledTools>> = sets.iter().map(|set| set.parts(REQUESTS)).collect();
    let daily = everyday.parts(usize::MAX);
    let daily_held = held.parts(usize::MAX);
    let built_in = Set {
        catalogue: catalogue(&lines(include_str!("../tests/data/builtin-tools.jsonl"))),
        requests: Vec::new(),
        ids: Vec::new(),
    };
    let foreign: Vec<Vec<LabelledTools>> = foreign(&sets, &everyday, &built_in);
    for (at, name) in names.iter().enumerate() {
        let mut others = own.clone();
        let left_out = others.remove(at);
        let weights = meant(&others, &Weights::default(), HOLD.0);
        println!(
            "{name}, fitted on the others: {}",
            first(&left_out, &weights)
        );
    }
    let of_sets = meant(&own, &Weights::default(), HOLD.0);
    println!(
        "everyday, fitted on the sets: {}",
        first(&daily_held, &of_sets)
    );
    let weights = meant(std::slice::from_ref(&daily), &of_sets, HOLD.1);
    let mut right = own.clone();
    // What people ask every day counts most, and so does what tools like theirs do not do.
    right.extend(vec![daily.clone(); DAILY]);
    let mut wrong = foreign.clone();
    let over_everyday = foreign.get(..names.len()).unwrap_or_default();
    wrong.extend([over_everyday; DAILY / 3].concat());
    let weights = does(&right, &wrong, weights);
    for (name, parts) in names.iter().zip(&own) {
        println!(
            "{name}: {}; {}",
            first(parts, &weights),
            done(parts, &weights)
        );
    }
    println!(
        "everyday, for fitting: {}; {}",
        first(&daily, &weights),
        done(&daily, &weights)
    );
    println!(
        "everyday, held out: {}; {}",
        first(&daily_held, &weights),
        done(&daily_held, &weights)
    );
    for parts in &foreign {
        let likely = parts
            .iter()
            .filter_map(|part| Some(weights.does(&part.best(&weights)?.1)));
        let likely = likely.filter(|chance| *chance >= DOES).count();
        println!("foreign: {likely} of {} taken", parts.len());
    }
    for (name, (meant, does)) in SEEN.iter().zip(weights.meant.iter().zip(weights.does)) {
        println!("{meant:8.2} {does:8.2}  {name}");
    }
    if let Some(out) = out {
        let shipped = Shipped {
            fitted_on: "requests of bfcl, metatool, nestful, sealtools and ultratool, up to 400 of each, and 249 everyday requests over 512 tools of public servers".to_owned(),
            weights,
        };
        let text = serde_json::to_string_pretty(&shipped).expect("plain numbers");
        std::fs::write(out, text + "\n").expect("the file is written");
    }
}

/// How often the tool that comes first is right.
fn first(parts: &[LabelledTools], weights: &Weights) -> String {
    let right = parts
        .iter()
        .filter(|part| part.best(weights).is_some_and(|tool| tool.2));
    let found = parts
        .iter()
        .filter(|part| part.best_right(weights).is_some());
    let share = |count: usize| 100.0 * count as f64 / parts.len().max(1) as f64;
    format!(
        "first {:.1} % of {}, found {:.1} %",
        share(right.count()),
        parts.len(),
        share(found.count())
    )
}

/// How often a right tool that was found is held to do it.
fn done(parts: &[LabelledTools], weights: &Weights) -> String {
    let right: Vec<f32> = parts
        .iter()
        .filter_map(|part| Some(weights.does(&part.best_right(weights)?.1)))
        .collect();
    let taken = right.iter().filter(|chance| **chance >= DOES).count();
    format!(
        "{:.1} % of the right ones taken",
        100.0 * taken as f64 / right.len().max(1) as f64
    )
}

/// Requests over catalogues that were not made for them.
fn foreign(sets: &[Set], everyday: &Set, built_in: &Set) -> Vec<Vec<LabelledTools>> {
    let mut all = Vec::new();
    let asks = sets.iter().map(|set| (set, everyday));
    let has = sets.iter().map(|set| (everyday, set));
    let own = sets.iter().map(|set| (set, built_in));
    let pairs = asks.chain(has).chain(own);
    for (asks, has) in pairs {
        let step = asks.requests.len().div_ceil(FOREIGN).max(1);
        let requests = asks.requests.iter().step_by(step);
        let parts = requests.flat_map(|(text, _)| parts(&other::read(text), &has.catalogue, &[]));
        all.push(parts.collect());
    }
    all
}

struct Set {
    catalogue: Catalogue,
    /// With the ids of the tools that are right for each step.
    requests: Vec<(String, Vec<Vec<String>>)>,
    ids: Vec<String>,
}

impl Set {
    fn read(folder: &str, name: &str) -> Self {
        let folder = Path::new(folder).join(name);
        let tools = lines_of(&folder.join("tools.jsonl"));
        let requests = lines_of(&folder.join("requests.jsonl"));
        let request = |line: &Value| {
            let tools = line.get("tools").and_then(Value::as_array)?;
            let right = tools.iter().map(texts).collect();
            Some((line.get("query")?.as_str()?.to_owned(), right))
        };
        Self {
            requests: requests.iter().filter_map(request).collect(),
            ids: tools.iter().map(|tool| text(tool, "id")).collect(),
            catalogue: catalogue(&tools),
        }
    }

    fn everyday(folder: &str, requests: &str) -> Self {
        let tools = lines_of(&Path::new(folder).join("mcp-catalogue/tools.jsonl"));
        let request = |line: &Value| {
            let plans = line.get("plans").and_then(Value::as_array)?;
            let right = steps(&plans.iter().map(texts).collect::<Vec<_>>());
            let text = line.get("request")?.as_str()?.to_owned();
            (!right.is_empty()).then_some((text, right))
        };
        Self {
            requests: lines(requests).iter().filter_map(request).collect(),
            ids: tools.iter().map(|tool| text(tool, "id")).collect(),
            catalogue: catalogue(&tools),
        }
    }

    fn parts(&self, most: usize) -> Vec<LabelledTools> {
        let step = self.requests.len().div_ceil(most).max(1);
        let requests = self.requests.iter().step_by(step);
        let parts = requests.flat_map(|(request, right)| {
            let place = |id: &String| self.ids.iter().position(|own| own == id);
            let step = |ids: &Vec<String>| ids.iter().filter_map(place).collect();
            let right: Vec<Vec<Place>> = right.iter().map(step).collect();
            parts(&other::read(request), &self.catalogue, &right)
        });
        parts.collect()
    }
}

/// The tools that plans have at each step, by the length of the first of them.
fn steps(plans: &[Vec<String>]) -> Vec<Vec<String>> {
    let length = plans.first().map_or(0, Vec::len);
    let alike = || plans.iter().filter(|plan| plan.len() == length);
    let step = |at: usize| alike().filter_map(|plan| plan.get(at).cloned()).collect();
    (0..length).map(step).collect()
}

/// All texts in a list of texts and lists.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
