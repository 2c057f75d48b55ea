//! What does one page do in the browser? A tab of its own is opened, the page is loaded until it is
//! quiet, and what was measured and shown is read out.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::web::document;
use super::launch::Browser;

const OBSERVE: &str = include_str!("../../data/browser/observe.js");
const COLLECT: &str = include_str!("../../data/browser/collect.js");
/// A page without requests for so long is there.
const QUIET: Duration = Duration::from_millis(600);
/// After its load event a page that never gets quiet is measured all the same.
const RESTLESS: Duration = Duration::from_secs(5);
const MOST_FAILED: usize = 20;

/// How large the window is.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Device {
    #[default]
    Mobile,
    Desktop,
}

impl Device {
    pub(super) fn window(self) -> (u32, u32) {
        match self {
            Self::Mobile => (412, 823),
            Self::Desktop => (1350, 940),
        }
    }

    fn is_mobile(self) -> bool {
        matches!(self, Self::Mobile)
    }
}

/// What is to be looked at, and how.
pub(super) struct Visit<'a> {
    pub(super) url: &'a str,
    pub(super) device: Device,
    pub(super) screenshot: bool,
    pub(super) patience: Duration,
}

/// The page as measured, or a sentence that says why not.
pub(super) async fn visit(browser: &mut Browser, wish: &Visit<'_>) -> Result<Value, String> {
    let tab = browser
        .pipe
        .call("", "Target.createTarget", json!({"url": "about:blank"}))
        .await?;
    let target = text(&tab, "targetId");
    let attached = browser
        .pipe
        .call(
            "",
            "Target.attachToTarget",
            json!({"targetId": target, "flatten": true}),
        )
        .await?;
    let session = text(&attached, "sessionId");
    let seen = look(browser, &session, wish).await;
    let closing = json!({"targetId": target});
    browser
        .pipe
        .call("", "Target.closeTarget", closing)
        .await
        .ok();
    seen
}

async fn look(browser: &mut Browser, session: &str, wish: &Visit<'_>) -> Result<Value, String> {
    prepare(browser, session, wish.device).await?;
    let refused = browser.proxy.refused();
    let going = browser
        .pipe
        .call(session, "Page.navigate", json!({"url": wish.url}))
        .await?;
    if let Some(error) = going.get("errorText").and_then(Value::as_str) {
        return Err(format!("it could not be loaded ({error})"));
    }
    let loading = settle(browser, session, wish.patience).await?;
    let asked = json!({"expression": COLLECT, "returnByValue": true});
    let found = browser
        .pipe
        .call(session, "Runtime.evaluate", asked)
        .await?;
    let told = found.pointer("/result/value").and_then(Value::as_str);
    let read: Value = serde_json::from_str(told.unwrap_or("{}")).unwrap_or_default();
    let mut row = read.as_object().cloned().unwrap_or_else(Map::new);
    row.insert("requests".to_owned(), json!(loading.requests));
    row.insert("failed".to_owned(), json!(loading.failed));
    row.insert("errors".to_owned(), json!(loading.errors));
    row.insert(
        "refused".to_owned(),
        json!(browser.proxy.refused() - refused),
    );
    if wish.screenshot {
        let shot = json!({"format": "jpeg", "quality": 62});
        let shot = browser
            .pipe
            .call(session, "Page.captureScreenshot", shot)
            .await?;
        row.insert(
            "screenshot".to_owned(),
            shot.get("data").cloned().unwrap_or_default(),
        );
    }
    Ok(Value::Object(row))
}

/// The window, and what listens before the page's own scripts.
async fn prepare(browser: &mut Browser, session: &str, device: Device) -> Result<(), String> {
    let (width, height) = device.window();
    let screen = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": device.is_mobile()});
    for (method, params) in [
        ("Page.enable", json!({})),
        ("Network.enable", json!({})),
        ("Runtime.enable", json!({})),
        ("Browser.setDownloadBehavior", json!({"behavior": "deny"})),
        ("Emulation.setDeviceMetricsOverride", screen),
        (
            "Page.addScriptToEvaluateOnNewDocument",
            json!({"source": OBSERVE}),
        ),
    ] {
        browser.pipe.call(session, method, params).await?;
    }
    Ok(())
}

