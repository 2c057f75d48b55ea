//! Which fields of two things are written otherwise? Mappings are compared field by
//! field, everything else as a whole.

use serde::Serialize;
use serde_json::{Map, Value};

use super::FieldChange;

/// Mappings further in than this are compared as a whole.
const DEPTH: usize = 6;

/// The written fields of something.
pub(super) fn of<T: Serialize>(thing: &T) -> Map<String, Value> {
    match serde_json::to_value(thing) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// All fields that differ, in the order of the new one, then those that are gone.
pub(super) fn changes(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<FieldChange> {
    let mut found = Vec::new();
    compare("", old, new, DEPTH, &mut found);
    found
}

fn compare(
    before: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    depth: usize,
    found: &mut Vec<FieldChange>,
) {
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    for name in new.keys().chain(gone) {
        let (was, is) = (old.get(name), new.get(name));
        if was == is {
            continue;
        }
        let field = format!("{before}{name}");
        if let (Some(Value::Object(was)), Some(Value::Object(is))) = (was, is)
            && depth > 0
        {
            compare(&format!("{field}."), was, is, depth - 1, found);
            continue;
        }
        found.push(FieldChange {
            field,
            old: was.cloned().unwrap_or_default(),
            new: is.cloned().unwrap_or_default(),
        });
    }
}
