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
        description: "Writes rows (objects or lists) as a CSV or TSV file in UTF-8 into a granted folder. Use it to hand a table to programs; \
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
                "delimiter": {"type": "string", "minLength": 1, "maxLength": 1, "description": "A comma if left out, a tab where the path ends with .tsv"},
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
        does: &[
            "save table:rows -> file.csv|file.tsv:path with path=target.path",
        ],
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
    let (rows, columns) = if arguments.spreadsheet_safe {
        let rows = arguments.rows.into_iter().map(safe_row).collect();
        let quoted = |names: Vec<String>| names.into_iter().map(quoted).collect::<Vec<_>>();
        (rows, arguments.columns.map(quoted))
    } else {
        (arguments.rows, arguments.columns)
    };
    let is_tabbed = arguments.path.to_lowercase().ends_with(".tsv");
    let delimiter = arguments.delimiter.or(is_tabbed.then(|| "\t".to_owned()));
    let mut wanted = Map::new();
    wanted.insert("rows".to_owned(), Value::Array(rows));
    let options = [
        ("columns", columns.map(|columns| json!(columns))),
        ("delimiter", delimiter.map(Value::String)),
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
        json!({ "path": arguments.path, "bytes": text.len(), "columns": formatted.get("columns"), "count": formatted.get("count") }),
    )
}

/// Names as well as values: a header is a cell like any other.
fn safe_row(row: Value) -> Value {
    let safe = |value: Value| match value {
        Value::String(text) => Value::String(quoted(text)),
        other => other,
    };
    match row {
        Value::Array(items) => Value::Array(items.into_iter().map(safe).collect()),
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (quoted(name), safe(value)))
                .collect(),
        ),
        other => other,
    }
}

/// The signs with which spreadsheets start a formula, also behind spaces.
fn quoted(text: String) -> String {
    let formula = text.trim_start().starts_with(['=', '+', '-', '@']);
    if formula || text.starts_with(['\t', '\r']) {
        format!("'{text}")
    } else {
        text
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
        does: &[
            "load file.csv|file.tsv:path -> table:rows",
        ],
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
    let (whole, encoding) = decoded(&bytes);
    let (declared, text) = match declared(&whole) {
        Some((delimiter, rest)) => (Some(delimiter.to_string()), rest),
        None => (None, whole.as_str()),
    };
    let skipped = u64::from(declared.is_some());
    let delimiter = arguments
        .delimiter
        .or(declared)
        .unwrap_or_else(|| guessed(text).to_string());
    let wanted = json!({"text": text, "delimiter": delimiter, "header": arguments.header, "numbers": arguments.numbers});
    let mut table = csv::parse(&wanted)
        .map_err(|failure| uneven(text, &delimiter, skipped).unwrap_or(failure))?;
    if let Some(fields) = table.as_object_mut() {
        fields.insert("delimiter".to_owned(), json!(delimiter));
        fields.insert("encoding".to_owned(), json!(encoding.name()));
    }
    Ok(table)
}

/// The first line `sep=;` with which Excel names the delimiter, and what follows it.
fn declared(text: &str) -> Option<(char, &str)> {
    let (first, rest) = text.split_once('\n')?;
    let first = first.trim_end_matches('\r');
    let marked = first
        .get(..4)
        .is_some_and(|start| start.eq_ignore_ascii_case("sep="));
    let mut signs = first.get(4..)?.chars();
    match (signs.next(), signs.next()) {
        (Some(sign), None) if marked && sign.is_ascii() => Some((sign, rest)),
        _ => None,
    }
}

/// The first row that has not as many fields as the rows before it.
fn uneven(text: &str, delimiter: &str, skipped: u64) -> Option<ToolFailure> {
    let mut reader = ::csv::ReaderBuilder::new()
        .delimiter(*delimiter.as_bytes().first()?)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut expected = None;
    for (index, record) in reader.records().enumerate() {
        let record = record.ok()?;
        let expected = *expected.get_or_insert(record.len());
        if record.len() != expected {
            let line = record.position().map_or(0, ::csv::Position::line) + skipped;
            let message = format!(
                "row {} (line {line}) has {} fields, and {expected} are expected as in the first row",
                index + 1,
                record.len()
            );
            return Some(ToolFailure::permanent(message).with_hint(format!(
                "`{delimiter}` was taken as the delimiter; give `delimiter` when it is another, or mend the row"
            )));
        }
    }
    None
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
