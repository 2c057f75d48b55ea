//! Do the results of tools become a report without glue?

use serde_json::json;

use super::*;

/// What each block is, in a line.
fn outline(parts: Value) -> Vec<String> {
    let parts: Parts = serde_json::from_value(parts).unwrap();
    let lines = compose(&parts)
        .unwrap()
        .blocks
        .into_iter()
        .map(|block| match block {
            Block::Heading(heading) => format!(
                "{} {}",
                "#".repeat(usize::from(heading.level)),
                heading.text
            ),
            Block::Paragraph { text } => format!("text {text}"),
            Block::Table(table) => format!("table {} rows of {}", table.title, table.rows.len()),
            Block::Figures { items } => format!(
                "figures {}",
                items
                    .iter()
                    .map(|item| format!("{}={}", item.label, item.value))
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
            Block::Chart(chart) => format!(
                "chart {:?} {} labels={} series={}",
                chart.kind,
                chart.title,
                chart.labels.len(),
                chart.series.len()
            ),
            Block::Findings(findings) => format!(
                "findings {}",
                findings
                    .items
                    .iter()
                    .map(|item| format!(
                        "{}/{}/{}",
                        item.rule,
                        item.severity.name(),
                        item.place.page
                    ))
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
            Block::Scores { items } => format!(
                "scores {}",
                items
                    .iter()
                    .map(|item| format!(
                        "{}={}({})",
                        item.name,
                        item.value
                            .map_or_else(|| "–".to_owned(), |value| value.to_string()),
                        item.note
                    ))
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
            Block::Images { items } => format!("images {}", items.len()),
            Block::Actions { items, .. } => format!(
                "actions {}",
                items
                    .iter()
                    .map(|item| format!("{}/{}/{}", item.title, item.priority, item.impact))
                    .collect::<Vec<_>>()
                    .join("; ")
            ),
            Block::Callout(callout) => format!("callout {}", callout.text),
            Block::PageBreak => "break".to_owned(),
        });
    lines.collect()
}

#[test]
fn an_audit_becomes_a_report() {
    let check = |domain: &str, rule: &str, severity: &str, count: usize| {
        let finding = json!({"rule": rule, "domain": domain, "severity": severity, "where": {"page": "p"}, "evidence": "e", "mend": "m"});
        json!({"findings": vec![finding; count], "summary": {"critical": 1}, "pages": 3})
    };
    insta::assert_snapshot!(outline(json!({
        "title": "Audit",
        "scores": {"score": 74, "domains": {"seo": {"score": 92, "findings": 2}, "security": 83}},
        "findings": [check("seo", "title", "moderate", 2), check("security", "csp", "critical", 1), {"rule": "odd", "severity": "high", "where": "q"}],
        "actions": {"actions": [{"title": "Do", "priority": 1, "count": 3}, {"action": "Then", "gain": 4.5}, "Last"], "count": 3},
    })).join("\n"));
}

#[test]
fn data_chooses_its_chart() {
    let days: Vec<Value> = (1..=20)
        .map(|day| json!({"day": format!("2024-03-{day:02}"), "sales": day * 3, "note": "x"}))
        .collect();
    let scatter: Vec<Value> = (0..30)
        .map(|n| json!({"weight": n, "price": n * n}))
        .collect();
    insta::assert_snapshot!(outline(json!({
        "title": "Data",
        "data": {
            "daily_sales": {"rows": days, "columns": ["day", "sales"], "count": 20},
            "by_city": {"rows": [{"city": "Oslo", "sum": 5}, {"city": "Rome", "sum": 7}]},
            "spread": {"bins": [{"from": 0, "to": 5, "count": 2, "share": 0.5}, {"from": 5, "to": 10, "count": 2, "share": 0.5}]},
            "odd": {"outliers": [{"row": 3, "value": 99, "side": "high", "fields": {"city": "Oslo"}}], "count": 1},
            "none": {"outliers": [], "count": 0},
            "trend": {"series": [{"direction": "rising", "slope": 2.5, "mann_kendall": {"p": 0.01}}], "count": 1},
            "relation": scatter,
            "facts": {"mean": 3.5, "n": 12},
        },
        "figures": {"revenue": 1200, "growth": "+4%"},
        "charts": [{"kind": "bar", "labels": ["a"], "values": [1]}, {"kind": "nonsense"}, {"rows": [{"a": "x"}]}],
        "tables": {"raw": [[1, 2]]},
        "sections": [{"title": "Method", "text": "We counted.", "rows": [{"k": "v"}]}, {"type": "callout", "text": "Mind the gap"}],
        "notes": ["one", "two"],
    })).join("\n"));
}

#[test]
fn odd_parts_do_no_harm() {
    for odd in [
        json!(null),
        json!(3),
        json!("text"),
        json!([]),
        json!({}),
        json!([[], {}, null]),
        json!({"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}),
    ] {
        let names = [
            "summary", "figures", "scores", "findings", "actions", "data", "charts", "tables",
            "sections", "notes",
        ];
        for name in names {
            let parts: Parts = serde_json::from_value(json!({"title": "T", (name): odd})).unwrap();
            // Either a report or an error that names the part.
            let report = match compose(&parts) {
                Ok(report) => report,
                Err(error) => {
                    let told = format!("`{name}");
                    assert!(error.to_string().starts_with(&told), "{error}");
                    continue;
                }
            };
            assert_eq!(report.title, "T");
            assert!(
                !crate::html::write(&report).is_empty()
                    && !crate::markdown::write(&report).is_empty()
            );
        }
    }
}

#[test]
fn what_is_not_understood_is_no_all_clear() {
    let refused = |name: &str, value: Value, expected: &str| {
        let parts: Parts = serde_json::from_value(json!({(name): value})).unwrap();
        let error = compose(&parts).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    let unknown = "`findings` is not understood: found ";
    refused("findings", json!("nonsense"), unknown);
    refused("findings", json!({"error": "timeout"}), unknown);
    refused("findings", json!({}), unknown);
    refused(
        "findings",
        json!([{"findings": []}, {"title": "x"}]),
        unknown,
    );
    refused("findings", json!({"meta": {"findings": "none"}}), unknown);
    refused(
        "scores",
        json!({"seo": "good"}),
        "`scores.seo` is not understood: found \"good\"",
    );
    refused(
        "scores",
        json!({"seo": 120}),
        "`scores.seo` is not understood: found 120",
    );
    refused(
        "scores",
        json!([{"name": "SEO", "score": true}]),
        "`scores.SEO` is not",
    );
    refused("actions", json!(3), "`actions` is not understood: found 3");
    refused(
        "actions",
        json!({"count": 2}),
        "`actions` is not understood",
    );
    refused(
        "actions",
        json!([{"count": 2}]),
        "`actions` is not understood",
    );
    refused(
        "tables",
        json!({"prices": {"title": "x"}}),
        "`tables.prices` is not",
    );
    refused(
        "tables",
        json!([{"rows": []}, 3]),
        "`tables` is not understood: found 3",
    );
    refused("sections", json!([{"title": "A", "findings": 3}]), unknown);

    let found = outline(json!({
        "findings": {"meta": {"findings": []}, "links": null},
        "scores": {"seo": "92.5", "speed": null},
        "actions": null,
        "tables": {"a": null},
    }));
    let expected = [
        "figures Findings=0 Critical=0 Serious=0",
        "# Scores",
        "scores SEO=92.5()",
        "# Findings",
        "findings ",
    ];
    assert_eq!(found, expected);
}

#[test]
fn findings_are_headed_by_what_the_plan_calls_them() {
    let finding = |rule: &str| json!({"rule": rule, "mend": "Add `alt`.", "where": "p"});
    let parts: Parts = serde_json::from_value(json!({
        "findings": [finding("image-alt"), finding("other")],
        "actions": [{"title": "Describe the images", "rule": "image-alt", "when": "now", "priority": 9.5, "pages_affected": 3, "effort": "low"}],
    }))
    .unwrap();
    let text = crate::markdown::write(&compose(&parts).unwrap());
    for line in [
        "1. **Describe the images** (priority: now, impact: 3 pages, effort: low)",
        "#### Moderate: Describe the images\n\nimage-alt · 1 place\n\nAdd `alt`.",
        "#### Moderate: other\n\n1 place",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn many_rows_have_their_table_beside_the_chart() {
    let rows: Vec<Value> = (0..200).map(|n| json!({"x": n, "y": n * n})).collect();
    let found = outline(json!({"data": rows}));
    let expected = ["chart Scatter  labels=0 series=1", "table  rows of 20"];
    assert_eq!(found, expected);
}

#[test]
fn markdown_becomes_a_document() {
    let report = from_markdown(
        "# Top\n\nHello\n\n## Part *one*\n\n```\n# no heading\n```\n### Deeper\nEnd",
        None,
    );
    assert_eq!(report.title, "Top");
    let shown: Vec<String> = report
        .blocks
        .iter()
        .map(|block| format!("{block:?}"))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
    assert_eq!(from_markdown("plain", Some("Given")).title, "Given");
}
