//! In which order do rows stand, and how many of them? One rule for each way of saying it,
//! tried at every word in turn.

use super::super::surroundings::{Holds, singular};
use super::compared::compared;
use super::cuts::{CUTS, cuts};
use super::dated::dated;
use super::figures::{count, figure, group, how, implied, measure, much};
use super::keep::keep;
use super::meant::meant;
use super::ordered::firsts;
use super::phrases::{ARTICLES, ROWS, Reader};
use super::superlatives::superlative;
use super::tokens::{Kind, counted};
use super::{Condition, Group, How};

const SORTS: [&str; 10] = [
    "sort", "sorted", "sorting", "order", "ordered", "ordering", "rank", "ranked", "arrange",
    "arranged",
];
pub(super) const HIGHEST: [&str; 10] = [
    "largest", "biggest", "highest", "greatest", "newest", "latest", "longest", "best", "most",
    "heaviest",
];
pub(super) const LOWEST: [&str; 8] = [
    "smallest", "lowest", "oldest", "earliest", "cheapest", "shortest", "worst", "fewest",
];
/// Words with which something else begins.
pub(super) const BEGINS: [&str; 24] = [
    "sum", "total", "average", "mean", "median", "count", "max", "min", "maximum", "minimum",
    "then", "show", "make", "sort", "save", "keep", "draw", "plot", "the", "number", "only",
    "chart", "write", "export",
];
/// Reads all that is said about rows.
pub(super) fn read(reader: &mut Reader<'_>) {
    while reader.at < reader.tokens.len() {
        let before = reader.at;
        let understood = sort(reader)
            || firsts(reader)
            || superlative(reader)
            || top(reader)
            || cuts(reader)
            || count(reader)
            || keep(reader)
            || group(reader)
            || super::shapes::read(reader)
            || measure(reader)
            || much(reader)
            || implied(reader)
            || meant(reader)
            || compared(reader)
            || dated(reader)
            || reader.valued();
        if !understood {
            reader.at = before + 1;
        }
    }
}

/// "list the customers in orders.csv", "which products were sold in the East": each once.
pub(super) fn name_columns(reader: &mut Reader<'_>) {
    let narrows = |said: &super::Said| matches!(said.condition, Condition::Keep(_));
    if !reader.known.is_known() || !reader.found.iter().all(narrows) {
        return;
    }
    let asked = (0..reader.tokens.len()).find_map(|at| {
        let start = (at + 1..reader.tokens.len()).find(|at| !reader.is(*at, &ARTICLES))?;
        let (column, count) = reader.column_at(start)?;
        let word = &reader.token(start)?.word;
        let asks = reader.is(at, &["which", "what"])
            || reader.is(at, &["list", "show"]) && singular(word) != *word;
        let is_text = column.holds == Holds::Texts && !reader.is_row(word);
        (asks && is_text && !reader.was_read(start)).then_some((column, at, start + count))
    });
    let Some((column, from, end)) = asked else {
        return;
    };
    reader.at = end;
    reader.say(Condition::Columns(vec![column.name.clone()]), from);
    let columns = Vec::new();
    reader.say(Condition::Unique { columns }, from);
}

/// "sort sales.csv by revenue descending".
fn sort(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let ranks = reader.is(from, &["rank", "ranked"]);
    if !reader.eat(&SORTS) {
        return false;
    }
    let early = reader.direction();
    // "every order by Bob" sorts nothing.
    let before = from.checked_sub(1);
    let is_noun = before.is_some_and(|before| reader.is(before, &ARTICLES));
    if is_noun && reader.is(from, &["order"]) {
        reader.at = from;
        return false;
    }
    let Some(by) = reader.ahead(&["by"]).or_else(|| reader.ahead(&["of"])) else {
        return directed(reader, from);
    };
    let between = reader.at..by;
    let each = ranked(reader, between.clone());
    reader.skip(between.start, between.end, true);
    let early = early.or_else(|| {
        between.clone().find_map(|at| {
            reader.at = at;
            let found = reader.direction();
            reader.skip(at, reader.at, false);
            found
        })
    });
    reader.at = by + 1;
    let mut any = false;
    let mut begin = from;
    while let Some(column) = reader.column() {
        let said = direction(reader).or(early);
        let summed = each.filter(|_| !any && reader.adds_up(&column));
        if let Some(each) = summed {
            let group = Group {
                by: vec![each.to_owned()],
                how: How::Sum,
                column: Some(column.clone()),
                ..Group::default()
            };
            reader.say(Condition::Group(group), begin);
        }
        if said.is_none() {
            reader.undirected.push(reader.found.len());
        }
        // A ranking begins with the best.
        let descending = said.unwrap_or(summed.is_some() && ranks);
        let sort = Condition::Sort { column, descending };
        reader.say(sort, begin);
        any = true;
        let next = reader.at;
        begin = next;
        let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
        reader.at += usize::from(is_comma);
        let joined = reader.eat(&["and"]) || is_comma;
        let joined = reader.eat(&["then"]) || joined;
        let named = reader.eat(&["by"]);
        let begins = reader.now().is_none_or(|token| {
            token.is(&BEGINS) || token.is(&["it"]) || super::super::verbs::is_verb(&token.word)
        });
        if !joined || (begins && !named) {
            reader.at = next;
            break;
        }
    }
    if !any {
        reader.unclear |= reader.known.is_known();
        reader.at = from;
    }
    any
}

