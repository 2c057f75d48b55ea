//! `stats-describe`: what does this list of numbers look like?

use std::sync::Arc;

use holloway_data::figures::{moments, quantile};
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::declaration::{Declaration, input, output};
use super::pure::Pure;
use super::{Tool, arguments, field};

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Pure::tool(spec(), describe)]
}

fn spec() -> ToolSpec {
    let number = || json!({"type": ["number", "null"]});
    Declaration {
        name: "stats-describe",
        title: "Describe numbers",
        category: "statistics",
        description: "Describes a list of numbers, or the numbers in one field of a list of objects; use it \
            for prices, times and other measurements. Returns figures defined as follows. Count is the number of \
            values used; nulls and missing fields are skipped and counted in `skipped`. Mean is sum / count. Stdev is the \
            sample standard deviation (divisor count - 1), null below two values. Median and quartiles interpolate \
            linearly between the closest ranks at (count - 1) * p, as Excel's QUARTILE.INC and NumPy's default do. All \
            figures except count, skipped and sum are null for an empty list.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["values"],
            json!({
                "values": {"type": "array", "description": "Numbers, or objects together with `field`"},
                "field": {"type": "string", "description": "Path of the number in each object, such as `price` or `size.width`"}
            }),
        ),
        output: output(
            &["count", "skipped", "sum", "mean", "min", "max", "median", "stdev", "q1", "q3"],
            json!({
                "count": {"type": "integer"},
                "skipped": {"type": "integer"},
                "sum": {"type": "number"},
                "mean": number(),
                "min": number(),
                "max": number(),
                "median": number(),
                "stdev": number(),
                "q1": number(),
                "q3": number()
            }),
        ),
            example: json!({"values": [{"name": "b", "price": 2}, {"name": "a", "price": 1}], "field": "price"}),
        does: &[],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    values: Vec<Value>,
    #[serde(default)]
    field: String,
}

fn describe(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let mut numbers = numbers(&arguments)?;
    numbers.sort_by(f64::total_cmp);
    let count = numbers.len();
    Ok(json!({
        "count": count,
        "skipped": arguments.values.len() - count,
        "sum": moments::sum(numbers.iter().copied()),
        "mean": moments::mean(&numbers),
        "min": numbers.first(),
        "max": numbers.last(),
        "median": quantile::median(&numbers),
        "stdev": moments::stdev(&numbers),
        "q1": quantile::quantile(&numbers, 0.25),
        "q3": quantile::quantile(&numbers, 0.75),
    }))
}

fn numbers(arguments: &Arguments) -> Result<Vec<f64>, ToolFailure> {
    let mut numbers = Vec::new();
    for (index, item) in arguments.values.iter().enumerate() {
        match field::get(item, &arguments.field) {
            None | Some(Value::Null) => {}
            Some(value) => numbers.push(value.as_f64().ok_or_else(|| {
                ToolFailure::permanent(format!("value {index} is not a number: {value}"))
            })?),
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn figures_are_those_of_numpy() {
        let result = builtin("stats-describe", json!({"values": [4, 1, 3, 2, null]}))
            .await
            .unwrap();
        assert_eq!(
            result,
            json!({
                "count": 4, "skipped": 1, "sum": 10.0, "mean": 2.5, "min": 1.0, "max": 4.0,
                "median": 2.5, "stdev": 1.290_994_448_735_805_6, "q1": 1.75, "q3": 3.25,
            })
        );
    }

    #[tokio::test]
    async fn fields_of_objects_and_empty_lists() {
        let rows = json!([{"p": {"q": 7}}, {}]);
        let one = builtin("stats-describe", json!({"values": rows, "field": "p.q"}))
            .await
            .unwrap();
        assert_eq!((&one["median"], &one["stdev"]), (&json!(7.0), &Value::Null));
        let none = builtin("stats-describe", json!({"values": []}))
            .await
            .unwrap();
        assert_eq!((&none["sum"], &none["mean"]), (&json!(0.0), &Value::Null));
        let text = builtin("stats-describe", json!({"values": [1, "two"]}))
            .await
            .unwrap_err();
        assert_eq!(text.message, "value 1 is not a number: \"two\"");
    }
}
