//! What do the rows of each group come to? Groups stand in order of first appearance;
//! rows without a key form a group of their own. A pivot spreads one column sideways.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::aggregate::{Aggregate, Ready};
use crate::cell::{self, Key};
use crate::error::DataError;
use crate::limits::{Budget, PIVOT_COLUMNS};
use crate::question::{Borrowed, Question};
use crate::table::{Part, Table};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    #[serde(default)]
    by: Vec<String>,
    #[serde(default)]
    aggregates: Vec<Aggregate>,
    pivot: Option<String>,
}

impl Question for Group {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let table = Table::read(arguments, "rows")?;
        let aggregates = with_default(&self.aggregates);
        let names = names(&self.by, &aggregates)?;
        let ready = ready(&aggregates, &table)?;
        match &self.pivot {
            None => plain(&table, &self.by, &names, &ready),
            Some(pivot) => self.spread(&table, pivot, &names, &ready),
        }
    }
}

/// Without aggregates, rows are counted.
pub(super) fn with_default(aggregates: &[Aggregate]) -> Vec<Aggregate> {
    if aggregates.is_empty() {
        vec![Aggregate::rows()]
    } else {
        aggregates.to_vec()
    }
}

/// The names of the figures; no two columns of the result may share one.
pub(super) fn names(by: &[String], aggregates: &[Aggregate]) -> Result<Vec<String>, DataError> {
    let names: Vec<String> = aggregates.iter().map(Aggregate::name).collect();
    let mut seen = FxHashSet::default();
    for name in by.iter().chain(&names) {
        if !seen.insert(name) {
            let message = format!("two columns of the result would be named `{name}`");
            return Err(
                DataError::request(message).with_hint("give an aggregate another name with `as`")
            );
        }
    }
    Ok(names)
}

pub(super) fn ready<'a>(
    aggregates: &[Aggregate],
    table: &Table<'a>,
) -> Result<Vec<Ready<'a>>, DataError> {
    aggregates
        .iter()
        .map(|aggregate| aggregate.ready(table))
        .collect()
}

