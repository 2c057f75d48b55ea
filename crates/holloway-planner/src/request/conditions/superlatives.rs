//! Which is the most of something? "which region has the highest revenue", "the top 3 products
//! by revenue", "who ordered most", where the tables are known: what is asked about tells
//! whether rows are meant or what the rows of each come to.

use super::super::surroundings::{Column, singular};
use super::figures::how;
use super::meant::column_of;
use super::phrases::{ARTICLES, PEOPLE, Reader};
use super::rows::{HIGHEST, LOWEST, by_ahead};
use super::tokens::{Kind, counted};
use super::{Condition, Group, How};

/// Verbs that are about what comes in or goes out.
const PAYS: [&str; 10] = [
    "spent", "spends", "spend", "sold", "sells", "earned", "earns", "paid", "makes", "made",
];

/// How many are wanted, from which end, and of which column where the word says so.
struct Most {
    limit: Option<u64>,
    down: bool,
    implied: Option<String>,
    /// "most" and "fewest" can count rows.
    counts: bool,
    one: bool,
}

/// What is asked about.
enum Subject {
    Rows,
    /// What rows of the same are told apart by.
    Each(Vec<String>),
}

pub(super) fn superlative(reader: &mut Reader<'_>) -> bool {
    let (from, found) = (reader.at, reader.found.len());
    let understood = reader.known.is_known() && asked(reader, from).is_some();
    if !understood {
        reader.at = from;
        reader.found.truncate(found);
    }
    understood
}

fn asked(reader: &mut Reader<'_>, from: usize) -> Option<()> {
    let most = most(reader)?;
    reader.eat(&["selling", "performing", "earning"]);
    let values = reader.values_ahead();
    let figure = how(reader);
    reader.eat(&["of"]);
    let noun = reader.now().filter(|token| token.kind == Kind::Word);
    let is_row = noun.is_some_and(|noun| reader.is_row(&noun.word) || noun.is(&PEOPLE));
    // "the oldest employee start date" is a date.
    let leads = is_row && reader.column_at(reader.at + 1).is_some();
    reader.at += usize::from(leads);
    let is_row = is_row && !leads;
    let many = noun.is_some_and(|noun| singular(&noun.word) != noun.word);
    let column = reader.column_at(reader.at).filter(|_| !is_row);
    reader.at += column.map_or(usize::from(is_row), |(_, count)| count);
    let end = reader.at;
    let before = subject_before(reader, from);
    let by = by_ahead(reader);
    let (subject, measured, start) = match (before, by, column) {
        // "top 3 products by revenue"
        (_, Some((y, how)), Some((x, _))) if figure.is_none() => {
            (each(reader, x), (Some(y), how), from)
        }
        (_, Some((y, how)), None) if is_row => (Subject::Rows, (Some(y), how), from),
        // "which region has the highest revenue"
        (Some((subject, start)), None, Some((y, _))) => {
            (subject, (Some(y.name.clone()), figure), start)
        }
        // "which customer spent the most"
        (Some((Subject::Each(x), start)), None, None)
            if most.counts && !is_row && (start..from).any(|at| reader.is(at, &PAYS)) =>
        {
            let mut verbs = (start..from).filter_map(|at| column_of(reader, at));
            let meant = verbs.next().map(|column| column.name.clone());
            let y = meant.or_else(|| reader.known.worth())?;
            (Subject::Each(x), (Some(y), Some(How::Sum)), start)
        }
        // "which customer has the most orders", "who ordered most"
        (Some((Subject::Each(x), start)), None, None)
            if most.counts && (is_row || counts_rows(reader, start, from)) =>
        {
            (Subject::Each(x), (None, Some(How::Count)), start)
        }
        (Some((_, start)), None, None) if most.implied.is_some() => {
            (Subject::Rows, (most.implied.clone(), None), start)
        }
        (None, None, None) if is_row => {
            let y = most.implied.clone().or_else(|| reader.known.measure())?;
            (Subject::Rows, (Some(y), None), from)
        }
        (None, None, Some((x, _))) if most.limit.is_some() && !x.is_measure() => {
            (each(reader, x), (Some(reader.known.measure()?), None), from)
        }
        (None, None, Some((y, _))) if most.limit.is_some() && figure.is_none() => {
            (Subject::Rows, (Some(y.name.clone()), None), from)
        }
        _ => return None,
    };
    reader.at = reader.at.max(end);
    say(reader, &most, subject, measured, start);
    reader.mark(start, reader.at.min(end));
    let after = reader.at;
    for at in values {
        reader.at = at;
        reader.valued();
    }
    reader.at = after;
    reader.eat_all(&["in", "total"]);
    // "the best selling products" are all of them in that order.
    let is_limited = most.limit.is_some() || !many || start < from || most.one;
    if is_limited {
        reader.say(Condition::First(most.limit.unwrap_or(1)), start);
    }
    Some(())
}

fn each(reader: &Reader<'_>, column: &Column) -> Subject {
    // Beside another table the rows of one stand there more than once.
    if column.repeats || reader.known.tables > 1 {
        Subject::Each(vec![column.name.clone()])
    } else {
        Subject::Rows
    }
}

