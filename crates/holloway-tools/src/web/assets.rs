//! `assets-fetch`: what do these pages load, and how heavy is it? Every style sheet,
//! script, image and font is fetched once and measured; sheets are read for more.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use holloway_audit::documents::Documents;
use holloway_audit::page::{Asset, AssetKind, Page};
use holloway_audit::performance::assets::spare;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::http::raw::{Ask, Raw};
use super::super::{Tool, arguments};
use super::Web;
use super::links::is_on;
use super::many::{Manner, Progress};
use super::page;
use super::pages::{Manners, with_manners};
use super::walk::Walked;

mod references;
mod style;

use style::Reference;

/// So much of a style sheet is kept.
const MAX_SHEET: usize = 256 * 1024;
/// So much of a script is looked through for white space and comments.
const MAX_SCRIPT: usize = 1024 * 1024;
/// Sheets that import sheets, no deeper than this.
const MAX_LEVELS: usize = 4;
const MAX_ASSETS: usize = 2_000;

pub(crate) struct AssetsFetch {
    pub(crate) web: Arc<Web>,
    /// Pages that are parsed already, or will be needed again by checks.
    pub(crate) documents: Arc<Documents>,
}

#[derive(Deserialize)]
struct Arguments {
    pages: Vec<Page>,
    #[serde(default)]
    same_origin: bool,
    #[serde(default = "default_limit")]
    limit: usize,
    #[serde(flatten)]
    manners: Manners,
}

fn default_limit() -> usize {
    200
}

#[async_trait]
impl Tool for AssetsFetch {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "assets-fetch",
            title: "Measure the assets of pages",
            category: "web",
            description: "Finds what pages load (style sheets, scripts, images, fonts, frames, media, also those that style sheets \
                name) and fetches each once to measure it. Use it after `pages-fetch`, before checks of performance and contrast. \
                Returns `assets` with kind, status, headers, sizes on the wire and decompressed, and time; the text of style \
                sheets is kept up to 256 KB. `failed` lists what could not be fetched, `skipped` what robots.txt forbids or was past the limit.",
            effect: Effect::Read,
            latency_ms: 5_000,
            input: input(
                &["pages"],
                without_cache(with_manners(json!({
                    "pages": {"type": "array", "items": {"type": "object", "required": ["url"]}, "maxItems": 5_000, "description": "Pages as `pages-fetch` returns them"},
                    "same_origin": {"type": "boolean", "default": false, "description": "Leave out what comes from other hosts"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_ASSETS, "default": 200, "description": "The most assets to fetch"}
                }))),
            ),
            output: output(
                &["assets", "count", "failed", "skipped"],
                json!({
                    "assets": {"type": "array", "items": {"type": "object", "required": ["url", "kind", "status", "transferred", "bytes"], "properties": {
                        "url": {"type": "string"},
                        "kind": {"type": "string", "enum": ["style", "script", "image", "font", "frame", "media", "icon", "other"]},
                        "status": {"type": "integer"},
                        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
                        "transferred": {"type": "integer", "description": "Bytes on the wire; reading stops at `max_bytes`"},
                        "bytes": {"type": "integer"},
                        "total_ms": {"type": "number"},
                        "text": {"type": "string"},
                        "spare": {"type": "integer", "description": "Bytes of white space and comments in a style sheet or script"},
                        "pixels": {"type": "array", "items": {"type": "integer"}, "description": "Width and height of an image, where its format says them"}
                    }}},
                    "count": {"type": "integer"},
                    "failed": {"type": "array", "items": {"type": "object", "properties": {"url": {"type": "string"}, "error": {"type": "string"}}}},
                    "skipped": {"type": "array", "items": {"type": "object", "properties": {"url": {"type": "string"}, "why": {"type": "string"}}}}
                }),
            ),
            example: json!({"pages": [{"url": "https://example.com/", "html": "<img src='/logo.png' alt='Logo'>"}], "delay_ms": 0}),
            does: &["measure page[]:pages -> asset[]:assets"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let pages = arguments.pages;
        let same_origin = arguments.same_origin;
        let named = self.named(pages, same_origin).await?;
        let mut fetching = Fetching {
            web: Arc::clone(&self.web),
            manner: arguments.manners.manner(),
            limit: arguments.limit.min(MAX_ASSETS),
            same_origin,
            known: HashSet::new(),
            waiting: VecDeque::new(),
            asked: 0,
            skipped: Vec::new(),
        };
        for reference in named {
            fetching.want(reference, 0);
        }
        let mut progress = Progress::new(&call.line, fetching.waiting.len());
        Ok(CallOutput::from(fetching.run(&mut progress).await))
    }
}

/// Assets are not kept, so there is nothing to say about it.
fn without_cache(mut properties: Value) -> Value {
    if let Some(fields) = properties.as_object_mut() {
        fields.shift_remove("cache_seconds");
    }
    properties
}

impl AssetsFetch {
    /// What all pages name, in their order; two halves are read at a time.
    async fn named(
        &self,
        mut pages: Vec<Page>,
        same_origin: bool,
    ) -> Result<Vec<Reference>, ToolFailure> {
        let second = pages.split_off(pages.len() / 2);
        let read = |pages: Vec<Page>| {
            let documents = Arc::clone(&self.documents);
            blocking(move || Ok(named(&pages, &documents, same_origin)))
        };
        let (mut named, more) = tokio::try_join!(read(pages), read(second))?;
        named.extend(more);
        Ok(named)
    }
}