fn plain(
    table: &Table<'_>,
    by: &[String],
    names: &[String],
    ready: &[Ready<'_>],
) -> Result<Value, DataError> {
    let mut budget = Budget::default();
    let mut rows = Vec::new();
    for part in table.parts(by)? {
        let row = row_of(&part, by, names, ready);
        budget.row(&row)?;
        rows.push(Value::Object(row));
    }
    let columns: Vec<&String> = by.iter().chain(names).collect();
    Ok(json!({ "columns": columns, "count": rows.len(), "rows": rows }))
}

impl Group {
    fn spread(
        &self,
        table: &Table<'_>,
        pivot: &str,
        names: &[String],
        ready: &[Ready<'_>],
    ) -> Result<Value, DataError> {
        if self.by.iter().any(|name| name == pivot) {
            return Err(DataError::request(format!(
                "`pivot` names `{pivot}`, which is in `by` already"
            )));
        }
        let mut by = self.by.clone();
        by.push(pivot.to_owned());
        let mut columns: Vec<String> = Vec::new();
        let mut known = FxHashSet::default();
        let mut places: FxHashMap<Vec<Key<'_>>, usize> = FxHashMap::default();
        let mut rows: Vec<Map<String, Value>> = Vec::new();
        for mut part in table.parts(&by)? {
            let value = part.key.pop().flatten();
            let label = cell::present(value).map_or("(missing)".to_owned(), label);
            let key = part.key.iter().map(|cell| Key::of(*cell)).collect();
            let place = *places.entry(key).or_insert(rows.len());
            if place == rows.len() {
                rows.push(part.fields(&self.by));
            }
            for (name, ready) in names.iter().zip(ready) {
                let column = if names.len() == 1 {
                    label.clone()
                } else {
                    format!("{label}_{name}")
                };
                if known.insert(column.clone()) {
                    columns.push(column.clone());
                }
                if columns.len() > PIVOT_COLUMNS {
                    let message = format!(
                        "the pivot of `{pivot}` would make more than {PIVOT_COLUMNS} columns"
                    );
                    return Err(
                        DataError::limit(message).with_hint("pivot a column with few values")
                    );
                }
                place_value(&mut rows, place, column, ready.value(&part))?;
            }
        }
        let mut budget = Budget::default();
        for row in &mut rows {
            for column in &columns {
                row.entry(column.clone()).or_insert(Value::Null);
            }
            budget.row(row)?;
        }
        let all: Vec<&String> = self.by.iter().chain(&columns).collect();
        Ok(json!({ "columns": all, "count": rows.len(), "rows": rows }))
    }
}

fn label(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn place_value(
    rows: &mut [Map<String, Value>],
    place: usize,
    column: String,
    value: Value,
) -> Result<(), DataError> {
    let Some(row) = rows.get_mut(place) else {
        return Ok(());
    };
    if row.contains_key(&column) {
        let message = format!("the pivot would make a second column `{column}`");
        return Err(
            DataError::data(message).with_hint("rename the column in `by` or its values first")
        );
    }
    row.insert(column, value);
    Ok(())
}

/// What a part holds of rows, for other questions that group.
pub(super) fn row_of(
    part: &Part<'_>,
    by: &[String],
    names: &[String],
    ready: &[Ready<'_>],
) -> Map<String, Value> {
    let mut row = part.fields(by);
    row.extend(
        names
            .iter()
            .cloned()
            .zip(ready.iter().map(|ready| ready.value(part))),
    );
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn group(options: Value) -> Result<Value, DataError> {
        let mut arguments = options;
        arguments["rows"] = json!([
            {"shop": "a", "item": "x", "price": 1},
            {"shop": "b", "item": "x", "price": "4"},
            {"shop": "a", "item": "y", "price": 2},
            {"shop": "a", "item": "x", "price": null},
            {"item": "y", "price": 7},
        ]);
        ask::<Group>(&arguments)
    }

    #[test]
    fn groups_come_to_figures() {
        let result = group(json!({"by": ["shop"], "aggregates": [
            {"function": "count"},
            {"column": "price", "function": "sum"},
            {"column": "price", "function": "mean", "as": "average"},
            {"column": "price", "function": "stdev"},
            {"column": "price", "function": "quantile", "portion": 0.5},
            {"column": "price", "function": "max"},
            {"column": "item", "function": "distinct"},
            {"column": "item", "function": "last"},
        ]}));
        insta::assert_snapshot!(result.unwrap()["rows"].to_string(), @r#"[{"shop":"a","count":3,"price_sum":3,"average":1.5,"price_stdev":0.7071067811865476,"price_quantile_0.5":1.5,"price_max":2,"item_distinct":2,"item_last":"x"},{"shop":"b","count":1,"price_sum":4,"average":4.0,"price_stdev":null,"price_quantile_0.5":4.0,"price_max":"4","item_distinct":1,"item_last":"x"},{"shop":null,"count":1,"price_sum":7,"average":7.0,"price_stdev":null,"price_quantile_0.5":7.0,"price_max":7,"item_distinct":1,"item_last":"y"}]"#);
    }

    #[test]
    fn a_pivot_spreads_a_column() {
        let result = group(
            json!({"by": ["shop"], "pivot": "item", "aggregates": [{"column": "price", "function": "sum"}]}),
        );
        insta::assert_snapshot!(result.unwrap().to_string(), @r#"{"columns":["shop","x","y"],"count":3,"rows":[{"shop":"a","x":1,"y":2},{"shop":"b","x":4,"y":null},{"shop":null,"y":7,"x":null}]}"#);
    }

    #[test]
    fn no_key_and_no_aggregate_count_all_rows() {
        assert_eq!(group(json!({})).unwrap()["rows"], json!([{"count": 5}]));
    }

    #[test]
    fn mistakes_are_told() {
        for (options, message) in [
            (
                json!({"aggregates": [{"function": "sum"}]}),
                "the function `sum` needs a `column`",
            ),
            (
                json!({"aggregates": [{"column": "item", "function": "mean"}]}),
                "row 1, column `item`: \"x\" is not a number",
            ),
            (
                json!({"by": ["shop"], "aggregates": [{"function": "count", "as": "shop"}]}),
                "two columns of the result would be named `shop`",
            ),
            (
                json!({"aggregates": [{"column": "price", "function": "quantile"}]}),
                "`quantile` needs a `portion` from 0 to 1, such as 0.9",
            ),
            (
                json!({"by": ["shop"], "pivot": "shop"}),
                "`pivot` names `shop`, which is in `by` already",
            ),
        ] {
            assert_eq!(group(options).unwrap_err().message, message);
        }
    }
}
