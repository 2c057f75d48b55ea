//! What comes next, if things go on as before? The last value, Holt's line or the value
//! a season ago, whichever was nearest on a tail kept back; the error on it is told.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::DataError;
use crate::figures::moments;
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    value: String,
    time: Option<String>,
    #[serde(default = "three")]
    steps: usize,
    season: Option<usize>,
}

fn three() -> usize {
    3
}

const MOST_STEPS: usize = 365;
/// Fewer values cannot be parted into a past and a tail worth judging by.
const FEWEST: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Last,
    Holt,
    Season(usize),
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::Last => "last value",
            Self::Holt => "Holt's line",
            Self::Season(_) => "a season ago",
        }
    }

    fn predict(self, past: &[f64], steps: usize) -> Vec<f64> {
        match self {
            Self::Last => vec![past.last().copied().unwrap_or_default(); steps],
            Self::Holt => holt(past, steps),
            Self::Season(length) => {
                let season = past
                    .get(past.len().saturating_sub(length)..)
                    .unwrap_or_default();
                season.iter().copied().cycle().take(steps).collect()
            }
        }
    }
}

impl Question for Forecast {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        if self.steps == 0 || self.steps > MOST_STEPS {
            return Err(DataError::request(format!(
                "`steps` must lie between 1 and {MOST_STEPS}"
            )));
        }
        let table = Table::read(arguments, "rows")?;
        let series = self.series(&table)?;
        if series.len() < FEWEST {
            let message = format!(
                "{} values; at least {FEWEST} are needed for a forecast",
                series.len()
            );
            return Err(DataError::data(message));
        }
        let tail = self.steps.min(series.len() / 4).max(1);
        let (past, kept) = series.split_at(series.len() - tail);
        let mut methods = vec![Method::Last, Method::Holt];
        if let Some(season) = self.season {
            if season < 2 || season > past.len() {
                let message = format!("`season` must lie between 2 and {}", past.len());
                return Err(DataError::request(message));
            }
            methods.push(Method::Season(season));
        }
        let mut tried: Vec<(Method, f64)> = methods
            .iter()
            .map(|method| (*method, error(&method.predict(past, tail), kept)))
            .collect();
        // The simpler method first where two are as good.
        tried.sort_by(|left, right| left.1.total_cmp(&right.1));
        let (best, mean_error) = tried.first().copied().unwrap_or((Method::Last, f64::NAN));
        let shown = tried
            .iter()
            .map(|(method, error)| json!({"method": method.name(), "mean_error": error}));
        let shown: Vec<Value> = shown.collect();
        Ok(json!({
            "method": best.name(),
            "values": best.predict(&series, self.steps),
            "mean_error": mean_error,
            "held_back": tail,
            "tried": shown,
            "count": series.len(),
            "note": format!("if things go on as before; off by {mean_error:.4} on average over the last {tail} values"),
        }))
    }
}

impl Forecast {
    fn series(&self, table: &Table<'_>) -> Result<Vec<f64>, DataError> {
        let values = table.numbers(&self.value)?;
        let Some(time) = &self.time else {
            return Ok(values.into_iter().flatten().collect());
        };
        let times = table.times(time)?.values;
        let mut points: Vec<(f64, f64)> = times
            .into_iter()
            .zip(values)
            .filter_map(|(time, value)| time.zip(value))
            .collect();
        points.sort_by(|left, right| left.0.total_cmp(&right.0));
        Ok(points.into_iter().map(|(_, value)| value).collect())
    }
}

fn error(predicted: &[f64], kept: &[f64]) -> f64 {
    let distances: Vec<f64> = predicted
        .iter()
        .zip(kept)
        .map(|(one, other)| (one - other).abs())
        .collect();
    moments::mean(&distances).unwrap_or(f64::NAN)
}

/// Level and slope, each a running mean; the weights are those that would have
/// predicted the past best, one step at a time.
fn holt(past: &[f64], steps: usize) -> Vec<f64> {
    let weights = || (1..10).map(|tenth| f64::from(tenth) / 10.0);
    let all = weights().flat_map(|level| weights().map(move |slope| (level, slope)));
    let best = all
        .map(|(level, slope)| smooth(past, level, slope))
        .min_by(|a, b| a.2.total_cmp(&b.2));
    let (level, slope, _) = best.unwrap_or_default();
    (1..=steps)
        .map(|step| level + step as f64 * slope)
        .collect()
}

/// The last level and slope, and the sum of squared errors on the way.
fn smooth(past: &[f64], level_weight: f64, slope_weight: f64) -> (f64, f64, f64) {
    let [first, second, rest @ ..] = past else {
        return (past.first().copied().unwrap_or_default(), 0.0, 0.0);
    };
    let (mut level, mut slope, mut squares) = (*second, second - first, 0.0);
    for value in rest {
        let expected = level + slope;
        squares += (value - expected).powi(2);
        let next = level_weight * value + (1.0 - level_weight) * expected;
        slope = slope_weight * (next - level) + (1.0 - slope_weight) * slope;
        level = next;
    }
    (level, slope, squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn forecast(values: &[f64], options: Value) -> Result<Value, DataError> {
        let mut arguments = options;
        arguments["rows"] = values.iter().map(|v| json!({"v": v})).collect();
        arguments["value"] = json!("v");
        ask::<Forecast>(&arguments)
    }

    #[test]
    fn the_method_that_did_best_is_taken() {
        let line: Vec<f64> = (0..12).map(|n| 3.0 + 2.0 * f64::from(n)).collect();
        let result = forecast(&line, json!({"steps": 2})).unwrap();
        assert_eq!(result["method"], "Holt's line");
        let next = result["values"][1].as_f64().unwrap();
        assert!((next - 29.0).abs() < 1e-9, "{next}");
        let season: Vec<f64> = [1.0, 5.0, 9.0].into_iter().cycle().take(15).collect();
        let result = forecast(&season, json!({"steps": 4, "season": 3})).unwrap();
        assert_eq!(result["method"], "a season ago");
        assert_eq!(result["values"], json!([1.0, 5.0, 9.0, 1.0]));
        assert_eq!(
            forecast(&[4.0; 9], json!({})).unwrap()["method"],
            "last value"
        );
    }

    #[test]
    fn too_little_is_refused() {
        assert!(forecast(&[1.0, 2.0], json!({})).is_err());
        assert!(forecast(&[1.0; 20], json!({"season": 1})).is_err());
        assert!(forecast(&[1.0; 20], json!({"steps": 0})).is_err());
    }
}
