//! Does a 3.1 description, as FastAPI writes it, work? Every place a parameter can
//! have, forms, an upload, recursive models, and each kind of proof.

use holloway_sources::openapi::{OpenApiConfig, parse_text};
use serde_json::{Value, json};

use super::server::{self, Asked, Reply, Server};
use super::service::Service;

fn respond(asked: &Asked) -> Reply {
    let part = json!({"name": "bolt", "price": null, "parts": [{"name": "nut"}]});
    let job = json!({"id": 7, "state": "open", "part": part, "new_field": 1});
    let path = asked.target.split('?').next().unwrap();
    match (asked.method.as_str(), path) {
        ("GET", "/jobs") => server::json(200, &json!([job])),
        ("POST", "/jobs") => server::json(201, &job),
        ("GET", _) => server::json(200, &job),
        ("DELETE", _) => Some((204, String::new(), Vec::new())),
        ("PUT", _) => server::json(200, &part),
        ("POST", "/notes") => server::json(200, &json!({"title": "x"})),
        _ => server::json(200, &json!({"bytes": 5})),
    }
}

async fn start() -> (Server, Service) {
    let server = Server::start(respond).await;
    let auth = [
        ("OAuth2PasswordBearer", "${TOKEN}"),
        ("HTTPBasic", "${LOGIN}"),
        ("APIKeyHeader", "${API_KEY}"),
    ];
    let auth = auth.map(|(name, text)| (name.to_owned(), text.to_owned()));
    // No server is named: it is where the description was found.
    let service = Service::open(OpenApiConfig {
        origin: server.url("/openapi.json"),
        document: parse_text("workshop", include_str!("workshop-3.1.json")).unwrap(),
        auth: auth.into(),
        ..OpenApiConfig::default()
    });
    let service = service.await;
    (server, service)
}

#[track_caller]
fn check(asked: &Asked, target: &str, headers: &[(&str, &str)], body: &str) {
    assert_eq!(asked.target, target);
    for (name, value) in headers {
        assert_eq!(asked.header(name), Some(*value), "{name}");
    }
    assert_eq!(asked.body, body);
}

#[tokio::test]
async fn every_operation_is_called() {
    let (server, service) = start().await;
    let call = |name: &'static str, arguments: Value| service.call(name, arguments);

    let arguments =
        json!({"state": ["open", "done"], "limit": 5, "x-trace": "t", "session": "a;b"});
    call("list_jobs_jobs_get", arguments).await.unwrap();
    let headers = [("x-trace", "t"), ("cookie", "session=a%3Bb")];
    check(
        &server.last(),
        "/jobs?state=open&state=done&limit=5",
        &headers,
        "",
    );

    let body = json!({"name": "bolt", "parts": [{"name": "nut"}]});
    call("create_job_jobs_post", json!({"body": body}))
        .await
        .unwrap();
    let headers = [
        ("authorization", "Bearer t0ken"),
        ("content-type", "application/json"),
    ];
    check(&server.last(), "/jobs", &headers, &body.to_string());

    call("read_job_jobs__job_id__get", json!({"job_id": 7}))
        .await
        .unwrap();
    check(&server.last(), "/jobs/7", &[("x-key", "special-key")], "");

    let gone = call("delete_job_jobs__job_id__delete", json!({"job_id": 7}))
        .await
        .unwrap();
    assert_eq!(gone, json!({"status": 204}));
    check(
        &server.last(),
        "/jobs/7",
        &[("authorization", "Basic YW5uOnDDpHNzd29yZA==")],
        "",
    );

    call(
        "add_note_notes_post",
        json!({"body": {"title": "a b", "stars": 2}}),
    )
    .await
    .unwrap();
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    check(&server.last(), "/notes", &headers, "title=a%20b&stars=2");

    let upload = json!({"name": "../cat", "body": {"picture": "aGVsbG8=", "caption": "c"}});
    call("add_picture_pictures__name__post", upload)
        .await
        .unwrap();
    let asked = server.last();
    assert_eq!(asked.target, "/pictures/..%2Fcat");
    assert!(asked.body.contains("name=\"picture\"; filename=\"picture\"\r\ncontent-type: application/octet-stream\r\n\r\nhello\r\n"), "{}", asked.body);

    let id = "00000000-0000-0000-0000-000000000001";
    let arguments = json!({"drawing_id": id, "body": {"a": {"name": "x"}}});
    call("put_drawing_drawings__drawing_id__put", arguments)
        .await
        .unwrap();
    assert_eq!(service.names().len(), 7);
}

#[tokio::test]
async fn arguments_that_do_not_fit_the_models_are_seen() {
    let (_server, service) = start().await;
    let offer = service.offer("create_job_jobs_post");
    let validator = jsonschema::validator_for(&offer.input_schema).unwrap();
    assert!(validator.is_valid(&json!({"body": {"name": "a", "parts": [{"name": "b"}]}})));
    for wrong in [
        json!({}),
        json!({"body": {"name": ""}}),
        json!({"body": {"name": "a", "price": 0}}),
        json!({"body": {"name": "a", "parts": [{"name": 1}]}}),
        json!({"body": {"name": "a"}, "extra": 1}),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
    let deprecated = service.offer("delete_job_jobs__job_id__delete");
    assert!(deprecated.description.starts_with("Deprecated"));
}
