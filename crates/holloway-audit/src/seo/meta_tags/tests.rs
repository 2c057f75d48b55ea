//! Do the rules about the head fire, and only when they should?

use super::*;
use crate::finding::Severity;
use crate::testing::{check_changes, names, page_at, with_site};

const GOOD: &str = r#"<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Walking boots for winter – Alder Shoes</title>
<meta name="description" content="Warm walking boots made of leather and wool, in all sizes, mended for as long as you wear them.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="index, follow">
<link rel="canonical" href="https://example.com/">
<meta property="og:title" content="Walking boots"><meta property="og:type" content="website">
<meta property="og:url" content="https://example.com/"><meta property="og:image" content="https://example.com/a.png">
<meta name="twitter:card" content="summary">
<link rel="alternate" hreflang="en" href="https://example.com/"><link rel="alternate" hreflang="de-AT" href="/de">
</head><body><svg><title>Logo</title></svg></body></html>"#;

fn findings(site: &Site) -> Vec<Finding> {
    check(site).findings
}

#[test]
fn every_rule_fires_and_stays_silent() {
    let rules: Vec<Rule> = RULES.iter().chain(social_tags::RULES).copied().collect();
    let elsewhere = [
        "title-duplicate",
        "description-duplicate",
        "noindex",
        "noindex-listed",
    ];
    check_changes(
        GOOD,
        &rules,
        &elsewhere,
        findings,
        &[
            (
                "<title>Walking boots for winter – Alder Shoes</title>",
                "",
                &["title-missing"],
            ),
            (
                "Walking boots for winter – Alder Shoes",
                " ",
                &["title-missing"],
            ),
            (
                "Walking boots for winter – Alder Shoes",
                "Home",
                &["title-length"],
            ),
            (
                "Walking boots",
                &"Walking boots ".repeat(4),
                &["title-length"],
            ),
            (
                "</head>",
                "<title>Another title</title></head>",
                &["title-repeated"],
            ),
            (
                "name=\"description\"",
                "name=\"summary\"",
                &["description-missing"],
            ),
            (
                "Warm walking boots made of leather and wool, in all sizes, ",
                "",
                &["description-length"],
            ),
            (
                "<link rel=\"canonical\" href=\"https://example.com/\">",
                "",
                &["canonical-missing"],
            ),
            (
                "<meta charset",
                "<link rel=canonical href=/other><meta charset",
                &["canonical-repeated"],
            ),
            (
                "canonical\" href=\"https://example.com/\"",
                "canonical\" href=\"\"",
                &["canonical-invalid"],
            ),
            (
                "canonical\" href=\"https://example.com/\"",
                "canonical\" href=\"mailto:a@b\"",
                &["canonical-invalid"],
            ),
            (
                "canonical\" href=\"https://example.com/\"",
                "canonical\" href=\"https://www.example.com/\"",
                &[],
            ),
            (
                "canonical\" href=\"https://example.com/\"",
                "canonical\" href=\"https://else.example/\"",
                &["canonical-other-host"],
            ),
            ("index, follow", "noindex,follow", &["noindex-start"]),
            (
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
                "",
                &["viewport-missing"],
            ),
            (
                "width=device-width",
                "width=1024",
                &["viewport-fixed-width"],
            ),
            (" lang=\"en\"", "", &["language-missing"]),
            ("<meta charset=\"utf-8\">", "", &["charset-missing"]),
            (
                "<meta charset=\"utf-8\">",
                "<meta http-equiv=Content-Type content='text/html; charset=utf-8'>",
                &[],
            ),
            ("og:type", "og:kind", &["open-graph-incomplete"]),
            (
                "https://example.com/a.png",
                "/a.png",
                &["open-graph-image-relative"],
            ),
            (
                "content=\"summary\"",
                "content=\"large\"",
                &["twitter-card-invalid"],
            ),
            ("de-AT", "german", &["hreflang-invalid"]),
            (
                "hreflang=\"en\" href=\"https://example.com/\"",
                "hreflang=\"en\" href=\"/en\"",
                &["hreflang-no-self"],
            ),
            (
                "<meta property=\"og:title\" content=\"Walking boots\"><meta property=\"og:type\" content=\"website\">\n<meta property=\"og:url\" content=\"https://example.com/\"><meta property=\"og:image\" content=\"https://example.com/a.png\">",
                "",
                &["open-graph-missing"],
            ),
        ],
    );
}

