//! How many everyday requests over tools of other people become the right plan?
//!
//!     cargo run --release -p holloway-planner --example everyday -- FOLDER [REQUESTS] [misses]
//!
//! FOLDER holds `mcp-catalogue/tools.jsonl`; REQUESTS are those of `data/everyday-held.jsonl` unless
//! another file is named. Prints how many whole plans and first tools are right, how many of the
//! wrong ones are told as doubtful or refused, and how many of the stated arguments are right with
//! the tools of a plan that a reader accepts. With `misses`, tells what is wrong.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)] // reads files
#![allow(clippy::print_stdout, clippy::expect_used)]

use std::path::Path;
use std::sync::Arc;

use holloway_plan::step::Step;
use holloway_planner::bind::PastArguments;
use holloway_planner::catalogue::{Catalogue, Place};
use holloway_planner::other::{OtherDraft, OtherSettings, draft_with, plan_other};
use holloway_planner::read::other::{Wanted, wanted};
use holloway_planner::recall::Recall;
use serde_json::{Map, Value};

#[path = "everyday/arguments.rs"]
mod arguments;
#[path = "fit_choice/catalogue.rs"]
mod catalogue;

use arguments::Arguments;
use catalogue::{catalogue, lines, lines_of, text};

#[derive(Default)]
struct Plans {
    asked: usize,
    whole: usize,
    first: usize,
    refused: usize,
    doubtful: usize,
    /// Right plans that are told as doubtful all the same.
    doubted: usize,
    /// Requests that no tool does, and those of them for which that is told.
    without: usize,
    told: usize,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("the folder with the tools");
    let rest: Vec<String> = arguments.collect();
    let shows = rest.iter().any(|word| word == "misses");
    let file = rest.iter().find(|word| *word != "misses");
    let own = file.map(|path| std::fs::read_to_string(path).expect("a file of requests"));
    let usual = include_str!("../data/everyday-held.jsonl");
    let requests = lines(own.as_deref().unwrap_or(usual));
    let tools = lines_of(&Path::new(&folder).join("mcp-catalogue/tools.jsonl"));
    let set = Set {
        ids: tools.iter().map(|tool| text(tool, "id")).collect(),
        catalogue: catalogue(&tools),
        shows,
    };
    println!("{}", set.plans(&requests));
    println!("{}", set.arguments(&requests));
}

struct Set {
    catalogue: Catalogue,
    ids: Vec<String>,
    shows: bool,
}

impl Set {
    fn plans(&self, requests: &[Value]) -> String {
        let recall = Recall::new(Arc::clone(self.catalogue.index()));
        let settings = OtherSettings::default();
        let past = PastArguments::default();
        let mut sum = Plans::default();
        for line in requests {
            let Some(plans) = line.get("plans").and_then(Value::as_array) else {
                continue;
            };
            let wanted = wanted(&text(line, "request"));
            let sequences = recall.propose(wanted.text(), settings.strategies.len());
            let drafts = plan_other(&wanted, &self.catalogue, &sequences, &past, &settings);
            let draft = drafts.first();
            if plans.is_empty() {
                sum.without += 1;
                let told = draft.is_none_or(|draft| draft.doubt.is_doubtful());
                sum.told += usize::from(told);
                continue;
            }
            let right: Vec<Vec<Place>> = plans.iter().map(|plan| self.places(plan)).collect();
            self.judge(&wanted, draft, &right, &mut sum);
        }
        format!(
            "{} of {} plans are right, {} begin with a right tool; of the others {} are refused and {} told as doubtful, as are {} right ones; what no tool does is told for {} of {}",
            sum.whole,
            sum.asked,
            sum.first,
            sum.refused,
            sum.doubtful,
            sum.doubted,
            sum.told,
            sum.without
        )
    }

    fn judge(
        &self,
        wanted: &Wanted,
        draft: Option<&OtherDraft>,
        right: &[Vec<Place>],
        sum: &mut Plans,
    ) {
        let tools = draft.map(|draft| self.tools_of(draft)).unwrap_or_default();
        let sorted = |mut tools: Vec<Place>| {
            tools.sort_unstable();
            tools
        };
        let own = sorted(tools.clone());
        let whole = right.iter().any(|plan| sorted(plan.clone()) == own);
        let first = right.iter().any(|plan| plan.first() == tools.first());
        let doubtful = draft.is_some_and(|draft| draft.doubt.is_doubtful());
        sum.asked += 1;
        sum.whole += usize::from(whole);
        sum.first += usize::from(first && !tools.is_empty());
        sum.refused += usize::from(!whole && draft.is_none());
        sum.doubtful += usize::from(!whole && doubtful);
        sum.doubted += usize::from(whole && doubtful);
        if self.shows {
            self.tell(wanted, draft, right, whole);
        }
    }