/// "sort orders.csv from largest to smallest amount".
fn directed(reader: &mut Reader<'_>, from: usize) -> bool {
    let known = reader.known.is_known();
    reader.eat_place();
    reader.eat_file();
    let found = reader.direction().filter(|_| known);
    let column = found.and_then(|descending| Some((reader.known_column()?, descending)));
    if let Some((column, descending)) = column {
        reader.say(Condition::Sort { column, descending }, from);
        return true;
    }
    reader.unclear |= known && reader.is(from, &["sort", "sorted", "rank", "ranked", "arrange"]);
    reader.at = from;
    false
}

/// The regions in "rank regions by revenue": each counts once.
fn ranked<'t>(reader: &Reader<'t>, mut between: std::ops::Range<usize>) -> Option<&'t str> {
    between.find_map(|at| {
        let (column, _) = reader.column_at(at)?;
        let is_row = reader
            .token(at)
            .is_some_and(|token| reader.is_row(&token.word));
        (column.repeats && !is_row).then_some(column.name.as_str())
    })
}

/// A direction, also after a comma.
pub(super) fn direction(reader: &mut Reader<'_>) -> Option<bool> {
    let before = reader.at;
    let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
    reader.at += usize::from(is_comma);
    let found = reader.direction();
    if found.is_none() {
        reader.at = before;
    }
    found
}

/// "the ten largest orders by amount", "top 5 rows by price", "the highest price".
fn top(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let is_top = reader.eat(&["top"]);
    let mut limit = reader.now().and_then(counted);
    reader.at += usize::from(limit.is_some());
    let down = reader.eat(&HIGHEST);
    let up = !down && reader.eat(&LOWEST);
    if !(is_top && limit.is_some() || down || up) {
        reader.at = from;
        return false;
    }
    if limit.is_none() {
        limit = reader.now().and_then(counted);
        reader.at += usize::from(limit.is_some());
    }
    let noun_at = reader.at;
    let noun = reader.now().filter(|token| token.kind == Kind::Word);
    // "the oldest employee start date" is about a column.
    let leads = reader.column_at(reader.at + 1).is_some();
    let is_row = noun.is_some_and(|noun| reader.is_row(&noun.word)) && !leads;
    if limit.is_some() && !is_row && cut(reader, limit, !up, from) {
        return true;
    }
    reader.at += usize::from(is_row);
    if !is_row && limit.is_none() {
        // "the highest price" of all, or of each.
        let how = if up { How::Lowest } else { How::Highest };
        return figure(reader, how, from);
    }
    let named = match noun {
        // The prices of prices.csv may well be a column.
        Some(noun) if is_row && reader.known.is_known() => reader
            .known
            .column(&noun.raw)
            .map(|column| column.name.clone()),
        Some(noun) if is_row && !ROWS.contains(&noun.word.as_str()) => Some(noun.raw.clone()),
        _ if is_row => None,
        _ => reader.column(),
    };
    let noun_end = reader.at;
    let is_narrow = named.as_deref().is_some_and(|named| named.contains(' '));
    let by = by_ahead(reader);
    // "the largest unpaid orders by amount" are not all of them.
    reader.unclear |= is_narrow && by.as_ref().is_some_and(|(_, how)| how.is_none());
    let column = by.or_else(|| named.map(|column| (column, None)));
    let Some((column, how)) = column else {
        reader.at = from;
        reader.unclear |= is_row;
        return false;
    };
    if let Some(how) = how {
        // "top 3 regions by total revenue"
        let by = words_between(reader, noun_at, noun_end);
        let group = Group {
            by: vec![by],
            how,
            column: Some(column.clone()),
            ..Group::default()
        };
        reader.say(Condition::Group(group), from);
    }
    let descending = !up;
    reader.say(Condition::Sort { column, descending }, from);
    reader.say(Condition::First(limit.unwrap_or(1)), from);
    true
}

/// "sort … by revenue and give me the top 3": of the rows in that order.
fn cut(reader: &mut Reader<'_>, limit: Option<u64>, down: bool, from: usize) -> bool {
    let sorted = reader
        .found
        .iter()
        .rposition(|said| matches!(said.condition, Condition::Sort { .. }));
    let ends = reader.now().is_none_or(|token| {
        token.kind == Kind::Stop || token.kind == Kind::Comma || token.is(&CUTS)
    });
    let (Some(sorted), Some(limit)) = (sorted.filter(|_| ends), limit) else {
        return false;
    };
    if reader.undirected.contains(&sorted)
        && let Some(said) = reader.found.get_mut(sorted)
        && let Condition::Sort { descending, .. } = &mut said.condition
    {
        *descending = down;
    }
    reader.eat(&["only"]);
    reader.say(Condition::First(limit), from);
    true
}

fn words_between(reader: &Reader<'_>, from: usize, to: usize) -> String {
    let words = (from..to).filter_map(|at| reader.token(at));
    let words: Vec<&str> = words.map(|token| token.raw.as_str()).collect();
    words.join(" ")
}

/// A column, and what its values come to.
pub(super) type Measured = (String, Option<How>);

/// "… in orders.csv by amount".
pub(super) fn by_ahead(reader: &mut Reader<'_>) -> Option<Measured> {
    let before = reader.at;
    let by = reader.ahead(&["by"])?;
    reader.skip(before, by, true);
    reader.at = by + 1;
    reader.eat_any(&ARTICLES);
    let how = how(reader);
    reader.eat(&["of"]);
    if let Some(column) = reader.column() {
        Some((column, how))
    } else {
        reader.skip(before, by, false);
        reader.at = before;
        None
    }
}
