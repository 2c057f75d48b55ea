//! How does one goal of an answer become a goal of the frame? Field by field; what is in no slot
//! of its act is told, never passed over.

use serde_json::{Map, Value, json};

use super::places::{find, of, said};
use super::shapes::{Kind, Shapes, Slot};
use super::text;
use super::values::{Reading, Values};
use crate::frame::acts::Acts;
use crate::frame::scene::Scene;
use crate::frame::{ARGUMENTS, Action, Clause, Goal, OBJECT, OTHER, Part, Said};
use crate::read::check::{Trouble, unfit};

/// Fields of a goal that are no slots.
const WORDS: &str = "words";
const BESIDE: [&str; 5] = ["act", WORDS, "verb", "object", "arguments"];
/// Where some put the slots all together.
const SLOTS: &str = "slots";

pub(super) struct ReadGoal {
    pub(super) goal: Goal,
    pub(super) troubles: Vec<Trouble>,
}

pub(super) fn read(
    goal: &Value,
    request: &str,
    scene: &Scene,
    notes: &mut Vec<String>,
) -> Result<ReadGoal, String> {
    let fields = goal.as_object().ok_or("a goal is no JSON object")?;
    let table = Shapes::table();
    let act = text(fields, "act").to_lowercase();
    let quoted = text(fields, WORDS);
    let words = find(request, quoted);
    let whole = || of(request, 0..request.len());
    let said = words.clone().map_or_else(whole, |at| of(request, at));
    if act == OTHER || act.is_empty() && fields.contains_key("verb") {
        return Ok(other(fields, request, said));
    }
    let Some(shape) = table.of(&act) else {
        return Err(format!(
            "there is no act `{act}`; for what is in no list the act is `{OTHER}`"
        ));
    };
    let mut read = ReadGoal {
        goal: Goal {
            text: said.text.clone(),
            act,
            said,
            ..Goal::default()
        },
        troubles: Vec::new(),
    };
    if words.is_none() && !is_of(request, quoted) {
        read.troubles.push(unfit(format!(
            "`{WORDS}` is copied from the request, which does not say “{quoted}”"
        )));
    }
    let values = Values {
        request,
        scene,
        table,
        must_be_named: shape.named,
    };
    let inner = fields.get(SLOTS).and_then(Value::as_object);
    let own = fields.iter().filter(|(name, _)| *name != SLOTS);
    for (field, value) in own.chain(inner.into_iter().flatten()) {
        if BESIDE.contains(&field.as_str()) || says_nothing(value) {
            continue;
        }
        let field = field.to_lowercase();
        match table.slot(shape, &field) {
            Some(slot) => fill(&mut read, slot, value, &values, notes),
            None => read.troubles.push(unfit(format!(
                "`{field}` says nothing about how to {}",
                Acts::table()
                    .act(&read.goal.act)
                    .map_or("", |act| &act.about)
            ))),
        }
    }
    Ok(read)
}

/// Whether every word stands in the request, in whatever order.
fn is_of(request: &str, words: &str) -> bool {
    let request = request.to_lowercase();
    let lower = words.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    words.all(|word| request.contains(word))
}

/// Nothing, false and empty lists leave a slot open.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(says_nothing),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// Puts the values of a field into its slot; a list is a part for each item.
fn fill(
    read: &mut ReadGoal,
    (slot, kind): (&str, &Slot),
    value: &Value,
    values: &Values<'_>,
    notes: &mut Vec<String>,
) {
    let single = [value.clone()];
    let items = match value {
        Value::Array(items) => items.as_slice(),
        _ => &single,
    };
    for item in items.iter().filter(|item| !says_nothing(item)) {
        let Reading { value, note } = match values.read(kind, item) {
            Ok(reading) => reading,
            Err(trouble) => {
                read.troubles.push(unfit(trouble));
                continue;
            }
        };
        notes.extend(note);
        // A name that nobody said only tells the form.
        let slot = match value.get("form").filter(|_| kind.kind == Kind::Target) {
            Some(_) => "form",
            None => slot,
        };
        let value = match value.get("form") {
            Some(form) if slot == "form" => form.clone(),
            _ => value,
        };
        let said = said(values.request, &json!([item, value]), &read.goal.said);
        let known = read.goal.all(slot).any(|part| part.value == value);
        if !known {
            read.goal.parts.push(Part::new(slot, value, said));
        }
    }
}

/// What is in no table: a verb with its object and arguments, for tools of other people.
fn other(fields: &Map<String, Value>, request: &str, words: Said) -> ReadGoal {
    let (verb, object) = (text(fields, "verb"), text(fields, "object"));
    let mut parts = Vec::new();
    if !object.is_empty() {
        let value = json!(object);
        let said = said(request, &value, &words);
        parts.push(Part::new(OBJECT, value, said));
    }
    let mut spoken = vec![verb.to_owned(), object.to_owned()];
    let arguments = fields.get("arguments").and_then(Value::as_object);
    for (name, value) in arguments.into_iter().flatten() {
        if says_nothing(value) {
            continue;
        }
        let plain = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        spoken.push(format!("{name} {plain}"));
        let said = said(request, value, &words);
        parts.push(Part::new(
            ARGUMENTS,
            json!({"name": name, "value": value}),
            said,
        ));
    }
    spoken.retain(|one| !one.is_empty());
    ReadGoal {
        goal: Goal {
            act: OTHER.to_owned(),
            text: spoken.join(" "),
            said: words,
            parts,
            clause: Clause {
                action: Action::given(&verb.to_lowercase(), object),
                is_given: true,
                ..Clause::default()
            },
            ..Goal::default()
        },
        troubles: Vec::new(),
    }
}
