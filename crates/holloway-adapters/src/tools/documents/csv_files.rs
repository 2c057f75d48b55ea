//! How does a table get in and out of a CSV file? `csv-write` and `csv-read`.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::{arguments, csv};
use super::{Files, path_schema};

pub(crate) fn write_spec() -> ToolSpec {
    Declaration {
        name: "csv-write",
        title: "Write a CSV file",
        category: "files",
        description: "Writes rows (objects or lists) as a CSV file in UTF-8 into a granted folder. Use it to hand a table to programs; \
            for people xlsx-write keeps types. Columns are those given, or all field names. With `spreadsheet_safe`, texts that a \
            spreadsheet would read as a formula get a quote before them. Returns the path, the bytes, the columns and the count.",
        effect: Effect::Idempotent,
        latency_ms: 20,
        input: input(
            &["path", "rows"],
            json!({
                "path": path_schema(),
                "rows": {"type": "array", "items": {"type": ["object", "array"]}},
                "columns": {"type": "array", "items": {"type": "string"}, "description": "Which columns, in which order"},
                "delimiter": {"type": "string", "minLength": 1, "maxLength": 1, "default": ","},
                "header": {"type": "boolean", "default": true},
                "spreadsheet_safe": {"type": "boolean", "default": false}
            }),
        ),
        output: output(
            &["path", "bytes", "columns", "count"],
            json!({
                "path": {"type": "string"},
                "bytes": {"type": "integer"},
                "columns": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer"}
            }),
        ),
        example: json!({"path": "prices.csv", "rows": [{"name": "a", "price": 1.5}]}),
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteArguments {
    path: String,
    rows: Vec<Value>,
    columns: Option<Vec<String>>,
    delimiter: Option<String>,
    header: Option<bool>,
    #[serde(default)]
    spreadsheet_safe: bool,
}

pub(crate) fn write(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let arguments: WriteArguments = arguments::parse(arguments)?;
    let rows = if arguments.spreadsheet_safe {
        arguments.rows.into_iter().map(quoted).collect()
    } else {
        arguments.rows
    };
    let mut wanted = Map::new();
    wanted.insert("rows".to_owned(), Value::Array(rows));
    let options = [
        ("columns", arguments.columns.map(|columns| json!(columns))),
        ("delimiter", arguments.delimiter.map(Value::String)),
        ("header", arguments.header.map(Value::Bool)),
    ];
    wanted.extend(
        options
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?))),
    );
    let formatted = csv::format(&Value::Object(wanted))?;
    let text = formatted
        .get("text")
        .and_then(Value::as_str)
        .unwrap_or_default();
    files.save(&arguments.path, text.as_bytes())?;
    Ok(
        json!({ "path": arguments.path, "bytes": text.len(), "columns": formatted["columns"], "count": formatted["count"] }),
    )
}

/// The signs with which spreadsheets start a formula.
fn quoted(value: Value) -> Value {
    match value {
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
            Value::String(format!("'{text}"))
        }
        Value::Array(items) => Value::Array(items.into_iter().map(quoted).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (name, quoted(value)))
                .collect(),
        ),
        other => other,
    }
}

pub(crate) fn read_spec() -> ToolSpec {
    Declaration {
        name: "csv-read",
        title: "Read a CSV file",
        category: "files",
        description: "Reads a CSV file in a granted folder into rows as objects by column name. Finds out the delimiter (comma, \
            semicolon, tab, bar) and the encoding (UTF-8, UTF-16 with a mark, else Windows-1252) by itself. Use it on stored \
            tables; for text already read use csv-parse. Returns columns, rows, count, the delimiter and the encoding.",
        effect: Effect::Read,
        latency_ms: 20,
        input: input(
            &["path"],
            json!({
                "path": path_schema(),
                "delimiter": {"type": "string", "minLength": 1, "maxLength": 1, "description": "Found out when left out"},
                "header": {"type": "boolean", "default": true, "description": "The first line names the columns"},
                "numbers": {"type": "boolean", "default": true, "description": "Fields that look like JSON numbers become numbers"}
            }),
        ),
        output: output(
            &["columns", "rows", "count", "delimiter", "encoding"],
            json!({
                "columns": {"type": "array", "items": {"type": "string"}},
                "rows": {"type": "array", "items": {"type": "object"}},
                "count": {"type": "integer"},
                "delimiter": {"type": "string"},
                "encoding": {"type": "string"}
            }),
        ),
        example: json!({"path": "a.txt"}),
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    path: String,
    delimiter: Option<String>,
    #[serde(default = "yes")]
    header: bool,
    #[serde(default = "yes")]
    numbers: bool,
}

fn yes() -> bool {
    true
}

pub(crate) fn read(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let arguments: ReadArguments = arguments::parse(arguments)?;
    let bytes = files.read(&arguments.path)?;
    let (text, encoding) = decoded(&bytes);
    let delimiter = arguments
        .delimiter
        .unwrap_or_else(|| guessed(&text).to_string());
    let wanted = json!({"text": text, "delimiter": delimiter, "header": arguments.header, "numbers": arguments.numbers});
    let mut table = csv::parse(&wanted)?;
    if let Some(fields) = table.as_object_mut() {
        fields.insert("delimiter".to_owned(), json!(delimiter));
        fields.insert("encoding".to_owned(), json!(encoding.name()));
    }
    Ok(table)
}

fn decoded(bytes: &[u8]) -> (String, &'static Encoding) {
    let encoding = match Encoding::for_bom(bytes) {
        Some((marked, _)) => marked,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, used, _) = encoding.decode(bytes);
    (text.into_owned(), used)
}

/// The separator that the first line has most of, outside quotes.
fn guessed(text: &str) -> char {
    let mut inside = false;
    let mut counts = [(',', 0), (';', 0), ('\t', 0), ('|', 0)];
    for letter in text.chars().take(100_000) {
        match letter {
            '"' => inside = !inside,
            '\n' if !inside => break,
            _ if inside => {}
            other => {
                if let Some((_, count)) =
                    counts.iter_mut().find(|(delimiter, _)| *delimiter == other)
                {
                    *count += 1;
                }
            }
        }
    }
    // The first of equals: a comma when there is none at all.
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts
        .iter()
        .find(|(_, count)| *count == most)
        .map_or(',', |(delimiter, _)| *delimiter)
}
