//! What may a model answer to a request? A JSON Schema typed by what is there, and the guide to
//! acts and slots that goes with it. Both are made from data; the guide is the same every time.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::places::find;
use super::shapes::{Shape, Shapes};
use crate::frame::acts::Acts;
use crate::frame::constraints::{Depth, Priority};
use crate::frame::scene::Scene;
use crate::frame::{EntityKind, OTHER};
use crate::read::entities::entities;

/// Names that one list of choices has at most.
const MOST_NAMES: usize = 100;
/// Items of a list of anything else.
const MOST_ITEMS: usize = 8;

static GUIDE: LazyLock<String> = LazyLock::new(write_guide);

/// Acts with their slots, slots with what goes there, and a few examples.
pub fn guide() -> &'static str {
    &GUIDE
}

/// What an answer about this request looks like.
pub fn schema(request: &str, scene: &Scene) -> Value {
    let table = Shapes::table();
    let names = Names::of(request, scene);
    let slots = table.slots.iter().map(|(name, slot)| {
        let schema = if slot.choices.is_empty() {
            names.put_in(&slot.schema)
        } else {
            let choice = json!({ "enum": slot.choices });
            json!({"anyOf": [choice, {"type": "array", "items": choice}]})
        };
        (name.clone(), schema)
    });
    let slots: Map<String, Value> = slots.collect();
    let mut goals: Vec<Value> = table.of_acts.iter().map(goal).collect();
    goals.push(other());
    let mut listed = json!({"type": "array", "items": {"anyOf": goals}});
    if has_one_goal(request)
        && let Some(fields) = listed.as_object_mut()
    {
        fields.insert("maxItems".to_owned(), json!(1));
    }
    let priorities = Priority::ALL.map(Priority::word);
    let depths = Depth::ALL.map(Depth::word);
    json!({
        "type": "object",
        "$defs": slots,
        "properties": {
            "language": {"type": "string", "maxLength": 8},
            "goals": listed,
            "constraints": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "seconds": {"type": "number"},
                    "money": {"type": "number"},
                    "priority": {"enum": priorities},
                    "depth": {"enum": depths}
                }
            },
            "unclear": {"type": "array", "items": {"type": "string"}},
            "no_plan": {"type": "string"}
        },
        "additionalProperties": false
    })
}

/// Whether a request joins nothing: small models like to say one thing twice. Only of Latin letters
/// is it known how they join.
fn has_one_goal(request: &str) -> bool {
    const LAST_LATIN: char = '\u{24f}';
    let marks = |letter: char| matches!(letter, ',' | ';' | ':' | '&' | '+' | '\n');
    let ends = |text: &str| text.trim_end().ends_with(['.', '!', '?']);
    let words: Vec<&str> = request.split_whitespace().collect();
    let sentences = words.iter().rev().skip(1).any(|word| ends(word));
    let lower = request.to_lowercase();
    let mut said = lower.split(|letter: char| !letter.is_alphanumeric());
    let joints = &Shapes::table().joints;
    let foreign = |letter: char| letter.is_alphabetic() && letter > LAST_LATIN;
    !sentences
        && !request.contains(marks)
        && !request.contains(foreign)
        && !said.any(|word| joints.iter().any(|joint| joint == word))
}

/// Acts of which the same can be said are one branch; only the act is required.
fn goal(shape: &Shape) -> Value {
    let mut properties = Map::new();
    properties.insert("act".to_owned(), json!({ "enum": shape.acts }));
    properties.insert("words".to_owned(), json!({"type": "string"}));
    for slot in std::iter::once("sources").chain(shape.slots.iter().map(String::as_str)) {
        properties.insert(slot.to_owned(), json!({"$ref": format!("#/$defs/{slot}")}));
    }
    json!({"type": "object", "required": ["act"], "additionalProperties": false, "properties": properties})
}

fn other() -> Value {
    json!({
        "type": "object",
        "required": ["act"],
        "additionalProperties": false,
        "properties": {
            "act": {"const": OTHER},
            "words": {"type": "string"},
            "verb": {"type": "string"},
            "object": {"type": "string"},
            "arguments": {"type": "object"}
        }
    })
}

