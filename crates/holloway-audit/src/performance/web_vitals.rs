//! Which Core Web Vitals are at risk? Real values need real browsers; this reads from the
//! HTML what is known to spoil them: a late largest picture (LCP, good to 2.5 s), things that
//! jump (CLS, good to 0.1), long work of scripts (INP, good to 200 ms). All are static estimates.

use scraper::{ElementRef, Node};
use serde::Serialize;

use super::resources::{Measured, resources, size, transferred};
use crate::collect::Collector;
use crate::document::{Document, within};
use crate::finding::Finding;
use crate::page::AssetKind;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const LAZY: Rule = Rule::performance("lcp-image-lazy");
const LARGE: Rule = Rule::performance("lcp-image-heavy");
const UNSIZED: Rule = Rule::performance("cls-image-unsized");
const FRAME_UNSIZED: Rule = Rule::performance("cls-frame-unsized");
const SCRIPTS: Rule = Rule::performance("inp-scripts-heavy");
const THIRD_PARTIES: Rule = Rule::performance("inp-third-parties-many");

pub(super) const RULES: &[Rule] = &[LAZY, LARGE, UNSIZED, FRAME_UNSIZED, SCRIPTS, THIRD_PARTIES];

const SCRIPT_BYTES: u64 = 1_000_000;
const FOREIGN_HOSTS: usize = 5;
/// An image after more text than this is below the first screen.
const SCREEN_OF_TEXT: usize = 600;

/// How much each figure is at risk, by what the HTML shows.
#[derive(Clone, Debug, Serialize)]
pub struct VitalsRow {
    pub page: String,
    /// What is probably the largest thing on the first screen; empty if it is text.
    pub lcp_candidate: String,
    pub lcp_risk: &'static str,
    pub cls_risk: &'static str,
    pub inp_risk: &'static str,
    pub unsized_images: usize,
    pub script_bytes: u64,
    pub third_party_hosts: usize,
}

pub fn check(site: &Site) -> Checked<VitalsRow> {
    let measured = Measured::new(site);
    site.rows(|document| check_page(document, &measured))
}

fn check_page(document: &Document, measured: &Measured) -> (Vec<Finding>, VitalsRow) {
    let mut found = Collector::new(document);
    let mut row = VitalsRow {
        page: document.page().url.clone(),
        lcp_candidate: String::new(),
        lcp_risk: "low",
        cls_risk: "low",
        inp_risk: "low",
        unsized_images: 0,
        script_bytes: 0,
        third_party_hosts: 0,
    };
    check_largest(&mut found, &mut row, measured);
    check_jumps(&mut found, &mut row);
    check_work(&mut found, &mut row, measured);
    (found.finish(), row)
}

fn check_largest(found: &mut Collector, row: &mut VitalsRow, measured: &Measured) {
    let document = found.document();
    if document.page().first_byte_ms > 1800.0 {
        row.lcp_risk = "high";
    }
    let Some(image) = candidate(document) else {
        return;
    };
    row.lcp_candidate = document.path(image);
    let lazy = image
        .attr("loading")
        .is_some_and(|loading| loading.eq_ignore_ascii_case("lazy"));
    if lazy {
        row.lcp_risk = "high";
        found.tag(&LAZY, image);
    }
    let url = image
        .attr("src")
        .and_then(|source| document.resolve(source));
    let bytes = url
        .and_then(|url| measured.get(&url))
        .map_or(0, transferred);
    if bytes > 200_000 {
        row.lcp_risk = if row.lcp_risk == "low" {
            "medium"
        } else {
            row.lcp_risk
        };
        found.element(&LARGE, image, &size(bytes));
    }
}

/// The first image that is large by what is said about it, and stands on the first screen.
fn candidate(document: &Document) -> Option<ElementRef<'_>> {
    let body = document.first("body")?;
    let mut text = 0;
    for node in body.descendants() {
        match node.value() {
            Node::Text(piece) => {
                let around = node.parent().and_then(ElementRef::wrap);
                let counts =
                    around.is_some_and(|around| !is_aside(around) && !document.is_hidden(around));
                // White space between elements is no text, however much there is.
                text += if counts { piece.trim().len() } else { 0 };
            }
            Node::Element(value) if value.name() == "img" => {
                let image = ElementRef::wrap(node)
                    .filter(|image| is_large(*image) && !document.is_hidden(*image));
                if image.is_some() {
                    return image;
                }
            }
            _ => {}
        }
        if text > SCREEN_OF_TEXT {
            return None;
        }
    }
    None
}

/// Logos and icons in menus are small, and menus are not read as text.
fn is_aside(element: ElementRef) -> bool {
    ["nav", "header", "footer", "template", "aside"]
        .iter()
        .any(|name| element.value().name() == *name || within(element, name))
}

fn is_large(image: ElementRef) -> bool {
    let pixels = |name: &str| {
        image
            .attr(name)
            .and_then(|text| text.trim().parse::<u32>().ok())
    };
    let small = |name: &str| pixels(name).is_some_and(|pixels| pixels < 200);
    let source = image.attr("src").unwrap_or_default();
    let has_source = !source.trim().is_empty() && !source.starts_with("data:");
    has_source && !small("width") && !small("height") && !is_aside(image)
}

