//! How much of what everyday requests state becomes the right argument? Over tools of other
//! people's servers, with the tools of the plan that a reader accepts; and what goes wrong.

use std::collections::BTreeMap;
use std::error::Error;

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_planner::catalogue::{Catalogue, Place};
use holloway_planner::generate::given::draft_with;
use holloway_planner::generate::{Drafted, GenerateSettings};
use holloway_planner::request::analyse;
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;
use serde_json::{Map, Value};

/// What became of one argument that a request states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Right,
    LeftOut,
    Asked,
    FromResult,
    TooMuch,
    TooLittle,
    Wrong,
}

#[derive(Default)]
struct Sum {
    requests: usize,
    whole: usize,
    /// Arguments that nobody stated.
    invented: usize,
    fates: BTreeMap<Fate, usize>,
}

pub(super) fn everyday(folder: &str, labels: &str, shows: bool) -> Result<(), Box<dyn Error>> {
    let tools = lines(&std::fs::read_to_string(format!(
        "{folder}/mcp-catalogue/tools.jsonl"
    ))?);
    let ids: Vec<&str> = tools.iter().map(|tool| text(tool, "id")).collect();
    let catalogue = catalogue(&tools);
    let settings = GenerateSettings::default();
    let mut sum = Sum::default();
    for line in lines(&std::fs::read_to_string(labels)?) {
        let of = |name: &str| line.get(format!("{name}_ids").as_str()).or(line.get(name));
        let plans = line.get("plan_ids").or(line.get("plans"));
        let arguments = line.get("arguments_by_id").or(of("arguments"));
        let plan = plans.and_then(|plans| plans.get(0)?.as_array());
        let (Some(plan), Some(Value::Object(stated))) = (plan, arguments) else {
            continue;
        };
        let place = |id: &Value| ids.iter().position(|own| Some(*own) == id.as_str());
        let places: Vec<Place> = plan.iter().filter_map(place).collect();
        let request = text(&line, "request");
        let analysis = analyse(request, &catalogue);
        let drafted = draft_with(&analysis, &catalogue, &places, &settings);
        let told = sum.judge(drafted.as_ref(), (plan, &places, stated), &catalogue);
        if shows && !told.is_empty() {
            println!("{request}");
            for line in told {
                println!("    {line}");
            }
        }
    }
    sum.print(labels);
    Ok(())
}

impl Sum {
    /// Counts what became of the arguments of one request, and tells what went wrong.
    fn judge(
        &mut self,
        drafted: Option<&Drafted>,
        (plan, places, stated): (&[Value], &[Place], &Map<String, Value>),
        catalogue: &Catalogue,
    ) -> Vec<String> {
        let mut told = Vec::new();
        for (id, place) in plan.iter().zip(places) {
            let id = id.as_str().unwrap_or_default();
            let given = drafted.map(|drafted| arguments(drafted, catalogue, *place));
            let given = given.unwrap_or_default();
            let nothing = Map::new();
            let wanted = stated.get(id).and_then(Value::as_object);
            let wanted = wanted.unwrap_or(&nothing);
            let name = id.rsplit('/').next().unwrap_or_default();
            for (parameter, wanted) in wanted {
                let found = given.get(parameter);
                let fate = fate(wanted, found);
                *self.fates.entry(fate).or_default() += 1;
                if fate != Fate::Right {
                    let found = found.unwrap_or(&Value::Null);
                    told.push(format!(
                        "{fate:?} {name}.{parameter}: {wanted}, found {found}"
                    ));
                }
            }
            let literal = |value: &Value| !value.is_null() && !value.to_string().contains("{{");
            for (parameter, value) in &given {
                if !wanted.contains_key(parameter) && literal(value) {
                    self.invented += 1;
                    told.push(format!("Invented {name}.{parameter}: {value}"));
                }
            }
        }
        self.requests += 1;
        self.whole += usize::from(told.is_empty());
        told
    }

