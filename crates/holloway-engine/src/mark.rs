//! How does a secret stand in a run? As a mark, `${password#4f0c…}`: whoever reads the journal,
//! a trace or a question sees that something was given and nothing of what it is. Marks are
//! made and filled in outside the machine, which never has the secret itself.
//!
//! Invariant: only a mark that the run itself issued stands for anything. Any other text of this
//! shape is a text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

const OPEN: &str = "${";
const DIGITS: usize = 16;

/// The marks that a run has issued, and what kind of value each stands for.
pub type Issued = BTreeMap<String, MarkKind>;

/// The kind of value that a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    Text,
    Integer,
    Number,
    Boolean,
}

impl MarkKind {
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            _ => Self::Text,
        }
    }

    /// A value of this kind, for checks that must not know the secret.
    fn stand_in(self, mark: &str) -> Value {
        match self {
            Self::Text => Value::from(mark),
            Self::Integer => Value::from(1),
            Self::Number => Value::from(1.5),
            Self::Boolean => Value::from(true),
        }
    }
}

/// The mark for a secret of this name. Nobody who has not seen it can guess the number, so that
/// no tool can ask for the secret by writing its mark.
pub fn mark(name: &str, number: u64) -> String {
    let name = name.chars().map(|c| if fits(c) { c } else { '_' });
    let name: String = name.collect();
    format!("{OPEN}{name}#{number:016x}}}")
}

/// The marks in a text: where they stand, and the names they are for.
pub fn marks(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut done = 0;
    while let Some(at) = text.get(done..).and_then(|rest| rest.find(OPEN)) {
        let start = done + at;
        done = start + OPEN.len();
        // No mark can begin in what is passed over, so nothing is looked at twice.
        let rest = text.get(done..).unwrap_or_default();
        let length = rest.find(|c| !fits(c) && c != '#').unwrap_or(rest.len());
        let inside = rest.get(..length).unwrap_or_default();
        done += length;
        if let Some(name) = name_in(inside).filter(|_| text.get(done..).is_some_and(is_closed)) {
            done += 1;
            found.push((start..done, name));
        }
    }
    found
}

fn is_closed(rest: &str) -> bool {
    rest.starts_with('}')
}

/// Whether a character can stand in the name of a mark.
fn fits(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

/// Whether something that is shaped like a mark stands anywhere in a value.
pub fn holds_marks(value: &Value) -> bool {
    match value {
        Value::String(text) => !marks(text).is_empty(),
        Value::Array(items) => items.iter().any(holds_marks),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, field)| !marks(name).is_empty() || holds_marks(field)),
        _ => false,
    }
}

/// The value with the least and the most that could stand in place of its marks.
pub(crate) fn extremes(value: &Value, issued: &Issued) -> [Value; 2] {
    [false, true].map(|most| {
        let mut value = value.clone();
        put_extreme(&mut value, issued, most);
        value
    })
}

fn put_extreme(value: &mut Value, issued: &Issued, most: bool) {
    match value {
        Value::String(text) => match issued.get(text.as_str()) {
            Some(MarkKind::Integer | MarkKind::Number) => {
                *value = Value::from(if most { i64::MAX } else { i64::MIN });
            }
            Some(MarkKind::Boolean) => *value = Value::from(most),
            // The mark itself is long, and unlike anything that a schema asks for.
            Some(MarkKind::Text) | None if most => {}
            Some(MarkKind::Text) => text.clear(),
            None => {
                for (range, _) in marks(&text.clone()).into_iter().rev() {
                    text.replace_range(range, "");
                }
            }
        },
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| put_extreme(item, issued, most)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| put_extreme(field, issued, most)),
        _ => {}
    }
}

/// Whether a value is a text with something in it that is shaped like a mark.
pub fn is_marked(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !marks(text).is_empty())
}

/// A value in which secrets are missing, as far as it can be checked without them.
pub(crate) struct Unfilled {
    /// With stand-ins of the same kind in place of marks.
    pub(crate) value: Value,
    /// Where texts stand that marks decide, as JSON pointers.
    pub(crate) places: BTreeSet<String>,
}

