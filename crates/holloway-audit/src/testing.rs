//! How are checks tested? A good page stays silent, and each change to it breaks exactly
//! the rules it should; every rule of a family must have been broken once.

use std::collections::BTreeSet;

use crate::documents::Documents;
use crate::finding::Finding;
use crate::page::{Asset, Page};
use crate::rule::Rule;
use crate::site::Site;

pub(crate) fn page(html: &str) -> Page {
    page_at("https://example.com/", html)
}

pub(crate) fn page_at(url: &str, html: &str) -> Page {
    Page {
        url: url.to_owned(),
        status: 200,
        html: html.to_owned(),
        ..Page::default()
    }
}

pub(crate) fn with_site<R>(pages: &[Page], assets: &[Asset], run: impl Fn(&Site) -> R) -> R {
    run(&Site::new(&Documents::default(), pages, assets))
}

pub(crate) fn names(findings: &[Finding]) -> BTreeSet<&str> {
    findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect()
}

/// Each case replaces one text of the good page by another; rules in `elsewhere` are
/// broken by another test.
pub(crate) fn check_changes(
    good: &str,
    rules: &[Rule],
    elsewhere: &[&str],
    run: impl Fn(&Site) -> Vec<Finding>,
    cases: &[(&str, &str, &[&str])],
) {
    let of = |html: &str| with_site(&[page(html)], &[], &run);
    assert_eq!(of(good), [], "the good page");
    let mut broken: BTreeSet<&str> = elsewhere.iter().copied().collect();
    for (from, to, expected) in cases {
        assert!(good.contains(from), "{from} is not in the good page");
        let findings = of(&good.replacen(from, to, 1));
        let expected: BTreeSet<&str> = expected.iter().copied().collect();
        assert_eq!(names(&findings), expected, "{from} → {to}: {findings:#?}");
        broken.extend(expected);
    }
    all_broken(rules, &broken);
}

pub(crate) fn all_broken(rules: &[Rule], broken: &BTreeSet<&str>) {
    let declared: BTreeSet<&str> = rules.iter().map(|rule| rule.name).collect();
    assert_eq!(
        *broken, declared,
        "rules broken by tests, and rules declared"
    );
}
