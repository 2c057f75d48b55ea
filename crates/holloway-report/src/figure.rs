//! How does a number read? Grouped, rounded to what matters, with its unit.

use serde_json::Value;

use crate::clean;
use crate::model::{Column, Format};

/// Beyond this a number is shown by its power of ten.
const LARGEST_PLAIN: f64 = 1e15;
/// In a table; more is noise of computing.
const MOST_DECIMALS: usize = 4;

/// With commas between thousands.
pub(crate) fn decimal(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value.abs() >= LARGEST_PLAIN {
        return format!("{value:.3e}");
    }
    let text = format!("{:.*}", decimals, value.abs());
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text.as_str(), None),
    };
    let nothing = text.chars().all(|digit| matches!(digit, '0' | '.'));
    let mut grouped = String::new();
    if value < 0.0 && !nothing {
        grouped.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if let Some(fraction) = fraction {
        grouped.push('.');
        grouped.push_str(fraction);
    }
    grouped
}

/// As many decimals as the size asks for, none that say nothing.
pub(crate) fn plain(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        _ if size.fract() == 0.0 => 0,
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.01 => 3,
        _ => 6,
    };
    let rounded = trimmed(decimal(value, decimals));
    // Four digits are a year or a small count: neither wants a comma.
    if size < 10_000.0 {
        rounded.replace(',', "")
    } else {
        rounded
    }
}

/// How the numbers of one column read: all with the same decimals, all grouped or none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    decimals: usize,
    grouped: bool,
}

impl Reading {
    /// Two decimals for what may be amounts, else as many as occur, up to four.
    pub(crate) fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut reading = Self::default();
        for number in numbers.filter(|number| number.is_finite()) {
            reading.grouped |= number.abs() >= 10_000.0;
            if reading.decimals < MOST_DECIMALS {
                reading.decimals = reading.decimals.max(decimals(number));
            }
        }
        reading.decimals = match reading.decimals {
            0 => 0,
            1 | 2 => 2,
            more => more.min(MOST_DECIMALS),
        };
        reading
    }

    pub(crate) fn text(self, number: f64) -> String {
        let tiny = number != 0.0 && number.abs() < 0.5 * 0.1_f64.powi(MOST_DECIMALS as i32);
        if tiny {
            return plain(number);
        }
        let text = decimal(number, self.decimals);
        if self.grouped {
            text
        } else {
            text.replace(',', "")
        }
    }
}

/// Of a number as it is written, without the noise of computing.
fn decimals(number: f64) -> usize {
    if number.fract() == 0.0 {
        return 0;
    }
    let text = format!("{number:.9}");
    text.trim_end_matches('0')
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len())
}

