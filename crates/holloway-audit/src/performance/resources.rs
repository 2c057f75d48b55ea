//! What does a page load? The style sheets, scripts, images and frames its HTML names,
//! joined with what was measured about them.

use rustc_hash::{FxHashMap, FxHashSet};
use scraper::ElementRef;
use url::Url;

use crate::document::{Document, has_word};
use crate::page::{Asset, AssetKind};
use crate::site::Site;

/// Something the HTML of a page loads.
pub(super) struct Resource<'a> {
    pub(super) element: ElementRef<'a>,
    pub(super) url: Url,
    pub(super) kind: AssetKind,
}

/// What the HTML names, each address once, in document order.
pub(super) fn resources(document: &Document) -> Vec<Resource<'_>> {
    let names = [
        "link", "script", "img", "iframe", "source", "video", "audio", "embed",
    ];
    let mut seen = FxHashSet::default();
    let mut resources = Vec::new();
    for element in document.named_any(&names) {
        let Some((address, kind)) = address(element) else {
            continue;
        };
        let url = document.resolve(address);
        let Some(mut url) = url.filter(|url| url.scheme().starts_with("http")) else {
            continue;
        };
        url.set_fragment(None);
        if seen.insert(url.clone()) {
            resources.push(Resource { element, url, kind });
        }
    }
    resources
}

fn address(element: ElementRef<'_>) -> Option<(&str, AssetKind)> {
    let source = element.attr("src");
    let kind = match element.value().name() {
        "script" => AssetKind::Script,
        "img" => AssetKind::Image,
        "iframe" | "embed" => AssetKind::Frame,
        "video" | "audio" => AssetKind::Media,
        // Of a picture's sources a browser takes one at most; only media have `src`.
        "source" => AssetKind::Media,
        _ => return link_address(element),
    };
    Some((source.filter(|source| !source.trim().is_empty())?, kind))
}

fn link_address(link: ElementRef<'_>) -> Option<(&str, AssetKind)> {
    let relation = link.attr("rel");
    let address = link.attr("href").filter(|href| !href.trim().is_empty())?;
    let kind = if has_word(relation, "stylesheet") {
        AssetKind::Style
    } else if has_word(relation, "icon") || has_word(relation, "apple-touch-icon") {
        AssetKind::Icon
    } else if has_word(relation, "modulepreload") {
        AssetKind::Script
    } else if has_word(relation, "preload") {
        match link.attr("as").unwrap_or_default() {
            "style" => AssetKind::Style,
            "script" => AssetKind::Script,
            "font" => AssetKind::Font,
            "image" => AssetKind::Image,
            _ => AssetKind::Other,
        }
    } else {
        return None;
    };
    Some((address, kind))
}

/// Measured assets by address.
pub(super) struct Measured<'a>(FxHashMap<String, &'a Asset>);

impl<'a> Measured<'a> {
    pub(super) fn new(site: &Site<'a>) -> Self {
        let assets = site.assets.iter();
        Self(assets.map(|asset| (key(&asset.url), asset)).collect())
    }

    pub(super) fn get(&self, url: &Url) -> Option<&'a Asset> {
        self.0.get(url.as_str()).copied()
    }
}

fn key(address: &str) -> String {
    match Url::parse(address) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.into()
        }
        Err(_) => address.to_owned(),
    }
}

/// What went over the wire, or the plain size where only that is known.
pub(super) fn transferred(asset: &Asset) -> u64 {
    if asset.transferred > 0 {
        asset.transferred
    } else {
        asset.bytes
    }
}

/// A size as people say it.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Whether the path of an address has one of these endings, in any case.
pub(super) fn ends_with(url: &str, endings: &[&str]) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let path = path.to_ascii_lowercase();
    endings.iter().any(|ending| path.ends_with(ending))
}

/// Where each asset is first named: the page and the element, or the first page alone
/// for what a style sheet or script loads.
pub(super) fn places(site: &Site) -> FxHashMap<String, crate::finding::Place> {
    let mut places = FxHashMap::default();
    if site.assets.is_empty() {
        return places;
    }
    for found in site.each(|document| {
        let named = resources(document).into_iter();
        let named = named.map(|resource| (resource.url.into(), document.place(resource.element)));
        named.collect::<Vec<(String, _)>>()
    }) {
        for (url, place) in found {
            places.entry(url).or_insert(place);
        }
    }
    let first = site
        .pages
        .first()
        .map(|page| page.url.clone())
        .unwrap_or_default();
    for asset in site.assets {
        let place = || crate::finding::Place {
            page: first.clone(),
            element: String::new(),
        };
        let place = places.get(&key(&asset.url)).cloned().unwrap_or_else(place);
        places.insert(asset.url.clone(), place);
    }
    places
}
