//! Do the rules about links fire, and only when they should?

use super::*;
use crate::page::Page;
use crate::testing::{check_changes, names, page_at, with_site};

const GOOD: &str = r##"<a href="/">Start</a> <a href="https://else.example/x" rel="nofollow">Elsewhere</a>
<a href="/shop"><img src="x" alt="Shop"></a> <a href="mailto:a@b.c">Mail</a> <a name="old"></a>
<a href="/cart"><svg aria-label="Cart"></svg></a> <a href="/more" aria-label="More about boots">More</a>
<a role="button" href="#">Open</a> <a href="/hidden" hidden></a>"##;

const SITE_LEVEL: [&str; 4] = [
    "link-broken",
    "link-redirected",
    "page-orphaned",
    "page-too-deep",
];

fn findings(site: &Site) -> Vec<Finding> {
    check(site).findings
}

#[test]
fn rules_about_one_page_fire_and_stay_silent() {
    check_changes(
        GOOD,
        RULES,
        &SITE_LEVEL,
        findings,
        &[
            (" alt=\"Shop\"", "", &["link-text-empty"]),
            (" alt=\"Shop\"", " alt=\"\"", &["link-text-empty"]),
            ("Start", "Click here!", &["link-text-vague"]),
            ("Start", "» mehr …", &["link-text-vague"]),
            ("role=\"button\" ", "", &["link-without-target"]),
            (
                "href=\"/shop\"",
                "href=\"javascript:go()\"",
                &["link-without-target"],
            ),
            (
                "href=\"/\"",
                "href=\"/\" rel=nofollow",
                &["link-internal-nofollow"],
            ),
        ],
    );
}

fn chain(length: usize) -> Vec<Page> {
    let page = |number: usize| {
        let html = format!("<a href=\"/{}\">Next one</a>", number + 1);
        page_at(&format!("https://example.com/{number}"), &html)
    };
    (0..length).map(page).collect()
}

#[test]
fn the_way_from_the_start_is_measured() {
    let mut pages = chain(5);
    pages.push(page_at(
        "https://example.com/alone/",
        "<a href=/0>Start</a>",
    ));
    let checked = with_site(&pages, &[], check);
    let depths: Vec<_> = checked.rows.iter().map(|row| row.depth).collect();
    assert_eq!(depths, [Some(0), Some(1), Some(2), Some(3), Some(4), None]);
    let found: Vec<_> = checked
        .findings
        .iter()
        .map(|finding| (finding.rule.as_str(), finding.place.page.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("page-too-deep", "https://example.com/4"),
            ("page-orphaned", "https://example.com/alone/"),
        ]
    );
    assert_eq!(checked.rows[0].incoming, 1);
    assert_eq!(checked.rows[4].unknown, 1);
}

#[test]
fn errors_and_redirects_behind_links_are_found() {
    let mut pages = chain(3);
    pages[1].redirects = vec!["http://example.com/1-old".into()];
    pages[0].html = "<a href=/1-old/>Old one</a><a href=/2>Two</a>".into();
    pages[2].status = 404;
    let found = with_site(&pages, &[], findings);
    assert_eq!(names(&found), ["link-broken", "link-redirected"].into());
    let broken: Vec<_> = found
        .iter()
        .filter(|finding| finding.rule == "link-broken")
        .collect();
    assert_eq!(broken.len(), 2);
    assert_eq!(broken[0].evidence, "https://example.com/2 answers 404");
}
