//! `action-plan`: what should be done first about all these findings?

use std::sync::Arc;

use holloway_audit::action_plan::actions;
use holloway_audit::told::once;
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::schemas::{results_schema, severity_schema};
use super::scores::findings_of;

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Pure::tool(spec(), plan)]
}

fn spec() -> ToolSpec {
    Declaration {
        name: "action-plan",
        title: "Make an action plan",
        category: "audit",
        description: "Turns the findings of any number of checks into a prioritised action plan: findings of one rule become one \
            action, ordered by priority = severity × reach ÷ effort (40, 12, 4, 1 by severity; reach by share of pages, or all of it \
            where one place endangers the whole site; effort 1, 1.5, 2.5). Use it at the end of a website audit. The same findings give the same plan. Returns actions with rank, \
            priority, when (now, next, later), title, domain, severity, pages affected, effort, how to mend, reference and up to \
            three examples of places, and how many actions there are altogether.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["results", "pages"],
            json!({
                "results": results_schema(),
                "pages": {"type": "integer", "minimum": 0, "description": "How many pages were checked"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100, "description": "At most this many actions"}
            }),
        ),
        output: output(
            &["actions", "count", "findings"],
            json!({
                "actions": {"type": "array", "items": action_schema()},
                "count": {"type": "integer", "description": "Actions before the limit"},
                "findings": {"type": "integer", "description": "Distinct findings"}
            }),
        ),
        example: json!({"results": [{"findings": [{
            "rule": "title-missing", "domain": "seo", "severity": "critical", "where": {"page": "https://example.com/"},
            "evidence": "no <title>", "mend": "Add a title."
        }]}], "pages": 3}),
        does: &["prioritise findings[]:results page[]:pages|length -> actions"],
    }
    .builtin()
}

/// One action of a plan.
pub(super) fn action_schema() -> Value {
    json!({
        "type": "object",
        "required": ["rank", "priority", "when", "title", "domain", "severity", "rule", "findings", "pages_affected", "effort", "mend", "examples"],
        "properties": {
            "rank": {"type": "integer"},
            "priority": {"type": "number"},
            "when": {"enum": ["now", "next", "later"]},
            "title": {"type": "string"},
            "problem": {"type": "string", "description": "What is wrong, as people call it"},
            "why": {"type": "string"},
            "domain": {"enum": ["seo", "performance", "accessibility", "security"]},
            "severity": severity_schema(),
            "rule": {"type": "string"},
            "findings": {"type": "integer"},
            "pages_affected": {"type": "integer"},
            "effort": {"enum": ["low", "medium", "high"]},
            "mend": {"type": "string"},
            "reference": {"type": "string"},
            "link": {"type": "string", "description": "Where the rule can be read about"},
            "saves": {"type": "integer", "description": "Bytes that mending saves, estimated"},
            "examples": {"type": "array", "items": {"type": "object"}}
        }
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    results: Vec<Value>,
    pages: usize,
    #[serde(default = "hundred")]
    limit: usize,
}

fn hundred() -> usize {
    100
}

fn plan(arguments: &Value) -> Result<Value, ToolFailure> {
    let given: Arguments = arguments::parse(arguments)?;
    let findings = once(findings_of(&given.results)?);
    let mut actions = actions(&findings, given.pages);
    let count = actions.len();
    actions.truncate(given.limit);
    Ok(json!({"actions": actions, "count": count, "findings": findings.len()}))
}
