//! `robots-check`: what does a site allow? Fetches its robots.txt and says what
//! holds for an agent, whatever state the file is in (RFC 9309).

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::http::raw::Ask;
use super::super::http::way::{Step, Way};
use super::super::http::{Http, parse_url};
use super::super::{Tool, arguments};
use super::Web;

pub(crate) mod rules;

use rules::Rules;

/// The name under which rules are looked up if the caller gives none.
pub(crate) const AGENT: &str = "holloway";
/// RFC 9309 asks for at least five.
const MAX_REDIRECTS: usize = 5;
const TIMEOUT_MS: u64 = 15_000;

/// What is known about the robots.txt of a site.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Robots {
    /// The file is there.
    Rules(Rules),
    /// There is none, or only redirects without end: everything is allowed.
    Missing { status: Option<u16> },
    /// The server cannot say: nothing is allowed.
    Unreachable { status: u16 },
}

impl Robots {
    pub(crate) fn allows(&self, url: &Url) -> bool {
        match self {
            Self::Rules(rules) => rules.allows(url),
            Self::Missing { .. } => true,
            Self::Unreachable { .. } => false,
        }
    }

    pub(crate) fn crawl_delay(&self) -> Option<f64> {
        match self {
            Self::Rules(rules) => rules.crawl_delay,
            _ => None,
        }
    }

    pub(crate) fn sitemaps(&self) -> &[String] {
        match self {
            Self::Rules(rules) => &rules.sitemaps,
            _ => &[],
        }
    }

    /// Why `url` may not be fetched, for people.
    pub(crate) fn refusal(&self, url: &Url) -> Option<String> {
        match self {
            Self::Missing { .. } => None,
            Self::Unreachable { status } => Some(format!(
                "robots.txt answers {status}, so nothing may be fetched for now"
            )),
            Self::Rules(rules) => {
                let verdict = rules.verdict(url);
                let (line, rule) = verdict.rule.filter(|_| !verdict.allowed)?;
                Some(format!("robots.txt line {line} says `{rule}`"))
            }
        }
    }
}

/// The robots.txt that holds for a URL.
pub(crate) async fn fetch(http: &Http, url: &Url, agent: &str) -> Result<Robots, ToolFailure> {
    let ask = Ask::new(address(url), http.grants().byte_limit(None), TIMEOUT_MS);
    let mut way = Way::new(ask, MAX_REDIRECTS);
    let raw = loop {
        let raw = http.fetch(way.ask()).await?;
        match way.step(raw)? {
            Step::On => {}
            Step::End(raw) => break raw,
            // Past five redirects the file counts as missing.
            Step::TooMany => return Ok(Robots::Missing { status: None }),
        }
    };
    Ok(match raw.status {
        200..=299 => Robots::Rules(Rules::read(&raw.body, agent)),
        status @ 500.. => Robots::Unreachable { status },
        status => Robots::Missing {
            status: Some(status),
        },
    })
}

pub(crate) fn address(url: &Url) -> Url {
    let mut address = url.clone();
    address.set_path("/robots.txt");
    address.set_query(None);
    address.set_fragment(None);
    address
}

pub(crate) struct RobotsCheck(pub(crate) Arc<Web>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: String,
    #[serde(default = "default_agent")]
    agent: String,
    #[serde(default)]
    paths: Vec<String>,
}

fn default_agent() -> String {
    AGENT.to_owned()
}

