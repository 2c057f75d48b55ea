//! How does a value stand in the cells of its column? Numbers as numbers, texts as a cell that is there.

use serde_json::{Value, json};

use crate::frame::scene::{Column, Holds, plain};

/// Values of a column that are told where another one was meant.
const TOLD: usize = 8;

/// A value as the column has it: a number for numbers, a cell that is there for texts.
pub(super) fn cell(column: Option<&Column>, said: &Value, exact: bool) -> Result<Value, String> {
    let Some(column) = column else {
        return Ok(said.clone());
    };
    match (column.holds, said) {
        (Holds::Numbers, Value::String(text)) => text
            .trim()
            .parse::<f64>()
            .map(tidy)
            .map_err(|_| format!("`{}` holds numbers, and `{text}` is none", column.name)),
        (Holds::Texts, Value::String(text)) if exact && !column.values.is_empty() => {
            let bare = plain(text);
            let mut known = column.values.iter();
            let known = known.find(|value| plain(value) == bare);
            known.map(|known| json!(known)).ok_or_else(|| {
                let there: Vec<&str> = column
                    .values
                    .iter()
                    .take(TOLD)
                    .map(String::as_str)
                    .collect();
                format!(
                    "no row has `{text}` in `{}`; there are: {}",
                    column.name,
                    there.join(", ")
                )
            })
        }
        _ => Ok(said.clone()),
    }
}

/// Whole numbers stay whole.
fn tidy(number: f64) -> Value {
    const WHOLE: f64 = 9e15;
    if number.fract() == 0.0 && number.abs() < WHOLE {
        return json!(number as i64);
    }
    json!(number)
}
