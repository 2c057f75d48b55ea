//! `sitemap-discover`: which pages does a site have? What its sitemaps say; where it
//! has none, what can be reached by links.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::http::{parse_url, raw::Ask};
use super::super::{Tool, arguments};
use super::Web;
use super::crawl::Bounds;
use super::links::is_on;
use super::many::{Manner, Progress};
use super::pages::{Manners, with_manners};
use super::walk::Walked;

mod read;

use read::{Entry, Kind, Listed, read};

/// Files that one call reads.
const MAX_FILES: usize = 200;
/// An index may list indexes no deeper than this.
const MAX_LEVELS: usize = 3;
/// Where sitemaps are when nobody says.
const USUAL: [&str; 2] = ["/sitemap.xml", "/sitemap_index.xml"];
const MAX_PROBLEMS: usize = 100;
/// How far links are followed where there is no sitemap.
const CRAWL_DEPTH: usize = 6;

#[derive(Default)]
struct Found {
    entries: Vec<Entry>,
    seen: HashSet<String>,
    sitemaps: Vec<Value>,
    problems: Vec<String>,
}

impl Found {
    fn add(&mut self, entries: Vec<Entry>, limit: usize) {
        for entry in entries {
            if self.entries.len() >= limit {
                let problem =
                    format!("there are more than {limit} addresses; raise `limit` for the rest");
                if self.problems.last() != Some(&problem) {
                    self.problems.push(problem);
                }
                return;
            }
            if self.seen.insert(entry.url.clone()) {
                self.entries.push(entry);
            }
        }
    }

