//! What do plans see of an operation? One snapshot of a whole offer, and the cases
//! in which the answer decides the schema of the result.

use serde_json::json;

use super::*;
use crate::openapi::auth;
use crate::openapi::operation::{Whereabouts, read_all};

fn offer(operation: Value) -> Offer {
    let document = Document::new(json!({
        "openapi": "3.0.3",
        "servers": [{"url": "https://api.example"}],
        "paths": {"/pets/{id}": {"parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}], "patch": operation}},
        "components": {"schemas": {"Pet": {"type": "object", "properties": {"mother": {"$ref": "#/components/schemas/Pet"}}}}}
    }))
    .unwrap();
    let whereabouts = Whereabouts {
        base_url: None,
        origin: None,
    };
    let (operations, _) = read_all(&document, &auth::schemes(&document), &whereabouts);
    let id = SourceId::new("openapi.pets");
    Offers::new(&id, &document).of(&operations[0]).unwrap()
}

#[test]
fn an_offer_holds_all_there_is_to_know() {
    let pet = json!({"schema": {"$ref": "#/components/schemas/Pet"}});
    let found = offer(json!({
        "operationId": "mend/pet", "summary": "Mend", "description": "Mends a pet.", "deprecated": true, "tags": ["pets", "x"],
        "x-effect": "read",
        "parameters": [{"name": "q", "in": "query", "description": "How", "schema": {"type": "string", "nullable": true}}],
        "requestBody": {"required": true, "description": "The pet", "content": {"application/json": pet}},
        "responses": {"200": {"content": {"application/json": pet}}, "204": {}}
    }));
    assert_eq!(found.id.as_str(), "openapi.pets/mend_pet");
    assert_eq!(
        (found.title.as_str(), found.category.as_str()),
        ("Mend", "pets")
    );
    assert_eq!(
        found.description,
        "Deprecated: the service may remove it. Mends a pet."
    );
    let definitions =
        json!({"Pet": {"type": "object", "properties": {"mother": {"$ref": "#/$defs/Pet"}}}});
    assert_eq!(
        found.input_schema,
        json!({
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "q": {"type": ["string", "null"], "description": "How"},
                "body": {"$ref": "#/$defs/Pet", "description": "The pet"}
            },
            "required": ["id", "body"],
            "additionalProperties": false,
            "$defs": definitions
        })
    );
    assert_eq!(
        found.output_schema,
        json!({"anyOf": [{"$ref": "#/$defs/Pet"}, answer::empty_schema()], "$defs": definitions})
    );
    assert_eq!(found.hints.read_only, Some(false), "extensions are claims");
    assert_eq!(found.definition["method"], "PATCH");
    assert_eq!(found.definition["server"], "https://api.example/");
    assert_eq!(found.definition["operation"]["x-effect"], "read");
    assert_eq!(found.definition["parameters"][0]["name"], "id");
    assert!(found.definition["references"]["#/components/schemas/Pet"].is_object());
}

#[test]
fn what_comes_back_decides_the_result() {
    let output = |responses: Value| offer(json!({"responses": responses})).output_schema;
    for (responses, expected) in [
        (json!({}), Value::Null),
        (
            json!({"default": {"content": {"application/json": {"schema": {}}}}}),
            Value::Null,
        ),
        (json!({"200": {"description": "ok"}}), Value::Null),
        (json!({"204": {}}), answer::empty_schema()),
        (
            json!({"200": {"content": {"text/plain": {}}}}),
            answer::wrapped_schema(),
        ),
        (
            json!({"201": {"content": {"application/json": {"schema": {"type": "integer"}}}}}),
            json!({"type": "integer"}),
        ),
    ] {
        assert_eq!(output(responses.clone()), expected, "{responses}");
    }
}

#[test]
fn bodies_that_are_no_json_are_text_or_base64() {
    let body = |media_type: &str| {
        let schema = json!({"type": "object"});
        let operation = json!({"requestBody": {"content": {media_type: {"schema": schema}}}});
        offer(operation).input_schema["properties"]["body"]["type"].clone()
    };
    for (media_type, expected) in [
        ("application/json", "object"),
        ("multipart/form-data", "object"),
        ("text/csv", "string"),
        ("image/png", "string"),
    ] {
        assert_eq!(body(media_type), expected, "{media_type}");
    }
}

#[test]
fn methods_decide_the_hints() {
    for (method, expected) in [
        (Method::GET, (true, false, true)),
        (Method::HEAD, (true, false, true)),
        (Method::OPTIONS, (true, false, true)),
        (Method::PUT, (false, false, true)),
        (Method::DELETE, (false, true, true)),
        (Method::POST, (false, false, false)),
        (Method::PATCH, (false, false, false)),
    ] {
        let hints = hints(&method);
        let (read, destroys, repeats) = expected;
        assert_eq!(
            (hints.read_only, hints.destructive, hints.idempotent),
            (Some(read), Some(destroys), Some(repeats)),
            "{method}"
        );
    }
}
