//! Is every secret found, wherever it stands and however the schema says that it is one?

use serde_json::json;

use super::*;

#[test]
fn names_and_schemas_say_what_is_secret() {
    let check = |name: &str, field: Value, expected: bool| {
        let schema = json!({"properties": {name: field}});
        assert_eq!(is_secret(&schema, name), expected, "{schema}");
    };
    check("api_key", json!({"type": "string"}), true);
    check("sort_key", json!({"type": "string"}), false);
    check("key", json!({"description": "Your API key"}), true);
    check(
        "key",
        json!({"description": "Which column to join by"}),
        false,
    );
    check("word", json!({"format": "password"}), true);
    check("word", json!({"writeOnly": true}), true);
    check("word", json!({"x-secret": false}), false);
    check("secret", json!({"type": "boolean"}), false);
    check(
        "secret",
        json!({"description": "The name of a secret to sign with"}),
        false,
    );
}

/// Which texts of an input are visited, with their places.
#[track_caller]
fn check_visited(schema: &Value, input: Value, expected: &[&str]) {
    let mut input = input;
    let mut seen = Vec::new();
    let done: Result<(), ()> = visit_secrets_of(Some(schema), &mut input, &mut |taken| {
        seen.push(format!("{}={}", taken.name, taken.value));
        Ok(json!(format!("*{}", seen.len())))
    });
    assert_eq!(done, Ok(()));
    assert_eq!(seen, expected, "{schema}");
    assert!(!input.to_string().contains("hush"), "{input}");
}

#[test]
fn a_schema_may_say_it_in_any_way() {
    let secret = || json!({"type": "string", "writeOnly": true});
    let defs = || {
        json!({"s": secret(), "t": {"$ref": "#/$defs/s"}, "a b": {"allOf": [{"$ref": "#/$defs/t"}]},
        "named": {"$anchor": "here", "format": "password"},
        "tree": {"properties": {"word": secret(), "next": {"$ref": "#/$defs/tree"}}}})
    };
    for field in [
        secret(),
        json!({"$ref": "#/$defs/s"}),
        json!({"$ref": "#/$defs/t"}),
        json!({"$ref": "#/$defs/a%20b"}),
        json!({"$ref": "#here"}),
        json!({"allOf": [{"type": "string"}, {"$ref": "#/$defs/s"}]}),
        json!({"anyOf": [{"type": "null"}, secret()]}),
        json!({"oneOf": [{"type": "integer"}, {"anyOf": [{"$ref": "#/$defs/s"}]}]}),
        json!({"if": {"minLength": 3}, "then": secret()}),
        json!({"if": {"minLength": 3}, "else": {"format": "password"}}),
        json!({"dependentSchemas": {"x": secret()}}),
        json!({"allOf": [{"x-sensitive": true}]}),
    ] {
        let schema = json!({"$defs": defs(), "properties": {"word": field}});
        check_visited(&schema, json!({"word": "hush"}), &["word=\"hush\""]);
    }
    for (object, place) in [
        (
            json!({"allOf": [{"properties": {"word": secret()}}]}),
            "word",
        ),
        (json!({"$ref": "#/$defs/tree"}), "word"),
        (json!({"anyOf": [{"$ref": "#/$defs/tree"}, {}]}), "word"),
        (json!({"patternProperties": {"^w": secret()}}), "word"),
        (json!({"patternProperties": {"^(?!x)": secret()}}), "word"),
        (json!({"additionalProperties": secret()}), "word"),
        (
            json!({"additionalProperties": {"$ref": "#/$defs/t"}}),
            "word",
        ),
        (json!({"unevaluatedProperties": secret()}), "word"),
    ] {
        let mut schema = object;
        schema["$defs"] = defs();
        check_visited(
            &schema,
            json!({"word": "hush"}),
            &[&format!("{place}=\"hush\"")],
        );
    }
    for list in [
        json!({"items": secret()}),
        json!({"items": {"$ref": "#/$defs/s"}}),
        json!({"items": [{}, secret()]}),
        json!({"prefixItems": [{}, secret()]}),
        json!({"prefixItems": [{}], "items": secret()}),
        json!({"items": [{}], "additionalItems": secret()}),
        json!({"contains": secret()}),
        json!({"unevaluatedItems": {"$ref": "#/$defs/t"}}),
    ] {
        let schema = json!({"$defs": defs(), "properties": {"words": list}});
        check_visited(
            &schema,
            json!({"words": [0, "hush"]}),
            &match schema["properties"]["words"] {
                ref all
                    if all["items"].is_object() && all.get("prefixItems").is_none()
                        || all.get("contains").is_some()
                        || all.get("unevaluatedItems").is_some() =>
                {
                    vec!["words=0", "words=\"hush\""]
                }
                ref all
                    if all.get("additionalItems").is_some()
                        || all.get("prefixItems").is_some() && all.get("items").is_some() =>
                {
                    vec!["words=0", "words=\"hush\""]
                }
                _ => vec!["words=\"hush\""],
            },
        );
    }
    let deep = json!({"$defs": defs(), "properties": {"tree": {"$ref": "#/$defs/tree"}}});
    check_visited(
        &deep,
        json!({"tree": {"next": {"next": {"word": "hush"}}, "note": "plain"}}),
        &["tree.next.next.word=\"hush\""],
    );
}

