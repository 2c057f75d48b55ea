//! How does a JSON Schema become a validator? In one way from `check` to the call: patterns run in
//! linear time, other documents are never fetched, and costly schemas are refused.
//!
//! Invariant: whatever validates a value in Holloway was compiled here.

use jsonschema::{PatternOptions, ValidationError};
use serde_json::{Map, Value};

use crate::schema_cost::refuse_costly;
use crate::schema_reference::{DATA, References};
use crate::schema_work::{parts, work};

/// Compiled size of one `pattern`, and what remembering its states may take.
const PATTERN_BYTES: usize = 128 << 10;
const PATTERN_STATES: usize = 512 << 10;
/// How much of a pattern is repeated to people.
const SHOWN: usize = 80;
/// How many schemas may be compared with parts of a value, and how many more for each part.
const STEPS: usize = 1_000_000;
const STEPS_PER_PART: usize = 16;
/// Errors that may be held at once to tell what is wrong.
const ERRORS: usize = 20_000;

/// A compiled schema.
#[derive(Debug)]
pub struct Validator {
    compiled: jsonschema::Validator,
    schema: Value,
    has_references: bool,
}

/// Whether a value fits.
#[derive(Debug)]
pub enum Verdict<'a> {
    Fits,
    /// What is wrong with it, or only the first that is.
    Misfits {
        errors: Vec<ValidationError<'a>>,
        is_all: bool,
    },
    /// It does not fit, or cannot be checked at this cost; the reason.
    Refused(String),
}

impl Validator {
    /// Checks a value in bounded time and memory.
    pub fn check<'a>(&'a self, value: &'a Value) -> Verdict<'a> {
        let limit = parts(value)
            .saturating_mul(STEPS_PER_PART)
            .saturating_add(STEPS);
        let too_much = || {
            Verdict::Refused(format!(
                "checking it takes more than {limit} steps: its schema branches again at each level"
            ))
        };
        // Without references the schema itself is the bound.
        if !self.has_references && self.compiled.is_valid(value) {
            return Verdict::Fits;
        }
        let Some(work) = work(&self.schema, value, limit) else {
            return too_much();
        };
        if self.has_references && self.compiled.is_valid(value) {
            return Verdict::Fits;
        }
        if work.steps <= ERRORS {
            let errors = self.compiled.iter_errors(value).collect();
            return Verdict::Misfits {
                errors,
                is_all: true,
            };
        }
        if work.widest > ERRORS {
            return Verdict::Refused(
                "it does not fit its schema, which has too many branches to say where".to_owned(),
            );
        }
        Verdict::Misfits {
            errors: self.compiled.validate(value).err().into_iter().collect(),
            is_all: false,
        }
    }

    pub fn is_valid(&self, value: &Value) -> bool {
        matches!(self.check(value), Verdict::Fits)
    }
}

/// A schema that somebody else wrote, as far as it can be checked.
#[derive(Debug)]
pub struct Foreign {
    /// Missing if nothing of the schema can be checked.
    pub validator: Option<Validator>,
    /// What is not checked, one sentence each.
    pub unchecked: Vec<String>,
}

/// A schema written by the user, which is refused if any part of it cannot be checked.
pub fn own(schema: &Value) -> Result<Validator, String> {
    refuse_costly(schema)?;
    ready(schema)
}

/// A schema of a tool. Its author may not know our dialect of patterns, so that patterns outside
/// of it are left out; the tool itself still checks what it is given.
pub fn foreign(schema: &Value) -> Foreign {
    if schema.is_null() {
        return Foreign {
            validator: None,
            unchecked: Vec::new(),
        };
    }
    let refused = |reason: String| Foreign {
        validator: None,
        unchecked: vec![format!("the schema is not checked: {reason}")],
    };
    if let Err(reason) = refuse_costly(schema) {
        return refused(reason);
    }
    if let Ok(validator) = ready(schema) {
        return Foreign {
            validator: Some(validator),
            unchecked: Vec::new(),
        };
    }
    let mut known = schema.clone();
    let mut unchecked = Vec::new();
    leave_out_patterns(&mut known, &mut unchecked);
    match ready(&known) {
        Ok(validator) => Foreign {
            validator: Some(validator),
            unchecked,
        },
        Err(reason) => refused(reason),
    }
}

fn ready(schema: &Value) -> Result<Validator, String> {
    Ok(Validator {
        compiled: compile(schema)?,
        schema: schema.clone(),
        has_references: !References::of(schema).written.is_empty(),
    })
}

fn compile(schema: &Value) -> Result<jsonschema::Validator, String> {
    let patterns = PatternOptions::regex()
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_STATES);
    jsonschema::options()
        .with_pattern_options(patterns)
        .offline()
        .build(schema)
        .map_err(|error| reason(&error))
}

