//! What is in a workbook? Sheets with their names and typed cells; dates as ISO text.

use std::io::Cursor;

use calamine::{Data, Reader, open_workbook_auto_from_rs};
use serde_json::{Map, Value, json};

use crate::Error;
use crate::moment::{self, MINUTES_OF_DAY};

const EPOCH: f64 = 25_569.0;

/// A sheet as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub name: String,
    pub columns: Vec<String>,
    pub rows: Vec<Value>,
    /// Rows in the file, without the header.
    pub count: usize,
}

/// Reads the sheets, or the one of this name. With `header`, the first row names the
/// columns and rows are objects; otherwise rows are lists.
pub fn read(
    bytes: &[u8],
    wanted: Option<&str>,
    header: bool,
    most: usize,
) -> Result<Vec<Sheet>, Error> {
    let unreadable = |error: calamine::Error| Error::Unreadable(error.to_string());
    let mut workbook = open_workbook_auto_from_rs(Cursor::new(bytes)).map_err(unreadable)?;
    let names = workbook.sheet_names();
    if let Some(wanted) = wanted
        && !names.iter().any(|name| name == wanted)
    {
        return Err(Error::Input(format!(
            "there is no sheet `{wanted}`; the file has: {}",
            names.join(", ")
        )));
    }
    let mut sheets = Vec::new();
    let mut left = most;
    for name in names
        .into_iter()
        .filter(|name| wanted.is_none_or(|wanted| wanted == name))
    {
        let range = workbook.worksheet_range(&name).map_err(unreadable)?;
        let sheet = sheet(name, range.rows(), header, left);
        left = left.saturating_sub(sheet.rows.len());
        sheets.push(sheet);
    }
    Ok(sheets)
}

fn sheet<'a>(
    name: String,
    mut rows: impl Iterator<Item = &'a [Data]>,
    header: bool,
    most: usize,
) -> Sheet {
    let columns = if header {
        rows.next().map(titles).unwrap_or_default()
    } else {
        Vec::new()
    };
    let mut count = 0;
    let mut read = Vec::new();
    for row in rows {
        count += 1;
        if read.len() < most {
            let cells = row.iter().map(cell);
            read.push(if header {
                Value::Object(columns.iter().cloned().zip(cells).collect::<Map<_, _>>())
            } else {
                Value::Array(cells.collect())
            });
        }
    }
    Sheet {
        name,
        columns,
        rows: read,
        count,
    }
}

/// Every column has a name of its own.
fn titles(row: &[Data]) -> Vec<String> {
    let mut taken = std::collections::HashSet::new();
    let mut titles = Vec::new();
    for (index, cell) in row.iter().enumerate() {
        let text = cell.to_string();
        let base = if text.trim().is_empty() {
            format!("column_{}", index + 1)
        } else {
            text.trim().to_owned()
        };
        let mut title = base.clone();
        let mut number = 1;
        while !taken.insert(title.clone()) {
            number += 1;
            title = format!("{base}_{number}");
        }
        titles.push(title);
    }
    titles
}

fn cell(data: &Data) -> Value {
    match data {
        Data::Int(number) => json!(number),
        Data::Float(number) => whole(*number),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => json!(text),
        Data::Bool(truth) => json!(truth),
        Data::DateTime(moment) if moment.is_datetime() => json!(iso(moment.as_f64())),
        // A duration in days, as the file has it.
        Data::DateTime(duration) => whole(duration.as_f64()),
        Data::Error(error) => json!(error.to_string()),
        Data::Empty => Value::Null,
    }
}

/// 3.0 in a sheet is the number three.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

fn iso(serial: f64) -> String {
    if serial < 1.0 {
        return time(serial);
    }
    let minutes = (serial * MINUTES_OF_DAY * 60.0).round() / (MINUTES_OF_DAY * 60.0);
    let Some(date) = moment::date(minutes - EPOCH) else {
        return serial.to_string();
    };
    let fraction = minutes - minutes.floor();
    if fraction * 86_400.0 < 0.5 {
        date.to_string()
    } else {
        format!("{date}T{}", time(fraction))
    }
}

fn time(fraction: f64) -> String {
    let seconds = (fraction * 86_400.0).round() as i64;
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
