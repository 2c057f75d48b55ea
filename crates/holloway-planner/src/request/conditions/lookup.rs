//! Which columns does another table add? "add the city from customers.csv to orders.csv",
//! "orders.csv with the name from customers.csv": every row of the one table, and beside it
//! what the other says about it.

use super::phrases::{ARTICLES, Reader};
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
        reader.unclear |= adds && leads_across(reader, from);
        reader.at = from;
    }
    understood
}

fn added(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.eat(&["in"]);
    let early = target(reader);
    let columns = reader.columns(&[]);
    reader.eat(&["from", "of", "in", "out"]);
    reader.eat(&["of"]);
    reader.eat_any(&ARTICLES);
    let Some(giving) = file(reader).filter(|_| !columns.is_empty()) else {
        return false;
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
