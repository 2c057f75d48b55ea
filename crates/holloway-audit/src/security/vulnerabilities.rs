//! Is something on these pages known to be dangerous? Old libraries, code of others without
//! a check, handlers in the HTML, and what should not have been published.

use rustc_hash::FxHashSet;
use scraper::ElementRef;
use serde::Serialize;

use super::exposures;
use super::libraries::{Version, in_address, in_comment, show, weaknesses};
use crate::collect::Collector;
use crate::document::{Document, has_word};
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const LIBRARY: Rule = Rule::security("library-vulnerable");
const INTEGRITY: Rule = Rule::security("integrity-missing");
const HANDLER: Rule = Rule::security("inline-handler");

pub(super) const RULES: &[Rule] = &[LIBRARY, INTEGRITY, HANDLER];

/// Servers where everybody can publish, or that many sites share; files there have fixed
/// versions, so that their hash can be known.
const PUBLIC: [&str; 12] = [
    "cdn.jsdelivr.net",
    "cdnjs.cloudflare.com",
    "unpkg.com",
    "code.jquery.com",
    "maxcdn.bootstrapcdn.com",
    "stackpath.bootstrapcdn.com",
    "netdna.bootstrapcdn.com",
    "ajax.googleapis.com",
    "ajax.aspnetcdn.com",
    "cdn.bootcdn.net",
    "esm.sh",
    "rawcdn.githack.com",
];

/// Libraries of one page beyond this are checked but not listed.
const LISTED: usize = 200;

/// One library that a page uses.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryRow {
    pub page: String,
    pub library: String,
    pub version: String,
    pub advisories: Vec<String>,
    /// The first version without any of these; empty if none is known against this one.
    pub mended_in: String,
}

pub fn check(site: &Site) -> Checked<LibraryRow> {
    Checked::page_by_page(site, check_page)
}

fn check_page(document: &Document) -> (Vec<Finding>, Vec<LibraryRow>) {
    let mut found = Collector::new(document);
    let rows = check_libraries(&mut found);
    check_integrity(&mut found);
    check_handlers(&mut found);
    exposures::check(&mut found);
    (found.finish(), rows)
}

fn check_libraries(found: &mut Collector) -> Vec<LibraryRow> {
    let document = found.document();
    let mut seen = FxHashSet::default();
    let mut rows = Vec::new();
    for element in document.named_any(&["script", "link"]) {
        let Some((library, version)) = library(element).filter(|found| seen.insert(*found)) else {
            continue;
        };
        let mut row = LibraryRow {
            page: document.page().url.clone(),
            library: library.to_owned(),
            version: show(version),
            advisories: Vec::new(),
            mended_in: String::new(),
        };
        if let Some((advisories, below)) = weaknesses(library, version) {
            let first = advisories.first().copied().unwrap_or_default();
            let evidence = format!(
                "{library} {} is older than {}: {first}",
                show(version),
                show(below)
            );
            found.element(&LIBRARY, element, &evidence);
            row.advisories = advisories.into_iter().map(str::to_owned).collect();
            row.mended_in = show(below);
        }
        if rows.len() < LISTED {
            rows.push(row);
        }
    }
    rows
}

fn library(element: ElementRef) -> Option<(&'static str, Version)> {
    let value = element.value();
    match value.attr("src").or(value.attr("href")) {
        Some(address) => in_address(address),
        None => in_comment(element.text().next()?),
    }
}

fn check_integrity(found: &mut Collector) {
    let document = found.document();
    for element in document.named_any(&["script", "link"]) {
        let value = element.value();
        let address = match value.name() {
            "script" => value.attr("src"),
            _ if has_word(value.attr("rel"), "stylesheet") => value.attr("href"),
            _ => None,
        };
        let url = address.and_then(|address| document.resolve(address));
        let public =
            url.is_some_and(|url| url.host_str().is_some_and(|host| PUBLIC.contains(&host)));
        if public
            && value
                .attr("integrity")
                .is_none_or(|hash| hash.trim().is_empty())
        {
            found.tag(&INTEGRITY, element);
        }
    }
}

