//! What is a table? A list of JSON objects; its columns are all field names in the
//! order in which they first appear. Rows are counted from 1 in messages and results.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

use crate::cell::{self, Cell, Key};
use crate::date;
use crate::error::DataError;
use crate::limits;
use crate::tables::typed;

/// Rows borrowed from the arguments.
pub struct Table<'a> {
    rows: Vec<&'a Map<String, Value>>,
    columns: Vec<&'a str>,
}

/// Rows with the same key, by their index, and the values of the key.
pub struct Part<'a> {
    pub key: Vec<Cell<'a>>,
    pub rows: Vec<usize>,
}

impl<'a> Table<'a> {
    /// Reads the list of objects at `argument`.
    pub fn read(arguments: &'a Value, argument: &str) -> Result<Self, DataError> {
        let Some(Value::Array(items)) = arguments.get(argument) else {
            let message = format!("`{argument}` must be a list of objects");
            return Err(DataError::request(message));
        };
        Self::of(items, argument)
    }

    pub fn of(items: &'a [Value], argument: &str) -> Result<Self, DataError> {
        limits::rows(items.len(), &format!("`{argument}`"))?;
        let mut rows = Vec::with_capacity(items.len());
        let mut seen = FxHashSet::default();
        let mut columns: Vec<&str> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let row = item.as_object().ok_or_else(|| {
                let (row, shown) = (index + 1, cell::shown(item));
                DataError::data(format!("row {row} of `{argument}` is no object: {shown}"))
                    .with_hint("data-load and csv-parse make rows that are objects")
            })?;
            for name in row.keys() {
                if !seen.contains(name.as_str()) {
                    seen.insert(name.as_str());
                    columns.push(name);
                }
            }
            rows.push(row);
        }
        if columns.len() > limits::COLUMNS {
            let message = format!("`{argument}` has more than {} columns", limits::COLUMNS);
            return Err(DataError::limit(message));
        }
        Ok(Self { rows, columns })
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn columns(&self) -> &[&'a str] {
        &self.columns
    }

    pub fn rows(&self) -> &[&'a Map<String, Value>] {
        &self.rows
    }

    /// Refuses a name that no row has; an empty table has every column.
    pub fn must_have(&self, column: &str) -> Result<(), DataError> {
        if self.rows.is_empty() || self.columns.contains(&column) {
            return Ok(());
        }
        Err(self.unknown(column))
    }

    /// The column that is meant: the one of this name, or the only one whose name differs
    /// in nothing but case, blanks and marks, or a plural.
    pub fn column<'n>(&self, name: &'n str) -> Result<&'n str, DataError>
    where
        'a: 'n,
    {
        if self.rows.is_empty() || self.columns.contains(&name) {
            return Ok(name);
        }
        let alike = |same: &dyn Fn(&str) -> bool| {
            let mut alike = self.columns.iter().copied().filter(|column| same(column));
            alike.next().filter(|_| alike.next().is_none())
        };
        let wanted = plain(name);
        let found = alike(&|column| plain(column) == wanted)
            .or_else(|| alike(&|column| singular(&plain(column)) == singular(&wanted)));
        found
            .filter(|_| !wanted.is_empty())
            .ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, column: &str) -> DataError {
        let shown: Vec<_> = self
            .columns
            .iter()
            .take(20)
            .map(|c| format!("`{c}`"))
            .collect();
        let more = if self.columns.len() > 20 { ", …" } else { "" };
        let shown = shown.join(", ");
        DataError::data(format!(
            "there is no column `{column}`; the columns are {shown}{more}"
        ))
    }

    pub fn cells(&self, column: &str) -> Result<Vec<Cell<'a>>, DataError> {
        let column = self.column(column)?;
        Ok(self.rows.iter().map(|row| row.get(column)).collect())
    }

    /// The numbers of a column; a value that is neither missing nor a number is an error.
    pub fn numbers(&self, column: &str) -> Result<Vec<Option<f64>>, DataError> {
        let cells = self.cells(column)?;
        let read = |error| typed::numbers(self, column).ok_or(error);
        numbers(&cells, column).or_else(read)
    }

    /// The places of a column on a time axis, in days or in its own unit when it holds numbers.
    pub fn times(&self, column: &str) -> Result<Times, DataError> {
        let cells = self.cells(column)?;
        let mut present = cells.iter().filter_map(|cell| cell::present(*cell));
        let is_text = present.any(|value| cell::number(value).is_none());
        let numbers = (!is_text).then(|| numbers(&cells, column)).transpose()?;
        let numbers = numbers.or_else(|| typed::numbers(self, column));
        let is_dates = numbers.is_none();
        let values = match numbers {
            Some(numbers) => numbers,
            None => days(&cells, column)?,
        };
        Ok(Times { values, is_dates })
    }

    /// Parts the rows by the columns `by`, in order of first appearance; all rows are
    /// one part when `by` is empty.
    pub fn parts(&self, by: &[String]) -> Result<Vec<Part<'a>>, DataError> {
        let columns: Vec<Vec<Cell<'a>>> = by
            .iter()
            .map(|name| self.cells(name))
            .collect::<Result<_, _>>()?;
        let mut index: FxHashMap<Vec<Key<'a>>, usize> = FxHashMap::default();
        let mut parts: Vec<Part<'a>> = Vec::new();
        if by.is_empty() {
            let rows = (0..self.rows.len()).collect();
            let key = Vec::new();
            return Ok(vec![Part { key, rows }]);
        }
        for row in 0..self.rows.len() {
            let cell = |column: &Vec<Cell<'a>>| column.get(row).copied().flatten();
            let key: Vec<Key<'a>> = columns.iter().map(|column| Key::of(cell(column))).collect();
            let place = *index.entry(key).or_insert(parts.len());
            if place == parts.len() {
                let key = columns.iter().map(cell).collect();
                let rows = Vec::new();
                parts.push(Part { key, rows });
            }
            if let Some(part) = parts.get_mut(place) {
                part.rows.push(row);
            }
        }
        Ok(parts)
    }
}

