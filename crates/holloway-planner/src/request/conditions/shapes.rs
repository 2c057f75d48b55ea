//! What is to become of a whole table? Each row once, other names, another table beside it,
//! a picture of it: one rule for each way of saying it.

use super::chosen::chosen;
use super::figures::side;
use super::keys::keys;
use super::lookup::lookup;
use super::once::unique;
use super::phrases::{ARTICLES, Reader};
use super::tokens::Kind;
use super::{Chart, Condition, Group, How, Side};

const KINDS: [(&str, &[&str]); 8] = [
    ("bar", &["bar", "bars", "column"]),
    ("line", &["line", "lines", "time-series", "trend"]),
    ("donut", &["pie", "donut", "doughnut"]),
    ("scatter", &["scatter", "scatterplot", "bubble"]),
    ("histogram", &["histogram", "histograms"]),
    ("area", &["area"]),
    ("horizontal-bar", &["horizontal"]),
    ("gauge", &["gauge"]),
];
const CHARTS: [&str; 9] = [
    "chart",
    "charts",
    "graph",
    "graphs",
    "plot",
    "plots",
    "diagram",
    "histogram",
    "scatterplot",
];
const TIMES: [&str; 4] = ["time", "date", "dates", "days"];

pub(super) fn read(reader: &mut Reader<'_>) -> bool {
    unique(reader)
        || alone(reader)
        || rename(reader)
        || lookup(reader)
        || meet(reader)
        || changes(reader)
        || outliers(reader)
        || chosen(reader)
        || chart(reader)
        || convert(reader)
}

/// "which customers in orders.csv are not in customers.csv".
fn alone(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if reader.known.tables != 2 || !reader.eat(&["not", "missing"]) {
        return false;
    }
    if !reader.eat_place() {
        reader.at = from;
        return false;
    }
    let shared = &reader.known.shared;
    let mut before = (0..from).filter_map(|at| Some((at, reader.column_at(at)?)));
    let named = before.find(|(_, (column, _))| shared.contains(&column.name.as_str()));
    let on: Vec<String> = match named {
        Some((_, (column, _))) => vec![column.name.clone()],
        None => shared.iter().map(|name| (*name).to_owned()).collect(),
    };
    if on.is_empty() {
        reader.at = from;
        return false;
    }
    let how = Side::Alone;
    let but = from.saturating_sub(usize::from(reader.is(from.wrapping_sub(1), &["but"])));
    reader.say(
        Condition::Join {
            on: on.clone(),
            how,
        },
        but,
    );
    if let Some((at, (_, count))) = named {
        reader.mark(at, at + count);
        reader.say(Condition::Columns(on), from);
        let columns = Vec::new();
        reader.say(Condition::Unique { columns }, from);
    }
    true
}

/// "rename column qty to quantity and name to title".
fn rename(reader: &mut Reader<'_>) -> bool {
    let start = reader.at;
    if !reader.eat(&["rename", "renaming"]) {
        return false;
    }
    let mut from = start;
    loop {
        let next = reader.at;
        let old = reader.column();
        reader.eat_place();
        let new = reader
            .eat(&["to", "as", "into"])
            .then(|| reader.name())
            .flatten();
        let (Some(old), Some(new)) = (old, new) else {
            reader.at = if from == start { start } else { next };
            return from != start;
        };
        reader.say(Condition::Rename { from: old, to: new }, from);
        let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
        reader.at += usize::from(is_comma);
        if !reader.eat(&["and"]) && !is_comma {
            return true;
        }
        from = reader.at;
    }
}

/// "join a.csv with b.csv on id", "merge a.csv and b.csv".
fn meet(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let how = side(reader);
    let joins = reader.eat(&["join", "joined"]);
    let merges = !joins
        && reader.eat(&[
            "merge",
            "combine",
            "append",
            "stack",
            "concatenate",
            "concat",
            "union",
        ]);
    if !(joins || merges) || reader.tables() < 2 {
        reader.at = from;
        return false;
    }
    let said = reader.ahead(&["on", "by", "using"]);
    let mut on = Vec::new();
    if let Some(place) = said {
        reader.skip(reader.at, place, true);
        reader.at = place + 1;
        on = reader.columns(&["save", "show", "then", "keep", "sort"]);
    } else {
        // All the files up to the end of the part belong to it.
        while reader.is_file(reader.at)
            || reader.is(
                reader.at,
                &[
                    "and", "with", "to", "into", "the", "files", "tables", "file", "both",
                ],
            )
            || reader.now().is_some_and(|token| token.kind == Kind::Comma)
        {
            let leads_on = !reader.is_file(reader.at)
                && reader
                    .token(reader.at + 1)
                    .is_some_and(|next| next.kind == Kind::Word)
                && !reader.is(reader.at + 1, &["the", "files", "tables", "file", "with"]);
            if leads_on {
                break;
            }
            reader.at += 1;
        }
    }
    let condition = if merges && on.is_empty() {
        Condition::Stack
    } else {
        Condition::Join { on, how }
    };
    reader.say(condition, from);
    true
}

