//! How does a report become a workbook, and what is in one? Sheets from tables with
//! typed cells, native charts, and never a formula that came from data.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook};
use serde_json::{Value, json};

use crate::Error;
use crate::chart::Kind;
use crate::clean;
use crate::limits::bounded;
use crate::model::{Block, Chart, Column, Report, Table};

mod cells;
mod diagram;
mod names;
mod read;
mod unpacked;

pub use read::{Sheet, read};

use cells::Sheets;

/// A sheet has room for a million rows; nobody scrolls through more than this.
const MOST_ROWS: usize = 500_000;

/// The report as a workbook: an overview, then a sheet for each table, chart and list.
pub fn write(report: &Report) -> Result<Vec<u8>, Error> {
    let report = bounded(report, MOST_ROWS);
    let mut workbook = workbook(&report.title, &report.author)?;
    let mut sheets = Sheets::new(&mut workbook);
    sheets.overview(&report)?;
    for block in &report.blocks {
        match block {
            Block::Table(table) => sheets.table(&or(&table.title, "Table"), table)?,
            Block::Chart(chart) => {
                sheets.table(&or(&chart.title, "Chart"), &chart_table(chart))?;
                sheets.diagram(chart)?;
            }
            Block::Findings(findings) => {
                let columns = [
                    "severity",
                    "rule",
                    "domain",
                    "page",
                    "element",
                    "evidence",
                    "mend",
                    "reference",
                ];
                let rows = findings.items.iter().map(|finding| {
                    json!([
                        finding.severity.name(),
                        finding.rule,
                        finding.domain,
                        finding.place.page,
                        finding.place.element,
                        finding.evidence,
                        finding.mend,
                        finding.reference
                    ])
                });
                sheets.table(&or(&findings.title, "Findings"), &listed(&columns, rows))?;
            }
            Block::Scores { items } => {
                let rows = items
                    .iter()
                    .map(|score| json!([score.name, score.value, score.note]));
                sheets.table("Scores", &listed(&["name", "score", "note"], rows))?;
            }
            Block::Actions { items, .. } => {
                let columns = [
                    "number", "action", "priority", "impact", "effort", "domain", "detail",
                ];
                let rows = items.iter().enumerate().map(|(index, action)| {
                    json!([
                        index + 1,
                        action.title,
                        action.priority,
                        action.impact,
                        action.effort,
                        action.domain,
                        action.detail
                    ])
                });
                sheets.table("Actions", &listed(&columns, rows))?;
            }
            _ => {}
        }
    }
    Ok(workbook.save_to_buffer()?)
}

/// A workbook, and what did not fit into it.
#[derive(Clone, Debug)]
pub struct WrittenSheets {
    pub bytes: Vec<u8>,
    /// Cells whose text was longer than a cell can hold.
    pub cut: usize,
}

/// Tables alone, each a sheet of its name.
pub fn write_sheets(tables: &[Table]) -> Result<WrittenSheets, Error> {
    let mut workbook = workbook("", "")?;
    let mut sheets = Sheets::new(&mut workbook);
    for table in tables {
        sheets.table(&or(&table.title, "Sheet"), table)?;
    }
    if tables.is_empty() {
        sheets.table("Sheet", &Table::default())?;
    }
    let cut = sheets.cut;
    Ok(WrittenSheets {
        bytes: workbook.save_to_buffer()?,
        cut,
    })
}

fn workbook(title: &str, author: &str) -> Result<Workbook, Error> {
    let mut workbook = Workbook::new();
    // A fixed time: the same report gives the same bytes.
    let written = ExcelDateTime::from_ymd(2000, 1, 1)?;
    let properties = DocProperties::new()
        .set_title(clean::shorten(&clean::line(title), 200))
        .set_author(clean::shorten(&clean::line(author), 200))
        .set_creation_datetime(&written);
    workbook.set_properties(&properties);
    Ok(workbook)
}

fn or(title: &str, other: &str) -> String {
    let title = clean::line(title);
    if title.is_empty() {
        other.to_owned()
    } else {
        title
    }
}

fn listed(columns: &[&str], rows: impl Iterator<Item = Value>) -> Table {
    let columns = columns.iter().map(|key| Column {
        key: (*key).to_owned(),
        ..Column::default()
    });
    Table {
        columns: columns.collect(),
        rows: rows.collect(),
        ..Table::default()
    }
}

/// The numbers behind a chart.
fn chart_table(chart: &Chart) -> Table {
    if chart.kind == Kind::Scatter {
        let rows = chart.series.iter().flat_map(|series| {
            series.points.iter().map(|point| {
                json!([
                    point.x,
                    point.y,
                    point.label,
                    if point.outlier { "yes" } else { "" }
                ])
            })
        });
        return listed(&["x", "y", "label", "outlier"], rows);
    }
    let mut keys = vec![or(&chart.x_title, "Label")];
    for (index, series) in chart.series.iter().enumerate() {
        keys.push(or(&series.name, &format!("Series {}", index + 1)));
    }
    let count = chart
        .series
        .iter()
        .map(|series| series.values.len())
        .max()
        .unwrap_or(0);
    let rows = (0..count).map(|index| {
        let label = chart
            .labels
            .get(index)
            .cloned()
            .unwrap_or_else(|| (index + 1).to_string());
        let values = chart
            .series
            .iter()
            .map(|series| json!(series.values.get(index).copied().flatten()));
        Value::Array(std::iter::once(json!(label)).chain(values).collect())
    });
    let columns = keys.iter().map(|key| Column {
        key: key.clone(),
        title: key.clone(),
        ..Column::default()
    });
    Table {
        columns: columns.collect(),
        rows: rows.collect(),
        ..Table::default()
    }
}

#[cfg(test)]
mod tests;
