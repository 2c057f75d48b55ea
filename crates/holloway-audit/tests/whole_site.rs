//! What comes out for a whole small site? Findings, scores and plan of four pages with
//! typical mistakes; findings of accessibility have their own tests.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::Write as _;

use holloway_audit::action_plan::actions;
use holloway_audit::documents::Documents;
use holloway_audit::finding::{Domain, Finding};
use holloway_audit::page::{Asset, AssetKind, Page};
use holloway_audit::score::overall;
use holloway_audit::site::Site;
use holloway_audit::{performance, security, seo};

const START: &str = r#"<!doctype html><html><head><title>Home</title><script src="/js/jquery-1.12.4.min.js"></script>
<link rel="stylesheet" href="http://cdn.example/a.css"></head><body><h1>Welcome</h1><img src="/hero.jpg" loading="lazy">
<p>We sell boots.</p><a href="/boots">click here</a> <a href="/gone">Old boots</a><!-- db password: s3cret99 --></body></html>"#;

const BOOTS: &str = r#"<!doctype html><html lang="en"><head><title>Home</title><meta name="viewport" content="width=device-width">
<script type="application/ld+json">{"@type": "Product", "name": "Boot"}</script></head><body><h2>Boots</h2><h4>Warm</h4>
<a href="/old-login">Sign in</a><button onclick="buy()">Buy</button></body></html>"#;

const LOGIN: &str = r#"<!doctype html><html lang="en"><head><title>Sign in to Alder Shoes</title>
<meta name="robots" content="noindex"></head><body><h1>Sign in</h1>
<form method="get" action="/session"><input type="password" name="p"></form></body></html>"#;

fn page(path: &str, html: &str) -> Page {
    let mut page = Page {
        url: format!("https://alder.example{path}"),
        status: 200,
        html: html.to_owned(),
        first_byte_ms: 950.0,
        total_ms: 1000.0,
        ..Page::default()
    };
    page.headers
        .insert("server".into(), "Apache/2.4.49 (Unix)".into());
    page.headers
        .insert("x-content-type-options".into(), "nosniff".into());
    page
}

fn pages() -> Vec<Page> {
    let mut pages = vec![
        page("/", START),
        page("/boots", BOOTS),
        page("/login", LOGIN),
        page("/gone", "<title>Not found</title>"),
    ];
    pages[0].cookies = vec!["sessionid=abc; Path=/".into()];
    pages[2].redirects = vec!["https://alder.example/old-login".into()];
    pages[3].status = 404;
    pages
}

fn assets() -> Vec<Asset> {
    let hero = Asset {
        url: "https://alder.example/hero.jpg".into(),
        kind: AssetKind::Image,
        status: 200,
        bytes: 2_400_000,
        ..Asset::default()
    };
    vec![hero]
}

fn findings() -> Vec<Finding> {
    let (pages, assets) = (pages(), assets());
    let documents = Documents::default();
    let site = Site::new(&documents, &pages, &assets);
    let mut findings = seo::check(&site);
    findings.extend(performance::check(&site));
    findings.extend(security::check(&site));
    findings
}

#[test]
fn the_findings_of_a_small_site() {
    let mut text = String::new();
    for finding in findings() {
        let page = finding
            .place
            .page
            .trim_start_matches("https://alder.example");
        let severity = format!("{:?}", finding.severity).to_lowercase();
        writeln!(
            text,
            "{severity:8} {:26} {page} {} | {}",
            finding.rule, finding.place.element, finding.evidence
        )
        .unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_scores_of_a_small_site() {
    let domains = [Domain::Seo, Domain::Performance, Domain::Security];
    let score = overall(&domains, &findings(), 4);
    let mut text = format!("all {} {}\n", score.score, score.grade);
    for domain in score.domains {
        writeln!(
            text,
            "{:?} {} {} {:?}",
            domain.domain, domain.score, domain.grade, domain.summary
        )
        .unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn the_action_plan_of_a_small_site() {
    let mut text = String::new();
    for action in actions(&findings(), 4) {
        writeln!(
            text,
            "{:2} {:5} {:5} {:?} {:?} {} pages, {:?} effort: {}",
            action.rank,
            action.priority,
            action.when,
            action.domain,
            action.severity,
            action.pages_affected,
            action.effort,
            action.title,
        )
        .unwrap();
    }
    insta::assert_snapshot!(text);
}
