//! Which verbs mean the same? What people say, and what tools that do it are called after.

use crate::lexicon::lists::{Rows, Table};
/// Verbs that mean the same, or nearly.
static SAME: Rows = Rows::named("tools_verbs.same");

/// What people say, and what tools that do it are called after.
static SPOKEN: Table = Table::named("tools_verbs.spoken");

/// Verbs that mean what this one means.
pub(super) fn same(verb: &str) -> impl Iterator<Item = &'static str> {
    let rows = SAME.iter().filter(move |row| row.contains(&verb));
    let others = rows.flat_map(|row| row.iter().copied());
    others
        .filter(move |other| *other != verb)
        .collect::<Vec<_>>()
        .into_iter()
}

/// What tools are called after that do what is spoken of so.
pub(super) fn spoken(verb: &str) -> &'static [&'static str] {
    SPOKEN.of(verb)
}

/// Names are mostly spelled so.
pub(super) fn american(verb: &str) -> String {
    match verb.strip_suffix("ise") {
        Some(start) => format!("{start}ize"),
        None => verb.to_owned(),
    }
}
