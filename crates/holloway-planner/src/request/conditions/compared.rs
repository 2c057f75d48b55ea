//! Which rows are meant where no "where" leads? "amount over 100", "with more than 5 units",
//! "people older than 30", of tables whose columns are known.

use serde_json::Value;

use super::phrases::Reader;
use super::tokens::Kind;
use super::{Comparison, Condition, Keep};

/// Words that name no column and mean one.
const MEANT: [(&[&str], &[&str], Comparison); 11] = [
    (&["older"], &["age"], Comparison::More),
    (&["younger"], &["age"], Comparison::Less),
    (&["cheaper"], &["price", "cost", "amount"], Comparison::Less),
    (&["dearer"], &["price", "cost", "amount"], Comparison::More),
    (&["warmer", "hotter"], &["temperature"], Comparison::More),
    (&["colder", "cooler"], &["temperature"], Comparison::Less),
    (&["longer"], &["length", "duration"], Comparison::More),
    (
        &["shorter"],
        &["length", "duration", "height"],
        Comparison::Less,
    ),
    (&["taller"], &["height"], Comparison::More),
    (&["heavier"], &["weight"], Comparison::More),
    (&["lighter"], &["weight"], Comparison::Less),
];

/// What joins a comparison to the rows before it: "orders of more than 100".
const JOINS: [&str; 4] = ["of", "that", "which", "with"];

pub(super) fn compared(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let found = if reader.known.is_known() {
        read(reader, from)
    } else {
        None
    };
    if let Some(keep) = found {
        reader.say(Condition::Keep(keep), from);
        return true;
    }
    reader.at = from;
    false
}

fn read(reader: &mut Reader<'_>, from: usize) -> Option<Keep> {
    let kept = |column: String, comparison, value| Keep {
        column,
        comparison,
        value,
        or: false,
    };
    for (words, columns, comparison) in MEANT {
        if reader.eat(words) && reader.eat(&["than"]) {
            let column = reader.known.first_of(columns)?.name.clone();
            return Some(kept(column, comparison, reader.value()?));
        }
    }
    let named = reader.column_at(from);
    reader.at = from + named.map_or(0, |(_, count)| count);
    let (comparison, value) = reader.comparison().filter(|(comparison, value)| {
        // "revenue over time" compares nothing.
        orders(*comparison) && is_ordered(value) || is_part(*comparison)
    })?;
    if let Some((column, _)) = named {
        return Some(kept(column.name.clone(), comparison, value));
    }
    // One day alone is a stretch of time.
    if value.is_array() && is_day(&value) {
        let column = reader.known.date()?.name.clone();
        return Some(kept(column, comparison, value));
    }
    if !is_number(&value) {
        return None;
    }
    // "more than 5 units", "orders over 100"
    if let Some((column, count)) = reader.column_at(reader.at) {
        reader.at += count;
        return Some(kept(column.name.clone(), comparison, value));
    }
    let before = from.checked_sub(1).and_then(|at| reader.token(at));
    let of_rows = before.is_some_and(|token| {
        reader.is_row(&token.word) || token.kind == Kind::File || token.is(&JOINS)
    }) || from.checked_sub(1).is_some_and(|at| reader.was_read(at));
    let counts = counts_something(reader);
    let column = reader.known.worth().filter(|_| of_rows && !counts);
    // What is compared with a number must not be passed over.
    reader.unclear |= column.is_none() && !counts;
    Some(kept(column?, comparison, value))
}

/// "more than 50 rows", "less than 5 seconds", "at most 3 sentences": of no column.
fn counts_something(reader: &Reader<'_>) -> bool {
    const COUNTED: [&str; 15] = [
        "seconds",
        "second",
        "minutes",
        "minute",
        "hours",
        "sentences",
        "words",
        "letters",
        "characters",
        "paragraphs",
        "pages",
        "points",
        "times",
        "files",
        "columns",
    ];
    let next = reader.now().filter(|token| token.kind == Kind::Word);
    next.is_some_and(|token| reader.is_row(&token.word) || token.is(&COUNTED))
        || reader.value_at(reader.at).is_some()
}

fn orders(comparison: Comparison) -> bool {
    use Comparison::{AtLeast, AtMost, Between, Less, More};
    matches!(comparison, AtLeast | AtMost | Between | Less | More)
}

fn is_part(comparison: Comparison) -> bool {
    use Comparison::{Contains, EndsWith, StartsWith};
    matches!(comparison, Contains | StartsWith | EndsWith)
}

pub(super) fn is_number(value: &Value) -> bool {
    match value {
        Value::Array(both) => both.iter().all(Value::is_number),
        one => one.is_number(),
    }
}

/// "2026-03-01", or two of them.
fn is_day(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() == 10 && text.matches('-').count() == 2,
        Value::Array(both) => both.iter().all(is_day),
        _ => false,
    }
}

fn is_ordered(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => text.starts_with(|letter: char| letter.is_ascii_digit()),
        Value::Array(both) => both.iter().all(is_ordered),
        _ => false,
    }
}