fn check_handlers(found: &mut Collector) {
    let document = found.document();
    for element in document.elements() {
        let mut attributes = element.value().attrs();
        let handler = attributes.find(|(name, _)| is_handler(name));
        if let Some((name, value)) = handler {
            found.element(&HANDLER, element, &format!("{name}=\"{value}\""));
        }
    }
}

/// Frameworks use names like `on:click`; the browser's own have letters only.
fn is_handler(name: &str) -> bool {
    let event = name.strip_prefix("on").unwrap_or_default();
    event.len() > 2
        && event.bytes().all(|byte| byte.is_ascii_lowercase())
        && EVENTS.contains(&event)
}

const EVENTS: [&str; 30] = [
    "abort",
    "blur",
    "change",
    "click",
    "contextmenu",
    "dblclick",
    "drag",
    "drop",
    "error",
    "focus",
    "hashchange",
    "input",
    "keydown",
    "keypress",
    "keyup",
    "load",
    "message",
    "mousedown",
    "mouseenter",
    "mouseleave",
    "mousemove",
    "mouseout",
    "mouseover",
    "mouseup",
    "reset",
    "resize",
    "scroll",
    "submit",
    "touchstart",
    "unload",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_changes, page, with_site};

    const GOOD: &str = r#"<head><title>Boots</title><link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css" integrity="sha384-x" crossorigin>
<script src="/js/jquery-3.7.1.min.js" defer></script><script src="https://tags.example/tag.js" async></script></head>
<body><!-- menu --><button on:click="x" data-onclick="y">Go</button><p>How to read “Traceback” lines</p>
<pre>Traceback (most recent call last): File "x.py"</pre><script>const site = {"apiKey": "public"};</script></body>"#;

    #[test]
    fn every_rule_fires_and_stays_silent() {
        let rules: Vec<Rule> = RULES.iter().chain(exposures::RULES).copied().collect();
        check_changes(
            GOOD,
            &rules,
            &[
                "error-details",
                "directory-listing",
                "generator-version-shown",
            ],
            |site| check(site).findings,
            &[
                ("jquery-3.7.1", "jquery-3.4.1", &["library-vulnerable"]),
                (
                    "const site",
                    "/*! jQuery v1.12.4 | (c) */ const site",
                    &["library-vulnerable"],
                ),
                (" integrity=\"sha384-x\"", "", &["integrity-missing"]),
                (
                    "<script src=\"/js/",
                    "<script src=\"https://unpkg.com/",
                    &["integrity-missing"],
                ),
                ("data-onclick=\"y\"", "onclick=\"y()\"", &["inline-handler"]),
                (
                    "<!-- menu -->",
                    "<!-- password: hunter2secret -->",
                    &["comment-secret"],
                ),
                ("<!-- menu -->", "<!-- forgot password form -->", &[]),
                ("<!-- menu -->", "<!-- token: none -->", &[]),
                (
                    "\"public\"",
                    "\"AKIAABCDEFGHIJKLMNOP\"",
                    &["secret-published"],
                ),
                (
                    "\"public\"",
                    "\"-----BEGIN RSA PRIVATE KEY-----\"",
                    &["secret-published"],
                ),
                (
                    "<title>Boots</title>",
                    "<title>Index of /files</title>",
                    &[],
                ),
            ],
        );
    }

    #[test]
    fn libraries_are_listed_with_what_is_known() {
        let page =
            page("<script src=/jquery-1.12.4.js></script><script src=/moment@2.30.1.js></script>");
        let rows = with_site(&[page], &[], check).rows;
        let shown: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.library.as_str(),
                    row.version.as_str(),
                    row.advisories.len(),
                    row.mended_in.as_str(),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("jQuery", "1.12.4", 3, "3.5.0"),
                ("Moment", "2.30.1", 0, "")
            ]
        );
    }
}
