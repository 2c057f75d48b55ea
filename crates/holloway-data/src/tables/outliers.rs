//! Which values stand apart? By the quartiles, by standard deviations, or by the median
//! deviation; the limits that were used are told for every group.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::error::DataError;
use crate::figures::{moments, quantile};
use crate::limits::Budget;
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outliers {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    /// Every column of numbers where it is [`ALL`].
    column: String,
    #[serde(default)]
    method: Method,
    threshold: Option<f64>,
    #[serde(default)]
    by: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    Iqr,
    Zscore,
    /// A few wild values do not hide others.
    #[default]
    Mad,
}

/// Stands for every column of numbers.
const ALL: &str = "*";
/// Makes the median deviation of normal numbers comparable with their standard deviation.
const MAD_FACTOR: f64 = 0.6745;

struct Limits {
    lower: f64,
    upper: f64,
    centre: f64,
    /// What a score of 1 is; 0 when there is none.
    spread: f64,
}

impl Question for Outliers {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let threshold = self.threshold.unwrap_or(match self.method {
            Method::Iqr => 1.5,
            Method::Zscore => 3.0,
            Method::Mad => 3.5,
        });
        if !(threshold.is_finite() && threshold > 0.0) {
            return Err(DataError::request("`threshold` must be a number above 0"));
        }
        let table = Table::read(arguments, "rows")?;
        let mut budget = Budget::default();
        let (mut groups, mut outliers) = (Vec::new(), Vec::new());
        for (column, numbers) in self.columns(&table)? {
            self.look(&table, (column, &numbers), threshold, &mut |found| {
                let (row, into) = match found {
                    Found::Group(row) => (row, &mut groups),
                    Found::Outlier(row) => (row, &mut outliers),
                };
                budget.row(&row)?;
                into.push(Value::Object(row));
                Ok(())
            })?;
        }
        Ok(
            json!({ "count": outliers.len(), "threshold": threshold, "groups": groups, "outliers": outliers }),
        )
    }
}

/// What looking at a column tells.
enum Found {
    Group(Map<String, Value>),
    Outlier(Map<String, Value>),
}

/// The name of a column, where several are looked at, and its numbers.
type Column<'a> = (Option<&'a str>, Vec<Option<f64>>);

impl Outliers {
    /// The column that was named, or all whose values are numbers.
    fn columns<'a>(&self, table: &Table<'a>) -> Result<Vec<Column<'a>>, DataError> {
        if self.column != ALL {
            return Ok(vec![(None, table.numbers(&self.column)?)]);
        }
        let is_key = |name: &str| self.by.iter().any(|key| key == name);
        let names = table.columns().iter().filter(|name| !is_key(name));
        let mut columns = Vec::new();
        for name in names {
            // A column with other values has no numbers to judge.
            let numbers = table.numbers(name).unwrap_or_default();
            if numbers.iter().any(Option::is_some) {
                columns.push((Some(*name), numbers));
            }
        }
        if columns.is_empty() && !table.is_empty() {
            let hint = format!("the columns are {}", table.columns().join(", "));
            return Err(DataError::data("there is no column of numbers").with_hint(hint));
        }
        Ok(columns)
    }

    fn look(
        &self,
        table: &Table<'_>,
        (column, numbers): (Option<&str>, &[Option<f64>]),
        threshold: f64,
        tell: &mut dyn FnMut(Found) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let named = |mut fields: Map<String, Value>| {
            if let Some(column) = column {
                fields.insert("column".to_owned(), json!(column));
            }
            fields
        };
        for part in table.parts(&self.by)? {
            let values: Vec<f64> = part.of(numbers).into_iter().flatten().collect();
            let found = self.limits(&values, threshold);
            let mut apart = 0;
            for row in &part.rows {
                let Some(value) = numbers.get(*row).copied().flatten() else {
                    continue;
                };
                let Some(limits) = found.as_ref().ok().filter(|limits| limits.exclude(value))
                else {
                    continue;
                };
                apart += 1;
                let entry = limits.entry(*row, value, table.rows().get(*row).copied());
                tell(Found::Outlier(named(entry)))?;
            }
            let mut group = part.fields(&self.by);
            group.extend(told(&values, &found, apart));
            tell(Found::Group(named(group)))?;
        }
        Ok(())
    }
}

fn told(values: &[f64], found: &Result<Limits, &'static str>, apart: usize) -> Map<String, Value> {
    let (lower, upper) = match found {
        Ok(limits) => (Some(limits.lower), Some(limits.upper)),
        Err(_) => (None, None),
    };
    let note = found.as_ref().err();
    let entry = json!({"count": values.len(), "outliers": apart, "lower": lower, "upper": upper, "note": note});
    entry.as_object().cloned().unwrap_or_default()
}

