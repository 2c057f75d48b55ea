//! How do secrets get to one call and nowhere else? Configuration names them,
//! they are looked up when a call or a server needs them, and whatever comes back
//! is cleaned of them.

mod decode;
pub mod given;
mod needle;
mod spread;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::{Map, Value};

use needle::Needle;

/// A text that may be secret: never printed, not even for debugging.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretText(String);

impl SecretText {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for whoever hands it over.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("‹secret›")
    }
}

/// Where secrets are looked up: given by the binary, which alone knows the environment.
pub type Lookup = dyn Fn(&str) -> Option<String> + Send + Sync;

/// What programs are told about a machine is no secret: taking it out of results
/// would spoil paths and numbers.
const ORDINARY: [&str; 19] = [
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "PWD",
    "HOSTNAME",
    "HOST",
    "PORT",
    "EDITOR",
    "DEBUG",
    "LOG_LEVEL",
    "NODE_ENV",
    "APPDATA",
];

/// Looks secrets up by name and remembers which were handed out, to clean them away.
#[derive(Clone)]
pub struct Secrets {
    lookup: Arc<Lookup>,
    /// By value.
    used: Arc<RwLock<BTreeMap<String, Arc<Needle>>>>,
}

/// A name that stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret `{0}` is not set")]
pub struct MissingSecret(pub String);

impl Secrets {
    pub fn new(lookup: Arc<Lookup>) -> Self {
        Self {
            lookup,
            used: Arc::default(),
        }
    }

    /// There are none.
    pub fn none() -> Self {
        Self::new(Arc::new(|_| None))
    }

    /// These and no others, by name.
    pub fn from_map(values: BTreeMap<String, String>) -> Self {
        Self::new(Arc::new(move |name| values.get(name).cloned()))
    }

    /// Fills in every `${NAME}` and `${NAME:-default}` of a text. A name is a letter
    /// or `_`, then letters, digits, `_`, `.` and `-`; anything else in `${…}`
    /// stays as it is. There is no escape: `$${NAME}` is a `$` and the secret.
    pub fn resolve(&self, text: &str) -> Result<SecretText, MissingSecret> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            filled.push_str(before);
            if let Some((name, default, tail)) = reference(after) {
                filled.push_str(&self.value_of(name, default)?);
                rest = tail;
            } else {
                filled.push_str("${");
                rest = after;
            }
        }
        filled.push_str(rest);
        Ok(SecretText(filled))
    }

    fn value_of(&self, name: &str, default: Option<&str>) -> Result<String, MissingSecret> {
        match ((self.lookup)(name), default) {
            (Some(value), _) => {
                self.remember(&value, name);
                Ok(value)
            }
            (None, Some(default)) => Ok(default.to_owned()),
            (None, None) => Err(MissingSecret(name.to_owned())),
        }
    }

    fn remember(&self, value: &str, name: &str) {
        if ORDINARY.contains(&name) || name.starts_with("XDG_") || name.starts_with("LC_") {
            return;
        }
        // A thread that broke while writing left the map whole: inserting is all it does.
        let mut used = self.used.write().unwrap_or_else(PoisonError::into_inner);
        used.entry(value.to_owned())
            .or_insert_with(|| Arc::new(Needle::new(value, name)));
    }

    fn needles(&self) -> Vec<Arc<Needle>> {
        let used = self.used.read().unwrap_or_else(PoisonError::into_inner);
        used.values().map(Arc::clone).collect()
    }

    /// The text without any secret that was handed out, in any common encoding.
    ///
    /// Values of six characters and more are found wherever they stand and however
    /// they are encoded; of four or five, only as they are, as a word of their own;
    /// shorter ones are left, since too much else would go with them.
    pub fn clean(&self, text: &str) -> String {
        clean(&self.needles(), text).unwrap_or_else(|| text.to_owned())
    }

    /// The same for every text in a value, keys and numbers included.
    pub fn clean_value(&self, value: &mut Value) {
        let needles = self.needles();
        if !needles.is_empty() {
            clean_value(&needles, value);
            spread::clean(&needles, value);
        }
    }

    /// Takes out what is spread over several fields of a value, and nothing else.
    fn clean_spread(&self, value: &mut Value) {
        spread::clean(&self.needles(), value);
    }
}

/// `NAME}…` or `NAME:-default}…`: the name, the default, and what follows.
fn reference(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let (inside, tail) = text.split_once('}')?;
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    (starts_well && name.chars().all(is_inside)).then_some((name, default, tail))
}

/// The cleaned text; nothing when there was nothing to clean.
fn clean(needles: &[Arc<Needle>], text: &str) -> Option<String> {
    let found = find(needles, text);
    (!found.is_empty()).then(|| masked(text, found))
}

/// Where secrets stand in a text, each with its name.
fn find<'a>(needles: &'a [Arc<Needle>], text: &str) -> Vec<(Range<usize>, &'a str)> {
    let mut found: Vec<(Range<usize>, &str)> = needles
        .iter()
        .flat_map(|needle| needle.find(text).map(|range| (range, needle.name())))
        .collect();
    let look = |bytes: &[u8]| {
        let all = needles.iter().enumerate();
        all.flat_map(|(number, needle)| {
            let found = needle.find_decoded(bytes);
            found.map(move |range| (range, number))
        })
        .collect()
    };
    if needles.iter().any(|needle| needle.may_be_encoded()) {
        for (range, number) in decode::find(text, &look) {
            found.extend(needles.get(number).map(|needle| (range, needle.name())));
        }
    }
    found
}

/// The text with names in place of what was found.
fn masked(text: &str, mut found: Vec<(Range<usize>, &str)>) -> String {
    found.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
    let mut cleaned = String::new();
    let mut done = 0;
    for (range, name) in found {
        // What overlaps is one piece, named after the first.
        if range.start >= done {
            cleaned.push_str(text.get(done..range.start).unwrap_or_default());
            cleaned.extend(["‹secret ", name, "›"]);
        }
        done = done.max(range.end);
    }
    cleaned.push_str(text.get(done..).unwrap_or_default());
    cleaned
}

fn clean_value(needles: &[Arc<Needle>], value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(cleaned) = clean(needles, text) {
                *text = cleaned;
            }
        }
        Value::Number(number) => {
            if let Some(cleaned) = clean(needles, &number.to_string()) {
                *value = Value::String(cleaned);
            }
        }
        Value::Array(items) => {
            for item in items {
                clean_value(needles, item);
            }
        }
        Value::Object(fields) => clean_fields(needles, fields),
        Value::Null | Value::Bool(_) => {}
    }
}

fn clean_fields(needles: &[Arc<Needle>], fields: &mut Map<String, Value>) {
    let mut cleaned = Map::new();
    for (key, mut field) in std::mem::take(fields) {
        clean_value(needles, &mut field);
        let key = clean(needles, &key).unwrap_or(key);
        insert(&mut cleaned, key, field);
    }
    *fields = cleaned;
}

/// Two keys may come out the same; neither field is lost.
fn insert(fields: &mut Map<String, Value>, key: String, field: Value) {
    let mut free = key.clone();
    let mut number = 1;
    while fields.contains_key(&free) {
        number += 1;
        free = format!("{key} {number}");
    }
    fields.insert(free, field);
}

#[cfg(test)]
mod tests;
