//! How does a result look to a person? A text as text, a list of alike things as a table,
//! the rest as names and values; bounded, and never as data for programs.

use holloway_flow::outcome::{self, MainPart, main_part};
use serde_json::{Map, Value};

use crate::print::paint::Paint;
use crate::print::{one_line, table, visible};

/// Columns of a table; the rest is counted.
const COLUMNS: usize = 8;
/// Letters of a cell and of a value.
const CELL: usize = 40;
/// Columns that leave room for long cells, and letters of a cell then.
const FEW: usize = 3;
const LONG_CELL: usize = 100;
const VALUE: usize = 300;
/// Names and values.
const LINES: usize = 40;
/// Lines of a text among them.
const TEXT_LINES: usize = 200;
/// Digits of a number behind the first; what is behind them comes from reckoning in binary.
const DIGITS: usize = 11;
/// How deep names lead.
const DEPTH: usize = 2;

/// The result in lines, a table with at most this many rows.
pub(super) fn shaped(result: &Value, rows: usize, paint: Paint) -> String {
    match result {
        Value::Null => String::new(),
        only if bare(only).is_some() => bare(only).unwrap_or_default(),
        Value::Array(list) => listed(list, "items", rows, paint),
        Value::Object(fields) => object(fields, rows, paint),
        other => plain(other),
    }
}

/// A figure or a text by itself, be it the only cell of a table.
pub(super) fn bare(result: &Value) -> Option<String> {
    outcome::single(result).map(plain)
}

/// One of several things.
fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    let hisses = |stem: &str| {
        ["ss", "x", "ch", "sh"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    match (word.strip_suffix("ies"), word.strip_suffix("es")) {
        (Some(stem), _) if stem.len() > 1 => format!("{stem}y"),
        (_, Some(stem)) if hisses(stem) => stem.to_owned(),
        _ => word.strip_suffix('s').unwrap_or(&word).to_owned(),
    }
}

fn object(fields: &Map<String, Value>, rows: usize, paint: Paint) -> String {
    if let Some(told) = summed_up(fields, rows, paint) {
        return told;
    }
    match main_part(fields) {
        Some(MainPart::Text(text)) => visible(text.trim_end()),
        Some(MainPart::List(name, list)) => listed(list, name, rows, paint),
        None => named(fields, paint),
    }
}

/// A summary with the lists that it sums up.
fn summed_up(fields: &Map<String, Value>, rows: usize, paint: Paint) -> Option<String> {
    let summary = fields.get("summary")?.as_str()?;
    let lists = fields.iter().filter_map(|(name, value)| {
        let list = value.as_array()?;
        let told = !list.is_empty() && list.iter().all(Value::is_object);
        told.then(|| {
            format!(
                "{}:\n{}",
                one_line(name, CELL),
                listed(list, "rows", rows, paint)
            )
        })
    });
    let lists: Vec<String> = lists.collect();
    (!lists.is_empty()).then(|| format!("{}\n{}", visible(summary), lists.join("\n")))
}

/// Things one below the other, and how many there are.
fn listed(list: &[Value], name: &str, most: usize, paint: Paint) -> String {
    let name = one_line(name, CELL);
    let words = match list.len() {
        0 => return format!("no {name}"),
        1 => format!("1 {}", singular(&name)),
        count => format!("{count} {name}"),
    };
    let shown = list.get(..most).unwrap_or(list);
    let mut lines = vec![if shown.iter().all(Value::is_object) {
        rows(shown, paint)
    } else {
        let items: Vec<String> = shown.iter().map(|item| cell(item, VALUE)).collect();
        items.join("\n")
    }];
    lines.push(paint.dim(&match list.len() - shown.len() {
        0 => words,
        more => format!("{words}, {more} of them not shown"),
    }));
    lines.join("\n")
}

fn rows(list: &[Value], paint: Paint) -> String {
    let mut names: Vec<&String> = Vec::new();
    for field in list.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if !names.contains(&field) {
            names.push(field);
        }
    }
    let more = names.len().saturating_sub(COLUMNS);
    names.truncate(COLUMNS);
    let room = if names.len() <= FEW { LONG_CELL } else { CELL };
    let heading: Vec<String> = names.iter().map(|name| one_line(name, CELL)).collect();
    let lines: Vec<Vec<String>> = list
        .iter()
        .map(|row| {
            let value = |name: &&String| row.get(name.as_str()).unwrap_or(&Value::Null);
            names.iter().map(|name| cell(value(name), room)).collect()
        })
        .collect();
    let mut text = table::columns(&heading, &lines, paint);
    if more > 0 {
        text.push_str(&paint.dim(&format!("\n{more} more fields are not shown")));
    }
    text
}

