//! Does a crawl stay on its site and within its bounds? Against sites on loopback,
//! one of them without an end.

use super::super::server::{Answer, Server};
use super::*;

async fn crawl(server: &Server, mut arguments: Value) -> (Vec<String>, Value) {
    arguments["url"] = json!(server.url("/"));
    arguments["delay_ms"] = json!(0);
    let told = server.call("site-crawl", arguments).await.unwrap();
    let pages = told["pages"].as_array().unwrap();
    let paths = pages.iter().map(|page| {
        let url = page["url"].as_str().unwrap();
        url.replace(&format!("http://{}", server.address), "")
    });
    (paths.collect(), told)
}

#[tokio::test]
async fn links_are_followed_level_by_level() {
    let server = Server::start(|request| match request.path() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /hidden\n"),
        "/" => Answer::html("<a href=/a>a</a> <a href=/hidden>h</a> <a href=/b>b</a> <a href=http://127.0.0.1:1/>x</a>"),
        "/a" => Answer::html("<a href=/c>c</a> <a href='/b'>b</a> <a href=/style.css>s</a>"),
        "/b" => Answer::html("<a href=/>home</a> <a href='mailto:a@b.example'>m</a> <a href=/image>i</a>"),
        "/c" => Answer::html("<a href=/d>d</a>"),
        "/image" => Answer::bytes(vec![1], "image/png"),
        path => Answer::html(path),
    })
    .await;
    let (paths, told) = crawl(&server, json!({})).await;
    assert_eq!(paths, ["/", "/a", "/b", "/c", "/d"]);
    assert_eq!(told["skipped"].as_array().unwrap().len(), 2);
    let (paths, _) = crawl(&server, json!({"depth": 1})).await;
    assert_eq!(paths, ["/", "/a", "/b"]);
    let (paths, _) = crawl(&server, json!({"depth": 0})).await;
    assert_eq!(paths, ["/"]);
}

#[tokio::test]
async fn a_site_without_end_ends_at_the_limit() {
    let server = Server::start(|request| {
        let here = request.path().trim_matches('/');
        Answer::html(&format!(
            "<a href='/{here}1/'>1</a><a href='/{here}2/'>2</a>"
        ))
    })
    .await;
    let (paths, told) = crawl(&server, json!({"limit": 7, "depth": 50})).await;
    assert_eq!(paths, ["/", "/1/", "/2/", "/11/", "/12/", "/21/", "/22/"]);
    assert_eq!(told["count"], 7);
}

#[tokio::test]
async fn a_redirect_does_not_lead_off_the_site() {
    let other = Server::start(|_| Answer::html("elsewhere")).await;
    let away = other.url("/");
    let server = Server::start(move |request| match request.path() {
        "/" => Answer::html("<a href=/away>a</a> <a href=/here>b</a>"),
        "/away" => Answer::redirect(&away),
        path => Answer::html(path),
    })
    .await;
    let toolbox = super::super::super::Toolbox::builtin(super::super::super::Grants {
        private_hosts: vec![server.address.clone(), other.address.clone()],
        ..Default::default()
    });
    let arguments = json!({"url": server.url("/"), "delay_ms": 0});
    let told = super::super::super::testing::run(&toolbox, "builtin/site-crawl", arguments)
        .await
        .unwrap();
    assert_eq!(told["count"], 2);
    let why = format!("redirects to {}: it is on another host", other.url("/"));
    assert_eq!(
        told["skipped"],
        json!([{"url": server.url("/away"), "why": why}])
    );
    assert_eq!(other.count(), 0);
}
