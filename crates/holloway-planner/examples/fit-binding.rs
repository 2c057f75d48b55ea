//! How much should each thing count that speaks for an argument? Fits the weights of
//! `data/binding.toml` on requests with known arguments and scores them on others:
//! `cargo run -p holloway-planner --example fit-binding -- FOLDER`, where the folder holds
//! `nestful` and `sealtools`, each with `tools.jsonl` and `requests.jsonl`. `FOLDER score`
//! only scores the shipped weights, `FOLDER cross FOLDS` scores every request of nestful with
//! weights that have not seen it; `errors` after any shows each.
// A workbench, not a part of the binary: it reads files, prints, and stops at a wrong place.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::assigning_clones,
    clippy::needless_range_loop
)]

#[path = "fit-binding/cross.rs"]
mod cross;

use std::collections::{BTreeSet, HashMap};
use std::error::Error;

use holloway_plan::tool::ToolSpec;
use holloway_planner::bind::candidates::{Candidate, Origin};
use holloway_planner::bind::choose::{pick, weighed};
use holloway_planner::bind::features::{Feature, Features, Step};
use holloway_planner::bind::past::reference;
use holloway_planner::bind::weights::weights;
use holloway_planner::bind::{Earlier, PastArguments, Situation};
use holloway_planner::catalogue::parameter::Parameter;
use holloway_planner::frame::Frame;
use holloway_planner::read::clauses;
use holloway_planner::read::other;
use holloway_planner::read::spans::Reading;
use holloway_planner::recall::PastRun;
use holloway_search::entry::Entry;
use holloway_search::lines;
use holloway_search::table::Table;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

/// One request in this many is kept for validation.
const HELD_OUT: usize = 3;
const ROUNDS: usize = 150;
/// How much the shipped weights hold the new ones back.
const PULL: f32 = 0.004;

struct Set {
    name: &'static str,
    share: f32,
    tools: HashMap<String, ToolSpec>,
    /// The tools as search sees them, in the order of the file.
    entries: Vec<Entry>,
    requests: Vec<PastRun>,
}

/// One parameter to be filled: what could fill it, and which of that is right.
#[derive(Clone)]
struct Slot {
    candidates: Vec<Vec<(usize, f32)>>,
    right: Vec<bool>,
    share: f32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder?")?;
    let sets = [
        load(&folder, "nestful", 1.0)?,
        load(&folder, "sealtools", 0.25)?,
    ];
    if std::env::args().nth(2).as_deref() == Some("cross") {
        let folds = std::env::args().nth(3).ok_or("how many folds?")?.parse()?;
        cross::crossed(&sets, folds);
        return Ok(());
    }
    let before = weights();
    for set in &sets {
        report(set, "before", &before);
    }
    if std::env::args().nth(2).as_deref() == Some("score") {
        return Ok(());
    }
    let mut slots = Vec::new();
    for set in &sets {
        collect(set, &|place| place % HELD_OUT != 0, &mut slots);
    }
    println!("{} parameters to fit on", slots.len());
    let after = fit(&slots, &before);
    for set in &sets {
        report(set, "after", &after);
    }
    for (feature, weight) in Feature::ALL.iter().zip(after) {
        println!("{} = {weight:.2}", feature.name());
    }
    Ok(())
}

fn load(folder: &str, name: &'static str, share: f32) -> Result<Set, Box<dyn Error>> {
    let read = |file: &str| -> Result<Vec<Value>, Box<dyn Error>> {
        let text = std::fs::read_to_string(format!("{folder}/{name}/{file}.jsonl"))?;
        Ok(text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?)
    };
    let mut tools = HashMap::new();
    let listed = std::fs::read_to_string(format!("{folder}/{name}/tools.jsonl"))?;
    let entries = lines::tools(&listed).map_err(|error| error.what)?;
    for line in read("tools")? {
        let id = line["id"].as_str().unwrap_or_default().to_owned();
        let mut tool = ToolSpec::named(&id);
        tool.description = line["description"].as_str().unwrap_or_default().to_owned();
        tool.input_schema = line["input_schema"].clone();
        tool.output_schema = line["output_schema"].clone();
        tools.insert(id, tool);
    }
    let mut requests = Vec::new();
    for line in read("requests")? {
        let tools = line["tools"].as_array().cloned().unwrap_or_default();
        let tools = tools
            .iter()
            .filter_map(|tool| Some(tool.as_str()?.to_owned()))
            .collect();
        requests.push(PastRun {
            request: line["query"].as_str().unwrap_or_default().to_owned(),
            tools,
            arguments: serde_json::from_value(line["arguments"].clone()).unwrap_or_default(),
            ..PastRun::default()
        });
    }
    Ok(Set {
        name,
        share,
        tools,
        entries,
        requests,
    })
}

/// Everything that is remembered when this request comes.
fn past(set: &Set, but: usize, is_known: &dyn Fn(usize) -> bool) -> PastArguments {
    let mut past = PastArguments::default();
    for (place, run) in set.requests.iter().enumerate() {
        if place != but && is_known(place) {
            past.remember(run);
        }
    }
    past
}

