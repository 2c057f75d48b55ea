//! `lighthouse-runner`: how do pages load in a real browser? Lab metrics, what scripts add and break,
//! sizes of targets as laid out, and screenshots, from a Chromium on this machine.
//!
//! Invariant: the browser reaches the network through our proxy alone, which asks the same guard as
//! every request; without a Chromium the result says what was not seen.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holloway_audit::finding::Finding;
use holloway_audit::lab::{self, Measured};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest, ToolProgress};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::attend::Attend;
use super::audit::check::Outcome;
use super::audit::schemas::{check_output, page_schema};
use super::declaration::{Declaration, input};
use super::http::Http;
use super::{Grants, Tool, arguments};

mod find;
mod launch;
mod pipe;
mod proxy;
mod visit;

use launch::Browser;
use visit::{Device, Visit};

const MAX_PAGES: usize = 30;

pub(crate) fn tools(
    grants: &Arc<Grants>,
    http: &Arc<Http>,
    attendant: Option<Arc<dyn Attend>>,
) -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(LighthouseRunner {
        grants: Arc::clone(grants),
        http: Arc::clone(http),
        attendant,
    })]
}

struct LighthouseRunner {
    grants: Arc<Grants>,
    http: Arc<Http>,
    attendant: Option<Arc<dyn Attend>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    pages: Vec<Sent>,
    #[serde(default = "three")]
    limit: usize,
    #[serde(default)]
    device: Device,
    #[serde(default = "yes")]
    screenshots: bool,
    #[serde(default)]
    html: bool,
    #[serde(default = "half_a_minute")]
    timeout_ms: u64,
}

/// A page as it was fetched; other fields are of no use here.
#[derive(Deserialize)]
struct Sent {
    url: String,
    #[serde(default)]
    html: String,
    #[serde(default = "ok")]
    status: u16,
}

fn three() -> usize {
    3
}

fn yes() -> bool {
    true
}

fn ok() -> u16 {
    200
}

fn half_a_minute() -> u64 {
    30_000
}

#[async_trait]
impl Tool for LighthouseRunner {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "lighthouse-runner",
            title: "Measure pages in a browser",
            category: "performance",
            description: "Loads pages in a Chromium on this machine and measures what Lighthouse calls lab metrics: First and Largest \
                Contentful Paint, Cumulative Layout Shift, Total Blocking Time; also requests that fail, script errors, targets too \
                small to tap, and content that only scripts bring. Without throttling, one load each, so that figures are lower \
                than those of a phone. The browser reaches only what http tools may reach. Without a Chromium nothing fails: the \
                result says what was not seen. Returns findings, a row per page in `measured` with a screenshot, and with `html` the \
                pages as scripts left them in `rendered`.",
            effect: Effect::Read,
            latency_ms: 6_000,
            input: input(
                &["pages"],
                json!({
                    "pages": {"type": "array", "items": page_schema(), "maxItems": 10_000, "description": "Fetched pages; the first ones are loaded"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_PAGES, "default": 3, "description": "The most pages to load"},
                    "device": {"type": "string", "enum": ["mobile", "desktop"], "default": "mobile", "description": "Size of the window"},
                    "screenshots": {"type": "boolean", "default": true},
                    "html": {"type": "boolean", "default": false, "description": "Return the pages as scripts left them"},
                    "timeout_ms": {"type": "integer", "minimum": 1_000, "maximum": 120_000, "default": 30_000, "description": "For one page"}
                }),
            ),
            output: check_output(&[
                ("measured", json!({"type": "array", "items": {"type": "object"}, "description": "Per page fcp, lcp, tbt in milliseconds, cls, requests, failed, errors, screenshot (JPEG in base64)"})),
                ("rendered", json!({"type": "array", "items": page_schema()})),
                ("sandbox", json!({"type": "string", "description": "What kept the browser from the files of this machine: holloway, chromium or none"})),
                ("unseen", json!({"type": "array", "items": {"type": "string"}, "description": "What could not be seen, and why"})),
            ]),
            example: json!({"pages": [{"url": "https://example.com/", "html": "<h1>Boots</h1>"}], "limit": 1}),
            does: &["audit page[]:pages -> findings with domains is performance.lighthouse-runner whole is true"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let given: Arguments = arguments::parse(arguments)?;
        let mut seen = Seen::default();
        match self.start(given.device).await {
            Ok(browser) => self.visit(browser, &given, call, &mut seen).await,
            Err(why) => seen.unseen.push(format!(
                "A real browser: {why} Loading as visitors feel it, layout shifts and what scripts change were not seen."
            )),
        }
        let loaded = seen.measured.len();
        let checked = if loaded > 0 {
            vec!["lighthouse-runner".to_owned()]
        } else {
            Vec::new()
        };
        let outcome = Outcome::new(seen.findings)
            .with("measured", seen.measured)
            .with("rendered", seen.rendered)
            .with("unseen", seen.unseen)
            .with("sandbox", seen.walls);
        Ok(CallOutput::from(super::audit::check::result(
            outcome, loaded, checked,
        )))
    }
}

