//! How do secrets get to one call and nowhere else? Configuration names them,
//! they are looked up when a call or a server needs them, and whatever comes back
//! is cleaned of them.

mod decode;
mod effort;
pub mod given;
mod needle;
mod needles;
mod spread;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use holloway_engine::failure::ToolFailure;
use holloway_plan::size::exceeds;
use serde_json::{Map, Value};

use needle::Needle;
use needles::Needles;

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

/// Smaller values are cleaned where they are.
const LARGE: usize = 32 << 10;

/// Looks secrets up by name and remembers which were handed out, to clean them away.
#[derive(Clone)]
pub struct Secrets {
    lookup: Arc<Lookup>,
    used: Arc<RwLock<Used>>,
}

/// The secrets that were handed out.
#[derive(Default)]
struct Used {
    by_value: BTreeMap<String, Arc<Needle>>,
    /// All of them, ready to be looked for.
    needles: Arc<Needles>,
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
                if !is_ordinary(name) {
                    self.remember(&value, name);
                }
                Ok(value)
            }
            (None, Some(default)) => Ok(default.to_owned()),
            (None, None) => Err(MissingSecret(name.to_owned())),
        }
    }

    fn remember(&self, value: &str, name: &str) {
        // A thread that broke while writing left the map whole: inserting is all it does.
        let mut used = self.used.write().unwrap_or_else(PoisonError::into_inner);
        if !used.by_value.contains_key(value) {
            let needle = Arc::new(Needle::new(value, name));
            used.by_value.insert(value.to_owned(), needle);
            let all = used.by_value.values().map(Arc::clone);
            used.needles = Arc::new(Needles::new(all.collect()));
        }
    }

    fn needles(&self) -> Arc<Needles> {
        let used = self.used.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&used.needles)
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

    /// The same for a value that may be large.
    pub async fn clean_large(&self, mut value: Value) -> Result<Value, ToolFailure> {
        let secrets = self.clone();
        let is_large = exceeds(&value, LARGE);
        aside(is_large, move || {
            secrets.clean_value(&mut value);
            value
        })
        .await
    }

    /// Takes out what is spread over several fields of a value, and nothing else.
    fn clean_spread(&self, value: &mut Value) {
        spread::clean(&self.needles(), value);
    }
}

/// Does long work in a thread of its own, so that the deadline of a call holds meanwhile.
async fn aside<T: Send + 'static>(
    is_long: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolFailure> {
    if !is_long {
        return Ok(work());
    }
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| {
        ToolFailure::permanent("the result could not be cleaned of secrets, so it was dropped")
            .happened()
    })
}

/// Whether a name stands for a part of the surroundings.
fn is_ordinary(name: &str) -> bool {
    ORDINARY.contains(&name) || name.starts_with("XDG_") || name.starts_with("LC_")
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
fn clean(needles: &Needles, text: &str) -> Option<String> {
    let found = needles.find(text);
    (!found.is_empty()).then(|| masked(text, needles.named(found)))
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

fn clean_value(needles: &Needles, value: &mut Value) {
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

fn clean_fields(needles: &Needles, fields: &mut Map<String, Value>) {
    let mut cleaned = Renamed::default();
    for (key, mut field) in std::mem::take(fields) {
        clean_value(needles, &mut field);
        cleaned.insert(clean(needles, &key).unwrap_or(key), field);
    }
    *fields = cleaned.fields;
}

/// Fields with new names: two may come out the same, and neither field is lost.
#[derive(Default)]
struct Renamed {
    fields: Map<String, Value>,
    /// The last number that was put behind a name.
    numbers: HashMap<String, usize>,
}

impl Renamed {
    fn insert(&mut self, key: String, field: Value) {
        let mut free = key.clone();
        while self.fields.contains_key(&free) {
            effort::add(1);
            let number = self.numbers.entry(key.clone()).or_insert(1);
            *number += 1;
            free = format!("{key} {number}");
        }
        self.fields.insert(free, field);
    }
}

#[cfg(test)]
mod tests;
