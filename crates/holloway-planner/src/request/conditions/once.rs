//! Which rows or values stand there only once? "remove duplicates", "the unique regions", "the
//! products in orders.csv without duplicates".

use super::Condition;
use super::leftovers::says_nothing;
use super::phrases::{ARTICLES, ROWS, Reader};

/// "remove duplicates", "deduplicate", "the unique regions".
pub(super) fn unique(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let removes = reader.eat(&[
        "remove",
        "drop",
        "delete",
        "without",
        "eliminate",
        "discard",
    ]);
    reader.eat_any(&ARTICLES);
    let repeats = reader.eat(&["duplicate", "duplicates", "duplicated", "repeated"]);
    let all = !removes && !repeats && reader.eat(&["deduplicate", "dedupe", "dedup"]);
    if (removes && repeats) || all {
        reader.eat_any(&ROWS);
        let end = reader.at;
        reader.eat_place();
        let said = reader.eat(&["by"])
            || reader.eat_all(&["based", "on"])
            || reader.eat_all(&["with", "the", "same"]);
        let columns = if said {
            reader.columns(&[])
        } else {
            Vec::new()
        };
        if columns.is_empty() {
            reader.at = end;
        }
        if columns.is_empty() && reader.is(from, &["without"]) {
            name_before(reader, from);
        }
        reader.say(Condition::Unique { columns }, from);
        return true;
    }
    reader.at = from;
    if removes || !reader.eat(&["unique", "distinct"]) {
        reader.at = from;
        return false;
    }
    let is_row = reader.now().is_some_and(|token| reader.is_row(&token.word));
    if is_row {
        reader.at += 1;
        reader.say(
            Condition::Unique {
                columns: Vec::new(),
            },
            from,
        );
        return true;
    }
    let columns = reader.columns(&[]);
    if columns.is_empty() {
        reader.at = from;
        return false;
    }
    reader.say(Condition::Columns(columns), from);
    reader.say(
        Condition::Unique {
            columns: Vec::new(),
        },
        from,
    );
    true
}

/// The products in "the products in orders.csv without duplicates".
fn name_before(reader: &mut Reader<'_>, end: usize) {
    let passes = |at: &usize| {
        reader.is_file(*at)
            || reader
                .token(*at)
                .is_some_and(|token| says_nothing(&token.word))
    };
    let Some(last) = (0..end).rev().find(|at| !passes(at)) else {
        return;
    };
    // As many words as the name of the column has.
    let found = (0..=last).find_map(|at| {
        let (column, count) = reader.column_at(at)?;
        (at + count == last + 1 && !reader.was_read(at)).then(|| (at, column.name.clone()))
    });
    let is_row = reader
        .token(last)
        .is_some_and(|token| reader.is_row(&token.word));
    if let Some((at, column)) = found.filter(|_| !is_row) {
        let here = std::mem::replace(&mut reader.at, last + 1);
        reader.say(Condition::Columns(vec![column]), at);
        reader.at = here;
    }
}
