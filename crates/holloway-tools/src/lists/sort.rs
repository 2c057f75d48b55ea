//! `list-sort`: in which order?

use std::cmp::Ordering;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments, field};
use super::compare;

pub(crate) fn tool() -> Arc<dyn Tool> {
    Pure::tool(spec(), sort)
}

fn spec() -> ToolSpec {
    Declaration {
        name: "list-sort",
        title: "Sort a list",
        category: "lists",
        description: "Sorts a list by its items or by a field of them: numbers by size, texts by code point, false before true; \
            different kinds as null, booleans, numbers, texts, lists, objects. Items without the field come last in \
            either direction, and equal items keep their order. With `limit` it gives the top of a ranking. Returns the list.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["items"],
            json!({
                "items": {"type": "array"},
                "by": {"type": "string", "default": "", "description": "Field path such as `price` or `size.width`; the items themselves if left out"},
                "descending": {"type": "boolean", "default": false},
                "limit": {"type": "integer", "minimum": 1, "description": "Keep only the first ones"}
            }),
        ),
        output: output(
            &["items", "count"],
            json!({"items": {"type": "array"}, "count": {"type": "integer"}}),
        ),
            example: json!({"items": [{"name": "b", "price": 2}, {"name": "a", "price": 1}], "by": "price"}),
        does: &[],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    items: Vec<Value>,
    #[serde(default)]
    by: String,
    #[serde(default)]
    descending: bool,
    limit: Option<usize>,
}

fn sort(arguments: &Value) -> Result<Value, ToolFailure> {
    let mut arguments: Arguments = arguments::parse(arguments)?;
    let (by, descending) = (arguments.by.as_str(), arguments.descending);
    arguments.items.sort_by(
        |left, right| match (field::get(left, by), field::get(right, by)) {
            (Some(left), Some(right)) if descending => compare(right, left),
            (Some(left), Some(right)) => compare(left, right),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        },
    );
    arguments
        .items
        .truncate(arguments.limit.unwrap_or(usize::MAX));
    Ok(json!({ "count": arguments.items.len(), "items": arguments.items }))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn items_come_in_order() {
        for (arguments, expected) in [
            (
                json!({"items": [3, "b", 1.5, null, true, "a"]}),
                json!([null, true, 1.5, 3, "a", "b"]),
            ),
            (
                json!({"items": [1, 3, 2], "descending": true, "limit": 2}),
                json!([3, 2]),
            ),
            (
                json!({"items": [{"x": 1}, {"p": 2, "i": 1}, {"p": 2, "i": 2}, {"p": 9}], "by": "p", "descending": true}),
                json!([{"p": 9}, {"p": 2, "i": 1}, {"p": 2, "i": 2}, {"x": 1}]),
            ),
        ] {
            let sorted = builtin("list-sort", arguments).await.unwrap();
            assert_eq!(sorted["items"], expected);
        }
    }
}
