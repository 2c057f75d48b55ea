//! What is the tool of a task given? What the task says, then results of the tasks it
//! depends on; what is left becomes an input of the plan.

use holloway_plan::tool::ToolSpec;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::BoundTask;
use crate::advanced::compatible::{falls_short, kinds_meet, properties, required};
use crate::advanced::sequence::SequencedTask;

/// Fields that hold a text, whatever they are called.
const TEXTS: [&str; 5] = ["text", "content", "markdown", "html", "body"];

/// An argument that the person who runs the plan has to give.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpenInput {
    /// Its name among the inputs of the plan.
    pub name: String,
    pub parameter: String,
    pub schema: Value,
}

pub(super) struct Filled {
    pub(super) arguments: Map<String, Value>,
    pub(super) open: Vec<OpenInput>,
}

/// The arguments of a task's tool, given the tasks bound so far.
pub(super) fn fill(task: &SequencedTask, tool: &ToolSpec, bound: &[BoundTask]) -> Filled {
    let mut filled = Filled {
        arguments: task.task.inputs.clone(),
        open: Vec::new(),
    };
    let known = properties(&tool.input_schema);
    for name in required(&tool.input_schema) {
        if filled.arguments.contains_key(name) {
            continue;
        }
        let schema = known.and_then(|known| known.get(name));
        let schema = schema.cloned().unwrap_or_else(|| json!({}));
        if let Some(value) =
            given_by_schema(&schema).or_else(|| earlier(task, bound, name, &schema))
        {
            filled.arguments.insert(name.to_owned(), value);
            continue;
        }
        let input = input_name(name, &schema, &task.step, bound);
        filled
            .arguments
            .insert(name.to_owned(), json!(format!("{{{{input.{input}}}}}")));
        filled.open.push(OpenInput {
            name: input,
            parameter: name.to_owned(),
            schema,
        });
    }
    filled
}

/// What the schema leaves no choice about, or chooses itself.
fn given_by_schema(schema: &Value) -> Option<Value> {
    let only = || match schema.get("enum")?.as_array()?.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    let fixed = schema.get("const").or_else(|| schema.get("default"));
    fixed.cloned().or_else(only)
}

/// A reference to a result that can stand here, from the nearest task that has one.
fn earlier(task: &SequencedTask, bound: &[BoundTask], name: &str, schema: &Value) -> Option<Value> {
    let givers = task
        .before
        .iter()
        .filter_map(|step| bound.iter().find(|known| known.sequenced.step == *step));
    let givers: Vec<&BoundTask> = givers.collect();
    let by_name = givers.iter().find_map(|giver| by_name(giver, name, schema));
    by_name.or_else(|| givers.iter().find_map(|giver| by_kind(giver, name, schema)))
}

fn reference(step: &str, path: &str) -> Value {
    json!(format!("{{{{{step}{path}}}}}"))
}

/// Whether an expression can name the field.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn by_name(giver: &BoundTask, name: &str, schema: &Value) -> Option<Value> {
    if !is_plain(name) {
        return None;
    }
    let step = &giver.sequenced.step;
    let has = properties(&giver.tool.output_schema)?;
    if has.get(name).is_some_and(|own| kinds_meet(own, schema)) {
        return Some(reference(step, &format!(".{name}")));
    }
    // The first of `urls` can stand for `url`, and a list of one `url` for `urls`.
    let many = format!("{name}s");
    let items = has.get(&many).and_then(|list| list.get("items"));
    if items.is_some_and(|item| kinds_meet(item, schema)) {
        return Some(reference(step, &format!(".{many}[0]")));
    }
    let one = name.strip_suffix('s')?;
    let wanted = schema.get("items")?;
    let own = has.get(one)?;
    kinds_meet(own, wanted).then(|| json!([reference(step, &format!(".{one}"))]))
}

fn by_kind(giver: &BoundTask, name: &str, schema: &Value) -> Option<Value> {
    let step = &giver.sequenced.step;
    let output = &giver.tool.output_schema;
    let wanted = schema.get("type").and_then(Value::as_str)?;
    let has = properties(output)?;
    match wanted {
        "object" if falls_short(output, schema).is_none() => Some(reference(step, "")),
        "array" => {
            let is_list = |field: &&String| {
                let own = has.get(field.as_str());
                own.and_then(|own| own.get("type")) == Some(&json!("array"))
            };
            let mut lists = has.keys().filter(is_list);
            let only = lists.next().filter(|_| lists.next().is_none())?;
            if !is_plain(only) {
                return None;
            }
            Some(reference(step, &format!(".{only}")))
        }
        "string" if TEXTS.contains(&name) => {
            let text = TEXTS.iter().find(|text| has.contains_key(**text))?;
            Some(reference(step, &format!(".{text}")))
        }
        _ => None,
    }
}

/// One input serves all parameters of the same name and schema.
fn input_name(name: &str, schema: &Value, step: &str, bound: &[BoundTask]) -> String {
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let mut taken = bound.iter().flat_map(|task| &task.open);
    let clashes = taken.any(|open| open.name == plain && open.schema != *schema);
    if clashes {
        format!("{step}_{plain}")
    } else {
        plain
    }
}

/// The same task with references by the names of steps instead of ids of tasks.
pub(super) fn with_step_names(task: &SequencedTask, all: &[SequencedTask]) -> SequencedTask {
    let renamed: Vec<(&str, &str)> = all
        .iter()
        .filter(|other| other.task.id != other.step)
        .map(|other| (other.task.id.as_str(), other.step.as_str()))
        .collect();
    let mut task = task.clone();
    for value in task.task.inputs.values_mut() {
        rename(value, &renamed);
    }
    task
}

fn rename(value: &mut Value, renamed: &[(&str, &str)]) {
    match value {
        Value::String(text) if text.contains("{{") => *text = renamed_text(text, renamed),
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, renamed)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, renamed)),
        _ => {}
    }
}

fn renamed_text(text: &str, renamed: &[(&str, &str)]) -> String {
    let mut parts = text.split("{{");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.push_str("{{");
        let inside = part.trim_start();
        let found = renamed.iter().find_map(|(id, step)| {
            let rest = inside.strip_prefix(id)?;
            let ends = rest.starts_with(['.', '[', '}', ' ', '|']);
            ends.then_some((step, rest))
        });
        match found {
            Some((step, rest)) => {
                whole.push_str(step);
                whole.push_str(rest);
            }
            None => whole.push_str(part),
        }
    }
    whole
}
