//! How well does the confidence of a plan tell right from wrong, and which weights make it so?
//!
//!     fit_sure draft CASES.jsonl             drafts for every reading of every request, with signs
//!     fit_sure fit BENCH OUTCOMES.jsonl ...  weights for data/sure.toml
//!     fit_sure score BENCH OUTCOMES.jsonl .. the area under the curve of the shipped weights
//!
//! `bench/requests/run.py --drafts` runs the drafts and says how each ended: these are OUTCOMES. BENCH
//! holds `mcp-catalogue/tools.jsonl`; the everyday requests over these tools are fitted and scored
//! beside them. `make confidence` does all of it.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // reads files
#![allow(clippy::print_stdout, clippy::expect_used, clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_planner::drafts::drafted;
use holloway_planner::measure::area_under_curve;
use holloway_planner::read::choose::readings;
use holloway_planner::read::other;
use holloway_planner::settings::GenerateSettings;
use holloway_planner::sure::{SignWeights, Signs};
use serde_json::{Value, json};

#[path = "fit_choice/catalogue.rs"]
mod catalogue;
#[path = "requests/scene.rs"]
mod scene;
#[path = "everyday/set.rs"]
mod set;

use catalogue::{catalogue, lines, lines_of, text};
use scene::{BASE, scene};
use set::Set;

/// A plan whose outcome is known.
struct Outcome {
    signs: Signs,
    right: bool,
    /// Whether the planner shows it.
    shown: bool,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["draft", cases] => draft(Path::new(cases)),
        ["fit", bench, outcomes @ ..] => fit(Path::new(bench), outcomes),
        ["score", bench, outcomes @ ..] => score(Path::new(bench), outcomes),
        _ => println!("fit_sure draft CASES | fit BENCH OUTCOMES... | score BENCH OUTCOMES..."),
    }
}

/// Drafts for all readings of a request, the doubtful ones too.
fn draft(cases: &Path) {
    let tools: Vec<Arc<ToolSpec>> = lines(include_str!("../tests/data/builtin-tools.jsonl"))
        .into_iter()
        .filter_map(|line| serde_json::from_value(line).ok().map(Arc::new))
        .collect();
    let settings = GenerateSettings::default();
    let strategy = settings.strategies.last().expect("a strategy");
    for case in lines_of(cases) {
        let request = text(&case, "request").replace("{{BASE}}", BASE);
        let scene = scene(&request, case.get("files").unwrap_or(&Value::Null));
        let mut plans: Vec<Value> = Vec::new();
        let mut shown = true;
        for read in readings(&request, &scene) {
            let made = drafted(&read.frame, &scene, &tools, strategy, &settings);
            let Some(made) = made else { continue };
            let signs = made.signs(&read);
            let whole = read.troubles.is_empty() && made.missing.is_empty();
            let plan = serde_json::to_value(&made.draft).expect("a plan");
            if plans.contains(&plan) {
                continue;
            }
            let line = json!({"id": text(&case, "id"), "signs": signs, "shown": whole && shown, "plan": plan});
            println!("{line}");
            shown &= !whole;
            plans.push(plan);
        }
    }
}

fn fit(bench: &Path, outcomes: &[&str]) {
    let mut all = outcomes_of(outcomes);
    all.extend(everyday(
        bench,
        include_str!("../data/everyday-fitting.jsonl"),
    ));
    let rows: Vec<(Signs, bool)> = all.iter().map(|one| (one.signs, one.right)).collect();
    let weights = SignWeights::fitted(&rows);
    let text = toml::to_string(&weights).expect("weights");
    println!(
        "# How much each sign counts for or against a plan; written by `make confidence FIT=yes`.\n{text}"
    );
}

fn score(bench: &Path, outcomes: &[&str]) {
    let read = outcomes_of(outcomes);
    let shown: Vec<&Outcome> = read.iter().filter(|one| one.shown).collect();
    tell("plans from frames that are shown", &shown);
    tell(
        "plans from all readings, doubtful and refused ones too",
        &read.iter().collect::<Vec<_>>(),
    );
    let other = everyday(bench, include_str!("../data/everyday-held.jsonl"));
    tell(
        "plans over 512 tools of other people",
        &other.iter().collect::<Vec<_>>(),
    );
    let both: Vec<&Outcome> = shown.iter().copied().chain(&other).collect();
    tell("all plans that are shown", &both);
}

fn tell(what: &str, outcomes: &[&Outcome]) {
    let pairs: Vec<(f64, bool)> = outcomes
        .iter()
        .map(|one| (f64::from(one.signs.chance()), one.right))
        .collect();
    let right = pairs.iter().filter(|(_, right)| *right).count();
    let wrong = pairs.len() - right;
    match area_under_curve(&pairs) {
        Some(area) => {
            println!("{what}: {right} right, {wrong} wrong, area under the curve {area:.3}")
        }
        None => println!("{what}: {right} right, {wrong} wrong, nothing to tell apart"),
    }
    let mean = |wanted: bool| {
        let chances: Vec<f64> = pairs
            .iter()
            .filter(|(_, right)| *right == wanted)
            .map(|(chance, _)| *chance)
            .collect();
        chances.iter().sum::<f64>() / chances.len().max(1) as f64
    };
    println!(
        "    mean confidence of right ones {:.2}, of wrong ones {:.2}",
        mean(true),
        mean(false)
    );
}

fn outcomes_of(files: &[&str]) -> Vec<Outcome> {
    let lines = files.iter().flat_map(|file| lines_of(Path::new(file)));
    let outcome = |line: Value| {
        let is = |name: &str| line.get(name).and_then(Value::as_bool);
        Some(Outcome {
            signs: serde_json::from_value(line.get("signs")?.clone()).ok()?,
            right: is("right")?,
            shown: is("shown")?,
        })
    };
    lines.filter_map(outcome).collect()
}

/// Everyday requests over tools of other people: right are plans with exactly the right tools.
fn everyday(bench: &Path, requests: &str) -> Vec<Outcome> {
    let tools = lines_of(&bench.join("mcp-catalogue/tools.jsonl"));
    let set = Set {
        ids: tools.iter().map(|tool| text(tool, "id")).collect(),
        catalogue: catalogue(&tools),
    };
    let outcome = |line: Value| {
        let plans = line.get("plans")?.as_array()?;
        let right: Vec<_> = plans.iter().map(|plan| set.places(plan)).collect();
        let draft = set.draft(&other::read(&text(&line, "request")))?;
        Some(Outcome {
            signs: draft.signs,
            right: set.is_right(&draft, &right),
            shown: true,
        })
    };
    lines(requests).into_iter().filter_map(outcome).collect()
}
