//! Which columns are wanted? "only the columns name and price", "the name and salary columns",
//! "without the email column", "drop the column zip".

use super::keys::keys;
use super::phrases::{ARTICLES, PEOPLE, Reader};
use super::tokens::Kind;
use super::{Comparison, Condition, Keep};

const NOUNS: [&str; 4] = ["column", "columns", "field", "fields"];
/// What is said before columns that are to be seen.
const SHOWS: [&str; 14] = [
    "show", "list", "give", "print", "display", "get", "select", "keep", "take", "extract", "pick",
    "see", "want", "need",
];
/// What is done to columns that are not wanted.
const REMOVES: [&str; 9] = [
    "remove", "drop", "delete", "discard", "omit", "exclude", "strip", "hide", "dropping",
];
const WITHOUT: [&str; 8] = [
    "without",
    "except",
    "excluding",
    "minus",
    "omitting",
    "removing",
    "excepting",
    "besides",
];

pub(super) fn chosen(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let understood = left_out(reader) || shown(reader) || asked(reader);
    if !understood {
        reader.at = from;
    }
    understood
}

/// "drop the column zip", "everything except salary and manager".
fn left_out(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let lacks = reader.is(from, &["without"]);
    let removes = reader.eat(&REMOVES);
    let led = removes
        || reader.eat(&WITHOUT)
        || [
            ["leave", "out"],
            ["leaving", "out"],
            ["take", "out"],
            ["all", "but"],
            ["everything", "but"],
            ["but", "not"],
        ]
        .iter()
        .any(|words| reader.eat_all(words))
        || reader.eat_all(&["get", "rid", "of"]);
    if !led {
        return false;
    }
    reader.eat(&["out", "for"]);
    let Some((columns, named)) = names(reader) else {
        reader.at = from;
        return false;
    };
    let end = reader.at;
    // "remove amount over 5" is about rows.
    let compares = reader.comparison().is_some();
    reader.at = end;
    let known = reader.known.is_known();
    if compares || !named && (!known || removes && is_rows(reader, from + 1)) {
        reader.at = from;
        return false;
    }
    if lacks && !named && is_lacking(reader, from) {
        // "remove customers without an email": the others are meant.
        let removed = from.checked_sub(1).and_then(|at| reader.is_denied(at));
        let comparison = match removed {
            Some(_) => Comparison::Present,
            None => Comparison::Missing,
        };
        for column in columns {
            let keep = Keep {
                column,
                comparison,
                value: serde_json::Value::Null,
                or: false,
            };
            reader.say(Condition::Keep(keep), removed.unwrap_or(from));
        }
        return true;
    }
    reader.say(Condition::Without(columns), from);
    true
}

/// "customers without an email" have none; "customers.csv without email" has fewer columns.
fn is_lacking(reader: &Reader<'_>, from: usize) -> bool {
    reader.is(from + 1, &["a", "an", "any"])
        || from.checked_sub(1).is_some_and(|at| is_row(reader, at))
}

fn is_rows(reader: &Reader<'_>, from: usize) -> bool {
    let first = (from..reader.tokens.len()).find(|at| !reader.is(*at, &ARTICLES));
    first.is_some_and(|at| is_row(reader, at))
}

fn is_row(reader: &Reader<'_>, at: usize) -> bool {
    let token = reader.token(at).filter(|token| token.kind == Kind::Word);
    token.is_some_and(|token| reader.is_row(&token.word) || token.is(&PEOPLE))
}

/// Names of columns that stand here, and whether they are called columns.
fn names(reader: &mut Reader<'_>) -> Option<(Vec<String>, bool)> {
    let start = reader.at;
    let first = (start..reader.tokens.len())
        .find(|at| !reader.is(*at, &ARTICLES) && !reader.is(*at, &NOUNS))?;
    // What stands before a column says which rows are meant, not which columns.
    if reader.known.is_known() && reader.column_at(first).is_none() {
        return None;
    }
    let columns = reader.columns(&["save", "show", "then", "keep", "sort"]);
    reader.eat(&NOUNS);
    let named = (start..reader.at).any(|at| reader.is(at, &NOUNS));
    (!columns.is_empty()).then_some((columns, named))
}

/// "show the name and salary columns", "only the name and email".
fn shown(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let with = reader.eat(&["with"]);
    let mut only = !with && reader.eat(&["only", "just"]);
    let shows = !with && !only && reader.eat(&SHOWS);
    reader.eat(&["me"]);
    only |= reader.eat(&["only", "just"]);
    if !(with || only || shows) || shows && reader.is(reader.at, &NOUNS) {
        return false;
    }
    let start = reader.at;
    let row = is_rows(reader, start);
    let Some((columns, named)) = names(reader) else {
        reader.at = from;
        return false;
    };
    only |= reader.eat(&["only"]);
    let end = reader.at;
    let compares = reader.comparison().is_some();
    reader.at = end;
    reader.eat_place();
    let grouped = keys(reader).is_some();
    reader.at = end;
    let valued = reader.value_at(end).is_some();
    let known = reader.known.is_known();
    let leads_on = reader.ends_here()
        || reader.is(end, &["of", "in", "from", "for", "to", "as", "where"])
        || reader.is_file(end);
    let several = columns.len() > 1 || only;
    let meant = named && (shows || only) || known && several && (shows || only) && !row;
    if !meant || compares || grouped || valued || !leads_on {
        reader.at = from;
        return false;
    }
    reader.say(Condition::Columns(columns), from);
    true
}

/// "which columns has sales.csv", "only the columns name and price".
fn asked(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let asks = reader.eat(&["which", "what", "list"]);
    let all = reader.is(reader.at, &["all", "every"]);
    reader.eat_any(&ARTICLES);
    if !reader.eat(&NOUNS) && !reader.eat(&["headers", "header"]) {
        reader.at = from;
        return false;
    }
    // "all columns except …" are told by what is left out.
    if all
        && reader
            .ahead(&["but"])
            .or_else(|| reader.ahead(&WITHOUT))
            .is_some()
    {
        reader.mark(from, reader.at);
        return true;
    }
    let names = reader.eat(&["names", "headers", "headings"]);
    let leads_on = reader.is(
        reader.at,
        &["has", "have", "does", "do", "are", "is", "in", "of"],
    ) || reader.now().is_none();
    if names || leads_on || asks && reader.is_file(reader.at) {
        reader.eat(&["has", "have", "does", "do", "are", "is"]);
        reader.say(Condition::Names, from);
        return true;
    }
    let columns = reader.columns(&["save", "show", "then", "keep", "sort"]);
    if columns.is_empty() {
        reader.at = from;
        return false;
    }
    reader.say(Condition::Columns(columns), from);
    true
}
