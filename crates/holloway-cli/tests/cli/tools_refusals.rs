//! What a call would be refused for stands on the card before it is made, whatever the source of
//! the tool.

use serde_json::Value;

use crate::place::Place;

const SETTINGS: &str = "config/holloway/holloway.toml";
const REQUEST: &str = "'spoonerize \"crushing blow\"'";

/// A service whose description, in a file, sends to this machine and asks for a key.
const SERVICE: &str = r#"{
  "openapi": "3.1.0", "info": {"title": "words"}, "servers": [{"url": "http://127.0.0.1:9/v1"}],
  "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
  "paths": {"/spoonerize": {"get": {"operationId": "spoonerize", "security": [{"key": []}],
    "parameters": [{"name": "words", "in": "query", "required": true, "schema": {"type": "string"}}],
    "responses": {"200": {"description": "", "content": {"application/json": {"schema":
      {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}}}}}}}
}"#;

/// What stands on the first card.
fn lacks(place: &Place, flags: &str) -> Vec<String> {
    let planned = place.json(&format!("plan {REQUEST} {flags}"));
    let lacks = planned["plans"][0]["ungranted"].as_array();
    let lacks = lacks.unwrap_or_else(|| panic!("{planned}")).iter();
    let text = |lack: &Value| {
        let part = |name: &str| lack[name].as_str().unwrap().to_owned();
        format!("{}: {}", part("what"), part("grant"))
    };
    lacks.map(text).collect()
}

#[test]
fn a_service_on_loopback_without_its_key() {
    let place = Place::new();
    place.file("words.json", SERVICE);
    place.file(
        SETTINGS,
        "[tools.does]\n\"openapi.words/spoonerize\" = [\"spoonerize text:words -> text:text\"]\n",
    );
    let added = place.run("tools add openapi:words.json");
    assert_eq!(added.code, Some(0), "{added}");
    let bare = lacks(&place, "");
    assert_eq!(bare.len(), 2, "{bare:?}");
    assert!(bare[0].contains("reach 127.0.0.1:9"), "{bare:?}");
    assert!(bare[0].contains("--allow-host 127.0.0.1:9"), "{bare:?}");
    assert!(
        bare[1].contains("`key`") && bare[1].contains("[sources]"),
        "{bare:?}"
    );
    // What is granted is not told any more, and what a person reads is the same.
    let allowed = lacks(&place, "--allow-host 127.0.0.1:9");
    assert_eq!(allowed, bare[1..]);
    let card = place.run(&format!("plan {REQUEST}"));
    assert!(card.stdout.contains("it would reach 127.0.0.1:9"), "{card}");
    // It is not run unnoticed.
    let ran = place.run(&format!("ask {REQUEST} --plan 1 --no-question"));
    assert_ne!(ran.code, Some(0), "{ran}");
}

#[test]
fn a_server_whose_secret_is_gone_and_calls_that_are_denied() {
    let place = Place::new();
    place.file("words_server.py", include_str!("words_server.py"));
    let does = "[tools.does]\n\"mcp.words/q7\" = [\"spoonerize text:words -> text:text\"]\n";
    place.run_with_input("secrets set WORDS_KEY", "canary-words-key-12");
    let added =
        place.run("tools add mcp:words --env 'KEY=${WORDS_KEY}' -- python3 words_server.py");
    assert_eq!(added.code, Some(0), "{added}");
    place.file(SETTINGS, does);
    assert!(lacks(&place, "").is_empty());
    place.run("secrets remove WORDS_KEY");
    let without = lacks(&place, "");
    assert_eq!(without.len(), 1, "{without:?}");
    assert!(
        without[0].contains("holloway secrets set WORDS_KEY"),
        "{without:?}"
    );
    let effect = place.json("tools show q7")["tool"]["effect"].clone();
    let effect = effect.as_str().unwrap();
    place.file(
        SETTINGS,
        &format!("{does}[approvals]\n{effect} = \"deny\"\n"),
    );
    let denied = lacks(&place, "");
    assert_eq!(denied.len(), 2, "{denied:?}");
    assert!(denied[1].contains("denied"), "{denied:?}");
}