fn named(pages: &[Page], documents: &Documents, same_origin: bool) -> Vec<Reference> {
    let mut all = Vec::new();
    for page in pages {
        if let Ok(url) = Url::parse(&page.url) {
            let named = documents.read(page, |document| {
                references::references(document.html(), &url).into_iter()
            });
            all.extend(named.filter(|named| !same_origin || is_on(&named.url, &url)));
        }
    }
    all.extend(usual_icon(pages, &all));
    all
}

/// Where no page names an icon, browsers ask for this one.
fn usual_icon(pages: &[Page], named: &[Reference]) -> Option<Reference> {
    if named.iter().any(|named| named.kind == AssetKind::Icon) {
        return None;
    }
    let start = Url::parse(&pages.first()?.url).ok()?;
    Reference::of(start.join("/favicon.ico").ok()?, AssetKind::Icon)
}

struct Fetching {
    web: Arc<Web>,
    manner: Manner,
    limit: usize,
    same_origin: bool,
    known: HashSet<String>,
    waiting: VecDeque<(usize, Reference, usize)>,
    asked: usize,
    skipped: Vec<Value>,
}

impl Fetching {
    fn want(&mut self, reference: Reference, level: usize) {
        if !self.known.insert(reference.url.to_string()) {
            return;
        }
        if self.asked >= self.limit {
            // Named up to a point; the count of the rest is of no use to anyone.
            if self.skipped.len() < MAX_ASSETS {
                let why = format!("past the limit of {} assets", self.limit);
                self.skipped
                    .push(json!({"url": reference.url.as_str(), "why": why}));
            }
            return;
        }
        self.waiting.push_back((self.asked, reference, level));
        self.asked += 1;
    }

    async fn run(mut self, progress: &mut Progress) -> Value {
        let mut running = FuturesUnordered::new();
        let mut done = Vec::new();
        loop {
            while running.len() < self.manner.concurrency
                && let Some((number, reference, level)) = self.waiting.pop_front()
            {
                let web = Arc::clone(&self.web);
                let manner = self.manner.clone();
                running.push(async move {
                    let outcome = fetch(&web, &reference, &manner).await;
                    (number, reference, level, outcome)
                });
            }
            let Some((number, reference, level, outcome)) = running.next().await else {
                break;
            };
            progress.expect(self.asked);
            progress.one_more(reference.url.as_str());
            if let Ok(Outcome::Measured(asset, place)) = &outcome
                && level + 1 < MAX_LEVELS
            {
                self.want_from(asset, place, level + 1);
            }
            done.push((number, reference.url, outcome));
        }
        done.sort_by_key(|(number, ..)| *number);
        told(done, self.skipped)
    }

    /// What a style sheet names that came from `place`.
    fn want_from(&mut self, asset: &Asset, place: &Url, level: usize) {
        if asset.kind != AssetKind::Style || asset.text.is_empty() {
            return;
        }
        for reference in style::references(&asset.text, place) {
            if !self.same_origin || is_on(&reference.url, place) {
                self.want(reference, level);
            }
        }
    }
}

/// What became of a reference.
enum Outcome {
    /// With the address it came from after redirects.
    Measured(Box<Asset>, Url),
    Skipped(String),
}

async fn fetch(web: &Web, reference: &Reference, manner: &Manner) -> Result<Outcome, ToolFailure> {
    let ask = Ask::new(reference.url.clone(), manner.max_bytes, manner.timeout_ms);
    Ok(match web.walk(ask, manner).await? {
        Walked::Refused(why) => Outcome::Skipped(why),
        Walked::Arrived(raw) => {
            let place = raw.url.clone();
            Outcome::Measured(Box::new(asset(*raw, reference)), place)
        }
    })
}

/// Named as the page names it, so that both can be put together again.
fn asset(raw: Raw, reference: &Reference) -> Asset {
    let kind = reference.kind;
    let readable = matches!(kind, AssetKind::Style | AssetKind::Script) && raw.status == 200;
    let mut text = if readable {
        let content_type = raw.header("content-type").to_owned();
        let most = if kind == AssetKind::Style {
            MAX_SHEET
        } else {
            MAX_SCRIPT
        };
        let part = raw.body.get(..most).unwrap_or(&raw.body);
        super::charset::decode(part, &content_type).0
    } else {
        String::new()
    };
    let spare = spare(kind, &text);
    if kind == AssetKind::Script {
        text.clear();
    }
    let pixels = (kind == AssetKind::Image)
        .then(|| pixels(&raw.body))
        .flatten();
    Asset {
        url: reference.url.to_string(),
        kind,
        status: raw.status,
        headers: page::headers(&raw.headers),
        transferred: raw.transferred,
        bytes: raw.body.len() as u64,
        total_ms: raw.total_ms,
        text,
        spare,
        pixels,
    }
}

/// Width and height, where the format says them.
fn pixels(body: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(body).ok()?;
    Some((size.width.try_into().ok()?, size.height.try_into().ok()?))
}

fn told(done: Vec<(usize, Url, Result<Outcome, ToolFailure>)>, past: Vec<Value>) -> Value {
    let mut assets = Vec::new();
    let mut failed = Vec::new();
    let mut skipped = Vec::new();
    for (_, url, outcome) in done {
        match outcome {
            Ok(Outcome::Measured(asset, _)) => assets.push(json!(asset)),
            Ok(Outcome::Skipped(why)) => skipped.push(json!({"url": url.as_str(), "why": why})),
            Err(failure) => failed.push(json!({"url": url.as_str(), "error": failure.to_string()})),
        }
    }
    skipped.extend(past);
    json!({"count": assets.len(), "assets": assets, "failed": failed, "skipped": skipped})
}

#[cfg(test)]
mod tests;