fn read(run: &PastRun) -> Frame {
    let mut frame = other::read(&run.request);
    frame.goals.clear();
    frame
}

/// The clause that is most like the tool.
fn clause(table: &Table, run: &PastRun, tool: &ToolSpec) -> Option<usize> {
    let about = format!(
        "{} {}",
        holloway_search::words::spaced(tool.id.name()),
        tool.description
    );
    let meaning = table.meaning(&about);
    let parts = clauses::parts(&run.request);
    let near = |part: &std::ops::Range<usize>| -> f32 {
        let own = table.meaning(run.request.get(part.clone()).unwrap_or_default());
        own.iter()
            .zip(&meaning)
            .map(|(one, other)| one * other)
            .sum()
    };
    let near: Vec<f32> = parts.iter().map(near).collect();
    (0..near.len()).max_by(|one, other| near[*one].total_cmp(&near[*other]))
}

/// Calls `visit` for every step of a run with what is known there.
fn each_step(
    set: &Set,
    run: &PastRun,
    past: Option<&PastArguments>,
    mut visit: impl FnMut(&Step<'_, '_>, &ToolSpec, &Map<String, Value>, usize),
) {
    let table = Table::shipped();
    let frame = read(run);
    let names: Vec<String> = (0..run.tools.len())
        .map(|place| format!("step{}", place + 1))
        .collect();
    let mut earlier: Vec<Earlier<'_>> = Vec::new();
    let mut used = FxHashSet::default();
    for (place, (tool, arguments)) in run.tools.iter().zip(&run.arguments).enumerate() {
        let Some(tool) = set.tools.get(tool) else {
            continue;
        };
        let clause = clause(&table, run, tool);
        let reading = Reading::of(&frame, clause);
        let situation = Situation {
            frame: &frame,
            earlier: &earlier,
            clause,
            used: Some(&used),
            past,
            stated: None,
        };
        let step = Step::new(tool.id.as_str(), &situation, &reading);
        visit(&step, tool, arguments, place);
        for (number, entity) in frame.entities.iter().enumerate() {
            if arguments.values().any(|value| same(value, &entity.value)) {
                used.insert(number);
            }
        }
        earlier.push(Earlier {
            step: &names[place],
            tool,
        });
    }
}

fn plain(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number
            .as_f64()
            .map_or_else(String::new, |number| number.to_string()),
        other => other.to_string(),
    };
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

fn same(one: &Value, other: &Value) -> bool {
    plain(one) == plain(other)
}

fn is_right(candidate: &Candidate, gold: Option<&Value>) -> bool {
    match (&candidate.origin, gold) {
        (Origin::Nothing, gold) => gold.is_none(),
        (_, None) => false,
        (Origin::Earlier { number, fit, .. }, Some(gold)) => {
            reference(gold).is_some_and(|(step, path)| {
                let path = path.rsplit('.').next().unwrap_or_default().to_owned();
                step == *number
                    && fit
                        .path()
                        .rsplit('.')
                        .next()
                        .unwrap_or_default()
                        .trim_end_matches("[]")
                        == path
            })
        }
        (_, Some(gold)) => same(&candidate.value, gold),
    }
}

fn collect(set: &Set, is_known: &dyn Fn(usize) -> bool, slots: &mut Vec<Slot>) {
    let with_output = set.name == "nestful";
    for (place, run) in set
        .requests
        .iter()
        .enumerate()
        .filter(|(place, _)| is_known(*place))
    {
        let remembered = past(set, place, is_known);
        for past in [None, Some(&remembered)]
            .into_iter()
            .take(if with_output { 2 } else { 1 })
        {
            each_step(set, run, past, |step, tool, arguments, _| {
                for parameter in Parameter::of_tool(tool) {
                    let (found, features): (Vec<Candidate>, Vec<Features>) =
                        weighed(step, &parameter).into_iter().unzip();
                    let gold = arguments.get(parameter.name);
                    let mut right: Vec<bool> = found
                        .iter()
                        .map(|candidate| is_right(candidate, gold))
                        .collect();
                    if !right.contains(&true) {
                        // Nothing at hand is right: something is still more right than nothing.
                        right = found
                            .iter()
                            .map(|candidate| candidate.origin != Origin::Nothing)
                            .collect();
                    }
                    let present = |features: &Features| {
                        let set = features.iter().enumerate();
                        let set = set.filter(|(_, amount)| **amount != 0.0);
                        set.map(|(place, amount)| (place, *amount)).collect()
                    };
                    slots.push(Slot {
                        candidates: features.iter().map(present).collect(),
                        right,
                        share: set.share,
                    });
                }
            });
        }
    }
}

