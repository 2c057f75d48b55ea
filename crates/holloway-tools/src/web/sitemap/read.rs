//! What does a sitemap file list? The XML of sitemaps.org, an index of others, a
//! plain list, RSS or Atom, packed or not. Whatever is wrong with it is told.

use reqwest::Url;
use roxmltree::{Document, Node, ParsingOptions};
use serde::Serialize;

use super::super::super::http::decode::gunzip;
use super::super::charset;
use super::super::links::is_on;
use super::super::page::media_type;

/// The limits that sitemaps.org sets for one file.
pub(crate) const MAX_URLS: usize = 50_000;
pub(crate) const MAX_BYTES: usize = 52_428_800;
/// Addresses must be shorter than this.
const MAX_LENGTH: usize = 2_048;
/// Elements of a file with the most addresses and all their fields.
const MAX_NODES: u32 = 2_000_000;

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Entry {
    pub(crate) url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lastmod: Option<String>,
}

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// No sitemap at all.
    #[default]
    Nothing,
    Urlset,
    Index,
    Text,
    Feed,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) kind: Kind,
    /// Pages, or further sitemaps where this is an index.
    pub(crate) entries: Vec<Entry>,
    pub(crate) problems: Vec<String>,
}

/// Reads a file that came from `place`.
pub(crate) fn read(body: &[u8], content_type: &str, place: &Url) -> Listed {
    let mut listed = Listed::default();
    let body = if body.starts_with(&[0x1f, 0x8b]) {
        let (unpacked, cut) = gunzip(body, MAX_BYTES);
        if cut {
            let problem = format!("is larger than {MAX_BYTES} bytes when unpacked");
            listed.problems.push(problem);
            return listed;
        }
        unpacked
    } else {
        body.to_vec()
    };
    let (text, _) = charset::decode(&body, content_type);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') {
        read_xml(text, &mut listed);
    } else {
        read_lines(text, &mut listed);
    }
    keep_valid(&mut listed, place);
    if listed.kind == Kind::Nothing && media_type(content_type) == "text/html" {
        listed.problems.clear();
    }
    listed
}

fn read_xml(text: &str, listed: &mut Listed) {
    let options = ParsingOptions {
        nodes_limit: MAX_NODES,
        ..ParsingOptions::default()
    };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => {
            // A page that says "not found" with status 200 is no broken sitemap.
            if !looks_like_html(text) {
                listed
                    .problems
                    .push(format!("is not well-formed XML: {error}"));
            }
            return;
        }
    };
    let root = document.root_element();
    match root.tag_name().name() {
        "urlset" => read_list(root, "url", Kind::Urlset, listed),
        "sitemapindex" => read_list(root, "sitemap", Kind::Index, listed),
        "rss" | "RDF" | "feed" => read_feed(root, listed),
        _ if looks_like_html(text) => {}
        other => listed.problems.push(format!(
            "has the root element `{other}`, not `urlset` or `sitemapindex`"
        )),
    }
}

fn looks_like_html(text: &str) -> bool {
    let start: String = text.chars().take(500).collect();
    start.to_ascii_lowercase().contains("<html")
        || start.to_ascii_lowercase().contains("<!doctype html")
}

fn read_list(root: Node<'_, '_>, item: &str, kind: Kind, listed: &mut Listed) {
    listed.kind = kind;
    match root.tag_name().namespace() {
        Some(NAMESPACE) => {}
        Some(other) => listed
            .problems
            .push(format!("has the namespace `{other}`, not `{NAMESPACE}`")),
        None => listed
            .problems
            .push(format!("has no namespace; it should be `{NAMESPACE}`")),
    }
    for entry in root.children().filter(|child| child.has_tag_name_of(item)) {
        // Only the field of the sitemap itself: extensions have fields of the same name.
        let field = |name: &str| {
            let namespace = root.tag_name().namespace();
            let mut fields = entry.children().filter(|child| child.has_tag_name_of(name));
            fields
                .find(|child| child.tag_name().namespace() == namespace)
                .map(text_of)
        };
        match field("loc").filter(|loc| !loc.is_empty()) {
            Some(url) => {
                let lastmod = field("lastmod").filter(|text| !text.is_empty());
                listed.entries.push(Entry { url, lastmod });
            }
            None => listed
                .problems
                .push(format!("has a `{item}` without `loc`")),
        }
        if listed.entries.len() > MAX_URLS {
            break;
        }
    }
}