/// A value in a few words on one line.
fn cell(value: &Value, most: usize) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(list) if list.iter().any(|item| item.is_object() || item.is_array()) => {
            match list.len() {
                1 => "1 item".to_owned(),
                count => format!("{count} items"),
            }
        }
        Value::Array(list) => {
            let items: Vec<String> = list.iter().map(|item| cell(item, most)).collect();
            one_line(&items.join(", "), most)
        }
        Value::Object(fields) => {
            let words = fields.iter().filter(|(_, value)| is_short(value));
            let words: Vec<String> = words
                .map(|(name, value)| format!("{name} {}", cell(value, most)))
                .collect();
            one_line(&words.join(", "), most)
        }
        other => one_line(&plain(other), most),
    }
}

fn is_short(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Array(_) | Value::Object(_))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => visible(text.trim_end()),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) if number.is_f64() => {
            let rounded = number.as_f64().map(|number| format!("{number:.DIGITS$e}"));
            let rounded = rounded.and_then(|digits| digits.parse::<f64>().ok());
            rounded.map_or_else(
                || number.to_string(),
                |rounded| Value::from(rounded).to_string(),
            )
        }
        other => other.to_string(),
    }
}

/// Names and values, one on each line.
fn named(fields: &Map<String, Value>, paint: Paint) -> String {
    let mut lines = Vec::new();
    add_named(fields, "", DEPTH, &mut lines, paint);
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    if more > 0 {
        lines.push(paint.dim(&format!("and {more} more")));
    }
    lines.join("\n")
}

fn add_named(
    fields: &Map<String, Value>,
    above: &str,
    deeper: usize,
    lines: &mut Vec<String>,
    paint: Paint,
) {
    for (name, value) in fields {
        let name = format!("{above}{}", one_line(name, CELL));
        match value {
            Value::Object(inner) if deeper > 0 && !inner.is_empty() => {
                add_named(inner, &format!("{name} "), deeper - 1, lines, paint);
            }
            Value::Null => {}
            Value::String(text) if text.trim_end().contains('\n') => {
                lines.push(format!(
                    "{}\n{}",
                    paint.cyan(&format!("{name}:")),
                    long(text)
                ));
            }
            value => {
                let name = paint.cyan(&format!("{name}:"));
                lines.push(format!("{name} {}", cell(value, VALUE)));
            }
        }
    }
}

/// A text of several lines, whole unless it is very long.
fn long(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let shown = lines.get(..TEXT_LINES).unwrap_or(&lines).join("\n");
    match lines.len().saturating_sub(TEXT_LINES) {
        0 => visible(&shown),
        more => format!("{}\n{more} more lines", visible(&shown)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(result: Value) -> String {
        shaped(&result, 3, Paint::off())
    }

    #[test]
    fn alike_things_are_a_table() {
        let rows: Vec<Value> = (0..5).map(|n| json!({"day": n, "shop": "A"})).collect();
        let table = json!({"columns": ["day"], "count": 5, "rows": rows});
        insta::assert_snapshot!(shown(table), @r"
        day  shop
        0    A
        1    A
        2    A
        5 rows, 2 of them not shown
        ");
        let list = json!({"entries": [{"path": "a", "tags": ["x", "y"], "of": {"n": 1}}]});
        insta::assert_snapshot!(shown(list), @r"
        path  tags  of
        a     x, y  n 1
        1 entry
        ");
        assert_eq!(shown(json!([])), "no items");
    }

    #[test]
    fn a_text_is_a_text_and_the_rest_is_named() {
        assert_eq!(shown(json!({"content": "a\nb\n", "bytes": 4})), "a\nb");
        assert_eq!(shown(json!(8.05)), "8.05");
        assert_eq!(shown(json!(12.799_999_999_999_999)), "12.8");
        let changes = json!({"same": false, "diff": "-one\n+two\n", "added": 1});
        assert_eq!(shown(changes), "same: no\ndiff:\n-one\n+two\nadded: 1");
        let figures = json!({"mean": 11.0, "ok": true, "of": {"min": 1, "deep": {"a": {"b": 1}}}, "none": null});
        insta::assert_snapshot!(shown(figures), @r"
        mean: 11.0
        ok: yes
        of min: 1
        of deep a: b 1
        ");
    }

    #[test]
    fn nothing_shown_can_steer_the_terminal() {
        let hostile = json!([{"a\u{1b}[2J": "b\u{1b}]0;x\u{7}"}]);
        assert!(!shown(hostile).contains('\u{1b}'));
        assert!(!shown(json!({"text": "a\u{9b}2J\u{1b}c"})).contains('\u{1b}'));
        assert!(!shown(json!({"x": "\u{1b}[1m", "\u{1b}": 1})).contains('\u{1b}'));
    }
}