    fn tell(&self, wanted: &Wanted, draft: Option<&OtherDraft>, right: &[Vec<Place>], whole: bool) {
        let name = |place: &Place| self.ids.get(*place).map_or("?", String::as_str);
        println!("{} {}", if whole { "=" } else { "#" }, wanted.text());
        if let Some(draft) = draft {
            println!("    {:?} {:.2}", draft.doubt, draft.doubt.chance());
        }
        if whole {
            return;
        }
        for goal in &wanted.goals {
            println!("    goal: {}", goal.text);
        }
        for note in draft.iter().flat_map(|draft| &draft.notes) {
            println!("    has {}: {}", note.tool, note.reason);
        }
        for plan in right.iter().take(2) {
            let names: Vec<&str> = plan.iter().map(name).collect();
            println!("    right: {}", names.join(", "));
        }
    }

    fn arguments(&self, requests: &[Value]) -> String {
        let settings = OtherSettings::default();
        let mut sum = Arguments::default();
        for line in requests {
            let plan = line.get("plans").and_then(|plans| plans.get(0)?.as_array());
            let stated = line.get("arguments").and_then(Value::as_object);
            let (Some(plan), Some(stated)) = (plan, stated) else {
                continue;
            };
            let wanted = wanted(&text(line, "request"));
            let places = self.places(&Value::Array(plan.clone()));
            let draft = draft_with(&wanted, &self.catalogue, &places, &settings);
            let calls = plan.iter().zip(&places).map(|(id, place)| {
                let id = id.as_str().unwrap_or_default();
                let given = draft.as_ref().map(|draft| self.given(draft, *place));
                let nothing = Map::new();
                let stated = stated.get(id).and_then(Value::as_object);
                let stated = stated.unwrap_or(&nothing).clone();
                (id.to_owned(), stated, given.unwrap_or_default())
            });
            let told = sum.judge(&calls.collect::<Vec<_>>());
            if self.shows && !told.is_empty() {
                println!("{}\n    {}", wanted.text(), told.join("\n    "));
            }
        }
        sum.to_string()
    }

    fn places(&self, plan: &Value) -> Vec<Place> {
        let ids = plan.as_array().into_iter().flatten();
        let ids = ids.filter_map(Value::as_str);
        ids.filter_map(|id| self.ids.iter().position(|own| own == id))
            .collect()
    }

    fn calls<'d>(&self, draft: &'d OtherDraft) -> Vec<(Place, &'d Step)> {
        let place = |step: &Step| {
            let name = step.tool.as_deref()?;
            let mut tools = self.catalogue.tools();
            tools
                .find(|(place, tool)| {
                    tool.id.as_str() == name || self.catalogue.name_in_plans(*place) == Some(name)
                })
                .map(|(place, _)| place)
        };
        let steps = draft.draft.steps.iter();
        let calls = steps.map(|step| step.step.as_deref().unwrap_or(step));
        calls
            .filter_map(|step| Some((place(step)?, step)))
            .collect()
    }

    fn tools_of(&self, draft: &OtherDraft) -> Vec<Place> {
        let calls = self.calls(draft).into_iter();
        calls.map(|(place, _)| place).collect()
    }

    /// The arguments of the first call of a tool; what the plan asks for is null.
    fn given(&self, draft: &OtherDraft, place: Place) -> Map<String, Value> {
        let calls = self.calls(draft);
        let call = calls.iter().find(|(own, _)| *own == place);
        let input = call.and_then(|(_, step)| step.input.as_ref()?.as_object());
        let mut given = input.cloned().unwrap_or_default();
        for value in given.values_mut() {
            let name = value
                .as_str()
                .and_then(|text| text.strip_prefix("{{ input."));
            if let Some(name) = name.and_then(|name| name.strip_suffix(" }}")) {
                let input = draft.draft.input.as_ref();
                let default =
                    input.and_then(|input| input.get("properties")?.get(name)?.get("default"));
                *value = default.cloned().unwrap_or(Value::Null);
            }
        }
        given
    }
}
