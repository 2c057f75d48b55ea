//! Can a page bring a check down? Whatever the HTML, headers and addresses are, checks end
//! within bounds and without panic.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use holloway_audit::action_plan::actions;
use holloway_audit::audit::{DOMAINS, check};
use holloway_audit::collect::PLACES;
use holloway_audit::document::parse_html;
use holloway_audit::documents::Documents;
use holloway_audit::page::{Asset, AssetKind, Page};
use holloway_audit::score::overall;
use holloway_audit::site::Site;
use proptest::prelude::*;

fn run(pages: &[Page], assets: &[Asset]) -> usize {
    let documents = Documents::default();
    let site = Site::new(&documents, pages, assets);
    let findings = check(&site);
    let score = overall(&DOMAINS, &findings, pages.len());
    assert!((0.0..=100.0).contains(&score.score));
    assert!(actions(&findings, pages.len()).len() <= findings.len());
    let longest = findings
        .iter()
        .map(|finding| finding.evidence.len() + finding.place.element.len())
        .max();
    assert!(longest.unwrap_or_default() < 10_000);
    findings.len()
}

fn page(html: String) -> Page {
    Page {
        url: "https://example.com/a".into(),
        status: 200,
        html,
        ..Page::default()
    }
}

/// Every rule may list so many places on a page, and there are fewer than 300 rules.
fn run_one(html: String) {
    assert!(run(&[page(html)], &[]) < 300 * PLACES);
}

#[test]
fn deep_nesting_ends() {
    run_one("<div>".repeat(100_000));
    run_one("<a href=x><b>".repeat(100_000));
    run_one("<svg><g>".repeat(100_000));
    run_one("<table><tr><td>".repeat(30_000));
    run_one("<p><font size=1><font color=x><i>".repeat(30_000));
}

#[test]
fn labels_inside_labels_are_not_repeated_without_end() {
    let text = "some words ".repeat(100_000);
    run_one(format!("{}{text}", "<h1><div>".repeat(250)));
    run_one(format!("{}{text}", "<a href=x><object>".repeat(250)));
}

#[test]
fn wide_pages_end() {
    run_one("<p>word <img src=x><a href=#>here</a>".repeat(10_000));
    run_one("<h1></h1><h6 onclick=x></h6>".repeat(10_000));
    run_one(format!("<p {}>", "a ".repeat(500_000)));
    run_one("<x-a".to_owned() + &"a".repeat(1_000_000));
    run_one("<!--".repeat(100_000));
    run_one("<script>".to_owned() + &"password=1234567 ".repeat(100_000));
    run_one("<body a=1><html b=2>".repeat(20_000));
}

#[test]
fn depth_hidden_from_a_careless_reader_ends() {
    for hidden in ["<!-->", "<!--->", "<!-- --!>", "<i x==\">", "<svg><style>"] {
        run_one(hidden.to_owned() + &"<div>".repeat(60_000));
    }
    run_one("<rt>".repeat(100_000));
}

#[test]
fn names_of_nested_headings_end() {
    let text = "long words ".repeat(100_000);
    run_one("<h1><div>".repeat(200) + &text);
}

#[test]
fn styles_that_refer_to_themselves_end() {
    let wide = "var(--a,)".repeat(8);
    run_one(format!(
        "<style>:root{{--a:{wide}}}p{{color:var(--a)}}</style><p>Text"
    ));
}

#[test]
fn ten_megabytes_end() {
    let paragraph = format!(
        "<p>{} words</p>
",
        "long".repeat(250)
    );
    run_one(paragraph.repeat(10 * 1024 * 1024 / paragraph.len()));
}

#[test]
fn hostile_data_in_scripts_ends() {
    let nested = "[".repeat(100_000);
    let objects = format!("[{}1]", "{\"@type\":\"Product\"},".repeat(20_000));
    for data in [nested, objects, "{\"@graph\":".repeat(5000)] {
        run_one(format!("<script type=application/ld+json>{data}</script>"));
    }
}

fn fragment() -> impl Strategy<Value = String> {
    let known = [
        "<html lang=",
        "<title>",
        "</title>",
        "<meta name=description content='",
        "'>",
        "\"",
        "<a href=",
        "<a href='http://[::1'>",
        "<img src=data:,x loading=lazy>",
        "<script>",
        "</script>",
        "<script type=application/ld+json>{",
        "}",
        "<form method=get>",
        "<input type=password>",
        "<base href=//x>",
        "<base href='::'>",
        "<link rel=canonical href=''>",
        "<style>@import",
        "<!--",
        "-->",
        "<template>",
        "</template>",
        "<svg><title>",
        "<math>",
        "<table>",
        "<select><option>",
        "password: s3cret",
        "é\u{0}\u{202e}",
        "&#0;",
        "<h1>",
        "</h3>",
        "<iframe>",
        "<noscript>",
        "onclick=x",
        "jquery-1.2.3.js",
        "<p>",
        "</p>",
        "<frameset>",
        "<plaintext>",
        "\u{feff}",
    ];
    let any = proptest::string::string_regex(".{0,12}").unwrap();
    prop_oneof![3 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => any]
}

fn html() -> impl Strategy<Value = String> {
    proptest::collection::vec(fragment(), 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Reading piece by piece makes the same tree as reading at once.
    #[test]
    fn ordinary_html_is_read_as_a_whole(html in html(), times in 1..40_usize) {
        // Behind a script, the parser takes this sign for the start of a text.
        let html = html.replace('\u{feff}', "").repeat(times);
        let parsed = parse_html(&html);
        if parsed.complete {
            prop_assert!(parsed.html == scraper::Html::parse_document(&html));
        }
        prop_assert_eq!(parsed.complete, parsed.read == html.len());
    }

    #[test]
    fn nothing_panics(first in html(), second in html(), url in ".{0,20}", header in ".{0,40}", cookie in ".{0,40}", status in any::<u16>(), style in ".{0,80}") {
        let mut one = page(first);
        one.cookies = vec![cookie];
        for name in ["content-security-policy", "strict-transport-security", "cache-control", "referrer-policy", "server", "x-robots-tag"] {
            one.headers.insert(name.to_owned(), header.clone());
        }
        let mut two = page(second);
        two.url = url.clone();
        two.status = status;
        (two.first_byte_ms, two.total_ms, two.bytes) = (f64::NAN, f64::INFINITY, u64::MAX);
        two.redirects = vec![url.clone(), "https://example.com/b".to_owned()];
        let asset = |url: &str, kind| Asset { url: url.to_owned(), kind, status, bytes: u64::MAX, text: style.clone(), ..Asset::default() };
        let assets = [asset(&url, AssetKind::Style), asset("https://example.com/x", AssetKind::Image)];
        run(&[one, two], &assets);
    }
}