/// Softmax over the candidates of every slot; the right ones together should be likely.
fn fit(slots: &[Slot], before: &Features) -> Features {
    let mut now = *before;
    let (mut first, mut second) = ([0.0_f32; Feature::ALL.len()], [0.0_f32; Feature::ALL.len()]);
    let all: f32 = slots.iter().map(|slot| slot.share).sum();
    for round in 1..=ROUNDS {
        let mut slope = [0.0_f32; Feature::ALL.len()];
        let mut loss = 0.0;
        for slot in slots.iter().filter(|slot| slot.right.contains(&true)) {
            let scores: Vec<f32> = slot
                .candidates
                .iter()
                .map(|set| set.iter().map(|(place, amount)| now[*place] * amount).sum())
                .collect();
            let most = scores.iter().copied().fold(f32::MIN, f32::max);
            let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
            let sum: f32 = shares.iter().sum();
            let right: f32 = shares
                .iter()
                .zip(&slot.right)
                .filter(|(_, right)| **right)
                .map(|(share, _)| share)
                .sum();
            loss -= slot.share * (right / sum).max(1e-9).ln();
            for ((set, share), is_right) in slot.candidates.iter().zip(&shares).zip(&slot.right) {
                let wanted = if *is_right {
                    share / right.max(1e-9)
                } else {
                    0.0
                };
                let pull = slot.share * (share / sum - wanted) / all;
                for (place, amount) in set {
                    slope[*place] += pull * amount;
                }
            }
        }
        for place in 0..slope.len() {
            let slope = slope[place] + PULL * (now[place] - before[place]);
            first[place] = 0.9 * first[place] + 0.1 * slope;
            second[place] = 0.99 * second[place] + 0.01 * slope * slope;
            let bias = |share: f32| 1.0 - share.powi(round as i32);
            now[place] -=
                0.06 * (first[place] / bias(0.9)) / ((second[place] / bias(0.99)).sqrt() + 1e-5);
        }
        if round % 50 == 0 {
            println!("round {round}: loss {:.4}", loss / all);
        }
    }
    now
}

#[derive(Default)]
struct Score {
    names: f32,
    names_without_inputs: f32,
    requests: f32,
    references: (u32, u32),
    literals: (u32, u32),
}

fn report(set: &Set, when: &str, weights: &Features) {
    for (what, held_out, with_past) in [
        ("fitted", false, false),
        ("held out", true, false),
        ("held out, remembering", true, true),
    ] {
        if with_past && set.name != "nestful" {
            continue;
        }
        let mut score = Score::default();
        for (place, run) in set
            .requests
            .iter()
            .enumerate()
            .filter(|(place, _)| (place % HELD_OUT == 0) == held_out)
        {
            let remembered = past(set, place, &|place| place % HELD_OUT != 0);
            judge(
                set,
                run,
                with_past.then_some(&remembered),
                weights,
                &mut score,
            );
        }
        score.print(&format!("{} {when}, {what}", set.name));
    }
}

impl Score {
    fn print(&self, what: &str) {
        let percent = |(right, all): (u32, u32)| 100.0 * f64::from(right) / f64::from(all.max(1));
        println!(
            "{what} ({} requests): names F1 {:.1} (without inputs {:.1}), references {:.1} of {}, literals {:.1} of {}",
            self.requests,
            100.0 * self.names / self.requests,
            100.0 * self.names_without_inputs / self.requests,
            percent(self.references),
            self.references.1,
            percent(self.literals),
            self.literals.1,
        );
    }
}

fn judge(
    set: &Set,
    run: &PastRun,
    past: Option<&PastArguments>,
    weights: &Features,
    score: &mut Score,
) {
    let (mut gold, mut found, mut sourced) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let shows = std::env::args().nth(3).as_deref() == Some("errors") && past.is_none();
    each_step(set, run, past, |step, tool, arguments, place| {
        let parameters = Parameter::of_tool(tool);
        for (parameter, choice) in parameters.iter().zip(pick(step, &parameters, weights)) {
            let is_nothing = choice.candidate.origin == Origin::Nothing;
            if !is_nothing || parameter.required {
                found.insert((place, parameter.name.to_owned()));
            }
            if !is_nothing {
                sourced.insert((place, parameter.name.to_owned()));
            }
            let wanted = arguments.get(parameter.name);
            let right = is_right(&choice.candidate, wanted);
            if shows && !right {
                println!(
                    "{} | {} {}{}: gold {} found {}",
                    run.request,
                    tool.id,
                    parameter.name,
                    if parameter.required { "*" } else { "" },
                    wanted.unwrap_or(&Value::Null),
                    choice.candidate.value
                );
            }
            let Some(wanted) = wanted else { continue };
            let tally = if wanted.as_str().is_some_and(|text| text.contains("$var")) {
                &mut score.references
            } else {
                &mut score.literals
            };
            tally.1 += 1;
            tally.0 += u32::from(right);
        }
        gold.extend(arguments.keys().map(|name| (place, name.clone())));
    });
    let f1 = |own: &BTreeSet<(usize, String)>| match own.len() + gold.len() {
        0 => 1.0,
        both => 2.0 * own.intersection(&gold).count() as f32 / both as f32,
    };
    score.requests += 1.0;
    score.names += f1(&found);
    score.names_without_inputs += f1(&sourced);
}
