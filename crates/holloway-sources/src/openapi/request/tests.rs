//! Does every argument end up where it belongs, and can none of them go further?

use serde_json::json;

use super::*;
use crate::openapi::auth;
use crate::openapi::document::Document;
use crate::openapi::operation::{Whereabouts, read_all};

fn operation(path: &str) -> Operation {
    let document = Document::new(json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example/v1/"}],
        "paths": {path: {"put": {
            "parameters": [
                {"name": "id", "in": "path", "required": true},
                {"name": "other", "in": "path", "required": true},
                {"name": "q", "in": "query"},
                {"name": "X-Head", "in": "header"},
                {"name": "Idempotency-Key", "in": "header", "required": true},
                {"name": "c", "in": "cookie"}
            ],
            "requestBody": {"required": true, "content": {"application/json": {}}},
            "responses": {"200": {"content": {"application/json": {}, "text/csv": {}}}}
        }}}
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

fn built(path: &str, arguments: Value) -> Result<Outgoing, ToolFailure> {
    let extras = Extras {
        headers: HeaderMap::new(),
        proof: Proof::default(),
        key: "run/key",
    };
    build(&operation(path), &arguments, extras)
}

#[test]
fn arguments_go_to_their_places() {
    let arguments =
        json!({"id": "a b", "q": "x&y", "X-Head": "h", "c": "1;2", "body": {"n": null}});
    let outgoing = built("/things/{id}?fixed=1#part", arguments).unwrap();
    assert_eq!(
        outgoing.url.as_str(),
        "https://api.example/v1/things/a%20b?fixed=1&q=x%26y"
    );
    assert_eq!(outgoing.body.as_deref(), Some(br#"{"n":null}"#.as_slice()));
    for (name, value) in [
        ("x-head", "h"),
        ("cookie", "c=1%3B2"),
        ("accept", "application/json"),
        ("content-type", "application/json"),
        ("idempotency-key", "run/key"),
    ] {
        assert_eq!(outgoing.headers.get(name).unwrap(), value, "{name}");
    }
    let own = json!({"id": 1, "Idempotency-Key": "mine", "body": 1});
    let outgoing = built("/things/{id}", own).unwrap();
    assert_eq!(outgoing.headers.get("idempotency-key").unwrap(), "mine");
}

#[test]
fn a_path_argument_stays_in_its_place() {
    for (value, expected) in [
        (json!("../admin"), "/v1/things/..%2Fadmin/x"),
        (json!("a/b"), "/v1/things/a%2Fb/x"),
        (json!("a?b#c"), "/v1/things/a%3Fb%23c/x"),
        (json!("..\\b"), "/v1/things/..%5Cb/x"),
        (json!("%2e%2e"), "/v1/things/%252e%252e/x"),
        (json!("%2F"), "/v1/things/%252F/x"),
        (json!("{other}"), "/v1/things/%7Bother%7D/x"),
        (json!("..."), "/v1/things/.../x"),
        (json!("\t\n"), "/v1/things/%09%0A/x"),
        (json!(["..", ".."]), "/v1/things/..,../x"),
        (json!(-1.5), "/v1/things/-1.5/x"),
    ] {
        let outgoing = built("/things/{id}/x", json!({"id": value, "body": 1})).unwrap();
        assert_eq!(outgoing.url.path(), expected, "{value}");
    }
}

#[test]
fn arguments_that_would_change_the_path_are_refused() {
    for value in [
        json!("."),
        json!(".."),
        json!(""),
        json!([]),
        json!({}),
        json!(null),
        json!([".."]),
    ] {
        let failure = built("/things/{id}", json!({"id": value, "body": 1}));
        assert!(failure.is_err(), "{value}");
    }
    let split = json!({"id": ".", "other": ".", "body": 1});
    assert!(built("/{id}{other}/x", split).is_err());
    assert!(built("/%2e{id}/x", json!({"id": ".", "body": 1})).is_err());
}

#[test]
fn what_is_missing_or_does_not_fit_is_named() {
    for (arguments, expected) in [
        (json!({"body": 1}), "`id` is missing"),
        (json!({"id": 1}), "`body` is missing"),
        (
            json!({"id": 1, "body": 1, "X-Head": "a\r\nHost: b"}),
            "`X-Head` does not fit into a header",
        ),
    ] {
        let failure = built("/things/{id}", arguments).err().unwrap();
        assert_eq!(failure.message, expected);
    }
}
