//! `list-filter`: which items fit?

use std::cmp::Ordering;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments, field};
use super::{compare, rank};

pub(crate) fn tool() -> Arc<dyn Tool> {
    Pure::tool(spec(), filter)
}

fn spec() -> ToolSpec {
    Declaration {
        name: "list-filter",
        title: "Filter a list",
        category: "lists",
        description: "Keeps the items of a list whose field fits a condition: eq, ne, lt, lte, gt, gte (values of the same kind only), \
            contains (a part of a text or an element of a list), starts_with, ends_with, in (`value` is a list), exists \
            (`value` false to ask for the opposite). An item without the field fits only ne and exists: false. Returns the items kept, \
            their number and the number dropped.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["items", "op"],
            json!({
                "items": {"type": "array"},
                "field": {"type": "string", "default": "", "description": "Field path such as `price` or `size.width`; the items themselves if left out"},
                "op": {"type": "string", "enum": ["eq", "ne", "lt", "lte", "gt", "gte", "contains", "starts_with", "ends_with", "in", "exists"]},
                "value": {"description": "What to compare with"}
            }),
        ),
        output: output(
            &["items", "count", "dropped"],
            json!({
                "items": {"type": "array"},
                "count": {"type": "integer"},
                "dropped": {"type": "integer"}
            }),
        ),
            example: json!({"items": [{"name": "b", "price": 2}, {"name": "a", "price": 1}], "field": "price", "op": "gt", "value": 1}),
        does: &[],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    items: Vec<Value>,
    #[serde(default)]
    field: String,
    op: Operator,
    #[serde(default)]
    value: Value,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Operator {
    Eq,
    Ne,
    Lt,
    Lte,
    Gt,
    Gte,
    Contains,
    StartsWith,
    EndsWith,
    In,
    Exists,
}

fn filter(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let (op, value) = (arguments.op, &arguments.value);
    if matches!(op, Operator::In) && !value.is_array() {
        return Err(ToolFailure::invalid("`op: in` needs a list as `value`"));
    }
    let total = arguments.items.len();
    let fits = |item: &Value| fits(field::get(item, &arguments.field), op, value);
    let items: Vec<Value> = arguments
        .items
        .iter()
        .filter(|item| fits(item))
        .cloned()
        .collect();
    Ok(json!({ "count": items.len(), "dropped": total - items.len(), "items": items }))
}

fn fits(found: Option<&Value>, op: Operator, value: &Value) -> bool {
    let Some(found) = found else {
        return match op {
            Operator::Ne => true,
            Operator::Exists => *value == Value::Bool(false),
            _ => false,
        };
    };
    let ordered =
        |wanted: &[Ordering]| rank(found) == rank(value) && wanted.contains(&compare(found, value));
    match op {
        Operator::Eq => is_equal(found, value),
        Operator::Ne => !is_equal(found, value),
        Operator::Lt => ordered(&[Ordering::Less]),
        Operator::Lte => ordered(&[Ordering::Less, Ordering::Equal]),
        Operator::Gt => ordered(&[Ordering::Greater]),
        Operator::Gte => ordered(&[Ordering::Greater, Ordering::Equal]),
        Operator::Contains => contains(found, value),
        Operator::StartsWith => {
            texts(found, value).is_some_and(|(text, part)| text.starts_with(part))
        }
        Operator::EndsWith => texts(found, value).is_some_and(|(text, part)| text.ends_with(part)),
        Operator::In => contains(value, found),
        Operator::Exists => *value != Value::Bool(false),
    }
}

/// 1 and 1.0 are the same number.
fn is_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => compare(left, right).is_eq(),
        _ => left == right,
    }
}

fn contains(whole: &Value, part: &Value) -> bool {
    match whole {
        Value::Array(items) => items.iter().any(|item| is_equal(item, part)),
        _ => texts(whole, part).is_some_and(|(text, part)| text.contains(part)),
    }
}

fn texts<'a>(left: &'a Value, right: &'a Value) -> Option<(&'a str, &'a str)> {
    Some((left.as_str()?, right.as_str()?))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn every_operator_keeps_what_fits() {
        let items = json!([
            {"n": "ab", "p": 1, "t": ["x"]},
            {"n": "bc", "p": 2.0, "t": []},
            {"n": "c", "p": "2"},
        ]);
        for (field, op, value, kept) in [
            ("p", "eq", json!(2), vec![1]),
            ("p", "ne", json!(2), vec![0, 2]),
            ("p", "lt", json!(2), vec![0]),
            ("p", "lte", json!(2), vec![0, 1]),
            ("p", "gt", json!(1), vec![1]),
            ("p", "gte", json!("2"), vec![2]),
            ("n", "contains", json!("b"), vec![0, 1]),
            ("t", "contains", json!("x"), vec![0]),
            ("n", "starts_with", json!("b"), vec![1]),
            ("n", "ends_with", json!("c"), vec![1, 2]),
            ("p", "in", json!([1, "2"]), vec![0, 2]),
            ("t", "exists", json!(true), vec![0, 1]),
            ("t", "exists", json!(null), vec![0, 1]),
            ("t", "exists", json!(false), vec![2]),
        ] {
            let arguments = json!({"items": items, "field": field, "op": op, "value": value});
            let result = builtin("list-filter", arguments).await.unwrap();
            let expected: Vec<_> = kept.iter().map(|&index: &usize| &items[index]).collect();
            assert_eq!(result["items"], json!(expected), "{field} {op} {value}");
        }
    }
}
