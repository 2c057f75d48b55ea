//! How does a table get in and out of CSV?

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Writer, WriterBuilder};
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Number, Value, json};

use super::declaration::{Declaration, input, output};
use super::pure::{Pure, within_limit};
use super::{Tool, arguments};

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(parse_spec(), parse),
        Pure::tool(format_spec(), format),
    ]
}

fn parse_spec() -> ToolSpec {
    Declaration {
        name: "csv-parse",
        title: "Parse CSV",
        category: "csv",
        description: "Turns CSV text (RFC 4180, quotes and line breaks in fields allowed) into rows as objects by column name. Use it on \
            downloaded or stored tables. Without a header the columns are named column_1, column_2 and so on; repeated \
            names get a number. With `numbers`, fields that look like JSON numbers become numbers. Returns columns, rows, count.",
        effect: Effect::Read,
        latency_ms: 2,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "delimiter": {"type": "string", "minLength": 1, "maxLength": 1, "default": ",", "description": "One ASCII character, such as ; or a tab"},
                "header": {"type": "boolean", "default": true, "description": "The first line names the columns"},
                "numbers": {"type": "boolean", "default": false}
            }),
        ),
        output: output(
            &["columns", "rows", "count"],
            json!({
                "columns": {"type": "array", "items": {"type": "string"}},
                "rows": {"type": "array", "items": {"type": "object"}},
                "count": {"type": "integer"}
            }),
        ),
            example: json!({"text": "a,b\n1,2\n", "numbers": true}),
        does: &[],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParseArguments {
    text: String,
    #[serde(default = "comma")]
    delimiter: String,
    #[serde(default = "yes")]
    header: bool,
    #[serde(default)]
    numbers: bool,
}

fn comma() -> String {
    ",".to_owned()
}

fn yes() -> bool {
    true
}

fn delimiter(text: &str) -> Result<u8, ToolFailure> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err(ToolFailure::invalid(
            "`delimiter` must be one ASCII character, no quote or line break",
        )),
    }
}

pub(crate) fn parse(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: ParseArguments = arguments::parse(arguments)?;
    let text = arguments.text.trim_start_matches('\u{feff}');
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(&arguments.delimiter)?)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut records = reader.records();
    let mut columns = Vec::new();
    let mut rows = Vec::new();
    let mut bytes = 0;
    while let Some(record) = records.next().transpose().map_err(failure)? {
        if columns.is_empty() {
            columns = column_names(&record, arguments.header);
            if arguments.header {
                continue;
            }
        }
        // Every row repeats the names: a long name and many rows could fill the memory.
        bytes += record.as_slice().len() + columns.iter().map(String::len).sum::<usize>();
        within_limit(bytes)?;
        rows.push(record);
    }
    let numeric: Vec<bool> = (0..columns.len())
        .map(|at| arguments.numbers && is_numeric(&rows, at))
        .collect();
    let rows: Vec<Value> = rows
        .iter()
        .map(|record| row(&columns, record, &numeric))
        .collect();
    Ok(json!({ "columns": columns, "count": rows.len(), "rows": rows }))
}

fn failure(error: csv::Error) -> ToolFailure {
    ToolFailure::permanent(format!("the text is not a CSV table: {error}"))
}

