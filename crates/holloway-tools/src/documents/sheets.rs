//! What is in a workbook, and how is one made? `xlsx-write` and `xlsx-read`.

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_report::model::{Column, Table};
use holloway_report::xlsx;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::arguments;
use super::super::declaration::{Declaration, input, output};
use super::{Files, failure, path_schema};

const MOST_SHEETS: usize = 200;
/// What one call gives back unless it is told otherwise.
const USUAL_ROWS: usize = 10_000;
/// Unpacked, a small file can hold far more than it seems.
const MOST_ROWS: usize = 200_000;

pub(crate) fn write_spec() -> ToolSpec {
    Declaration {
        name: "xlsx-write",
        title: "Write a workbook",
        category: "files",
        description: "Writes rows as an Excel workbook into a granted folder: one sheet from `rows`, or several from `sheets`. Numbers, \
            truths and ISO dates become typed cells, texts stay texts even when they start with =. The header is styled, frozen \
            and can filter. Use it to hand tables to people. Returns the path, the bytes, the number of sheets and rows, and how many texts were cut.",
        effect: Effect::Idempotent,
        latency_ms: 50,
        input: input(
            &["path"],
            json!({
                "path": path_schema(),
                "rows": {"type": "array", "items": {"type": ["object", "array"]}, "description": "Of one sheet: objects by column name, or lists"},
                "columns": {"type": "array", "items": {"type": ["string", "object"]}, "description": "Which columns, in which order: names, or {key, title?, format?: integer|number|percent|date|text, decimals?, unit?}"},
                "sheet": {"type": "string", "default": "Sheet", "description": "Name of the one sheet"},
                "sheets": {"type": ["array", "object"], "maxItems": MOST_SHEETS, "description": "[{name, rows, columns?}] or {name: rows}"}
            }),
        ),
        output: output(
            &["path", "bytes", "sheets", "rows", "cut"],
            json!({
                "path": {"type": "string"},
                "bytes": {"type": "integer"},
                "sheets": {"type": "integer"},
                "rows": {"type": "integer"},
                "cut": {"type": "integer", "description": "Cells whose text was longer than the 32,767 characters that a cell holds"}
            }),
        ),
        example: json!({"path": "prices.xlsx", "rows": [{"name": "a", "price": 1.5, "day": "2026-11-16"}, {"name": "b", "price": 2, "day": "2026-11-17"}]}),
        does: &[
            "save table:rows -> file.xlsx:path with path=target.path",
        ],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteArguments {
    path: String,
    rows: Option<Vec<Value>>,
    #[serde(default)]
    columns: Vec<Value>,
    sheet: Option<String>,
    sheets: Option<Value>,
}

pub(crate) fn write(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let arguments: WriteArguments = arguments::parse(arguments)?;
    let tables = match (&arguments.rows, &arguments.sheets) {
        (Some(rows), None) => {
            let name = arguments.sheet.as_deref().unwrap_or("Sheet");
            vec![table(name, rows, &arguments.columns)?]
        }
        (None, Some(sheets)) => tables(sheets)?,
        _ => return Err(ToolFailure::invalid("give either `rows` or `sheets`")),
    };
    if tables.len() > MOST_SHEETS {
        return Err(ToolFailure::limit(format!(
            "{} sheets are more than {MOST_SHEETS}",
            tables.len()
        )));
    }
    let rows: usize = tables.iter().map(|table| table.rows.len()).sum();
    let written = xlsx::write_sheets(&tables).map_err(failure)?;
    files.save(&arguments.path, &written.bytes)?;
    Ok(
        json!({ "path": arguments.path, "bytes": written.bytes.len(), "sheets": tables.len(), "rows": rows, "cut": written.cut }),
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenSheet {
    name: String,
    rows: Vec<Value>,
    #[serde(default)]
    columns: Vec<Value>,
}

fn tables(sheets: &Value) -> Result<Vec<Table>, ToolFailure> {
    let unfit =
        |error: serde_json::Error| ToolFailure::invalid(format!("`sheets` does not fit: {error}"));
    match sheets {
        Value::Object(named) => {
            let tables = named.iter().map(|(name, rows)| {
                let rows = Vec::<Value>::deserialize(rows).map_err(unfit)?;
                table(name, &rows, &[])
            });
            tables.collect()
        }
        listed => {
            let listed = Vec::<GivenSheet>::deserialize(listed).map_err(unfit)?;
            listed
                .iter()
                .map(|sheet| table(&sheet.name, &sheet.rows, &sheet.columns))
                .collect()
        }
    }
}

fn table(name: &str, rows: &[Value], columns: &[Value]) -> Result<Table, ToolFailure> {
    let columns = columns.iter().map(|column| match column {
        Value::String(key) => Ok(Column {
            key: key.clone(),
            title: key.clone(),
            ..Column::default()
        }),
        other => Column::deserialize(other)
            .map_err(|error| ToolFailure::invalid(format!("`columns` does not fit: {error}"))),
    });
    let mut columns: Vec<Column> = columns.collect::<Result<_, _>>()?;
    if columns.is_empty() {
        columns = fields(rows);
    }
    Ok(Table {
        title: name.to_owned(),
        columns,
        rows: rows.to_vec(),
        note: String::new(),
    })
}

/// In a file that programs read, a column is called exactly as the field.
fn fields(rows: &[Value]) -> Vec<Column> {
    let mut seen = std::collections::HashSet::new();
    let names = rows
        .iter()
        .filter_map(Value::as_object)
        .flat_map(|fields| fields.keys());
    let first = names.filter(|name| seen.insert(name.as_str()));
    first
        .map(|name| Column {
            key: name.clone(),
            title: name.clone(),
            ..Column::default()
        })
        .collect()
}

pub(crate) fn read_spec() -> ToolSpec {
    Declaration {
        name: "xlsx-read",
        title: "Read a workbook",
        category: "files",
        description: "Reads the sheets of a spreadsheet (xlsx or xlsb) in a granted folder: numbers, truths and texts as they \
            are, dates as ISO text, formulas as their last result. Use it on tables from people. Returns the sheets with name, \
            columns, rows and count, and the rows of the first one read as `rows`; `truncated` says that there are more rows.",
        effect: Effect::Read,
        latency_ms: 50,
        input: input(
            &["path"],
            json!({
                "path": path_schema(),
                "sheet": {"type": "string", "description": "Only the sheet of this name"},
                "header": {"type": "boolean", "default": true, "description": "The first row names the columns; otherwise rows are lists"},
                "max_rows": {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": USUAL_ROWS, "description": "Of all sheets together"}
            }),
        ),
        output: output(
            &["sheets", "rows", "columns", "count", "truncated"],
            json!({
                "sheets": {"type": "array", "items": {"type": "object"}},
                "rows": {"type": "array"},
                "columns": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer", "description": "Rows in the first sheet read"},
                "truncated": {"type": "boolean"}
            }),
        ),
        example: json!({"path": "prices.xlsx"}),
        does: &[
            "load file.xlsx:path -> table:rows",
        ],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    path: String,
    sheet: Option<String>,
    #[serde(default = "yes")]
    header: bool,
    #[serde(default = "usual_rows")]
    max_rows: usize,
}

fn yes() -> bool {
    true
}

fn usual_rows() -> usize {
    USUAL_ROWS
}

pub(crate) fn read(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let arguments: ReadArguments = arguments::parse(arguments)?;
    let bytes = files.read(&arguments.path)?;
    let most = arguments.max_rows.min(MOST_ROWS);
    let sheets =
        xlsx::read(&bytes, arguments.sheet.as_deref(), arguments.header, most).map_err(failure)?;
    let truncated = sheets.iter().any(|sheet| sheet.rows.len() < sheet.count);
    let first = sheets.first();
    let listed = sheets.iter().map(|sheet| json!({"name": sheet.name, "columns": sheet.columns, "rows": sheet.rows, "count": sheet.count}));
    Ok(json!({
        "rows": first.map(|sheet| sheet.rows.as_slice()).unwrap_or_default(),
        "columns": first.map(|sheet| sheet.columns.as_slice()).unwrap_or_default(),
        "count": first.map_or(0, |sheet| sheet.count),
        "truncated": truncated,
        "sheets": listed.collect::<Vec<_>>(),
    }))
}