/// What was heard while the page loaded.
#[derive(Default)]
struct Loading {
    requests: usize,
    /// Requests under way, with their addresses.
    open: HashMap<String, String>,
    failed: Vec<Value>,
    errors: Vec<String>,
    loaded: Option<Instant>,
}

/// Waits until the page is loaded and nothing happens any more.
async fn settle(
    browser: &mut Browser,
    session: &str,
    patience: Duration,
) -> Result<Loading, String> {
    let begun = Instant::now();
    let mut loading = Loading::default();
    loop {
        if begun.elapsed() > patience {
            return if loading.loaded.is_some() {
                Ok(loading)
            } else {
                Err(format!("it was not loaded within {} s", patience.as_secs()))
            };
        }
        if loading.loaded.is_some_and(|at| at.elapsed() > RESTLESS) {
            return Ok(loading);
        }
        let Some(event) = browser.pipe.event(QUIET).await? else {
            if loading.loaded.is_some() && loading.open.is_empty() {
                return Ok(loading);
            }
            continue;
        };
        if event.get("sessionId").and_then(Value::as_str) != Some(session) {
            continue;
        }
        let method = event
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or_default();
        // A page that asks something would wait for ever.
        if method == "Page.javascriptDialogOpening" {
            let refuse = json!({"accept": false});
            browser
                .pipe
                .call(session, "Page.handleJavaScriptDialog", refuse)
                .await
                .ok();
        }
        loading.hear(method, event.get("params").unwrap_or(&Value::Null));
    }
}

impl Loading {
    fn hear(&mut self, method: &str, told: &Value) {
        let id = || text(told, "requestId");
        match method {
            "Page.loadEventFired" => self.loaded = Some(Instant::now()),
            "Network.requestWillBeSent" => {
                self.requests += 1;
                let url = told.pointer("/request/url").and_then(Value::as_str);
                self.open.insert(id(), url.unwrap_or_default().to_owned());
            }
            "Network.responseReceived" => {
                let status = told.pointer("/response/status").and_then(Value::as_u64);
                let url = told.pointer("/response/url").and_then(Value::as_str);
                if let (Some(status), Some(url)) = (status.filter(|status| *status >= 400), url) {
                    self.fail(url, &format!("answers {status}"));
                }
            }
            "Network.loadingFinished" => {
                self.open.remove(&id());
            }
            "Network.loadingFailed" => {
                let url = self.open.remove(&id()).unwrap_or_default();
                let canceled = told.get("canceled").and_then(Value::as_bool) == Some(true);
                if !canceled && !url.is_empty() {
                    self.fail(&url, &text(told, "errorText"));
                }
            }
            "Runtime.exceptionThrown" if self.errors.len() < MOST_FAILED => {
                let details = told.pointer("/exceptionDetails");
                let thrown = details.and_then(|details| details.pointer("/exception/description"));
                let said = details.and_then(|details| details.get("text"));
                let line = thrown
                    .or(said)
                    .and_then(Value::as_str)
                    .unwrap_or("an error");
                self.errors
                    .push(line.lines().next().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }

    fn fail(&mut self, url: &str, reason: &str) {
        let known = self
            .failed
            .iter()
            .any(|failed| failed.get("url") == Some(&json!(url)));
        if self.failed.len() < MOST_FAILED && !known {
            self.failed.push(json!({"url": url, "reason": reason}));
        }
    }
}

fn text(value: &Value, name: &str) -> String {
    value
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// How many words an HTML document shows, scripts and styles left out.
pub(super) fn words(html: &str) -> usize {
    let document = document::parse(html);
    let body = document::first(&document, "body");
    body.map_or(0, |body| {
        document::visible_text(body).split_whitespace().count()
    })
}