/// What can be chosen from in one request.
struct Names {
    columns: Vec<String>,
    sources: Vec<String>,
}

impl Names {
    fn of(request: &str, scene: &Scene) -> Self {
        let mut columns: Vec<String> = Vec::new();
        for column in scene.columns() {
            if !columns.contains(&column.name) {
                columns.push(column.name.clone());
            }
        }
        let urls = entities(request).into_iter();
        let urls = urls.filter(|entity| entity.kind == EntityKind::Url);
        let mut sources: Vec<String> = urls
            .map(|entity| entity.value.as_str().unwrap_or(&entity.text).to_owned())
            .collect();
        let files = scene
            .files
            .iter()
            .map(|file| &file.name)
            .chain(&scene.folders);
        // Those that the request names first: the list is bounded.
        let (said, others): (Vec<&String>, Vec<&String>) =
            files.partition(|name| find(request, name).is_some());
        sources.extend(said.into_iter().chain(others).cloned());
        sources.truncate(MOST_NAMES);
        columns.truncate(MOST_NAMES);
        Self { columns, sources }
    }

    /// Every list has an end: no name need stand in it twice.
    fn fields(&self, fields: &Map<String, Value>) -> Value {
        let put = fields
            .iter()
            .map(|(name, inner)| (name.clone(), self.put_in(inner)));
        let mut put: Map<String, Value> = put.collect();
        if fields.get("type").and_then(Value::as_str) == Some("array") {
            let names = put
                .get("items")
                .and_then(|items| items.get("enum")?.as_array());
            let most = names.map_or(MOST_ITEMS, Vec::len);
            put.entry("maxItems").or_insert_with(|| json!(most));
        }
        put.into()
    }

    /// The schema with the names of this request.
    fn put_in(&self, schema: &Value) -> Value {
        match schema {
            Value::Object(fields) => match fields.get("$").and_then(Value::as_str) {
                Some("column") => choice(&self.columns),
                Some(_) => choice(&self.sources),
                None => self.fields(fields),
            },
            Value::Array(items) => items.iter().map(|item| self.put_in(item)).collect(),
            other => other.clone(),
        }
    }
}

/// Where nothing is known, anything can be meant.
fn choice(names: &[String]) -> Value {
    if names.is_empty() {
        json!({"type": "string"})
    } else {
        json!({ "enum": names })
    }
}

fn write_guide() -> String {
    let table = Shapes::table();
    let acts = Acts::table();
    let mut text = "Acts, and the slots they may have beside `sources`:\n".to_owned();
    let first = table.of_acts.first();
    for shape in &table.of_acts {
        let named = shape.acts.iter().map(|name| {
            let about = acts.act(name).map_or("", |act| &act.about);
            // "join (join two tables)" says nothing more than "join".
            let is_plain = about.starts_with(name.as_str()) && about.split(' ').count() <= 3;
            if is_plain {
                name.clone()
            } else {
                format!("{name} ({about})")
            }
        });
        let named: Vec<String> = named.collect();
        // What most acts on tables have is said once.
        let shared = first.filter(|first| !std::ptr::eq(*first, shape));
        let shared = shared.and_then(|first| {
            let own = shape.slots.strip_suffix(first.slots.as_slice())?;
            let act = first.acts.first()?;
            Some(format!("{}, those of {act}", own.join(", ")))
        });
        let slots = shared.unwrap_or_else(|| shape.slots.join(", "));
        let _ = writeln!(text, "- {}: {slots}", named.join(", "));
    }
    let _ = writeln!(
        text,
        "- {OTHER} (anything else): verb and object in English, arguments by name"
    );
    text.push_str("Slots:\n");
    for (name, slot) in &table.slots {
        let choices = slot.choices.join(" ");
        let (say, gap) = (
            &slot.say,
            if slot.say.is_empty() || choices.is_empty() {
                ""
            } else {
                ": "
            },
        );
        let _ = writeln!(text, "- {name}: {say}{gap}{choices}");
    }
    text.push_str("Examples:\n");
    for example in &table.examples {
        let _ = writeln!(text, "{}\n{}", example.request, example.frame);
    }
    text
}
