//! What is a plan or tool given? A file of JSON or YAML, with `K=V` on top: `V` is
//! JSON if it can be read as such and text otherwise, dots in `K` go deeper.

use std::io::Read as _;
use std::path::Path;

use holloway_plan::limits::Limits;
use holloway_plan::source::Source;
use serde_json::{Map, Value};

use crate::arguments::Given;
use crate::error::CliError;
use crate::from_here::from_here;

/// The input as one object; `base` is what it starts from.
pub(crate) fn read(
    given: &Given,
    base: Value,
    here: &Path,
    limits: &Limits,
) -> Result<Value, CliError> {
    let mut input = match &given.input_file {
        Some(file) => from_file(file, here, limits)?,
        None => base,
    };
    for assignment in &given.input {
        assign(&mut input, assignment)?;
    }
    Ok(input)
}

fn from_file(file: &str, here: &Path, limits: &Limits) -> Result<Value, CliError> {
    let text = text_of(file, here)?;
    let source = Source::parse(&text, limits).map_err(|problem| {
        let place = problem
            .position
            .map(|at| format!(":{at}"))
            .unwrap_or_default();
        invalid(format!("{file}{place}: {}", problem.message))
    })?;
    match source.value {
        value @ Value::Object(_) => Ok(value),
        _ => Err(invalid(format!("{file} is no object"))
            .hint("the input has fields: write `{\"city\": \"Oslo\"}`")),
    }
}

/// A file's text; `-` is standard input.
pub(crate) fn text_of(file: &str, here: &Path) -> Result<String, CliError> {
    let read = if file == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(from_here(here, file))
    };
    read.map_err(|error| {
        CliError::usage("file-unreadable", format!("{file} cannot be read: {error}"))
            .hint("check that it is there, is a text, and may be read")
    })
}

fn assign(input: &mut Value, assignment: &str) -> Result<(), CliError> {
    let Some((key, text)) = assignment.split_once('=') else {
        return Err(invalid(format!("`{assignment}` does not set anything"))
            .hint("write `--input name=value`"));
    };
    if key.split('.').any(str::is_empty) {
        return Err(invalid(format!("`{key}` names no field")).hint("write `--input name=value`"));
    }
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    let mut place = input;
    for part in key.split('.') {
        let Value::Object(fields) = place else {
            return Err(invalid(format!(
                "`{key}`: there is a value above `{part}` that has no fields"
            ))
            .hint("set the whole of it as JSON"));
        };
        place = fields
            .entry(part)
            .or_insert_with(|| Value::Object(Map::new()));
    }
    *place = value;
    Ok(())
}

fn invalid(message: String) -> CliError {
    CliError::usage("input-invalid", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(assignments: &[&str], expected: Value) {
        let given = Given {
            input: assignments.iter().map(|text| (*text).to_owned()).collect(),
            input_file: None,
        };
        let input = read(&given, json!({}), Path::new("."), &Limits::default());
        assert_eq!(input.ok(), Some(expected));
    }

    #[test]
    fn values_are_json_or_text() {
        check(
            &["a=1", "b=x=y", "c=[1]", "d=", "e=\"1\""],
            json!({"a": 1, "b": "x=y", "c": [1], "d": "", "e": "1"}),
        );
    }

    #[test]
    fn dots_go_deeper() {
        check(
            &["a.b=1", "a.c.d=true"],
            json!({"a": {"b": 1, "c": {"d": true}}}),
        );
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["a", "=1", "a..b=1"] {
            assert!(assign(&mut json!({}), text).is_err(), "{text}");
        }
        assert!(assign(&mut json!({"a": 1}), "a.b=2").is_err());
    }
}