fn read_feed(root: Node<'_, '_>, listed: &mut Listed) {
    listed.kind = Kind::Feed;
    let items = root
        .descendants()
        .filter(|node| node.has_tag_name_of("item") || node.has_tag_name_of("entry"));
    for item in items.take(MAX_URLS + 1) {
        let links = item
            .children()
            .filter(|child| child.has_tag_name_of("link"));
        let mut addresses = links.filter_map(|link| match link.attribute("href") {
            Some(href) => {
                let rel = link.attribute("rel").unwrap_or("alternate");
                (rel == "alternate").then(|| href.trim().to_owned())
            }
            None => Some(text_of(link)).filter(|text| !text.is_empty()),
        });
        let Some(url) = addresses.next() else {
            continue;
        };
        let dated = item.children().find(|child| {
            ["updated", "pubDate", "published", "date"]
                .iter()
                .any(|name| child.has_tag_name_of(name))
        });
        let lastmod = dated.map(text_of).filter(|text| !text.is_empty());
        listed.entries.push(Entry { url, lastmod });
    }
}

trait TagName {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl TagName for Node<'_, '_> {
    /// Whatever its namespace.
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

/// The text inside, also where it comes in pieces.
fn text_of(node: Node<'_, '_>) -> String {
    let pieces = node.children().filter_map(|child| child.text());
    pieces.collect::<String>().trim().to_owned()
}

fn read_lines(text: &str, listed: &mut Listed) {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines.take(MAX_URLS + 1) {
        if line.starts_with("http://") || line.starts_with("https://") {
            listed.kind = Kind::Text;
            listed.entries.push(Entry {
                url: line.to_owned(),
                lastmod: None,
            });
        } else if listed.kind == Kind::Text {
            let start: String = line.chars().take(60).collect();
            listed
                .problems
                .push(format!("has a line that is no address: `{start}`"));
        } else {
            // Some other text file.
            return;
        }
    }
}

/// Drops what may not be listed and says so once per reason.
fn keep_valid(listed: &mut Listed, place: &Url) {
    if listed.entries.len() > MAX_URLS {
        listed.entries.truncate(MAX_URLS);
        listed.problems.push(format!(
            "lists more than {MAX_URLS} addresses; the rest is left out"
        ));
    }
    let (mut invalid, mut foreign, mut above) =
        (Tally::default(), Tally::default(), Tally::default());
    let folder = place
        .path()
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    listed.entries.retain_mut(|entry| {
        let parsed = Url::parse(&entry.url).ok();
        let web = parsed.filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(url) = web.filter(|url| url.as_str().len() < MAX_LENGTH) else {
            invalid.add(&entry.url);
            return false;
        };
        if !is_on(&url, place) {
            foreign.add(&entry.url);
            return false;
        }
        if !url.path().starts_with(&format!("{folder}/")) {
            above.add(&entry.url);
        }
        entry.url = url.to_string();
        true
    });
    invalid.tell("no valid addresses and left out", &mut listed.problems);
    foreign.tell("on another host and left out", &mut listed.problems);
    if listed.kind == Kind::Urlset {
        let outside = format!("outside the folder `{folder}/` that the sitemap is for");
        above.tell(&outside, &mut listed.problems);
        let wrong = listed.entries.iter_mut().filter_map(|entry| {
            let lastmod = entry.lastmod.take_if(|text| !is_date(text))?;
            Some(lastmod)
        });
        let mut dates = Tally::default();
        wrong.for_each(|date| dates.add(&date));
        dates.tell("dated, but not in W3C form", &mut listed.problems);
    }
}

/// How many, and the first of them.
#[derive(Default)]
struct Tally {
    count: usize,
    first: String,
}

impl Tally {
    fn add(&mut self, text: &str) {
        if self.count == 0 {
            self.first = text.chars().take(100).collect();
        }
        self.count += 1;
    }

    fn tell(&self, what: &str, problems: &mut Vec<String>) {
        if self.count > 0 {
            let verb = if self.count == 1 {
                "entry is"
            } else {
                "entries are"
            };
            problems.push(format!(
                "{} {verb} {what}, such as `{}`",
                self.count, self.first
            ));
        }
    }
}

/// `2026`, `2026-02`, `2026-02-03` or that with a time and its zone.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |from: usize, to: usize| {
        let part = bytes.get(from..to);
        part.is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    match text.len() {
        4 => digits(0, 4),
        7 => {
            text.parse::<jiff::civil::Date>().is_ok()
                || format!("{text}-01").parse::<jiff::civil::Date>().is_ok()
        }
        10 => text.parse::<jiff::civil::Date>().is_ok(),
        // Seconds may be left out, which the parser does not know.
        17 if text.ends_with('Z') => text.replace('Z', ":00Z").parse::<jiff::Timestamp>().is_ok(),
        22 => {
            let (start, zone) = text.split_at_checked(16).unwrap_or_default();
            format!("{start}:00{zone}")
                .parse::<jiff::Timestamp>()
                .is_ok()
        }
        _ => text.parse::<jiff::Timestamp>().is_ok(),
    }
}

#[cfg(test)]
mod tests;
