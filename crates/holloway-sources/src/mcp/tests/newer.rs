//! Servers of the newer protocol: no handshake, questions as rounds of a call,
//! changes told to those who ask.

use holloway_engine::ports::{CallLine, CallListener, ToolAnswer, ToolProgress, ToolQuestion};

use super::*;

fn newer(behaviour: impl Fn(&Value, &fake::Out) + Send + Sync + 'static) -> Fake {
    let mut fake = Fake::new(behaviour);
    fake.discover = Some(json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": {"name": "fake", "version": "1"},
        "ttlMs": 0,
        "cacheScope": "private",
    }));
    fake
}

struct Yes;

#[async_trait]
impl CallListener for Yes {
    fn progress(&self, _: ToolProgress) {}

    async fn ask(&self, _: ToolQuestion) -> ToolAnswer {
        ToolAnswer::Accept(json!({"sure": true}))
    }
}

#[tokio::test]
async fn the_newer_protocol_needs_no_handshake() {
    let fake = newer(|message, out| out.result(message, text("ok")));
    let source = fake.source();
    let output = source.call(&request("any", json!({}))).await.unwrap();
    assert_eq!(output.value, json!({"text": "ok"}));
    let heard = fake.heard();
    assert!(heard.iter().all(|one| one["method"] != "initialize"));
    let call = heard.iter().find(|one| one["method"] == "tools/call");
    let meta = &call.unwrap()["params"]["_meta"];
    assert_eq!(
        meta["io.modelcontextprotocol/protocolVersion"],
        "2026-07-28"
    );
}

#[tokio::test]
async fn a_question_is_another_round_of_the_call() {
    let fake = newer(|message, out| {
        let params = &message["params"];
        let schema = json!({"type": "object", "properties": {"sure": {"type": "boolean"}}});
        let form = json!({"mode": "form", "message": "Sure?", "requestedSchema": schema});
        match (message["method"].as_str(), params.get("inputResponses")) {
            (Some("tools/call"), None) => out.result(
                message,
                json!({
                    "resultType": "input_required",
                    "requestState": "state 1",
                    "inputRequests": {"sure": {"method": "elicitation/create", "params": form}},
                }),
            ),
            (Some("tools/call"), Some(responses)) => {
                let found = json!({"responses": responses, "state": params["requestState"]});
                out.result(message, json!({"structuredContent": found}));
            }
            _ => {}
        }
    });
    let mut request = request("any", json!({}));
    request.line = CallLine::new(Arc::new(Yes));
    let output = fake.source().call(&request).await.unwrap();
    assert_eq!(
        output.value,
        json!({
            "responses": {"sure": {"action": "accept", "content": {"sure": true}}},
            "state": "state 1",
        })
    );
}

#[tokio::test(start_paused = true)]
async fn endless_rounds_are_ended() {
    let fake = newer(|message, out| {
        let again = json!({"resultType": "input_required", "requestState": "again"});
        out.result(message, again);
    });
    let source = fake.source();
    let failure = source.call(&request("any", json!({}))).await.unwrap_err();
    assert!(failure.message.contains("10 times"), "{failure}");
    let heard = fake.heard();
    let calls = heard.iter().filter(|one| one["method"] == "tools/call");
    assert_eq!(calls.count(), 10);
}

#[tokio::test]
async fn changes_are_asked_for() {
    let fake = newer(|message, out| {
        if message["method"] == "tools/call" {
            out.line(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
            out.result(message, text("ok"));
        }
    });
    let source = fake.source();
    source.call(&request("any", json!({}))).await.unwrap();
    fake.hears("subscriptions/listen").await;
    assert_eq!(source.generation(), 2);
}
