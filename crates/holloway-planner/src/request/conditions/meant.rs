//! Which column does a verb stand for? "earning at least 45000" is about the salary, "published
//! before 1950" about the year, of tables whose columns are known.

use super::super::surroundings::{Column, Holds};
use super::compared::is_number;
use super::dated;
use super::phrases::Reader;
use super::tokens::Kind;
use super::{Comparison, Condition, Keep};

/// Verbs, and the columns that they may be about, the likeliest first.
#[rustfmt::skip]
const VERBS: [(&[&str], &[&str]); 9] = [
    (&["earn", "earns", "earning", "earned"], &["salary", "earnings", "wage", "income", "pay"]),
    (&["cost", "costs", "costing", "priced"], &["price", "cost", "amount"]),
    (&["weigh", "weighs", "weighing"], &["weight"]),
    (&["worth"], &["worth", "value", "amount", "price"]),
    (&["spend", "spends", "spent", "spending"], &["spent", "spend", "amount", "total", "cost"]),
    (&["started", "starting", "hired", "joined", "began"], &["started", "start", "hired", "hire", "joined", "join"]),
    (&["published", "released", "written", "printed"], &["published", "released", "release", "year", "date"]),
    (&["born"], &["born", "birth", "birthday", "birthdate", "year"]),
    (&["founded", "established", "built", "made"], &["founded", "established", "built", "year"]),
];

/// "earning at least 45000", "started after 2022-01-01", "published before 1950".
pub(super) fn meant(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let Some(column) = column_of(reader, from) else {
        return false;
    };
    reader.at = from + 1;
    reader.eat(&["for"]);
    let understood = match column.holds {
        Holds::Dates => dated::dated_in(reader, column, from),
        Holds::Numbers => compared(reader, column, from),
        Holds::Texts => false,
    };
    if !understood {
        reader.at = from;
    }
    understood
}

/// The column that the verb at a place stands for.
pub(super) fn column_of<'t>(reader: &Reader<'t>, at: usize) -> Option<&'t Column> {
    let (_, names) = VERBS.iter().find(|(verbs, _)| reader.is(at, verbs))?;
    reader.known.first_of(names)
}

fn compared(reader: &mut Reader<'_>, column: &Column, from: usize) -> bool {
    let (since, within) = (reader.eat(&["since"]), reader.eat(&["in"]));
    let number = reader
        .now()
        .is_some_and(|token| matches!(token.kind, Kind::Number(_)));
    let found = if (since || within) && number {
        let comparison = if since {
            Comparison::AtLeast
        } else {
            Comparison::Equal
        };
        reader.value().map(|value| (comparison, value))
    } else {
        reader.comparison()
    };
    let Some((comparison, value)) = found.filter(|(_, value)| is_number(value)) else {
        return false;
    };
    let keep = Keep {
        column: column.name.clone(),
        comparison,
        value,
        or: false,
    };
    reader.say(Condition::Keep(keep), from);
    true
}
