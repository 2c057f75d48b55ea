//! What do texts in a table mean where they are compared? A column of texts that are all
//! numbers or dates is ordered as such; the rows themselves stay as they were written.

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::column_type::{ColumnType, Reading, judge};
use super::load::is_marked_missing;
use crate::cell::{self, Cell};
use crate::error::DataError;
use crate::table::Table;

/// How the texts of some columns are read.
#[derive(Default)]
pub struct Typed {
    kinds: FxHashMap<String, (ColumnType, Reading)>,
}

impl Typed {
    /// Looks at columns; those that hold no texts are compared as they are.
    pub fn of<'n>(
        table: &Table<'_>,
        columns: impl Iterator<Item = &'n str>,
    ) -> Result<Self, DataError> {
        let mut typed = Self::default();
        for name in columns {
            // Columns that are computed later have their types.
            let Ok(cells) = table.cells(name) else {
                continue;
            };
            let given = |cell: &&Cell<'_>| !cell.is_some_and(is_marked_missing);
            let cells = cells.iter().filter(given).copied();
            if !cells.clone().any(|cell| cell.is_some_and(Value::is_string)) {
                continue;
            }
            let verdict = judge(cells, Reading::default());
            if matches!(verdict.kind, ColumnType::Number | ColumnType::Date) {
                let known = (verdict.kind, verdict.reading);
                typed.kinds.insert(name.to_owned(), known);
            }
        }
        Ok(typed)
    }

    /// Looks at a cell of another column in the same row.
    pub fn beside<T>(
        &self,
        column: &str,
        row: &serde_json::Map<String, Value>,
        look: impl FnOnce(Cell<'_>) -> T,
    ) -> T {
        let cell = row.get(column);
        let meant = self.value(column, cell);
        look(meant.as_ref().or(cell))
    }

    /// The value that a text stands for, where it stands for another one.
    pub fn value(&self, column: &str, cell: Cell<'_>) -> Option<Value> {
        let (kind, reading) = *self.kinds.get(column)?;
        let text = cell.filter(|value| value.is_string())?;
        if is_marked_missing(text) {
            return Some(Value::Null);
        }
        reading.read(text, kind)
    }
}

/// The numbers of a column of texts that are all numbers, such as `1,200` or `54,30`.
pub fn numbers(table: &Table<'_>, column: &str) -> Option<Vec<Option<f64>>> {
    let typed = Typed::of(table, std::iter::once(column)).ok()?;
    let cells = table.cells(column).ok()?;
    let read = cells.iter().map(|cell| {
        let meant = typed.value(column, *cell);
        match cell::present(meant.as_ref().or(*cell)) {
            None => Some(None),
            Some(value) => cell::number(value).map(Some),
        }
    });
    read.collect()
}
