//! How does text become a typed table? CSV, TSV, JSON or JSON lines, or rows that are
//! there already; every column gets a type, and the profile says what is missing.

use csv::ReaderBuilder;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::column_type::{ColumnType, Numbers, Reading, Verdict, judge};
use crate::cell;
use crate::date::Order;
use crate::error::DataError;
use crate::limits::{self, Budget};
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    text: Option<String>,
    rows: Option<Borrowed>,
    #[serde(default)]
    format: Format,
    delimiter: Option<String>,
    #[serde(default)]
    numbers: Numbers,
    #[serde(default)]
    dates: Order,
    /// Texts that mean a missing value, besides blank ones.
    missing: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Auto,
    Csv,
    Tsv,
    Json,
    Jsonl,
}

/// Written in place of a value by common programs.
const MISSING: [&str; 7] = ["na", "n/a", "#n/a", "nan", "null", "none", "-"];

/// Whether a text is blank or one of those that are written in place of a value.
pub(super) fn is_marked_missing(value: &Value) -> bool {
    let text = value.as_str().map(str::trim);
    text.is_some_and(|text| {
        text.is_empty() || MISSING.iter().any(|mark| mark.eq_ignore_ascii_case(text))
    })
}

impl Question for Load {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let (rows, format) = match (&self.text, &self.rows) {
            (Some(text), None) => self.parse(text.trim_start_matches('\u{feff}'))?,
            (None, Some(_)) => (Self::given(arguments)?, "rows"),
            _ => return Err(DataError::request("give either `text` or `rows`")),
        };
        self.typed(rows, format)
    }
}

impl Load {
    fn given(arguments: &Value) -> Result<Vec<Value>, DataError> {
        let table = Table::read(arguments, "rows")?;
        let mut budget = Budget::default();
        table.rows().iter().try_for_each(|row| budget.row(row))?;
        Ok(table
            .rows()
            .iter()
            .map(|row| Value::Object((*row).clone()))
            .collect())
    }

    fn parse(&self, text: &str) -> Result<(Vec<Value>, &'static str), DataError> {
        let format = if self.format == Format::Auto {
            guess(text)
        } else {
            self.format
        };
        match format {
            Format::Json => Ok((json_rows(text)?, "json")),
            Format::Jsonl => Ok((json_lines(text)?, "jsonl")),
            Format::Tsv => Ok((delimited(text, b'\t')?, "tsv")),
            Format::Csv | Format::Auto => Ok((delimited(text, self.mark(text)?)?, "csv")),
        }
    }

    fn mark(&self, text: &str) -> Result<u8, DataError> {
        let Some(given) = &self.delimiter else {
            return Ok(likely_mark(text));
        };
        match given.as_bytes() {
            [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
            _ => Err(DataError::request(
                "`delimiter` must be one ASCII character, no quote or line break",
            )),
        }
    }

    fn is_missing(&self, value: &Value) -> bool {
        let Value::String(text) = value else {
            return value.is_null();
        };
        let text = text.trim();
        let marked = match &self.missing {
            Some(marks) => marks.iter().any(|mark| mark.trim() == text),
            None => MISSING.iter().any(|mark| mark.eq_ignore_ascii_case(text)),
        };
        text.is_empty() || marked
    }

    fn typed(&self, mut rows: Vec<Value>, format: &str) -> Result<Value, DataError> {
        for field in rows
            .iter_mut()
            .filter_map(Value::as_object_mut)
            .flat_map(Map::values_mut)
        {
            if self.is_missing(field) {
                *field = Value::Null;
            }
        }
        let table = Table::of(&rows, "rows")?;
        let reading = Reading {
            numbers: self.numbers,
            dates: self.dates,
        };
        let mut kinds: FxHashMap<String, ColumnType> = FxHashMap::default();
        let mut profile = Vec::new();
        for name in table.columns() {
            let cells = table.cells(name)?;
            let verdict = judge(cells.iter().copied(), reading);
            kinds.insert((*name).to_owned(), verdict.kind);
            profile.push(describe(name, &cells, &verdict));
        }
        let columns: Vec<String> = table
            .columns()
            .iter()
            .map(|name| (*name).to_owned())
            .collect();
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            for (name, value) in row.iter_mut() {
                let kind = kinds.get(name).copied().unwrap_or(ColumnType::Text);
                if let Some(read) = reading.read(value, kind) {
                    *value = read;
                }
            }
        }
        Ok(json!({
            "format": format,
            "count": rows.len(),
            "columns": columns,
            "profile": profile,
            "rows": rows,
        }))
    }
}

