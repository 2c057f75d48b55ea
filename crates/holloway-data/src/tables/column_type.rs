//! What does a column hold? A number, a date, true or false when every value that is
//! not missing is one; text otherwise. One odd value makes a column text, and is named.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cell;
use crate::date::{self, Order};

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Numbers {
    /// As the numbers of a column show; a point where they do not show a comma.
    #[default]
    Auto,
    /// 1234.5 and 1,234.5.
    Point,
    /// 1234,5 and 1.234,5.
    Comma,
    /// Text stays text.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    Number,
    Date,
    Boolean,
    Text,
    /// Lists or objects, or JSON values of several kinds.
    Mixed,
    /// Nothing but missing values.
    Empty,
}

impl ColumnType {
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Boolean => "boolean",
            Self::Text => "text",
            Self::Mixed => "mixed",
            Self::Empty => "empty",
        }
    }
}

/// Every whole number up to here is a double of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// How text is to be understood.
#[derive(Clone, Copy, Default)]
pub struct Reading {
    pub numbers: Numbers,
    pub dates: Order,
}

impl Reading {
    /// How the texts of one column are to be understood.
    pub fn of_column<'a>(self, cells: impl Iterator<Item = cell::Cell<'a>> + Clone) -> Self {
        let texts = cells.filter_map(|cell| cell::present(cell)?.as_str());
        let all = |numbers| {
            let reading = Self { numbers, ..self };
            texts.clone().all(|text| reading.number(text).is_some())
        };
        let commas = self.numbers == Numbers::Auto && !all(Numbers::Point) && all(Numbers::Comma);
        let dates = if self.dates == Order::Auto {
            date::order_of(texts.clone())
        } else {
            self.dates
        };
        let numbers = if commas { Numbers::Comma } else { self.numbers };
        Self { numbers, dates }
    }

    /// The value as this type; none when it is not one.
    pub fn read(self, value: &Value, wanted: ColumnType) -> Option<Value> {
        match (wanted, value) {
            (ColumnType::Number, Value::Number(_)) | (ColumnType::Boolean, Value::Bool(_)) => {
                Some(value.clone())
            }
            (ColumnType::Number, Value::String(text)) => self.number(text),
            (ColumnType::Boolean, Value::String(text)) => boolean(text).map(Value::Bool),
            (ColumnType::Date, Value::String(text)) => {
                let moment = date::read_as(text, self.dates)?;
                Some(json!(moment.to_string()))
            }
            _ => None,
        }
    }

    fn number(self, text: &str) -> Option<Value> {
        let (grouping, decimal) = match self.numbers {
            Numbers::Auto | Numbers::Point => (',', '.'),
            Numbers::Comma => ('.', ','),
            Numbers::None => return None,
        };
        let text = text.trim();
        let text = text.strip_prefix('+').unwrap_or(text);
        let (whole, fraction) = text.split_once(decimal).unwrap_or((text, ""));
        let has_groups = whole.contains([grouping, ' ', '\u{a0}', '\u{202f}', '\'', '’']);
        let plain = if has_groups {
            without_groups(whole, grouping)?
        } else {
            whole.to_owned()
        };
        let joined = match (fraction, text.ends_with(decimal)) {
            ("", true) => return None,
            ("", false) => plain,
            (fraction, _) => format!("{plain}.{fraction}"),
        };
        let number: serde_json::Number = serde_json::from_str(&joined).ok()?;
        // Identifiers: as numbers they would lose their last digits in the next program.
        let is_whole = joined
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_whole && number.as_f64().is_none_or(|float| float.abs() > EXACT) {
            return None;
        }
        Some(Value::Number(number))
    }
}

/// `1,234,567` only with three digits after each mark.
fn without_groups(whole: &str, grouping: char) -> Option<String> {
    let mark = whole.chars().find(|c| !c.is_ascii_digit() && *c != '-')?;
    let is_known = mark == grouping || mark.is_whitespace() || matches!(mark, '\'' | '’');
    let mut parts = whole.split(mark);
    let first = parts.next()?;
    let digits = first.strip_prefix('-').unwrap_or(first);
    let fits = is_known
        && (1..=3).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && parts.all(|part| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit()));
    fits.then(|| whole.replace(mark, ""))
}

fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// What a column is, and which values keep it from being what most of them are.
pub struct Verdict {
    pub kind: ColumnType,
    /// How the texts of the column were understood.
    pub reading: Reading,
    /// The type that nearly all values have, with the index of some that have not.
    pub almost: Option<(ColumnType, Vec<usize>)>,
}

