//! `list-group`: which items belong together?

use std::collections::HashMap;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments, field};

pub(crate) fn tool() -> Arc<dyn Tool> {
    Pure::tool(spec(), group)
}

fn spec() -> ToolSpec {
    Declaration {
        name: "list-group",
        title: "Group a list",
        category: "lists",
        description: "Puts items with the same value in a field into groups, in order of first appearance; items without the field \
            form the group with key null. Use it to count or to work on each group in a loop. Returns for each group its \
            key, the number of items and the items.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["items", "by"],
            json!({
                "items": {"type": "array"},
                "by": {"type": "string", "description": "Field path such as `category` or `address.city`; empty for the items themselves"}
            }),
        ),
        output: output(
            &["groups", "count"],
            json!({
                "groups": {"type": "array", "items": {
                    "type": "object",
                    "required": ["key", "count", "items"],
                    "properties": {
                        "key": {"description": "The shared value"},
                        "count": {"type": "integer"},
                        "items": {"type": "array"}
                    }
                }},
                "count": {"type": "integer", "description": "Number of groups"}
            }),
        ),
            example: json!({"items": [{"name": "b", "price": 2}, {"name": "a", "price": 1}], "by": "name"}),
        does: &[],
    }
    .builtin()
}

fn group(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        items: Vec<Value>,
        by: String,
    }
    let Arguments { items, by } = arguments::parse(arguments)?;
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for item in items {
        let key = field::get(&item, &by).cloned().unwrap_or_default();
        let place = *places.entry(key.to_string()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, members)) => members.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    let describe = |(key, items): (Value, Vec<Value>)| json!({ "key": key, "count": items.len(), "items": items });
    let groups: Vec<Value> = groups.into_iter().map(describe).collect();
    Ok(json!({ "count": groups.len(), "groups": groups }))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn items_are_grouped_in_order_of_appearance() {
        let items = json!([{"c": "b", "i": 1}, {"c": "a"}, {"i": 3}, {"c": "b", "i": 4}]);
        let result = builtin("list-group", json!({"items": items, "by": "c"}))
            .await
            .unwrap();
        assert_eq!(
            result,
            json!({"count": 3, "groups": [
                {"key": "b", "count": 2, "items": [{"c": "b", "i": 1}, {"c": "b", "i": 4}]},
                {"key": "a", "count": 1, "items": [{"c": "a"}]},
                {"key": null, "count": 1, "items": [{"i": 3}]},
            ]})
        );
    }
}