impl Limits {
    fn around(centre: f64, spread: f64, threshold: f64) -> Self {
        let reach = spread * threshold;
        Self {
            lower: centre - reach,
            upper: centre + reach,
            centre,
            spread,
        }
    }

    fn exclude(&self, value: f64) -> bool {
        value < self.lower || value > self.upper
    }

    fn entry(
        &self,
        row: usize,
        value: f64,
        whole: Option<&Map<String, Value>>,
    ) -> Map<String, Value> {
        let score = (value - self.centre) / self.spread;
        let side = if value > self.upper { "high" } else { "low" };
        let entry = json!({
            "row": row + 1,
            "value": value,
            "side": side,
            "score": score.is_finite().then_some(score),
            "fields": whole,
        });
        entry.as_object().cloned().unwrap_or_default()
    }
}

impl Outliers {
    /// Why there are none is told instead.
    fn limits(&self, values: &[f64], threshold: f64) -> Result<Limits, &'static str> {
        const FEW: &str = "fewer than three values have no outliers";
        if values.len() < 3 {
            return Err(FEW);
        }
        let sorted = quantile::sorted(values);
        let at = |portion| quantile::quantile(&sorted, portion).ok_or(FEW);
        match self.method {
            Method::Iqr => {
                let (lower, upper) = (at(0.25)?, at(0.75)?);
                let spread = upper - lower;
                let (lower, upper) = (lower - threshold * spread, upper + threshold * spread);
                Ok(Limits {
                    lower,
                    upper,
                    centre: at(0.5)?,
                    spread,
                })
            }
            Method::Zscore => {
                let mean = moments::mean(values).ok_or(FEW)?;
                let spread = moments::stdev(values).ok_or(FEW)?;
                Ok(Limits::around(mean, spread, threshold))
            }
            Method::Mad => {
                let median = at(0.5)?;
                let mut distances: Vec<f64> =
                    values.iter().map(|value| (value - median).abs()).collect();
                let deviation = quantile::median_of(&mut distances).ok_or(FEW)?;
                if deviation <= 0.0 {
                    return Err(
                        "more than half of the values are the same, so the median deviation is 0",
                    );
                }
                Ok(Limits::around(median, deviation / MAD_FACTOR, threshold))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn outliers(options: Value) -> Value {
        let mut arguments = options;
        let mut rows: Vec<Value> = [10, 11, 12, 11, 10, 12, 11, 99]
            .iter()
            .map(|p| json!({"s": "a", "p": p}))
            .collect();
        rows.extend([5, 5, 5, 5, 7].iter().map(|p| json!({"s": "b", "p": p})));
        arguments["rows"] = json!(rows);
        arguments["column"] = json!("p");
        arguments["by"] = json!(["s"]);
        ask::<Outliers>(&arguments).unwrap()
    }

    #[test]
    fn values_far_from_the_rest_are_found() {
        let found = outliers(json!({"method": "iqr"}));
        assert_eq!(found["outliers"][0]["row"], 8);
        assert_eq!(
            found["groups"][0],
            json!({"s": "a", "count": 8, "outliers": 1, "lower": 8.875, "upper": 13.875, "note": null})
        );
        assert_eq!(found["count"], 2);
        let mad = outliers(json!({}));
        assert_eq!(
            (&mad["count"], &mad["outliers"][0]["value"]),
            (&json!(1), &json!(99.0))
        );
        assert!(
            mad["groups"][1]["note"]
                .as_str()
                .unwrap()
                .contains("median deviation is 0")
        );
        // One value among eight cannot be three standard deviations away.
        assert_eq!(outliers(json!({"method": "zscore"}))["count"], 0);
        assert_eq!(
            outliers(json!({"method": "zscore", "threshold": 2}))["count"],
            1
        );
    }

    #[test]
    fn all_columns_of_numbers_can_be_looked_at() {
        let prices = [10, 11, 10, 12, 99];
        let rows = prices.map(|price| json!({"name": "x", "price": price, "size": 3}));
        let found = ask::<Outliers>(&json!({"rows": rows, "column": "*"})).unwrap();
        assert_eq!(found["count"], 1);
        assert_eq!(found["outliers"][0]["column"], "price");
        let error = ask::<Outliers>(&json!({"rows": [{"name": "x"}], "column": "*"})).unwrap_err();
        assert_eq!(error.message, "there is no column of numbers");
    }
}
