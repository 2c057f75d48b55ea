//! Are images, scripts, styles and fonts as small as they can be, and are they there?
//! Sizes come from measured assets; markup shows the rest.

use serde::Serialize;

use super::resources::{ends_with, places, size, transferred};
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::finding::Severity::{Minor, Moderate, Serious};
use crate::page::{Asset, AssetKind};
use crate::rule::Effort::{Low, Medium};
use crate::rule::Rule;
use crate::site::{Checked, Site};

const BROKEN: Rule = Rule::performance(
    "asset-broken",
    Serious,
    Low,
    "Mend files that cannot be loaded",
    "Put the file back, or remove what loads it.",
    "RFC 9110 15.5",
);
const IMAGE_OVERSIZED: Rule = Rule::performance(
    "image-oversized",
    Moderate,
    Medium,
    "Compress large images",
    "Scale the image to the size it is shown at and save it as AVIF or WebP below 300 kB; offer sizes with srcset.",
    "",
);
const IMAGE_FORMAT: Rule = Rule::performance(
    "image-format-old",
    Minor,
    Medium,
    "Use modern image formats",
    "Save the image as AVIF or WebP, which need about half the bytes of JPEG and PNG.",
    "",
);
const ANIMATED: Rule = Rule::performance(
    "animation-as-gif",
    Moderate,
    Medium,
    "Show animations as video",
    "Use <video autoplay loop muted playsinline> with MP4 or WebM instead of a large GIF.",
    "",
);
const SCRIPT_OVERSIZED: Rule = Rule::performance(
    "script-oversized",
    Moderate,
    Medium,
    "Split large scripts",
    "Split the bundle so that a page loads only what it needs (below 250 kB over the wire), and drop unused code.",
    "",
);
const STYLE_OVERSIZED: Rule = Rule::performance(
    "style-oversized",
    Minor,
    Medium,
    "Remove unused styles",
    "Drop rules no page uses, or split the style sheet by kind of page (below 100 kB over the wire).",
    "",
);
const UNMINIFIED: Rule = Rule::performance(
    "style-unminified",
    Minor,
    Low,
    "Minify style sheets",
    "Let the build remove white space and comments.",
    "",
);
const FONT_FORMAT: Rule = Rule::performance(
    "font-format-old",
    Minor,
    Low,
    "Serve fonts as WOFF2",
    "Convert the font to WOFF2, which needs about a third fewer bytes than WOFF and half of TTF.",
    "WOFF File Format 2.0",
);
const INLINE_DATA: Rule = Rule::performance(
    "inline-data-large",
    Minor,
    Low,
    "Move large inlined files out of the HTML",
    "Load the file by its address, so that it can be cached and does not hold up the HTML.",
    "",
);

pub(super) const RULES: &[Rule] = &[
    BROKEN,
    IMAGE_OVERSIZED,
    IMAGE_FORMAT,
    ANIMATED,
    SCRIPT_OVERSIZED,
    STYLE_OVERSIZED,
    UNMINIFIED,
    FONT_FORMAT,
    INLINE_DATA,
];

/// One measured asset.
#[derive(Clone, Debug, Serialize)]
pub struct AssetRow {
    pub url: String,
    pub kind: AssetKind,
    pub status: u16,
    pub bytes: u64,
    pub transferred: u64,
    /// The first page that names it.
    pub page: String,
}

pub fn check(site: &Site) -> Checked<AssetRow> {
    let places = places(site);
    let mut checked = Checked::default();
    for asset in site.assets {
        let place = places.get(&asset.url).cloned().unwrap_or_default();
        for (rule, evidence) in problems(asset) {
            checked.findings.push(rule.at(place.clone(), &evidence));
        }
        checked.rows.push(AssetRow {
            url: asset.url.clone(),
            kind: asset.kind,
            status: asset.status,
            bytes: asset.bytes,
            transferred: transferred(asset),
            page: place.page,
        });
    }
    checked
        .findings
        .extend(site.each(inline_data).into_iter().flatten());
    checked
}

