//! How do secrets that a run is given get to its calls and nowhere else? The run knows marks
//! only; they are filled in when a call is made, and what comes back has marks again.
//!
//! Invariant: a mark in what comes back stands where the tool gave the secret back. A mark that a
//! tool writes by itself is taken out.

mod revealing;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use aho_corasick::{AhoCorasick, MatchKind};
use holloway_engine::mark::{Issued, MarkKind, mark, marks};
use serde_json::Value;

use super::{Renamed, SecretText, Secrets, effort};
pub use revealing::Revealing;

/// What stands in place of a mark that a tool has written.
const DEFUSED: &str = "‹mark of a secret›";

/// Shorter ones are not looked for in what comes back: too much else would go with them.
const SHORTEST: usize = 4;

/// The secrets of one run, by their marks.
#[derive(Clone, Default)]
pub struct GivenSecrets {
    known: Arc<RwLock<Arc<Known>>>,
}

/// The secrets of a run at one moment.
struct Known {
    values: BTreeMap<String, Given>,
    /// Finds them as they are, the longest first.
    plain: Option<AhoCorasick>,
    /// What each of those becomes.
    marks: Vec<String>,
    /// Finds them in other spellings.
    cleaning: Secrets,
}

#[derive(Clone)]
struct Given {
    /// As it was given; a number stays one.
    value: Value,
    text: SecretText,
}

impl GivenSecrets {
    /// Takes a secret in; the mark is what the run may know. `number` must not be guessed.
    pub fn take(&self, name: &str, number: u64, value: Value) -> String {
        let mark = mark(name, number);
        self.put(mark.clone(), value);
        mark
    }

    /// The secret that a mark from before stands for.
    pub fn put(&self, mark: String, value: Value) {
        let text = match &value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let text = SecretText::new(text);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let mut values = known.values.clone();
        values.insert(mark, Given { value, text });
        *known = Arc::new(Known::of(values));
    }

    /// The marks, and the kinds of values they stand for.
    pub fn issued(&self) -> Issued {
        let known = self.known();
        let kinds = known.values.iter();
        kinds
            .map(|(mark, given)| (mark.clone(), MarkKind::of(&given.value)))
            .collect()
    }

    /// Whether it is known what a mark stands for.
    pub fn knows(&self, mark: &str) -> bool {
        self.known().values.contains_key(mark)
    }

    pub fn is_empty(&self) -> bool {
        self.known().values.is_empty()
    }

    /// Fills in the secrets.
    pub fn reveal(&self, value: &mut Value) {
        self.known().reveal(value);
    }

    #[cfg(test)]
    pub(super) fn hide(&self, value: &mut Value) {
        self.known().hide(value);
    }

    fn known(&self) -> Arc<Known> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&known)
    }
}

impl Default for Known {
    fn default() -> Self {
        Self::of(BTreeMap::new())
    }
}

impl Known {
    fn of(values: BTreeMap<String, Given>) -> Self {
        let cleaning = Secrets::none();
        let mut texts = Vec::new();
        let mut own_marks = Vec::new();
        for (mark, given) in &values {
            let text = given.text.reveal();
            let name = marks(mark).first().map_or("secret", |(_, name)| name);
            cleaning.remember(text, name);
            if text.chars().count() >= SHORTEST {
                texts.push(text);
                own_marks.push(mark.clone());
            }
        }
        let plain = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(texts);
        Self {
            plain: plain.ok(),
            marks: own_marks,
            cleaning,
            values,
        }
    }

    /// Whether one of the marks stands in a value.
    fn is_in(&self, value: &Value) -> bool {
        let has_mark = |text: &str| {
            let mut found = marks(text).into_iter();
            found.any(|(range, _)| {
                let mark = text.get(range);
                mark.is_some_and(|mark| self.values.contains_key(mark))
            })
        };
        match value {
            Value::String(text) => has_mark(text),
            Value::Array(items) => items.iter().any(|item| self.is_in(item)),
            Value::Object(fields) => fields
                .iter()
                .any(|(name, field)| has_mark(name) || self.is_in(field)),
            _ => false,
        }
    }

    /// Takes out the marks that a tool has written: it never was given one.
    fn defuse(&self, value: &mut Value) {
        if self.is_in(value) {
            each_text(value, &|text| self.replaced(text, |_| DEFUSED));
        }
    }

    /// Fills in the secrets.
    fn reveal(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(given) = self.values.get(text.as_str()) {
                    *value = given.value.clone();
                } else if let Some(filled) = self.filled(text) {
                    *text = filled;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.reveal(item)),
            Value::Object(fields) => {
                for (key, mut field) in std::mem::take(fields) {
                    self.reveal(&mut field);
                    fields.insert(self.filled(&key).unwrap_or(key), field);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn filled(&self, text: &str) -> Option<String> {
        self.replaced(text, |given| given.text.reveal())
    }

    /// The text with something else in place of its marks; nothing if there are none.
    fn replaced<'a>(&'a self, text: &str, by: impl Fn(&'a Given) -> &'a str) -> Option<String> {
        let mut out = String::new();
        let mut done = 0;
        for (range, _) in marks(text) {
            let Some(given) = text
                .get(range.clone())
                .and_then(|mark| self.values.get(mark))
            else {
                continue;
            };
            out.push_str(text.get(done..range.start)?);
            out.push_str(by(given));
            done = range.end;
        }
        out.push_str(text.get(done..)?);
        (done > 0).then_some(out)
    }

    /// Puts marks back in place of the secrets.
    fn hide(&self, value: &mut Value) {
        each_text(value, &|text| Some(self.hidden(text)));
        self.cleaning.clean_spread(value);
    }

    /// As it is, a secret becomes its mark, so that what is passed on can be filled in again; in
    /// any other spelling it is taken out.
    fn hidden(&self, text: &str) -> String {
        effort::add(text.len());
        let mut out = String::new();
        let mut done = 0;
        for found in self.plain.iter().flat_map(|plain| plain.find_iter(text)) {
            let before = text.get(done..found.start()).unwrap_or_default();
            out.push_str(&self.cleaning.clean(before));
            let mark = self.marks.get(found.pattern().as_usize());
            out.push_str(mark.map_or(DEFUSED, String::as_str));
            done = found.end();
        }
        out.push_str(&self.cleaning.clean(text.get(done..).unwrap_or_default()));
        out
    }
}

/// Writes every text of a value anew, names and numbers included.
fn each_text(value: &mut Value, write: &impl Fn(&str) -> Option<String>) {
    match value {
        Value::String(text) => {
            if let Some(new) = write(text) {
                *text = new;
            }
        }
        Value::Number(number) => {
            let text = number.to_string();
            if let Some(new) = write(&text).filter(|new| *new != text) {
                *value = Value::String(new);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, write)),
        Value::Object(fields) => {
            let mut written = Renamed::default();
            for (key, mut field) in std::mem::take(fields) {
                each_text(&mut field, write);
                written.insert(write(&key).unwrap_or(key), field);
            }
            *fields = written.fields;
        }
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests;