fn check_jumps(found: &mut Collector, row: &mut VitalsRow) {
    let document = found.document();
    for image in document.named("img") {
        if !is_sized(image) && !document.is_hidden(image) && !is_tracker(image) {
            row.unsized_images += 1;
            found.tag(&UNSIZED, image);
        }
    }
    let mut frames = 0;
    for frame in document.named("iframe") {
        if !is_sized(frame) && !document.is_hidden(frame) {
            frames += 1;
            found.tag(&FRAME_UNSIZED, frame);
        }
    }
    row.cls_risk = match row.unsized_images + frames {
        0 => "low",
        1..=3 => "medium",
        _ => "high",
    };
}

fn is_sized(element: ElementRef) -> bool {
    let given = |name: &str| {
        element
            .attr(name)
            .is_some_and(|value| !value.trim().is_empty())
    };
    let style = element.attr("style").unwrap_or_default();
    let styled =
        style.contains("aspect-ratio") || (style.contains("width") && style.contains("height"));
    // What is taken out of the flow moves nothing.
    let out = style.contains("position:absolute") || style.contains("position: absolute");
    (given("width") && given("height")) || styled || out
}

/// An image without source is filled by a script that knows its size.
fn is_tracker(image: ElementRef) -> bool {
    image
        .attr("src")
        .is_none_or(|source| source.trim().is_empty())
}

fn check_work(found: &mut Collector, row: &mut VitalsRow, measured: &Measured) {
    let document = found.document();
    let own = document
        .url()
        .and_then(url::Url::host_str)
        .map(str::to_owned);
    let mut hosts = std::collections::BTreeSet::new();
    for resource in resources(document)
        .iter()
        .filter(|resource| resource.kind == AssetKind::Script)
    {
        let bytes = measured.get(&resource.url).map_or(0, |asset| asset.bytes);
        row.script_bytes = row.script_bytes.saturating_add(bytes);
        let host = resource.url.host_str().map(str::to_owned);
        hosts.extend(host.filter(|host| own.as_ref() != Some(host)));
    }
    row.third_party_hosts = hosts.len();
    if row.script_bytes > SCRIPT_BYTES {
        row.inp_risk = "high";
        found.page(&SCRIPTS, &format!("{} of scripts", size(row.script_bytes)));
    }
    if hosts.len() > FOREIGN_HOSTS {
        row.inp_risk = if row.inp_risk == "low" {
            "medium"
        } else {
            row.inp_risk
        };
        let hosts: Vec<_> = hosts.into_iter().collect();
        found.page(
            &THIRD_PARTIES,
            &format!("scripts from {}", hosts.join(", ")),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Asset;
    use crate::testing::{check_changes, names, page, with_site};

    const GOOD: &str = r#"<body><header><img src="logo.svg" width="40" height="40" loading="lazy"></header>
<main><h1>Boots</h1><img src="hero.webp" width="1200" height="600" alt=""><p>Text</p>
<img src="later.webp" style="aspect-ratio: 2" loading="lazy"><iframe src="map" width="600" height="400"></iframe></main>
<script src="a.js"></script></body>"#;

    #[test]
    fn what_the_html_shows_is_judged() {
        let hosts = (0..6).fold(String::new(), |html, n| {
            html + &format!("<script src='https://{n}.example/a.js'></script>")
        });
        let text = "text ".repeat(300);
        let elsewhere = ["lcp-image-heavy", "inp-scripts-heavy"];
        check_changes(
            GOOD,
            RULES,
            &elsewhere,
            |site| check(site).findings,
            &[
                (
                    "height=\"600\"",
                    "height=\"600\" loading=lazy",
                    &["lcp-image-lazy"],
                ),
                (
                    "<img src=\"hero.webp\" width=\"1200\" height=\"600\" alt=\"\">",
                    &text,
                    &[],
                ),
                (" height=\"600\"", "", &["cls-image-unsized"]),
                (" style=\"aspect-ratio: 2\"", "", &["cls-image-unsized"]),
                (" width=\"600\"", "", &["cls-frame-unsized"]),
                ("</body>", &hosts, &["inp-third-parties-many"]),
            ],
        );
    }

    #[test]
    fn what_was_measured_is_judged_too() {
        let asset = |name: &str, bytes| Asset {
            url: format!("https://example.com/{name}"),
            bytes,
            ..Asset::default()
        };
        let light = [asset("a.js", 300_000), asset("hero.webp", 100_000)];
        let heavy = [asset("a.js", 3_000_000), asset("hero.webp", 400_000)];
        let of = |assets: &[Asset]| with_site(&[page(GOOD)], assets, check);
        assert_eq!(names(&of(&light).findings), [].into());
        let checked = of(&heavy);
        assert_eq!(
            names(&checked.findings),
            ["inp-scripts-heavy", "lcp-image-heavy"].into()
        );
        let row = &checked.rows[0];
        assert_eq!(
            (row.lcp_risk, row.cls_risk, row.inp_risk),
            ("medium", "low", "high")
        );
        assert_eq!(row.lcp_candidate, "main > img:nth-of-type(1)");
    }
}
