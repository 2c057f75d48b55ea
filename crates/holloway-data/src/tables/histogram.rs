//! How are the values spread? Counts between edges; every bin but the last leaves out
//! its upper edge, as NumPy has it.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::DataError;
use crate::figures::quantile;
use crate::limits::BINS;
use crate::question::{Borrowed, Question};
use crate::table::Table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    #[allow(dead_code)] // read from the arguments where it lies
    rows: Borrowed,
    column: String,
    bins: Option<usize>,
    edges: Option<Vec<f64>>,
}

impl Question for Histogram {
    fn answer(&self, arguments: &Value) -> Result<Value, DataError> {
        let table = Table::read(arguments, "rows")?;
        let numbers = table.numbers(&self.column)?;
        let sorted: Vec<f64> =
            quantile::sorted(&numbers.iter().copied().flatten().collect::<Vec<_>>());
        let missing = numbers.len() - sorted.len();
        let edges = self.edges(&sorted)?;
        let bins = count(&sorted, &edges);
        let inside: usize = bins.iter().map(|(_, _, count)| count).sum();
        let most = bins.iter().map(|(_, _, count)| *count).max().unwrap_or(0);
        let shown = bins.iter().map(|(from, to, count)| {
            let share = *count as f64 / inside.max(1) as f64;
            json!({"from": from, "to": to, "count": count, "share": share})
        });
        let shown: Vec<Value> = shown.collect();
        Ok(json!({
            "count": inside,
            "missing": missing,
            "outside": sorted.len() - inside,
            "most": most,
            "bins": shown,
        }))
    }
}

impl Histogram {
    fn edges(&self, sorted: &[f64]) -> Result<Vec<f64>, DataError> {
        if let Some(edges) = &self.edges {
            let rises = edges
                .windows(2)
                .all(|pair| matches!(pair, [low, high] if low < high));
            if self.bins.is_some() || edges.len() < 2 || edges.len() > BINS + 1 || !rises {
                let message = format!(
                    "`edges` must be 2 to {} rising numbers, without `bins`",
                    BINS + 1
                );
                return Err(DataError::request(message));
            }
            return Ok(edges.clone());
        }
        let (Some(low), Some(high)) = (sorted.first().copied(), sorted.last().copied()) else {
            return Ok(Vec::new());
        };
        // A single value stands in the middle of one unit.
        let (low, high) = if high > low {
            (low, high)
        } else {
            (low - 0.5, high + 0.5)
        };
        let bins = self.bins.unwrap_or_else(|| automatic(sorted));
        if bins == 0 || bins > BINS {
            return Err(DataError::request(format!(
                "`bins` must lie between 1 and {BINS}"
            )));
        }
        let step = (high - low) / bins as f64;
        let inner = (0..bins).map(|index| low + index as f64 * step);
        Ok(inner.chain([high]).collect())
    }
}

/// The narrower of Sturges' and Freedman–Diaconis' widths, as NumPy's `auto`.
fn automatic(sorted: &[f64]) -> usize {
    let count = sorted.len() as f64;
    let (Some(low), Some(high)) = (sorted.first(), sorted.last()) else {
        return 1;
    };
    let range = high - low;
    let quarter = |portion| quantile::quantile(sorted, portion).unwrap_or_default();
    let sturges = range / (count.log2() + 1.0);
    let freedman = 2.0 * (quarter(0.75) - quarter(0.25)) / count.cbrt();
    // Where most values are the same, the quartiles say nothing about the width.
    let widest_count = range / count.sqrt() / 2.0;
    let width = sturges.min(freedman.max(widest_count));
    let bins = (range / width).ceil();
    if bins.is_finite() {
        (bins as usize).clamp(1, BINS)
    } else {
        1
    }
}

fn count(sorted: &[f64], edges: &[f64]) -> Vec<(f64, f64, usize)> {
    let last = edges.len().saturating_sub(2);
    let bins = edges.windows(2).enumerate().filter_map(|(index, pair)| {
        let [from, to] = pair else {
            return None;
        };
        let below = sorted.partition_point(|value| value < from);
        let above = if index == last {
            sorted.partition_point(|value| value <= to)
        } else {
            sorted.partition_point(|value| value < to)
        };
        Some((*from, *to, above - below))
    });
    bins.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::ask;

    fn counts(options: Value) -> Vec<u64> {
        let mut arguments = options;
        arguments["rows"] = json!((1..=10).map(|v| json!({"v": v})).collect::<Vec<_>>());
        arguments["column"] = json!("v");
        let result = ask::<Histogram>(&arguments).unwrap();
        result["bins"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bin| bin["count"].as_u64().unwrap())
            .collect()
    }

    #[test]
    fn values_fall_between_edges() {
        assert_eq!(counts(json!({"bins": 3})), [3, 3, 4]);
        assert_eq!(counts(json!({"edges": [0, 5, 10]})), [4, 6]);
        assert_eq!(counts(json!({"edges": [2, 3]})), [2]);
        assert_eq!(counts(json!({})), [2, 2, 2, 2, 2]);
    }

    #[test]
    fn one_value_and_none() {
        let one = ask::<Histogram>(&json!({"rows": [{"v": 4}], "column": "v"})).unwrap();
        assert_eq!(
            one["bins"],
            json!([{"from": 3.5, "to": 4.5, "count": 1, "share": 1.0}])
        );
        let none = ask::<Histogram>(&json!({"rows": [], "column": "v"})).unwrap();
        assert_eq!(none["bins"], json!([]));
        assert!(ask::<Histogram>(&json!({"rows": [], "column": "v", "edges": [2, 1]})).is_err());
    }
}
