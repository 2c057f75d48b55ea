//! Have images enough pixels for the size they are shown with? That size stands in the HTML
//! where it reserves space; how many pixels there are was measured.

use super::resources::Measured;
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::page::AssetKind;
use crate::rule::Rule;
use crate::site::Site;

pub(super) const LOW_RESOLUTION: Rule = Rule::performance("image-low-resolution");

/// A few pixels are lost to rounding and borders.
const ENOUGH: f64 = 0.9;

pub(super) fn check(site: &Site) -> Vec<Finding> {
    if site.assets.iter().all(|asset| asset.pixels.is_none()) {
        return Vec::new();
    }
    let measured = Measured::new(site);
    let found = site.each(|document| blurred(document, &measured));
    found.into_iter().flatten().collect()
}

fn blurred(document: &Document, measured: &Measured) -> Vec<Finding> {
    let mut found = Collector::new(document);
    for image in document.named("img") {
        // Of several sizes the browser takes the one that fits.
        if image.attr("srcset").is_some() {
            continue;
        }
        let length = |name| image.attr(name).and_then(|text| text.trim().parse().ok());
        let shown: (Option<f64>, Option<f64>) = (length("width"), length("height"));
        let address = image.attr("src").unwrap_or_default();
        let asset = document.resolve(address).and_then(|url| measured.get(&url));
        let asset = asset.filter(|asset| asset.kind == AssetKind::Image && asset.status < 400);
        let Some((wide, high)) = asset.and_then(|asset| asset.pixels) else {
            continue;
        };
        let lacks = |shown: Option<f64>, there: u32| {
            shown.is_some_and(|shown| f64::from(there) < shown * ENOUGH)
        };
        if lacks(shown.0, wide) || lacks(shown.1, high) {
            let side = |side: Option<f64>| side.map_or_else(|| "?".to_owned(), |n| n.to_string());
            let evidence = format!(
                "{address}: {wide} × {high} pixels, shown with {} × {}",
                side(shown.0),
                side(shown.1)
            );
            found.element(&LOW_RESOLUTION, image, &evidence);
        }
    }
    found.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Asset;
    use crate::testing::{names, page, with_site};

    #[test]
    fn images_with_too_few_pixels_are_found() {
        let check = |html: &str, pixels, expected: &[&str]| {
            let asset = Asset {
                url: "https://example.com/a.png".into(),
                kind: AssetKind::Image,
                status: 200,
                pixels,
                ..Asset::default()
            };
            let found = with_site(&[page(html)], &[asset], check);
            assert_eq!(
                names(&found).into_iter().collect::<Vec<_>>(),
                expected,
                "{html}"
            );
        };
        let low: &[&str] = &["image-low-resolution"];
        check(
            "<img src=/a.png width=300 height=200>",
            Some((150, 100)),
            low,
        );
        check("<img src=/a.png width=300>", Some((150, 100)), low);
        check(
            "<img src=/a.png width=300 height=200>",
            Some((290, 195)),
            &[],
        );
        check("<img src=/a.png>", Some((1, 1)), &[]);
        check(
            "<img src=/a.png width=300 srcset='b.png 2x'>",
            Some((1, 1)),
            &[],
        );
        check("<img src=/a.png width=300>", None, &[]);
    }
}
