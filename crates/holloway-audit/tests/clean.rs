//! Do checks stay silent where nothing is wrong? Two pages as careful people write them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;

use holloway_audit::audit::{DOMAINS, check};
use holloway_audit::documents::Documents;
use holloway_audit::page::{Asset, AssetKind, Page};
use holloway_audit::score::overall;
use holloway_audit::site::Site;

fn headers(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn page(url: &str, html: &str, policy: &str) -> Page {
    Page {
        url: url.to_owned(),
        status: 200,
        headers: headers(&[
            ("content-type", "text/html; charset=utf-8"),
            ("content-encoding", "br"),
            ("cache-control", "no-cache"),
            ("content-security-policy", policy),
            (
                "strict-transport-security",
                "max-age=63072000; includeSubDomains; preload",
            ),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            (
                "permissions-policy",
                "camera=(), microphone=(), geolocation=()",
            ),
            ("cross-origin-opener-policy", "same-origin"),
            ("server", "caddy"),
        ]),
        cookies: vec!["__Host-session=x; Secure; HttpOnly; SameSite=Lax; Path=/".to_owned()],
        html: html.to_owned(),
        bytes: html.len() as u64,
        transferred: html.len() as u64 / 3,
        first_byte_ms: 90.0,
        total_ms: 130.0,
        ..Page::default()
    }
}

fn asset(url: &str, kind: AssetKind, bytes: u64) -> Asset {
    let encoding = if matches!(kind, AssetKind::Style | AssetKind::Script) {
        "br"
    } else {
        ""
    };
    Asset {
        url: url.to_owned(),
        kind,
        status: 200,
        headers: headers(&[
            ("cache-control", "public, max-age=31536000, immutable"),
            ("content-encoding", encoding),
        ]),
        bytes,
        transferred: bytes / 3,
        total_ms: 20.0,
        ..Asset::default()
    }
}

fn check_clean(page: Page, assets: &[Asset]) {
    let documents = Documents::default();
    let pages = [page];
    let site = Site::new(&documents, &pages, assets);
    let findings = check(&site);
    assert!(findings.is_empty(), "{findings:#?}");
    assert_eq!(overall(&DOMAINS, &findings, 1).grade, "A");
}

#[test]
fn a_product_page_is_clean() {
    let policy = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'; require-trusted-types-for 'script'";
    let page = page(
        "https://alder.example/boots/fell",
        include_str!("pages/product.html"),
        policy,
    );
    check_clean(
        page,
        &[
            asset(
                "https://alder.example/styles/site.4f9a1c.css",
                AssetKind::Style,
                41_000,
            ),
            asset(
                "https://alder.example/scripts/site.77ab02.js",
                AssetKind::Script,
                96_000,
            ),
            asset(
                "https://alder.example/images/fell-1200.webp",
                AssetKind::Image,
                140_000,
            ),
            asset(
                "https://alder.example/images/tarn-300.webp",
                AssetKind::Image,
                18_000,
            ),
            asset(
                "https://alder.example/fonts/alder.woff2",
                AssetKind::Font,
                28_000,
            ),
        ],
    );
}

#[test]
fn an_article_is_clean() {
    let policy = "script-src 'nonce-r4nd0m' 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'; base-uri 'none'; \
        frame-ancestors 'none'; require-trusted-types-for 'script'";
    let page = page(
        "https://harbour.example/notes/slow-search",
        include_str!("pages/article.html"),
        policy,
    );
    check_clean(
        page,
        &[asset(
            "https://harbour.example/images/index-cards.avif",
            AssetKind::Image,
            88_000,
        )],
    );
}
