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

use holloway_planner::catalogue::Place;
use holloway_planner::frame::Frame;
use holloway_planner::other::{OtherDraft, OtherSettings, draft_with};
use holloway_planner::read::other;
use serde_json::{Map, Value};

#[path = "everyday/arguments.rs"]
mod arguments;
#[path = "fit_choice/catalogue.rs"]
mod catalogue;
#[path = "everyday/set.rs"]
mod set;

use arguments::Arguments;
use catalogue::{catalogue, lines, lines_of, text};
use set::Set;

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
    };
    println!("{}", set.plans(&requests, shows));
    println!("{}", set.arguments(&requests, shows));
}

impl Set {
    fn plans(&self, requests: &[Value], shows: bool) -> String {
        let mut sum = Plans::default();
        for line in requests {
            let Some(plans) = line.get("plans").and_then(Value::as_array) else {
                continue;
            };
            let request = text(line, "request");
            let frame = other::read(&request);
            let draft = self.draft(&frame);
            let draft = draft.as_ref();
            if plans.is_empty() {
                sum.without += 1;
                let told = draft.is_none_or(OtherDraft::is_doubtful);
                sum.told += usize::from(told);
                continue;
            }
            let right: Vec<Vec<Place>> = plans.iter().map(|plan| self.places(plan)).collect();
            let whole = self.judge(draft, &right, &mut sum);
            if shows {
                self.tell((&request, &frame), draft, &right, whole);
            }
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

    fn judge(&self, draft: Option<&OtherDraft>, right: &[Vec<Place>], sum: &mut Plans) -> bool {
        let tools = draft.map(|draft| self.tools_of(draft)).unwrap_or_default();
        let whole = draft.is_some_and(|draft| self.is_right(draft, right));
        let first = right.iter().any(|plan| plan.first() == tools.first());
        let doubtful = draft.is_some_and(OtherDraft::is_doubtful);
        sum.asked += 1;
        sum.whole += usize::from(whole);
        sum.first += usize::from(first && !tools.is_empty());
        sum.refused += usize::from(!whole && draft.is_none());
        sum.doubtful += usize::from(!whole && doubtful);
        sum.doubted += usize::from(whole && doubtful);
        whole
    }

    fn tell(
        &self,
        (request, frame): (&str, &Frame),
        draft: Option<&OtherDraft>,
        right: &[Vec<Place>],
        whole: bool,
    ) {
        let name = |place: &Place| self.ids.get(*place).map_or("?", String::as_str);
        println!("{} {}", if whole { "=" } else { "#" }, request);
        if let Some(draft) = draft {
            println!("    {:?} {:.2}", draft.signs, draft.chance());
        }
        if whole {
            return;
        }
        for goal in &frame.goals {
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

    fn arguments(&self, requests: &[Value], shows: bool) -> String {
        let settings = OtherSettings::default();
        let mut sum = Arguments::default();
        for line in requests {
            let plan = line.get("plans").and_then(|plans| plans.get(0)?.as_array());
            let stated = line.get("arguments").and_then(Value::as_object);
            let (Some(plan), Some(stated)) = (plan, stated) else {
                continue;
            };
            let request = text(line, "request");
            let frame = other::read(&request);
            let places = self.places(&Value::Array(plan.clone()));
            let draft = draft_with(&frame, &self.catalogue, &places, &settings);
            let calls = plan.iter().zip(&places).map(|(id, place)| {
                let id = id.as_str().unwrap_or_default();
                let given = draft.as_ref().map(|draft| self.given(draft, *place));
                let nothing = Map::new();
                let stated = stated.get(id).and_then(Value::as_object);
                let stated = stated.unwrap_or(&nothing).clone();
                (id.to_owned(), stated, given.unwrap_or_default())
            });
            let told = sum.judge(&calls.collect::<Vec<_>>());
            if shows && !told.is_empty() {
                println!("{}\n    {}", request, told.join("\n    "));
            }
        }
        sum.to_string()
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
