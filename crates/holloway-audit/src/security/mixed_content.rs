//! Does a safe page load unsafe things? Over https nothing should come by plain http: it
//! can be changed on the way, and browsers block it.

use std::sync::LazyLock;

use regex::Regex;
use scraper::ElementRef;
use serde::Serialize;

use super::is_local;
use crate::collect::Collector;
use crate::document::{Document, has_word};
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const ACTIVE: Rule = Rule::security("mixed-content-active");
const PASSIVE: Rule = Rule::security("mixed-content-passive");
const LINK: Rule = Rule::security("link-insecure");

pub(super) const RULES: &[Rule] = &[ACTIVE, PASSIVE, LINK];

/// Something that is loaded over plain http.
#[derive(Clone, Debug, Serialize)]
pub struct PlainHttpRow {
    pub page: String,
    /// `active` or `passive`.
    pub kind: &'static str,
    pub url: String,
}

/// Rows per page; findings have their own bound.
const LISTED: usize = 200;

pub fn check(site: &Site) -> Checked<PlainHttpRow> {
    Checked::page_by_page(site, check_page)
}

fn check_page(document: &Document) -> (Vec<Finding>, Vec<PlainHttpRow>) {
    let mut found = Collector::new(document);
    let mut rows = Vec::new();
    let secure = document.url().is_some_and(|url| url.scheme() == "https");
    if !secure {
        return (Vec::new(), rows);
    }
    if !upgrades(document) {
        check_loaded(&mut found, &mut rows);
    }
    check_links(&mut found);
    (found.finish(), rows)
}

/// With this the browser asks for https whatever the HTML says.
fn upgrades(document: &Document) -> bool {
    let policy = document.page().headers.get("content-security-policy");
    let metas = document.named("meta").filter_map(|meta| {
        let name = meta.attr("http-equiv").unwrap_or_default();
        let policy = name.eq_ignore_ascii_case("content-security-policy");
        meta.attr("content").filter(|_| policy)
    });
    let mut policies = policy.map(String::as_str).into_iter().chain(metas);
    policies.any(|policy| policy.contains("upgrade-insecure-requests"))
}

fn check_loaded(found: &mut Collector, rows: &mut Vec<PlainHttpRow>) {
    let document = found.document();
    let names = [
        "script", "link", "iframe", "object", "embed", "img", "audio", "video", "source", "track",
    ];
    for element in document.named_any(&names) {
        if let Some((address, active)) = loaded(element) {
            check_address(found, rows, element, address, active);
        }
        let pictures = [element.attr("srcset"), element.attr("imagesrcset")];
        for address in pictures.into_iter().flatten().flat_map(candidates) {
            check_address(found, rows, element, address, false);
        }
        if let Some(address) = element.attr("poster") {
            check_address(found, rows, element, address, false);
        }
    }
    for element in document.elements() {
        if let Some(style) = element.attr("style") {
            check_style(found, rows, element, style);
        }
    }
    for element in document.named("style") {
        for text in element.text() {
            check_style(found, rows, element, text);
        }
    }
}

fn check_address(
    found: &mut Collector,
    rows: &mut Vec<PlainHttpRow>,
    element: ElementRef,
    address: &str,
    active: bool,
) {
    let document = found.document();
    let url = document.resolve(address);
    let Some(url) = url.filter(|url| url.scheme() == "http" && !is_local(url)) else {
        return;
    };
    found.tag(if active { &ACTIVE } else { &PASSIVE }, element);
    if rows.len() < LISTED {
        rows.push(PlainHttpRow {
            page: document.page().url.clone(),
            kind: if active { "active" } else { "passive" },
            url: url.into(),
        });
    }
}

/// The addresses of a `srcset`, such as `a.png 1x, b.png 2x`.
fn candidates(set: &str) -> impl Iterator<Item = &str> {
    set.split_ascii_whitespace().map(|word| {
        let word = word.trim_matches(',');
        // Without a gap the next address follows the size: `1x,b.png`.
        match word.split_once(',') {
            Some((size, address)) if size.ends_with(['x', 'w']) && !size.contains([':', '/']) => {
                address
            }
            _ => word,
        }
    })
}

/// Comments first, so that what is in them does not count.
static IN_STYLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let address = r#"http://[^\s"')]+"#;
    let quote = r#"["']?"#;
    Regex::new(&format!(
        r"(?is)/\*.*?\*/|@import\s*(?:url\(\s*)?{quote}(?P<sheet>{address})|url\(\s*{quote}(?P<picture>{address})"
    ))
    .ok()
});

