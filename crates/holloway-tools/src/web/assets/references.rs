//! What does a page load? Style sheets, scripts, images, fonts, frames and media that
//! its elements name.

use holloway_audit::document::attribute;
use holloway_audit::page::AssetKind;
use reqwest::Url;
use scraper::{ElementRef, Html};

use super::super::document::base;
use super::style::{self, Reference};

/// Everything a document loads, in its order, as often as it is named.
pub(crate) fn references(document: &Html, url: &Url) -> Vec<Reference> {
    let base = base(document, url);
    let mut found = Vec::new();
    for element in document.tree.nodes().filter_map(ElementRef::wrap) {
        named_by(element, &base, &mut found);
    }
    found
}

fn named_by(element: ElementRef<'_>, base: &Url, found: &mut Vec<Reference>) {
    let attr = |name: &str| attribute(element, name);
    let mut add = |address: Option<&str>, kind: AssetKind| {
        let url = address.map(str::trim).filter(|address| !address.is_empty());
        let url = url.and_then(|address| base.join(address).ok());
        found.extend(url.and_then(|url| Reference::of(url, kind)));
    };
    match element.value().name() {
        "link" => {
            if let Some(kind) = link_kind(element) {
                add(attr("href"), kind);
            }
        }
        "script" => add(attr("src"), AssetKind::Script),
        "input" => add(attr("src"), AssetKind::Image),
        "img" => {
            add(attr("src"), AssetKind::Image);
            for address in candidates(attr("srcset")) {
                add(Some(address), AssetKind::Image);
            }
        }
        "source" => {
            for address in candidates(attr("srcset")) {
                add(Some(address), AssetKind::Image);
            }
            add(attr("src"), AssetKind::Media);
        }
        "video" | "audio" => {
            add(attr("src"), AssetKind::Media);
            add(attr("poster"), AssetKind::Image);
        }
        "track" => add(attr("src"), AssetKind::Media),
        "iframe" => add(attr("src"), AssetKind::Frame),
        "embed" => add(attr("src"), AssetKind::Other),
        "object" => add(attr("data"), AssetKind::Other),
        "style" => {
            let sheet: String = element.text().collect();
            found.extend(style::references(&sheet, base));
        }
        _ => {}
    }
    if let Some(inline) = attr("style") {
        found.extend(style::references(inline, base));
    }
}

/// What a `link` makes the browser load; none where it only names something.
fn link_kind(link: ElementRef<'_>) -> Option<AssetKind> {
    let rel = attribute(link, "rel")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let has = |word: &str| rel.split_whitespace().any(|other| other == word);
    if has("stylesheet") && !has("alternate") {
        return Some(AssetKind::Style);
    }
    if has("icon") || has("apple-touch-icon") || has("mask-icon") {
        return Some(AssetKind::Icon);
    }
    if has("modulepreload") {
        return Some(AssetKind::Script);
    }
    if has("manifest") {
        return Some(AssetKind::Other);
    }
    has("preload").then(|| match attribute(link, "as").unwrap_or_default() {
        "style" => AssetKind::Style,
        "script" | "worker" => AssetKind::Script,
        "image" => AssetKind::Image,
        "font" => AssetKind::Font,
        "video" | "audio" | "track" => AssetKind::Media,
        "document" => AssetKind::Frame,
        _ => AssetKind::Other,
    })
}

/// The addresses of a `srcset`.
fn candidates(srcset: Option<&str>) -> Vec<&str> {
    // A comma ends a candidate only before a space: addresses may hold commas.
    let parts = srcset.unwrap_or_default().split(", ");
    parts
        .filter_map(|part| part.split_whitespace().next())
        .map(|address| address.trim_end_matches(','))
        .filter(|address| !address.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &[&str]) {
        let url = Url::parse("https://a.example/shop/").unwrap();
        let found = references(&Html::parse_document(html), &url).into_iter();
        let lines: Vec<String> = found
            .map(|reference| format!("{:?} {}", reference.kind, reference.url))
            .collect();
        assert_eq!(lines, expected, "{html}");
    }

    #[test]
    fn what_a_page_loads_is_found() {
        check(
            "<link rel=stylesheet href=a.css><link rel=canonical href=/x><link rel='shortcut icon' href=/i.ico>\
             <link rel=preload as=font href=f.woff2><script src=//b.example/j.js></script><script>inline()</script>",
            &[
                "Style https://a.example/shop/a.css",
                "Icon https://a.example/i.ico",
                "Font https://a.example/shop/f.woff2",
                "Script https://b.example/j.js",
            ],
        );
        check(
            "<img src=a.png srcset='b.png 1x, c.png 2x'><picture><source srcset='d.webp'></picture>\
             <video poster=p.jpg><source src=m.mp4></video><iframe src=/f></iframe>",
            &[
                "Image https://a.example/shop/a.png",
                "Image https://a.example/shop/b.png",
                "Image https://a.example/shop/c.png",
                "Image https://a.example/shop/d.webp",
                "Image https://a.example/shop/p.jpg",
                "Media https://a.example/shop/m.mp4",
                "Frame https://a.example/f",
            ],
        );
        check(
            "<style>@import 'x.css'; b{background:url(y.png)}</style><p style='background:url(z.png)'><img src='data:image/png;base64,AA'>",
            &[
                "Style https://a.example/shop/x.css",
                "Image https://a.example/shop/y.png",
                "Image https://a.example/shop/z.png",
            ],
        );
    }
}
