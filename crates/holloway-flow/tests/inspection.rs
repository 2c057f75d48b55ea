//! Is every poisoned definition shown for what it is, and no honest one accused?
//! The cases are data: `inspection/poisoned.jsonl` and `inspection/honest.jsonl`.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::inspect::{Finding, Inspector, inspect, visible};
use holloway_flow::catalog::offer::{Hints, Offer, QualityFacts};
use holloway_plan::tool::ToolId;
use serde_json::{Value, json};

const POISONED: &str = include_str!("inspection/poisoned.jsonl");
const HONEST: &str = include_str!("inspection/honest.jsonl");

struct Case {
    name: String,
    expect: Value,
    offer: Offer,
    others: Vec<ToolId>,
}

fn cases(lines: &str) -> Vec<Case> {
    let read = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let others = case["others"].as_array().cloned().unwrap_or_default();
        Case {
            name: case["case"].as_str().unwrap().to_owned(),
            expect: case["expect"].clone(),
            offer: offer(&case["definition"]),
            others: others
                .iter()
                .map(|id| ToolId::new(id.as_str().unwrap()))
                .collect(),
        }
    };
    lines.lines().map(read).collect()
}

fn offer(definition: &Value) -> Offer {
    let text = |key: &str| definition[key].as_str().unwrap_or_default().to_owned();
    Offer {
        id: SourceId::new("mcp.test").tool(&text("name")),
        title: text("title"),
        description: text("description"),
        category: String::new(),
        input_schema: definition["inputSchema"].clone(),
        output_schema: definition["outputSchema"].clone(),
        hints: Hints::default(),
        definition: definition.clone(),
        facts: QualityFacts::default(),
        findings: Vec::new(),
    }
}

fn kinds(findings: &[Finding]) -> Vec<Value> {
    findings.iter().map(|finding| json!(finding.kind)).collect()
}

#[test]
fn every_poisoned_definition_is_found() {
    let cases = cases(POISONED);
    assert!(cases.len() >= 50);
    let mut missed = Vec::new();
    for case in cases {
        let findings = inspect(&case.offer, &case.others);
        if !kinds(&findings).contains(&case.expect) {
            missed.push(format!("{}: {findings:?}", case.name));
        }
        for finding in &findings {
            let unseen = finding.shown.chars().any(visible::is_invisible);
            let at = finding.place.is_empty()
                || finding.place.chars().any(|c| c == '⟨' || c == '…')
                || case.offer.definition.pointer(&finding.place).is_some();
            if finding.shown.is_empty() || finding.shown.chars().count() > 400 || unseen || !at {
                missed.push(format!("{}: badly shown: {finding:?}", case.name));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn no_honest_definition_is_accused() {
    let cases = cases(HONEST);
    assert!(cases.len() >= 25);
    let more =
        ["read_file", "edit_file", "write_lines"].map(|name| SourceId::new("mcp.test").tool(name));
    let own: Vec<ToolId> = cases
        .iter()
        .map(|case| case.offer.id.clone())
        .chain(more)
        .collect();
    let mut accused = Vec::new();
    for case in &cases {
        let findings = Inspector::new(&case.others, &own).inspect(&case.offer);
        if !findings.is_empty() {
            accused.push(format!("{}: {findings:?}", case.name));
        }
    }
    assert!(accused.is_empty(), "{}", accused.join("\n"));
}

#[test]
fn what_the_adapter_adds_is_inspected_too() {
    let mut hidden = offer(&json!({"name": "add"}));
    assert_eq!(inspect(&hidden, &[]), []);
    hidden.description = "Adds.\u{200B}".to_owned();
    hidden.input_schema = json!({"type": "object", "properties": {"a\u{202E}": {}}});
    let places: Vec<String> = inspect(&hidden, &[])
        .into_iter()
        .map(|finding| finding.place)
        .collect();
    assert_eq!(
        places,
        ["/description", "/inputSchema/properties/a⟨U+202E⟩"]
    );
}

#[test]
fn a_definition_without_end_is_stopped_at() {
    let mut deep = json!("x");
    for _ in 0..400 {
        deep = json!([deep]);
    }
    for field in [json!({ "blob": "word ".repeat(60_000) }), deep] {
        let mut huge = offer(&json!({"name": "add", "inputSchema": {"type": "object"}}));
        assert_eq!(inspect(&huge, &[]), []);
        huge.definition["_meta"] = field;
        let found = inspect(&huge, &[]);
        assert!(kinds(&found).contains(&json!("oversized")), "{found:?}");
    }
}
