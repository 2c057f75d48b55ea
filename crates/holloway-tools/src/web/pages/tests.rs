//! Do pages come as they are, and does trouble stay where it is? Against servers on
//! loopback that redirect, pack, stall, refuse and repeat themselves.

use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::read::GzEncoder;
use holloway_audit::page::Page;
use holloway_engine::failure::FailureName;
use holloway_engine::ports::{
    CallLine, CallListener, ToolAnswer, ToolCaller, ToolProgress, ToolQuestion,
};

use super::super::super::testing::{request, run};
use super::super::server::{Answer, Server};
use super::*;

async fn site(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Server {
    Server::start(move |request| match request.path() {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /private\n"),
        path => answer(path),
    })
    .await
}

async fn page(server: &Server, path: &str) -> Result<Page, ToolFailure> {
    let arguments = json!({"url": server.url(path), "delay_ms": 0});
    let page = server.call("page-fetch", arguments).await?;
    Ok(serde_json::from_value(page).unwrap())
}

fn packed(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzEncoder::new(text.as_bytes(), Compression::best())
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

#[tokio::test]
async fn a_page_is_measured_on_the_wire_and_unpacked() {
    let html = format!("<title>Tents</title>{}", "<p>light and dry</p>".repeat(200));
    let (sent, expected) = (packed(&html), html.clone());
    let length = sent.len() as u64;
    let server = site(move |path| match path {
        "/old" => Answer::redirect("/new"),
        _ => Answer::bytes(sent.clone(), "text/html; charset=utf-8")
            .with("content-encoding", "gzip")
            .with("set-cookie", "a=1; Path=/, x")
            .with("set-cookie", "b=2")
            .with("vary", "accept")
            .with("vary", "accept-encoding"),
    })
    .await;
    let page = page(&server, "/old#part").await.unwrap();
    assert_eq!(page.url, server.url("/new"));
    assert_eq!(page.redirects, [server.url("/old")]);
    assert_eq!(page.html, expected);
    assert_eq!((page.transferred, page.bytes), (length, html.len() as u64));
    assert_eq!(page.cookies, ["a=1; Path=/, x", "b=2"]);
    assert_eq!(page.headers["vary"], "accept, accept-encoding");
    assert_eq!(page.headers["content-encoding"], "gzip");
    assert!(!page.headers.contains_key("set-cookie"));
    assert!(page.first_byte_ms > 0.0 && page.total_ms >= page.first_byte_ms);
}

#[tokio::test]
async fn every_host_on_the_way_may_pack_its_answer() {
    let target = site(Answer::html).await;
    let location = target.url("/end");
    let server = site(move |_| Answer::redirect(&location)).await;
    let toolbox = super::super::super::Toolbox::builtin(super::super::super::Grants {
        private_hosts: vec![server.address.clone(), target.address.clone()],
        ..Default::default()
    });
    let arguments = json!({"url": server.url("/start"), "delay_ms": 0});
    run(&toolbox, "builtin/page-fetch", arguments)
        .await
        .unwrap();
    for asked in [server.last(), target.last()] {
        assert_eq!(asked.header("accept-encoding"), "gzip, br");
    }
}

#[tokio::test]
async fn other_encodings_and_statuses_are_pages_too() {
    let server = site(|path| match path {
        "/latin" => Answer::bytes(b"gr\xfcn".to_vec(), "text/html; charset=iso-8859-1"),
        "/meta" => Answer::bytes(b"<meta charset=windows-1251>\xcf\xf0".to_vec(), "text/html"),
        _ => Answer::status(404),
    })
    .await;
    assert_eq!(page(&server, "/latin").await.unwrap().html, "grün");
    assert_eq!(
        page(&server, "/meta").await.unwrap().html,
        "<meta charset=windows-1251>Пр"
    );
    assert_eq!(page(&server, "/nothing").await.unwrap().status, 404);
}

#[tokio::test]
async fn what_cannot_be_a_page_fails_with_its_reason() {
    let server = site(|path| match path {
        "/loop" => Answer::redirect("/loop"),
        "/huge" => Answer::html(&"x".repeat(6 * 1024 * 1024)),
        "/bomb" => Answer::bytes(packed(&"x".repeat(6 * 1024 * 1024)), "text/html")
            .with("content-encoding", "gzip"),
        "/image" => Answer::bytes(vec![0x89], "image/png"),
        "/inside" => Answer::redirect("http://169.254.169.254/"),
        _ => Answer::silence(),
    })
    .await;
    for (path, expected) in [
        ("/loop", "Tool failed: more than 10 redirects"),
        (
            "/huge",
            "Limit exceeded: the page is larger than 5242880 bytes",
        ),
        (
            "/bomb",
            "Limit exceeded: the page is larger than 5242880 bytes",
        ),
        (
            "/inside",
            "Denied: `169.254.169.254` is a link-local address",
        ),
    ] {
        assert_eq!(
            page(&server, path).await.unwrap_err().to_string(),
            expected,
            "{path}"
        );
    }
    let refused = page(&server, "/image").await.unwrap_err().to_string();
    assert!(refused.ends_with("image/png is not a page"), "{refused}");
    let refused = page(&server, "/private/x").await.unwrap_err().to_string();
    assert!(
        refused.ends_with("robots.txt line 2 says `Disallow: /private`"),
        "{refused}"
    );
    let slow = json!({"url": server.url("/slow"), "timeout_ms": 50, "delay_ms": 0});
    let failure = server.call("page-fetch", slow).await.unwrap_err();
    assert_eq!(
        (failure.name, failure.uncertain),
        (FailureName::Timeout, false)
    );
}

#[tokio::test]
async fn many_pages_come_in_order_and_trouble_is_told_apart() {
    let server = site(|path| match path {
        "/image" => Answer::bytes(vec![0x89], "image/png"),
        "/loop" => Answer::redirect("/loop"),
        path => Answer::html(path),
    })
    .await;
    let paths = [
        "/c", "/a", "/private", "/image", "/loop", "/a#again", "/b", "/d",
    ];
    let mut urls: Vec<String> = paths.iter().map(|path| server.url(path)).collect();
    urls.push("nonsense".to_owned());
    let arguments = json!({"urls": urls, "delay_ms": 0, "limit": 6});
    let told = server.call("pages-fetch", arguments).await.unwrap();
    let pages = told["pages"].as_array().unwrap();
    let texts: Vec<_> = pages
        .iter()
        .map(|page| page["html"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["/c", "/a", "/b"]);
    assert_eq!(told["count"], 3);
    let text = json!({"failed": told["failed"], "skipped": told["skipped"]}).to_string();
    let text = text.replace(&server.address, "site");
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({
            "failed": [
                {"url": "http://site/loop", "error": "Tool failed: more than 10 redirects"},
                {"url": "nonsense", "error": "Validation failed: no URL: relative URL without a base"},
            ],
            "skipped": [
                {"url": "http://site/private", "why": "robots.txt line 2 says `Disallow: /private`"},
                {"url": "http://site/image", "why": "image/png is not a page"},
                {"url": "http://site/d", "why": "past the limit of 6 pages"},
            ],
        })
    );
    let robots = server
        .paths()
        .iter()
        .filter(|path| *path == "/robots.txt")
        .count();
    assert_eq!(robots, 1);
}

#[tokio::test]
async fn a_broken_robots_file_forbids_and_can_be_left_aside() {
    let server = Server::start(|request| match request.path() {
        "/robots.txt" => Answer::status(500),
        _ => Answer::html("page"),
    })
    .await;
    let arguments = json!({"urls": [server.url("/a")], "delay_ms": 0});
    let told = server.call("pages-fetch", arguments).await.unwrap();
    assert_eq!(told["count"], 0);
    assert_eq!(
        told["skipped"][0]["why"],
        "robots.txt answers 500, so nothing may be fetched for now"
    );
    let arguments = json!({"urls": [server.url("/a")], "delay_ms": 0, "obey_robots": false});
    assert_eq!(
        server.call("pages-fetch", arguments).await.unwrap()["count"],
        1
    );
}

#[tokio::test]
async fn a_server_that_asks_for_a_short_pause_is_asked_again() {
    let asked = AtomicUsize::new(0);
    let server = site(move |path| match path {
        "/later" => Answer::status(503).with("retry-after", "3600"),
        _ if asked.fetch_add(1, Ordering::SeqCst) == 0 => {
            Answer::status(429).with("retry-after", "0")
        }
        _ => Answer::html("now"),
    })
    .await;
    assert_eq!(page(&server, "/soon").await.unwrap().html, "now");
    assert_eq!(page(&server, "/later").await.unwrap().status, 503);
    let later = server
        .paths()
        .iter()
        .filter(|path| *path == "/later")
        .count();
    assert_eq!(later, 1);
}

#[tokio::test]
async fn unchanged_pages_are_not_sent_again() {
    let server = Server::start(|request| match request.header("if-none-match") {
        "\"v1\"" => Answer::status(304),
        _ => Answer::html("first").with("etag", "\"v1\""),
    })
    .await;
    let toolbox = server.toolbox();
    let fetch = |seconds: u64| {
        let arguments = json!({"url": server.url("/a"), "delay_ms": 0, "obey_robots": false, "cache_seconds": seconds});
        run(&toolbox, "builtin/page-fetch", arguments)
    };
    for (seconds, requests) in [(0, 1), (0, 2), (600, 2)] {
        assert_eq!(fetch(seconds).await.unwrap()["html"], "first");
        assert_eq!(server.count(), requests);
    }
}

struct Ear(Mutex<Vec<ToolProgress>>);

#[async_trait]
impl CallListener for Ear {
    fn progress(&self, report: ToolProgress) {
        self.0.lock().unwrap().push(report);
    }

    async fn ask(&self, _question: ToolQuestion) -> ToolAnswer {
        ToolAnswer::Decline
    }
}

#[tokio::test]
async fn long_work_says_how_far_it_is() {
    let server = site(Answer::html).await;
    let ear = Arc::new(Ear(Mutex::default()));
    let urls: Vec<String> = (0..5)
        .map(|number| server.url(&format!("/{number}")))
        .collect();
    let arguments = json!({"urls": urls, "delay_ms": 0});
    let mut asked = request("builtin/pages-fetch", arguments, "key");
    asked.line = CallLine::new(Arc::clone(&ear) as Arc<dyn CallListener>);
    server.toolbox().call(asked).await.unwrap();
    let reports = ear.0.lock().unwrap();
    let counts: Vec<f64> = reports.iter().map(|report| report.progress).collect();
    assert_eq!(counts, [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert!(reports.iter().all(|report| report.total == Some(5.0)));
}

#[tokio::test]
async fn one_dead_host_among_others_is_told_and_alone_is_a_failure() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let dead = closed.local_addr().unwrap();
    drop(closed);
    let server = site(Answer::html).await;
    let toolbox = super::super::super::Toolbox::builtin(super::super::super::Grants {
        private_hosts: vec!["127.0.0.1".to_owned()],
        ..Default::default()
    });
    let dead = format!("http://{dead}/");
    let both = json!({"urls": [dead, server.url("/a")], "delay_ms": 0});
    let told = run(&toolbox, "builtin/pages-fetch", both).await.unwrap();
    assert_eq!(
        (told["count"].as_u64(), told["failed"][0]["url"].as_str()),
        (Some(1), Some(dead.as_str()))
    );
    let alone = json!({"urls": [dead], "delay_ms": 0});
    let failure = run(&toolbox, "builtin/pages-fetch", alone)
        .await
        .unwrap_err();
    assert!(
        failure.retryable && failure.message.starts_with(&dead),
        "{failure}"
    );
}

#[tokio::test]
async fn redirects_do_not_lead_past_robots_rules() {
    let target = site(Answer::html).await;
    let (open, closed) = (target.url("/open"), target.url("/private/x"));
    let server = site(move |path| match path {
        "/inside" => Answer::redirect("/step"),
        "/step" => Answer::redirect("/private/x"),
        "/open" => Answer::redirect(&open),
        "/closed" => Answer::redirect(&closed),
        path => Answer::html(path),
    })
    .await;
    let toolbox = super::super::super::Toolbox::builtin(super::super::super::Grants {
        private_hosts: vec![server.address.clone(), target.address.clone()],
        ..Default::default()
    });
    let urls = ["/inside", "/open", "/closed"].map(|path| server.url(path));
    let arguments = json!({"urls": urls, "delay_ms": 0});
    let told = run(&toolbox, "builtin/pages-fetch", arguments)
        .await
        .unwrap();
    assert_eq!(told["count"], 1);
    assert_eq!(told["pages"][0]["redirects"], json!([server.url("/open")]));
    let rule = "robots.txt line 2 says `Disallow: /private`";
    let why = |server: &Server| format!("redirects to {}: {rule}", server.url("/private/x"));
    assert_eq!(
        told["skipped"],
        json!([
            {"url": server.url("/inside"), "why": why(&server)},
            {"url": server.url("/closed"), "why": why(&target)},
        ])
    );
    for server in [&server, &target] {
        assert!(!server.paths().contains(&"/private/x".to_owned()));
    }
}

#[tokio::test]
async fn a_body_that_is_not_what_it_says_is_a_failure() {
    let server = site(|path| match path {
        "/empty" => Answer::status(404).with("content-encoding", "gzip"),
        _ => Answer::html("notgzip").with("content-encoding", "gzip"),
    })
    .await;
    let failure = page(&server, "/broken").await.unwrap_err();
    let expected = "the body is said to be `gzip` and cannot be decompressed: ";
    assert!(failure.message.starts_with(expected), "{failure}");
    assert_eq!(page(&server, "/empty").await.unwrap().status, 404);
}

#[tokio::test]
async fn a_crawl_delay_that_is_shortened_is_told() {
    let server = Server::start(|request| match request.path() {
        "/robots.txt" => Answer::text("User-agent: *\nCrawl-delay: 60\n"),
        path => Answer::html(path),
    })
    .await;
    let arguments = json!({"urls": [server.url("/a")], "delay_ms": 0});
    let told = server.call("pages-fetch", arguments).await.unwrap();
    let note = format!(
        "http://{} asks for 60 s between requests; 10 s were kept",
        server.address
    );
    assert_eq!(told["notes"], json!([note]));
}
