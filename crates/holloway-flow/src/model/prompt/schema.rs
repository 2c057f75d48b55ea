//! Which form do the answers of a capable model have? One schema for both questions and for every
//! request: providers put it before the messages, so only one that never changes can be cached.
//! What stands inside is read with patience and checked afterwards.

use std::sync::LazyLock;

use serde_json::{Value, json};

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    // Said where other fields may follow: some servers allow none without it.
    let open = |name: &str| {
        json!({"type": "array", "items": {
            "type": "object", "required": [name], "properties": {name: text}, "additionalProperties": true
        }})
    };
    let plan = json!({
        "type": "object", "required": ["strategies", "steps"], "additionalProperties": true,
        "properties": {"strategies": texts, "steps": open("id"), "answer": texts}
    });
    json!({"type": "object", "properties": {
        "language": text, "goals": open("act"), "no_plan": text, "unclear": texts,
        "constraints": {"type": "object", "additionalProperties": true},
        "plans": {"type": "array", "items": plan}, "keep": texts, "search_tools": texts
    }})
});

/// The schema.
pub fn schema() -> Value {
    SCHEMA.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_small() {
        let size = super::super::about_tokens(&schema().to_string());
        assert!(size <= 230, "{size}");
    }
}