#[test]
fn a_header_can_forbid_listing_too() {
    let page = page_at("https://example.com/", GOOD);
    let mut other = page_at("https://example.com/login", GOOD);
    other
        .headers
        .insert("x-robots-tag".into(), "noindex".into());
    let found = |pages: &[crate::page::Page]| {
        let findings = with_site(pages, &[], findings);
        findings
            .into_iter()
            .map(|finding| finding.rule)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&[page.clone(), other.clone()]), ["noindex"]);
    assert_eq!(found(&[other, page]), ["noindex-start"]);
}

#[test]
fn pages_that_say_the_same_are_found() {
    let own = GOOD.replace("<link rel=\"canonical\" href=\"https://example.com/\">", "");
    let own = own.replace("<link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/\"><link rel=\"alternate\" hreflang=\"de-AT\" href=\"/de\">", "");
    let other = own.replace("Warm", "Cold");
    let hidden = own.replace("index, follow", "noindex");
    let pages = [
        page_at("https://example.com/a", &own),
        page_at("https://example.com/b", &other),
        page_at("https://example.com/c", &hidden),
    ];
    let found = with_site(&pages, &[], findings);
    let duplicates: Vec<_> = found
        .iter()
        .filter(|finding| finding.rule.contains("duplicate"))
        .map(|finding| (finding.rule.as_str(), finding.place.page.as_str()))
        .collect();
    assert_eq!(
        duplicates,
        [
            ("title-duplicate", "https://example.com/a"),
            ("title-duplicate", "https://example.com/b"),
        ]
    );
    let same = [pages[0].clone(), page_at("https://example.com/d", &own)];
    let found = with_site(&same, &[], findings);
    assert!(names(&found).contains("description-duplicate"));
}

#[test]
fn pages_that_nobody_lists_need_no_description() {
    let bare = "<html lang=en><meta charset=utf-8><meta name=viewport content=width=device-width><title>Sign in to the shop</title>";
    let start = page_at("https://example.com/", GOOD);
    let mut hidden = page_at("https://example.com/login", bare);
    hidden
        .headers
        .insert("x-robots-tag".into(), "noindex".into());
    let mut gone = page_at("https://example.com/gone", "");
    gone.status = 404;
    let found = with_site(&[start, hidden, gone], &[], findings);
    assert_eq!(names(&found), ["noindex"].into());
}

#[test]
fn noindex_on_a_page_that_the_sitemap_lists_is_serious() {
    let hidden = "<meta name=robots content=noindex>";
    let pages = [
        page_at("https://example.com/", GOOD),
        page_at("https://example.com/maps", hidden),
        page_at("https://example.com/login", hidden),
    ];
    let listed = ["https://example.com/maps".to_owned()];
    let documents = crate::documents::Documents::default();
    let site = Site::new(&documents, &pages, &[]).with_listed(&listed);
    let found = check(&site).findings;
    let rules: Vec<_> = found
        .iter()
        .filter(|finding| finding.rule.starts_with("noindex"))
        .map(|finding| {
            (
                finding.rule.as_str(),
                finding.place.page.as_str(),
                finding.severity,
            )
        })
        .collect();
    assert_eq!(
        rules,
        [
            (
                "noindex-listed",
                "https://example.com/maps",
                Severity::Serious
            ),
            ("noindex", "https://example.com/login", Severity::Minor),
        ]
    );
}
