//! Could checking a value against this schema take forever? Looks for references that
//! lead back to themselves, schemas that unfold without end, and hoards of patterns.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// How many schemas one value may be checked against, references followed.
const CHECKS: usize = 10_000;
/// Levels of schemas inside schemas, references followed.
const LEVELS: usize = 400;
/// `pattern`s and `patternProperties` of one schema.
pub(crate) const PATTERNS: usize = 64;

/// Keywords whose schemas look at the same value again.
const SAME_VALUE: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];

/// How many patterns a schema has, or why it is refused.
pub(crate) fn refuse_costly(schema: &Value) -> Result<usize, String> {
    let mut survey = Survey::default();
    survey.walk(schema);
    if survey.patterns > PATTERNS {
        return Err(format!(
            "it has {} patterns; at most {PATTERNS} are taken",
            survey.patterns
        ));
    }
    let mut levels = depth(schema);
    let mut costs = Costs {
        root: schema,
        known: FxHashMap::default(),
    };
    costs.of("#", schema, 0)?;
    for reference in survey.references.iter().copied() {
        let Some(target) = target(schema, reference) else {
            continue;
        };
        levels += depth(target);
        costs.of(reference, target, 0)?;
    }
    if levels > LEVELS {
        return Err(format!(
            "it is nested more than {LEVELS} levels deep, references followed"
        ));
    }
    Ok(survey.patterns)
}

/// What a schema refers to, and how many patterns it has.
#[derive(Default)]
struct Survey<'a> {
    references: FxHashSet<&'a str>,
    patterns: usize,
}

impl<'a> Survey<'a> {
    fn walk(&mut self, value: &'a Value) {
        match value {
            Value::Object(fields) => {
                for (name, inner) in fields {
                    match (name.as_str(), inner) {
                        ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(text)) => {
                            self.references.insert(text);
                        }
                        ("pattern", Value::String(_)) => self.patterns += 1,
                        ("patternProperties", Value::Object(inner)) => self.patterns += inner.len(),
                        _ => {}
                    }
                    self.walk(inner);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            _ => {}
        }
    }
}

fn depth(value: &Value) -> usize {
    1 + match value {
        Value::Object(fields) => fields.values().map(depth).max().unwrap_or(0),
        Value::Array(items) => items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// What a reference inside the document leads to. Other documents are never fetched.
fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    reference
        .strip_prefix('#')
        .and_then(|pointer| root.pointer(pointer))
}

/// How often one value is looked at, for each schema that is referred to.
struct Costs<'a> {
    root: &'a Value,
    /// `None` while the schema is being looked at: a way back to it never ends.
    known: FxHashMap<String, Option<usize>>,
}

impl<'a> Costs<'a> {
    fn of(&mut self, reference: &str, schema: &'a Value, level: usize) -> Result<usize, String> {
        match self.known.get(reference) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => {
                return Err(format!(
                    "`$ref: {reference}` leads back to itself without looking deeper"
                ));
            }
            None => {}
        }
        self.known.insert(reference.to_owned(), None);
        let cost = self.inside(schema, level + 1)?;
        self.known.insert(reference.to_owned(), Some(cost));
        Ok(cost)
    }

    fn inside(&mut self, schema: &'a Value, level: usize) -> Result<usize, String> {
        if level > LEVELS {
            return Err(format!(
                "it is nested more than {LEVELS} levels deep, references followed"
            ));
        }
        let Value::Object(fields) = schema else {
            return Ok(1);
        };
        let mut cost: usize = 1;
        for name in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(reference) = fields.get(name).and_then(Value::as_str) else {
                continue;
            };
            if let Some(target) = target(self.root, reference) {
                cost = cost.saturating_add(self.of(reference, target, level)?);
            }
        }
        for name in SAME_VALUE {
            for inner in fields
                .get(name)
                .into_iter()
                .flat_map(|value| schemas_in(name, value))
            {
                cost = cost.saturating_add(self.inside(inner, level + 1)?);
            }
        }
        if cost > CHECKS {
            return Err(format!(
                "it unfolds into more than {CHECKS} checks of the same value"
            ));
        }
        Ok(cost)
    }
}

fn schemas_in<'a>(name: &str, value: &'a Value) -> Vec<&'a Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) if name.starts_with("depend") => fields.values().collect(),
        other => vec![other],
    }
}