#[async_trait]
impl Tool for RobotsCheck {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "robots-check",
            title: "Check robots.txt",
            category: "web",
            description: "Fetches the robots.txt of a site and says what it allows an agent to fetch, by the rules of RFC 9309. \
                Use it before fetching many pages of a site, or to see why a page is not crawled. A missing file allows \
                everything; a server error forbids everything. Returns whether the URL is allowed and by which rule, \
                the same for every further path asked about, the crawl delay in seconds and the addresses of sitemaps.",
            effect: Effect::Read,
            latency_ms: 500,
            input: input(
                &["url"],
                json!({
                    "url": {"type": "string", "minLength": 1, "description": "Any http or https address of the site"},
                    "agent": {"type": "string", "minLength": 1, "default": AGENT, "description": "The name a crawler is known by, such as Googlebot"},
                    "paths": {"type": "array", "items": {"type": "string"}, "maxItems": 10_000, "default": [], "description": "Paths or addresses of the same site to ask about"}
                }),
            ),
            output: output(
                &["url", "robots", "state", "status", "allowed", "sitemaps", "paths"],
                json!({
                    "url": {"type": "string"},
                    "robots": {"type": "string", "description": "Where the file is"},
                    "state": {"type": "string", "enum": ["found", "missing", "unreachable"]},
                    "status": {"type": ["integer", "null"], "description": "Null after too many redirects"},
                    "allowed": {"type": "boolean", "description": "May the URL itself be fetched?"},
                    "rule": {"type": "string", "description": "The rule that decided"},
                    "group": {"type": "string", "enum": ["named", "everyone"], "description": "Does a group name this agent?"},
                    "crawl_delay": {"type": "number", "description": "Seconds between requests"},
                    "sitemaps": {"type": "array", "items": {"type": "string"}},
                    "paths": {"type": "array", "items": {"type": "object", "properties": {"path": {"type": "string"}, "allowed": {"type": "boolean"}, "rule": {"type": "string"}}}}
                }),
            ),
            example: json!({"url": "https://example.com/", "paths": ["/private/"]}),
            does: &["robots url:url -> flag:allowed"],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let url = parse_url(&arguments.url)?;
        let robots = fetch(&self.0.http, &url, &arguments.agent).await?;
        told(&url, &robots, &arguments.paths).map(CallOutput::from)
    }
}

fn told(url: &Url, robots: &Robots, paths: &[String]) -> Result<Value, ToolFailure> {
    let (state, status) = match robots {
        Robots::Rules(_) => ("found", Some(200)),
        Robots::Missing { status } => ("missing", *status),
        Robots::Unreachable { status } => ("unreachable", Some(*status)),
    };
    let mut told = json!({
        "url": url.as_str(),
        "robots": address(url).as_str(),
        "state": state,
        "status": status,
        "sitemaps": robots.sitemaps(),
    });
    let mut asked = Vec::new();
    for path in paths {
        asked.push(told_path(url, robots, path)?);
    }
    if let Some(fields) = told.as_object_mut() {
        let verdict = verdict(robots, url);
        fields.extend(verdict.as_object().cloned().unwrap_or_default());
        if let Robots::Rules(rules) = robots {
            let group = if rules.named { "named" } else { "everyone" };
            fields.insert("group".to_owned(), json!(group));
        }
        if let Some(delay) = robots.crawl_delay() {
            fields.insert("crawl_delay".to_owned(), json!(delay));
        }
        fields.insert("paths".to_owned(), json!(asked));
    }
    Ok(told)
}

fn told_path(url: &Url, robots: &Robots, path: &str) -> Result<Value, ToolFailure> {
    let target = url
        .join(path)
        .map_err(|error| ToolFailure::invalid(format!("`{path}` is no path: {error}")))?;
    if target.origin() != url.origin() {
        let message = format!("`{path}` is on another site, which has its own robots.txt");
        return Err(ToolFailure::invalid(message));
    }
    let mut told = verdict(robots, &target);
    if let Some(fields) = told.as_object_mut() {
        fields.insert("path".to_owned(), json!(path));
    }
    Ok(told)
}

fn verdict(robots: &Robots, url: &Url) -> Value {
    let mut verdict = json!({"allowed": robots.allows(url)});
    if let (Robots::Rules(rules), Some(fields)) = (robots, verdict.as_object_mut())
        && let Some((line, rule)) = rules.verdict(url).rule
    {
        fields.insert("rule".to_owned(), json!(format!("line {line}: {rule}")));
    }
    verdict
}

#[cfg(test)]
mod tests;
