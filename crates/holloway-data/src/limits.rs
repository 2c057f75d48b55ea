//! How much may a question take in and give back? Everything that grows with the
//! data, or faster than it, is counted here before it is built.

use serde_json::{Map, Value};

use crate::error::DataError;

/// Rows that one table may have, and that one result may have.
pub const ROWS: usize = 1_000_000;
/// Columns of one table.
pub const COLUMNS: usize = 10_000;
/// Roughly the bytes of one result.
pub const BYTES: usize = 64 * 1024 * 1024;
/// Pairs of values whose slopes the Theil–Sen estimator looks at, over all series.
pub const PAIRS: usize = 5_000_000;
/// Columns that a pivot may make.
pub const PIVOT_COLUMNS: usize = 500;
/// Bars of a histogram.
pub const BINS: usize = 1_000;
/// Periods between the first and the last date.
pub const PERIODS: usize = 100_000;

/// Refuses more than `ROWS` rows.
pub fn rows(count: usize, what: &str) -> Result<(), DataError> {
    if count <= ROWS {
        return Ok(());
    }
    let message = format!("{what} has {count} rows; at most {ROWS} are worked on");
    Err(DataError::limit(message).with_hint("work on the data in parts"))
}

/// Counts what a result holds while it is built.
#[derive(Default)]
pub struct Budget {
    bytes: usize,
}

impl Budget {
    /// Adds one row; names count too, because every row repeats them.
    pub fn row(&mut self, row: &Map<String, Value>) -> Result<(), DataError> {
        let fields = row.iter().map(|(name, value)| name.len() + weight(value));
        self.bytes(fields.sum())
    }

    pub fn bytes(&mut self, more: usize) -> Result<(), DataError> {
        self.bytes = self.bytes.saturating_add(more);
        if self.bytes <= BYTES {
            return Ok(());
        }
        let message = format!("the result would be larger than {BYTES} bytes");
        Err(DataError::limit(message).with_hint("choose fewer columns or rows"))
    }
}

fn weight(value: &Value) -> usize {
    let inside: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| name.len() + weight(value))
            .sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    inside + 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_result_stops_growing() {
        let row = json!({"text": "x".repeat(1 << 20)});
        let row = row.as_object().unwrap();
        let mut budget = Budget::default();
        let fitting = (0..100).take_while(|_| budget.row(row).is_ok()).count();
        assert_eq!(fitting, 63);
        assert!(rows(ROWS, "it").is_ok());
        assert_eq!(
            rows(ROWS + 1, "`left`").unwrap_err().message,
            "`left` has 1000001 rows; at most 1000000 are worked on"
        );
    }
}
