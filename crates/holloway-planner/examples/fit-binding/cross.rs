//! How many arguments are named with weights that have not seen the request? Every fold of
//! the nestful requests is scored with weights fitted on the other folds and on Seal-Tools,
//! held near nothing: the shipped ones have seen these requests. Tools are those of the
//! right plan, or those that recall proposes without a memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_planner::bind::candidates::Origin;
use holloway_planner::bind::choose::pick;
use holloway_planner::bind::features::{Feature, Features, Step};
use holloway_planner::bind::weights::weights;
use holloway_planner::bind::{Earlier, Situation};
use holloway_planner::catalogue::Catalogue;
use holloway_planner::catalogue::parameter::Parameter;
use holloway_planner::measure::f1;
use holloway_planner::read::other;
use holloway_planner::read::spans::Reading;
use holloway_planner::recall::flow::Flow;
use holloway_planner::recall::{PastRun, Recall};
use holloway_search::rank::Repute;
use rustc_hash::FxHashSet;
use serde_json::Value;

use super::{Score, Set, Slot, collect, fit, judge};

/// A name of an argument, with the tool it belongs to.
type Name = (String, String);

/// What became of the names, for one choice of tools.
#[derive(Default)]
struct Names {
    sum: f64,
    requests: f64,
    right: u32,
    found: u32,
    wanted: u32,
    /// How often each thing went wrong.
    wrong: BTreeMap<String, u32>,
}

pub(super) fn crossed(sets: &[Set], folds: usize) {
    let [nestful, others @ ..] = sets else { return };
    let catalogue = catalogue(nestful);
    let flows: Vec<Flow> = catalogue
        .tools()
        .map(|(_, tool)| Flow::of(&tool.input_schema, &tool.output_schema))
        .collect();
    let recall = Recall::new(Arc::clone(catalogue.index())).with_flows(&flows);
    let mut elsewhere = Vec::new();
    for set in others {
        collect(set, &|_| true, &mut elsewhere);
    }
    let every: Vec<Features> = (0..folds)
        .map(|fold| {
            let mut slots: Vec<Slot> = Vec::new();
            collect(nestful, &|place| place % folds != fold, &mut slots);
            slots.extend(elsewhere.iter().cloned());
            fit(&slots, &[0.0; Feature::ALL.len()])
        })
        .collect();
    let shipped = vec![weights(); folds];
    for (what, every) in [("cross-fitted", &every), ("shipped weights", &shipped)] {
        let (mut proposed, mut given) = (Names::default(), Names::default());
        let mut score = Score::default();
        for (place, run) in nestful.requests.iter().enumerate() {
            let weights = &every[place % folds];
            let best = recall.propose(&run.request, 1).into_iter().next();
            let tools = best.unwrap_or_default().tools;
            let tools = tools.iter().filter_map(|place| catalogue.tool(*place));
            let tools: Vec<&ToolSpec> = tools.map(AsRef::as_ref).collect();
            proposed.add(run, &tools, weights);
            let tools = run.tools.iter().filter_map(|id| nestful.tools.get(id));
            given.add(run, &tools.collect::<Vec<_>>(), weights);
            judge(nestful, run, None, weights, &mut score);
        }
        proposed.print(&format!("nestful {what}, tools proposed"));
        given.print(&format!("nestful {what}, right tools"));
        score.print(&format!("nestful {what}, values with right tools"));
    }
}

/// The tools as `holloway eval plans` sees them.
fn catalogue(set: &Set) -> Catalogue {
    let entries = set.entries.iter().cloned();
    Catalogue::new(entries.filter_map(|entry| {
        let tool = set.tools.get(&entry.id)?.clone();
        Some((tool, entry, Repute::default()))
    }))
}