/// "compare a.csv with b.csv", "what changed between a.csv and b.csv".
fn changes(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let compares = reader.eat(&["compare", "comparing", "diff"]);
    let tells = !compares
        && reader.eat(&[
            "changed",
            "changes",
            "difference",
            "differences",
            "differs",
            "different",
            "differ",
        ]);
    let is_said = |reader: &Reader<'_>| {
        reader
            .found
            .iter()
            .any(|said| said.condition == Condition::Changes)
    };
    if !(compares || tells) || reader.tables() < 2 {
        reader.at = from;
        return false;
    }
    if is_said(reader) {
        reader.mark(from, reader.at);
        if let Some(said) = reader
            .found
            .iter_mut()
            .find(|said| said.condition == Condition::Changes)
        {
            let end = reader
                .tokens
                .get(from)
                .map_or(said.place.end, |token| token.place.end);
            said.place.end = said.place.end.max(end);
        }
        return true;
    }
    // "compare the prices of a.csv and b.csv" is about something else.
    if compares
        && !(reader.is_file(reader.at)
            || reader.is(
                reader.at,
                &["the", "files", "tables", "file", "both", "these"],
            ))
    {
        reader.at = from;
        return false;
    }
    reader.eat(&["between"]);
    reader.say(Condition::Changes, from);
    true
}

/// "outliers in prices.csv", "anomalies of the column price".
fn outliers(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.eat(&["outlier", "outliers", "anomaly", "anomalies"]) {
        return false;
    }
    reader.say(Condition::Outliers, from);
    let end = reader.at;
    if reader.eat(&["in", "of", "for", "by"]) && !reader.is_file(reader.at) {
        let start = reader.at;
        let named = reader.is(start, &["the", "column", "columns"]);
        let is_place = reader.eat_place();
        reader.at = if is_place { reader.at } else { start };
        let columns = if is_place {
            Vec::new()
        } else {
            reader.columns(&[])
        };
        let plain = columns
            .iter()
            .all(|column| !reader.is_row(&column.to_lowercase()));
        if !columns.is_empty() && plain && (named || columns.len() == 1) {
            reader.say(Condition::Columns(columns), start);
            return true;
        }
    }
    reader.at = end;
    true
}

/// "make a bar chart of revenue by region", "plot price over time".
fn chart(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let kind = KINDS.iter().find(|(_, words)| reader.eat(words));
    let kind = kind.map(|(kind, _)| (*kind).to_owned());
    let is_picture = kind.as_deref() == Some("histogram");
    let verb = reader.eat(&["plot", "visualise", "visualize", "graph"]);
    let noun = !verb && reader.eat(&CHARTS);
    if !(verb || noun || is_picture) {
        reader.at = from;
        return false;
    }
    let mut chart = Chart {
        kind,
        ..Chart::default()
    };
    let end = reader.at;
    let leads = reader.eat(&["of", "showing", "for", "with"]);
    if (verb || leads) && !reader.is_file(reader.at) {
        reader.eat_any(&ARTICLES);
        chart.y = reader
            .column()
            .filter(|name| !name.eq_ignore_ascii_case("it"));
    }
    if chart.y.is_none() {
        reader.at = end;
        eat_rows(reader, leads);
    }
    let end = reader.at;
    reader.eat_place();
    if reader.eat(&["over", "against", "vs", "versus", "across"]) {
        reader.eat_any(&ARTICLES);
        chart.over_time = reader.eat(&TIMES);
        chart.x = if chart.over_time {
            None
        } else {
            reader.column()
        };
    } else if let Some((by, period)) = keys(reader) {
        let is_bar = !matches!(
            chart.kind.as_deref(),
            Some("line" | "scatter" | "area" | "histogram")
        );
        let y = chart.y.take();
        if is_bar || period.is_some() {
            // Bars by something are what each of it comes to.
            let how = if y.is_some() { How::Sum } else { How::Count };
            let group = Group {
                by,
                period,
                how,
                column: y,
            };
            reader.say(Condition::Group(group), from);
        } else {
            chart.y = y;
            chart.x = by.into_iter().next();
            chart.over_time = chart.x.as_deref().is_some_and(|x| TIMES.contains(&x));
            if chart.over_time {
                chart.x = None;
            }
        }
    } else {
        reader.at = end;
    }
    reader.say(Condition::Chart(chart), from);
    true
}

/// "of the orders", "of the number of orders" where a row counts as one.
fn eat_rows(reader: &mut Reader<'_>, leads: bool) {
    let before = reader.at;
    reader.eat(&["of", "showing", "for", "with"]);
    reader.eat_any(&ARTICLES);
    if reader.eat_all(&["number", "of"]) || reader.eat_all(&["count", "of"]) {
        reader.eat_any(&ARTICLES);
    }
    let is_row = reader.now().is_some_and(|token| reader.is_row(&token.word));
    reader.at = if is_row && leads {
        reader.at + 1
    } else {
        before
    };
}

/// "convert sales.csv to xlsx", "turn data.json into a spreadsheet".
fn convert(reader: &mut Reader<'_>) -> bool {
    const TABLES: [&str; 11] = [
        "table",
        "html",
        "markdown",
        "csv",
        "xlsx",
        "excel",
        "json",
        "spreadsheet",
        "workbook",
        "tsv",
        "jsonl",
    ];
    let from = reader.at;
    let said = reader.eat(&[
        "convert",
        "turn",
        "transform",
        "export",
        "change",
        "save",
        "show",
        "print",
        "display",
        "copy",
    ]);
    // "download … and convert it to csv"
    let it = reader.only_file().is_some() || reader.tables() == 1;
    let meant = |reader: &mut Reader<'_>| {
        reader.eat_place() || reader.eat_file() || it && reader.eat(&["it", "this", "that"])
    };
    if !said || !meant(reader) {
        reader.at = from;
        return false;
    }
    let led = reader.eat(&["to", "into", "as"]);
    reader.eat_any(&ARTICLES);
    let is_kind = match reader.now() {
        Some(token) if token.kind == Kind::File => TABLES.contains(&token.ending()),
        Some(token) => token.is(&TABLES),
        None => false,
    };
    if !(led && is_kind) {
        reader.at = from;
        return false;
    }
    reader.at += 1;
    reader.say(Condition::Convert, from);
    true
}
