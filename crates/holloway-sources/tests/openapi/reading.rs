//! How is a description brought in, and what is said about a broken one?

use holloway_sources::SourceErrorKind;
use holloway_sources::openapi::{MAX_BYTES, OpenApiConfig, read_document};
use holloway_tools::Grants;
use serde_json::{Value, json};

use super::server::{Asked, Reply, Server};
use super::service::source;

fn respond(asked: &Asked) -> Reply {
    let yaml = b"openapi: 3.1.0\ninfo: {title: Tiny}\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: ok}\n";
    let ok = |body: &[u8]| Some((200, String::new(), body.to_vec()));
    match asked.target.as_str() {
        "/api.yaml" => ok(yaml),
        "/moved" => Some((301, "location: /api.yaml\r\n".to_owned(), Vec::new())),
        "/away" => Some((
            302,
            "location: http://127.0.0.1:1/api.yaml\r\n".to_owned(),
            Vec::new(),
        )),
        "/long" => ok(&vec![b' '; MAX_BYTES + 1]),
        "/page" => ok(b"<html><body>Not here</body></html>"),
        _ => Some((404, String::new(), Vec::new())),
    }
}

#[tokio::test]
async fn a_typed_address_may_be_private() {
    let server = Server::start(respond).await;
    let here = std::path::Path::new("/");
    for path in ["/api.yaml", "/moved"] {
        let read = read_document(&server.url(path), here, &Grants::default())
            .await
            .unwrap();
        assert_eq!(
            (read.title.as_str(), read.origin),
            ("Tiny", server.url(path))
        );
        assert_eq!(read.document["openapi"], "3.1.0");
    }
    for (path, kind) in [
        ("/away", SourceErrorKind::Denied),
        ("/missing", SourceErrorKind::Denied),
        ("/long", SourceErrorKind::Spec),
        ("/page", SourceErrorKind::Spec),
    ] {
        let error = read_document(&server.url(path), here, &Grants::default())
            .await
            .unwrap_err();
        assert_eq!(error.kind, kind, "{path}: {error}");
        assert!(!error.hint.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn a_file_is_seen_from_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("a.json"),
        r#"{"openapi": "3.0.0", "paths": {}}"#,
    )
    .unwrap();
    let read = read_document("a.json", folder.path(), &Grants::default())
        .await
        .unwrap();
    assert_eq!(
        read.origin,
        folder.path().join("a.json").display().to_string()
    );
    let error = read_document("b.json", folder.path(), &Grants::default())
        .await
        .unwrap_err();
    assert!(error.message.contains("b.json cannot be read"), "{error}");
}

async fn survey(document: Value) -> Result<(Vec<String>, Vec<String>), String> {
    let config = OpenApiConfig {
        document,
        ..OpenApiConfig::default()
    };
    let survey = source(config, Grants::default()).survey().await;
    let survey = survey.map_err(|error| error.to_string())?;
    let names = survey.offers.iter().map(|offer| offer.id.name().to_owned());
    Ok((names.collect(), survey.notes))
}

#[tokio::test]
async fn what_cannot_be_used_is_left_out_and_named() {
    let good = json!({"responses": {}});
    let document = json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example"}],
        "paths": {
            "/good": {"get": good, "put": good, "x-other": 1},
            "bad": {"get": good},
            "/hole/{id}": {"get": good},
            "/far": {"get": {"parameters": [{"$ref": "other.yaml#/p"}]}},
            "/odd": {"get": {"parameters": [{"name": "a", "in": "nowhere"}]}, "post": good},
            "/schema": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/no"}}}}}},
            "/server": {"get": {"servers": [{"url": "https://{x}.example"}]}},
            "/text": "nonsense"
        }
    });
    let (names, notes) = survey(document).await.unwrap();
    assert_eq!(names, ["get_good", "put_good", "post_odd"]);
    let expected = [
        "/paths/bad: a path begins with `/`",
        "/paths/~1hole~1{id}/get: `{id}` in the path has no parameter",
        "/paths/~1far/get/parameters/0: `other.yaml#/p` is another document; only references into this one are followed",
        "/paths/~1odd/get/parameters/0: unknown variant `nowhere`, expected one of `path`, `query`, `header`, `cookie`",
        "/paths/~1server/get/servers/0: the server `https://{x}.example` does not say what `x` is",
        "/paths/~1text: expected an object, found a text",
        "`post_schema` is left out: /paths/~1schema/post/requestBody/content/application~1json/schema: `#/no` points to nothing in this description",
    ];
    assert_eq!(notes, expected);
}

#[tokio::test]
async fn a_description_without_a_host_asks_for_one() {
    let document = json!({"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {}}}}});
    let message = survey(document).await.unwrap_err();
    assert!(message.contains("name one with `--base-url`"), "{message}");
}
