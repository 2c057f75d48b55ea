//! How is the result of a data tool shown? By what it has: rows, classes, outliers,
//! trends, or a few figures.

use serde_json::{Map, Value};

use super::rows::{self, Wish};
use super::{facts, pick, remark};
use crate::chart::{Chart, Kind, Series};
use crate::clean;
use crate::figure;
use crate::model::{Block, Heading, Table, Tone};

pub(super) const MOST_RESULTS: usize = 200;
/// A table this short is worth reading beside its chart.
const SHORT_TABLE: usize = 60;
/// Of a longer one, as much as shows what the numbers are.
const LONG_TABLE_START: usize = 20;

/// Results by name, a list of them, or one.
pub(crate) fn blocks(value: &Value) -> Vec<Block> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) if items.iter().any(is_result) => items
            .iter()
            .take(MOST_RESULTS)
            .flat_map(|item| named("", item))
            .collect(),
        Value::Object(fields)
            if !is_result(value)
                && fields
                    .values()
                    .any(|value| value.is_object() || value.is_array()) =>
        {
            fields
                .iter()
                .take(MOST_RESULTS)
                .flat_map(|(name, value)| named(name, value))
                .collect()
        }
        other => named("", other),
    }
}

fn is_result(value: &Value) -> bool {
    let known = ["rows", "bins", "outliers", "series", "values"];
    known
        .iter()
        .any(|name| value.get(name).is_some_and(Value::is_array))
}

fn named(name: &str, value: &Value) -> Vec<Block> {
    let title = pick::string(value, &["title"]).unwrap_or_else(|| clean::words(name));
    // Below its heading a chart needs no title of its own.
    let shown = result("", value);
    let mut blocks = Vec::new();
    if !title.is_empty() && !shown.is_empty() {
        blocks.push(Block::Heading(Heading {
            text: title,
            level: 1,
        }));
    }
    blocks.extend(shown);
    blocks
}

/// What one result shows, without a heading.
pub(crate) fn result(title: &str, value: &Value) -> Vec<Block> {
    match value {
        Value::Array(rows) => of_rows(title, rows),
        Value::Object(fields) => of_fields(title, value, fields),
        Value::Null => Vec::new(),
        other => pick::text(other)
            .map(|text| Block::Paragraph { text })
            .into_iter()
            .collect(),
    }
}

fn of_rows(title: &str, rows: &[Value]) -> Vec<Block> {
    if rows.iter().all(|row| !row.is_object() && !row.is_array()) {
        if rows.len() > 7 && rows.iter().all(Value::is_number) {
            let values = rows.iter().map(Value::as_f64).collect();
            let series = vec![Series {
                values,
                ..Series::default()
            }];
            let chart = Block::Chart(Chart {
                kind: Kind::Line,
                title: title.to_owned(),
                series,
                ..Chart::default()
            });
            return vec![chart, beside(rows)];
        }
        return pick::text(&Value::Array(rows.to_vec()))
            .map(|text| Block::Paragraph { text })
            .into_iter()
            .collect();
    }
    let mut blocks = Vec::new();
    if let Some(chart) = rows::chart(rows, &Wish::default()) {
        let title = if chart.title.is_empty() {
            title.to_owned()
        } else {
            chart.title.clone()
        };
        blocks.push(Block::Chart(Chart { title, ..chart }));
    }
    if blocks.is_empty() {
        blocks.push(Block::Table(Table {
            rows: rows.to_vec(),
            ..Table::default()
        }));
    } else {
        blocks.push(beside(rows));
    }
    blocks
}

/// The numbers beside their chart, from the start when there are many.
fn beside(rows: &[Value]) -> Block {
    let shown = if rows.len() <= SHORT_TABLE {
        rows.len()
    } else {
        LONG_TABLE_START
    };
    let note = if shown < rows.len() {
        let all = figure::decimal(rows.len() as f64, 0);
        format!("The first {shown} of {all} rows are shown.")
    } else {
        String::new()
    };
    Block::Table(Table {
        rows: rows.iter().take(shown).cloned().collect(),
        note,
        ..Table::default()
    })
}