impl Part<'_> {
    /// The key as fields of a result.
    pub fn fields(&self, by: &[String]) -> Map<String, Value> {
        let values = self
            .key
            .iter()
            .map(|cell| cell::present(*cell).cloned().unwrap_or(Value::Null));
        by.iter().cloned().zip(values).collect()
    }

    /// What the part holds of a whole column.
    pub fn of<T: Copy>(&self, column: &[T]) -> Vec<T> {
        self.rows
            .iter()
            .filter_map(|row| column.get(*row))
            .copied()
            .collect()
    }
}

/// A name without case, blanks and marks: `Unit price` and `unit_price` are the same.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn singular(name: &str) -> &str {
    match name.strip_suffix('s') {
        Some(one) if one.len() > 2 && !one.ends_with('s') => one,
        _ => name,
    }
}

/// Places on an axis.
pub struct Times {
    pub values: Vec<Option<f64>>,
    /// Then they are days since 1970.
    pub is_dates: bool,
}

fn wrong(row: usize, column: &str, value: &Value, expected: &str) -> DataError {
    let shown = cell::shown(value);
    DataError::data(format!(
        "row {}, column `{column}`: {shown} is not {expected}",
        row + 1
    ))
}

fn numbers(cells: &[Cell<'_>], column: &str) -> Result<Vec<Option<f64>>, DataError> {
    let read = |(row, cell): (usize, &Cell<'_>)| {
        let Some(value) = cell::present(*cell) else {
            return Ok(None);
        };
        cell::number(value).map(Some).ok_or_else(|| {
            wrong(row, column, value, "a number").with_hint(
                "data-load reads numbers such as 1,234.50, price-extract reads prices; or filter the row out",
            )
        })
    };
    cells.iter().enumerate().map(read).collect()
}

fn days(cells: &[Cell<'_>], column: &str) -> Result<Vec<Option<f64>>, DataError> {
    let moments = moments(cells, column)?.into_iter();
    Ok(moments
        .map(|moment| moment.map(date::Moment::days))
        .collect())
}

/// The dates of a column, in the order in which their parts are written there.
pub(crate) fn moments(
    cells: &[Cell<'_>],
    column: &str,
) -> Result<Vec<Option<date::Moment>>, DataError> {
    let texts = cells
        .iter()
        .filter_map(|cell| cell::present(*cell)?.as_str());
    let order = date::order_of(texts);
    let read = |(row, cell): (usize, &Cell<'_>)| {
        let Some(value) = cell::present(*cell) else {
            return Ok(None);
        };
        let moment = value.as_str().and_then(|text| date::read_as(text, order));
        moment.map(Some).ok_or_else(|| {
            wrong(row, column, value, "a date")
                .with_hint("dates are written 2024-01-31 or 2024-01-31T12:00:00; data-load reads others with `dates`")
        })
    };
    cells.iter().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rows() -> Value {
        json!({"rows": [{"a": "x", "p": "1.5"}, {"a": "y", "p": 2, "d": "2024-01-02"}, {"a": "x", "p": ""}]})
    }

    #[test]
    fn columns_and_parts_keep_their_order() {
        let arguments = rows();
        let table = Table::read(&arguments, "rows").unwrap();
        assert_eq!(table.columns(), ["a", "p", "d"]);
        assert_eq!(table.numbers("p").unwrap(), [Some(1.5), Some(2.0), None]);
        let parts = table.parts(&["a".to_owned()]).unwrap();
        let found: Vec<_> = parts.iter().map(|part| part.rows.clone()).collect();
        assert_eq!(found, [vec![0, 2], vec![1]]);
        assert_eq!(
            table.times("d").unwrap().values,
            [None, Some(19724.0), None]
        );
    }

    #[test]
    fn a_column_is_known_by_a_name_that_is_nearly_its_own() {
        let arguments = json!({"rows": [{"Unit price": 1, "unit_price_net": 2, "Orders": 3, "Name": 4, "name_": 5}]});
        let table = Table::read(&arguments, "rows").unwrap();
        for (name, expected) in [
            ("Unit price", Some("Unit price")),
            ("unit_price", Some("Unit price")),
            ("unitprice", Some("Unit price")),
            ("order", Some("Orders")),
            ("price", None),
            // Two would fit.
            ("name", None),
            ("Name", Some("Name")),
            ("", None),
        ] {
            assert_eq!(table.column(name).ok(), expected, "{name}");
        }
        assert_eq!(
            table.column("cost").unwrap_err().message,
            "there is no column `cost`; the columns are `Unit price`, `unit_price_net`, `Orders`, `Name`, `name_`"
        );
    }

    #[test]
    fn errors_name_row_and_column() {
        let arguments = rows();
        let table = Table::read(&arguments, "rows").unwrap();
        let check = |error: DataError, expected: &str| assert_eq!(error.message, expected);
        check(
            table.numbers("a").unwrap_err(),
            "row 1, column `a`: \"x\" is not a number",
        );
        check(
            table.cells("z").unwrap_err(),
            "there is no column `z`; the columns are `a`, `p`, `d`",
        );
        check(
            table.times("a").err().unwrap(),
            "row 1, column `a`: \"x\" is not a date",
        );
        let wrong = json!({"rows": [{}, 7]});
        check(
            Table::read(&wrong, "rows").err().unwrap(),
            "row 2 of `rows` is no object: 7",
        );
    }
}
