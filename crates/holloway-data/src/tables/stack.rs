//! How do tables become one? Row under row; columns of the same name are the same column,
//! and a row has null where its own table lacks a column.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::DataError;
use crate::limits::{self, Budget};
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    #[allow(dead_code)] // read from the arguments where it lies
    tables: Borrowed,
}

/// More tables are better stacked in several steps.
const TABLES: usize = 100;

impl Question for Stack {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let Some(Value::Array(lists)) = arguments.get("tables") else {
            return Err(DataError::request("`tables` must be a list of tables"));
        };
        if lists.is_empty() || lists.len() > TABLES {
            let message = format!("`tables` must hold from 1 to {TABLES} tables");
            return Err(DataError::request(message));
        }
        let mut tables = Vec::with_capacity(lists.len());
        for (at, rows) in lists.iter().enumerate() {
            let name = format!("tables[{at}]");
            let Value::Array(rows) = rows else {
                let message = format!("`{name}` must be a list of objects");
                return Err(DataError::request(message));
            };
            tables.push(Table::of(rows, &name)?);
        }
        let all = tables.iter().map(Table::len).sum();
        limits::rows(all, "the result of stacking")?;
        stacked(&tables)
    }
}

fn stacked(tables: &[Table<'_>]) -> Result<Value, DataError> {
    let mut columns: Vec<&str> = Vec::new();
    for table in tables {
        for name in table.columns() {
            // The first table that has a column gives it its name.
            if !columns.iter().any(|known| is_same(known, name)) {
                columns.push(name);
            }
        }
    }
    let mut budget = Budget::default();
    let mut rows = Vec::new();
    for table in tables {
        let own: Vec<Option<&str>> = columns
            .iter()
            .map(|name| {
                table
                    .columns()
                    .iter()
                    .copied()
                    .find(|own| is_same(own, name))
            })
            .collect();
        for row in table.rows() {
            let cells = columns.iter().zip(&own).map(|(name, own)| {
                let value = own.and_then(|own| row.get(own));
                ((*name).to_owned(), value.cloned().unwrap_or(Value::Null))
            });
            let row: Map<String, Value> = cells.collect();
            budget.row(&row)?;
            rows.push(Value::Object(row));
        }
    }
    let from: Vec<usize> = tables.iter().map(Table::len).collect();
    Ok(json!({ "columns": columns, "count": rows.len(), "from": from, "rows": rows }))
}

/// `Name` of one table is `name` of the other.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.trim().eq_ignore_ascii_case(other.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    #[test]
    fn rows_stand_under_rows() {
        let tables = json!({"tables": [[{"a": 1, "b": 2}], [{"A": 3, "c": 4}], []]});
        let found = ask::<Stack>(&tables).unwrap();
        insta::assert_snapshot!(found.to_string(), @r#"{"columns":["a","b","c"],"count":2,"from":[1,1,0],"rows":[{"a":1,"b":2,"c":null},{"a":3,"b":null,"c":4}]}"#);
    }

    #[test]
    fn mistakes_are_told() {
        for (arguments, message) in [
            (
                json!({"tables": []}),
                "`tables` must hold from 1 to 100 tables",
            ),
            (
                json!({"tables": [1]}),
                "`tables[0]` must be a list of objects",
            ),
            (
                json!({"tables": [[1]]}),
                "row 1 of `tables[0]` is no object: 1",
            ),
        ] {
            assert_eq!(ask::<Stack>(&arguments).unwrap_err().message, message);
        }
    }
}
