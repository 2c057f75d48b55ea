//! `links-check`: do the links of these pages lead anywhere? Addresses that are not among the
//! pages are asked with HEAD, on other sites too, as politely as everything else.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream;
use holloway_audit::documents::Documents;
use holloway_audit::links::{self, Target};
use holloway_audit::page::Page;
use holloway_audit::site::Site;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Url;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::audit::check::{Outcome, result};
use super::super::audit::schemas::{check_output, page_schema};
use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input};
use super::super::http::raw::Ask;
use super::super::{Tool, arguments};
use super::Web;
use super::many::{Manner, Progress};
use super::pages::{Manners, with_manners};
use super::walk::Walked;

const MAX_LINKS: usize = 2_000;
/// Servers that do not know HEAD, or refuse it to everybody, are asked with GET.
const HEADLESS: [u16; 5] = [400, 403, 405, 406, 501];
/// A body is of no use here.
const MAX_BYTES: u64 = 64 * 1024;

pub(crate) struct LinksCheck {
    pub(crate) web: Arc<Web>,
    pub(crate) documents: Arc<Documents>,
}

#[derive(Deserialize)]
struct Arguments {
    pages: Vec<Page>,
    #[serde(default = "yes")]
    external: bool,
    #[serde(default = "default_limit")]
    limit: usize,
    #[serde(flatten)]
    manners: Manners,
}

fn yes() -> bool {
    true
}

fn default_limit() -> usize {
    300
}

