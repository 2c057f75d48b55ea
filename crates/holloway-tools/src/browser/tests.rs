//! Does a real Chromium measure what is there, reach only what is granted, and leave nothing behind?
//! Tests that need one say so and pass where none is installed, unless HOLLOWAY_TEST_BROWSER is set.

use serde_json::{Value, json};

use super::super::testing::run;
use super::super::web::server::{Answer, Server};
use super::super::{Grants, Toolbox};

/// Whether there is a Chromium; where one is promised it has to be there.
fn has_browser() -> bool {
    let found = super::find::chromium(&Grants::default()).is_ok();
    let promised = std::env::var_os("HOLLOWAY_TEST_BROWSER").is_some();
    assert!(found || !promised, "no Chromium: apt-get install chromium");
    found
}

async fn measure(server: &Server, arguments: Value) -> Value {
    let toolbox = Toolbox::builtin(Grants {
        private_hosts: vec![server.address.clone()],
        ..Grants::default()
    });
    run(&toolbox, "builtin/lighthouse-runner", arguments)
        .await
        .unwrap()
}

const PAGE: &str = r#"<!doctype html><html lang="en"><head><title>Boots</title></head><body><main><h1>Boots</h1><p id="text">Warm boots.</p>
<a href="/a" style="display:block;width:12px;height:12px;overflow:hidden">a</a><a href="/b" style="display:block;width:12px;height:12px;overflow:hidden">b</a>
<img src="/gone.png" alt="gone" width="10" height="10"></main>
<script>
document.getElementById("text").insertAdjacentHTML("afterend", "<p>" + "brought by a script ".repeat(30) + "</p>");
const until = performance.now() + 260; while (performance.now() < until) {}
const shift = () => { const box = document.createElement("div"); box.style.height = "600px"; document.querySelector("h1").before(box); };
addEventListener("load", () => setTimeout(shift, 250));
undefinedFunction();
</script></body></html>"#;

#[tokio::test]
async fn a_page_is_loaded_and_measured() {
    if !has_browser() {
        return;
    }
    let server = Server::start(|request| match request.path() {
        "/" => Answer::html(PAGE),
        "/gone.png" => Answer::status(404),
        _ => Answer::status(204),
    })
    .await;
    let pages = json!([{"url": server.url("/"), "html": PAGE, "status": 200}]);
    let result = measure(&server, json!({"pages": pages, "html": true})).await;
    let row = &result["measured"][0];
    for metric in ["fcp", "lcp", "cls", "tbt"] {
        assert!(row[metric].is_number(), "{metric}: {result}");
    }
    assert!(row["cls"].as_f64().unwrap() > 0.1, "{row}");
    let rules: Vec<&str> = result["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    for rule in [
        "lab-cls-high",
        "lab-request-failed",
        "lab-script-error",
        "target-size",
        "content-needs-scripts",
    ] {
        assert!(rules.contains(&rule), "{rule} is not among {rules:?}");
    }
    let rendered = result["rendered"][0]["html"].as_str().unwrap();
    assert!(
        rendered.contains("<p>brought by a script brought"),
        "{rendered}"
    );
    assert!(row["screenshot"].as_str().unwrap().starts_with("/9j/"));
    assert_eq!(result["checked"], json!(["lighthouse-runner"]));
}

#[tokio::test]
async fn the_browser_reaches_only_what_is_granted() {
    if !has_browser() {
        return;
    }
    let other = Server::start(|_| Answer::text("secret")).await;
    let inner = other.url("/inner.js");
    let html = format!(
        "<!doctype html><title>T</title><h1>T</h1><script src='{inner}'></script><img src='{}'>",
        other.url("/pixel.png")
    );
    let page = html.clone();
    let server = Server::start(move |_| Answer::html(&page)).await;
    let pages = json!([{"url": server.url("/")}, {"url": other.url("/")}]);
    let result = measure(&server, json!({"pages": pages, "screenshots": false})).await;
    assert_eq!(
        other.count(),
        0,
        "the browser reached a host that is not granted"
    );
    assert_eq!(result["measured"].as_array().unwrap().len(), 1);
    assert!(
        result["measured"][0]["refused"].as_u64().unwrap() >= 1,
        "{result}"
    );
    let unseen = result["unseen"][0].as_str().unwrap();
    assert!(unseen.contains("loopback"), "{unseen}");
}

#[tokio::test]
async fn without_a_browser_the_result_says_what_was_not_seen() {
    let toolbox = Toolbox::builtin(Grants {
        browser: Some("none".into()),
        ..Grants::default()
    });
    let arguments = json!({"pages": [{"url": "https://example.com/", "html": "<h1>x</h1>"}]});
    let result = run(&toolbox, "builtin/lighthouse-runner", arguments)
        .await
        .unwrap();
    assert_eq!(
        (&result["findings"], &result["checked"]),
        (&json!([]), &json!([]))
    );
    let unseen = result["unseen"][0].as_str().unwrap();
    assert!(
        unseen.starts_with("A real browser: it is switched off"),
        "{unseen}"
    );
}

#[tokio::test]
async fn a_program_that_is_no_browser_is_told() {
    let toolbox = Toolbox::builtin(Grants {
        browser: Some("/bin/true".into()),
        ..Grants::default()
    });
    let arguments = json!({"pages": [{"url": "https://example.com/", "html": "<h1>x</h1>"}]});
    let result = run(&toolbox, "builtin/lighthouse-runner", arguments)
        .await
        .unwrap();
    let unseen = result["unseen"][0].as_str().unwrap();
    assert!(unseen.contains("it did not start"), "{unseen}");
}
