//! Which rows by their place? "the first 2 rows", "the last row of orders.csv", "rows 2 to 4".

use super::Condition;
use super::phrases::Reader;
use super::tokens::{Kind, counted};

/// Words that go on after a number of rows.
pub(super) const CUTS: [&str; 9] = [
    "only", "of", "in", "from", "and", "to", "as", "then", "them",
];
/// What rows are called where only their place in the file is meant. The last orders may well
/// be the newest; the last rows are those at the end.
const PLACES: [&str; 8] = [
    "row", "rows", "line", "lines", "record", "records", "entry", "entries",
];

/// Reads a number of rows from either end, or a stretch of them.
pub(super) fn cuts(reader: &mut Reader<'_>) -> bool {
    let understood = first(reader) || last(reader) || stretch(reader);
    let cuts = reader
        .found
        .iter()
        .filter(|said| matches!(said.condition, Condition::First(_) | Condition::Last(_)));
    // "the first 3 and the last 2 rows" are not the last 2 of the first 3.
    reader.unclear |= understood && cuts.count() > 1;
    understood
}

/// "the first 2 rows".
fn first(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let said = reader.eat(&["first"]);
    let number = reader.now().and_then(counted);
    reader.at += usize::from(number.is_some());
    let is_row = reader
        .now()
        .is_some_and(|token| reader.is_row(&token.word) && token.kind == Kind::Word);
    let asked = from.checked_sub(1).is_some_and(|at| {
        reader.is(
            at,
            &[
                "show", "me", "give", "print", "display", "list", "see", "just", "only",
            ],
        )
    });
    if let Some(number) = number.filter(|_| said && ends_sorted(reader)) {
        // "…, first 2 only"
        reader.eat(&["only"]);
        reader.say(Condition::First(number), from);
        return true;
    }
    if !is_row || !(said || number.is_some() && asked) {
        reader.at = from;
        return false;
    }
    reader.at += 1;
    reader.say(Condition::First(number.unwrap_or(1)), from);
    true
}

/// "the last 2 rows".
fn last(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.eat(&["last", "final", "bottom"]) {
        return false;
    }
    let number = reader.now().and_then(counted);
    reader.at += usize::from(number.is_some());
    let sorted = number.is_some() && ends_sorted(reader);
    if !sorted && !reader.eat(&PLACES) {
        reader.at = from;
        return false;
    }
    reader.eat(&["only"]);
    reader.say(Condition::Last(number.unwrap_or(1)), from);
    true
}

/// "rows 2 to 4", "row 3".
fn stretch(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let found = reader.eat(&PLACES).then(|| numbers(reader)).flatten();
    let Some((first, last)) = found else {
        reader.at = from;
        return false;
    };
    reader.say(Condition::Skip(first - 1), from);
    reader.say(Condition::First(last - first + 1), from);
    true
}

/// "2 to 4", or one number.
pub(super) fn numbers(reader: &mut Reader<'_>) -> Option<(u64, u64)> {
    let place = |reader: &mut Reader<'_>| {
        let token = reader.now().filter(|token| token.kind != Kind::Word)?;
        let number = counted(token)?;
        reader.at += 1;
        Some(number)
    };
    let first = place(reader)?;
    let end = reader.at;
    let leads = reader.eat(&["to", "through", "until", "-", "–"]);
    if let Some(last) = place(reader).filter(|_| leads) {
        return (last >= first).then_some((first, last));
    }
    reader.at = end;
    (!leads).then_some((first, first))
}

/// Whether rows stand in an order and nothing more is said about which.
fn ends_sorted(reader: &Reader<'_>) -> bool {
    let mut found = reader.found.iter();
    let sorted = found.any(|said| matches!(said.condition, Condition::Sort { .. }));
    let ends = reader.now().is_none_or(|token| {
        token.kind == Kind::Stop || token.kind == Kind::Comma || token.is(&CUTS)
    });
    sorted && ends
}
