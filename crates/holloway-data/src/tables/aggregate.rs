//! What do many values become? One figure per aggregate; missing values are left out
//! of all of them. `count` without a column counts rows.

use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde_json::Value;

use super::typed::Typed;
use crate::cell::{self, Cell, Key};
use crate::error::DataError;
use crate::figures::{moments, quantile};
use crate::table::{Part, Table};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregate {
    pub column: Option<String>,
    pub function: Function,
    #[serde(rename = "as")]
    name: Option<String>,
    /// For `quantile`.
    portion: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Function {
    Count,
    Sum,
    Mean,
    Median,
    Min,
    Max,
    Stdev,
    First,
    Last,
    Distinct,
    Quantile,
}

impl Function {
    fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Mean => "mean",
            Self::Median => "median",
            Self::Min => "min",
            Self::Max => "max",
            Self::Stdev => "stdev",
            Self::First => "first",
            Self::Last => "last",
            Self::Distinct => "distinct",
            Self::Quantile => "quantile",
        }
    }

    fn needs_numbers(self) -> bool {
        matches!(
            self,
            Self::Sum | Self::Mean | Self::Median | Self::Stdev | Self::Quantile
        )
    }
}

impl Aggregate {
    /// How many rows there are.
    pub fn rows() -> Self {
        let name = Some("count".to_owned());
        Self {
            column: None,
            function: Function::Count,
            name,
            portion: None,
        }
    }

    /// `price_mean` unless another name was given.
    pub fn name(&self) -> String {
        let function = self.function.name();
        match (&self.name, &self.column, self.portion) {
            (Some(name), _, _) => name.clone(),
            (None, Some(column), Some(portion)) => format!("{column}_{function}_{portion}"),
            (None, Some(column), None) => format!("{column}_{function}"),
            (None, None, _) => function.to_owned(),
        }
    }

    /// Reads the column once, for all groups.
    pub fn ready<'a>(&self, table: &Table<'a>) -> Result<Ready<'a>, DataError> {
        let portion = match (self.function, self.portion) {
            (Function::Quantile, Some(portion)) if (0.0..=1.0).contains(&portion) => portion,
            (Function::Quantile, _) => {
                return Err(DataError::request(
                    "`quantile` needs a `portion` from 0 to 1, such as 0.9",
                ));
            }
            (_, Some(_)) => {
                return Err(DataError::request(
                    "`portion` belongs to the function `quantile` only",
                ));
            }
            (_, None) => 0.5,
        };
        let function = self.function;
        let values = match &self.column {
            None if function == Function::Count => Values::Rows,
            None => {
                let message = format!("the function `{}` needs a `column`", function.name());
                return Err(DataError::request(message));
            }
            Some(column) if function.needs_numbers() => {
                let numbers = table.numbers(column)?;
                let cells = table.cells(column)?;
                let is_whole = cells
                    .iter()
                    .filter_map(|cell| cell::present(*cell))
                    .all(is_whole);
                Values::Numbers { numbers, is_whole }
            }
            Some(column) => {
                let cells = table.cells(column)?;
                let typed = Typed::of(table, std::iter::once(column.as_str()))?;
                let meant = |cell: &Cell<'a>| typed.value(column, *cell);
                let meant = cells.iter().map(meant).collect();
                Values::Cells { cells, meant }
            }
        };
        Ok(Ready {
            function,
            portion,
            values,
        })
    }
}

fn is_whole(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_i64() || number.is_u64(),
        Value::String(text) => !text.contains(['.', 'e', 'E']),
        _ => false,
    }
}

/// An aggregate with its column.
pub struct Ready<'a> {
    function: Function,
    portion: f64,
    values: Values<'a>,
}

enum Values<'a> {
    Rows,
    /// As they stand there, and what texts stand for.
    Cells {
        cells: Vec<Cell<'a>>,
        meant: Vec<Option<Value>>,
    },
    Numbers {
        numbers: Vec<Option<f64>>,
        is_whole: bool,
    },
}

impl Ready<'_> {
    pub fn value(&self, part: &Part<'_>) -> Value {
        match &self.values {
            Values::Rows => Value::from(part.rows.len()),
            Values::Cells { cells, meant } => {
                let present = part.rows.iter().filter_map(|row| {
                    let written = cell::present(cells.get(*row).copied().flatten())?;
                    let meant = meant.get(*row).and_then(Option::as_ref);
                    Some((written, meant.unwrap_or(written)))
                });
                self.of_cells(present)
            }
            Values::Numbers { numbers, is_whole } => {
                let present = part
                    .rows
                    .iter()
                    .filter_map(|row| numbers.get(*row).copied().flatten());
                self.of_numbers(present.collect(), *is_whole)
            }
        }
    }

    /// Values as they are written, each with what it stands for.
    fn of_cells<'b>(&self, mut present: impl Iterator<Item = (&'b Value, &'b Value)>) -> Value {
        let order = |left: &(&Value, &Value), right: &(&Value, &Value)| {
            cell::compare(Some(left.1), Some(right.1))
        };
        let found = match self.function {
            Function::Count => return Value::from(present.count()),
            Function::Distinct => {
                let keys: FxHashSet<Key<'_>> =
                    present.map(|(value, _)| Key::of(Some(value))).collect();
                return Value::from(keys.len());
            }
            Function::First => present.next(),
            Function::Last => present.last(),
            Function::Max => present.max_by(order),
            _ => present.min_by(order),
        };
        found.map_or(Value::Null, |(value, _)| value.clone())
    }

    fn of_numbers(&self, mut numbers: Vec<f64>, is_whole: bool) -> Value {
        let figure = match self.function {
            Function::Sum => {
                return cell::figure(moments::sum(numbers), is_whole);
            }
            Function::Mean => moments::mean(&numbers),
            Function::Stdev => moments::stdev(&numbers),
            _ => {
                numbers.sort_by(f64::total_cmp);
                quantile::quantile(&numbers, self.portion)
            }
        };
        figure.map_or(Value::Null, Value::from)
    }
}
