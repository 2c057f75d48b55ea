//! How does what is offered differ from what was accepted? Place by place, and as
//! a text to read before accepting it.
//!
//! Invariant: nothing that is new is left out, however long a source makes it;
//! what is left out is what was accepted before.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::catalog::inspect::visible;
use crate::catalog::{CatalogTool, Standing};

/// Deeper than this, two values are compared as a whole.
const DEEPEST: usize = 100;
/// Under a longer place too: it would be written once for each difference below it.
const LONGEST_PLACE: usize = 2_000;
/// Characters of the unchanged text shown before and after a change.
const AROUND: usize = 60;

/// One difference between two definitions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// A JSON pointer; `package/…` for a difference of the package; empty for the whole.
    pub place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// How two definitions differ, place by place.
pub fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let mut found = Found::default();
    found.compare("", Some(before), Some(after), 0);
    found.list
}

/// How what waits differs from what was accepted, its package included; nothing
/// for a tool that is not held.
pub fn changes(tool: &CatalogTool) -> Vec<Difference> {
    let Standing::Held {
        offered, waiting, ..
    } = &tool.standing
    else {
        return Vec::new();
    };
    let mut found = Found::default();
    let (before, after) = (json!(tool.package), json!(waiting.package));
    found.compare("package", Some(&before), Some(&after), 0);
    found.compare("", Some(&tool.definition), Some(offered), 0);
    found.list
}

#[derive(Default)]
struct Found {
    list: Vec<Difference>,
}

impl Found {
    fn compare(
        &mut self,
        place: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        depth: usize,
    ) {
        let by_part = depth < DEEPEST && place.len() < LONGEST_PLACE;
        match (before, after) {
            (Some(Value::Object(before)), Some(Value::Object(after))) if by_part => {
                self.compare_fields(place, before, after, depth);
            }
            (Some(Value::Array(before)), Some(Value::Array(after))) if by_part => {
                for index in 0..before.len().max(after.len()) {
                    let place = format!("{place}/{index}");
                    self.compare(&place, before.get(index), after.get(index), depth + 1);
                }
            }
            (Some(before), Some(after)) if is_same(before, after) => {}
            _ => self.note(place, before, after),
        }
    }

    fn compare_fields(
        &mut self,
        place: &str,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
        depth: usize,
    ) {
        let new = after.keys().filter(|key| !before.contains_key(*key));
        for key in before.keys().chain(new) {
            let place = format!("{place}/{}", pointer_part(key));
            self.compare(&place, before.get(key), after.get(key), depth + 1);
        }
    }

    fn note(&mut self, place: &str, before: Option<&Value>, after: Option<&Value>) {
        self.list.push(Difference {
            place: place.to_owned(),
            before: before.cloned(),
            after: after.cloned(),
        });
    }
}

/// As the pin sees it: numbers by how they are written, so that no change of the pin goes unseen.
fn is_same(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Number(before), Value::Number(after)) => before.to_string() == after.to_string(),
        _ => before == after,
    }
}

/// A key as a part of a JSON pointer.
pub(crate) fn pointer_part(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The differences as a text: each place, then lines with `-` and `+`. A change is
/// shown whole, with a little of the unchanged text around it; nothing is invisible.
pub fn describe_differences(differences: &[Difference]) -> String {
    let mut text = String::new();
    for difference in differences {
        let place = match difference.place.as_str() {
            "" => "(the whole)".to_owned(),
            place => visible::whole(place),
        };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{place}");
        let (before, after) = sides(difference);
        for (sign, side) in [('-', before), ('+', after)] {
            if let Some(side) = side {
                let _ = writeln!(text, "{sign} {side}");
            }
        }
    }
    text
}

fn sides(difference: &Difference) -> (Option<String>, Option<String>) {
    let written = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match (&difference.before, &difference.after) {
        (Some(before), Some(after)) => {
            // A text and a number may be written alike: then the quotes tell them apart.
            let both_texts = before.is_string() && after.is_string();
            let (before, after) = if both_texts {
                (written(before), written(after))
            } else {
                (before.to_string(), after.to_string())
            };
            let (before, after) = around_the_change(&before, &after);
            (Some(before), Some(after))
        }
        (before, after) => {
            let alone = |value: &Value| visible::whole(&written(value));
            (before.as_ref().map(alone), after.as_ref().map(alone))
        }
    }
}

fn around_the_change(before: &str, after: &str) -> (String, String) {
    let (old, new): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    let same = |(a, b): &(&char, &char)| a == b;
    let start = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (
        old.get(start..).unwrap_or_default(),
        new.get(start..).unwrap_or_default(),
    );
    let pairs = old_rest.iter().rev().zip(new_rest.iter().rev());
    let end = pairs.take_while(same).count();
    (side(&old, start, end), side(&new, start, end))
}

/// One side: a little of what is common, the change, a little of what is common.
fn side(text: &[char], start: usize, end: usize) -> String {
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let stop = text.len().saturating_sub(end);
    let (first, last) = (
        start.saturating_sub(AROUND),
        (stop + AROUND).min(text.len()),
    );
    let mut shown = String::new();
    if first > 0 {
        shown.push('…');
    }
    shown.push_str(&visible::all(part(first, start).iter()));
    shown.push_str(&change(part(start, stop)));
    shown.push_str(&visible::all(part(stop, last).iter()));
    if last < text.len() {
        shown.push('…');
    }
    shown
}

/// A short change may look just like what it replaces: then its code points tell.
fn change(text: &[char]) -> String {
    if text.len() > 8 {
        return visible::all(text);
    }
    let named = |c: &char| match c {
        c if c.is_ascii() || visible::is_invisible(*c) => visible::all([c]),
        c => format!("{c}{}", visible::code_point(*c)),
    };
    text.iter().map(named).collect()
}
