//! How is JSON picked apart and put together? Select, parse, merge.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::size::size;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};
use serde_json_path::JsonPath;

use super::declaration::{Declaration, input, output};
use super::pure::{Pure, within_limit};
use super::{Tool, arguments};

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::pooled(select_spec(), select),
        Pure::tool(parse_spec(), parse),
        Pure::tool(merge_spec(), merge),
    ]
}

/// Each `..` multiplies the nodes visited; more of them only serve to exhaust.
const MAX_DESCENTS: usize = 2;

fn select_spec() -> ToolSpec {
    Declaration {
        name: "json-select",
        title: "Select from JSON",
        category: "json",
        description: "Finds values in a JSON document with a JSONPath (RFC 9535), such as `$.items[?@.price < 10].name`. Use it to \
            take the few fields a later step needs. Returns all matches in document order, their number, and the first \
            one (null when there is none).",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["value", "path"],
            json!({
                "value": {"description": "The document: any JSON value"},
                "path": {"type": "string", "minLength": 1, "description": "JSONPath that starts with `$`; at most two `..`"}
            }),
        ),
        output: output(
            &["matches", "count", "first"],
            json!({
                "matches": {"type": "array"},
                "count": {"type": "integer"},
                "first": {"description": "The first match or null"}
            }),
        ),
            example: json!({"value": {"a": 1}, "path": "$.a"}),
        does: &[],
    }
    .builtin()
}

fn select(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        value: Value,
        path: String,
    }
    let Arguments { value, path } = arguments::parse(arguments)?;
    if path.matches("..").count() > MAX_DESCENTS {
        return Err(ToolFailure::limit(format!(
            "the path has more than {MAX_DESCENTS} `..`"
        )));
    }
    let parsed = JsonPath::parse(&path)
        .map_err(|error| ToolFailure::invalid(format!("`{path}` is no JSONPath: {error}")))?;
    let matches = parsed.query(&value).all();
    // `..` finds every part inside every other, and each is copied.
    let bytes = matches.iter().map(|found| size(found));
    within_limit(bytes.fold(0, usize::saturating_add))?;
    Ok(json!({ "count": matches.len(), "first": matches.first(), "matches": matches }))
}

fn parse_spec() -> ToolSpec {
    Declaration {
        name: "json-parse",
        title: "Parse JSON text",
        category: "json",
        description: "Turns JSON text into a value; with `lines`, turns one JSON value per line (JSONL) into a list. Use it on the \
            body of a fetched page or the contents of a file. Returns the value. Fails with line and column when the \
            text is not JSON.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "lines": {"type": "boolean", "default": false, "description": "One JSON value per line; empty lines are skipped"}
            }),
        ),
        output: output(&["value"], json!({"value": {"description": "The parsed value"}})),
            example: json!({"text": "[1]"}),
        does: &[
            "load text.json:text -> value:value",
        ],
    }
    .builtin()
}

fn parse(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
        #[serde(default)]
        lines: bool,
    }
    let Arguments { text, lines } = arguments::parse(arguments)?;
    let text = text.trim_start_matches('\u{feff}');
    let value = if lines {
        parse_lines(text)?
    } else {
        parse_one(text, "")?
    };
    Ok(json!({ "value": value }))
}

fn parse_one(text: &str, place: &str) -> Result<Value, ToolFailure> {
    serde_json::from_str(text)
        .map_err(|error| ToolFailure::permanent(format!("the text is not JSON: {place}{error}")))
}

fn parse_lines(text: &str) -> Result<Value, ToolFailure> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| parse_one(line, &format!("record in line {}: ", index + 1)))
        .collect()
}

