//! Does every schema mean the same after conversion, and does it end?

use serde_json::{Value, json};

use super::*;

fn document(version: &str) -> Document {
    Document::new(json!({
        "openapi": version,
        "paths": {},
        "components": {"schemas": {
            "Pet": {"type": "object", "required": ["id", "name"], "properties": {
                "id": {"type": "integer", "readOnly": true},
                "name": {"type": "string"},
                "secret": {"type": "string", "writeOnly": true},
                "friend": {"$ref": "#/components/schemas/Pet"}}},
            "Alias": {"$ref": "#/components/schemas/Pet"},
            "Loop": {"allOf": [{"$ref": "#/components/schemas/Pool"}]},
            "Pool": {"anyOf": [{"$ref": "#/components/schemas/Loop"}]},
            "Ring": {"$ref": "#/components/schemas/Ring"},
            "Far": {"properties": {"x": {"$ref": "other.json#/x"}}},
            "Odd/Name ü": {"type": "string"}
        }}
    }))
    .unwrap()
}

fn converted(version: &str, direction: Direction, schema: &Value) -> Result<Value, Flaw> {
    let document = document(version);
    let mut schemas = Schemas::new(&document, direction);
    let piece = schemas.convert(schema, "/here")?;
    schemas.alone(&piece)
}

#[track_caller]
fn check(version: &str, schema: Value, expected: Value) {
    let found = converted(version, Direction::Sent, &schema).unwrap();
    assert_eq!(found, expected, "{version} {schema}");
    jsonschema::validator_for(&found).unwrap();
}

#[test]
fn the_words_of_3_0_become_json_schema() {
    let old = "3.0.3";
    check(
        old,
        json!({"type": "string", "nullable": true, "enum": ["a"], "example": "a"}),
        json!({"type": ["string", "null"], "enum": ["a", null], "examples": ["a"]}),
    );
    check(
        old,
        json!({"minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}),
        json!({"maximum": 9, "exclusiveMinimum": 1}),
    );
    check(
        old,
        json!({"allOf": [{"type": "object"}], "nullable": true}),
        json!({"anyOf": [{"allOf": [{"type": "object"}]}, {"type": "null"}]}),
    );
    check(
        old,
        json!({"type": "string", "format": "binary"}),
        json!({"type": "string", "contentEncoding": "base64"}),
    );
    let found = converted(
        old,
        Direction::Sent,
        &json!({"$ref": "#/components/schemas/Alias", "nullable": true, "minimum": 3}),
    );
    let found = found.unwrap();
    assert_eq!(
        found["anyOf"],
        json!([{"$ref": "#/$defs/Pet"}, {"type": "null"}])
    );
}

#[test]
fn the_words_of_3_1_stay() {
    let schema = json!({"type": ["string", "null"], "const": 1, "exclusiveMinimum": 2, "not": {"type": "array"}, "if": true});
    check("3.1.0", schema.clone(), schema);
    check(
        "3.1.0",
        json!({"type": "string", "contentMediaType": "application/octet-stream"}),
        json!({"type": "string", "contentMediaType": "application/octet-stream", "contentEncoding": "base64"}),
    );
}

#[test]
fn nonsense_beside_a_word_is_left_out() {
    check(
        "3.1.0",
        json!({"type": "any", "required": true, "pattern": "(?=x)", "minLength": -1, "enum": [], "$id": "http://x/", "x-y": 1, "nullable": true, "multipleOf": 0}),
        json!({}),
    );
}

#[test]
fn recursive_schemas_stay_recursive() {
    let schema = json!({"type": "array", "items": {"$ref": "#/components/schemas/Pet"}});
    let found = converted("3.1.0", Direction::Sent, &schema).unwrap();
    assert_eq!(
        found["$defs"]["Pet"]["properties"]["friend"],
        json!({"$ref": "#/$defs/Pet"})
    );
    let validator = jsonschema::validator_for(&found).unwrap();
    assert!(validator.is_valid(&json!([{"name": "a", "friend": {"name": "b"}}])));
    assert!(!validator.is_valid(&json!([{"name": "a", "friend": {"name": 1}}])));
}

#[test]
fn each_side_asks_only_for_what_the_other_can_give() {
    let pet = json!({"$ref": "#/components/schemas/Pet"});
    let required = |direction| {
        let found = converted("3.1.0", direction, &pet).unwrap();
        found["$defs"]["Pet"]["required"].clone()
    };
    assert_eq!(required(Direction::Sent), json!(["name"]));
    assert_eq!(required(Direction::Received), json!(["id", "name"]));
}

#[test]
fn answers_may_hold_more_than_was_promised() {
    let schema =
        json!({"additionalProperties": false, "oneOf": [{"type": "object"}, true], "example": 1});
    let found = converted("3.1.0", Direction::Received, &schema).unwrap();
    assert_eq!(found, json!({"anyOf": [{"type": "object"}, true]}));
    check(
        "3.1.0",
        schema,
        json!({"additionalProperties": false, "oneOf": [{"type": "object"}, true], "examples": [1]}),
    );
}

#[test]
fn definitions_have_safe_names() {
    let schema = json!({"$ref": "#/components/schemas/Odd~1Name%20ü"});
    check(
        "3.1.0",
        schema,
        json!({"$ref": "#/$defs/Odd_1Name", "$defs": {"Odd_1Name": {"type": "string"}}}),
    );
}

#[test]
fn what_cannot_be_used_is_named() {
    for (schema, expected) in [
        (
            json!({"$ref": "#/components/schemas/Loop"}),
            "this schema contains itself without end",
        ),
        (
            json!({"$ref": "#/components/schemas/Ring"}),
            "/components/schemas/Ring: this reference leads in a circle",
        ),
        (
            json!({"$ref": "#/components/schemas/Far"}),
            "/components/schemas/Far/properties/x: `other.json#/x` is another document",
        ),
        (
            json!({"items": {"anyOf": [3]}}),
            "/here/items/anyOf/0: expected a schema, found a number",
        ),
        (
            json!({"properties": {"a/b": {"$ref": "#/no"}}}),
            "/here/properties/a~1b: `#/no` points to nothing",
        ),
    ] {
        let flaw = converted("3.1.0", Direction::Sent, &schema).unwrap_err();
        assert!(flaw.to_string().contains(expected), "{flaw}");
    }
}
