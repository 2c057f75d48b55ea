//! What do rows come to? "how many rows", "average price per category", "group sales.csv by
//! region and sum revenue".

use super::super::verbs::is_verb;
use super::keep::bare;
use super::keys::{Keys, PERIODS, keys, keys_ahead};
use super::phrases::{ARTICLES, PEOPLE, ROWS, Reader};
use super::rows::{HIGHEST, LOWEST, direction};
use super::tokens::Kind;
use super::{Condition, Counted, Group, How, Side};

const HOWS: [(&[&str], How); 7] = [
    (&["sum", "total", "totals"], How::Sum),
    (&["average", "averages", "mean", "avg"], How::Mean),
    (&["median"], How::Median),
    (&["minimum", "min"], How::Lowest),
    (&["maximum", "max"], How::Highest),
    (&["stdev", "stddev"], How::Deviation),
    (&["count", "number"], How::Count),
];

/// "how many rows", "the number of orders per customer", "how many different regions".
pub(super) fn count(reader: &mut Reader<'_>) -> bool {
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
    let begin = reader.at;
    let values = reader.values_ahead();
    let noun = reader.now().filter(|token| token.kind == Kind::Word);
    let is_column = reader.column_at(reader.at).is_some();
    let is_row = noun.is_some_and(|noun| reader.is_row(&noun.word) || noun.is(&PEOPLE));
    if reader.known.is_known() && !distinct && !is_column && (is_row || !values.is_empty()) {
        // "how many paid orders", "count the errors"
        reader.at = begin;
        reader.say(Condition::Count(Counted::Rows), from);
        return counted_by(reader, from, &values, is_row);
    }
    // "how many units were sold"
    let measure = reader
        .column_at(reader.at)
        .filter(|(column, _)| column.adds_up());
    if let Some((column, count)) = measure.filter(|_| !distinct && !is_row && values.is_empty()) {
        reader.at += count;
        let (by, period) = keys_ahead(reader).unwrap_or_default();
        let group = Group {
            by,
            period,
            how: How::Sum,
            column: Some(column.name.clone()),
        };
        reader.say(Condition::Group(group), from);
        return true;
    }
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
    let column = if is_row && (!distinct || ROWS.contains(&noun.word.as_str())) {
        reader.at += 1;
        None
    } else {
        reader.column()
    };
    let end = reader.at;
    reader.eat_place();
    let group = if let Some((by, period)) = keys(reader) {
        Group {
            by,
            period,
            how: How::Count,
            column: None,
        }
    } else if let Some(column) = column {
        // Rows that are called so are told apart by the column of that name.
        reader.at = end;
        Group {
            how: How::Distinct,
            column: Some(column),
            ..Group::default()
        }
    } else {
        reader.at = end;
        reader.say(Condition::Count(Counted::Rows), from);
        reader.eat_place();
        bare(reader);
        return true;
    };
    reader.say(Condition::Group(group), from);
    true
}

/// "how many orders per status", "how many paid orders": after the count was said.
fn counted_by(reader: &mut Reader<'_>, from: usize, values: &[usize], is_row: bool) -> bool {
    for at in values {
        reader.at = *at;
        reader.valued();
    }
    reader.mark(reader.at, reader.at + usize::from(is_row));
    reader.at += usize::from(is_row);
    let end = reader.at;
    reader.eat_place();
    if let Some((by, period)) = keys(reader) {
        reader
            .found
            .retain(|said| said.condition != Condition::Count(Counted::Rows));
        counted(reader, (by, period), from);
    } else {
        reader.at = end;
        // "how many employees are there in each department"
        if let Some((by, period)) = keys_ahead(reader) {
            reader
                .found
                .retain(|said| said.condition != Condition::Count(Counted::Rows));
            counted(reader, (by, period), from);
        }
    }
    true
}

/// How many rows each group has.
fn counted(reader: &mut Reader<'_>, (by, period): Keys, from: usize) {
    let group = Group {
        by,
        period,
        ..Group::default()
    };
    reader.say(Condition::Group(group), from);
    ordered(reader, "count".to_owned());
}

/// "group sales.csv by region and sum revenue".
pub(super) fn group(reader: &mut Reader<'_>) -> bool {
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
        counted(reader, (by, period), from);
    }
    true
}

/// "average price per category", "the sum of revenue in sales.csv".
pub(super) fn measure(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    // "… in total" says nothing more.
    if reader.eat_all(&["in", "total"]) {
        reader.mark(from, reader.at);
        return true;
    }
    match how(reader) {
        Some(How::Count) | None => {
            reader.at = from;
            false
        }
        Some(how) => figure(reader, how, from),
    }
}

/// "how much revenue did each region make", "how much did Alice spend".
pub(super) fn much(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.known.is_known() || !reader.eat_all(&["how", "much"]) {
        return false;
    }
    reader.eat(&["of"]);
    let column = reader.known_column().or_else(|| reader.known.measure());
    let Some(column) = column.filter(|column| reader.adds_up(column)) else {
        reader.unclear = true;
        reader.at = from;
        return false;
    };
    let end = reader.at;
    let each = reader.ahead(&["each", "every", "per", "by"]);
    let by = each.and_then(|at| Some((at, reader.column_at(at + 1)?)));
    let group = Group {
        by: by
            .iter()
            .map(|(_, (column, _))| column.name.clone())
            .collect(),
        how: How::Sum,
        column: Some(column),
        ..Group::default()
    };
    reader.say(Condition::Group(group), from);
    if let Some((at, (_, count))) = by {
        reader.mark(at, at + 1 + count);
    }
    reader.at = end;
    true
}

