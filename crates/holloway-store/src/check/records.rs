//! Are the records of the other tables whole? Those of the catalogue have checksums, of the
//! others the JSON must be readable.

use rusqlite::Connection;
use serde::de::IgnoredAny;

use super::super::catalog::record_sum;
use super::RecordsReport;
use super::rows::{Columns, has_table, rows};

/// A table besides runs and entries.
pub(in super::super) struct Table {
    pub(in super::super) name: &'static str,
    kind: &'static str,
    /// Columns that hold JSON.
    json: &'static [&'static str],
    has_sum: bool,
}

const fn table(name: &'static str, kind: &'static str, json: &'static [&'static str]) -> Table {
    Table {
        name,
        kind,
        json,
        has_sum: false,
    }
}

const fn summed(name: &'static str, kind: &'static str, json: &'static [&'static str]) -> Table {
    Table {
        name,
        kind,
        json,
        has_sum: true,
    }
}

pub(in super::super) const TABLES: [Table; 10] = [
    summed("sources", "sources", &["source_json"]),
    summed("tools", "tools", &["tool_json"]),
    summed("known", "known packages", &["known_json"]),
    table("signs", "signs of health", &[]),
    table("plans", "saved plans", &["plan_json"]),
    table("made_plans", "made plans", &["card_json"]),
    table(
        "past_runs",
        "remembered runs",
        &["past_json", "arguments_json"],
    ),
    table("learned", "learned weights", &["value_json"]),
    table("memory", "remembered results", &["value"]),
    table("inbox", "messages", &["body"]),
];

impl Table {
    /// What is wrong with a row, if anything.
    pub(in super::super) fn damage(&self, row: &Columns) -> Option<String> {
        let key = Self::key_of(row);
        if let Some(column) = row.garbled() {
            return Some(format!("{key}: `{column}` is no text"));
        }
        for column in self.json {
            let Some(text) = row.text(column) else {
                // Older databases do not have every column.
                if row.0.iter().any(|(name, _)| name == column) {
                    return Some(format!("{key}: `{column}` is no text"));
                }
                continue;
            };
            if self.has_sum && row.number("sum") != Some(record_sum(&key, text)) {
                return Some(format!("{key} does not match its checksum"));
            }
            if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
                return Some(format!("{key} cannot be read: {error}"));
            }
        }
        None
    }

    fn key_of(row: &Columns) -> String {
        use rusqlite::types::Value;
        match row.0.first() {
            Some((_, Value::Text(text))) => text.clone(),
            Some((_, Value::Integer(number))) => number.to_string(),
            _ => "a row without a name".to_owned(),
        }
    }
}

pub(super) fn check(connection: &Connection, is_current: bool) -> Vec<RecordsReport> {
    let mut reports = Vec::new();
    for table in TABLES {
        let mut report = RecordsReport {
            kind: table.kind,
            ..RecordsReport::default()
        };
        if has_table(connection, table.name) {
            let (rows, broken) = rows(connection, table.name);
            report.damaged = broken;
            for row in &rows {
                match table.damage(row) {
                    Some(damage) => report.damaged.push(damage),
                    None => report.whole += 1,
                }
            }
        } else if is_current {
            report.damaged.push("the table is missing".to_owned());
        }
        reports.push(report);
    }
    reports
}
