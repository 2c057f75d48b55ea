//! What holds up the first picture? Scripts in the head that wait for the network, many
//! style sheets, imports behind imports, `document.write`, fonts that hide text.

use scraper::ElementRef;
use serde::Serialize;

use super::resources::{places, size};
use crate::collect::Collector;
use crate::document::{Document, has_word, within};
use crate::finding::Finding;
use crate::page::AssetKind;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const SCRIPT: Rule = Rule::performance("script-blocking");
const STYLES: Rule = Rule::performance("style-blocking-many");
const IMPORT: Rule = Rule::performance("style-import");
const WRITE: Rule = Rule::performance("document-write");
const INLINE_SCRIPT: Rule = Rule::performance("inline-script-large");
const FONT_DISPLAY: Rule = Rule::performance("font-display-missing");

pub(super) const RULES: &[Rule] = &[SCRIPT, STYLES, IMPORT, WRITE, INLINE_SCRIPT, FONT_DISPLAY];

const STYLE_SHEETS: usize = 3;
const INLINE_BYTES: usize = 50_000;

/// How much of a page waits for others.
#[derive(Clone, Debug, Serialize)]
pub struct BlockingRow {
    pub page: String,
    pub blocking_scripts: usize,
    pub blocking_styles: usize,
    pub inline_script_bytes: usize,
    pub inline_style_bytes: usize,
}

pub fn check(site: &Site) -> Checked<BlockingRow> {
    let mut checked = site.rows(check_page);
    let places = places(site);
    let styles = site
        .assets
        .iter()
        .filter(|asset| asset.kind == AssetKind::Style);
    for asset in styles {
        let place = places.get(&asset.url).cloned().unwrap_or_default();
        for (rule, evidence) in style_problems(&asset.text) {
            let evidence = format!("{}: {evidence}", asset.url);
            checked.findings.push(rule.at(place.clone(), &evidence));
        }
    }
    checked
}

fn check_page(document: &Document) -> (Vec<Finding>, BlockingRow) {
    let mut found = Collector::new(document);
    let mut row = BlockingRow {
        page: document.page().url.clone(),
        blocking_scripts: 0,
        blocking_styles: 0,
        inline_script_bytes: 0,
        inline_style_bytes: 0,
    };
    for script in document.named("script").filter(|script| is_code(*script)) {
        check_script(&mut found, &mut row, script);
    }
    let sheets: Vec<_> = document
        .relations("stylesheet")
        .filter(|sheet| holds_up(*sheet))
        .collect();
    row.blocking_styles = sheets.len();
    if let Some(first_extra) = sheets.get(STYLE_SHEETS) {
        let evidence = format!("{} style sheets in the head", sheets.len());
        found.element(&STYLES, *first_extra, &evidence);
    }
    for style in document.named("style") {
        let text: String = style.text().collect();
        row.inline_style_bytes += text.len();
        for (rule, evidence) in style_problems(&text) {
            found.element(rule, style, &evidence);
        }
    }
    (found.finish(), row)
}

fn check_script(found: &mut Collector, row: &mut BlockingRow, script: ElementRef) {
    let value = script.value();
    if value.attr("src").is_some() {
        let module = value
            .attr("type")
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("module"));
        let waits = value.attr("async").or(value.attr("defer")).is_none() && !module;
        if waits && within(script, "head") {
            row.blocking_scripts += 1;
            found.tag(&SCRIPT, script);
        }
        return;
    }
    let text: String = script.text().collect();
    row.inline_script_bytes += text.len();
    if text.contains("document.write(") || text.contains("document.writeln(") {
        found.element(&WRITE, script, &around(&text, "document.write"));
    }
    if text.len() > INLINE_BYTES {
        found.element(&INLINE_SCRIPT, script, &size(text.len() as u64));
    }
}

/// Data in a script element is not run.
fn is_code(script: ElementRef) -> bool {
    let kind = script
        .attr("type")
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    kind.is_empty() || kind == "module" || kind.ends_with("javascript")
}

/// A style sheet in the head for this screen; the trick with `media="print"` and `onload` counts as late.
fn holds_up(sheet: ElementRef) -> bool {
    let media = sheet.attr("media").unwrap_or("all").trim();
    let meant = media.is_empty() || media.eq_ignore_ascii_case("all") || media.contains("screen");
    let off = sheet.attr("disabled").is_some() || has_word(sheet.attr("rel"), "alternate");
    meant && !off && within(sheet, "head")
}

fn style_problems(text: &str) -> Vec<(&'static Rule, String)> {
    let mut problems = Vec::new();
    if text.contains("@import") {
        problems.push((&IMPORT, around(text, "@import")));
    }
    // In each @font-face, up to its closing brace.
    for face in text.split("@font-face").skip(1) {
        let body = face.split('}').next().unwrap_or_default();
        if body.contains("url(") && !body.contains("font-display") {
            problems.push((&FONT_DISPLAY, format!("@font-face {body}}}")));
            break;
        }
    }
    problems
}

fn around(text: &str, what: &str) -> String {
    let start = text.find(what).unwrap_or_default();
    let rest = text.get(start..).unwrap_or_default();
    rest.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Asset;
    use crate::testing::{check_changes, names, page, with_site};

    const GOOD: &str = r#"<head><link rel="stylesheet" href="a.css"><link rel="stylesheet" href="b.css">
<link rel="stylesheet" href="c.css" media="screen and (min-width: 10em)"><link rel="stylesheet" href="d.css" media="print">
<script defer src="a.js"></script><script type="module" src="b.js"></script><script>var a;</script>
<script type="application/json">"document.write("</script>
<style>@font-face { font-family: A; font-display: swap; src: url(a.woff2) } p { color: red }</style></head>
<body><script src="late.js"></script></body>"#;

    #[test]
    fn every_rule_fires_and_stays_silent() {
        check_changes(
            GOOD,
            RULES,
            &[],
            |site| check(site).findings,
            &[
                ("defer ", "", &["script-blocking"]),
                ("defer", "async", &[]),
                (" media=\"print\"", "", &["style-blocking-many"]),
                ("<style>", "<style>@import url(x.css);", &["style-import"]),
                ("var a;", "document.write('<p>')", &["document-write"]),
                ("var a;", &"var a;".repeat(10_000), &["inline-script-large"]),
                ("font-display: swap;", "", &["font-display-missing"]),
            ],
        );
    }

    #[test]
    fn style_sheets_are_read_too() {
        let asset = Asset {
            url: "https://example.com/a.css".into(),
            kind: AssetKind::Style,
            text: "@import 'b.css';".into(),
            ..Asset::default()
        };
        let findings = with_site(&[page(GOOD)], &[asset], check).findings;
        assert_eq!(names(&findings), ["style-import"].into());
        assert_eq!(findings[0].place.element, "head > link:nth-of-type(1)");
    }
}
