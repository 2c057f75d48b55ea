//! Where does each argument of a laid step come from? From the thing that the tool takes, the parts
//! of the goal that it serves, and what the act always has.

use holloway_plan::tool::does::{Does, Serves};
use serde_json::{Map, Value, json};

use super::Thing;
use super::serving::{filtered, in_braces, value_for};
use crate::frame::Part;

/// What the current item of a loop is called.
pub(super) const ITEM: &str = "item";

/// The arguments that things and the act give.
pub(super) fn arguments(
    does: &Does,
    from: &[Thing],
    given: &[Thing],
    looped: bool,
) -> Map<String, Value> {
    let mut input = Map::new();
    match does.takes.as_slice() {
        [one] if looped => {
            let item = from
                .first()
                .and_then(|thing| known(thing, given).item.as_deref());
            let path = item.map_or_else(|| ITEM.to_owned(), |item| format!("{ITEM}.{item}"));
            input.insert(one.argument.clone(), filtered(json!(in_braces(&path)), one));
        }
        [one] if one.many => {
            let list = match from {
                [only] if only.many => all_of(only, given),
                several => Value::Array(one_by_one(several, given)),
            };
            input.insert(one.argument.clone(), filtered(list, one));
        }
        several => {
            for (takes, value) in several.iter().zip(one_by_one(from, given)) {
                input.insert(takes.argument.clone(), filtered(value, takes));
            }
        }
    }
    input.extend(does.fixed.iter().cloned());
    input
}

/// Puts a part where the tool takes it; the argument, where there is one.
pub(super) fn put_in(input: &mut Map<String, Value>, does: &Does, part: &Part) -> Option<String> {
    let mut used = None;
    for serves in does
        .slots
        .iter()
        .filter(|serves| serves.slot() == part.slot)
    {
        let (argument, list, value) = match serves {
            Serves::Argument {
                argument,
                field,
                list,
                ..
            } => (argument, *list, value_for(part, field.as_deref())),
            Serves::Keyed {
                argument,
                key,
                value,
                ..
            } => {
                let entry = input.entry(argument.clone()).or_insert_with(|| json!({}));
                let known = entry.as_object_mut().zip(part.text(key));
                if let Some((fields, (name, value))) =
                    known.and_then(|(fields, name)| Some((fields, (name, part.value.get(value)?))))
                {
                    fields.insert(name.to_owned(), value.clone());
                    used = Some(argument.clone());
                }
                continue;
            }
            Serves::Always { .. } => continue,
        };
        let Some(value) = value else { continue };
        // An argument for one value does not take a part that has fields.
        if !list && value.is_object() {
            continue;
        }
        used = Some(argument.clone());
        if !list {
            input.insert(argument.clone(), value);
            continue;
        }
        let entry = input.entry(argument.clone()).or_insert_with(|| json!([]));
        if let Some(items) = entry.as_array_mut() {
            items.push(value);
        }
    }
    used
}

/// Several things in their order: the n-th of a kind is the n-th that was given.
fn one_by_one(things: &[Thing], given: &[Thing]) -> Vec<Value> {
    let mut used: Vec<usize> = Vec::new();
    let values = things.iter().map(|thing| {
        if let Some(value) = &thing.given {
            return value.clone();
        }
        if let Some(path) = &thing.reference {
            return json!(in_braces(path));
        }
        let fits = |place: &usize| {
            given
                .get(*place)
                .is_some_and(|known| known.kind == thing.kind)
        };
        let mut fitting = (0..given.len()).filter(fits);
        let place = if things.len() == 1 {
            fitting.next_back()
        } else {
            fitting.find(|place| !used.contains(place))
        };
        used.extend(place);
        let path = place.and_then(|place| given.get(place)?.reference.as_ref());
        path.map_or(Value::Null, |path| json!(in_braces(path)))
    });
    values.collect()
}

/// What a loop goes through.
pub(super) fn list_of(thing: &Thing, given: &[Thing]) -> Value {
    let path = || json!(path_of(thing, given));
    thing.given.clone().unwrap_or_else(path)
}

/// A list of things, each as it is itself.
fn all_of(thing: &Thing, given: &[Thing]) -> Value {
    let path = path_of(thing, given);
    match &known(thing, given).item {
        None => json!(in_braces(&path)),
        Some(item) => json!(in_braces(&format!(
            "{path} | map(attribute='{item}') | list"
        ))),
    }
}

fn path_of(thing: &Thing, given: &[Thing]) -> String {
    known(thing, given).reference.clone().unwrap_or_default()
}

/// The thing as it was laid last; itself, where it came from before.
fn known<'t>(thing: &'t Thing, given: &'t [Thing]) -> &'t Thing {
    if thing.given.is_some() || thing.reference.is_some() {
        return thing;
    }
    let mut laid = given.iter().rev();
    laid.find(|known| known.kind == thing.kind && known.many == thing.many)
        .unwrap_or(thing)
}