    fn tell(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

impl Web {
    /// Reads the sitemaps of a site and those they list.
    async fn read_sitemaps(
        &self,
        starts: Vec<Url>,
        limit: usize,
        manner: &Manner,
        call: &CallRequest,
    ) -> Result<Found, ToolFailure> {
        let mut found = Found::default();
        let mut known: HashSet<String> = starts.iter().map(Url::to_string).collect();
        let mut waiting: VecDeque<(Url, usize)> = starts.into_iter().map(|url| (url, 0)).collect();
        let mut progress = Progress::new(&call.line, waiting.len());
        let mut files = 0;
        while let Some((url, level)) = waiting.pop_front() {
            if files >= MAX_FILES || found.entries.len() >= limit {
                found.tell(format!(
                    "{} sitemaps were not read any more",
                    waiting.len() + 1
                ));
                break;
            }
            files += 1;
            progress.one_more(url.as_str());
            let listed = match self.read_sitemap(&url, manner).await {
                Ok(Some(listed)) => listed,
                Ok(None) => continue,
                Err(failure) => {
                    found.tell(format!("{url}: {failure}"));
                    continue;
                }
            };
            for problem in listed.problems {
                found.tell(format!("{url} {problem}"));
            }
            if listed.kind == Kind::Nothing {
                continue;
            }
            let count = listed.entries.len();
            found
                .sitemaps
                .push(json!({"url": url.as_str(), "kind": listed.kind, "count": count}));
            if listed.kind != Kind::Index {
                found.add(listed.entries, limit);
                continue;
            }
            for entry in listed.entries {
                let Ok(next) = Url::parse(&entry.url) else {
                    continue;
                };
                if level + 1 >= MAX_LEVELS {
                    found.tell(format!(
                        "{url} lists sitemaps more than {MAX_LEVELS} levels deep"
                    ));
                    break;
                }
                if known.insert(next.to_string()) {
                    waiting.push_back((next, level + 1));
                }
            }
            progress.expect(files + waiting.len());
        }
        Ok(found)
    }

    /// What one file lists; none where there is no such file.
    async fn read_sitemap(
        &self,
        url: &Url,
        manner: &Manner,
    ) -> Result<Option<Listed>, ToolFailure> {
        let limit = self.http.grants().byte_limit(Some(read::MAX_BYTES as u64));
        let ask = Ask::new(url.clone(), limit, manner.timeout_ms);
        // Sitemaps are made for those who crawl: no rule keeps them out.
        let manner = Manner {
            obey_robots: false,
            ..manner.clone()
        };
        let raw = match self.walk(ask, &manner).await? {
            Walked::Arrived(raw) => raw,
            Walked::Refused(why) => return Err(ToolFailure::permanent(why)),
        };
        match raw.status {
            200 => {}
            404 | 410 => return Ok(None),
            status => {
                let message = format!("the sitemap answers {status}");
                return Err(ToolFailure::permanent(message));
            }
        }
        if raw.truncated {
            let message = format!("the sitemap is larger than {limit} bytes");
            return Err(ToolFailure::limit(message));
        }
        let listed = blocking(move || {
            let content_type = raw.header("content-type");
            Ok(read(&raw.body, content_type, &raw.url))
        });
        listed.await.map(Some)
    }

    /// Where to look: what was asked for, what robots.txt names, the usual places.
    async fn sitemap_places(&self, url: &Url) -> Result<(Vec<Url>, Vec<String>), ToolFailure> {
        let mut problems = Vec::new();
        let name = url.path().to_ascii_lowercase();
        let is_file = [".xml", ".xml.gz", ".txt", ".rss", ".atom"];
        if is_file.iter().any(|ending| name.ends_with(ending)) && name != "/robots.txt" {
            return Ok((vec![url.clone()], problems));
        }
        let robots = self.hosts.of(url).robots(&self.http, url).await?;
        let mut places = Vec::new();
        for named in robots.sitemaps() {
            match url.join(named) {
                Ok(place) if Url::parse(named).is_err() => {
                    problems.push(format!(
                        "robots.txt names the sitemap `{named}` without its host"
                    ));
                    places.push(place);
                }
                Ok(place) => places.push(place),
                Err(error) => problems.push(format!(
                    "robots.txt names `{named}`, which is no URL: {error}"
                )),
            }
        }
        if places.is_empty() {
            places.extend(USUAL.iter().filter_map(|path| url.join(path).ok()));
        }
        Ok((places, problems))
    }
}

pub(crate) struct SitemapDiscover(pub(crate) Arc<Web>);

#[derive(Deserialize)]
struct Arguments {
    url: String,
    #[serde(default = "default_limit")]
    limit: usize,
    #[serde(default = "yes")]
    crawl: bool,
    #[serde(flatten)]
    manners: Manners,
}

fn default_limit() -> usize {
    1_000
}

fn yes() -> bool {
    true
}

#[async_trait]
impl Tool for SitemapDiscover {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "sitemap-discover",
            title: "Discover the pages of a site",
            category: "web",
            description: "Finds the addresses of a site's pages: reads the sitemaps that robots.txt names or that stand in the \
                usual place, with index files, packed files, plain lists and feeds, by the rules of sitemaps.org. Where there is \
                none, follows links breadth first. Use it first when a whole site is to be looked at. Returns `urls`, `count`, \
                the `sitemaps` that were read, `found_by`, `entries` with last changes, and `problems` of the sitemaps.",
            effect: Effect::Read,
            latency_ms: 1_000,
            input: input(
                &["url"],
                with_manners(json!({
                    "url": {"type": "string", "minLength": 1, "description": "Any address of the site, or that of a sitemap"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": read::MAX_URLS, "default": 1_000, "description": "The most addresses to return"},
                    "crawl": {"type": "boolean", "default": true, "description": "Follow links where there is no sitemap; at most 200 pages"}
                })),
            ),
            output: output(
                &["urls", "count", "sitemaps", "found_by", "problems"],
                json!({
                    "urls": {"type": "array", "items": {"type": "string"}},
                    "count": {"type": "integer"},
                    "sitemaps": {"type": "array", "items": {"type": "object", "properties": {"url": {"type": "string"}, "kind": {"type": "string", "enum": ["urlset", "index", "text", "feed"]}, "count": {"type": "integer"}}}},
                    "found_by": {"type": "string", "enum": ["sitemap", "links", "nothing"]},
                    "entries": {"type": "array", "items": {"type": "object", "properties": {"url": {"type": "string"}, "lastmod": {"type": "string"}}}},
                    "problems": {"type": "array", "items": {"type": "string"}}
                }),
            ),
            example: json!({"url": "https://example.com/", "delay_ms": 0}),
            does: &["sitemap url:url -> table:entries", "crawl url:url -> url.listed[]:urls with whole is true", "count url:url -> number:count with unit is pages"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let url = parse_url(&arguments.url)?;
        let manner = arguments.manners.manner();
        let limit = arguments.limit.min(read::MAX_URLS);
        let (places, problems) = self.0.sitemap_places(&url).await?;
        // A sitemap elsewhere may be named by robots.txt; the address asked for may not.
        let elsewhere = places.iter().all(|place| !is_on(place, &url));
        let mut found = self.0.read_sitemaps(places, limit, &manner, call).await?;
        found.problems.splice(0..0, problems);
        if elsewhere && !found.entries.is_empty() {
            found.tell("the sitemaps are on another host than the address asked for".to_owned());
        }
        if !found.entries.is_empty() {
            return Ok(CallOutput::from(told(&found, "sitemap")));
        }
        if !arguments.crawl {
            return Ok(CallOutput::from(told(&found, "nothing")));
        }
        let bounds = Bounds {
            limit: limit.min(MAX_FILES),
            depth: CRAWL_DEPTH,
            files: false,
        };
        let mut progress = Progress::new(&call.line, 1);
        let gathered = self.0.crawl(url, bounds, &manner, &mut progress).await?;
        if let (true, Some((_, failure))) = (gathered.pages.is_empty(), gathered.failed.first()) {
            return Err(failure.clone());
        }
        for note in &gathered.notes {
            found.tell(note.clone());
        }
        for (url, why) in gathered.skipped.iter().take(MAX_PROBLEMS) {
            found.tell(format!("{url}: {why}"));
        }
        let entries = gathered.pages.iter().filter(|page| page.status == 200);
        let entries = entries.map(|page| Entry {
            url: page.url.clone(),
            lastmod: None,
        });
        found.add(entries.collect(), limit);
        let mut told = told(&found, "links");
        // Whoever checks the pages also wants those that links lead to in vain.
        let failing = gathered.pages.iter().filter(|page| page.status >= 400);
        let failing = failing.map(|page| json!(page.url));
        if let Some(Value::Array(urls)) = told.get_mut("urls") {
            let room = limit.saturating_sub(urls.len());
            urls.extend(failing.take(room));
        }
        Ok(CallOutput::from(told))
    }
}

fn told(found: &Found, found_by: &str) -> Value {
    let urls: Vec<_> = found.entries.iter().map(|entry| &entry.url).collect();
    json!({
        "urls": urls,
        "count": urls.len(),
        "sitemaps": found.sitemaps,
        "found_by": found_by,
        "entries": found.entries,
        "problems": found.problems,
    })
}

#[cfg(test)]
mod tests;
