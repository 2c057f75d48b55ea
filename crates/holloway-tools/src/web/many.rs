//! How are many pages fetched? A few at a time, politely per host, by the rules of
//! robots.txt, with a look into the cache; one bad page does not spoil the rest.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use holloway_audit::page::Page;
use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::ports::{CallLine, ToolProgress};
use reqwest::Url;
use serde_json::{Value, json};

use super::super::http::raw::{Ask, Raw};
use super::super::pure::OUTPUT_LIMIT;
use super::Web;
use super::page;
use super::polite::Host;
use super::room::Room;
use super::walk::{Leave, Walked};

/// Times that a page is asked for again.
const REPEATS: usize = 2;
/// A server that asks for a longer pause gets no second request.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// All pages of a call together.
const MAX_TOTAL: usize = OUTPUT_LIMIT;

/// How pages are fetched.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    pub(crate) concurrency: usize,
    /// Between two requests to one host, where somebody said it.
    pub(crate) distance: Option<Duration>,
    pub(crate) obey_robots: bool,
    /// Redirects are followed on this host only.
    pub(crate) site: Option<Url>,
    /// Pages younger than this are taken from the cache without asking.
    pub(crate) cache_age: Duration,
    pub(crate) max_bytes: u64,
    pub(crate) timeout_ms: u64,
}

/// What became of one address.
#[derive(Clone, Debug)]
pub(crate) enum Fetched {
    Page(Arc<Page>),
    /// Not fetched, or not of use, and why.
    Skipped(String),
}

/// What became of many.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) pages: Vec<Arc<Page>>,
    pub(crate) failed: Vec<(String, ToolFailure)>,
    pub(crate) skipped: Vec<(String, String)>,
    /// What was done otherwise than a site asks.
    pub(crate) notes: BTreeSet<String>,
}

impl Gathered {
    /// The result of a call; a failure where nothing at all could be fetched.
    pub(crate) fn into_value(self) -> Result<Value, ToolFailure> {
        let nothing = self.pages.is_empty() && self.skipped.is_empty();
        if let (true, Some((url, failure))) = (nothing, self.failed.first()) {
            let mut failure = failure.clone();
            if failure.name != FailureName::Denied {
                failure.message = format!("{url}: {}", failure.message);
            }
            return Err(failure);
        }
        let failed = self.failed.iter();
        let failed: Vec<_> = failed
            .map(|(url, failure)| json!({"url": url, "error": failure.to_string()}))
            .collect();
        let skipped = self.skipped.iter();
        let skipped: Vec<_> = skipped
            .map(|(url, why)| json!({"url": url, "why": why}))
            .collect();
        let count = self.pages.len();
        let pages: Vec<_> = self.pages.into_iter().map(|page| json!(*page)).collect();
        Ok(
            json!({"pages": pages, "failed": failed, "skipped": skipped, "notes": self.notes, "count": count}),
        )
    }

    fn add(&mut self, url: String, outcome: Result<Fetched, ToolFailure>) {
        match outcome {
            Ok(Fetched::Page(page)) => self.pages.push(page),
            Ok(Fetched::Skipped(why)) => self.skipped.push((url, why)),
            Err(failure) => self.failed.push((url, failure)),
        }
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.pages.append(&mut other.pages);
        self.failed.append(&mut other.failed);
        self.skipped.append(&mut other.skipped);
        self.notes.append(&mut other.notes);
    }

    fn bytes(&self) -> usize {
        self.pages.iter().map(|page| page.html.len()).sum()
    }
}

/// How far a call is, told over its line.
pub(crate) struct Progress {
    line: CallLine,
    done: usize,
    total: usize,
}

impl Progress {
    pub(crate) fn new(line: &CallLine, total: usize) -> Self {
        Self {
            line: line.clone(),
            done: 0,
            total,
        }
    }

    pub(crate) fn expect(&mut self, total: usize) {
        self.total = total;
    }

    pub(crate) fn one_more(&mut self, what: &str) {
        self.done += 1;
        self.line.progress(ToolProgress {
            progress: self.done as f64,
            total: Some(self.total.max(self.done) as f64),
            message: Some(what.to_owned()),
        });
    }
}

impl Web {
    /// The pages behind `urls`, in their order.
    pub(crate) async fn fetch_pages(
        self: &Arc<Self>,
        urls: Vec<Url>,
        manner: &Manner,
        progress: &mut Progress,
    ) -> Gathered {
        let manner = Arc::new(manner.clone());
        // Pages from this number on do not fit any more.
        let end = Arc::new(AtomicUsize::new(usize::MAX));
        let fetching = urls.into_iter().enumerate().map(|(number, url)| {
            let web = Arc::clone(self);
            let manner = Arc::clone(&manner);
            let end = Arc::clone(&end);
            async move {
                let outcome = if number < end.load(Ordering::Relaxed) {
                    web.fetch_page(&url, &manner).await
                } else {
                    Ok(Fetched::Skipped(too_much()))
                };
                (number, url, outcome)
            }
        });
        let mut arriving = stream::iter(fetching).buffer_unordered(manner.concurrency.max(1));
        let mut outcomes = BTreeMap::new();
        let mut late = BTreeMap::new();
        let mut room = Room::new(MAX_TOTAL);
        while let Some((number, url, outcome)) = arriving.next().await {
            progress.one_more(url.as_str());
            if let Ok(Fetched::Page(page)) = &outcome {
                end.store(room.book(number, page.html.len()), Ordering::Relaxed);
            }
            outcomes.insert(number, (url, outcome));
            // Let go at once of what will not be returned.
            let past = outcomes.split_off(&end.load(Ordering::Relaxed));
            late.extend(past.into_iter().map(|(number, (url, _))| (number, url)));
        }
        let mut gathered = Gathered::default();
        for (url, outcome) in outcomes.into_values() {
            gathered.notes.extend(self.shortened_delay(&url, &manner));
            gathered.add(url.to_string(), outcome);
        }
        for url in late.into_values() {
            gathered.add(url.to_string(), Ok(Fetched::Skipped(too_much())));
        }
        gathered
    }