/// "of South" after "the revenue": what comes to those rows.
fn of_value(reader: &Reader<'_>) -> bool {
    let led = reader.is(reader.at, &["of", "for", "from", "in"]);
    let article = usize::from(reader.is(reader.at + 1, &ARTICLES));
    led && reader.value_at(reader.at + 1 + article).is_some()
}

/// "revenue per region", "revenue and units by month": what each of it comes to.
pub(super) fn implied(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let mut columns = Vec::new();
    // "monthly revenue"
    let monthly = PERIODS.iter().find(|(words, _)| {
        let is_known = reader.known.is_known();
        is_known && reader.eat(words.get(1..).unwrap_or_default())
    });
    while let Some((column, count)) = reader.column_at(reader.at).filter(|(it, _)| it.adds_up()) {
        columns.push(column.name.clone());
        reader.at += count;
        let end = reader.at;
        let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
        reader.at += usize::from(is_comma);
        reader.eat(&["and"]);
        if reader.column_at(reader.at).is_none() {
            reader.at = end;
        }
    }
    reader.eat_place();
    let end = reader.at;
    let by = match (columns.as_slice(), monthly) {
        ([], _) => None,
        (_, Some((_, period))) => Some((Vec::new(), Some(*period))),
        _ => keys(reader).or_else(|| of_value(reader).then(|| (Vec::new(), None))),
    };
    reader.at = reader.at.max(end);
    let Some((by, period)) = by else {
        reader.at = from;
        return false;
    };
    for column in columns {
        let group = Group {
            by: by.clone(),
            period,
            how: How::Sum,
            column: Some(column),
        };
        reader.say(Condition::Group(group), from);
    }
    true
}

/// A figure of a column, of all rows or of each group.
pub(super) fn figure(reader: &mut Reader<'_>, how: How, from: usize) -> bool {
    reader.eat(&["up"]);
    reader.eat(&["of", "value"]);
    if reader.is(reader.at, &["number", "count"]) {
        reader.at = from;
        return false;
    }
    let mut hows = vec![how];
    hows.extend(other_figures(reader));
    reader.eat(&["of"]);
    // "the total of paid orders" is that of the one column that can be added up.
    let column = match reader.column() {
        None => reader.known.measure(),
        said => said,
    };
    let Some(column) = column else {
        reader.unclear |= reader.known.is_known();
        reader.at = from;
        return false;
    };
    let mut figures: Vec<(How, Option<String>)> = Vec::new();
    figures.extend(hows.iter().map(|how| (*how, Some(column.clone()))));
    while let Some(more) = more_figures(reader, &hows) {
        figures.extend(more);
    }
    let end = reader.at;
    reader.eat_place();
    let near = keys(reader);
    if near.is_none() {
        reader.at = end;
    }
    let (by, period) = near.or_else(|| keys_ahead(reader)).unwrap_or_default();
    for (how, column) in figures {
        let group = Group {
            by: by.clone(),
            period,
            how,
            column,
        };
        reader.say(Condition::Group(group), from);
    }
    ordered(reader, column);
    true
}

/// "and amount", "and the average price", "and the number of orders" after a figure.
fn more_figures(reader: &mut Reader<'_>, hows: &[How]) -> Option<Vec<(How, Option<String>)>> {
    let before = reader.at;
    let found = joined(reader).then(|| another(reader, hows)).flatten();
    if found.is_none() {
        reader.at = before;
    }
    found
}

fn another(reader: &mut Reader<'_>, hows: &[How]) -> Option<Vec<(How, Option<String>)>> {
    reader.eat_any(&ARTICLES);
    let own = how(reader);
    reader.eat(&["of"]);
    reader.eat_any(&ARTICLES);
    if own == Some(How::Count) {
        let row = reader.now().filter(|token| reader.is_row(&token.word))?;
        reader.at += usize::from(row.kind == Kind::Word);
        return Some(vec![(How::Count, None)]);
    }
    let column = if reader.known.is_known() {
        let (column, count) = reader.column_at(reader.at)?;
        reader.at += count;
        column.name.clone()
    } else {
        // Without a look at the columns only what goes on like one is taken for one.
        let is_verb = reader.now().is_none_or(|token| is_verb(&token.word));
        let name = reader.name().filter(|_| !is_verb)?;
        let goes_on = reader.is(reader.at, &["by", "per", "for", "in", "from", "and"]);
        goes_on.then_some(name)?
    };
    let hows = own.map_or_else(|| hows.to_vec(), |own| vec![own]);
    let all = hows.into_iter().map(|how| (how, Some(column.clone())));
    Some(all.collect())
}

/// A comma, "and", or both.
fn joined(reader: &mut Reader<'_>) -> bool {
    let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
    reader.at += usize::from(is_comma);
    reader.eat(&["and"]) || is_comma
}

/// "min and max amount", "the highest and the lowest salary".
fn other_figures(reader: &mut Reader<'_>) -> Vec<How> {
    let mut others = Vec::new();
    loop {
        let before = reader.at;
        let joined = joined(reader);
        reader.eat_any(&ARTICLES);
        let found = match () {
            () if reader.eat(&HIGHEST) => Some(How::Highest),
            () if reader.eat(&LOWEST) => Some(How::Lowest),
            () => how(reader),
        };
        let Some(how) = found.filter(|how| joined && *how != How::Count) else {
            reader.at = before;
            return others;
        };
        others.push(how);
    }
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
    if reader.eat_all(&["standard", "deviation"]) {
        return Some(How::Deviation);
    }
    let found = HOWS.iter().find(|(words, _)| reader.eat(words));
    found.map(|(_, how)| *how)
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
