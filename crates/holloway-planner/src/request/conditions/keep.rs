//! Which rows are kept? "where amount is over 100 and status is paid", "with region North".

use serde_json::Value;

use super::phrases::{ARTICLES, ROWS, Reader};
use super::tokens::Kind;
use super::{Comparison, Condition, Keep};

/// "how many orders are paid": a value without a column.
pub(super) fn bare(reader: &mut Reader<'_>) {
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
pub(super) fn keep(reader: &mut Reader<'_>) -> bool {
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
    let said = reader.found.len();
    let mut last: Option<String> = None;
    let mut or = false;
    // Where the last condition ended, before the word that joins the next.
    let mut end = reader.at;
    loop {
        let start = reader.at;
        let juxtaposed = last.is_none() && (strict || filters || of_rows);
        let alternative = last.as_deref().filter(|_| or);
        let other = alternative.and_then(|last| other_value(reader, last));
        let found = other.or_else(|| condition(reader, last.as_deref(), juxtaposed));
        let Some(keep) = found else {
            reader.at = end;
            break;
        };
        if or && adds_value(reader, &keep) {
            reader.mark(end, reader.at);
            end = reader.at;
            or = next_is_or(reader);
            if or {
                continue;
            }
            reader.at = end;
            break;
        }
        last = Some(keep.column.clone());
        let begin = if start == from { from } else { start };
        reader.say(Condition::Keep(Keep { or, ..keep }), begin);
        end = reader.at;
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
    if any && let Some(denied) = reader.is_denied(from) {
        // "remove the rows where …": the others are meant.
        reader.turn_round(said);
        reader.mark(denied, from);
    }
    if any {
        reader.mark(from, reader.at);
    } else {
        reader.unclear |= strict || filters;
        reader.at = from;
    }
    any
}

/// Whether one more value of the column that was compared last may stand there.
fn adds_value(reader: &mut Reader<'_>, keep: &Keep) -> bool {
    let last = reader.found.last_mut().map(|said| &mut said.condition);
    let Some(Condition::Keep(last)) = last.filter(|_| keep.comparison == Comparison::Equal) else {
        return false;
    };
    if last.column != keep.column {
        return false;
    }
    match (last.comparison, &mut last.value) {
        (Comparison::Equal, value) => *value = Value::from(vec![value.clone(), keep.value.clone()]),
        (Comparison::OneOf, Value::Array(values)) => values.push(keep.value.clone()),
        _ => return false,
    }
    last.comparison = Comparison::OneOf;
    true
}

fn next_is_or(reader: &mut Reader<'_>) -> bool {
    let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
    reader.at += usize::from(is_comma);
    reader.eat(&["or"])
}

/// "or East" after "region North".
fn other_value(reader: &mut Reader<'_>, column: &str) -> Option<Keep> {
    let is_value = reader.now().is_some_and(|token| {
        token.is_capital() || matches!(token.kind, Kind::Number(_) | Kind::Quoted)
    });
    let known = reader.value_at(reader.at);
    let value = match known.filter(|(own, _, _)| own.name == column) {
        Some((_, value, count)) => {
            reader.at += count;
            Value::from(value)
        }
        None if is_value => reader.value()?,
        None => return None,
    };
    Some(Keep {
        column: column.to_owned(),
        comparison: Comparison::Equal,
        value,
        or: true,
    })
}

/// A column, how it is compared, and with what.
fn condition(reader: &mut Reader<'_>, last: Option<&str>, juxtaposed: bool) -> Option<Keep> {
    let kept = |column: String, (comparison, value): (Comparison, Value)| Keep {
        column,
        comparison,
        value,
        or: false,
    };
    let start = reader.at;
    // "over 100 and under 200"
    if let Some(last) = last
        && let Some(compared) = reader.comparison()
    {
        return Some(kept(last.to_owned(), compared));
    }
    // "more than 5 units"
    if reader.known.is_known()
        && let Some(compared) = reader.comparison().filter(|(_, value)| value.is_number())
        && let Some((column, count)) = reader.column_at(reader.at)
    {
        reader.at += count;
        return Some(kept(column.name.clone(), compared));
    }
    reader.at = start;
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
    if reader.known.is_known() {
        let value = reader.value().filter(|_| juxtaposed)?;
        return Some(kept(column, (Comparison::Equal, value)));
    }
    let (name, value) = column.rsplit_once(' ').filter(|_| juxtaposed)?;
    Some(kept(
        name.to_owned(),
        (Comparison::Equal, Value::from(value)),
    ))
}
