//! Which kinds and values does a schema allow?

use serde_json::json;

use super::*;

#[track_caller]
fn check(schema: Value, value: Value, expected: bool) {
    let admits = Shape::of(&schema).admits(&value);
    assert_eq!(admits, expected, "{schema} and {value}");
}

#[test]
fn a_value_satisfies_its_schema_or_not() {
    check(json!({"type": "string"}), json!("x"), true);
    check(json!({"type": "string"}), json!(1), false);
    check(json!({"type": "integer"}), json!(1), true);
    check(json!({"type": "integer"}), json!(1.5), false);
    check(json!({"type": "number"}), json!(1), true);
    check(json!({"type": ["string", "null"]}), json!("x"), true);
    check(
        json!({"anyOf": [{"type": "null"}, {"type": "integer"}]}),
        json!(3),
        true,
    );
    check(
        json!({"anyOf": [{"type": "null"}, {"type": "integer"}]}),
        json!("3"),
        false,
    );
    check(json!({"type": "integer", "minimum": 5}), json!(4), false);
    check(
        json!({"type": "number", "exclusiveMaximum": 1}),
        json!(1),
        false,
    );
    check(json!({"enum": ["a", "b"]}), json!("b"), true);
    check(json!({"enum": ["a", "b"]}), json!("c"), false);
    check(
        json!({"type": "string", "format": "date"}),
        json!("2026-03-18"),
        true,
    );
    check(
        json!({"type": "string", "format": "date"}),
        json!("tomorrow"),
        false,
    );
    check(
        json!({"type": "string", "format": "uri"}),
        json!("example.org"),
        false,
    );
    check(
        json!({"type": "array", "items": {"type": "string"}}),
        json!(["x"]),
        true,
    );
    check(
        json!({"type": "array", "items": {"type": "string"}}),
        json!([1]),
        false,
    );
    check(
        json!({"type": "object", "required": ["a"]}),
        json!({"b": 1}),
        false,
    );
    check(json!({}), json!("anything"), true);
}

#[test]
fn references_point_into_their_document() {
    let schema = json!({
        "$defs": {"city": {"type": "string"}, "round": {"$ref": "#/$defs/round"}},
        "properties": {"city": {"$ref": "#/$defs/city"}, "round": {"$ref": "#/$defs/round"}},
    });
    let field = |name| Shape::of(&schema).field(name).unwrap();
    assert_eq!(field("city").kind(), Kind::Text);
    // A reference to itself ends, and says nothing.
    assert_eq!(field("round").kind(), Kind::Any);
}