fn column_names(record: &StringRecord, header: bool) -> Vec<String> {
    let mut taken = HashSet::new();
    // Remembered per name: a million equal names must not take a million squared steps.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    for (index, field) in record.iter().enumerate() {
        let field = field.trim();
        let base = if header && !field.is_empty() {
            field.to_owned()
        } else {
            format!("column_{}", index + 1)
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

/// Whether digits are numbers here. A column with a code such as `01067` holds codes.
fn is_numeric(rows: &[StringRecord], at: usize) -> bool {
    let mut fields = rows.iter().filter_map(|record| record.get(at));
    !fields.any(|field| {
        let field = field.trim();
        let digits = field.len() > 1 && field.bytes().all(|byte| byte.is_ascii_digit());
        digits && number(field).is_none()
    })
}

fn row(columns: &[String], record: &StringRecord, numeric: &[bool]) -> Value {
    let fields = columns.iter().zip(record).zip(numeric);
    let fields = fields.map(|((column, field), numeric)| {
        let number = numeric.then(|| number(field)).flatten();
        (column.clone(), number.unwrap_or_else(|| json!(field)))
    });
    Value::Object(fields.collect::<Map<_, _>>())
}

/// `007` and `1e999` stay text: the one is a code, the other no number JSON can hold.
fn number(field: &str) -> Option<Value> {
    let number: Number = serde_json::from_str(field.trim()).ok()?;
    Some(Value::Number(number))
}

fn format_spec() -> ToolSpec {
    Declaration {
        name: "csv-format",
        title: "Format CSV",
        category: "csv",
        description: "Turns rows (objects or lists) into CSV text with quoting where needed. Use it to hand a table to people or \
            spreadsheets. Columns are those given, or all field names in order of first appearance. Missing fields and \
            nulls are empty; lists and objects become JSON. Returns the text, the columns and the number of rows.",
        effect: Effect::Read,
        latency_ms: 2,
        input: input(
            &["rows"],
            json!({
                "rows": {"type": "array", "items": {"type": ["object", "array"]}},
                "columns": {"type": "array", "items": {"type": "string"}, "description": "Which columns, in which order; for rows that are lists, only their names"},
                "delimiter": {"type": "string", "minLength": 1, "maxLength": 1, "default": ","},
                "header": {"type": "boolean", "default": true}
            }),
        ),
        output: output(
            &["text", "columns", "count"],
            json!({
                "text": {"type": "string"},
                "columns": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer"}
            }),
        ),
            example: json!({"rows": [{"name": "b", "price": 2}, {"name": "a", "price": 1}]}),
        does: &[],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormatArguments {
    rows: Vec<Value>,
    columns: Option<Vec<String>>,
    #[serde(default = "comma")]
    delimiter: String,
    #[serde(default = "yes")]
    header: bool,
}

pub(crate) fn format(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: FormatArguments = arguments::parse(arguments)?;
    let columns = match arguments.columns {
        Some(columns) => columns,
        None => all_fields(&arguments.rows),
    };
    // Rows that share no field give a table that is nearly all separators.
    within_limit(columns.len().saturating_mul(arguments.rows.len()))?;
    let mut writer = WriterBuilder::new()
        .delimiter(delimiter(&arguments.delimiter)?)
        .flexible(true)
        .from_writer(Vec::new());
    if arguments.header && !columns.is_empty() {
        writer.write_record(&columns).map_err(failure)?;
    }
    for row in &arguments.rows {
        write_row(&mut writer, row, &columns)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| ToolFailure::permanent(format!("formatting failed: {error}")))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(json!({ "text": text, "columns": columns, "count": arguments.rows.len() }))
}

fn all_fields(rows: &[Value]) -> Vec<String> {
    let mut seen = Map::new();
    for name in rows.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if !seen.contains_key(name) {
            seen.insert(name.clone(), Value::Null);
        }
    }
    seen.into_iter().map(|(name, _)| name).collect()
}

fn write_row(
    writer: &mut Writer<Vec<u8>>,
    row: &Value,
    columns: &[String],
) -> Result<(), ToolFailure> {
    let fields: Vec<String> = match row {
        Value::Array(items) => items.iter().map(field_text).collect(),
        Value::Object(fields) => {
            let get = |column| fields.get(column).map(field_text).unwrap_or_default();
            columns.iter().map(get).collect()
        }
        _ => {
            return Err(ToolFailure::invalid(
                "each of `rows` must be an object or a list",
            ));
        }
    };
    writer.write_record(fields).map_err(failure)
}

fn field_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn text_becomes_rows() {
        let text = "\u{feff}name,price,name,\n\"a, \"\"b\"\"\",1.5,x,007\nc,,y,-2e3\n";
        let table = builtin("csv-parse", json!({"text": text, "numbers": true}))
            .await
            .unwrap();
        assert_eq!(
            table,
            json!({
                "columns": ["name", "price", "name_2", "column_4"],
                "count": 2,
                "rows": [
                    {"name": "a, \"b\"", "price": 1.5, "name_2": "x", "column_4": "007"},
                    {"name": "c", "price": "", "name_2": "y", "column_4": "-2e3"},
                ],
            })
        );
    }

    #[tokio::test]
    async fn uneven_rows_and_odd_delimiters_are_refused() {
        let uneven = builtin("csv-parse", json!({"text": "a,b\n1\n"}))
            .await
            .unwrap_err();
        assert!(uneven.message.contains("line: 2"), "{uneven}");
        for delimiter in ["", ";;", "\"", "é"] {
            let odd = builtin("csv-parse", json!({"text": "a", "delimiter": delimiter})).await;
            assert!(odd.is_err(), "{delimiter}");
        }
    }

    #[tokio::test]
    async fn a_long_name_times_many_rows_is_refused() {
        let text = format!("{}\n{}", "n".repeat(1_000_000), "1\n".repeat(100));
        let failure = builtin("csv-parse", json!({"text": text}))
            .await
            .unwrap_err();
        assert!(failure.message.contains("larger than"), "{failure}");
    }

    #[test]
    fn a_column_with_codes_stays_text() {
        let text = "zip,n\n01067,1\n50667,2\n";
        let table = parse(&json!({"text": text, "numbers": true})).unwrap();
        assert_eq!(table["rows"][1], json!({"zip": "50667", "n": 2}));
    }

    #[test]
    fn many_equal_names_are_numbered_quickly() {
        let record = StringRecord::from(vec!["a"; 200_000]);
        let names = column_names(&record, true);
        assert_eq!(names.last().unwrap(), "a_200000");
        let clash = StringRecord::from(vec!["a", "a_2", "a", "a"]);
        assert_eq!(column_names(&clash, true), ["a", "a_2", "a_3", "a_4"]);
    }

    #[tokio::test]
    async fn rows_become_text() {
        let rows = json!([{"a": 1, "b": "x;y"}, {"a": null, "c": [1]}]);
        let csv = builtin("csv-format", json!({"rows": rows, "delimiter": ";"}))
            .await
            .unwrap();
        assert_eq!(csv["text"], "a;b;c\n1;\"x;y\";\n;;[1]\n");
        let lists = json!({"rows": [[1, 2], ["x"]], "columns": ["p", "q"]});
        assert_eq!(
            builtin("csv-format", lists).await.unwrap()["text"],
            "p,q\n1,2\nx\n"
        );
    }
}
