//! Are the tables of a folder meant, all together? "merge all csv files in data into all.csv",
//! "total units over all csv files in data".

use super::figures::how;
use super::files::folder;
use super::phrases::{ARTICLES, Reader};
use super::{Condition, tokens::Kind};

const MERGES: [&str; 8] = [
    "merge",
    "combine",
    "stack",
    "concatenate",
    "concat",
    "append",
    "join",
    "union",
];
const KINDS: [(&[&str], &str); 3] = [
    (&["csv", "csvs"], "csv"),
    (&["excel", "xlsx"], "xlsx"),
    (&["tsv"], "tsv"),
];

/// What is asked of all tables of a folder together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    OneTable,
    Figures,
}

/// Notes the tables of a folder, where something is asked of all of them together.
pub(super) fn gathered(reader: &mut Reader<'_>) -> Option<Asked> {
    let all = || 0..reader.tokens.len();
    let (mut merges, mut sums) = (all(), all());
    let found = match () {
        () if merges.any(|at| merged(reader, at)) => Some(Asked::OneTable),
        () if sums.any(|at| summed(reader, at)) => Some(Asked::Figures),
        () => None,
    };
    reader.at = 0;
    found
}

/// "merge all csv files in data".
fn merged(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    if !reader.eat(&MERGES) {
        return false;
    }
    reader.eat(&["together"]);
    let Some((folder, ending)) = tables(reader) else {
        return false;
    };
    reader.eat(&["together"]);
    let end = reader.at;
    // "into one file called all.csv"
    let one = reader.eat(&["into", "in", "to"]) && reader.eat_any_of(&["one", "a", "single"]);
    if !(one && reader.eat(&["file", "table", "csv", "sheet"])) {
        reader.at = end;
    }
    reader.say(Condition::Tables { folder, ending }, from);
    true
}

/// "over all csv files in data", after a figure.
fn summed(reader: &mut Reader<'_>, from: usize) -> bool {
    let led = reader.is(from, &["over", "across", "of", "in", "from", "for"]);
    let all = reader.is(from + 1, &["all", "every", "the"]);
    let figure = (0..from).any(|at| {
        reader.at = at;
        how(reader).is_some()
    });
    reader.at = from + 1;
    if !(led && all && figure) {
        return false;
    }
    let Some((folder, ending)) = tables(reader) else {
        return false;
    };
    reader.say(Condition::Tables { folder, ending }, from);
    true
}

/// "all csv files in data", with what they end with.
fn tables(reader: &mut Reader<'_>) -> Option<(String, String)> {
    reader.eat_any(&["of"]);
    reader.eat_any(&ARTICLES);
    let (_, ending) = KINDS.iter().find(|(words, _)| reader.eat(words))?;
    reader.eat(&["files", "file", "tables"]);
    let folder = folder(reader)?;
    let goes_on = reader.now().is_some_and(|token| token.kind == Kind::File);
    (!goes_on).then(|| (folder, (*ending).to_owned()))
}
