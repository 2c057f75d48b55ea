//! What did a browser measure and show? A row per page, and a picture of the first ones.

use holloway_audit::lab;
use holloway_report::model::{Block, Column, Image, Table};
use serde_json::{Map, Value, json};

use super::Audit;
use super::body::heading;
use super::words::path;

const METRICS: [(&str, &str); 4] = [
    ("fcp", "FCP"),
    ("lcp", "LCP"),
    ("cls", "CLS"),
    ("tbt", "TBT"),
];
/// Pictures make a document heavy.
const PICTURES: usize = 3;

pub(super) fn blocks(audit: &Audit) -> Vec<Block> {
    if audit.lab.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        heading("In a real browser", 1),
        Block::Table(Table {
            columns: columns(),
            rows: audit.lab.iter().map(row).collect(),
            note: note(),
            ..Table::default()
        }),
    ];
    let pictures = audit.lab.iter().filter_map(picture).take(PICTURES);
    let items: Vec<Image> = pictures.collect();
    if !items.is_empty() {
        blocks.push(Block::Images { items });
    }
    blocks
}

fn columns() -> Vec<Column> {
    let column = |key: &str, title: &str| Column {
        key: key.to_owned(),
        title: title.to_owned(),
        ..Column::default()
    };
    let mut columns = vec![column("page", "Page")];
    columns.extend(METRICS.map(|(key, title)| column(key, title)));
    columns.push(column("requests", "Requests"));
    columns
}

fn row(measured: &Value) -> Value {
    let mut row = Map::new();
    let page = measured
        .get("page")
        .and_then(Value::as_str)
        .unwrap_or_default();
    row.insert("page".to_owned(), json!(path(page)));
    for (key, _) in METRICS {
        let value = measured.get(key).and_then(Value::as_f64);
        let unit = lab::metric(key).map_or("", |metric| metric.unit.as_str());
        let shown = value.map_or_else(|| "–".to_owned(), |value| lab::shown(value, unit));
        row.insert(key.to_owned(), json!(shown));
    }
    row.insert(
        "requests".to_owned(),
        measured.get("requests").cloned().unwrap_or_default(),
    );
    Value::Object(row)
}

/// What the figures mean, and up to where they are good.
fn note() -> String {
    let metrics = METRICS.iter().filter_map(|(key, title)| {
        let metric = lab::metric(key)?;
        let good = lab::shown(metric.good, &metric.unit);
        Some(format!("{title}: {}, good up to {good}", metric.name))
    });
    let metrics: Vec<String> = metrics.collect();
    format!("One load each, without throttling. {}.", metrics.join("; "))
}

fn picture(measured: &Value) -> Option<Image> {
    let data = measured.get("screenshot")?.as_str()?;
    let page = measured
        .get("page")
        .and_then(Value::as_str)
        .unwrap_or_default();
    Some(Image {
        data: data.to_owned(),
        alt: format!("Screenshot of {}", path(page)),
        caption: path(page),
        width: 0.31,
    })
}
