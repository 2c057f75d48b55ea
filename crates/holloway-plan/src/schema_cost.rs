//! Could checking a value against this schema take forever? Looks for references that
//! lead back to themselves, schemas that unfold without end, and hoards of patterns.

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::schema_reference::{References, is_reference};

/// How many schemas one value may be checked against, references followed.
const CHECKS: usize = 10_000;
/// Levels of schemas inside schemas, references followed.
const LEVELS: usize = 400;
/// `pattern`s and `patternProperties` of one schema.
pub(crate) const PATTERNS: usize = 64;
/// Groups in all of them: matching takes memory for each group at each place of its pattern.
const GROUPS: usize = 256;

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
    if survey.groups > GROUPS {
        return Err(format!(
            "its patterns have {} groups; at most {GROUPS} are taken",
            survey.groups
        ));
    }
    let references = References::of(schema);
    if let Some(refusal) = references.refusal() {
        return Err(refusal);
    }
    let mut levels = depth(schema);
    let mut costs = Costs {
        references: &references,
        known: FxHashMap::default(),
    };
    costs.of("#", schema, 0)?;
    for reference in references.written.iter().copied() {
        let Some(target) = references.target(reference) else {
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

/// How many patterns a schema has, wherever they stand.
#[derive(Default)]
struct Survey {
    patterns: usize,
    groups: usize,
}

impl Survey {
    fn walk(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (name, inner) in fields {
                    match (name.as_str(), inner) {
                        ("pattern", Value::String(pattern)) => self.count(pattern),
                        ("patternProperties", Value::Object(inner)) => {
                            inner.keys().for_each(|pattern| self.count(pattern));
                        }
                        _ => {}
                    }
                    self.walk(inner);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            _ => {}
        }
    }

    fn count(&mut self, pattern: &str) {
        self.patterns += 1;
        self.groups += pattern.matches('(').count();
    }
}

fn depth(value: &Value) -> usize {
    1 + match value {
        Value::Object(fields) => fields.values().map(depth).max().unwrap_or(0),
        Value::Array(items) => items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// How often one value is looked at, for each schema that is referred to.
struct Costs<'a> {
    references: &'a References<'a>,
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
        for (_, inner) in fields.iter().filter(|(name, _)| is_reference(name)) {
            let Some(reference) = inner.as_str() else {
                continue;
            };
            if let Some(target) = self.references.target(reference) {
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
