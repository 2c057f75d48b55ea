//! Is everything that pages load measured once? Against a site on loopback with
//! sheets that import sheets.

use super::super::server::{Answer, Server};
use super::*;

async fn site() -> Server {
    Server::start(|request| match request.path() {
        "/a.css" => Answer::bytes("@import 'b.css'; i{background:url(x.png)}", "text/css"),
        "/b.css" => Answer::bytes("@import 'a.css'; @font-face{src:url(f.woff2)}", "text/css"),
        "/moved.js" => Answer::redirect("/j.js"),
        "/j.js" => Answer::bytes("x()", "text/javascript"),
        "/x.png" => Answer::bytes(vec![7; 100], "image/png"),
        "/huge.png" => Answer::bytes(vec![7; 5000], "image/png"),
        "/f.woff2" => Answer::bytes(vec![7; 50], "font/woff2"),
        "/loop" => Answer::redirect("/loop"),
        _ => Answer::status(404),
    })
    .await
}

const PAGE: &str = "<link rel=stylesheet href=/a.css><script src=/moved.js></script><img src=/x.png><img src=/gone.png><iframe src=/loop></iframe>";

async fn fetch(server: &Server, mut arguments: Value) -> Value {
    let page = json!({"url": server.url("/"), "html": PAGE});
    if arguments.get("pages").is_none() {
        arguments["pages"] = json!([page, page]);
    }
    arguments["delay_ms"] = json!(0);
    arguments["concurrency"] = json!(1);
    let told = server.call("assets-fetch", arguments).await.unwrap();
    serde_json::from_str(&told.to_string().replace(&server.address, "site")).unwrap()
}

fn lines(told: &Value) -> Vec<String> {
    let assets = told["assets"].as_array().unwrap().iter();
    let line = |asset: &Value| {
        format!(
            "{} {} {} {}",
            asset["kind"].as_str().unwrap(),
            asset["url"].as_str().unwrap(),
            asset["status"],
            asset["bytes"]
        )
    };
    assets.map(line).collect()
}

#[tokio::test]
async fn everything_is_measured_once() {
    let server = site().await;
    let told = fetch(&server, json!({})).await;
    assert_eq!(
        lines(&told),
        [
            "style http://site/a.css 200 41",
            "script http://site/moved.js 200 3",
            "image http://site/x.png 200 100",
            "image http://site/gone.png 404 0",
            "icon http://site/favicon.ico 404 0",
            "style http://site/b.css 200 45",
            "font http://site/f.woff2 200 50",
        ]
    );
    assert_eq!(
        told["assets"][0]["text"],
        "@import 'b.css'; i{background:url(x.png)}"
    );
    assert_eq!(told["assets"][1].get("text"), None);
    assert_eq!(
        told["failed"],
        json!([{"url": "http://site/loop", "error": "Tool failed: more than 10 redirects"}])
    );
    let twice = server
        .paths()
        .iter()
        .filter(|path| *path == "/a.css")
        .count();
    assert_eq!(twice, 1);
}

#[tokio::test]
async fn bounds_hold() {
    let server = site().await;
    let told = fetch(&server, json!({"limit": 1})).await;
    assert_eq!(told["count"], 1);
    assert_eq!(
        told["skipped"][0],
        json!({"url": "http://site/moved.js", "why": "past the limit of 1 assets"})
    );
    let html = "<img src=/huge.png><img src=http://127.0.0.1:1/other.png>";
    let pages = json!([{"url": server.url("/"), "html": html}]);
    let told = fetch(
        &server,
        json!({"pages": pages, "max_bytes": 10, "same_origin": true}),
    )
    .await;
    assert_eq!(
        lines(&told),
        [
            "image http://site/huge.png 200 10",
            "icon http://site/favicon.ico 404 0"
        ]
    );
    let foreign = fetch(&server, json!({"pages": pages})).await;
    assert!(
        foreign["failed"][0]["error"]
            .as_str()
            .unwrap()
            .starts_with("Denied"),
        "{foreign}"
    );
}

#[tokio::test]
async fn robots_rules_hold_for_assets_too() {
    let server = Server::start(|request| match request.path() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /private\n"),
        "/a.png" => Answer::redirect("/private/a.png"),
        _ => Answer::bytes(vec![7; 5], "image/png"),
    })
    .await;
    let html = "<link rel=icon href=/c.png><img src=/private/b.png><img src=/a.png>";
    let pages = json!([{"url": server.url("/"), "html": html}]);
    let told = fetch(&server, json!({"pages": pages})).await;
    assert_eq!(lines(&told), ["icon http://site/c.png 200 5"]);
    assert_eq!(told["skipped"].as_array().unwrap().len(), 2);
    let private = |path: &String| path.starts_with("/private");
    assert!(!server.paths().iter().any(private));
    let told = fetch(&server, json!({"pages": pages, "obey_robots": false})).await;
    assert_eq!(told["count"], 3);
}
