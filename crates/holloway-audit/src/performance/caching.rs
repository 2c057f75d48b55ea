//! Is anything sent twice, or larger than needed? Compression and caching as the headers
//! of pages and assets tell them; what came without headers is not judged.

use std::collections::BTreeMap;

use serde::Serialize;

use super::resources::{ends_with, places, size};
use crate::finding::{Finding, Place};
use crate::page::{Asset, AssetKind};
use crate::rule::Rule;
use crate::site::{Checked, Site};

const UNCOMPRESSED: Rule = Rule::performance("text-uncompressed");
const NOT_CACHED: Rule = Rule::performance("asset-not-cached");
const BRIEFLY_CACHED: Rule = Rule::performance("asset-cache-brief");
const NO_VALIDATOR: Rule = Rule::performance("asset-no-validator");
const NO_STORE: Rule = Rule::performance("page-no-store");

pub(super) const RULES: &[Rule] = &[
    UNCOMPRESSED,
    NOT_CACHED,
    BRIEFLY_CACHED,
    NO_VALIDATOR,
    NO_STORE,
];

const WEEK: u64 = 7 * 24 * 3600;
/// Smaller text fits one packet anyway.
const PACKET: u64 = 1400;

/// How one page or asset is sent.
#[derive(Clone, Debug, Serialize)]
pub struct CachingRow {
    pub url: String,
    pub encoding: String,
    pub cache_control: String,
    /// Seconds it may be kept.
    pub max_age: Option<u64>,
    pub validator: bool,
}

pub fn check(site: &Site) -> Checked<CachingRow> {
    let mut checked = Checked::default();
    for page in site.answered().filter(|page| !page.headers.is_empty()) {
        let place = Place {
            page: page.url.clone(),
            element: String::new(),
        };
        let bytes = page.bytes.max(page.html.len() as u64);
        if !is_compressed(&page.headers, page.transferred, page.bytes) && bytes > PACKET {
            let evidence = format!("HTML of {} without Content-Encoding", size(bytes));
            checked
                .findings
                .push(UNCOMPRESSED.saving(place.clone(), &evidence, bytes));
        }
        let control = header(&page.headers, "cache-control");
        if directive(control, "no-store").is_some() && page.cookies.is_empty() {
            let evidence = format!("Cache-Control: {control}");
            checked.findings.push(NO_STORE.at(place, &evidence));
        }
        checked.rows.push(row(&page.url, &page.headers));
    }
    let places = places(site);
    for asset in site
        .assets
        .iter()
        .filter(|asset| !asset.headers.is_empty() && asset.status < 300)
    {
        let place = places.get(&asset.url).cloned().unwrap_or_default();
        checked.findings.extend(asset_findings(asset, &place));
        checked.rows.push(row(&asset.url, &asset.headers));
    }
    checked
}

fn asset_findings(asset: &Asset, place: &Place) -> Vec<Finding> {
    let mut findings = Vec::new();
    let headers = &asset.headers;
    let compressed = is_compressed(headers, asset.transferred, asset.bytes);
    if is_text(asset) && !compressed && asset.bytes > PACKET {
        let evidence = format!(
            "{}: {} without Content-Encoding",
            asset.url,
            size(asset.bytes)
        );
        findings.push(UNCOMPRESSED.saving(place.clone(), &evidence, asset.bytes));
    }
    if !is_static(asset) {
        return findings;
    }
    let control = header(headers, "cache-control");
    let forbidden =
        directive(control, "no-store").is_some() || directive(control, "no-cache").is_some();
    let shown = format!(
        "{}: Cache-Control: {}",
        asset.url,
        if control.is_empty() { "none" } else { control }
    );
    match max_age(headers) {
        _ if forbidden => findings.push(NOT_CACHED.at(place.clone(), &shown)),
        None if header(headers, "expires").is_empty() => {
            findings.push(NOT_CACHED.at(place.clone(), &shown))
        }
        Some(0) => findings.push(NOT_CACHED.at(place.clone(), &shown)),
        Some(age) if age < WEEK => findings.push(BRIEFLY_CACHED.at(place.clone(), &shown)),
        _ => {}
    }
    let immutable = directive(control, "immutable").is_some();
    if !has_validator(headers) && !immutable {
        let evidence = format!("{}: neither ETag nor Last-Modified", asset.url);
        findings.push(NO_VALIDATOR.at(place.clone(), &evidence));
    }
    findings
}

