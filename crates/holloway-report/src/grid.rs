//! What stands in which cell of a table? Rows of objects or lists become columns and
//! cells, with alignment and format settled.

use std::collections::HashSet;

use serde_json::Value;

use crate::clean;
use crate::figure::{self, Reading};
use crate::model::{Align, Column, Format, Table};
use crate::moment;

/// More columns than this fit no page and no screen.
pub(crate) const MOST_COLUMNS: usize = 40;

pub(crate) struct Grid<'a> {
    pub(crate) columns: Vec<Column>,
    rows: &'a [Value],
    /// How the numbers of each column read.
    readings: Vec<Reading>,
}

impl<'a> Grid<'a> {
    pub(crate) fn new(table: &'a Table) -> Self {
        let mut columns = if table.columns.is_empty() {
            inferred(&table.rows)
        } else {
            table.columns.clone()
        };
        columns.truncate(MOST_COLUMNS);
        let mut grid = Self {
            columns,
            rows: &table.rows,
            readings: Vec::new(),
        };
        grid.settle();
        grid.readings = (0..grid.columns.len())
            .map(|column| {
                let values = grid.rows.iter().map(|row| grid.value(row, column));
                Reading::of(values.filter_map(Value::as_f64))
            })
            .collect();
        grid
    }

    fn settle(&mut self) {
        for index in 0..self.columns.len() {
            let numeric = self.is_numeric(index);
            let Some(column) = self.columns.get_mut(index) else {
                break;
            };
            if column.title.is_empty() {
                column.title = clean::words(&column.key);
            }
            column.title = clean::line(&column.title);
            if column.align == Align::Auto {
                column.align = if numeric { Align::Right } else { Align::Left };
            }
        }
    }

    /// Every value is a number, and there is one. A look at the first thousand is enough.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        let mut values = self
            .rows
            .iter()
            .take(1000)
            .map(|row| self.value(row, column))
            .filter(|value| !value.is_null());
        values.next().is_some_and(Value::is_number) && values.all(Value::is_number)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn rows(&self) -> &'a [Value] {
        self.rows
    }

    pub(crate) fn value(&self, row: &'a Value, column: usize) -> &'a Value {
        const NOTHING: &Value = &Value::Null;
        let value = match row {
            Value::Array(cells) => cells.get(column),
            Value::Object(fields) => self
                .columns
                .get(column)
                .and_then(|column| fields.get(&column.key)),
            single => (column == 0).then_some(single),
        };
        value.unwrap_or(NOTHING)
    }

    pub(crate) fn text(&self, row: &'a Value, column: usize) -> String {
        let value = self.value(row, column);
        match self.columns.get(column) {
            None => String::new(),
            Some(settled) if settled.format == Format::Date => {
                let days = value.as_str().and_then(moment::days);
                days.map_or_else(|| figure::cell(value, settled), moment::shown)
            }
            Some(settled) if settled.format == Format::Auto && settled.decimals.is_none() => {
                self.number(value, column).map_or_else(
                    || figure::cell(value, settled),
                    |text| figure::with_unit(&text, &settled.unit),
                )
            }
            Some(settled) => figure::cell(value, settled),
        }
    }

    fn number(&self, value: &Value, column: usize) -> Option<String> {
        let number = value.as_f64()?;
        // Long whole numbers are names of things: every digit counts.
        if number.abs() >= 1e15 && (value.is_u64() || value.is_i64()) {
            return Some(value.to_string());
        }
        Some(self.readings.get(column)?.text(number))
    }

    pub(crate) fn texts(&self, row: &'a Value) -> Vec<String> {
        (0..self.columns.len())
            .map(|column| self.text(row, column))
            .collect()
    }
}

/// All field names in order of first appearance; numbers for rows that are lists.
fn inferred(rows: &[Value]) -> Vec<Column> {
    let mut seen = HashSet::new();
    let mut columns = Vec::new();
    let mut widest = 0;
    for row in rows {
        match row {
            Value::Object(fields) => {
                for key in fields.keys() {
                    if columns.len() < MOST_COLUMNS && seen.insert(key.as_str()) {
                        columns.push(Column {
                            key: key.clone(),
                            ..Column::default()
                        });
                    }
                }
            }
            Value::Array(cells) => widest = widest.max(cells.len().min(MOST_COLUMNS)),
            _ => widest = widest.max(1),
        }
    }
    for index in columns.len()..widest {
        columns.push(Column {
            key: format!("column_{}", index + 1),
            ..Column::default()
        });
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_of_any_shape_become_cells() {
        let check = |rows: Value, expected: &[&[&str]]| {
            let table = Table {
                rows: serde_json::from_value(rows).unwrap(),
                ..Table::default()
            };
            let grid = Grid::new(&table);
            let mut found = vec![
                grid.columns
                    .iter()
                    .map(|column| column.title.clone())
                    .collect::<Vec<_>>(),
            ];
            found.extend(grid.rows().iter().map(|row| grid.texts(row)));
            assert_eq!(found, expected);
        };
        check(
            json!([{"a": 1, "b_c": "x"}, {"d": true}]),
            &[&["A", "B c", "D"], &["1", "x", "–"], &["–", "–", "yes"]],
        );
        check(
            json!([[1, 2], [3]]),
            &[&["Column 1", "Column 2"], &["1", "2"], &["3", "–"]],
        );
        check(
            json!([{"price": 1234.56, "id": 9_007_199_254_740_993_u64}, {"price": 99.9, "id": 7}, {"price": "n/a", "id": 8}]),
            &[
                &["Price", "Id"],
                &["1234.56", "9007199254740993"],
                &["99.90", "7"],
                &["n/a", "8"],
            ],
        );
        check(json!(["only"]), &[&["Column 1"], &["only"]]);
        check(json!([]), &[&[]]);
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let table = Table {
            rows: vec![json!({"n": 1, "t": "x"}), json!({"n": null, "t": 2})],
            ..Table::default()
        };
        let grid = Grid::new(&table);
        let aligns: Vec<Align> = grid.columns.iter().map(|column| column.align).collect();
        assert_eq!(aligns, [Align::Right, Align::Left]);
    }
}
