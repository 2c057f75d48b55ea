//! What is the tool of a task given? What the task says, then results of the tasks it
//! depends on; what is left becomes an input of the plan.

use holloway_plan::tool::ToolSpec;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::BoundTask;
use crate::advanced::obstacle::shape;
use crate::advanced::sequence::SequencedTask;
use crate::bind::fit::{Fit, compatible_parameter};
use crate::bind::shape::{Kind, Shape};
use crate::bind::{Binding, Source};

/// Fields that hold a text, whatever they are called.
const TEXTS: [&str; 5] = ["text", "content", "markdown", "html", "body"];

/// How well any of them serves as any other.
const TEXT_FOR_TEXT: f32 = 0.5;

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
    pub(super) bindings: Vec<Binding>,
    pub(super) open: Vec<OpenInput>,
}

/// The arguments of a task's tool, given the tasks bound so far.
pub(super) fn fill(task: &SequencedTask, tool: &ToolSpec, bound: &[BoundTask]) -> Filled {
    let mut filled = Filled {
        arguments: task.task.inputs.clone(),
        bindings: Vec::new(),
        open: Vec::new(),
    };
    let input = shape(&tool.input_schema);
    for name in input.required() {
        if filled.arguments.contains_key(name) {
            continue;
        }
        let schema = input.field(name).map(Shape::schema);
        let schema = schema.cloned().unwrap_or_else(|| json!({}));
        let found = given_by_schema(name, &schema).or_else(|| earlier(task, tool, bound, name));
        let (value, binding) = found.unwrap_or_else(|| {
            let input = input_name(name, &schema, &task.step, bound);
            filled.open.push(OpenInput {
                name: input.clone(),
                parameter: name.to_owned(),
                schema,
            });
            let value = json!(format!("{{{{input.{input}}}}}"));
            (value, asked(name, input))
        });
        filled.arguments.insert(name.to_owned(), value);
        filled.bindings.push(binding);
    }
    filled
}

fn asked(parameter: &str, input: String) -> Binding {
    Binding {
        entities: Vec::new(),
        parameter: parameter.to_owned(),
        source: Source::Input { name: input },
        confidence: 0.5,
        reason: "nobody said; to be given when the plan is run".to_owned(),
    }
}

/// What the schema leaves no choice about, or chooses itself.
fn given_by_schema(name: &str, schema: &Value) -> Option<(Value, Binding)> {
    let only = || match schema.get("enum")?.as_array()?.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    let fixed = schema.get("const").or_else(|| schema.get("default"));
    let value = fixed.cloned().or_else(only)?;
    let binding = Binding {
        entities: Vec::new(),
        parameter: name.to_owned(),
        source: Source::Schema {
            value: value.clone(),
        },
        confidence: 1.0,
        reason: "what the tool itself says".to_owned(),
    };
    Some((value, binding))
}

/// The result of a task before that suits best, the nearest of equals.
fn earlier(
    task: &SequencedTask,
    tool: &ToolSpec,
    bound: &[BoundTask],
    name: &str,
) -> Option<(Value, Binding)> {
    let mut best: Option<(&str, Fit)> = None;
    for step in &task.before {
        let Some(giver) = bound.iter().find(|known| known.sequenced.step == *step) else {
            continue;
        };
        let fit = fit(giver, tool, name);
        if best
            .as_ref()
            .is_none_or(|(_, own)| fit.score() > own.score())
            && is_plain(fit.path())
        {
            best = Some((step, fit));
        }
    }
    let (step, fit) = best.filter(|(_, fit)| fit.score() >= least(tool, name))?;
    let path = match fit.path() {
        "" => String::new(),
        path if path.starts_with('[') => path.to_owned(),
        path => format!(".{path}"),
    };
    let (value, what) = match &fit {
        Fit::None => return None,
        Fit::Exact { .. } | Fit::Part { .. } => (reference(step, &path), "of"),
        // A list is looked at where a loop was asked for; otherwise its first item stands for it.
        Fit::EachItem { .. } => (reference(step, &path.replacen("[]", "[0]", 1)), "first of"),
        Fit::Collect { .. } => {
            let (list, field) = path.split_once("[].")?;
            let items = format!("{{{{{step}{list} | map(attribute=\"{field}\") | list}}}}");
            (json!(items), "all of")
        }
        Fit::Gather { .. } => (json!([reference(step, &path)]), "of"),
    };
    let reason = match fit.path() {
        "" => format!("the result of {step}"),
        path => format!("{what} {step}: {path}"),
    };
    let binding = Binding {
        entities: Vec::new(),
        parameter: name.to_owned(),
        source: Source::Earlier {
            step: step.to_owned(),
            path: fit.path().to_owned(),
        },
        confidence: fit.score().clamp(0.0, 1.0),
        reason,
    };
    Some((value, binding))
}

/// How a result serves as an argument. Of several texts, the one that is called one.
fn fit(giver: &BoundTask, tool: &ToolSpec, name: &str) -> Fit {
    let output = &giver.tool.output_schema;
    let named = if TEXTS.contains(&name) && shape(output).field(name).is_none() {
        let has = |text: &&&str| {
            let field = shape(output).field(text);
            field.is_some_and(|field| field.kind() == Kind::Text)
        };
        TEXTS.iter().find(has)
    } else {
        None
    };
    match named {
        Some(text) => Fit::Part {
            path: (*text).to_owned(),
            score: TEXT_FOR_TEXT,
        },
        None => compatible_parameter(output, &tool.input_schema, name),
    }
}

/// How well a result must fit.
fn least(tool: &ToolSpec, name: &str) -> f32 {
    let kind = shape(&tool.input_schema).field(name).map(Shape::kind);
    match kind.unwrap_or(Kind::Any) {
        Kind::Any => 0.25,
        Kind::List | Kind::Object => 0.28,
        Kind::Text if TEXTS.contains(&name) => TEXT_FOR_TEXT,
        Kind::Text => 0.62,
        Kind::Integer | Kind::Number | Kind::Boolean => 0.8,
    }
}

fn reference(step: &str, path: &str) -> Value {
    json!(format!("{{{{{step}{path}}}}}"))
}

/// Whether an expression can name the place.
fn is_plain(path: &str) -> bool {
    let plain = |name: &str| {
        let name = name.trim_end_matches("[]");
        !name.starts_with(|first: char| first.is_ascii_digit())
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    path.split('.').all(plain)
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

/// Whether a value takes from the result of a task.
pub(in crate::advanced) fn takes_from(value: &Value, id: &str) -> bool {
    match value {
        Value::String(text) => renamed_text(text, &[(id, "")]) != *text,
        Value::Array(items) => items.iter().any(|item| takes_from(item, id)),
        Value::Object(fields) => fields.values().any(|field| takes_from(field, id)),
        _ => false,
    }
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