/// What came of all visits.
#[derive(Default)]
struct Seen {
    findings: Vec<Finding>,
    measured: Vec<Value>,
    rendered: Vec<Value>,
    unseen: Vec<String>,
    walls: &'static str,
}

impl LighthouseRunner {
    /// A running browser, or a sentence that says why there is none.
    async fn start(&self, device: Device) -> Result<Browser, String> {
        let program = find::chromium(&self.grants)?;
        Browser::start(&program, &self.http, self.attendant.as_deref(), device)
            .await
            .map_err(|error| format!("it did not start ({error})."))
    }

    async fn visit(
        &self,
        mut browser: Browser,
        given: &Arguments,
        call: &CallRequest,
        seen: &mut Seen,
    ) {
        let answered = given.pages.iter().filter(|page| page.status < 400);
        let pages: Vec<&Sent> = answered.take(given.limit.min(MAX_PAGES)).collect();
        for (done, page) in pages.iter().enumerate() {
            call.line.progress(ToolProgress {
                progress: done as f64,
                total: Some(pages.len() as f64),
                message: Some(page.url.clone()),
            });
            let wish = Visit {
                url: &page.url,
                device: given.device,
                screenshot: given.screenshots,
                patience: Duration::from_millis(given.timeout_ms.clamp(1_000, 120_000)),
            };
            seen.walls = browser.walls.name();
            match self.look(&mut browser, &wish).await {
                Ok(visited) => seen.take(page, visited, given),
                Err(why) => seen
                    .unseen
                    .push(format!("{} in a browser: {why}", page.url)),
            }
        }
        let left = given.pages.len().saturating_sub(pages.len());
        if left > 0 && !seen.measured.is_empty() {
            seen.unseen.push(format!(
                "{left} further pages in a real browser (the first {} were loaded)",
                pages.len()
            ));
        }
        browser.end().await;
    }

    async fn look(&self, browser: &mut Browser, wish: &Visit<'_>) -> Result<Value, String> {
        self.http
            .may_reach(wish.url)
            .map_err(|failure| failure.message)?;
        visit::visit(browser, wish).await
    }
}

impl Seen {
    fn take(&mut self, page: &Sent, visited: Value, given: &Arguments) {
        let mut row = match visited {
            Value::Object(row) => row,
            _ => Map::new(),
        };
        let html = row.remove("html").unwrap_or_default();
        row.remove("url");
        row.insert("page".to_owned(), json!(page.url));
        let sent = if page.html.is_empty() {
            row.get("words_shown").cloned().unwrap_or_default()
        } else {
            json!(visit::words(&page.html))
        };
        row.insert("words_sent".to_owned(), sent);
        let measured = Measured::deserialize(Value::Object(row.clone())).unwrap_or_default();
        self.findings.extend(lab::check(&measured));
        if given.html {
            self.rendered
                .push(json!({"url": page.url, "status": page.status, "html": html}));
        }
        self.measured.push(Value::Object(row));
    }
}

#[cfg(test)]
mod tests;