    fn print(&self, labels: &str) {
        let all: usize = self.fates.values().sum();
        let right = self.fates.get(&Fate::Right).copied().unwrap_or_default();
        println!(
            "{labels}: {} requests, all arguments right for {}; {right} of {all} arguments right ({:.1} %), {} nobody stated; {:?}",
            self.requests,
            self.whole,
            100.0 * right as f64 / all.max(1) as f64,
            self.invented,
            self.fates
        );
    }
}

/// The arguments of the first call of a tool, with the values of the plan's inputs.
fn arguments(drafted: &Drafted, catalogue: &Catalogue, place: Place) -> Map<String, Value> {
    let Some(tool) = catalogue.tool(place) else {
        return Map::new();
    };
    let mut given = None;
    drafted.draft.walk(&mut |step| {
        let is_it =
            |name: &str| name == tool.id.as_str() || Some(name) == catalogue.name_in_plans(place);
        if given.is_none() && step.tool.as_deref().is_some_and(is_it) {
            given = step.input.clone();
        }
    });
    let inputs = drafted.draft.input.as_ref();
    let properties = inputs.and_then(|input| input.get("properties")?.as_object());
    let Some(Value::Object(mut given)) = given else {
        return Map::new();
    };
    for value in given.values_mut() {
        let name = value
            .as_str()
            .and_then(|text| text.strip_prefix("{{ input.")?.strip_suffix(" }}"));
        if let Some(input) = name.and_then(|name| properties?.get(name)) {
            *value = input.get("default").cloned().unwrap_or(Value::Null);
        }
    }
    given
}

fn fate(wanted: &Value, found: Option<&Value>) -> Fate {
    match found {
        None => Fate::LeftOut,
        Some(found) if is_right(wanted, found) => Fate::Right,
        Some(Value::Null) => Fate::Asked,
        Some(found) if found.to_string().contains("{{") => Fate::FromResult,
        Some(found) => {
            let (wanted, found) = (plain(wanted), plain(found));
            match () {
                () if found.contains(&wanted) => Fate::TooMuch,
                () if wanted.contains(&found) => Fate::TooLittle,
                () => Fate::Wrong,
            }
        }
    }
}

/// Whether a value is what is wanted; `{"contains": …}` wants a part of a text.
fn is_right(wanted: &Value, found: &Value) -> bool {
    match (wanted, found) {
        (Value::Object(only), _) if only.len() == 1 && only.contains_key("contains") => {
            let part = only.get("contains").map(plain).unwrap_or_default();
            !found.is_null() && plain(found).contains(&part)
        }
        (Value::Object(wanted), Value::Object(found)) => wanted
            .iter()
            .all(|(name, wanted)| found.get(name).is_some_and(|found| is_right(wanted, found))),
        (Value::Array(wanted), Value::Array(found)) => {
            let mut pairs = wanted.iter().zip(found);
            wanted.len() == found.len() && pairs.all(|(wanted, found)| is_right(wanted, found))
        }
        (Value::Number(wanted), Value::Number(found)) => wanted.as_f64() == found.as_f64(),
        (wanted, found) => !found.is_null() && plain(wanted) == plain(found),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_lowercase(),
        other => other.to_string().to_lowercase(),
    }
}

fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.filter_map(Result::ok).collect()
}

fn text<'a>(line: &'a Value, name: &str) -> &'a str {
    line.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn catalogue(tools: &[Value]) -> Catalogue {
    Catalogue::new(tools.iter().map(|line| {
        let schema = |name: &str| line.get(name).cloned().unwrap_or(Value::Null);
        let (server, name) = (text(line, "server"), text(line, "name"));
        let mut tool = ToolSpec::named(format!("{server}/{name}"))
            .with_input(schema("input_schema"))
            .with_output(schema("output_schema"));
        tool.description = text(line, "description").to_owned();
        let reads = line.pointer("/annotations/readOnlyHint") == Some(&Value::Bool(true));
        tool.effect = if reads { Effect::Read } else { Effect::Write };
        let entry = Entry {
            id: tool.id.to_string(),
            name: name.to_owned(),
            server: server.to_owned(),
            description: tool.description.clone(),
            ..Entry::default()
        };
        let entry = entry.with_schema(&tool.input_schema);
        (tool, entry, Repute::default())
    }))
}