impl Unfilled {
    /// Nothing where none of the issued marks stands in the value.
    pub(crate) fn of(value: &Value, issued: &Issued) -> Option<Self> {
        if issued.is_empty() || !holds_issued(value, issued) {
            return None;
        }
        let mut unfilled = Self {
            value: value.clone(),
            places: BTreeSet::new(),
        };
        stand_in(
            &mut unfilled.value,
            issued,
            &mut String::new(),
            &mut unfilled.places,
        );
        Some(unfilled)
    }
}

pub(crate) fn holds_issued(value: &Value, issued: &Issued) -> bool {
    match value {
        Value::String(text) => has_issued(text, issued),
        Value::Array(items) => items.iter().any(|item| holds_issued(item, issued)),
        Value::Object(fields) => fields.values().any(|field| holds_issued(field, issued)),
        _ => false,
    }
}

fn has_issued(text: &str, issued: &Issued) -> bool {
    let found = marks(text);
    found.into_iter().any(|(range, _)| {
        let mark = text.get(range);
        mark.is_some_and(|mark| issued.contains_key(mark))
    })
}

fn stand_in(value: &mut Value, issued: &Issued, at: &mut String, places: &mut BTreeSet<String>) {
    let length = at.len();
    match value {
        Value::String(text) => {
            if let Some(kind) = issued.get(text.as_str()) {
                *value = kind.stand_in(text);
                places.insert(at.clone());
            } else if has_issued(text, issued) {
                places.insert(at.clone());
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                at.push('/');
                at.push_str(&index.to_string());
                stand_in(item, issued, at, places);
                at.truncate(length);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                at.push('/');
                at.push_str(&name.replace('~', "~0").replace('/', "~1"));
                stand_in(field, issued, at, places);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

fn name_in(inside: &str) -> Option<&str> {
    let (name, digits) = inside.rsplit_once('#')?;
    let is_number = digits.len() == DIGITS && digits.chars().all(|c| c.is_ascii_hexdigit());
    (is_number && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_issued_marks_are_stood_in_for() {
        let (pin, word) = (mark("pin", 1), mark("word", 2));
        let forged = mark("pin", 3);
        let issued = Issued::from([
            (pin.clone(), MarkKind::of(&json!(1234))),
            (word.clone(), MarkKind::of(&json!("secret"))),
        ]);
        let value = json!({"a/b": [pin, format!("x{pin}")], "word": word, "forged": forged});
        let unfilled = Unfilled::of(&value, &issued).unwrap();
        let expected = json!({"a/b": [1, format!("x{pin}")], "word": word, "forged": forged});
        assert_eq!(unfilled.value, expected);
        let places: Vec<&str> = unfilled.places.iter().map(String::as_str).collect();
        assert_eq!(places, ["/a~1b/0", "/a~1b/1", "/word"]);
        assert!(Unfilled::of(&json!({ "forged": forged }), &issued).is_none());
        assert!(Unfilled::of(&value, &Issued::new()).is_none());
    }

    #[test]
    fn a_text_full_of_beginnings_is_read_once() {
        // Looked at from every beginning up to its end, this would take minutes.
        let text = format!("{}}}", "${a#".repeat(500_000));
        assert_eq!(marks(&text), []);
        let text = format!("${{a ${{{}", mark("b", 1));
        assert_eq!(marks(&text).len(), 1);
    }

    #[test]
    fn extremes_stand_for_all_secrets() {
        let (pin, word) = (mark("pin", 1), mark("word", 2));
        let issued = Issued::from([
            (pin.clone(), MarkKind::Integer),
            (word.clone(), MarkKind::Text),
        ]);
        let value = json!([pin, word, format!("a{word}b"), "c"]);
        assert_eq!(
            extremes(&value, &issued),
            [
                json!([i64::MIN, "", "ab", "c"]),
                json!([i64::MAX, word, format!("a{word}b"), "c"])
            ]
        );
    }

    #[test]
    fn marks_are_found_again() {
        let one = mark("api key", 7);
        assert_eq!(one, "${api_key#0000000000000007}");
        let text = format!("a ${{b}} {one}{one} ${{x#12}} ${{");
        let names: Vec<&str> = marks(&text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["api_key", "api_key"]);
        for (range, _) in marks(&text) {
            assert_eq!(text.get(range), Some(one.as_str()));
        }
        assert!(is_marked(&Value::from(one)));
        assert!(!is_marked(&Value::from("${HOME}")) && !is_marked(&Value::from(1)));
    }
}