fn check_style(
    found: &mut Collector,
    rows: &mut Vec<PlainHttpRow>,
    element: ElementRef,
    text: &str,
) {
    let pattern = IN_STYLE.as_ref().filter(|_| text.contains("//"));
    for loaded in pattern
        .iter()
        .flat_map(|pattern| pattern.captures_iter(text))
    {
        if let Some(address) = loaded.name("sheet") {
            check_address(found, rows, element, address.as_str(), true);
        } else if let Some(address) = loaded.name("picture") {
            check_address(found, rows, element, address.as_str(), false);
        }
    }
}

/// The address an element loads, and whether what comes can change the page.
fn loaded(element: ElementRef<'_>) -> Option<(&str, bool)> {
    let value = element.value();
    match value.name() {
        "script" | "iframe" | "embed" => Some((value.attr("src")?, true)),
        "object" => Some((value.attr("data")?, true)),
        "link" => {
            let relation = value.attr("rel");
            let active = ["stylesheet", "preload", "modulepreload", "manifest"];
            let active = active.iter().any(|name| has_word(relation, name));
            (active || has_word(relation, "icon")).then_some(())?;
            Some((value.attr("href")?, active))
        }
        _ => Some((value.attr("src")?, false)),
    }
}

fn check_links(found: &mut Collector) {
    let document = found.document();
    let own = document.url().and_then(url::Url::host_str);
    for link in document.links() {
        let insecure = link.target.scheme() == "http" && link.target.host_str() == own;
        if insecure && let Some(element) = document.element(link.node) {
            found.element(&LINK, element, link.target.as_str());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_changes, page_at, with_site};

    const GOOD: &str = r#"<head><link rel="stylesheet" href="//example.com/a.css"><link rel="canonical" href="https://example.com/"></head>
<script src="https://example.com/a.js"></script><img src="/a.png"><a href="/b">B</a><a href="http://else.example/">Else</a>
<iframe src="http://localhost:1/"></iframe><video src="https://example.com/v" poster="/p.png"></video>
<img src="/b.png" srcset="/s.png 1x,/t.png 2x"><style>/* url(http://else.example/c) */ @import "/i.css"; p{background:url(/u.png)}</style>
<p style="background: url('/w.png')">"#;

    #[test]
    fn every_rule_fires_and_stays_silent() {
        check_changes(
            GOOD,
            RULES,
            &[],
            |site| check(site).findings,
            &[
                (
                    "https://example.com/a.js",
                    "http://example.com/a.js",
                    &["mixed-content-active"],
                ),
                (
                    "//example.com/a.css",
                    "http://example.com/a.css",
                    &["mixed-content-active"],
                ),
                (
                    "\"/a.png\"",
                    "\"http://else.example/a.png\"",
                    &["mixed-content-passive"],
                ),
                (
                    "https://example.com/v",
                    "http://example.com/v",
                    &["mixed-content-passive"],
                ),
                (
                    "/p.png",
                    "http://else.example/p",
                    &["mixed-content-passive"],
                ),
                (
                    "/s.png",
                    "http://else.example/s",
                    &["mixed-content-passive"],
                ),
                (
                    "/t.png",
                    "http://else.example/t",
                    &["mixed-content-passive"],
                ),
                (
                    "/u.png",
                    "http://else.example/u",
                    &["mixed-content-passive"],
                ),
                (
                    "/w.png",
                    "http://else.example/w",
                    &["mixed-content-passive"],
                ),
                ("/i.css", "http://else.example/i", &["mixed-content-active"]),
                ("\"/b\"", "\"http://example.com/b\"", &["link-insecure"]),
                ("canonical\" href=\"https:", "canonical\" href=\"http:", &[]),
            ],
        );
    }

    #[test]
    fn pages_over_http_and_pages_that_upgrade_have_none() {
        let bad = "<img src=http://else.example/a.png>";
        let upgrading = format!(
            "<meta http-equiv=Content-Security-Policy content=upgrade-insecure-requests>{bad}"
        );
        for page in [
            page_at("http://example.com/", bad),
            page_at("https://example.com/", &upgrading),
        ] {
            assert_eq!(with_site(&[page], &[], check).findings, []);
        }
    }
}
