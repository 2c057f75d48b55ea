//! What is said about the rows of a table? One rule for each way of saying it, tried at every
//! word in turn.

use serde_json::Value;

use super::phrases::{ARTICLES, ROWS, Reader};
use super::tokens::{Kind, counted};
use super::{Comparison, Condition, Counted, Group, How, Keep, Period, Side};

const SORTS: [&str; 10] = [
    "sort", "sorted", "sorting", "order", "ordered", "ordering", "rank", "ranked", "arrange",
    "arranged",
];
const HIGHEST: [&str; 10] = [
    "largest", "biggest", "highest", "greatest", "newest", "latest", "longest", "best", "most",
    "heaviest",
];
const LOWEST: [&str; 8] = [
    "smallest", "lowest", "oldest", "earliest", "cheapest", "shortest", "worst", "fewest",
];
const HOWS: [(&[&str], How); 6] = [
    (&["sum", "total", "totals"], How::Sum),
    (&["average", "averages", "mean", "avg"], How::Mean),
    (&["median"], How::Median),
    (&["minimum", "min"], How::Lowest),
    (&["maximum", "max"], How::Highest),
    (&["count", "number"], How::Count),
];
const PERIODS: [(&[&str], Period); 5] = [
    (&["day", "daily"], Period::Day),
    (&["week", "weekly"], Period::Week),
    (&["month", "monthly"], Period::Month),
    (&["quarter", "quarterly"], Period::Quarter),
    (&["year", "yearly", "annually"], Period::Year),
];
/// Words with which something else begins.
const BEGINS: [&str; 24] = [
    "sum", "total", "average", "mean", "median", "count", "max", "min", "maximum", "minimum",
    "then", "show", "make", "sort", "save", "keep", "draw", "plot", "the", "number", "only",
    "chart", "write", "export",
];
const PER: [&str; 5] = ["by", "per", "for", "across", "in"];

/// Reads all that is said about rows.
pub(super) fn read(reader: &mut Reader<'_>) {
    while reader.at < reader.tokens.len() {
        let before = reader.at;
        let understood = sort(reader)
            || top(reader)
            || first(reader)
            || count(reader)
            || keep(reader)
            || group(reader)
            || super::shapes::read(reader)
            || measure(reader);
        if !understood {
            reader.at = before + 1;
        }
    }
}

/// "sort sales.csv by revenue descending".
fn sort(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.eat(&SORTS) {
        return false;
    }
    let early = reader.direction();
    let Some(by) = reader.ahead(&["by"]).or_else(|| reader.ahead(&["of"])) else {
        reader.at = from;
        return false;
    };
    let between = reader.at..by;
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
    loop {
        let Some(column) = reader.column() else {
            break;
        };
        let descending = direction(reader).or(early).unwrap_or(false);
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
        reader.at = from;
    }
    any
}

