//! How is a computed column worked out? In the expression language of plans: names are
//! columns of the row, `row["Unit price"]` reaches any of them. What has no value because
//! a column it needs is missing is null, not a failure.

use std::sync::Arc;

use holloway_data::cell;
use holloway_data::error::DataError;
use holloway_data::table::Table;
use holloway_data::tables::select::{Formulas, Select};
use holloway_plan::expression::{Expression, ExpressionError};
use serde_json::{Map, Number, Value};

/// The formulas of one selection, read once for all rows.
pub(super) struct Compiled(Vec<Expression>);

/// Past this the columns are better worked out in several steps.
const MOST: usize = 100;

impl Compiled {
    /// Every name must be a column, or one computed before.
    pub(super) fn of(select: &Select, table: &Table<'_>) -> Result<Self, DataError> {
        let formulas = select.formulas()?;
        if formulas.len() > MOST {
            return Err(DataError::limit(format!(
                "`compute` has more than {MOST} formulas"
            )));
        }
        let mut known: Vec<&str> = vec!["row"];
        let mut compiled = Vec::new();
        for (name, text) in formulas {
            let wrong =
                |error| DataError::request(format!("the computed column `{name}`: {error}"));
            let expression = Expression::parse(text).map_err(wrong)?;
            for needed in expression
                .names()
                .into_iter()
                .filter(|needed| !known.contains(needed))
            {
                table.must_have(needed)?;
            }
            known.push(name);
            compiled.push(expression);
        }
        Ok(Self(compiled))
    }
}

impl Formulas for Compiled {
    fn value(&self, formula: usize, row: &Map<String, Value>) -> Result<Value, String> {
        let Some(expression) = self.0.get(formula) else {
            return Ok(Value::Null);
        };
        let names = |name: &str| match name {
            "row" if !row.contains_key("row") => Some(Arc::new(Value::Object(typed_row(row)))),
            name => row.get(name).map(|value| Arc::new(typed(value))),
        };
        match expression.value(&names) {
            Ok(value) => Ok(Arc::unwrap_or_clone(value)),
            Err(ExpressionError::Missing(_)) => Ok(Value::Null),
            Err(_) if lacks(expression, row) => Ok(Value::Null),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// One of the columns it names has no value in this row.
fn lacks(expression: &Expression, row: &Map<String, Value>) -> bool {
    let is_missing = |name: &str| cell::present(row.get(name)).is_none();
    expression
        .names()
        .into_iter()
        .filter(|name| *name != "row")
        .any(is_missing)
}

/// Text written like a number is one in a formula, as everywhere in tables.
fn typed(value: &Value) -> Value {
    let number = value
        .as_str()
        .filter(|text| cell::number_in(text).is_some());
    let number = number.and_then(|text| serde_json::from_str::<Number>(text.trim()).ok());
    number.map_or_else(|| value.clone(), Value::Number)
}

fn typed_row(row: &Map<String, Value>) -> Map<String, Value> {
    row.iter()
        .map(|(name, value)| (name.clone(), typed(value)))
        .collect()
}
