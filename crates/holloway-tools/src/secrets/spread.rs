//! Is a secret cut into pieces that stand in neighbouring fields? The texts of a value are put
//! one after the other, as lines, and looked at like one text; what is found across several of
//! them is taken out of each. Encodings are undone in the beginning of a large value only.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use super::needles::Needles;
use super::{Renamed, effort, masked};

/// Of a longer text only the beginning and the end can be a piece.
const EDGE: usize = 512;
/// Between what does not stand side by side: a letter, since signs between letters are passed over.
const BREAK: &str = "ꙮꙮ";
/// So much of what is put together is looked at in every encoding.
const DECODED: usize = 256 << 10;

/// What is to be taken out of a text, by its number in the order of reading.
type Found<'a> = BTreeMap<usize, Vec<(Range<usize>, &'a str)>>;

/// Takes out secrets that are spread over several texts of a value.
pub(super) fn clean(needles: &Needles, value: &mut Value) {
    if !needles.may_be_spread() {
        return;
    }
    let mut found = Found::new();
    let mut texts = Vec::new();
    collect(value, "", &mut texts);
    if texts.len() > 1 {
        for order in orders(&texts) {
            look(needles, &order, &mut found);
        }
    }
    drop(texts);
    if !found.is_empty() {
        take_out(value, &found, &mut 0);
    }
}

/// A text, a number or the name of a field.
struct Leaf<'a> {
    number: usize,
    text: Cow<'a, str>,
    /// The field that it stands in; nothing if it is the name of one.
    field: Option<&'a str>,
}

/// All texts in the order of reading; `take_out` numbers them in the same way.
fn collect<'a>(value: &'a Value, field: &'a str, texts: &mut Vec<Leaf<'a>>) {
    let number = texts.len();
    let leaf = |text: Cow<'a, str>, field: Option<&'a str>| Leaf {
        number,
        text,
        field,
    };
    match value {
        Value::String(text) => texts.push(leaf(Cow::Borrowed(text), Some(field))),
        Value::Number(digits) => texts.push(leaf(Cow::Owned(digits.to_string()), Some(field))),
        Value::Array(items) => items.iter().for_each(|item| collect(item, field, texts)),
        Value::Object(fields) => {
            for (name, inner) in fields {
                texts.push(Leaf {
                    number: texts.len(),
                    text: Cow::Borrowed(name),
                    field: None,
                });
                collect(inner, name, texts);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Which texts may be read one after the other: all values, all values with their names, and
/// the values of one column of a table.
fn orders<'a, 'b>(texts: &'b [Leaf<'a>]) -> Vec<Vec<&'b Leaf<'a>>> {
    let values: Vec<&Leaf<'a>> = texts.iter().filter(|text| text.field.is_some()).collect();
    let mut columns: BTreeMap<&str, Vec<&Leaf<'a>>> = BTreeMap::new();
    for text in &values {
        let field = text.field.unwrap_or_default();
        columns.entry(field).or_default().push(text);
    }
    let mut orders = Vec::new();
    if values.len() < texts.len() {
        orders.push(texts.iter().collect());
    }
    if columns.len() > 1 {
        orders.extend(columns.into_values());
    }
    orders.push(values);
    orders.retain(|order| order.len() > 1);
    orders
}

fn look<'a>(needles: &'a Needles, order: &[&Leaf<'_>], found: &mut Found<'a>) {
    let mut joined = String::new();
    // Where each part stands in the whole, and which part of which text it is.
    let mut parts: Vec<(Range<usize>, usize, usize)> = Vec::new();
    for text in order {
        let (head, tail) = edges(&text.text);
        for (number, (start, part)) in head.into_iter().chain(tail).enumerate() {
            joined.push_str(if number > 0 { BREAK } else { "\n" });
            let at = joined.len();
            joined.push_str(part);
            parts.push((at..joined.len(), text.number, start));
        }
    }
    let mut places = needles.find_shown(&joined);
    let begin = joined.floor_char_boundary(DECODED.min(joined.len()));
    places.extend(needles.find(joined.get(..begin).unwrap_or_default()));
    places.retain(|(_, number)| needles.is_long(*number));
    for (range, name) in needles.named(places) {
        // The parts stand in order, so those that are touched stand side by side.
        let first = parts.partition_point(|(place, ..)| place.end <= range.start);
        let rest = parts.get(first..).unwrap_or_default();
        let count = rest.partition_point(|(place, ..)| place.start < range.end);
        let touched = rest.get(..count).unwrap_or_default();
        effort::add(count);
        let [(_, one, _), .., (_, last, _)] = touched else {
            continue;
        };
        if one == last {
            continue;
        }
        for (place, text, start) in touched {
            let from = range.start.max(place.start) - place.start + start;
            let to = range.end.min(place.end) - place.start + start;
            found.entry(*text).or_default().push((from..to, name));
        }
    }
}

/// A part of a text and where it begins.
type Edge<'a> = (usize, &'a str);

/// The beginning of a text and, if it is long, its end, each with its place.
fn edges(text: &str) -> (Option<Edge<'_>>, Option<Edge<'_>>) {
    if text.len() <= 2 * EDGE {
        return (Some((0, text)), None);
    }
    let head = text.floor_char_boundary(EDGE);
    let tail = text.floor_char_boundary(text.len() - EDGE);
    (
        text.get(..head).map(|part| (0, part)),
        text.get(tail..).map(|part| (tail, part)),
    )
}

fn take_out(value: &mut Value, found: &Found<'_>, number: &mut usize) {
    let mut next = |text: &str| {
        let found = found.get(number);
        *number += 1;
        found.map(|found| masked(text, found.clone()))
    };
    match value {
        Value::String(text) => {
            if let Some(cleaned) = next(text) {
                *text = cleaned;
            }
        }
        Value::Number(digits) => {
            if let Some(cleaned) = next(&digits.to_string()) {
                *value = Value::String(cleaned);
            }
        }
        Value::Array(items) => {
            for item in items {
                take_out(item, found, number);
            }
        }
        Value::Object(fields) => {
            let mut cleaned = Renamed::default();
            for (name, mut field) in std::mem::take(fields) {
                let place = *number;
                *number += 1;
                let hidden = found.get(&place).map(|found| masked(&name, found.clone()));
                take_out(&mut field, found, number);
                cleaned.insert(hidden.unwrap_or(name), field);
            }
            *fields = cleaned.fields;
        }
        Value::Null | Value::Bool(_) => {}
    }
}