/// A direction, also after a comma.
fn direction(reader: &mut Reader<'_>) -> Option<bool> {
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
    let is_row = noun.is_some_and(|noun| reader.is_row(&noun.word));
    reader.at += usize::from(is_row);
    if !is_row && limit.is_none() {
        // "the highest price" of all, or of each.
        let how = if up { How::Lowest } else { How::Highest };
        return figure(reader, how, from);
    }
    let named = match noun {
        // The prices of prices.csv may well be a column.
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

fn words_between(reader: &Reader<'_>, from: usize, to: usize) -> String {
    let words = (from..to).filter_map(|at| reader.token(at));
    let words: Vec<&str> = words.map(|token| token.raw.as_str()).collect();
    words.join(" ")
}

/// A column, and what its values come to.
type Measured = (String, Option<How>);

/// "… in orders.csv by amount".
fn by_ahead(reader: &mut Reader<'_>) -> Option<Measured> {
    let before = reader.at;
    let by = reader.ahead(&["by"])?;
    reader.skip(before, by, true);
    reader.at = by + 1;
    reader.eat_any(&ARTICLES);
    let how = how(reader);
    reader.eat(&["of"]);
    match reader.column() {
        Some(column) => Some((column, how)),
        None => {
            reader.skip(before, by, false);
            reader.at = before;
            None
        }
    }
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
    if !is_row || !(said || number.is_some() && asked) {
        reader.at = from;
        return false;
    }
    reader.at += 1;
    reader.say(Condition::First(number.unwrap_or(1)), from);
    true
}

/// "how many rows", "the number of orders per customer", "how many different regions".
fn count(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let asked = reader.eat_all(&["how", "many"])
        || reader.eat_all(&["number", "of"])
        || reader.eat(&["count"]);
    if !asked {
        return false;
    }
    reader.eat(&["of"]);
    reader.eat_any(&ARTICLES);
    let distinct = reader.eat(&["different", "distinct", "unique"]);
    let noun = reader.now().filter(|token| token.kind == Kind::Word);
    let Some(noun) = noun else {
        reader.at = from;
        return false;
    };
    if noun.is(&[
        "words",
        "characters",
        "letters",
        "sentences",
        "paragraphs",
        "files",
        "duplicates",
    ]) {
        reader.at = from;
        return false;
    }
    if noun.is(&["columns", "fields"]) {
        reader.at += 1;
        reader.say(Condition::Count(Counted::Columns), from);
        return true;
    }
    let is_row = reader.is_row(&noun.word);
    let column = if is_row && !(distinct && !ROWS.contains(&noun.word.as_str())) {
        reader.at += 1;
        None
    } else {
        reader.column()
    };
    let end = reader.at;
    reader.eat_place();
    let group = match keys(reader) {
        Some((by, period)) => Group {
            by,
            period,
            how: How::Count,
            column: None,
        },
        None => {
            reader.at = end;
            match column {
                // Rows that are called so are told apart by the column of that name.
                Some(column) => Group {
                    how: How::Distinct,
                    column: Some(column),
                    ..Group::default()
                },
                None => {
                    reader.say(Condition::Count(Counted::Rows), from);
                    reader.eat_place();
                    bare(reader);
                    return true;
                }
            }
        }
    };
    reader.say(Condition::Group(group), from);
    true
}

/// "how many orders are paid": a value without a column.
fn bare(reader: &mut Reader<'_>) {
    let from = reader.at;
    if !reader.is(from, &["is", "are", "was", "were"])
        || reader.is(from + 1, &["in", "there"])
        || reader.is_file(from + 1)
    {
        return;
    }
    if let Some((comparison, value)) = reader.comparison() {
        let column = String::new();
        reader.say(
            Condition::Keep(Keep {
                column,
                comparison,
                value,
                or: false,
            }),
            from,
        );
    }
}

/// "where amount is over 100 and status is paid", "with region North".
fn keep(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let before = from.checked_sub(1).and_then(|at| reader.token(at));
    let of_rows =
        before.is_some_and(|token| reader.is_row(&token.word) || token.kind == Kind::File);
    let strict = reader.eat(&["where", "whose", "having"]) || reader.eat_all(&["for", "which"]);
    let filters = !strict && reader.eat(&["filter", "filtered"]);
    let loose = !strict && !filters && reader.eat(&["with", "have", "has"]);
    if !(strict || filters || loose) {
        return false;
    }
    if filters {
        reader.eat_place();
        reader.eat_any(&ARTICLES);
        reader.eat_any(&ROWS);
        reader.eat(&["by", "on", "for", "to", "where", "with"]);
        reader.eat_any(&ROWS);
        reader.eat(&["where", "with"]);
    }
    let mut last: Option<String> = None;
    let mut or = false;
    loop {
        let start = reader.at;
        let juxtaposed = last.is_none() && (strict || filters || of_rows);
        let Some(keep) = condition(reader, last.as_deref(), juxtaposed) else {
            reader.at = start;
            break;
        };
        last = Some(keep.column.clone());
        let begin = if start == from { from } else { start };
        reader.say(Condition::Keep(Keep { or, ..keep }), begin);
        let end = reader.at;
        let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
        reader.at += usize::from(is_comma);
        let and = reader.eat(&["and", "but"]);
        or = !and && reader.eat(&["or"]);
        if !(and || or || is_comma) {
            reader.at = end;
            break;
        }
        reader.eat(&["where", "whose", "with", "that", "the"]);
    }
    let any = last.is_some();
    if any {
        reader.mark(from, reader.at);
    } else {
        reader.unclear |= strict || filters;
        reader.at = from;
    }
    any
}

/// A column, how it is compared, and with what.
fn condition(reader: &mut Reader<'_>, last: Option<&str>, juxtaposed: bool) -> Option<Keep> {
    let kept = |column: String, (comparison, value): (Comparison, Value)| Keep {
        column,
        comparison,
        value,
        or: false,
    };
    // "over 100 and under 200"
    if let Some(last) = last
        && let Some(compared) = reader.comparison()
    {
        return Some(kept(last.to_owned(), compared));
    }
    let column = reader.column()?;
    if reader.eat(&["of"])
        && let Some(value) = reader.value()
    {
        return Some(kept(column, (Comparison::Equal, value)));
    }
    if let Some(compared) = reader.comparison() {
        return Some(kept(column, compared));
    }
    let next = reader.now();
    let is_value = next.is_some_and(|token| {
        token.is_capital() || matches!(token.kind, Kind::Number(_) | Kind::Quoted)
    });
    if is_value && let Some(value) = reader.value() {
        return Some(kept(column, (Comparison::Equal, value)));
    }
    // "status paid"
    let (name, value) = column.rsplit_once(' ').filter(|_| juxtaposed)?;
    Some(kept(
        name.to_owned(),
        (Comparison::Equal, Value::from(value)),
    ))
}

/// "group sales.csv by region and sum revenue".
fn group(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.eat(&[
        "group",
        "grouped",
        "grouping",
        "summarise",
        "summarize",
        "aggregate",
    ]) {
        return false;
    }
    let Some(by) = reader.ahead(&["by", "per"]) else {
        reader.at = from;
        return false;
    };
    reader.skip(reader.at, by, true);
    reader.at = by;
    let Some((by, period)) = keys(reader) else {
        reader.at = from;
        return false;
    };
    let mut any = false;
    loop {
        let end = reader.at;
        let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
        reader.at += usize::from(is_comma);
        reader.eat_any(&[
            "and",
            "then",
            "with",
            "showing",
            "show",
            "compute",
            "calculate",
            "get",
        ]);
        reader.eat_any(&ARTICLES);
        let measured = how(reader).map(|how| {
            reader.eat(&["up", "of"]);
            reader.eat_any(&ARTICLES);
            let is_row = reader.now().is_some_and(|token| reader.is_row(&token.word));
            reader.at += usize::from(is_row);
            let column = if is_row { None } else { reader.column() };
            (how, column)
        });
        let Some((how, column)) =
            measured.filter(|(how, column)| *how == How::Count || column.is_some())
        else {
            reader.at = end;
            break;
        };
        let column = column.filter(|_| how != How::Count);
        let group = Group {
            by: by.clone(),
            period,
            how,
            column,
        };
        reader.say(Condition::Group(group), if any { end } else { from });
        any = true;
    }
    if !any {
        let group = Group {
            by,
            period,
            ..Group::default()
        };
        reader.say(Condition::Group(group), from);
        ordered(reader, "count".to_owned());
    }
    true
}

/// "average price per category", "the sum of revenue in sales.csv".
fn measure(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    match how(reader) {
        Some(How::Count) | None => {
            reader.at = from;
            false
        }
        Some(how) => figure(reader, how, from),
    }
}

/// A figure of a column, of all rows or of each group.
fn figure(reader: &mut Reader<'_>, how: How, from: usize) -> bool {
    reader.eat(&["up"]);
    reader.eat(&["of", "value"]);
    if reader.is(reader.at, &["number", "count"]) {
        reader.at = from;
        return false;
    }
    let Some(column) = reader.column() else {
        reader.at = from;
        return false;
    };
    let end = reader.at;
    reader.eat_place();
    let (by, period) = keys(reader).unwrap_or_else(|| {
        reader.at = end;
        (Vec::new(), None)
    });
    let group = Group {
        by,
        period,
        how,
        column: Some(column.clone()),
    };
    reader.say(Condition::Group(group), from);
    ordered(reader, column);
    true
}

/// "…, largest first": of the figures.
fn ordered(reader: &mut Reader<'_>, column: String) {
    let from = reader.at;
    reader.eat_place();
    if let Some(descending) = direction(reader) {
        reader.say(Condition::Sort { column, descending }, from);
    } else {
        reader.at = from;
    }
}

pub(super) fn how(reader: &mut Reader<'_>) -> Option<How> {
    let found = HOWS.iter().find(|(words, _)| reader.eat(words));
    found.map(|(_, how)| *how)
}

/// "by region and product", "per month", "for each customer".
pub(super) fn keys(reader: &mut Reader<'_>) -> Option<(Vec<String>, Option<Period>)> {
    let from = reader.at;
    reader.eat(&["grouped", "split"]);
    let monthly = PERIODS.iter().find(|(words, _)| {
        let adverbs = words.get(1..).unwrap_or_default();
        reader.eat(adverbs)
    });
    if let Some((_, period)) = monthly {
        return Some((Vec::new(), Some(*period)));
    }
    let said = reader.eat(&["by", "per"])
        || (reader.is(reader.at + 1, &["each", "every"]) && reader.eat(&PER));
    if !said {
        reader.at = from;
        return None;
    }
    reader.eat_any(&ARTICLES);
    let mut columns = reader.columns(&BEGINS);
    let mut period = None;
    columns.retain(|column| {
        let own = PERIODS
            .iter()
            .find(|(words, _)| words.first() == Some(&column.to_lowercase().as_str()));
        period = period.or(own.map(|(_, period)| *period));
        own.is_none()
    });
    if columns.is_empty() && period.is_none() {
        reader.at = from;
        return None;
    }
    Some((columns, period))
}

/// How tables meet, by the verb.
pub(super) fn side(reader: &mut Reader<'_>) -> Side {
    match () {
        () if reader.eat(&["left"]) => Side::Left,
        () if reader.eat(&["right"]) => Side::Right,
        () if reader.eat(&["outer", "full"]) => Side::Both,
        () => {
            reader.eat(&["inner"]);
            Side::Neither
        }
    }
}