fn describe(name: &str, cells: &[cell::Cell<'_>], verdict: &Verdict) -> Value {
    let missing = cells
        .iter()
        .filter(|cell| cell::present(**cell).is_none())
        .count();
    let mut entry = json!({
        "column": name,
        "type": verdict.kind.name(),
        "missing": missing,
        "present": cells.len() - missing,
    });
    if let (Some((kind, rows)), Some(fields)) = (&verdict.almost, entry.as_object_mut()) {
        let odd = rows.iter().filter_map(|row| {
            let value = cells.get(*row).copied().flatten()?;
            Some(json!({"row": row + 1, "value": value}))
        });
        fields.insert("nearly".to_owned(), json!(kind.name()));
        fields.insert("odd_values".to_owned(), odd.collect());
    }
    entry
}

fn guess(text: &str) -> Format {
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

fn json_rows(text: &str) -> Result<Vec<Value>, DataError> {
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

fn json_lines(text: &str) -> Result<Vec<Value>, DataError> {
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

fn delimited(text: &str, mark: u8) -> Result<Vec<Value>, DataError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn load(arguments: Value) -> Value {
        ask::<Load>(&arguments).unwrap()
    }

    #[test]
    fn text_becomes_typed_rows() {
        let text = "shop;price;seen;ok\na;1.234,50;31.01.2024;true\nb;n/a;1.2.2024;false\n";
        let table = load(json!({"text": text, "numbers": "comma", "dates": "dmy"}));
        insta::assert_snapshot!(table.to_string(), @r#"{"format":"csv","count":2,"columns":["shop","price","seen","ok"],"profile":[{"column":"shop","type":"text","missing":0,"present":2},{"column":"price","type":"number","missing":1,"present":1},{"column":"seen","type":"date","missing":0,"present":2},{"column":"ok","type":"boolean","missing":0,"present":2}],"rows":[{"shop":"a","price":1234.5,"seen":"2024-01-31","ok":true},{"shop":"b","price":null,"seen":"2024-02-01","ok":false}]}"#);
    }

    #[test]
    fn formats_are_told_apart() {
        for (text, format) in [
            ("a\tb\n1\t2\n", "csv"),
            ("[{\"a\":1}]", "json"),
            ("{\"a\":1}\n{\"a\":2}\n", "jsonl"),
            ("{\n\"a\":1}", "json"),
            ("a|b\n1|2", "csv"),
        ] {
            let table = load(json!({"text": text}));
            assert_eq!(table["format"], format, "{text}");
            assert_eq!(table["rows"][0]["a"], 1, "{text}");
        }
    }

    #[test]
    fn rows_one_level_down_are_found_where_nothing_else_is_there() {
        let columns = |text: &str| load(json!({"text": text}))["columns"].clone();
        let users = r#"{"users": [{"name": "Ann", "age": 31}, {"name": "Ben", "age": 25}]}"#;
        assert_eq!(columns(users), json!(["name", "age"]));
        let paged = r#"{"total": 1, "page": 1, "items": [{"a": 1}]}"#;
        assert_eq!(columns(paged), json!(["a"]));
        let order = r#"{"customer": "Ann", "lines": [{"a": 1}]}"#;
        assert_eq!(columns(order), json!(["customer", "lines"]));
    }

    #[test]
    fn the_mark_between_fields_is_guessed_outside_quotes() {
        for (text, mark) in [
            ("\"a, b, c\";d\n1;2", b';'),
            ("\"two\nlines, here, and, there\"\tb\n", b'\t'),
            ("\n\na|b\n1,2,3", b'|'),
            ("a;b,c", b','),
            ("one", b','),
            ("", b','),
        ] {
            assert_eq!(likely_mark(text), mark, "{text}");
        }
        let table = load(json!({"text": "\"a, b, c\";d\n1;2\n"}));
        assert_eq!(table["columns"], json!(["a, b, c", "d"]));
    }

    #[test]
    fn long_numbers_keep_their_digits_as_text() {
        let text = "id,n\n12345678901234567890,9007199254740992\n2,1\n";
        let table = load(json!({"text": text}));
        assert_eq!(
            table["rows"],
            json!([{"id": "12345678901234567890", "n": 9_007_199_254_740_992_u64}, {"id": "2", "n": 1}])
        );
    }

    #[test]
    fn what_is_no_table_is_told() {
        for (arguments, message) in [
            (json!({}), "give either `text` or `rows`"),
            (json!({"text": "[1]"}), "row 1 of `rows` is no object: 1"),
            (
                json!({"text": "{}\n{", "format": "jsonl"}),
                "line 2 is not JSON: EOF while parsing an object at line 1 column 1",
            ),
            (
                json!({"text": "7", "format": "json"}),
                "the JSON text is no list of rows but 7",
            ),
        ] {
            assert_eq!(ask::<Load>(&arguments).unwrap_err().message, message);
        }
        let uneven = ask::<Load>(&json!({"text": "a,b\n1\n"})).unwrap_err();
        assert!(uneven.message.contains("line: 2"), "{uneven}");
    }

    #[test]
    fn a_nearly_numeric_column_says_what_is_odd() {
        let mut text = "price\n".to_owned();
        text.push_str(&"7\n".repeat(19));
        text.push_str("call us\n");
        let profile = &load(json!({"text": text}))["profile"][0];
        assert_eq!(profile["type"], "text");
        assert_eq!(profile["nearly"], "number");
        assert_eq!(
            profile["odd_values"],
            json!([{"row": 20, "value": "call us"}])
        );
    }
}
