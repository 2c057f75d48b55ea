//! Which columns go together? Every pair of numeric columns, over the rows in which
//! both have a value.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::DataError;
use crate::figures::correlation::{Correlation, pearson, spearman};
use crate::figures::kendall::kendall;
use crate::question::{Borrowed, Question};
use crate::table::Table;

/// So many columns make some two thousand pairs.
const COLUMNS: usize = 64;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correlate {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    columns: Option<Vec<String>>,
    #[serde(default)]
    method: Method,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    #[default]
    Pearson,
    Spearman,
    Kendall,
}

impl Question for Correlate {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let table = Table::read(arguments, "rows")?;
        let columns = self.columns(&table)?;
        let mut pairs = Vec::new();
        for (index, (left_name, left)) in columns.iter().enumerate() {
            for (right_name, right) in columns.iter().skip(index + 1) {
                let both = left
                    .iter()
                    .zip(right)
                    .filter_map(|(left, right)| left.zip(*right));
                let (left, right): (Vec<f64>, Vec<f64>) = both.unzip();
                pairs.push(self.pair(left_name, right_name, &left, &right));
            }
        }
        // The strongest connections first; those without a coefficient last.
        pairs.sort_by(|left: &Value, right: &Value| {
            let strength = |pair: &Value| {
                pair.get("coefficient")
                    .and_then(Value::as_f64)
                    .map_or(-1.0, f64::abs)
            };
            strength(right).total_cmp(&strength(left))
        });
        let names: Vec<&String> = columns.iter().map(|(name, _)| name).collect();
        Ok(json!({ "columns": names, "count": pairs.len(), "pairs": pairs }))
    }
}

type Column = (String, Vec<Option<f64>>);

impl Correlate {
    fn columns(&self, table: &Table<'_>) -> Result<Vec<Column>, DataError> {
        let columns: Vec<Column> = if let Some(names) = &self.columns {
            let read = |name: &String| Ok((name.clone(), table.numbers(name)?));
            names.iter().map(read).collect::<Result<_, DataError>>()?
        } else {
            let numeric = table
                .columns()
                .iter()
                .filter(|name| is_numeric(table, name));
            let read = |name: &&str| Some(((*name).to_owned(), table.numbers(name).ok()?));
            numeric.filter_map(read).collect()
        };
        if columns.len() > COLUMNS {
            let message = format!(
                "there are {} numeric columns; at most {COLUMNS} are compared",
                columns.len()
            );
            return Err(DataError::limit(message).with_hint("name those of interest in `columns`"));
        }
        if columns.len() < 2 {
            let message = format!("{} columns hold numbers; two are needed", columns.len());
            return Err(DataError::data(message).with_hint("data-load turns text into numbers"));
        }
        Ok(columns)
    }

    fn pair(&self, left_name: &str, right_name: &str, left: &[f64], right: &[f64]) -> Value {
        let found = match self.method {
            Method::Pearson => pearson(left, right),
            Method::Spearman => spearman(left, right),
            Method::Kendall => kendall(left, right),
        };
        let note = match found {
            None if left.len() < 2 => Some("fewer than two rows have both values"),
            None => Some("one of the columns does not vary"),
            Some(Correlation { .. }) if left.len() < 3 => {
                Some("two rows say nothing about a connection")
            }
            Some(_) => None,
        };
        json!({
            "left": left_name,
            "right": right_name,
            "count": left.len(),
            "coefficient": found.map(|found| found.coefficient),
            "p": found.and_then(|found| found.p),
            "note": note,
        })
    }
}

fn is_numeric(table: &Table<'_>, name: &str) -> bool {
    let numbers = table.numbers(name).unwrap_or_default();
    numbers.iter().any(Option::is_some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    #[test]
    fn pairs_are_ordered_by_strength() {
        let rows = json!([
            {"a": 1, "b": 2, "c": 5, "k": 1, "t": "x"}, {"a": 2, "b": 4, "c": 1, "k": 1, "t": "y"},
            {"a": 3, "b": 6, "c": 4, "k": 1, "t": "z"}, {"a": 4, "b": null, "c": 2, "k": 1, "t": "z"},
        ]);
        let result = ask::<Correlate>(&json!({"rows": rows})).unwrap();
        assert_eq!(result["columns"], json!(["a", "b", "c", "k"]));
        let first = &result["pairs"][0];
        assert_eq!(
            (&first["left"], &first["right"], &first["count"]),
            (&json!("a"), &json!("b"), &json!(3))
        );
        let last = &result["pairs"][5];
        assert_eq!(last["note"], "one of the columns does not vary");
    }

    #[test]
    fn one_column_is_not_enough() {
        let error = ask::<Correlate>(&json!({"rows": [{"a": 1, "t": "x"}]})).unwrap_err();
        assert_eq!(error.message, "1 columns hold numbers; two are needed");
    }
}
