//! `site-crawl`: which pages can be reached from here? Follows links level by level
//! and never leaves the host.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use holloway_audit::page::Page;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input};
use super::super::http::parse_url;
use super::super::{Tool, arguments};
use super::Web;
use super::document::parse;
use super::links::{LinkKind, is_on, links, without_fragment};
use super::many::{Gathered, Manner, Progress, has_room};
use super::pages::{MAX_PAGES, Manners, pages_schema, with_manners};

/// Addresses that wait to be fetched; what comes after is forgotten.
const MAX_WAITING: usize = 50_000;

/// Endings of files that are no pages.
const NO_PAGES: [&str; 34] = [
    "css", "js", "mjs", "json", "map", "xml", "rss", "atom", "txt", "csv", "pdf", "zip", "gz",
    "tar", "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "ico", "bmp", "mp3", "mp4", "webm",
    "ogg", "wav", "mov", "woff", "woff2", "ttf", "otf", "exe",
];

/// How far to go.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) limit: usize,
    pub(crate) depth: usize,
    /// Linked files that are no pages are asked for too.
    pub(crate) files: bool,
}

impl Web {
    /// Breadth first from `start`, on its host or the one it redirects to.
    pub(crate) async fn crawl(
        self: &Arc<Self>,
        start: Url,
        bounds: Bounds,
        manner: &Manner,
        progress: &mut Progress,
    ) -> Result<Gathered, ToolFailure> {
        let mut seen = HashSet::from([start.to_string()]);
        let mut site = start.clone();
        let mut manner = manner.clone();
        let mut waiting = vec![start];
        let mut gathered = Gathered::default();
        let mut asked = 0;
        for depth in 0..=bounds.depth {
            waiting.truncate(bounds.limit.saturating_sub(asked));
            if waiting.is_empty() || !has_room(&gathered) {
                break;
            }
            asked += waiting.len();
            progress.expect(asked);
            let level = self.fetch_pages(waiting, &manner, progress).await;
            if let (0, Some(first)) = (depth, level.pages.first()) {
                site = Url::parse(&first.url).unwrap_or(site);
            }
            manner.site = Some(site.clone());
            let found = found_on(&level.pages, &site, bounds.files).await?;
            waiting = Vec::new();
            for page in &level.pages {
                seen.insert(page.url.clone());
            }
            for url in found {
                if waiting.len() < MAX_WAITING && seen.insert(url.to_string()) {
                    waiting.push(url);
                }
            }
            gathered.append(level);
        }
        Ok(gathered)
    }
}

/// The addresses of pages on the site that these pages link to.
async fn found_on(pages: &[Arc<Page>], site: &Url, files: bool) -> Result<Vec<Url>, ToolFailure> {
    let pages = pages.to_vec();
    let site = site.clone();
    blocking(move || {
        Ok(pages
            .iter()
            .flat_map(|page| next(page, &site, files))
            .collect())
    })
    .await
}

fn next(page: &Page, site: &Url, files: bool) -> Vec<Url> {
    let Ok(url) = Url::parse(&page.url) else {
        return Vec::new();
    };
    if page.html.is_empty() || !is_on(&url, site) {
        return Vec::new();
    }
    let document = parse(&page.html);
    let inside = links(&document, Some(&url)).into_iter();
    let inside = inside.filter(|link| link.kind == LinkKind::Internal);
    let urls = inside.filter_map(|link| Url::parse(&link.url).ok());
    urls.filter(|url| files || may_be_page(url))
        .map(|url| without_fragment(&url))
        .collect()
}

fn may_be_page(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let ending = ending.map(str::to_ascii_lowercase);
    ending.is_none_or(|ending| !NO_PAGES.contains(&ending.as_str()))
}

pub(crate) struct SiteCrawl(pub(crate) Arc<Web>);

#[derive(Deserialize)]
struct Arguments {
    url: String,
    #[serde(default = "default_limit")]
    limit: usize,
    #[serde(default = "default_depth")]
    depth: usize,
    #[serde(default)]
    files: bool,
    #[serde(flatten)]
    manners: Manners,
}

fn default_limit() -> usize {
    100
}

fn default_depth() -> usize {
    5
}

#[async_trait]
impl Tool for SiteCrawl {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "site-crawl",
            title: "Crawl a site",
            category: "web",
            description: "Fetches the pages of a site by following its links breadth first, politely and by robots.txt, without \
                leaving the host. Use it for sites without a sitemap, or to find what the sitemap leaves out. Returns `pages` \
                in the order they were found, `failed` with errors, `skipped` with reasons, and `count`.",
            effect: Effect::Read,
            latency_ms: 8_000,
            input: input(
                &["url"],
                with_manners(json!({
                    "url": {"type": "string", "minLength": 1, "description": "Where to begin"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_PAGES, "default": 100, "description": "The most pages to fetch"},
                    "depth": {"type": "integer", "minimum": 0, "maximum": 50, "default": 5, "description": "How many links away from the first page"},
                    "files": {"type": "boolean", "default": false, "description": "Also ask for linked files that are no pages; those that answer an error are among the pages"}
                })),
            ),
            output: pages_schema(),
            example: json!({"url": "https://example.com/", "limit": 10, "delay_ms": 0}),
            does: &["crawl url:url -> page[]:pages with whole is true"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let start = without_fragment(&parse_url(&arguments.url)?);
        let bounds = Bounds {
            limit: arguments.limit.min(MAX_PAGES),
            depth: arguments.depth.min(50),
            files: arguments.files,
        };
        let mut progress = Progress::new(&call.line, 1);
        let manner = arguments.manners.manner();
        let gathered = self.0.crawl(start, bounds, &manner, &mut progress).await?;
        gathered.into_value().map(CallOutput::from)
    }
}

#[cfg(test)]
mod tests;
