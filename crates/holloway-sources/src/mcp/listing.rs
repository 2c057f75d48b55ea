//! Which tools does a server offer? All pages of its list, bounded, each tool kept
//! whole as it was received.

use std::collections::HashSet;

use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::{Hints, Offer, QualityFacts};
use rmcp::model::{ClientRequest, ErrorCode, ListToolsRequest, PaginatedRequestParams};
use serde_json::Value;

use super::connection::{Connection, Trouble};
use super::surroundings::McpLimits;
use crate::{SourceError, SourceErrorKind};

/// Why there is no list.
pub(super) enum NoList {
    Trouble(Trouble),
    Unusable(SourceError),
}

/// Asks for all pages.
pub(super) async fn tools(
    connection: &Connection,
    id: &SourceId,
    limits: &McpLimits,
) -> Result<Vec<Value>, NoList> {
    let mut tools = Vec::new();
    let mut seen = HashSet::new();
    let mut cursor: Option<String> = None;
    let mut bytes = 0;
    for _ in 0..limits.pages {
        let mut page = match connection.ask(request(cursor.take()), None).await {
            Ok(page) => page,
            Err(Trouble::Refused(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                return Ok(tools);
            }
            Err(trouble) => return Err(NoList::Trouble(trouble)),
        };
        bytes += weight(&page);
        let Some(Value::Array(found)) = page.get_mut("tools").map(Value::take) else {
            return Err(unusable(id, "its answer holds no list `tools`"));
        };
        tools.extend(found);
        if tools.len() > limits.tools || bytes > limits.listing_bytes {
            return Err(unusable(id, &too_much(limits)));
        }
        match page.get("nextCursor").and_then(Value::as_str) {
            None | Some("") => return Ok(tools),
            Some(next) if !seen.insert(next.to_owned()) => {
                return Err(unusable(id, "its pages lead back to an earlier page"));
            }
            Some(next) => cursor = Some(next.to_owned()),
        }
    }
    Err(unusable(
        id,
        &format!("it has more than {} pages", limits.pages),
    ))
}

fn request(cursor: Option<String>) -> ClientRequest {
    let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
    ClientRequest::ListToolsRequest(ListToolsRequest {
        params,
        ..ListToolsRequest::default()
    })
}

fn too_much(limits: &McpLimits) -> String {
    format!(
        "it offers more than {} tools or {} bytes of definitions",
        limits.tools, limits.listing_bytes
    )
}

fn unusable(id: &SourceId, why: &str) -> NoList {
    NoList::Unusable(SourceError::new(
        SourceErrorKind::Protocol,
        format!("the tools of `{id}` cannot be listed: {why}"),
        "report this to whoever makes the server",
    ))
}

/// About how many bytes a value takes as text.
fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 4,
        Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| weight(item) + 1).sum::<usize>() + 2,
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| name.len() + weight(value) + 4);
            fields.sum::<usize>() + 2
        }
    }
}

/// A tool as the catalogue takes it. A name that cannot be used is left for the
/// catalogue to refuse.
pub(super) fn offer(id: &SourceId, definition: Value) -> Offer {
    let text = |pointer: &str| {
        let text = definition.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let schema = |name: &str| definition.get(name).cloned().unwrap_or_default();
    let title = match text("/title") {
        title if title.is_empty() => text("/annotations/title"),
        title => title,
    };
    Offer {
        id: id.tool(&text("/name")),
        title,
        description: text("/description"),
        category: String::new(),
        input_schema: schema("inputSchema"),
        output_schema: schema("outputSchema"),
        hints: hints(&definition),
        facts: facts(&definition),
        findings: Vec::new(),
        definition,
    }
}

fn hints(definition: &Value) -> Hints {
    let hint = |name: &str| {
        let annotations = definition.get("annotations")?;
        annotations.get(name)?.as_bool()
    };
    Hints {
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
        open_world: hint("openWorldHint"),
    }
}

const GUIDANCE: [&str; 6] = [
    "use this",
    "use when",
    "when to use",
    "when you",
    "useful for",
    "should be used",
];

fn facts(definition: &Value) -> QualityFacts {
    let description = definition.get("description").and_then(Value::as_str);
    let description = description.unwrap_or_default().to_lowercase();
    let properties = definition.pointer("/inputSchema/properties");
    let has_parameters = properties.and_then(Value::as_object).is_some_and(|all| {
        all.values().all(|one| {
            let described = one.get("description").and_then(Value::as_str);
            described.is_some_and(|text| !text.trim().is_empty())
        })
    });
    let has_returns = definition.get("outputSchema").is_some_and(Value::is_object)
        || description.contains("return");
    let has_guidance = GUIDANCE.iter().any(|words| description.contains(words));
    QualityFacts {
        rich: has_parameters && has_returns && has_guidance,
        has_parameters,
        has_returns,
        has_guidance,
        ..QualityFacts::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_offer_keeps_the_definition_whole() {
        let definition = json!({
            "name": "read_file",
            "description": "Reads a file. Returns its text. Use this when a path is known.",
            "inputSchema": {"type": "object", "properties": {"path": {"description": "where"}}},
            "annotations": {"title": "Read", "readOnlyHint": true, "openWorldHint": "yes"},
            "_meta": {"x": 1},
            "somethingNew": [1, 2],
        });
        let offer = offer(&SourceId::new("mcp.files"), definition.clone());
        assert_eq!(offer.definition, definition);
        assert_eq!(offer.id.as_str(), "mcp.files/read_file");
        assert_eq!(offer.title, "Read");
        assert_eq!(offer.output_schema, Value::Null);
        assert_eq!(
            offer.hints,
            Hints {
                read_only: Some(true),
                ..Hints::default()
            }
        );
        assert!(offer.facts.rich, "{:?}", offer.facts);
    }

    #[test]
    fn a_definition_of_any_shape_makes_an_offer() {
        for definition in [
            json!(null),
            json!(7),
            json!({"name": 3}),
            json!({"annotations": []}),
        ] {
            let offer = offer(&SourceId::new("mcp.odd"), definition.clone());
            assert_eq!(offer.id.as_str(), "mcp.odd/");
            assert_eq!(offer.facts, QualityFacts::default());
            assert_eq!(offer.definition, definition);
        }
    }
}
