//! Which columns does another table add? "add the city from customers.csv to orders.csv",
//! "orders.csv with the name from customers.csv": every row of the one table, and beside it
//! what the other says about it.

use super::phrases::{ARTICLES, ROWS, Reader, same};
use super::tokens::Token;
use super::{Condition, Side};

const ADDS: [&str; 6] = ["add", "adding", "attach", "bring", "include", "including"];
const TO: [&str; 6] = ["to", "into", "in", "onto", "for", "beside"];

/// The table that gains columns, and whether it was named before the other.
struct Gaining<'t> {
    file: &'t str,
    is_first: bool,
}

pub(super) fn lookup(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let adds = reader.eat(&ADDS);
    if !adds && !reader.eat(&["with", "plus"]) {
        reader.at = from;
        return false;
    }
    let understood = reader.known.tables == 2 && added(reader, from);
    if !understood {
        // What is added from one file to another must not be half of it.
        let several = reader.known.tables > 1;
        reader.unclear |= adds && (several || leads_across(reader, from));
        reader.at = from;
    }
    understood
}

fn added(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.eat(&["in"]);
    let early = target(reader);
    let columns = reader.columns(&[]);
    let end = reader.at;
    reader.eat(&["from", "of", "in", "out"]);
    reader.eat(&["of"]);
    reader.eat_any(&ARTICLES);
    let Some(giving) = file(reader).filter(|_| !columns.is_empty()) else {
        reader.at = end;
        return beside(reader, &columns, from);
    };
    let late = if early.is_some() {
        None
    } else {
        target(reader)
    };
    let Some(gaining) = gaining(reader, &giving.raw, early.or(late)) else {
        return false;
    };
    let on = match key(reader) {
        Some(on) => on,
        None => reader
            .known
            .shared
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
    };
    let Some(all) = reader
        .known
        .with_columns(gaining.file, &giving.raw, &columns)
    else {
        return false;
    };
    // Another column that both have would stand there twice, under other names.
    if on.len() != 1 || on.iter().any(|name| reader.known.shared != [name.as_str()]) {
        return false;
    }
    let how = if gaining.is_first {
        Side::Left
    } else {
        Side::Right
    };
    reader.say(Condition::Join { on, how }, from);
    reader.say(Condition::Columns(all), from);
    true
}

/// "add the customer's city to each order": of two tables, the one gives what the other lacks.
fn beside(reader: &mut Reader<'_>, columns: &[String], from: usize) -> bool {
    let known = &reader.known;
    let mut files = reader.tokens.iter().filter(|token| token.is_table());
    let mut named: Vec<&str> = Vec::new();
    while let Some(file) = files.next().filter(|_| named.len() < 2) {
        if known.has_table(&file.raw) && !named.contains(&file.raw.as_str()) {
            named.push(&file.raw);
        }
    }
    let [first, second] = named.as_slice() else {
        return false;
    };
    let left = known.with_columns(first, second, columns);
    let right = known.with_columns(second, first, columns);
    let (gaining, how, all) = match (left, right) {
        (Some(all), None) => (first, Side::Left, all),
        (None, Some(all)) => (second, Side::Right, all),
        _ => return false,
    };
    // "to each order": rows of the table that gains.
    let led = reader.eat(&TO);
    reader.eat_any(&ARTICLES);
    let row = reader.now().filter(|token| reader.is_row(&token.word));
    let stem = gaining.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    let fits = row.is_some_and(|row| same(stem, &row.word) || ROWS.contains(&row.word.as_str()));
    let on: Vec<String> = reader
        .known
        .shared
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    if columns.is_empty() || !led || !fits || on.len() != 1 {
        return false;
    }
    reader.at += 1;
    reader.say(Condition::Join { on, how }, from);
    reader.say(Condition::Columns(all), from);
    true
}

fn file<'t>(reader: &mut Reader<'t>) -> Option<&'t Token> {
    let token = reader.now().filter(|_| reader.is_file(reader.at))?;
    reader.at += 1;
    Some(token)
}

/// "to orders.csv", "to each row of orders.csv".
fn target<'t>(reader: &mut Reader<'t>) -> Option<&'t str> {
    let before = reader.at;
    let led = reader.eat(&TO);
    reader.eat_any(&ARTICLES);
    if reader.now().is_some_and(|token| reader.is_row(&token.word)) {
        reader.at += 1;
        reader.eat(&["of", "in"]);
        reader.eat_any(&ARTICLES);
    }
    let found = file(reader).filter(|_| led);
    if found.is_none() {
        reader.at = before;
    }
    found.map(|token| token.raw.as_str())
}

/// The table that gains columns: the one that was said, or the other one.
fn gaining<'t>(reader: &Reader<'t>, giving: &str, said: Option<&'t str>) -> Option<Gaining<'t>> {
    let mut files = reader.tokens.iter().filter(|token| token.is_table());
    let first = files.clone().next()?;
    let other = files.find(|token| token.raw != giving)?;
    let file = said.unwrap_or(&other.raw);
    (file != giving).then_some(Gaining {
        file,
        is_first: first.raw == file,
    })
}

/// "by customer_id".
fn key(reader: &mut Reader<'_>) -> Option<Vec<String>> {
    let before = reader.at;
    let said = reader.eat(&["by", "on", "using", "via"]);
    let columns = if said {
        reader.columns(&[])
    } else {
        Vec::new()
    };
    if columns.is_empty() {
        reader.at = before;
        return None;
    }
    Some(columns)
}

/// Whether something goes from one table to another: "from a.csv to b.csv".
fn leads_across(reader: &Reader<'_>, from: usize) -> bool {
    let led = |words: &[&str]| {
        let mut places = from + 1..reader.tokens.len();
        places.any(|at| {
            let is_table = reader.token(at).is_some_and(Token::is_table);
            is_table && reader.is(at - 1, words)
        })
    };
    let bare = reader.is_file(from + 1);
    (bare || led(&["from", "of", "in"])) && led(&["to", "into", "onto", "beside"])
}