fn row(url: &str, headers: &BTreeMap<String, String>) -> CachingRow {
    CachingRow {
        url: url.to_owned(),
        encoding: header(headers, "content-encoding").to_owned(),
        cache_control: header(headers, "cache-control").to_owned(),
        max_age: max_age(headers),
        validator: has_validator(headers),
    }
}

/// A client that decompresses may take the header away; then the sizes tell.
fn is_compressed(headers: &BTreeMap<String, String>, transferred: u64, bytes: u64) -> bool {
    let encoding = header(headers, "content-encoding");
    let encoded = !encoding.is_empty() && !encoding.eq_ignore_ascii_case("identity");
    encoded || (transferred > 0 && transferred < bytes)
}

fn is_text(asset: &Asset) -> bool {
    let svg = matches!(asset.kind, AssetKind::Image | AssetKind::Icon)
        && ends_with(&asset.url, &[".svg"]);
    matches!(asset.kind, AssetKind::Style | AssetKind::Script) || svg
}

/// Frames are pages of their own, and what others answer is unknown.
fn is_static(asset: &Asset) -> bool {
    use AssetKind::{Font, Icon, Image, Media, Script, Style};
    matches!(asset.kind, Style | Script | Image | Icon | Font | Media)
}

fn has_validator(headers: &BTreeMap<String, String>) -> bool {
    ["etag", "last-modified"]
        .iter()
        .any(|name| headers.contains_key(*name))
}

fn header<'a>(headers: &'a BTreeMap<String, String>, name: &str) -> &'a str {
    headers
        .get(name)
        .map(|value| value.trim())
        .unwrap_or_default()
}

fn max_age(headers: &BTreeMap<String, String>) -> Option<u64> {
    directive(header(headers, "cache-control"), "max-age")?
        .parse()
        .ok()
}

/// The value of a directive, empty if it has none.
fn directive<'a>(control: &'a str, name: &str) -> Option<&'a str> {
    control.split(',').find_map(|part| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let found = key.trim().eq_ignore_ascii_case(name);
        found.then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all_broken, names, page, with_site};

    fn headers(text: &str) -> BTreeMap<String, String> {
        let lines = text.split("; ").filter_map(|line| line.split_once(": "));
        lines
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    fn check_asset(kind: AssetKind, given: &str, expected: &str) {
        let asset = Asset {
            url: "https://example.com/a".into(),
            kind,
            status: 200,
            headers: headers(given),
            bytes: 9000,
            ..Asset::default()
        };
        let findings = with_site(&[page("")], &[asset], check).findings;
        let found: Vec<_> = names(&findings).into_iter().collect();
        assert_eq!(found.join(" "), expected, "{given}");
    }

    fn check_html(given: &str, expected: &str) {
        let mut page = page(&"<p>text".repeat(1000));
        page.headers = headers(given);
        let findings = with_site(&[page], &[], check).findings;
        let found: Vec<_> = names(&findings).into_iter().collect();
        assert_eq!(found.join(" "), expected, "{given}");
    }

    #[test]
    fn every_rule_fires_and_stays_silent() {
        use AssetKind::{Image, Other, Style};
        check_asset(Style, "", "");
        check_asset(
            Style,
            "content-encoding: br; cache-control: public, max-age=31536000, immutable",
            "",
        );
        check_asset(
            Style,
            "content-encoding: gzip; cache-control: max-age=\"604800\"; etag: x",
            "",
        );
        check_asset(
            Style,
            "cache-control: max-age=604800; etag: x",
            "text-uncompressed",
        );
        check_asset(Image, "cache-control: max-age=604800; etag: x", "");
        check_asset(
            Image,
            "cache-control: max-age=3600; etag: x",
            "asset-cache-brief",
        );
        check_asset(Image, "etag: x", "asset-not-cached");
        check_asset(Image, "expires: Thu, 01 Jan 2037 00:00:00 GMT; etag: x", "");
        check_asset(
            Image,
            "cache-control: no-store; etag: x",
            "asset-not-cached",
        );
        check_asset(Image, "cache-control: max-age=604800", "asset-no-validator");
        check_asset(Other, "x: y", "");
        check_html("", "");
        check_html("content-encoding: zstd", "");
        check_html("server: x", "text-uncompressed");
        check_html(
            "content-encoding: br; cache-control: private, no-store",
            "page-no-store",
        );
        let tested =
            "text-uncompressed asset-not-cached asset-cache-brief asset-no-validator page-no-store";
        all_broken(RULES, &tested.split(' ').collect());
    }
}
