//! Do the writers keep what a report says, whatever is in it?

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "what a test does not expect ends it"
)]

use holloway_report::{Report, html, markdown, pdf};
use serde_json::json;

fn sample() -> Report {
    serde_json::from_str(include_str!("sample.json")).unwrap()
}

#[test]
fn the_sample_as_markdown() {
    insta::assert_snapshot!(markdown::write(&sample()));
}

#[test]
fn the_sample_as_html() {
    let html = html::write(&sample());
    // The drawings have their own tests; here they would bury the page.
    let parts = html.split("<svg").enumerate().map(|(index, part)| {
        let rest = part.split_once("</svg>").map_or(part, |(_, rest)| rest);
        if index == 0 {
            part.to_owned()
        } else {
            format!("[drawing]{rest}")
        }
    });
    let (head, body) = html.split_once("<style>").unwrap();
    assert!(head.contains("default-src 'none'") && body.contains("</style>"));
    let text: String = parts.collect();
    insta::assert_snapshot!(text.split_once("</style>").unwrap().1);
}

/// Everything that could open a tag or an attribute, in every place that takes text.
fn hostile() -> Report {
    let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u{0}\u{202e}";
    serde_json::from_value(json!({
        "title": evil, "subtitle": evil, "date": evil, "author": evil, "language": "en\"><script>", "summary": evil,
        "blocks": [
            {"type": "heading", "text": evil}, {"type": "paragraph", "text": evil},
            {"type": "paragraph", "text": "[a](javascript:alert(1)) <b onclick=x>b</b>"},
            {"type": "table", "title": evil, "columns": [{"key": evil, "unit": evil}], "rows": [{(evil): evil}, {(evil): 3}], "note": evil},
            {"type": "figures", "items": [{"label": evil, "value": evil, "unit": evil, "change": evil}]},
            {"type": "chart", "kind": "donut", "title": evil, "description": evil, "unit": evil, "labels": [evil], "series": [{"name": evil, "values": [1]}]},
            {"type": "findings", "title": evil, "items": [{"rule": evil, "domain": evil, "where": {"page": evil, "element": evil}, "evidence": evil, "mend": evil, "reference": evil},
                {"rule": "r", "where": {"page": "javascript:alert(1)"}}]},
            {"type": "scores", "items": [{"name": evil, "value": 50, "note": evil}]},
            {"type": "actions", "items": [{"title": evil, "detail": evil, "priority": evil, "effort": evil, "impact": evil, "domain": evil}]},
            {"type": "callout", "title": evil, "text": evil},
        ]
    }))
    .unwrap()
}

#[test]
fn hostile_text_stays_text() {
    let html = html::write(&hostile());
    for bad in [
        "<script",
        "<img",
        "<b onclick",
        "href=\"javascript:",
        "\u{0}",
        "\u{202e}",
    ] {
        assert!(!html.contains(bad), "{bad}");
    }
    assert!(pdf::write(&hostile(), pdf::Paper::A4).is_ok());
    let text = markdown::write(&hostile());
    let rendered = html::markdown_to_html(&text);
    assert!(!rendered.contains("<script") && !rendered.contains("<img"));
}

#[test]
fn an_empty_report_is_a_report() {
    let empty = Report::default();
    assert!(html::write(&empty).contains("<h1></h1>"));
    assert_eq!(markdown::write(&empty), "# \n");
    assert!(
        pdf::write(&empty, pdf::Paper::Letter)
            .unwrap()
            .starts_with(b"%PDF-")
    );
}

#[test]
fn huge_reports_are_bounded_and_say_so() {
    let report: Report = serde_json::from_value(json!({
        "title": "t".repeat(10_000),
        "summary": "word ".repeat(2_000_000),
        "blocks": [
            {"type": "table", "rows": (0..100_000).map(|n| json!([n, "x"])).collect::<Vec<_>>()},
            {"type": "paragraph", "text": "x".repeat(1_000_000)},
            {"type": "table", "rows": [["y".repeat(100_000), "\u{1f980}".repeat(500)]]},
        ]
    }))
    .unwrap();
    let html = html::write(&report);
    assert!(html.contains("The first 2,000 of 100,000 rows are shown."));
    assert!(html.contains("The first 200,000 of 10,000,000 characters are shown."));
    assert!(html.len() < 3_000_000, "{}", html.len());
    let pdf = pdf::write(&report, pdf::Paper::A4).unwrap();
    assert!(pdf.len() < 5_000_000, "{}", pdf.len());
}

#[test]
fn a_report_survives_json_and_fits_its_schema() {
    let report = sample();
    let value = serde_json::to_value(&report).unwrap();
    assert_eq!(serde_json::from_value::<Report>(value).unwrap(), report);
    let schema = holloway_report::schema();
    assert_eq!(schema["type"], "object");
    assert!(
        !schema.to_string().contains("$ref"),
        "the schema can be put into another one"
    );
}

#[test]
fn characters_without_a_glyph_are_named() {
    let check = |text: &str, expected: &str| {
        let report = Report {
            title: text.to_owned(),
            ..Report::default()
        };
        let written = pdf::written(&report, pdf::Paper::A4).unwrap();
        assert_eq!(written.missing, expected);
    };
    check("Größe Łódź Ω", "");
    check("你好 and 你", "你好");
}
