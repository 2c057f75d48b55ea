//! Which forms do models write that are not ours? Other names for fields, numbers for ids,
//! one thing where a list belongs, numbers as texts. Each has one meaning here; what could
//! mean several things is left for the checks to name.

use std::collections::BTreeMap;

use holloway_plan::problem::did_you_mean;
use serde_json::{Map, Value};

use super::success;

/// Other names, and ours.
const NAMES: [(&str, &str); 24] = [
    ("desc", "purpose"),
    ("description", "purpose"),
    ("action", "purpose"),
    ("step_id", "id"),
    ("tool_name", "tool"),
    ("tool_id", "tool"),
    ("arguments", "input"),
    ("args", "input"),
    ("params", "input"),
    ("parameters", "input"),
    ("inputs", "input"),
    ("depends", "depends_on"),
    ("dependencies", "depends_on"),
    ("max_retries", "retries"),
    ("on_failure", "on_error"),
    ("foreach", "over"),
    ("items", "over"),
    ("item", "as"),
    ("var", "as"),
    ("variable", "as"),
    ("if", "condition"),
    ("else", "otherwise"),
    ("output_name", "output"),
    ("save_as", "output"),
];

const KINDS: [(&str, &str); 7] = [
    ("for_each", "loop"),
    ("foreach", "loop"),
    ("for", "loop"),
    ("map", "loop"),
    ("if", "conditional"),
    ("condition", "conditional"),
    ("tool_call", "tool"),
];

pub(super) const PLAN_FIELDS: [&str; 8] = [
    "version",
    "id",
    "objective",
    "execution",
    "mode",
    "input",
    "budget",
    "steps",
];

pub(super) const STEP_FIELDS: [&str; 34] = [
    "id",
    "type",
    "purpose",
    "depends_on",
    "when",
    "input",
    "output",
    "retry",
    "timeout_ms",
    "fallbacks",
    "expect",
    "on_error",
    "approval",
    "cache",
    "tool",
    "over",
    "as",
    "concurrency",
    "max_items",
    "step",
    "steps",
    "reducer",
    "initial",
    "accumulate",
    "condition",
    "then",
    "otherwise",
    "function",
    "plan",
    "show",
    "ask",
    "next",
    "max_visits",
    "tools",
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
    if !plan.contains_key("version") {
        plan.insert("version".to_owned(), Value::from("1.0"));
        notes.push("the version of the plan language was missing; 1.0 is taken".to_owned());
    }
    drop_nulls(&mut plan);
    drop_unknown(&mut plan, &PLAN_FIELDS, "the plan", notes);
    if let Some(Value::Array(steps)) = plan.get_mut("steps") {
        let mut renamed = BTreeMap::new();
        for step in steps.iter_mut() {
            bring_step(step, notes, &mut renamed, 0);
        }
        for step in steps {
            rename(step, &renamed);
        }
    }
    Value::Object(plan)
}

fn bring_step(
    step: &mut Value,
    notes: &mut Vec<String>,
    renamed: &mut BTreeMap<String, String>,
    depth: usize,
) {
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

/// `dependsOn` is `depends_on`; then other names for the same.
fn rename_fields(fields: &mut Map<String, Value>) {
    let mut ours = Map::new();
    let mut later = Vec::new();
    for (name, value) in std::mem::take(fields) {
        let snake = snake(&name);
        match NAMES.iter().find(|(other, _)| *other == snake) {
            Some((_, name)) => later.push((*name, value)),
            None => {
                ours.entry(snake).or_insert(value);
            }
        }
    }
    // Our own name wins over another for the same.
    for (name, value) in later {
        ours.entry(name).or_insert(value);
    }
    *fields = ours;
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before = '_';
    for c in name.chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            snake.push('_');
        }
        snake.push(if c == '-' || c == ' ' {
            '_'
        } else {
            c.to_ascii_lowercase()
        });
        before = c;
    }
    snake
}

/// Ids are words; numbers and sentences become some.
fn bring_id(
    fields: &mut Map<String, Value>,
    notes: &mut Vec<String>,
    renamed: &mut BTreeMap<String, String>,
) {
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

/// What is no field of ours goes, unless it looks like a slip of one: then it may matter.
fn drop_unknown(
    fields: &mut Map<String, Value>,
    known: &[&str],
    owner: &str,
    notes: &mut Vec<String>,
) {
    let unknown = fields.keys().filter(|name| !known.contains(&name.as_str()));
    let strange: Vec<String> = unknown
        .filter(|name| did_you_mean(name, known.iter().copied()).is_none())
        .cloned()
        .collect();
    for name in strange {
        fields.shift_remove(&name);
        notes.push(format!(
            "`{}` of {owner} is no field of the plan language, left out",
            short(&name)
        ));
    }
}

fn short(text: &str) -> String {
    text.chars()
        .take(40)
        .collect::<String>()
        .escape_debug()
        .to_string()
}

/// Where steps were renamed, what refers to them is too.
fn rename(value: &mut Value, renamed: &BTreeMap<String, String>) {
    match value {
        Value::String(text) => {
            if let Some(new) = renamed.get(text.as_str()) {
                text.clone_from(new);
            } else if text.contains("{{") {
                *text = renamed_inside(text, renamed);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, renamed)),
        Value::Object(fields) => {
            for (name, field) in fields {
                // Only where names of steps stand: a purpose may well be the word "1".
                if matches!(field, Value::Object(_) | Value::Array(_))
                    || matches!(name.as_str(), "input" | "over")
                    || field.as_str().is_some_and(|text| text.contains("{{"))
                {
                    rename(field, renamed);
                }
            }
        }
        _ => {}
    }
}

/// The first name of each reference.
fn renamed_inside(text: &str, renamed: &BTreeMap<String, String>) -> String {
    let mut pieces = text.split("{{");
    let mut new = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        new.push_str("{{");
        let inside = piece.trim_start();
        let found = renamed.iter().filter(|(old, _)| {
            inside
                .strip_prefix(old.as_str())
                .is_some_and(|rest| rest.starts_with(['.', '[', ' ', '}', '|']))
        });
        match found.max_by_key(|(old, _)| old.len()) {
            Some((old, replacement)) => {
                new.push_str(replacement);
                new.push_str(inside.get(old.len()..).unwrap_or_default());
            }
            None => new.push_str(piece),
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_known_here_are_those_of_the_language() {
        let schema = holloway_plan::schema::plan_schema();
        let names = |schema: &Value| -> Vec<String> {
            schema["properties"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect()
        };
        let mut plan = names(&schema);
        plan.retain(|name| name != "$schema");
        plan.sort();
        let mut ours = PLAN_FIELDS.map(str::to_owned);
        ours.sort();
        assert_eq!(plan, ours);
        // Guided sections are for people: a model gets its tools step by step.
        let guided = ["goal", "until", "max_calls"];
        let step = names(&schema["$defs"]["Step"]);
        let missing: Vec<_> = step
            .iter()
            .filter(|name| !STEP_FIELDS.contains(&name.as_str()))
            .collect();
        assert!(
            missing.iter().all(|name| guided.contains(&name.as_str())
                || ["dependsOn", "timeoutMs", "else"].contains(&name.as_str())),
            "{missing:?}"
        );
    }

    #[test]
    fn names_in_other_spellings() {
        for (name, expected) in [
            ("dependsOn", "depends_on"),
            ("timeoutMs", "timeout_ms"),
            ("on-error", "on_error"),
            ("URL", "url"),
        ] {
            assert_eq!(snake(name), expected);
        }
    }
}
