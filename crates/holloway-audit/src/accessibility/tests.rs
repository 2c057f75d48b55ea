//! Does every rule fire where something is wrong, and keep silent where it is right?

use super::*;
use crate::page::Page;

mod hostile;
// One line per rule reads as a table.
#[rustfmt::skip]
mod rules;

fn document(html: &str) -> Document {
    Document::parse(&Page {
        url: "https://pages.test/".to_owned(),
        html: html.to_owned(),
        ..Page::default()
    })
}

/// The rules that a fragment inside `main` breaks, each with the paths, without those
/// about the page as a whole.
fn broken(fragment: &str) -> Vec<String> {
    broken_page(&format!(
        "<!doctype html><html lang=en><title>T</title><main><h1>H</h1>{fragment}</main>"
    ))
}

fn broken_page(html: &str) -> Vec<String> {
    let findings = check(&document(html), &[]);
    let mut rules: Vec<String> = findings.into_iter().map(|finding| finding.rule).collect();
    rules.sort();
    rules.dedup();
    rules
}

/// One rule: fragments that break it, and fragments that do not.
fn check_rule(rule: &str, wrong: &[&str], right: &[&str]) {
    assert!(find_rule(rule).is_some(), "{rule} is not in the catalogue");
    for fragment in wrong {
        let rules = broken(fragment);
        assert!(
            rules.iter().any(|broken| broken == rule),
            "{rule} is silent on {fragment}: {rules:?}"
        );
    }
    for fragment in right {
        let rules = broken(fragment);
        assert!(
            !rules.iter().any(|broken| broken == rule),
            "{rule} fires on {fragment}"
        );
    }
}

#[test]
fn a_finding_says_where_what_and_why() {
    let document = document(
        "<!doctype html><html lang=en><title>T</title><main><h1>H</h1><img src=a.png></main>",
    );
    let findings = check(&document, &[]);
    let shown: Vec<String> = findings
        .iter()
        .map(|finding| {
            format!(
                "{} | {:?} | {} | {} | {}",
                finding.rule,
                finding.severity,
                finding.place.element,
                finding.evidence,
                finding.reference
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"image-alt | Critical | img | <img src="a.png"> | WCAG 2.2 1.1.1"#);
}

#[test]
fn style_sheets_of_the_page_are_used_once_each() {
    let html = "<!doctype html><html lang=en><title>T</title><link rel=stylesheet href=/a.css><main><h1>H</h1><p>Pale text</p></main>";
    let sheet = |url: &str| Asset {
        url: url.to_owned(),
        kind: AssetKind::Style,
        text: "p { color: #aaa }".to_owned(),
        ..Asset::default()
    };
    let document = document(html);
    let mut checker = Checker::default();
    let with = checker.check(&document, &[sheet("https://pages.test/a.css")]);
    assert_eq!(with.findings.len(), 1);
    assert_eq!(with.findings[0].rule, "color-contrast");
    let again = checker.check(&document, &[sheet("https://pages.test/a.css")]);
    assert_eq!(again.findings, with.findings);
    assert_eq!(checker.sheets.len(), 1);
    let without = checker.check(&document, &[sheet("https://pages.test/b.css")]);
    assert!(without.findings.is_empty());
}

#[test]
fn what_only_a_browser_can_tell_is_counted() {
    let html = "<!doctype html><html lang=en><title>T</title><main><h1>H</h1><p style='background:url(a.png);color:#999'>Over an image</p></main>";
    let checked = Checker::default().check(&document(html), &[]);
    assert!(checked.findings.is_empty());
    assert_eq!(checked.undecided, 1);
}

#[test]
fn families_add_up_to_all() {
    let html = "<html><img><input><div role=foo>x</div><p style='color:#ccc'>Pale</p><a href=/></a><span tabindex=4>x</span>";
    let document = document(html);
    let mut apart: Vec<Finding> = FAMILIES
        .iter()
        .flat_map(|family| check_family(&document, &[], *family))
        .collect();
    let mut all = check(&document, &[]);
    let key = |finding: &Finding| (finding.rule.clone(), finding.place.clone());
    apart.sort_by_key(key);
    all.sort_by_key(key);
    assert_eq!(apart, all);
    for finding in &all {
        let family = find_rule(&finding.rule).map(|(_, family)| *family).unwrap();
        let own = check_family(&document, &[], family);
        assert!(
            own.contains(finding),
            "{} is not in its family",
            finding.rule
        );
    }
}