fn merge_spec() -> ToolSpec {
    Declaration {
        name: "json-merge",
        title: "Merge JSON documents",
        category: "json",
        description: "Merges documents from left to right: objects field by field at every depth, anything else replaced by the later \
            one. Use it to combine results or to lay settings over defaults. `arrays: concat` joins lists instead of \
            replacing them; `null_deletes` makes a null remove the field (as in RFC 7396). Returns the merged value.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["documents"],
            json!({
                "documents": {"type": "array", "minItems": 1, "description": "Later ones win"},
                "arrays": {"type": "string", "enum": ["replace", "concat"], "default": "replace"},
                "null_deletes": {"type": "boolean", "default": false}
            }),
        ),
        output: output(&["value"], json!({"value": {"description": "The merged document"}})),
            example: json!({"documents": [{"a": 1}, {"b": 2}]}),
        does: &[],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MergeArguments {
    documents: Vec<Value>,
    #[serde(default)]
    arrays: Arrays,
    #[serde(default)]
    null_deletes: bool,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Arrays {
    #[default]
    Replace,
    Concat,
}

fn merge(arguments: &Value) -> Result<Value, ToolFailure> {
    let mut arguments: MergeArguments = arguments::parse(arguments)?;
    let documents = std::mem::take(&mut arguments.documents);
    let merged = documents
        .into_iter()
        .reduce(|below, above| lay_over(below, above, &arguments));
    let value = merged.ok_or_else(|| ToolFailure::invalid("`documents` is empty"))?;
    Ok(json!({ "value": value }))
}

fn lay_over(below: Value, above: Value, options: &MergeArguments) -> Value {
    match (below, above) {
        (Value::Object(mut fields), Value::Object(over)) => {
            for (name, value) in over {
                if value.is_null() && options.null_deletes {
                    fields.shift_remove(&name);
                    continue;
                }
                let merged = match fields.get_mut(&name) {
                    Some(earlier) => lay_over(earlier.take(), value, options),
                    None => value,
                };
                fields.insert(name, merged);
            }
            Value::Object(fields)
        }
        (Value::Array(mut items), Value::Array(more)) if options.arrays == Arrays::Concat => {
            items.extend(more);
            Value::Array(items)
        }
        (_, above) => above,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn select_finds_what_the_path_says() {
        let store = json!({"items": [{"name": "a", "price": 5}, {"name": "b", "price": 50}]});
        let select = |path: &str| builtin("json-select", json!({"value": store, "path": path}));
        assert_eq!(
            select("$.items[?@.price < 10].name").await.unwrap(),
            json!({"matches": ["a"], "count": 1, "first": "a"})
        );
        let nothing = select("$.missing").await.unwrap();
        assert_eq!(nothing, json!({"matches": [], "count": 0, "first": null}));
        assert!(
            select("$[")
                .await
                .unwrap_err()
                .message
                .contains("is no JSONPath")
        );
        assert!(select("$..*..*..*").await.is_err());
    }

    #[tokio::test]
    async fn parse_reads_documents_and_lines() {
        let parse = |arguments| builtin("json-parse", arguments);
        let whole = parse(json!({"text": "{\"a\": [1, 2.5]}"})).await.unwrap();
        assert_eq!(whole, json!({"value": {"a": [1, 2.5]}}));
        let lines = parse(json!({"text": "1\n\n{}\n", "lines": true}))
            .await
            .unwrap();
        assert_eq!(lines, json!({"value": [1, {}]}));
        let wrong = parse(json!({"text": "1\n{", "lines": true}))
            .await
            .unwrap_err();
        assert!(wrong.message.contains("record in line 2"), "{wrong}");
    }

    #[tokio::test]
    async fn merge_lays_documents_over_each_other() {
        let documents = json!([{"a": {"x": 1, "y": [1]}, "b": 1}, {"a": {"y": [2]}, "b": null}]);
        let merge = async |options: Value| {
            let mut arguments = options;
            arguments["documents"] = documents.clone();
            builtin("json-merge", arguments).await.unwrap()["value"].take()
        };
        assert_eq!(
            merge(json!({})).await,
            json!({"a": {"x": 1, "y": [2]}, "b": null})
        );
        assert_eq!(
            merge(json!({"arrays": "concat", "null_deletes": true})).await,
            json!({"a": {"x": 1, "y": [1, 2]}})
        );
    }
}