/// The names that steps with these tools are given, and why those that are optional.
fn named(request: &str, tools: &[&ToolSpec], weights: &Features) -> BTreeMap<Name, String> {
    let frame = other::read(request);
    let steps: Vec<String> = (1..=tools.len()).map(|at| format!("step_{at}")).collect();
    let mut earlier: Vec<Earlier<'_>> = Vec::new();
    let mut used = FxHashSet::default();
    let mut names = BTreeMap::new();
    for (tool, step) in tools.iter().zip(&steps) {
        let reading = Reading::of(&frame, None);
        let situation = Situation {
            frame: &frame,
            earlier: &earlier,
            clause: None,
            used: Some(&used),
            past: None,
            stated: None,
        };
        let at = Step::new(tool.id.as_str(), &situation, &reading);
        let parameters = Parameter::of_tool(tool);
        let chosen = pick(&at, &parameters, weights);
        let mut taken = Vec::new();
        for (parameter, choice) in parameters.iter().zip(chosen) {
            let origin = choice.candidate.origin;
            taken.extend(origin.entity(&reading));
            if parameter.required || origin != Origin::Nothing {
                let name = (tool.id.to_string(), parameter.name.to_owned());
                let why = if parameter.required {
                    "required".to_owned()
                } else {
                    format!("optional, {}", sort_of(&origin))
                };
                names.insert(name, why);
            }
        }
        used.extend(taken);
        earlier.push(Earlier { step, tool });
    }
    names
}

fn sort_of(origin: &Origin) -> &'static str {
    match origin {
        Origin::Nothing => "nothing",
        Origin::Earlier { .. } => "an earlier result",
        Origin::Span { .. } | Origin::Several { .. } => "words of the request",
        Origin::Choice { .. } | Origin::Flag { .. } | Origin::Stated { .. } => {
            "a listed value or switch"
        }
        Origin::Default | Origin::Only => "the schema",
        Origin::Usual => "what goes without saying",
        Origin::Past { .. } => "a past run",
    }
}

impl Names {
    fn add(&mut self, run: &PastRun, tools: &[&ToolSpec], weights: &Features) {
        let found = named(&run.request, tools, weights);
        let mut wanted: BTreeMap<Name, &Value> = BTreeMap::new();
        for (tool, arguments) in run.tools.iter().zip(&run.arguments) {
            wanted.extend(
                arguments
                    .iter()
                    .map(|(name, value)| ((tool.clone(), name.clone()), value)),
            );
        }
        let own: BTreeSet<Name> = found.keys().cloned().collect();
        let right: BTreeSet<Name> = wanted.keys().cloned().collect();
        let share = f1(&own, &right);
        self.sum += share;
        self.requests += 1.0;
        self.right += own.intersection(&right).count() as u32;
        self.found += own.len() as u32;
        self.wanted += right.len() as u32;
        let shows = std::env::args().nth(4).as_deref() == Some("errors");
        if shows {
            println!("{share:.3} | {}", run.request);
        }
        for (name, why) in found.iter().filter(|(name, _)| !right.contains(*name)) {
            let kind = if run.tools.contains(&name.0) {
                format!("given in vain: {why}")
            } else {
                "given in vain: to a wrong tool".to_owned()
            };
            if shows {
                println!("{kind} | {}.{} | {}", name.0, name.1, run.request);
            }
            *self.wrong.entry(kind).or_default() += 1;
        }
        for (name, value) in wanted.iter().filter(|(name, _)| !own.contains(*name)) {
            let tool = tools.iter().find(|tool| tool.id.as_str() == name.0);
            let says = tool.and_then(|tool| tool.input_schema["properties"].get(&name.1));
            let kind = match (tool, says) {
                (None, _) => "missed: its tool",
                (Some(_), None) => "missed: not in the schema",
                _ if value.as_str().is_some_and(|text| text.contains("$var")) => {
                    "missed: optional, an earlier result"
                }
                _ if is_said(value, &run.request) => "missed: optional, said in the request",
                _ => "missed: optional, nowhere said",
            };
            if shows {
                println!("{kind} | {}.{} = {value} | {}", name.0, name.1, run.request);
            }
            *self.wrong.entry(kind.to_owned()).or_default() += 1;
        }
    }

    fn print(&self, what: &str) {
        println!(
            "{what} ({} requests): names F1 {:.1}, precision {:.1} of {}, recall {:.1} of {}",
            self.requests,
            100.0 * self.sum / self.requests,
            100.0 * f64::from(self.right) / f64::from(self.found.max(1)),
            self.found,
            100.0 * f64::from(self.right) / f64::from(self.wanted.max(1)),
            self.wanted,
        );
        for (kind, count) in &self.wrong {
            println!("    {count:4} {kind}");
        }
    }
}

fn is_said(value: &Value, request: &str) -> bool {
    let said = super::plain(value);
    let request = request.to_lowercase();
    let mut words = request.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| word == said) || said.len() > 3 && request.contains(&said)
}