    /// One page, if robots.txt allows it and it is a page.
    pub(crate) async fn fetch_page(
        &self,
        url: &Url,
        manner: &Manner,
    ) -> Result<Fetched, ToolFailure> {
        // Before the cache is looked into: what was allowed once may be forbidden now.
        if let Leave::Refused(why) = self.leave(url, manner).await? {
            return Ok(Fetched::Skipped(why));
        }
        let page = match self.fetch_cached(url, manner).await? {
            Fetched::Page(page) => page,
            skipped @ Fetched::Skipped(_) => return Ok(skipped),
        };
        if page.status == 200 && !page::is_html(&page) {
            let kind = page.headers.get("content-type");
            let kind = kind.map_or("of unknown type", String::as_str);
            return Ok(Fetched::Skipped(format!("{kind} is not a page")));
        }
        Ok(Fetched::Page(page))
    }

    async fn fetch_cached(&self, url: &Url, manner: &Manner) -> Result<Fetched, ToolFailure> {
        let kept = self.cache.get(url.as_str());
        let fresh = kept.as_ref();
        if let Some(entry) = fresh.filter(|entry| entry.is_younger_than(manner.cache_age)) {
            return Ok(Fetched::Page(Arc::clone(&entry.page)));
        }
        let mut ask = Ask::new(url.clone(), manner.max_bytes, manner.timeout_ms);
        if let Some(entry) = &kept {
            ask.headers = entry.conditions();
        }
        let raw = match self.walk(ask, manner).await? {
            Walked::Arrived(raw) => raw,
            Walked::Refused(why) => return Ok(Fetched::Skipped(why)),
        };
        if let (304, Some(entry)) = (raw.status, kept) {
            return Ok(Fetched::Page(entry.page));
        }
        if raw.truncated {
            let message = format!("the page is larger than {} bytes", manner.max_bytes);
            return Err(ToolFailure::limit(message).with_hint("raise `max_bytes`"));
        }
        let page = Arc::new(page::page(*raw));
        self.cache.put(url.as_str(), &page);
        Ok(Fetched::Page(page))
    }

    /// Asks again where the server asks for a short pause or the connection broke.
    pub(crate) async fn fetch_patiently(
        &self,
        ask: Ask,
        host: &Host,
        distance: Duration,
    ) -> Result<Raw, ToolFailure> {
        let mut repeats = 0;
        loop {
            let turn = host.turn(distance).await;
            let answer = self.http.fetch(ask.clone()).await;
            drop(turn);
            let pause = match &answer {
                Ok(raw) => asked_pause(raw),
                Err(failure) if failure.name == FailureName::Timeout => None,
                Err(failure) => failure.retryable.then_some(Duration::ZERO),
            };
            match pause.filter(|pause| *pause <= MAX_PAUSE && repeats < REPEATS) {
                Some(pause) => host.rest(pause),
                None => return answer,
            }
            repeats += 1;
        }
    }
}

fn too_much() -> String {
    format!("all pages together are larger than {MAX_TOTAL} bytes; fetch them in parts")
}

/// What a `Retry-After` in seconds asks for.
fn asked_pause(raw: &Raw) -> Option<Duration> {
    let is_busy = matches!(raw.status, 429 | 503);
    let seconds = raw.header("retry-after").trim().parse().ok();
    seconds.filter(|_| is_busy).map(Duration::from_secs)
}

/// Addresses to fetch: parsed, without fragments, each once, no more than `limit`.
/// What is left over is named with the reason.
pub(crate) fn prepared(addresses: &[String], limit: usize) -> (Vec<Url>, Gathered) {
    let mut seen = HashSet::new();
    let mut urls = Vec::new();
    let mut left = Gathered::default();
    for address in addresses {
        let mut url = match Url::parse(address) {
            Ok(url) => url,
            Err(error) => {
                let failure = ToolFailure::invalid(format!("no URL: {error}"));
                left.failed.push((address.clone(), failure));
                continue;
            }
        };
        url.set_fragment(None);
        if !seen.insert(url.to_string()) {
            continue;
        }
        if urls.len() >= limit {
            let why = format!("past the limit of {limit} pages");
            left.skipped.push((url.to_string(), why));
        } else {
            urls.push(url);
        }
    }
    (urls, left)
}

/// Is there room for more pages?
pub(crate) fn has_room(gathered: &Gathered) -> bool {
    gathered.bytes() < MAX_TOTAL
}