#[test]
fn schemas_that_lead_back_to_themselves_end() {
    let schema = json!({"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}, {"$ref": "#"}]},
        "b": {"oneOf": [{"$ref": "#/$defs/a"}], "properties": {"x": {"$ref": "#/$defs/a"}}}}, "$ref": "#/$defs/a"});
    check_visited(&schema, json!({"x": {"x": {"x": "plain"}}}), &[]);
    check_visited(&json!({"$ref": "#/nowhere"}), json!({"x": "plain"}), &[]);
}

#[test]
fn names_of_fields_of_a_secret_are_secret_unless_somebody_declared_them() {
    let free = json!({"properties": {"credentials": {"type": "object"}}});
    check_visited(
        &free,
        json!({"credentials": {"hush": "hush"}}),
        &["credentials.1=\"hush\"", "credentials.1.key=\"hush\""],
    );
    let declared = json!({"properties": {"login": {"writeOnly": true, "allOf": [{"properties": {"user": {}}}]}}});
    check_visited(
        &declared,
        json!({"login": {"user": "hush"}}),
        &["login.user=\"hush\""],
    );
    let closed = json!({"properties": {"secrets": {"additionalProperties": false, "patternProperties": {"^a": {}}}}});
    check_visited(
        &closed,
        json!({"secrets": {"ab": "hush"}}),
        &["secrets.ab=\"hush\""],
    );
    // A mark in the name of a field is looked up again.
    let mark = holloway_engine::mark::mark("credentials.1.key", 7);
    let mut seen = Vec::new();
    let done: Result<(), ()> = visit_secrets_of(
        Some(&free),
        &mut json!({"credentials": {mark.clone(): 1}}),
        &mut |taken| {
            seen.push(taken.value.clone());
            Ok(taken.value)
        },
    );
    assert_eq!((done, seen), (Ok(()), vec![json!(1), json!(mark)]));
}

#[test]
fn every_secret_is_visited_wherever_it_stands() {
    let schema = json!({
        "login": {"type": "object", "properties": {"user": {}, "password": {}}},
        "credentials": {"type": "object"}, "city": {}, "tokens": {}, "pin": {"default": 1234},
        "consent": {"type": "boolean", "writeOnly": true},
        "list": {"items": {"properties": {"api_key": {}}}}});
    let mut input = json!({
        "login": {"user": "ann", "password": "p1"}, "credentials": {"hush": "c1", "b": ["c2"]},
        "city": "Graz", "list": [{"api_key": "k1"}], "secret": true, "consent": true});
    let plan = plan(&schema);
    let mut seen = Vec::new();
    let done: Result<(), ()> = visit_secrets(&plan, &mut input, &mut |taken| {
        seen.push(format!("{}={}", taken.name, taken.value));
        Ok(json!("*"))
    });
    assert_eq!(done, Ok(()));
    seen.sort();
    assert_eq!(
        seen,
        [
            "consent=true",
            "credentials.1.key=\"hush\"",
            "credentials.1=\"c1\"",
            "credentials.b=\"c2\"",
            "list.api_key=\"k1\"",
            "login.password=\"p1\"",
            "pin=1234",
        ]
    );
    assert_eq!(
        input,
        json!({
            "login": {"user": "ann", "password": "*"}, "credentials": {"*": "*", "b": ["*"]},
            "city": "Graz", "list": [{"api_key": "*"}], "secret": true, "pin": "*", "consent": "*"})
    );
}

fn plan(properties: &Value) -> Plan {
    use holloway_plan::limits::Limits;
    use holloway_plan::read::read_value;
    use holloway_plan::tool::{ToolSpec, ToolTable};
    use holloway_plan::validate::{NoPlans, Surroundings, validate};
    let limits = Limits::default();
    let tools = ToolTable::new([ToolSpec::named("x/do")]);
    let around = Surroundings {
        tools: &tools,
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    let document = json!({"version": "1.0", "input": {"type": "object", "properties": properties},
        "steps": [{"id": "a", "tool": "do", "input": {"text": "{{input.credentials.b}}"}}]});
    validate(&read_value(&document, &limits).unwrap(), &around).unwrap()
}