fn trimmed(text: String) -> String {
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Short enough for an axis: 12k, 3.4M.
pub(crate) fn compact(value: f64) -> String {
    let size = value.abs();
    let (divisor, suffix) = match size {
        size if size >= 1e12 => (1e12, "T"),
        size if size >= 1e9 => (1e9, "B"),
        size if size >= 1e6 => (1e6, "M"),
        size if size >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let scaled = value / divisor;
    if scaled.abs() >= 1e6 {
        return format!("{value:.1e}");
    }
    let decimals = if suffix.is_empty() { 6 } else { 2 };
    let text = trimmed(format!("{scaled:.decimals$}"));
    let text = if text == "-0" {
        "0".to_owned()
    } else {
        text.replace('-', "−")
    };
    format!("{text}{suffix}")
}

/// Short enough to stand beside a bar: three digits that matter.
pub(crate) fn brief(value: f64) -> String {
    let size = value.abs();
    if size < 1e4 {
        return plain(value);
    }
    let power = (size.log10().floor() - 2.0).max(0.0);
    let step = 10_f64.powf(power);
    compact((value / step).round() * step)
}

pub(crate) fn bytes(value: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut scaled = value;
    let mut unit = units.first().copied().unwrap_or_default();
    for next in units.iter().skip(1) {
        if scaled.abs() < 1000.0 {
            break;
        }
        scaled /= 1000.0;
        unit = next;
    }
    let decimals = usize::from(scaled.abs() < 100.0 && scaled.fract() != 0.0);
    format!("{} {unit}", decimal(scaled, decimals))
}

/// A number with its unit; a currency sign stands first.
pub(crate) fn with_unit(text: &str, unit: &str) -> String {
    let unit = clean::line(unit);
    match unit.as_str() {
        "" => text.to_owned(),
        "$" | "€" | "£" | "¥" => match text.strip_prefix('−') {
            Some(size) => format!("−{unit}{size}"),
            None => format!("{unit}{text}"),
        },
        "%" => format!("{text}%"),
        _ => format!("{text} {unit}"),
    }
}

/// A value as the column wants it read.
pub(crate) fn cell(value: &Value, column: &Column) -> String {
    match (value.as_f64(), column.format) {
        (Some(number), Format::Integer) => with_unit(&decimal(number, 0), &column.unit),
        (Some(number), Format::Number) => {
            let decimals = usize::from(column.decimals.unwrap_or(2).min(10));
            with_unit(&decimal(number, decimals), &column.unit)
        }
        (Some(number), Format::Percent) => {
            let decimals = usize::from(column.decimals.unwrap_or(1).min(10));
            format!("{}%", decimal(number * 100.0, decimals))
        }
        (Some(number), Format::Bytes) => bytes(number),
        (Some(number), Format::Auto | Format::Date) => {
            let text = match column.decimals {
                Some(decimals) => decimal(number, usize::from(decimals.min(10))),
                None => plain(number),
            };
            with_unit(&text, &column.unit)
        }
        _ => text(value),
    }
}

/// Any value within a line of text.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => clean::clean(text).trim().to_owned(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), plain),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let pairs = fields
                .iter()
                .map(|(name, value)| format!("{}: {}", clean::line(name), text(value)));
            pairs.collect::<Vec<_>>().join("; ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_read_well() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (2024.0, "2024"),
            (12345.0, "12,345"),
            (-1_234_567.8, "−1,234,568"),
            (3.1459, "3.15"),
            (0.001_234, "0.001234"),
            (0.05, "0.05"),
            (1e300, "1.000e300"),
        ] {
            assert_eq!(plain(value), expected);
        }
        for (value, expected) in [
            (1500.0, "1500"),
            (12000.0, "12k"),
            (-2.5e6, "−2.5M"),
            (0.25, "0.25"),
        ] {
            assert_eq!(compact(value), expected);
        }
        for (value, expected) in [
            (350_910.0, "351k"),
            (33.333_333, "33.33"),
            (-12_345_678.0, "−12.3M"),
        ] {
            assert_eq!(brief(value), expected);
        }
        assert_eq!(decimal(-0.001, 2), "0.00");
        assert_eq!(decimal(f64::NAN, 2), "–");
    }

    #[test]
    fn the_numbers_of_a_column_read_alike() {
        let check = |numbers: &[f64], expected: &[&str]| {
            let reading = Reading::of(numbers.iter().copied());
            let found: Vec<String> = numbers.iter().map(|number| reading.text(*number)).collect();
            assert_eq!(found, expected);
        };
        check(&[1234.56, 99.9, 7.0], &["1234.56", "99.90", "7.00"]);
        check(&[99.995, 12_345.0], &["99.995", "12,345.000"]);
        check(&[2024.0, 2025.0], &["2024", "2025"]);
        check(&[950.0, 12_000.0, 1_500.0], &["950", "12,000", "1,500"]);
        check(&[1.0 / 3.0, 0.1 + 0.2], &["0.3333", "0.3000"]);
        check(&[0.1 + 0.2, 288.094_999_999_999_97], &["0.300", "288.095"]);
        check(&[0.000_012, 0.5], &["0.000012", "0.5000"]);
        check(&[-0.5, 0.0], &["−0.50", "0.00"]);
    }

    #[test]
    fn a_column_says_how_its_numbers_read() {
        let check = |format, unit: &str, value: Value, expected: &str| {
            let column = Column {
                format,
                unit: unit.to_owned(),
                ..Column::default()
            };
            assert_eq!(cell(&value, &column), expected);
        };
        check(Format::Percent, "", json!(0.1234), "12.3%");
        check(Format::Bytes, "", json!(1_536_000), "1.5 MB");
        check(Format::Bytes, "", json!(999), "999 B");
        check(Format::Number, "€", json!(-1234.5), "−€1,234.50");
        check(Format::Integer, "ms", json!(12345.6), "12,346 ms");
        check(Format::Integer, "", json!("many"), "many");
        check(Format::Auto, "", json!(null), "–");
        check(Format::Auto, "", json!({"a": [1, true]}), "a: 1, yes");
    }
}