fn say(
    reader: &mut Reader<'_>,
    most: &Most,
    subject: Subject,
    (column, how): (Option<String>, Option<How>),
    start: usize,
) {
    let adds_up = column
        .as_deref()
        .and_then(|name| reader.known.column(name))
        .is_some_and(Column::adds_up);
    let how = how.or(adds_up.then_some(How::Sum));
    let by = match subject {
        Subject::Each(by) => how.map(|how| (by, how)),
        Subject::Rows => None,
    };
    if let Some((by, how)) = by {
        let group = Group {
            by,
            how,
            column: column.clone(),
            ..Group::default()
        };
        reader.say(Condition::Group(group), start);
    }
    let column = column.unwrap_or_else(|| "count".to_owned());
    let descending = most.down;
    reader.say(Condition::Sort { column, descending }, start);
}

/// "top 3", "the two largest", "most recent".
fn most(reader: &mut Reader<'_>) -> Option<Most> {
    let mut limit = number(reader);
    let top = reader.eat(&["top"]);
    let bottom = !top && reader.eat(&["bottom"]);
    limit = limit.or_else(|| number(reader));
    let date = reader.known.date().map(|column| column.name.clone());
    let age = reader.known.column("age").map(|column| column.name.clone());
    let at = reader.at;
    let (down, implied) = match () {
        () if reader.eat_all(&["most", "recent"]) => (true, Some(date?)),
        () if reader.eat_all(&["least", "recent"]) => (false, Some(date?)),
        () if reader.eat_all(&["most", "expensive"]) => (true, Some(price(reader)?)),
        () if reader.eat_all(&["least", "expensive"]) => (false, Some(price(reader)?)),
        () if reader.eat(&["cheapest"]) => (false, price(reader)),
        () if reader.eat(&["newest", "latest"]) => (true, date),
        () if reader.eat(&["youngest"]) => (false, Some(age?)),
        () if reader.eat(&["oldest"]) => match age {
            Some(age) => (true, Some(age)),
            None => (false, date),
        },
        () if reader.eat(&["earliest"]) => (false, date),
        () if reader.eat(&HIGHEST) => (true, None),
        () if reader.eat(&LOWEST) || reader.eat(&["least"]) => (false, None),
        () if top || bottom => (top, None),
        () => return None,
    };
    let counts = reader.is(at, &["most", "least", "fewest", "best"]);
    limit = limit.or_else(|| number(reader));
    Some(Most {
        limit,
        down,
        implied,
        counts,
        one: limit == Some(1),
    })
}

fn number(reader: &mut Reader<'_>) -> Option<u64> {
    let number = reader.now().and_then(counted);
    reader.at += usize::from(number.is_some());
    number
}

fn price(reader: &Reader<'_>) -> Option<String> {
    let names = ["price", "cost", "amount"].into_iter();
    let mut columns = names.filter_map(|name| reader.known.column(name));
    columns.next().map(|column| column.name.clone())
}

/// The customer in "which customer has the …", where it begins.
fn subject_before(reader: &Reader<'_>, from: usize) -> Option<(Subject, usize)> {
    /// Verbs and the like between what is asked about and the superlative.
    const BETWEEN: usize = 3;
    let mut words = 0;
    let mut at = from;
    while let Some(last) = at.checked_sub(1) {
        let token = reader.token(last)?;
        if token.is(&["who", "whom"]) {
            let person = reader.known.only(Column::is_person)?;
            return Some((Subject::Each(vec![person.name.clone()]), last));
        }
        let column = (1..=at.min(4)).find_map(|count| {
            let (column, words) = reader.column_at(at - count)?;
            (words == count).then_some((column, at - count))
        });
        if let Some((column, start)) = column {
            let start = leading(reader, start);
            return (!reader.was_read(start)).then(|| (each(reader, column), start));
        }
        let is_row = token.kind == Kind::Word && reader.is_row(&token.word);
        let is_verb = reader.is(last.wrapping_sub(1), &["who", "that", "which"])
            && token.word.ends_with("ed");
        let apart = reader.known.told_apart(&token.word).filter(|_| is_row);
        if let Some(apart) = apart {
            return Some((Subject::Each(apart), leading(reader, last)));
        }
        if is_row && !is_verb || token.is(&PEOPLE) {
            return Some((Subject::Rows, leading(reader, last)));
        }
        let passes = matches!(token.kind, Kind::File)
            || reader.is(last, &ARTICLES)
            || reader.is(
                last,
                &[
                    "in", "of", "from", "with", "has", "have", "had", "is", "are",
                ],
            );
        words += usize::from(!passes);
        if words > BETWEEN || !matches!(token.kind, Kind::Word | Kind::File) {
            return None;
        }
        at = last;
    }
    None
}

/// Where "which" or an article before a noun stands.
fn leading(reader: &Reader<'_>, at: usize) -> usize {
    let before = at.checked_sub(1);
    let led = before
        .filter(|before| reader.is(*before, &["which", "what"]) || reader.is(*before, &ARTICLES));
    led.unwrap_or(at)
}

/// "ordered" of orders.csv: the verb says that rows are counted.
fn counts_rows(reader: &Reader<'_>, start: usize, from: usize) -> bool {
    (start..from).any(|at| {
        reader.token(at).is_some_and(|token| {
            let stem = token.word.strip_suffix("ed").unwrap_or(&token.word);
            reader.is_row(stem) || token.is(&["appears", "appear", "occurs", "occur"])
        })
    })
}
