//! Is an operation read as its description means it?

use serde_json::json;

use super::*;
use crate::openapi::auth;

fn read(item: Value) -> Operation {
    let document = Document::new(json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example/v1"}],
        "security": [{"key": []}],
        "paths": {"/a/{id}": item},
        "components": {
            "parameters": {"Page": {"name": "page", "in": "query"}},
            "securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "k"}}
        }
    }))
    .unwrap();
    let whereabouts = Whereabouts {
        base_url: None,
        origin: None,
    };
    let (mut operations, flaws) = read_all(&document, &auth::schemes(&document), &whereabouts);
    assert_eq!(flaws, []);
    operations.remove(0)
}

#[test]
fn the_operations_own_parameters_win() {
    let operation = read(json!({
        "parameters": [
            {"name": "id", "in": "path", "required": true},
            {"name": "page", "in": "query", "required": true, "style": "pipeDelimited"}
        ],
        "get": {"parameters": [
            {"$ref": "#/components/parameters/Page"},
            {"name": "id", "in": "query"},
            {"name": "body", "in": "header"},
            {"name": "Accept", "in": "header"},
            {"name": "k", "in": "query", "required": true},
            {"name": "unused", "in": "path", "required": true}
        ]}
    }));
    let parameters: Vec<_> = operation
        .parameters
        .iter()
        .map(|one| (one.argument.as_str(), one.required, one.explode))
        .collect();
    assert_eq!(
        parameters,
        [
            ("id", true, false),
            ("page", false, true),
            ("query_id", false, true),
            ("header_body", false, false)
        ]
    );
}

#[test]
fn the_innermost_server_and_security_count() {
    let id = json!([{"name": "id", "in": "path"}]);
    let plain = read(json!({"parameters": id, "get": {}}));
    assert_eq!(plain.base.as_str(), "https://api.example/v1");
    assert_eq!(plain.security, [["key"]]);
    let own = read(json!({
        "parameters": id,
        "servers": [{"url": "https://item.example"}],
        "get": {"servers": [{"url": "https://own.example"}], "security": []}
    }));
    assert_eq!(own.base.as_str(), "https://own.example/");
    assert_eq!(own.security, Vec::<Vec<String>>::new());
}

#[test]
fn the_most_useful_media_type_is_chosen() {
    let body = |content: Value| {
        let operation = read(json!({
            "parameters": [{"name": "id", "in": "path"}],
            "post": {"requestBody": {"content": content}}
        }));
        let body = operation.body.unwrap();
        (body.kind, body.media_type)
    };
    for (content, kind, media_type) in [
        (
            json!({"application/xml": {}, "application/json": {}}),
            content::Kind::Json,
            "application/json",
        ),
        (
            json!({"multipart/form-data": {}, "application/vnd.x+json": {}}),
            content::Kind::Json,
            "application/vnd.x+json",
        ),
        (
            json!({"image/png": {}, "multipart/form-data": {}}),
            content::Kind::Multipart,
            "multipart/form-data",
        ),
        (
            json!({"application/xml": {}}),
            content::Kind::Text,
            "application/xml",
        ),
        (
            json!({"image/*": {}, "application/pdf": {}}),
            content::Kind::Bytes,
            "application/pdf",
        ),
        (json!({"*/*": {}}), content::Kind::Json, "application/json"),
    ] {
        assert_eq!(body(content), (kind, media_type.to_owned()));
    }
}

#[test]
fn shapes_of_answers_are_told_apart() {
    let answers = |responses: Value| {
        let operation =
            json!({"parameters": [{"name": "id", "in": "path"}], "get": {"responses": responses}});
        read(operation).answers
    };
    let json_type = json!({"content": {"text/html": {}, "application/json": {"schema": {}}}});
    let shapes = answers(json!({"200": json_type, "204": {}, "404": {}, "default": {}}));
    let [Shape::Json { media_type, schema }, Shape::Empty] = shapes.as_slice() else {
        panic!("{shapes:?}");
    };
    assert_eq!(media_type, "application/json");
    assert_eq!(
        schema.as_deref(),
        Some("/paths/~1a~1{id}/get/responses/200/content/application~1json/schema")
    );
    assert_eq!(
        answers(json!({"200": {"description": "ok"}})),
        [Shape::Unknown]
    );
    let text = json!({"2XX": {"content": {"*/*": {"schema": {"type": "string"}}}}});
    assert_eq!(answers(text), [Shape::Unknown]);
}