#[async_trait]
impl Tool for LinksCheck {
    fn spec(&self) -> ToolSpec {
        let row = json!({
            "url": {"type": "string"}, "internal": {"type": "boolean"}, "status": {"type": ["integer", "null"]},
            "pages": {"type": "integer", "description": "Pages that link there"},
            "why": {"type": "string", "description": "Why it was not asked, or did not answer"}
        });
        let rows = json!({"type": "array", "items": {"type": "object", "properties": row}});
        Declaration {
            name: "links-check",
            title: "Follow links",
            category: "seo",
            description: "Follows the links of fetched pages beyond those pages, within the site and to other sites, and finds broken \
                ones. Each address is asked once with HEAD, politely and by the rules of robots.txt; GET only where a server knows no \
                HEAD. Use it in a thorough audit after `pages-fetch`, as a sitemap lists no dead links. An address that does not \
                answer at all is listed and is no finding. Returns findings with page and element, a summary by severity, and one row \
                per address with its status.",
            effect: Effect::Read,
            latency_ms: 3_000,
            input: input(
                &["pages"],
                with_manners(json!({
                    "pages": {"type": "array", "items": page_schema(), "maxItems": 5_000, "description": "Fetched pages"},
                    "external": {"type": "boolean", "default": true, "description": "Follow links to other sites, too"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LINKS, "default": 300, "description": "The most addresses to ask"}
                })),
            ),
            output: check_output(&[("rows", rows), ("asked", json!({"type": "integer"})), ("left_out", json!({"type": "integer"}))]),
            example: json!({"pages": [{"url": "https://example.com/", "html": "<a href='/gone'>Old page</a>"}], "delay_ms": 0}),
            does: &["audit page[]:pages -> findings with domains is seo.links-check whole is true"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let given: Arguments = arguments::parse(arguments)?;
        let pages = Arc::new(given.pages);
        let mut targets = self.targets(&pages).await?;
        targets.retain(|target| given.external || target.internal);
        let limit = given.limit.min(MAX_LINKS);
        let left_out = targets.len().saturating_sub(limit);
        targets.truncate(limit);
        let manner = Manner {
            max_bytes: MAX_BYTES,
            ..given.manners.manner()
        };
        let mut progress = Progress::new(&call.line, targets.len());
        let asking = targets.into_iter().map(|target| self.ask(target, &manner));
        let mut asking = stream::iter(asking).buffered(manner.concurrency);
        let mut asked = Vec::new();
        while let Some((target, answer)) = asking.next().await {
            progress.one_more(&target.url);
            asked.push((target, answer));
        }
        let documents = Arc::clone(&self.documents);
        blocking(move || Ok(CallOutput::from(told(&documents, &pages, &asked, left_out)))).await
    }
}

/// A status, or why there is none.
type Answer = Result<u16, String>;

impl LinksCheck {
    async fn targets(&self, pages: &Arc<Vec<Page>>) -> Result<Vec<Target>, ToolFailure> {
        let documents = Arc::clone(&self.documents);
        let pages = Arc::clone(pages);
        blocking(move || Ok(links::targets(&Site::new(&documents, &pages, &[])))).await
    }

    async fn ask(&self, target: Target, manner: &Manner) -> (Target, Answer) {
        let answer = match Url::parse(&target.url) {
            Ok(url) => self.status(url, manner).await,
            Err(error) => Err(error.to_string()),
        };
        (target, answer)
    }

    async fn status(&self, url: Url, manner: &Manner) -> Answer {
        let mut ask = Ask::new(url, manner.max_bytes, manner.timeout_ms);
        ask.head = true;
        let status = self.walked(ask.clone(), manner).await?;
        if HEADLESS.contains(&status) {
            ask.head = false;
            return self.walked(ask, manner).await;
        }
        Ok(status)
    }

    async fn walked(&self, ask: Ask, manner: &Manner) -> Answer {
        match self.web.walk(ask, manner).await {
            Ok(Walked::Arrived(raw)) => Ok(raw.status),
            Ok(Walked::Refused(why)) => Err(why),
            Err(failure) => Err(failure.message),
        }
    }
}

fn told(
    documents: &Documents,
    pages: &[Page],
    asked: &[(Target, Answer)],
    left_out: usize,
) -> Value {
    let statuses: FxHashMap<String, u16> = asked
        .iter()
        .filter_map(|(target, answer)| Some((target.url.clone(), *answer.as_ref().ok()?)))
        // Who wants a password, or to be left alone, is there.
        .filter(|(_, status)| !matches!(status, 401 | 403 | 407 | 429))
        .collect();
    let findings = links::check(&Site::new(documents, pages, &[]), &statuses);
    let rows: Vec<Value> = asked
        .iter()
        .map(|(target, answer)| {
            let why = answer.as_ref().err().cloned().unwrap_or_default();
            json!({
                "url": target.url, "internal": target.internal, "status": answer.as_ref().ok(),
                "pages": target.pages, "why": why
            })
        })
        .collect();
    let outcome = Outcome::new(findings)
        .with("rows", rows)
        .with("asked", asked.len())
        .with("left_out", left_out);
    result(outcome, pages.len(), vec!["links-check".to_owned()])
}

#[cfg(test)]
mod tests {
    use super::super::server::{Answer, Server};
    use super::*;

    #[tokio::test]
    async fn links_beyond_the_pages_are_followed() {
        let server = Server::start(|request| match request.path() {
            "/gone" => Answer::status(404),
            "/headless" if request.is_head() => Answer::status(405),
            "/closed" => Answer::status(403),
            _ => Answer::text("fine"),
        })
        .await;
        let html = "<a href=/gone>a</a><a href=/headless>b</a><a href=/closed>c</a><a href=/>d</a>";
        let pages = json!([{"url": server.url("/"), "html": html}]);
        let result = server
            .call("links-check", json!({"pages": pages, "obey_robots": false}))
            .await
            .unwrap();
        let rows: Vec<_> = result["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["status"].clone())
            .collect();
        assert_eq!(rows, [json!(404), json!(200), json!(403)]);
        let findings = result["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0]["rule"], "link-broken");
        assert_eq!(findings[0]["where"]["element"], "body > a:nth-of-type(1)");
    }

    #[tokio::test]
    async fn what_does_not_answer_is_no_finding() {
        let server = Server::start(|_| Answer::text("fine")).await;
        let html = "<a href='http://127.0.0.9:9/'>closed</a>";
        let pages = json!([{"url": server.url("/"), "html": html}]);
        let result = server
            .call("links-check", json!({"pages": pages, "obey_robots": false}))
            .await
            .unwrap();
        assert_eq!(result["findings"], json!([]));
        assert!(
            result["rows"][0]["why"]
                .as_str()
                .unwrap()
                .contains("127.0.0.9")
        );
    }
}