fn of_fields(title: &str, value: &Value, fields: &Map<String, Value>) -> Vec<Block> {
    let note = pick::string(value, &["note"]).map(|note| Block::Paragraph {
        text: crate::markdown::text(&note),
    });
    let mut blocks = if let Some(rows) = pick::list(value, &["rows"]) {
        of_rows(title, rows)
    } else if let Some(bins) = pick::list(value, &["bins"]) {
        vec![Block::Chart(classes(title, bins))]
    } else if let Some(outliers) = pick::list(value, &["outliers"]) {
        of_outliers(outliers)
    } else if let Some(series) =
        pick::list(value, &["series"]).filter(|series| series.iter().all(Value::is_object))
    {
        of_trends(series)
    } else if let Some(values) = pick::list(value, &["values"]) {
        of_rows(title, values)
    } else if let Some(text) = pick::string(value, &["markdown", "text", "content"]) {
        vec![Block::Paragraph { text }]
    } else {
        let plain: Map<String, Value> = fields
            .iter()
            .filter(|(name, _)| *name != "title" && *name != "note")
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if plain.is_empty() {
            Vec::new()
        } else {
            vec![Block::Paragraph {
                text: facts(&plain),
            }]
        }
    };
    blocks.extend(note);
    blocks
}

/// Classes that were already counted, as bars.
fn classes(title: &str, bins: &[Value]) -> Chart {
    let bound = |bin: &Value, name| {
        pick::number(bin, &[name])
            .map(figure::compact)
            .unwrap_or_default()
    };
    Chart {
        kind: Kind::Bar,
        title: title.to_owned(),
        labels: bins
            .iter()
            .map(|bin| format!("{}–{}", bound(bin, "from"), bound(bin, "to")))
            .collect(),
        series: vec![Series {
            name: "Count".to_owned(),
            values: bins
                .iter()
                .map(|bin| pick::number(bin, &["count"]))
                .collect(),
            ..Series::default()
        }],
        y_title: "Count".to_owned(),
        ..Chart::default()
    }
}

fn of_outliers(outliers: &[Value]) -> Vec<Block> {
    if outliers.is_empty() {
        return vec![remark("No outliers were found.".to_owned(), Tone::Good)];
    }
    let rows = outliers.iter().map(|outlier| {
        let mut row = Map::new();
        let Some(fields) = outlier.as_object() else {
            return outlier.clone();
        };
        for (name, value) in fields {
            match value {
                // The row that the outlier stands in, field by field.
                Value::Object(inner) => row.extend(
                    inner
                        .iter()
                        .map(|(name, value)| (name.clone(), value.clone())),
                ),
                other => {
                    row.insert(name.clone(), other.clone());
                }
            }
        }
        Value::Object(row)
    });
    vec![Block::Table(Table {
        title: "Outliers".to_owned(),
        rows: rows.collect(),
        ..Table::default()
    })]
}

/// The figures of a trend that a reader needs; the tests behind them stay in the data.
fn of_trends(series: &[Value]) -> Vec<Block> {
    let hidden = [
        "theil_sen",
        "mann_kendall",
        "intercept",
        "stderr",
        "skipped",
        "note",
        "count",
        "change",
        // From the first value to the last: one wild value turns its sign.
        "change_percent",
        "moving_average",
        "p",
        "r",
    ];
    let rows = series.iter().map(|entry| {
        let fields = entry.as_object().into_iter().flatten();
        let mut row: Map<String, Value> = fields
            .filter(|(name, value)| !hidden.contains(&name.as_str()) && !value.is_null())
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        // A few wild values do not move this slope.
        if let Some(robust) = entry
            .pointer("/theil_sen/slope")
            .filter(|slope| slope.is_number())
        {
            row.insert("slope".to_owned(), robust.clone());
        }
        Value::Object(row)
    });
    vec![Block::Table(Table {
        rows: rows.collect(),
        ..Table::default()
    })]
}
