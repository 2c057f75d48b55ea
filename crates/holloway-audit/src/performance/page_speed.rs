//! How heavy is a page and how soon does it answer? Bytes with everything the HTML loads,
//! number of requests and elements, measured times, redirects on the way.

use serde::Serialize;

use super::resources::{Measured, resources, size, transferred};
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const HEAVY: Rule = Rule::performance("page-heavy");
const VERY_HEAVY: Rule = Rule::performance("page-very-heavy");
const HTML_LARGE: Rule = Rule::performance("html-large");
const MANY_ELEMENTS: Rule = Rule::performance("dom-large");
const MANY_REQUESTS: Rule = Rule::performance("requests-many");
const SLOW_ANSWER: Rule = Rule::performance("first-byte-slow");
const VERY_SLOW_ANSWER: Rule = Rule::performance("first-byte-very-slow");
const SLOW_BODY: Rule = Rule::performance("download-slow");
const REDIRECTS: Rule = Rule::performance("redirect-chain");

pub(super) const RULES: &[Rule] = &[
    HEAVY,
    VERY_HEAVY,
    HTML_LARGE,
    MANY_ELEMENTS,
    MANY_REQUESTS,
    SLOW_ANSWER,
    VERY_SLOW_ANSWER,
    SLOW_BODY,
    REDIRECTS,
];

/// What one page weighs and how long it took.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedRow {
    pub page: String,
    pub html_bytes: u64,
    pub transferred: u64,
    /// Bytes over the wire of measured assets that the HTML names.
    pub asset_bytes: u64,
    /// Files the HTML names, and how many of them were measured.
    pub requests: usize,
    pub measured: usize,
    pub elements: usize,
    pub first_byte_ms: f64,
    pub total_ms: f64,
    pub redirects: usize,
}

pub fn check(site: &Site) -> Checked<SpeedRow> {
    let measured = Measured::new(site);
    site.rows(|document| check_page(document, &measured))
}

fn check_page(document: &Document, measured: &Measured) -> (Vec<Finding>, SpeedRow) {
    let mut found = Collector::new(document);
    let row = row(document, measured);
    check_weight(&mut found, &row);
    check_times(&mut found, &row);
    (found.finish(), row)
}

fn row(document: &Document, measured: &Measured) -> SpeedRow {
    let page = document.page();
    let resources = resources(document);
    let assets: Vec<_> = resources
        .iter()
        .filter_map(|resource| measured.get(&resource.url))
        .collect();
    let html_bytes = page.bytes.max(page.html.len() as u64);
    SpeedRow {
        page: page.url.clone(),
        html_bytes,
        transferred: if page.transferred > 0 {
            page.transferred
        } else {
            html_bytes
        },
        asset_bytes: assets
            .iter()
            .fold(0, |sum: u64, asset| sum.saturating_add(transferred(asset))),
        requests: resources.len(),
        measured: assets.len(),
        elements: document.elements().count(),
        first_byte_ms: page.first_byte_ms,
        total_ms: page.total_ms,
        redirects: page.redirects.len(),
    }
}

fn check_weight(found: &mut Collector, row: &SpeedRow) {
    let total = row.transferred.saturating_add(row.asset_bytes);
    let evidence = format!(
        "{}: HTML {}, {} measured files {}",
        size(total),
        size(row.transferred),
        row.measured,
        size(row.asset_bytes),
    );
    match total {
        0..=2_000_000 => {}
        2_000_001..=5_000_000 => found.page(&HEAVY, &evidence),
        _ => found.page(&VERY_HEAVY, &evidence),
    }
    if row.html_bytes > 250_000 {
        found.page(&HTML_LARGE, &size(row.html_bytes));
    }
    if row.elements > 1500 {
        found.page(&MANY_ELEMENTS, &format!("{} elements", row.elements));
    }
    if row.requests > 80 {
        found.page(&MANY_REQUESTS, &format!("{} files", row.requests));
    }
}

fn check_times(found: &mut Collector, row: &SpeedRow) {
    let first = row.first_byte_ms;
    if first > 1800.0 {
        found.page(
            &VERY_SLOW_ANSWER,
            &format!("first byte after {first:.0} ms"),
        );
    } else if first > 800.0 {
        found.page(&SLOW_ANSWER, &format!("first byte after {first:.0} ms"));
    }
    let download = row.total_ms - first;
    if download > 1000.0 {
        found.page(
            &SLOW_BODY,
            &format!("{download:.0} ms from first to last byte"),
        );
    }
    if row.redirects > 1 {
        let chain = found.document().page().redirects.join(" → ");
        found.page(&REDIRECTS, &format!("{} redirects: {chain}", row.redirects));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Asset, Page};
    use crate::testing::{all_broken, names, page, with_site};

    fn check_one(change: impl Fn(&mut Page, &mut Asset), expected: &str) {
        let mut page = page("<link rel=stylesheet href=a.css><img src='a.png'><img src='a.png#x'>");
        let mut asset = Asset {
            url: "https://example.com/a.png".into(),
            bytes: 1000,
            ..Asset::default()
        };
        (page.first_byte_ms, page.total_ms) = (300.0, 700.0);
        page.redirects = vec!["http://example.com/".into()];
        change(&mut page, &mut asset);
        let checked = with_site(&[page], &[asset], check);
        let found: Vec<_> = names(&checked.findings).into_iter().collect();
        assert_eq!(found.join(" "), expected);
        assert_eq!(
            (checked.rows[0].measured >= 1, checked.rows[0].requests >= 2),
            (true, true)
        );
    }

    #[test]
    fn every_rule_fires_and_stays_silent() {
        check_one(|_, _| {}, "");
        check_one(|_, asset| asset.bytes = 3_000_000, "page-heavy");
        check_one(
            |_, asset| (asset.bytes, asset.transferred) = (3_000_000, 900_000),
            "",
        );
        check_one(|_, asset| asset.bytes = u64::MAX, "page-very-heavy");
        check_one(|page, _| page.bytes = 300_000, "html-large");
        check_one(
            |page, _| page.html.push_str(&"<i></i>".repeat(1500)),
            "dom-large",
        );
        let images =
            |count| (0..count).fold(String::new(), |html, n| html + &format!("<img src={n}>"));
        check_one(|page, _| page.html.push_str(&images(90)), "requests-many");
        check_one(|page, _| page.first_byte_ms = 900.0, "first-byte-slow");
        check_one(
            |page, _| (page.first_byte_ms, page.total_ms) = (1900.0, 2000.0),
            "first-byte-very-slow",
        );
        check_one(|page, _| page.total_ms = 1500.0, "download-slow");
        check_one(
            |page, _| page.redirects.push("https://example.com/a".into()),
            "redirect-chain",
        );
        let tested = "page-heavy page-very-heavy html-large dom-large requests-many first-byte-slow first-byte-very-slow download-slow redirect-chain";
        all_broken(RULES, &tested.split(' ').collect());
    }
}
