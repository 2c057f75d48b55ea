//! What is in each column? Figures for numbers, most frequent values for the rest.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Value, json};

use super::column_type::{ColumnType, Reading, judge};
use crate::cell::{self, Cell, Key};
use crate::error::DataError;
use crate::figures::{moments, quantile};
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Describe {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    columns: Option<Vec<String>>,
}

impl Question for Describe {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let table = Table::read(arguments, "rows")?;
        let all = || {
            table
                .columns()
                .iter()
                .map(|name| (*name).to_owned())
                .collect()
        };
        let names: Vec<String> = self.columns.clone().unwrap_or_else(all);
        let describe = |name: &String| {
            let numbers = table.numbers(name).ok();
            Ok(describe(name, &table.cells(name)?, numbers))
        };
        let columns: Vec<Value> = names
            .iter()
            .map(describe)
            .collect::<Result<_, DataError>>()?;
        Ok(json!({ "count": table.len(), "columns": columns }))
    }
}

fn describe(name: &str, cells: &[Cell<'_>], numbers: Option<Vec<Option<f64>>>) -> Value {
    let present: Vec<&Value> = cells
        .iter()
        .filter_map(|cell| cell::present(*cell))
        .collect();
    let kind = judge(cells.iter().copied(), Reading::default()).kind;
    let mut entry = json!({
        "column": name,
        "type": kind.name(),
        "count": present.len(),
        "missing": cells.len() - present.len(),
    });
    let figures = match (kind, numbers) {
        (ColumnType::Empty, _) => Value::Null,
        (ColumnType::Number, Some(numbers)) => {
            of_numbers(&numbers.into_iter().flatten().collect::<Vec<f64>>())
        }
        _ => of_values(&present),
    };
    if let (Some(entry), Value::Object(figures)) = (entry.as_object_mut(), figures) {
        entry.extend(figures);
    }
    entry
}

fn of_numbers(numbers: &[f64]) -> Value {
    let sorted = quantile::sorted(numbers);
    json!({
        "sum": moments::sum(numbers.iter().copied()),
        "mean": moments::mean(numbers),
        "stdev": moments::stdev(numbers),
        "min": sorted.first(),
        "q1": quantile::quantile(&sorted, 0.25),
        "median": quantile::median(&sorted),
        "q3": quantile::quantile(&sorted, 0.75),
        "max": sorted.last(),
        "skewness": moments::skewness(numbers),
        "kurtosis": moments::kurtosis(numbers),
    })
}

/// Of equally frequent values the one that comes first is on top.
fn of_values(present: &[&Value]) -> Value {
    let mut counts: FxHashMap<Key<'_>, (usize, usize)> = FxHashMap::default();
    for (index, value) in present.iter().enumerate() {
        counts.entry(Key::of(Some(value))).or_insert((0, index)).0 += 1;
    }
    let most = counts
        .values()
        .max_by_key(|(count, first)| (*count, std::cmp::Reverse(*first)));
    let (frequency, first) = most.copied().unwrap_or_default();
    let order = |left: &&&Value, right: &&&Value| cell::compare(Some(left), Some(right));
    json!({
        "distinct": counts.len(),
        "top": present.get(first),
        "frequency": frequency,
        "min": present.iter().min_by(order),
        "max": present.iter().max_by(order),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    #[test]
    fn columns_are_described_by_their_kind() {
        let rows = json!([
            {"p": 1, "s": "b", "d": "2024-01-02"}, {"p": "2", "s": "a", "d": "2024-01-01"},
            {"p": 3, "s": "a"}, {"p": null, "s": "b", "e": ""},
        ]);
        let result = ask::<Describe>(&json!({"rows": rows})).unwrap();
        insta::assert_snapshot!(result.to_string(), @r#"{"count":4,"columns":[{"column":"p","type":"number","count":3,"missing":1,"sum":6.0,"mean":2.0,"stdev":1.0,"min":1.0,"q1":1.5,"median":2.0,"q3":2.5,"max":3.0,"skewness":0.0,"kurtosis":null},{"column":"s","type":"text","count":4,"missing":0,"distinct":2,"top":"b","frequency":2,"min":"a","max":"b"},{"column":"d","type":"date","count":2,"missing":2,"distinct":2,"top":"2024-01-02","frequency":1,"min":"2024-01-01","max":"2024-01-02"},{"column":"e","type":"empty","count":0,"missing":4}]}"#);
    }

    #[test]
    fn numbers_are_read_as_the_column_writes_them() {
        let rows = json!([{"p": "1,234", "q": "54,30"}, {"p": "2", "q": "1.000,70"}]);
        let result = ask::<Describe>(&json!({"rows": rows})).unwrap();
        assert_eq!(result["columns"][0]["sum"], 1236.0);
        assert_eq!(result["columns"][1]["sum"], 1055.0);
    }
}