fn problems(asset: &Asset) -> Vec<(&'static Rule, String)> {
    if asset.status >= 400 {
        return vec![(&BROKEN, format!("{} answers {}", asset.url, asset.status))];
    }
    let bytes = transferred(asset);
    let ends = |endings: &[&str]| ends_with(&asset.url, endings);
    let mut problems = Vec::new();
    let mut add =
        |rule: &'static Rule| problems.push((rule, format!("{}: {}", asset.url, size(bytes))));
    match asset.kind {
        AssetKind::Image if ends(&[".gif"]) && bytes > 300_000 => add(&ANIMATED),
        AssetKind::Image if bytes > 300_000 => add(&IMAGE_OVERSIZED),
        AssetKind::Image
            if bytes > 100_000 && ends(&[".jpg", ".jpeg", ".png", ".bmp", ".tiff"]) =>
        {
            add(&IMAGE_FORMAT)
        }
        AssetKind::Script if bytes > 250_000 => add(&SCRIPT_OVERSIZED),
        AssetKind::Font if ends(&[".ttf", ".otf", ".woff", ".eot"]) => add(&FONT_FORMAT),
        AssetKind::Style => {
            if bytes > 100_000 {
                add(&STYLE_OVERSIZED);
            }
            let waste = waste(&asset.text);
            if waste > 4096 && waste * 5 > asset.text.len() {
                let evidence = format!(
                    "{}: {} of white space and comments",
                    asset.url,
                    size(waste as u64)
                );
                problems.push((&UNMINIFIED, evidence));
            }
        }
        _ => {}
    }
    problems
}

/// Bytes of a style sheet that minifying would remove: comments, indents, line ends.
fn waste(text: &str) -> usize {
    let mut waste = 0;
    let mut rest = text;
    let mut code = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        code.push_str(before);
        let comment = after.find("*/").map_or(after.len(), |end| end + 2);
        // Licences stay in minified files.
        waste += if after.starts_with('!') {
            0
        } else {
            comment + 2
        };
        rest = after.get(comment..).unwrap_or_default();
    }
    code.push_str(rest);
    let lines = code.lines().map(|line| line.len() - line.trim().len() + 1);
    waste + lines.sum::<usize>()
}

/// Inlined files are in the way of the HTML that follows them.
fn inline_data(document: &Document) -> Vec<Finding> {
    let mut found = Collector::new(document);
    for element in document.named_any(&["img", "source", "link", "script", "iframe"]) {
        let address = element
            .attr("src")
            .or(element.attr("href"))
            .unwrap_or_default();
        if address.len() > 20_000 && address.starts_with("data:") {
            let evidence = format!(
                "{} in <{}>",
                size(address.len() as u64),
                element.value().name()
            );
            found.element(&INLINE_DATA, element, &evidence);
        }
    }
    found.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all_broken, names, page, with_site};

    fn check_asset(name: &str, kind: AssetKind, bytes: u64, expected: &str) {
        let asset = Asset {
            url: format!("https://example.com/{name}"),
            kind,
            status: 200,
            bytes,
            ..Asset::default()
        };
        let page = page(&format!("<p><img src='/{name}'></p>"));
        let findings = with_site(&[page], &[asset], check).findings;
        let found: Vec<_> = names(&findings).into_iter().collect();
        assert_eq!(found.join(" "), expected, "{name}");
        assert!(
            findings
                .iter()
                .all(|finding| finding.place.element == "img"),
            "{findings:?}"
        );
    }

    #[test]
    fn sizes_and_formats_are_judged_by_kind() {
        use AssetKind::{Font, Image, Script, Style};
        check_asset("a.webp", Image, 200_000, "");
        check_asset("a.webp", Image, 400_000, "image-oversized");
        check_asset("a.JPG?x", Image, 150_000, "image-format-old");
        check_asset("a.png", Image, 90_000, "");
        check_asset("a.gif", Image, 900_000, "animation-as-gif");
        check_asset("a.js", Script, 200_000, "");
        check_asset("a.js", Script, 300_000, "script-oversized");
        check_asset("a.css", Style, 120_000, "style-oversized");
        check_asset("a.ttf", Font, 20_000, "font-format-old");
        check_asset("a.woff2", Font, 20_000, "");
    }

    #[test]
    fn broken_unminified_and_inlined_files_are_found() {
        let style = "a {\n    color: red;\n}\n\n/* why */\n".repeat(400);
        let page = page(&format!(
            "<img src='data:image/png;base64,{}'>",
            "A".repeat(30_000)
        ));
        let assets = [
            Asset {
                url: "https://example.com/a.css".into(),
                kind: AssetKind::Style,
                text: style,
                ..Asset::default()
            },
            Asset {
                url: "https://example.com/b.css".into(),
                kind: AssetKind::Style,
                text: "a{color:red}".repeat(9000),
                ..Asset::default()
            },
            Asset {
                url: "https://example.com/c".into(),
                status: 404,
                ..Asset::default()
            },
        ];
        let findings = with_site(&[page], &assets, check).findings;
        assert_eq!(
            names(&findings),
            ["asset-broken", "inline-data-large", "style-unminified"].into()
        );
        let others = [
            "image-oversized",
            "image-format-old",
            "animation-as-gif",
            "script-oversized",
            "style-oversized",
            "font-format-old",
        ];
        all_broken(RULES, &names(&findings).into_iter().chain(others).collect());
    }
}
