//! How does text become a typed table? CSV, TSV, JSON or JSON lines, or rows that are
//! there already; every column gets a type, and the profile says what is missing.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::column_type::{ColumnType, Numbers, Reading, Verdict, judge};
use crate::cell;
use crate::date::Order;
use crate::error::DataError;
use crate::limits::Budget;
use crate::question::{Borrowed, Question};
use crate::table::Table;

mod formats;
pub use formats::likely_mark;
use formats::{delimited, guess, json_lines, json_rows};

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
        let mut kinds: FxHashMap<String, (ColumnType, Reading)> = FxHashMap::default();
        let mut profile = Vec::new();
        for name in table.columns() {
            let cells = table.cells(name)?;
            let verdict = judge(cells.iter().copied(), reading);
            kinds.insert((*name).to_owned(), (verdict.kind, verdict.reading));
            profile.push(describe(name, &cells, &verdict));
        }
        let columns: Vec<String> = table
            .columns()
            .iter()
            .map(|name| (*name).to_owned())
            .collect();
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            for (name, value) in row.iter_mut() {
                let known = kinds.get(name).copied();
                let read = known.and_then(|(kind, reading)| reading.read(value, kind));
                if let Some(read) = read {
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
