//! Are images, scripts, styles and fonts as small as they can be, and are they there?
//! Sizes come from measured assets; markup shows the rest.

use serde::Serialize;

use super::pixels;
use super::resources::{ends_with, places, size, transferred};
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::{Finding, Place};
use crate::page::{Asset, AssetKind};
use crate::rule::Rule;
use crate::site::{Checked, Site};

const BROKEN: Rule = Rule::performance("asset-broken");
const ICON_BROKEN: Rule = Rule::performance("favicon-broken");
const IMAGE_OVERSIZED: Rule = Rule::performance("image-oversized");
const IMAGE_FORMAT: Rule = Rule::performance("image-format-old");
const ANIMATED: Rule = Rule::performance("animation-as-gif");
const SCRIPT_OVERSIZED: Rule = Rule::performance("script-oversized");
const STYLE_OVERSIZED: Rule = Rule::performance("style-oversized");
const STYLE_UNMINIFIED: Rule = Rule::performance("style-unminified");
const SCRIPT_UNMINIFIED: Rule = Rule::performance("script-unminified");
const FONT_FORMAT: Rule = Rule::performance("font-format-old");
const INLINE_DATA: Rule = Rule::performance("inline-data-large");

pub(super) const RULES: &[Rule] = &[
    BROKEN,
    ICON_BROKEN,
    IMAGE_OVERSIZED,
    IMAGE_FORMAT,
    ANIMATED,
    SCRIPT_OVERSIZED,
    STYLE_OVERSIZED,
    STYLE_UNMINIFIED,
    SCRIPT_UNMINIFIED,
    FONT_FORMAT,
    INLINE_DATA,
    pixels::LOW_RESOLUTION,
];

/// So many bytes of white space and comments are worth a change of the build, when they are
/// also a fifth of the file.
const SPARE: u64 = 4096;

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
        checked.findings.extend(problems(asset, &place));
        checked.rows.push(AssetRow {
            url: asset.url.clone(),
            kind: asset.kind,
            status: asset.status,
            bytes: asset.bytes,
            transferred: transferred(asset),
            page: place.page,
        });
    }
    checked.findings.extend(pixels::check(site));
    let inlined = site.each(inline_data);
    checked.findings.extend(inlined.into_iter().flatten());
    checked
}

fn problems(asset: &Asset, place: &Place) -> Vec<Finding> {
    if asset.status >= 400 {
        let icon = asset.kind == AssetKind::Icon;
        let rule = if icon { ICON_BROKEN } else { BROKEN };
        let evidence = format!("{} answers {}", asset.url, asset.status);
        return vec![rule.at(place.clone(), &evidence)];
    }
    let mut found: Vec<Finding> = Vec::new();
    if let Some(rule) = size_rule(asset) {
        let bytes = transferred(asset);
        let evidence = format!("{}: {}", asset.url, size(bytes));
        found.push(rule.saving(place.clone(), &evidence, bytes));
    }
    let spare = spare_of(asset);
    let rule = match asset.kind {
        AssetKind::Style => Some(STYLE_UNMINIFIED),
        AssetKind::Script => Some(SCRIPT_UNMINIFIED),
        _ => None,
    };
    let whole = asset.bytes.max(asset.text.len() as u64);
    if let Some(rule) = rule.filter(|_| spare > SPARE && spare * 5 > whole) {
        let evidence = format!("{}: {} of white space and comments", asset.url, size(spare));
        // On the wire it is compressed with the rest.
        let share = transferred(asset) as f64 / whole.max(1) as f64;
        found.push(Finding {
            saves: (spare as f64 * share.min(1.0)) as u64,
            ..rule.at(place.clone(), &evidence)
        });
    }
    found
}

/// The rule about size or format that a file breaks.
fn size_rule(asset: &Asset) -> Option<Rule> {
    let bytes = transferred(asset);
    let ends = |endings: &[&str]| ends_with(&asset.url, endings);
    match asset.kind {
        AssetKind::Image if ends(&[".gif"]) && bytes > 300_000 => Some(ANIMATED),
        AssetKind::Image if bytes > 300_000 => Some(IMAGE_OVERSIZED),
        AssetKind::Image
            if bytes > 100_000 && ends(&[".jpg", ".jpeg", ".png", ".bmp", ".tiff"]) =>
        {
            Some(IMAGE_FORMAT)
        }
        AssetKind::Script if bytes > 250_000 => Some(SCRIPT_OVERSIZED),
        AssetKind::Font if ends(&[".ttf", ".otf", ".woff", ".eot"]) => Some(FONT_FORMAT),
        AssetKind::Style if bytes > 100_000 => Some(STYLE_OVERSIZED),
        _ => None,
    }
}

fn spare_of(asset: &Asset) -> u64 {
    if asset.spare > 0 {
        asset.spare
    } else {
        spare(asset.kind, &asset.text)
    }
}

/// Bytes of a script or style sheet that minifying would remove for sure: comments that begin a
/// line, indents, line ends.
pub fn spare(kind: AssetKind, text: &str) -> u64 {
    if !matches!(kind, AssetKind::Style | AssetKind::Script) {
        return 0;
    }
    let mut spare = 0;
    let mut comment = false;
    for line in text.lines() {
        let code = line.trim();
        // Licences stay in minified files.
        let opens = code.starts_with("/*") && !code.starts_with("/*!");
        let whole = comment || opens || (kind == AssetKind::Script && code.starts_with("//"));
        spare += line.len() + 1 - if whole { 0 } else { code.len() };
        comment = (comment || opens) && !code.contains("*/");
    }
    spare as u64
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
            "favicon-broken",
            "script-unminified",
            "image-low-resolution",
            "image-oversized",
            "image-format-old",
            "animation-as-gif",
            "script-oversized",
            "style-oversized",
            "font-format-old",
        ];
        all_broken(RULES, &names(&findings).into_iter().chain(others).collect());
    }

    #[test]
    fn scripts_and_icons_are_looked_at_too() {
        let script = "// why\nfunction a() {\n        return 1;\n}\n".repeat(300);
        let asset = |name: &str, kind, status, text: &str| Asset {
            url: format!("https://example.com/{name}"),
            kind,
            status,
            spare: spare(kind, text),
            bytes: text.len() as u64,
            ..Asset::default()
        };
        let assets = [
            asset("a.js", AssetKind::Script, 200, &script),
            asset("b.js", AssetKind::Script, 200, &"x();".repeat(5000)),
            asset("favicon.ico", AssetKind::Icon, 404, ""),
        ];
        let findings = with_site(&[page("<p>")], &assets, check).findings;
        assert_eq!(
            names(&findings),
            ["favicon-broken", "script-unminified"].into()
        );
        let [script, icon] = &findings[..] else {
            panic!("two findings");
        };
        assert!(script.saves > 4096, "{}", script.saves);
        assert_eq!(icon.place.page, "https://example.com/");
    }

    #[test]
    fn mending_saves_a_share_of_the_file() {
        let asset = Asset {
            url: "https://example.com/a.png".into(),
            kind: AssetKind::Image,
            bytes: 200_000,
            ..Asset::default()
        };
        let findings = with_site(&[page("<p>")], &[asset], check).findings;
        assert_eq!(findings[0].saves, 90_000);
    }
}