/// Nearly all: at least this share of the values.
const NEARLY: f64 = 0.9;

pub fn judge<'a>(cells: impl Iterator<Item = cell::Cell<'a>> + Clone, reading: Reading) -> Verdict {
    let count = cells
        .clone()
        .filter(|cell| cell::present(*cell).is_some())
        .count();
    let reading = reading.of_column(cells.clone());
    let plain = |kind| Verdict {
        kind,
        reading,
        almost: None,
    };
    if count == 0 {
        return plain(ColumnType::Empty);
    }
    let mut almost = None;
    for kind in [ColumnType::Number, ColumnType::Date, ColumnType::Boolean] {
        let present = cells
            .clone()
            .enumerate()
            .filter_map(|(row, cell)| Some((row, cell::present(cell)?)));
        let mut others = 0_usize;
        let mut some = Vec::new();
        for (row, value) in present {
            if reading.read(value, kind).is_none() {
                others += 1;
                if some.len() < 5 {
                    some.push(row);
                }
                if others as f64 > (1.0 - NEARLY) * count as f64 {
                    break;
                }
            }
        }
        if others == 0 {
            return plain(kind);
        }
        if others as f64 <= (1.0 - NEARLY) * count as f64 {
            almost = Some((kind, some));
        }
    }
    let mut present = cells.filter_map(cell::present);
    let kind = if present.all(Value::is_string) {
        ColumnType::Text
    } else {
        ColumnType::Mixed
    };
    Verdict {
        kind,
        reading,
        almost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let check = |text: &str, numbers: Numbers, expected: Value| {
            let reading = Reading {
                numbers,
                dates: Order::Iso,
            };
            let found = reading
                .read(&json!(text), ColumnType::Number)
                .unwrap_or(Value::Null);
            assert_eq!(found, expected, "{text}");
        };
        check("12", Numbers::Point, json!(12));
        check("+12.50", Numbers::Point, json!(12.5));
        check("1,234,567.5", Numbers::Point, json!(1_234_567.5));
        check("1,23", Numbers::Point, json!(null));
        check("1.234,56", Numbers::Comma, json!(1234.56));
        check("-1 234,5", Numbers::Comma, json!(-1234.5));
        check("1'234.50", Numbers::Point, json!(1234.5));
        check("12.5", Numbers::Comma, json!(null));
        check("007", Numbers::Point, json!(null));
        check("12.", Numbers::Point, json!(null));
        check(
            "9007199254740993",
            Numbers::Point,
            json!(9_007_199_254_740_993_u64),
        );
        check("12", Numbers::None, json!(null));
        check("1,234 567", Numbers::Point, json!(null));
        check("-1e3", Numbers::Point, json!(-1000.0));
    }

    #[test]
    fn a_column_shows_how_it_is_written() {
        let check = |texts: &[&str], kind: ColumnType, last: Value| {
            let cells: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
            let verdict = judge(cells.iter().map(Some), Reading::default());
            assert_eq!(verdict.kind, kind, "{texts:?}");
            let read = cells
                .last()
                .and_then(|cell| verdict.reading.read(cell, kind));
            assert_eq!(read.unwrap_or_default(), last, "{texts:?}");
        };
        check(&["54,30", "1.250,00"], ColumnType::Number, json!(1250.0));
        check(&["1,234", "1,234.5"], ColumnType::Number, json!(1234.5));
        check(&["0,45", "3.80"], ColumnType::Text, json!(null));
        check(
            &["15.01.2026", "03.02.2026"],
            ColumnType::Date,
            json!("2026-02-03"),
        );
        check(
            &["12/01/2025", "03/15/2026"],
            ColumnType::Date,
            json!("2026-03-15"),
        );
    }

    #[test]
    fn one_odd_value_makes_a_column_text() {
        let mut values: Vec<Value> = (0..20).map(|n| json!(n.to_string())).collect();
        values[7] = json!("n.a.?");
        let verdict = judge(values.iter().map(Some), Reading::default());
        assert_eq!(verdict.kind, ColumnType::Text);
        assert_eq!(verdict.almost, Some((ColumnType::Number, vec![7])));
        let mixed = [json!(1), json!("x")];
        assert_eq!(
            judge(mixed.iter().map(Some), Reading::default()).kind,
            ColumnType::Mixed
        );
        let empty = [json!(null), json!("")];
        assert_eq!(
            judge(empty.iter().map(Some), Reading::default()).kind,
            ColumnType::Empty
        );
    }
}