fn reason(error: &ValidationError<'_>) -> String {
    let at = error.instance_path().as_str();
    let text: String = error.to_string().chars().take(200).collect();
    if at.is_empty() {
        text
    } else {
        format!("{text} at `{at}`")
    }
}

/// Removes the patterns that cannot be compiled and notes each of them.
fn leave_out_patterns(schema: &mut Value, unchecked: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            leave_out_own(fields, unchecked);
            for (name, inner) in fields.iter_mut() {
                if !DATA.contains(&name.as_str()) {
                    leave_out_patterns(inner, unchecked);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                leave_out_patterns(item, unchecked);
            }
        }
        _ => {}
    }
}

fn leave_out_own(fields: &mut Map<String, Value>, unchecked: &mut Vec<String>) {
    let pattern = fields.get("pattern").and_then(Value::as_str);
    if let Some(note) = pattern.and_then(unknown) {
        unchecked.push(note);
        fields.remove("pattern");
    }
    let Some(Value::Object(by_name)) = fields.get_mut("patternProperties") else {
        return;
    };
    let before = by_name.len();
    by_name.retain(|pattern, _| match unknown(pattern) {
        Some(note) => {
            unchecked.push(note);
            false
        }
        None => true,
    });
    if by_name.len() < before {
        // Fields that only the pattern would have allowed must not count as unexpected.
        fields.remove("additionalProperties");
        fields.remove("unevaluatedProperties");
    }
}

/// Why a pattern is left out, if it is.
fn unknown(pattern: &str) -> Option<String> {
    let alone = Value::Object(Map::from_iter([(
        "pattern".to_owned(),
        Value::from(pattern),
    )]));
    compile(&alone).err()?;
    let mut shown: String = pattern.chars().take(SHOWN).collect();
    if shown.len() < pattern.len() {
        shown.push('…');
    }
    Some(format!(
        "the pattern `{shown}` is not checked: it is too large, or it looks around or refers back"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_patterns_of_others_are_left_out_and_named() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": "^(?!foo).*$", "maxLength": 5},
                "pattern": {"type": "string", "pattern": "^[a-z]+$", "default": {"pattern": "(?=x)"}},
                "twice": {"pattern": "^(a)\\1$"}
            },
            "patternProperties": {"^(?!x)": {"type": "integer"}, "^n_": {"type": "integer"}},
            "additionalProperties": false
        });
        let Foreign {
            validator,
            unchecked,
        } = foreign(&schema);
        assert_eq!(
            unchecked,
            ["^(?!x)", "^(?!foo).*$", "^(a)\\1$"].map(|pattern| format!(
                "the pattern `{pattern}` is not checked: it is too large, or it looks around or refers back"
            ))
        );
        let validator = validator.unwrap();
        for (value, expected) in [
            (json!({"name": "foo", "twice": "bb", "other": 1}), true),
            (json!({"name": "foobar"}), false),
            (json!({"name": 1}), false),
            (json!({"pattern": "abc"}), true),
            (json!({"pattern": "ABC"}), false),
            (json!({"n_a": "text"}), false),
        ] {
            assert_eq!(validator.is_valid(&value), expected, "{value}");
        }
        assert!(own(&schema).unwrap_err().contains("(?!"));
    }

    #[test]
    fn patterns_mean_what_they_mean_to_javascript() {
        let check = |pattern: &str, text: &str, expected: bool| {
            let validator = own(&json!({ "pattern": pattern })).unwrap();
            assert_eq!(
                validator.is_valid(&json!(text)),
                expected,
                "{pattern} {text}"
            );
        };
        check(r"^\d+$", "12", true);
        check(r"^\d+$", "१२", false);
        check(r"^\w+$", "é", false);
        check(r"^a\/b$", "a/b", true);
        check(r"^\cA$", "\u{1}", true);
        check(r"^\p{Letter}+$", "né", true);
        check(r"^\p{Lu}$", "É", true);
    }

    #[test]
    fn a_schema_that_cannot_be_used_is_not_checked() {
        let check = |schema: Value, expected: &str| {
            let found = foreign(&schema);
            assert!(found.validator.is_none());
            let told = found.unchecked.join(" ");
            assert!(
                told.starts_with("the schema is not checked: ") && told.contains(expected),
                "{told}"
            );
        };
        check(json!({"type": "strnig"}), "strnig");
        check(json!({"pattern": "(a)".repeat(300)}), "300 groups");
        check(json!({"$ref": "https://example.com/x.json"}), "example.com");
        check(
            json!({"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
            "leads back",
        );
        assert!(foreign(&Value::Null).unchecked.is_empty());
    }
}
