//! Does the report say what a reader needs, first and once?

use serde_json::{Value, json};

use super::super::super::testing::builtin;

const SITE: &str = "https://shop.example";

fn finding(rule: &str, domain: &str, severity: &str, page: &str, evidence: &str) -> Value {
    json!({
        "rule": rule, "domain": domain, "severity": severity, "where": {"page": format!("{SITE}{page}"), "element": "body > a"},
        "evidence": evidence, "mend": "Mend it."
    })
}

fn arguments() -> Value {
    let pages: Vec<Value> = (0..12)
        .map(|number| json!({"url": format!("{SITE}/{number}"), "status": if number == 11 { 404 } else { 200 }}))
        .collect();
    let many = (0..11).map(|number| {
        finding(
            "csp-missing",
            "security",
            "serious",
            &format!("/{number}"),
            "no Content-Security-Policy",
        )
    });
    let mut security: Vec<Value> = many.collect();
    security.push(finding(
        "comment-secret",
        "security",
        "critical",
        "/3",
        "<!-- password -->",
    ));
    let seo = vec![
        finding("language-missing", "seo", "moderate", "/1", "no lang"),
        finding("page-error", "seo", "serious", "/11", "status 404"),
        finding("page-error", "seo", "serious", "/11", "status 404"),
    ];
    let a11y = vec![finding(
        "html-has-lang",
        "accessibility",
        "serious",
        "/1",
        "no lang",
    )];
    json!({
        "site": SITE, "plan": "thorough", "date": "19 November 2026", "pages": pages,
        "results": [
            {"findings": security, "checked": ["security-headers-check", "vulnerability-scan"]},
            {"findings": seo, "checked": ["meta-tags-check"]},
            {"findings": a11y, "checked": ["wcag-check"]},
            Value::Null
        ]
    })
}

fn blocks<'a>(report: &'a Value, kind: &str) -> Vec<&'a Value> {
    let blocks = report["blocks"].as_array().unwrap().iter();
    blocks.filter(|block| block["type"] == kind).collect()
}

#[tokio::test]
async fn the_answer_comes_first() {
    let result = builtin("audit-report", arguments()).await.unwrap();
    let report = &result["report"];
    assert_eq!(report["subtitle"], SITE);
    assert_eq!(report["date"], "19 November 2026");
    assert_eq!(
        report["facts"],
        json!(["11 pages", "1 address with an error", "plan: thorough"])
    );
    let summary = report["summary"].as_str().unwrap();
    assert!(
        summary.contains("14 distinct problems were found, 1 of them critical"),
        "{summary}"
    );
    assert!(
        summary.contains("1. **Secret in an HTML comment** — on /3."),
        "{summary}"
    );
    assert!(
        summary.contains("2. **No Content-Security-Policy** — on all 11 pages"),
        "{summary}"
    );
    assert_eq!(result["findings"], 14);
    let told = result["told"].as_str().unwrap();
    assert!(
        told.contains("\n1. Secret in an HTML comment (on /3)"),
        "{told}"
    );
}

#[tokio::test]
async fn actions_are_due_now_next_and_later() {
    let result = builtin("audit-report", arguments()).await.unwrap();
    let report = &result["report"];
    let headings: Vec<&str> = blocks(report, "heading")
        .iter()
        .map(|block| block["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        headings,
        [
            "Scores",
            "What to do",
            "Now (2)",
            "Next (2)",
            "Pages",
            "All findings",
            "How this was checked"
        ]
    );
    let [now, next] = blocks(report, "actions")[..] else {
        panic!("now and next")
    };
    let first = &now["items"][0];
    assert_eq!(first["places"][0]["page"], format!("{SITE}/3"));
    assert_eq!(first["places"][0]["evidence"], "<!-- password -->");
    assert_eq!(now["items"][1]["more"], 8);
    assert_eq!(
        (&next["start"], &next["items"][0]["title"]),
        (&json!(3), &json!("Declare the language of every page"))
    );
}

#[tokio::test]
async fn what_was_not_checked_has_no_score() {
    let result = builtin("audit-report", arguments()).await.unwrap();
    let scores = blocks(&result["report"], "scores")[0]["items"].clone();
    let notes: Vec<(&str, bool, &str)> = scores
        .as_array()
        .unwrap()
        .iter()
        .map(|score| {
            (
                score["name"].as_str().unwrap(),
                score["value"].is_null(),
                score["note"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        notes,
        [
            ("SEO", false, "1 of 6 checks"),
            ("Performance", true, "not checked"),
            ("Accessibility", false, "1 of 7 checks"),
            ("Security", false, "2 of 6 checks"),
        ]
    );
    let note = blocks(&result["report"], "callout")[0]["text"]
        .as_str()
        .unwrap();
    assert!(
        note.contains("- **Performance:** nothing was checked"),
        "{note}"
    );
}

#[tokio::test]
async fn names_are_for_people_and_lead_to_the_rule() {
    let result = builtin("audit-report", arguments()).await.unwrap();
    let found = blocks(&result["report"], "findings")[0]["items"].clone();
    let csp = &found[0];
    assert_eq!(csp["title"], "No Content-Security-Policy");
    assert_eq!(csp["link"], "https://www.w3.org/TR/CSP3/");
    // One page error, and one of the two rules about the language.
    assert_eq!(found.as_array().unwrap().len(), 14);
}

#[tokio::test]
async fn a_site_without_faults_reads_as_such() {
    let arguments =
        json!({"pages": [{"url": SITE}], "results": [{"findings": [], "checked": ["wcag-check"]}]});
    let result = builtin("audit-report", arguments).await.unwrap();
    let summary = result["report"]["summary"].as_str().unwrap();
    assert_eq!(
        summary,
        "Accessibility scores **100 of 100**. Nothing was found."
    );
}
