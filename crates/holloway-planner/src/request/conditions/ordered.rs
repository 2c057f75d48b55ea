//! Which rows come first? "newest first", "with the highest salary first": an order without a
//! verb that says so, of tables whose columns are known.

use super::Condition;
use super::phrases::{ARTICLES, Reader};
use super::rows::{HIGHEST, LOWEST};

pub(super) fn firsts(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.known.is_known() {
        return false;
    }
    reader.eat(&["with", "having"]);
    reader.eat_any(&ARTICLES);
    let implied = implied(reader);
    let down = reader.eat(&HIGHEST);
    let said = down || reader.eat(&LOWEST) || reader.eat(&["youngest", "least"]);
    let named = reader.column_at(reader.at).filter(|_| said);
    reader.at += named.map_or(0, |(_, count)| count);
    let first = reader.eat(&["first"])
        || reader.eat_all(&["at", "the", "top"])
        || reader.eat_all(&["on", "top"]);
    if !said || !first {
        reader.at = from;
        return false;
    }
    let named = named.map(|(column, _)| (column.name.clone(), down));
    place(reader, named.or(implied), down, from);
    true
}

/// What the word itself is about, and whether the largest come first.
fn implied(reader: &Reader<'_>) -> Option<(String, bool)> {
    let known = &reader.known;
    let date = known.date();
    let age = known.column("age");
    let (column, down) = match () {
        () if reader.is(reader.at, &["cheapest"]) => {
            (known.first_of(&["price", "cost", "amount"]), false)
        }
        () if reader.is(reader.at, &["oldest"]) && date.is_none() => (age, true),
        () if reader.is(reader.at, &["youngest"]) => (age, false),
        () if reader.is(reader.at, &["oldest", "earliest"]) => (date, false),
        () if reader.is(reader.at, &["newest", "latest"]) => (date, true),
        () => return None,
    };
    Some((column?.name.clone(), down))
}

fn place(reader: &mut Reader<'_>, said: Option<(String, bool)>, down: bool, from: usize) {
    let sorted = reader.found.iter().rposition(|said| {
        let condition = &said.condition;
        matches!(condition, Condition::Sort { .. })
    });
    let cut = reader
        .found
        .iter()
        .any(|said| matches!(said.condition, Condition::First(_) | Condition::Last(_)));
    let undirected = sorted.is_some_and(|at| reader.undirected.contains(&at));
    if let Some(last) = sorted.and_then(|at| reader.found.get_mut(at))
        && let Condition::Sort { column, descending } = &mut last.condition
    {
        let (wanted, down) = said.clone().unwrap_or_else(|| (column.clone(), down));
        let is_same = wanted == *column;
        if is_same && undirected {
            *descending = down;
        }
        let differs = is_same && *descending != down;
        if is_same && !differs {
            reader.mark(from, reader.at);
            return;
        }
        // "the five largest by amount, newest first" would be put in order twice.
        if differs || cut {
            reader.unclear = true;
            return;
        }
    }
    let figure = reader
        .found
        .iter()
        .rev()
        .find_map(|said| match &said.condition {
            Condition::Group(group) => {
                let count = || "count".to_owned();
                Some(group.column.clone().unwrap_or_else(count))
            }
            _ => None,
        });
    let meant = said.or_else(|| {
        let column = figure.or_else(|| reader.known.worth())?;
        Some((column, down))
    });
    match meant.filter(|_| !cut) {
        Some((column, descending)) => reader.say(Condition::Sort { column, descending }, from),
        None => reader.unclear = true,
    }
}
