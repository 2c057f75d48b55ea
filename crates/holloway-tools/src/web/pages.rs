//! `page-fetch` and `pages-fetch`: what is on these pages? Both give pages in the
//! one shape that every check takes.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::http::parse_url;
use super::super::{Tool, arguments};
use super::Web;
use super::many::{Fetched, Manner, Progress, prepared};
use super::page;

pub(crate) const MAX_PAGES: usize = 5_000;
const MAX_PAGE_BYTES: u64 = 5 * 1024 * 1024;

pub(crate) struct PageFetch(pub(crate) Arc<Web>);
pub(crate) struct PagesFetch(pub(crate) Arc<Web>);

/// The arguments that say how pages are fetched, the same for every tool that does.
#[derive(Clone, Deserialize)]
#[serde(default)]
pub(crate) struct Manners {
    concurrency: usize,
    delay_ms: Option<u64>,
    obey_robots: bool,
    cache_seconds: u64,
    max_bytes: u64,
    timeout_ms: u64,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            concurrency: 4,
            delay_ms: None,
            obey_robots: true,
            cache_seconds: 0,
            max_bytes: MAX_PAGE_BYTES,
            timeout_ms: 20_000,
        }
    }
}

impl Manners {
    pub(crate) fn manner(&self) -> Manner {
        Manner {
            concurrency: self.concurrency.clamp(1, 16),
            distance: self
                .delay_ms
                .map(|ms| Duration::from_millis(ms.min(60_000))),
            obey_robots: self.obey_robots,
            site: None,
            cache_age: Duration::from_secs(self.cache_seconds),
            max_bytes: self.max_bytes,
            timeout_ms: self.timeout_ms,
        }
    }
}

/// The schema of those arguments, with `others` before them.
pub(crate) fn with_manners(others: Value) -> Value {
    let manners = json!({
        "concurrency": {"type": "integer", "minimum": 1, "maximum": 16, "default": 4, "description": "Pages asked for at a time"},
        "delay_ms": {"type": "integer", "minimum": 0, "maximum": 60_000, "description": "Least time between two requests to one host; 0 for none. If left out 200, and none on this machine itself"},
        "obey_robots": {"type": "boolean", "default": true, "description": "Skip what robots.txt forbids, also behind redirects, and keep its crawl delay up to 10 s"},
        "cache_seconds": {"type": "integer", "minimum": 0, "maximum": 86_400, "default": 0, "description": "Take pages fetched this recently from memory without asking"},
        "max_bytes": {"type": "integer", "minimum": 1, "default": MAX_PAGE_BYTES, "description": "The most for one page"},
        "timeout_ms": {"type": "integer", "minimum": 1, "maximum": 600_000, "default": 20_000, "description": "For one page"}
    });
    let mut all = Map::new();
    for part in [others, manners] {
        if let Value::Object(fields) = part {
            all.extend(fields);
        }
    }
    Value::Object(all)
}

/// The result of every tool that gives pages.
pub(crate) fn pages_schema() -> Value {
    output(
        &["pages", "failed", "skipped", "count"],
        json!({
            "pages": {"type": "array", "items": page::schema()},
            "failed": {"type": "array", "items": {"type": "object", "properties": {"url": {"type": "string"}, "error": {"type": "string"}}}},
            "skipped": {"type": "array", "items": {"type": "object", "properties": {"url": {"type": "string"}, "why": {"type": "string"}}}},
            "notes": {"type": "array", "items": {"type": "string"}, "description": "What was done otherwise than a site asks, such as a crawl delay that was shortened"},
            "count": {"type": "integer", "description": "How many pages there are"}
        }),
    )
}

#[derive(Deserialize)]
struct OneArguments {
    url: String,
    #[serde(default)]
    must_be_there: bool,
    #[serde(flatten)]
    manners: Manners,
}

#[async_trait]
impl Tool for PageFetch {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "page-fetch",
            title: "Fetch a page",
            category: "web",
            description: "Fetches one web page and returns it in the shape that audit and extraction tools take. Use it for \
                one page; `pages-fetch` takes many, `http-fetch` is for files and APIs. Returns address after redirects, status, \
                headers, cookies, the decoded HTML, its sizes on the wire and decompressed, and the times to the first and last \
                byte. Error statuses are data unless `must_be_there` is set; what robots.txt forbids is a failure.",
            effect: Effect::Read,
            latency_ms: 800,
            input: input(
                &["url"],
                with_manners(json!({
                    "url": {"type": "string", "minLength": 1, "description": "Absolute http or https URL"},
                    "must_be_there": {"type": "boolean", "default": false, "description": "An error status is a failure: an error page is no content"}
                })),
            ),
            output: page::schema(),
            example: json!({"url": "https://example.com/"}),
            does: &["fetch url:url -> page with must_be_there:=true", "fetch url:url -> html:html with must_be_there:=true", "status url:url -> number:status", "headers url:url -> headers:headers"],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let arguments: OneArguments = arguments::parse(arguments)?;
        let mut url = parse_url(&arguments.url)?;
        url.set_fragment(None);
        match self.0.fetch_page(&url, &arguments.manners.manner()).await? {
            Fetched::Page(page) if arguments.must_be_there && page.status >= 400 => {
                let message = format!("{url} answers {}: there is no such page", page.status);
                Err(ToolFailure::permanent(message))
            }
            Fetched::Page(page) => Ok(CallOutput::from(json!(*page))),
            Fetched::Skipped(why) => Err(ToolFailure::permanent(format!("{url}: {why}"))
                .with_hint(
                    "`http-fetch` fetches anything; `obey_robots: false` leaves robots.txt aside",
                )),
        }
    }
}

#[derive(Deserialize)]
struct ManyArguments {
    urls: Vec<String>,
    #[serde(default = "default_limit")]
    limit: usize,
    #[serde(flatten)]
    manners: Manners,
}

fn default_limit() -> usize {
    500
}

#[async_trait]
impl Tool for PagesFetch {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "pages-fetch",
            title: "Fetch many pages",
            category: "web",
            description: "Fetches a list of web pages, a few at a time, politely per host and by the rules of robots.txt. \
                Use it after `sitemap-discover` to get the pages of a site for audit and extraction tools. Returns `pages` \
                in the order of the addresses, `failed` with errors, `skipped` with reasons such as robots.txt or a type that \
                is no page, and `count`. Fails only when no page at all could be fetched.",
            effect: Effect::Read,
            latency_ms: 6_000,
            input: input(
                &["urls"],
                with_manners(json!({
                    "urls": {"type": "array", "items": {"type": "string"}, "maxItems": 50_000, "description": "Absolute http or https URLs; repeats are fetched once"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_PAGES, "default": 500, "description": "The most pages to fetch"}
                })),
            ),
            output: pages_schema(),
            example: json!({"urls": ["https://example.com/", "https://example.com/about"], "delay_ms": 0}),
            does: &["fetch url[]:urls -> page[]:pages"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: ManyArguments = arguments::parse(arguments)?;
        let (urls, left) = prepared(&arguments.urls, arguments.limit.min(MAX_PAGES));
        let mut progress = Progress::new(&call.line, urls.len());
        let manner = arguments.manners.manner();
        let mut gathered = self.0.fetch_pages(urls, &manner, &mut progress).await;
        gathered.append(left);
        gathered.into_value().map(CallOutput::from)
    }
}

#[cfg(test)]
mod tests;
