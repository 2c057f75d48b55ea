//! Does `robots-check` tell a missing file from a broken server? Each state of
//! robots.txt that RFC 9309 names, from a server on loopback.

use super::super::super::testing::run;
use super::super::server::{Answer, Server};
use super::*;

async fn site(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Server {
    Server::start(move |request| answer(request.path())).await
}

async fn check(answer: Answer, expected: (&str, u64, bool)) {
    let server = site(move |_| answer.clone()).await;
    let told = server
        .call("robots-check", json!({"url": server.url("/shop/x?y#z")}))
        .await
        .unwrap();
    assert_eq!(told["robots"], server.url("/robots.txt"));
    assert_eq!(server.paths(), ["/robots.txt"]);
    let seen = (
        told["state"].as_str().unwrap(),
        told["status"].as_u64().unwrap(),
        told["allowed"].as_bool().unwrap(),
    );
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn every_state_of_the_file_has_its_meaning() {
    check(
        Answer::text("User-agent: *\nDisallow: /shop/\n"),
        ("found", 200, false),
    )
    .await;
    check(
        Answer::text("User-agent: *\nDisallow: /other/\n"),
        ("found", 200, true),
    )
    .await;
    check(Answer::text(""), ("found", 200, true)).await;
    for status in [400, 401, 403, 404, 410, 429] {
        check(Answer::status(status), ("missing", u64::from(status), true)).await;
    }
    for status in [500, 502, 503] {
        check(
            Answer::status(status),
            ("unreachable", u64::from(status), false),
        )
        .await;
    }
}

#[tokio::test]
async fn five_redirects_are_followed_and_a_loop_is_no_file() {
    let server = site(|path| match path {
        "/robots.txt" => Answer::redirect("/1"),
        "/1" => Answer::redirect("/2"),
        "/2" => Answer::redirect("/3"),
        "/3" => Answer::redirect("/4"),
        "/4" => Answer::redirect("/5"),
        _ => Answer::text("User-agent: *\nDisallow: /\n"),
    })
    .await;
    let told = server
        .call("robots-check", json!({"url": server.url("/")}))
        .await
        .unwrap();
    assert_eq!(
        (&told["state"], &told["allowed"]),
        (&json!("found"), &json!(false))
    );
    let looping = site(|_| Answer::redirect("/robots.txt")).await;
    let told = looping
        .call("robots-check", json!({"url": looping.url("/")}))
        .await
        .unwrap();
    assert_eq!(
        (&told["state"], &told["allowed"]),
        (&json!("missing"), &json!(true))
    );
    assert_eq!(looping.count(), 6);
}

#[tokio::test]
async fn paths_delay_and_sitemaps_are_told() {
    let file = "User-agent: holloway\nCrawl-delay: 1.5\nDisallow: /private\nAllow: /private/open\n\nSitemap: https://a.example/s.xml\n";
    let server = site(move |_| Answer::text(file)).await;
    let arguments =
        json!({"url": server.url("/"), "paths": ["/private/x", "private/open", server.url("/z")]});
    let mut told = server.call("robots-check", arguments).await.unwrap();
    for field in ["url", "robots"] {
        told.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(
        told,
        json!({
            "state": "found", "status": 200, "allowed": true, "group": "named", "crawl_delay": 1.5,
            "sitemaps": ["https://a.example/s.xml"],
            "paths": [
                {"path": "/private/x", "allowed": false, "rule": "line 3: Disallow: /private"},
                {"path": "private/open", "allowed": true, "rule": "line 4: Allow: /private/open"},
                {"path": server.url("/z"), "allowed": true},
            ],
        })
    );
    let other = json!({"url": server.url("/"), "paths": ["https://b.example/"]});
    assert!(server.call("robots-check", other).await.is_err());
}

#[tokio::test]
async fn a_site_inside_must_be_granted() {
    let toolbox = super::super::super::Toolbox::builtin(super::super::super::Grants::default());
    for tool in [
        "robots-check",
        "sitemap-discover",
        "page-fetch",
        "site-crawl",
        "tls-check",
    ] {
        let arguments = json!({"url": "https://127.0.0.1:9/"});
        let failure = run(&toolbox, &format!("builtin/{tool}"), arguments)
            .await
            .unwrap_err();
        assert_eq!(failure.name.as_str(), "Denied", "{tool}: {failure}");
    }
    let arguments = json!({"urls": ["https://127.0.0.1:9/"]});
    let failure = run(&toolbox, "builtin/pages-fetch", arguments)
        .await
        .unwrap_err();
    assert_eq!(failure.name.as_str(), "Denied");
    assert!(failure.hint.unwrap().contains("private_hosts"));
}
