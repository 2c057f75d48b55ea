//! How does text in a format become rows? Which format it is, and which mark parts its fields.

use csv::ReaderBuilder;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};

use super::Format;
use crate::cell;
use crate::error::DataError;
use crate::limits::{self, Budget};

pub(super) fn guess(text: &str) -> Format {
    let start = text.trim_start();
    match start.bytes().next() {
        Some(b'[') => Format::Json,
        Some(b'{') => {
            let first = start.lines().next().unwrap_or_default();
            let is_line = serde_json::from_str::<Map<String, Value>>(first).is_ok();
            if is_line && start.lines().nth(1).is_some() {
                Format::Jsonl
            } else {
                Format::Json
            }
        }
        _ => Format::Csv,
    }
}

/// The mark that parts the first line most often, outside quotes; a comma when none does.
pub fn likely_mark(text: &str) -> u8 {
    let mut counts = [(b',', 0_usize), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut is_quoted = false;
    // A quote that is never closed must not make the whole text one line.
    for byte in text.trim_start_matches(['\r', '\n']).bytes().take(100_000) {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            _ if is_quoted => {}
            _ => {
                let known = counts.iter_mut().find(|(mark, _)| *mark == byte);
                if let Some((_, count)) = known {
                    *count += 1;
                }
            }
        }
    }
    // The first of equals.
    let most = counts.iter().rev().max_by_key(|(_, count)| *count);
    most.map_or(b',', |(mark, _)| *mark)
}

pub(super) fn json_rows(text: &str) -> Result<Vec<Value>, DataError> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| DataError::data(format!("the text is not JSON: {error}")))?;
    match value {
        Value::Array(items) => Ok(items),
        Value::Object(fields) => Ok(wrapped(fields)),
        other => {
            let message = format!(
                "the JSON text is no list of rows but {}",
                cell::shown(&other)
            );
            Err(DataError::data(message))
        }
    }
}

/// The rows that an object only wraps, beside what services tell about them; otherwise the
/// object is the row.
fn wrapped(mut fields: Map<String, Value>) -> Vec<Value> {
    const ABOUT: [&str; 16] = [
        "count", "total", "page", "pages", "per_page", "limit", "offset", "next", "previous",
        "status", "ok", "success", "version", "has_more", "cursor", "error",
    ];
    let is_rows = |value: &Value| match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_object),
        _ => false,
    };
    let name = fields.iter().find(|(_, value)| is_rows(value));
    let name = name.map(|(name, _)| name.clone());
    let only = name.filter(|name| {
        let mut others = fields.keys().filter(|other| *other != name);
        others.all(|other| ABOUT.contains(&other.to_lowercase().as_str()))
    });
    match only.and_then(|name| fields.remove(&name)) {
        Some(Value::Array(rows)) => rows,
        _ => vec![Value::Object(fields)],
    }
}

pub(super) fn json_lines(text: &str) -> Result<Vec<Value>, DataError> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| DataError::data(format!("line {} is not JSON: {error}", index + 1)))
    };
    lines.map(read).collect()
}

pub(super) fn delimited(text: &str, mark: u8) -> Result<Vec<Value>, DataError> {
    let not_a_table =
        |error: csv::Error| DataError::data(format!("the text is not a table: {error}"));
    let mut reader = ReaderBuilder::new()
        .delimiter(mark)
        .from_reader(text.as_bytes());
    let names = unique(reader.headers().map_err(not_a_table)?);
    let name_bytes: usize = names.iter().map(String::len).sum();
    let mut budget = Budget::default();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(not_a_table)?;
        // Every row repeats the names: a long name and many rows could fill the memory.
        budget.bytes(record.as_slice().len() + name_bytes)?;
        limits::rows(rows.len() + 1, "the table")?;
        let fields = names
            .iter()
            .zip(&record)
            .map(|(name, field)| (name.clone(), json!(field)));
        rows.push(Value::Object(fields.collect()));
    }
    Ok(rows)
}

/// A number is added to a name that is there already; a missing one is made up.
fn unique(header: &csv::StringRecord) -> Vec<String> {
    let mut taken = FxHashSet::default();
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut names = Vec::new();
    for (index, field) in header.iter().enumerate() {
        let field = field.trim();
        let base = if field.is_empty() {
            format!("column_{}", index + 1)
        } else {
            field.to_owned()
        };
        let mut name = base.clone();
        let number = numbers.entry(base.clone()).or_insert(1);
        while !taken.insert(name.clone()) {
            *number += 1;
            name = format!("{base}_{number}");
        }
        names.push(name);
    }
    names
}
