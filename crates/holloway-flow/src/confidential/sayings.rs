//! What does a schema say about one place of a value? All that can apply there counts: what is
//! referred to, every alternative, patterns of names and the rest of a list. A place is secret if
//! any of them says so.

use holloway_plan::schema_reference::References;
use holloway_plan::schema_validator::foreign;
use serde_json::{Value, json};

use crate::secret_words::{List, names_secret, words_of};

/// Keywords with schemas for the same place.
const ALTERNATIVES: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const CONDITIONS: [&str; 3] = ["if", "then", "else"];
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// More schemas for one place are not looked at.
const MOST: usize = 1_000;

/// The schemas that can apply to a place.
pub(super) struct Sayings<'a> {
    references: &'a References<'a>,
    /// The schema that stands there itself.
    own: Option<&'a Value>,
    all: Vec<&'a Value>,
}

impl<'a> Sayings<'a> {
    pub(super) fn of(schema: Option<&'a Value>, references: &'a References<'a>) -> Self {
        Self::from(schema.into_iter().collect(), references)
    }

    fn from(first: Vec<&'a Value>, references: &'a References<'a>) -> Self {
        let mut sayings = Self {
            references,
            own: first.first().copied(),
            all: Vec::new(),
        };
        let mut open = first;
        while let Some(schema) = open.pop() {
            let is_new = !sayings.all.iter().any(|known| std::ptr::eq(*known, schema));
            if is_new && sayings.all.len() < MOST {
                sayings.all.push(schema);
                open.extend(sayings.same_place(schema));
            }
        }
        sayings
    }

    /// The schemas that a schema names for its own place.
    fn same_place(&self, schema: &'a Value) -> Vec<&'a Value> {
        let list = |word: &&str| schema.get(word).and_then(Value::as_array);
        let lists = ALTERNATIVES.iter().filter_map(list).flatten();
        let conditions = CONDITIONS.iter().filter_map(|word| schema.get(word));
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        let dependent = dependent.into_iter().flat_map(|named| named.values());
        let referred = REFERENCES
            .iter()
            .filter_map(|word| self.target(schema, word));
        lists
            .chain(conditions)
            .chain(dependent)
            .chain(referred)
            .collect()
    }

    fn target(&self, schema: &Value, word: &str) -> Option<&'a Value> {
        self.references.target(schema.get(word)?.as_str()?)
    }

    /// What is said about a field.
    pub(super) fn property(&self, name: &str) -> Self {
        let mut found = Vec::new();
        for schema in &self.all {
            let known = found.len();
            found.extend(schema.get("properties").and_then(|all| all.get(name)));
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            for (pattern, inner) in patterns.into_iter().flatten() {
                if matches(pattern, name) {
                    found.push(inner);
                }
            }
            if found.len() == known {
                found.extend(schema.get("additionalProperties"));
                found.extend(schema.get("unevaluatedProperties"));
            }
        }
        Self::from(found, self.references)
    }

    /// What is said about an item of a list.
    pub(super) fn item(&self, index: usize) -> Self {
        let mut found = Vec::new();
        for schema in &self.all {
            for word in ["prefixItems", "items"] {
                match schema.get(word) {
                    Some(Value::Array(each)) => found.extend(each.get(index)),
                    other => found.extend(other),
                }
            }
            for word in ["additionalItems", "unevaluatedItems", "contains"] {
                found.extend(schema.get(word));
            }
        }
        Self::from(found, self.references)
    }

    /// Whether names of this kind are part of the schema, or are bound by it.
    pub(super) fn declares(&self, name: &str) -> bool {
        self.all.iter().any(|schema| {
            let property = schema.get("properties").and_then(|all| all.get(name));
            let closed = ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|word| schema.get(word) == Some(&Value::Bool(false)));
            property.is_some() || closed || schema.get("propertyNames").is_some()
        })
    }

    /// The schema that a value must fit by itself.
    pub(super) fn own_schema(&self) -> Option<Value> {
        let mut own = self.own?;
        for _ in 0..MOST {
            match self.target(own, "$ref") {
                Some(next) if own.get("type").is_none() => own = next,
                _ => break,
            }
        }
        Some(own.clone())
    }

    /// Whether a schema says so, whatever the name is.
    pub(super) fn says_secret(&self) -> bool {
        self.all.iter().any(|schema| {
            let marked = List::Marks.words().any(|mark| {
                let said = schema.get(mark);
                said.is_some_and(|said| said != &Value::Bool(false))
            });
            marked || schema.get("format").and_then(Value::as_str) == Some("password")
        })
    }

    /// Whether a field of this name is secret.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        if self.says_secret() {
            return true;
        }
        // One alternative that is a switch does not make the others one.
        let mut kinds = self.texts("type").peekable();
        if kinds.peek().is_some() && kinds.all(|kind| kind == "boolean") {
            return false;
        }
        let about = || self.texts("title").chain(self.texts("description"));
        // The name of a secret tells nothing: whoever gets it looks the secret up.
        if about().any(names_one) {
            return false;
        }
        let is_key = || words_of(name) == ["key"];
        let spoken = |text: &str| words_of(text).iter().any(|word| List::Spoken.has(word));
        names_secret(name) || is_key() && about().any(spoken)
    }

    fn texts(&self, word: &'static str) -> impl Iterator<Item = &'a str> + '_ {
        let all = self.all.iter();
        all.filter_map(move |schema| schema.get(word)?.as_str())
    }
}

/// "The name of a secret to sign with".
fn names_one(about: &str) -> bool {
    let words = words_of(about);
    let mut words = words.iter().map(String::as_str);
    words.find(|word| *word != "the") == Some("name") && words.next() == Some("of")
}

/// Whether a name fits a pattern. One that cannot be checked fits everything.
fn matches(pattern: &str, name: &str) -> bool {
    let schema = json!({ "pattern": pattern });
    let validator = foreign(&schema).validator;
    validator.is_none_or(|validator| validator.is_valid(&Value::from(name)))
}
