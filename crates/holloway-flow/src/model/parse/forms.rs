//! Which forms do models write that are not ours? Other names for fields, numbers for ids,
//! one thing where a list belongs, numbers as texts. Each has one meaning here; what could
//! mean several things is left for the checks to name.

mod fields;
mod renamed;

use serde_json::{Map, Value, json};

use super::success;
use fields::{PLAN_FIELDS, STEP_FIELDS, drop_unknown, rename_fields};
use renamed::{Renamed, follow};

const KINDS: [(&str, &str); 7] = [
    ("for_each", "loop"),
    ("foreach", "loop"),
    ("for", "loop"),
    ("map", "loop"),
    ("if", "conditional"),
    ("condition", "conditional"),
    ("tool_call", "tool"),
];

const NUMBERS: [&str; 4] = ["timeout_ms", "concurrency", "max_items", "max_visits"];
const LISTS: [&str; 7] = [
    "depends_on",
    "fallbacks",
    "steps",
    "then",
    "otherwise",
    "expect",
    "next",
];
/// Deeper ones are refused by the reader anyway.
const DEEPEST: usize = 8;

/// The plan in our language.
pub(super) fn brought_into_ours(mut plan: Map<String, Value>, notes: &mut Vec<String>) -> Value {
    drop_nulls(&mut plan);
    // There is one version, and nobody is asked for it.
    plan.entry("version").or_insert_with(|| Value::from("1.0"));
    drop_unknown(&mut plan, &PLAN_FIELDS, "the plan", notes);
    if let Some(Value::Array(steps)) = plan.get_mut("steps") {
        let mut renamed = Renamed::new();
        for step in steps.iter_mut() {
            bring_step(step, notes, &mut renamed, 0);
        }
        for step in steps {
            follow(step, &renamed);
        }
    }
    Value::Object(plan)
}

fn bring_step(step: &mut Value, notes: &mut Vec<String>, renamed: &mut Renamed, depth: usize) {
    let Value::Object(fields) = step else { return };
    if depth > DEEPEST {
        return;
    }
    drop_nulls(fields);
    rename_fields(fields);
    bring_id(fields, notes, renamed);
    let id = fields
        .get("id")
        .and_then(Value::as_str)
        .unwrap_or("a step")
        .to_owned();
    bring_kind(fields);
    bring_tool(fields, &id, notes);
    success::bring(fields, &id, notes);
    for name in NUMBERS {
        bring_number(fields, name);
    }
    bring_retries(fields);
    for name in LISTS {
        if let Some(value) = fields.get_mut(name).filter(|value| !value.is_array()) {
            *value = Value::Array(vec![value.take()]);
        }
    }
    if let Some(Value::Array(names)) = fields.get_mut("depends_on") {
        for name in names {
            *name = Value::from(plain(name).unwrap_or_default());
        }
    }
    drop_unknown(fields, &STEP_FIELDS, &format!("step `{id}`"), notes);
    for name in ["step", "reducer"] {
        if let Some(inner) = fields.get_mut(name) {
            bring_step(inner, notes, renamed, depth + 1);
        }
    }
    for name in ["steps", "then", "otherwise"] {
        if let Some(Value::Array(inner)) = fields.get_mut(name) {
            for step in inner {
                bring_step(step, notes, renamed, depth + 1);
            }
        }
    }
}

fn drop_nulls(fields: &mut Map<String, Value>) {
    fields.retain(|_, value| !value.is_null());
}

/// Ids are words; numbers and sentences become some.
fn bring_id(fields: &mut Map<String, Value>, notes: &mut Vec<String>, renamed: &mut Renamed) {
    let Some(written) = fields.get("id").and_then(plain) else {
        return;
    };
    let id = word(&written);
    if id != written {
        notes.push(format!("the id `{}` became `{id}`", short(&written)));
        renamed.insert(written, id.clone());
    }
    fields.insert("id".to_owned(), Value::from(id));
}

/// A text or number as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(fields) => fields.get("id").and_then(plain),
        _ => None,
    }
}

fn word(text: &str) -> String {
    let mut word: String = text
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
                c
            } else {
                '_'
            }
        })
        .take(80)
        .collect();
    if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        word.insert_str(0, "step_");
    }
    word
}

fn bring_kind(fields: &mut Map<String, Value>) {
    let kind = fields
        .get("type")
        .and_then(Value::as_str)
        .map(str::to_lowercase);
    let ours = kind
        .as_ref()
        .and_then(|kind| KINDS.iter().find(|(other, _)| other == kind));
    let implied = || {
        let loops = fields.contains_key("over") && fields.contains_key("step");
        let chooses = fields.contains_key("condition") && fields.contains_key("then");
        if loops {
            Some("loop")
        } else {
            chooses.then_some("conditional")
        }
    };
    let kind = match (kind.as_deref(), ours) {
        (_, Some((_, ours))) => Some(*ours),
        (None, _) => implied(),
        _ => None,
    };
    if let Some(kind) = kind {
        fields.insert("type".to_owned(), Value::from(kind));
    }
}

/// `tools: [x]` is `tool: x`, and a tool given as an object is its name.
fn bring_tool(fields: &mut Map<String, Value>, id: &str, notes: &mut Vec<String>) {
    if fields.get("type").and_then(Value::as_str) == Some("phase") {
        return;
    }
    let listed = match fields.remove("tools") {
        Some(Value::Array(tools)) => tools,
        Some(single) => vec![single],
        None => Vec::new(),
    };
    if let Some(tool) = fields.get_mut("tool") {
        if let Some(name) = named_tool(tool) {
            *tool = Value::from(name);
        }
    } else if let Some(name) = listed.first().and_then(named_tool) {
        fields.insert("tool".to_owned(), Value::from(name));
        if listed.len() > 1 {
            notes.push(format!(
                "step `{id}` lists {} tools; the first is used",
                listed.len()
            ));
        }
    }
}

fn named_tool(tool: &Value) -> Option<String> {
    match tool {
        Value::String(name) => Some(name.trim().to_owned()),
        Value::Object(fields) => fields
            .get("id")
            .or_else(|| fields.get("name"))
            .and_then(plain),
        _ => None,
    }
}

fn bring_number(fields: &mut Map<String, Value>, name: &str) {
    if let Some(value) = fields.get_mut(name)
        && let Some(number) = value
            .as_str()
            .and_then(|text| text.trim().parse::<u64>().ok())
    {
        *value = Value::from(number);
    }
}

/// How often, without the rest.
fn bring_retries(fields: &mut Map<String, Value>) {
    for name in ["retries", "max_retries"] {
        bring_number(fields, name);
        if let Some(max) = fields.shift_remove(name) {
            fields.entry("retry").or_insert_with(|| json!({"max": max}));
        }
    }
}

fn short(text: &str) -> String {
    text.chars()
        .take(40)
        .collect::<String>()
        .escape_debug()
        .to_string()
}
