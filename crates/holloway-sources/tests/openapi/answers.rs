//! What do answers and accidents mean for a run? One operation to read, one to
//! write, against a server that misbehaves on demand.

use holloway_engine::failure::FailureName;
use holloway_sources::openapi::OpenApiConfig;
use serde_json::{Value, json};

use super::server::{Asked, Reply, Server};
use super::service::Service;

fn description() -> Value {
    let operation = json!({"responses": {"200": {"description": "", "content": {"application/json": {}}}},
        "parameters": [{"name": "as", "in": "query", "schema": {"type": "string"}},
                       {"name": "Host", "in": "header", "schema": {"type": "string"}},
                       {"name": "X-Mine", "in": "header", "schema": {"type": "string"}}]});
    json!({"openapi": "3.1.0", "info": {}, "paths": {"/it": {"get": operation, "post": operation}}})
}

fn respond(asked: &Asked) -> Reply {
    let text = |status: u16, body: &[u8]| {
        Some((
            status,
            "content-type: text/plain\r\n".to_owned(),
            body.to_vec(),
        ))
    };
    let (_, order) = asked.target.split_once("as=").unwrap_or(("", ""));
    match order {
        "hang-up" => None,
        "text" => text(200, b"hello"),
        "bytes" => Some((
            200,
            "content-type: image/png\r\n".to_owned(),
            b"\x89PNG".to_vec(),
        )),
        "late-json" => text(200, b"[1]"),
        "broken" => Some((
            200,
            "content-type: application/json\r\n".to_owned(),
            b"{".to_vec(),
        )),
        "empty" => Some((200, String::new(), Vec::new())),
        "long" => text(200, &vec![b'x'; 11 << 20]),
        "inside" => Some((307, "location: /it?as=late-json\r\n".to_owned(), Vec::new())),
        "see-other" => Some((303, "location: /it?as=late-json\r\n".to_owned(), Vec::new())),
        "outside" => Some((
            302,
            "location: http://127.0.0.1:1/\r\n".to_owned(),
            Vec::new(),
        )),
        "circle" => Some((307, "location: /it?as=circle\r\n".to_owned(), Vec::new())),
        status => text(status.parse().unwrap_or(200), b"no\nway\x1b[31m"),
    }
}

async fn start() -> (Server, Service) {
    let server = Server::start(respond).await;
    let headers = [("X-Mine".to_owned(), "${API_KEY}".to_owned())];
    let service = Service::open(OpenApiConfig {
        document: description(),
        base_url: server.url("/"),
        headers: headers.into(),
        ..OpenApiConfig::default()
    });
    let service = service.await;
    (server, service)
}

#[tokio::test]
async fn results_are_json_or_wrapped() {
    let (_server, service) = start().await;
    for (order, expected) in [
        ("late-json", json!([1])),
        ("inside", json!([1])),
        (
            "text",
            json!({"status": 200, "content_type": "text/plain", "text": "hello"}),
        ),
        (
            "bytes",
            json!({"status": 200, "content_type": "image/png", "base64": "iVBORw=="}),
        ),
        ("empty", json!({"status": 200})),
    ] {
        for method in ["get_it", "post_it"] {
            let result = service.call(method, json!({"as": order})).await.unwrap();
            assert_eq!(result, expected, "{method} {order}");
        }
    }
}

#[tokio::test]
async fn failures_say_what_may_have_happened() {
    use FailureName::{Denied, LimitExceeded, ToolFailed, ValidationFailed};
    let (_server, service) = start().await;
    // Retryable, and for a write: uncertain, happened.
    for (order, name, retryable, uncertain, happened) in [
        ("400", ValidationFailed, false, false, false),
        ("401", Denied, false, false, false),
        ("403", Denied, false, false, false),
        ("404", ValidationFailed, false, false, false),
        ("409", ValidationFailed, false, false, false),
        ("422", ValidationFailed, false, false, false),
        ("405", ToolFailed, false, false, false),
        ("408", ToolFailed, true, false, false),
        ("425", ToolFailed, true, false, false),
        ("429", ToolFailed, true, false, false),
        ("500", ToolFailed, true, true, false),
        ("503", ToolFailed, true, true, false),
        ("hang-up", ToolFailed, true, true, false),
        ("broken", ToolFailed, false, false, true),
        ("long", LimitExceeded, false, false, true),
        ("outside", Denied, false, true, false),
        ("circle", ToolFailed, false, false, false),
    ] {
        for (method, writes) in [("get_it", false), ("post_it", true)] {
            let failure = service
                .call(method, json!({"as": order}))
                .await
                .unwrap_err();
            assert_eq!(
                (
                    failure.name,
                    failure.retryable,
                    failure.uncertain,
                    failure.happened
                ),
                (name, retryable, uncertain && writes, happened && writes),
                "{method} {order}: {failure}"
            );
            assert!(!failure.message.contains(['\n', '\u{1b}']), "{failure}");
        }
    }
    let moved = service
        .call("post_it", json!({"as": "see-other"}))
        .await
        .unwrap_err();
    assert!(moved.uncertain, "{moved}");
}

#[tokio::test]
async fn no_connection_means_nothing_was_sent() {
    let server = Server::start(respond).await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base_url = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    drop(server);
    let config = OpenApiConfig {
        document: description(),
        base_url,
        ..OpenApiConfig::default()
    };
    let service = Service::open(config).await;
    let failure = service
        .call("post_it", json!({"as": "secret"}))
        .await
        .unwrap_err();
    assert_eq!(
        (failure.retryable, failure.uncertain),
        (true, false),
        "{failure}"
    );
    assert!(
        !failure.message.contains("secret"),
        "queries are not told: {failure}"
    );
}

#[tokio::test]
async fn a_persons_headers_win_and_framing_headers_are_no_parameters() {
    let (server, service) = start().await;
    let properties = &service.offer("get_it").input_schema["properties"];
    assert!(properties.get("Host").is_none() && properties.get("X-Mine").is_some());
    service
        .call("get_it", json!({"as": "text", "X-Mine": "forged"}))
        .await
        .unwrap();
    assert_eq!(server.last().header("x-mine"), Some("special-key"));
    let arguments = json!({"as": "text", "Host": "evil.example"});
    service.call_unchecked("get_it", arguments).await.unwrap();
    assert_eq!(server.last().header("host"), Some(server.address.as_str()));
}
