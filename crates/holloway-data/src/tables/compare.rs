//! Do two samples differ? Welch's t test for their means and the Mann–Whitney U test
//! for their places, with a careful word about what they find.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cell::{self, Key};
use crate::error::DataError;
use crate::figures::mann_whitney::mann_whitney;
use crate::figures::welch::welch;
use crate::figures::{moments, quantile};
use crate::limits;
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    left: Option<Vec<Value>>,
    right: Option<Vec<Value>>,
    rows: Option<Borrowed>,
    column: Option<String>,
    by: Option<String>,
    groups: Option<(Value, Value)>,
    #[serde(default = "five_percent")]
    alpha: f64,
}

fn five_percent() -> f64 {
    0.05
}

struct Samples {
    left: Vec<f64>,
    right: Vec<f64>,
    names: (String, String),
}

impl Question for Compare {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(DataError::request("`alpha` must lie between 0 and 1"));
        }
        let Samples { left, right, names } = self.samples(arguments)?;
        let (means, places) = (welch(&left, &right), mann_whitney(&left, &right));
        let (verdict, note) = self.verdict(means.map(|test| test.p), places.map(|test| test.p));
        let difference = moments::mean(&right)
            .zip(moments::mean(&left))
            .map(|(right, left)| right - left);
        Ok(json!({
            "left": told(&names.0, &left),
            "right": told(&names.1, &right),
            "difference": difference,
            "verdict": verdict,
            "note": note,
            "welch": means.map(|test| json!({"t": test.t, "df": test.freedom, "p": test.p})),
            "mann_whitney": places.map(|test| json!({"u": test.u, "p": test.p, "exact": test.is_exact})),
        }))
    }
}

fn told(name: &str, values: &[f64]) -> Value {
    json!({
        "name": name,
        "count": values.len(),
        "mean": moments::mean(values),
        "median": quantile::median(&quantile::sorted(values)),
        "stdev": moments::stdev(values),
    })
}

impl Compare {
    fn samples(&self, arguments: &Value) -> Result<Samples, DataError> {
        let names = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        match (&self.left, &self.right, &self.rows, &self.column, &self.by) {
            (Some(left), Some(right), None, None, None) => {
                let (left, right) = (list(left, "left")?, list(right, "right")?);
                Ok(Samples {
                    left,
                    right,
                    names: names("left", "right"),
                })
            }
            (None, None, Some(_), Some(column), Some(by)) => self.grouped(arguments, column, by),
            _ => Err(DataError::request(
                "give either the lists `left` and `right`, or `rows` with `column` and `by`",
            )),
        }
    }

    fn grouped(&self, arguments: &Value, column: &str, by: &str) -> Result<Samples, DataError> {
        let table = Table::read(arguments, "rows")?;
        let numbers = table.numbers(column)?;
        let parts = table.parts(&[by.to_owned()])?;
        let name = |part: &crate::table::Part<'_>| {
            part.key
                .first()
                .copied()
                .flatten()
                .map_or("null".to_owned(), cell::shown)
        };
        let sample = |wanted: Option<&Value>, at: usize| {
            let found = match wanted {
                Some(wanted) => parts.iter().find(|part| {
                    Key::of(part.key.first().copied().flatten()) == Key::of(Some(wanted))
                }),
                None => parts.get(at),
            };
            let missing = || {
                DataError::data(format!(
                    "no row has {} in `{by}`",
                    wanted.map_or("a second value".to_owned(), cell::shown)
                ))
            };
            found.ok_or_else(missing)
        };
        if self.groups.is_none() && parts.len() != 2 {
            let message = format!("`{by}` has {} values; two are compared", parts.len());
            return Err(DataError::data(message).with_hint("name two of them in `groups`"));
        }
        let (first, second) = self
            .groups
            .as_ref()
            .map(|(first, second)| (first, second))
            .unzip();
        let (left, right) = (sample(first, 0)?, sample(second, 1)?);
        let values =
            |part: &crate::table::Part<'_>| part.of(&numbers).into_iter().flatten().collect();
        Ok(Samples {
            left: values(left),
            right: values(right),
            names: (name(left), name(right)),
        })
    }

    fn verdict(&self, means: Option<f64>, places: Option<f64>) -> (&'static str, &'static str) {
        match (
            means.map(|p| p < self.alpha),
            places.map(|p| p < self.alpha),
        ) {
            (None, _) | (_, None) => (
                "too few values",
                "two values on each side that are not all the same are needed",
            ),
            (Some(true), Some(true)) => ("different", "both tests find a difference"),
            (Some(false), Some(false)) => (
                "no clear difference",
                "neither test finds one; that does not show they are equal",
            ),
            (Some(true), Some(false)) => (
                "unclear",
                "only the means differ; single large values may be the reason",
            ),
            (Some(false), Some(true)) => (
                "unclear",
                "only the ranks differ; the means spread too much",
            ),
        }
    }
}

fn list(values: &[Value], name: &str) -> Result<Vec<f64>, DataError> {
    limits::rows(values.len(), &format!("`{name}`"))?;
    let mut numbers = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        if let Some(value) = cell::present(Some(value)) {
            let number = cell::number(value).ok_or_else(|| {
                DataError::data(format!(
                    "value {} of `{name}` is not a number: {}",
                    index + 1,
                    cell::shown(value)
                ))
            })?;
            numbers.push(number);
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    #[test]
    fn samples_are_told_apart_with_care() {
        let check = |left: Value, right: Value, expected: &str| {
            let result = ask::<Compare>(&json!({"left": left, "right": right})).unwrap();
            assert_eq!(result["verdict"], expected, "{result}");
        };
        check(
            json!([1, 2, 3, 4, 5, 6]),
            json!([11, 12, 13, 14, 15, 16]),
            "different",
        );
        check(
            json!([1, 2, 3, 4]),
            json!([1, 2, 3, 5]),
            "no clear difference",
        );
        check(json!([1]), json!([1, 2]), "too few values");
        check(json!([]), json!([1, 2]), "too few values");
    }

    #[test]
    fn groups_of_rows_are_samples() {
        let rows = json!([{"s": "a", "p": 1}, {"s": "b", "p": 3}, {"s": "a", "p": 2}, {"s": "b", "p": "4"}, {"s": "c", "p": 9}]);
        let three = ask::<Compare>(&json!({"rows": rows, "column": "p", "by": "s"})).unwrap_err();
        assert_eq!(three.message, "`s` has 3 values; two are compared");
        let two = json!({"rows": rows, "column": "p", "by": "s", "groups": ["b", "a"]});
        let result = ask::<Compare>(&two).unwrap();
        assert_eq!(
            (&result["left"]["mean"], &result["difference"]),
            (&json!(3.5), &json!(-2.0))
        );
        let written = json!([{"s": 1.0, "p": 1}, {"p": 3}, {"s": 1, "p": 2}, {"s": 2, "p": 9}]);
        let mixed = json!({"rows": written, "column": "p", "by": "s", "groups": [1, null]});
        let result = ask::<Compare>(&mixed).unwrap();
        assert_eq!(
            (&result["left"]["count"], &result["right"]["count"]),
            (&json!(2), &json!(1))
        );
        let absent = json!({"rows": rows, "column": "p", "by": "s", "groups": ["b", "z"]});
        assert_eq!(
            ask::<Compare>(&absent).unwrap_err().message,
            "no row has \"z\" in `s`"
        );
    }
}
