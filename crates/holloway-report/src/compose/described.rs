//! How does a chart or a table become a block, as somebody described it?

use serde_json::Value;

use super::data::MOST_RESULTS;
use super::rows::{self, Wish};
use super::{pick, remark};
use crate::Error;
use crate::chart::{Chart, Kind, Series};
use crate::clean;
use crate::figure;
use crate::model::{Block, Column, Table, Tone};

pub(crate) fn charts(value: &Value) -> Vec<Block> {
    let items: &[Value] = match value {
        Value::Array(items) => items,
        Value::Object(_) => std::slice::from_ref(value),
        _ => &[],
    };
    let made = items
        .iter()
        .take(MOST_RESULTS)
        .map(|item| match chart(item) {
            Ok(chart) => Block::Chart(chart),
            Err(error) => remark(
                format!(
                    "A chart is missing: {}",
                    crate::markdown::text(&error.to_string())
                ),
                Tone::Fair,
            ),
        });
    made.collect()
}

/// A chart as it is described: complete, or by rows and the names of their columns.
pub fn chart(value: &Value) -> Result<Chart, Error> {
    let unfit = |error: serde_json::Error| Error::Input(format!("the chart does not fit: {error}"));
    let Some(fields) = value.as_object() else {
        return Err(Error::Input("a chart is described by an object".to_owned()));
    };
    let kind: Option<Kind> = fields
        .get("kind")
        .filter(|kind| !kind.is_null())
        .cloned()
        .map(serde_json::from_value)
        .transpose()
        .map_err(unfit)?;
    let text = |name: &str| pick::string(value, &[name]).unwrap_or_default();
    let mut chart = if let Some(rows) = pick::list(value, &["rows"]) {
        let y = match fields.get("y") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(name)) => vec![name.as_str()],
            _ => Vec::new(),
        };
        let word = |name: &str| fields.get(name).and_then(Value::as_str);
        let wish = Wish {
            kind,
            x: word("x"),
            y,
            label: word("label"),
            outlier: word("outlier"),
        };
        let missing = || {
            Error::Input("no chart can be made of `rows`: a column of numbers is needed, and `x` and `y` must name columns".to_owned())
        };
        rows::chart(rows, &wish).ok_or_else(missing)?
    } else if let Some(values) = pick::list(value, &["values"]) {
        let values = values.iter().map(Value::as_f64).collect();
        Chart {
            kind: kind.unwrap_or_default(),
            series: vec![Series {
                values,
                ..Series::default()
            }],
            ..Chart::default()
        }
    } else {
        let series = fields.get("series").cloned().unwrap_or_default();
        Chart {
            kind: kind.unwrap_or_default(),
            series: serde_json::from_value(series).map_err(unfit)?,
            ..Chart::default()
        }
    };
    if let Some(labels) = pick::list(value, &["labels"]) {
        chart.labels = labels.iter().map(figure::text).collect();
    }
    let given = [
        ("title", &mut chart.title),
        ("description", &mut chart.description),
        ("unit", &mut chart.unit),
        ("x_title", &mut chart.x_title),
        ("y_title", &mut chart.y_title),
    ];
    for (name, field) in given {
        let text = text(name);
        if !text.is_empty() {
            *field = text;
        }
    }
    chart.stacked = fields
        .get("stacked")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    Ok(chart)
}

/// Tables by name, a list of them, or the rows of one. Nothing for null.
pub(crate) fn tables(value: &Value) -> Result<Vec<Block>, Error> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) if items.is_empty() => Ok(Vec::new()),
        Value::Array(items) if items.iter().any(|item| item.get("rows").is_some()) => items
            .iter()
            .filter(|item| !item.is_null())
            .map(|item| table("", item))
            .collect(),
        Value::Object(fields) if value.get("rows").is_none() => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| table(name, value))
            .collect(),
        other => Ok(vec![table("", other)?]),
    }
}

fn table(name: &str, value: &Value) -> Result<Block, Error> {
    let rows = match value.get("rows") {
        Some(Value::Null) => Some(&[] as &[Value]),
        _ => value
            .as_array()
            .or_else(|| pick::list(value, &["rows"]))
            .map(Vec::as_slice),
    };
    let rows = rows.ok_or_else(|| {
        let part = if name.is_empty() {
            "tables".to_owned()
        } else {
            format!("tables.{name}")
        };
        pick::unknown(&part, value, "a list of rows, or an object with `rows`")
    })?;
    let columns = value
        .get("columns")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let columns = columns.filter_map(|column| match column {
        Value::String(key) => Some(Column {
            key: key.clone(),
            ..Column::default()
        }),
        other => serde_json::from_value(other.clone()).ok(),
    });
    Ok(Block::Table(Table {
        title: pick::string(value, &["title", "name"]).unwrap_or_else(|| clean::words(name)),
        columns: columns.collect(),
        rows: rows.to_vec(),
        note: pick::string(value, &["note"]).unwrap_or_default(),
    }))
}
