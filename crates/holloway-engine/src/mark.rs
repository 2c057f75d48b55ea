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
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
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
        let Some(inside) = text.get(done..).and_then(|rest| rest.split_once('}')) else {
            break;
        };
        if let Some(name) = name_in(inside.0) {
            let end = done + inside.0.len() + 1;
            found.push((start..end, name));
            done = end;
        }
    }
    found
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

fn holds_issued(value: &Value, issued: &Issued) -> bool {
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
