//! How good is the site, in numbers? One score per domain and one over all.

use std::sync::Arc;

use holloway_audit::audit::DOMAINS;
use holloway_audit::coverage::Coverage;
use holloway_audit::finding::{Domain, Finding, Summary};
use holloway_audit::score::{self, DomainScore};
use holloway_audit::told::distinct;
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::schemas::{results_schema, severity_schema, summary_schema};

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(
            domain_spec("seo-score", "Score search engine optimisation", "seo"),
            |arguments| one(arguments, Domain::Seo),
        ),
        Pure::tool(
            domain_spec("performance-score", "Score performance", "performance"),
            |arguments| one(arguments, Domain::Performance),
        ),
        Pure::tool(
            domain_spec(
                "accessibility-score",
                "Score accessibility",
                "accessibility",
            ),
            |arguments| one(arguments, Domain::Accessibility),
        ),
        Pure::tool(
            domain_spec("security-score", "Score security", "security"),
            |arguments| one(arguments, Domain::Security),
        ),
        Pure::tool(audit_spec(), all),
    ]
}

fn domain_spec(name: &'static str, title: &'static str, category: &'static str) -> ToolSpec {
    Declaration {
        name,
        title,
        category,
        description: "Turns the findings of checks into one score from 0 to 100 for this domain; findings of other domains \
            are passed over, repeated ones count once. Every broken rule takes weight × (1/4 + 3/4 × share of pages affected) \
            percent of what is left, with weights 30 critical, 15 serious, 6 moderate, 2 minor. Use it after the checks of the \
            domain. Returns score, grade (A from 90, B 80, C 70, D 60, else F), a summary by severity, and what each rule took off.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(&["results", "pages"], json!({"results": results_schema(), "pages": pages_schema()})),
        output: output(
            &["domain", "score", "grade", "summary", "penalties", "pages"],
            json!({
                "domain": {"type": "string"}, "score": {"type": "number"}, "grade": {"type": "string"},
                "summary": summary_schema(), "penalties": penalties_schema(), "pages": {"type": "integer"}
            }),
        ),
        example: json!({"results": [{"findings": []}], "pages": 3}),
        does: &[],
    }
    .builtin()
}

fn audit_spec() -> ToolSpec {
    Declaration {
        name: "audit-score",
        title: "Score a whole audit",
        category: "audit",
        description: "Turns the findings of all checks of a website audit into one score from 0 to 100 for each domain (seo, \
            performance, accessibility, security) and over all, which is the mean of the domains. A domain of which \
            no check was made has no score and counts for nothing. Returns score, grade, a summary by severity, and one row per \
            domain with its score, counts and the checks that were not made.",
        effect: Effect::Read,
        latency_ms: 5,
        input: input(
            &["results", "pages"],
            json!({
                "results": results_schema(),
                "pages": pages_schema(),
                "domains": {
                    "type": "array", "uniqueItems": true, "minItems": 1,
                    "items": {"enum": ["seo", "performance", "accessibility", "security"]},
                    "default": ["seo", "performance", "accessibility", "security"],
                    "description": "The domains to score"
                }
            }),
        ),
        output: output(
            &["score", "grade", "summary", "domains", "pages"],
            json!({
                "score": {"type": "number"}, "grade": {"type": "string"}, "summary": summary_schema(),
                "domains": {"type": "array", "items": {"type": "object"}}, "pages": {"type": "integer"}
            }),
        ),
        example: json!({"results": [{"findings": []}], "pages": 3}),
        does: &["score findings[]:results page[]:pages|length -> score with domains=domains*"],
    }
    .builtin()
}

fn pages_schema() -> Value {
    json!({"type": "integer", "minimum": 0, "description": "How many pages were checked"})
}

fn penalties_schema() -> Value {
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "rule": {"type": "string"}, "severity": severity_schema(), "findings": {"type": "integer"},
                "pages": {"type": "integer"}, "penalty": {"type": "number"}
            }
        }
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    results: Vec<Value>,
    pages: usize,
    domains: Option<Vec<Domain>>,
}

/// The findings of all results; what was skipped left nothing and is passed over.
pub(super) fn findings_of(results: &[Value]) -> Result<Vec<Finding>, ToolFailure> {
    let mut findings: Vec<Finding> = Vec::new();
    for (index, result) in results
        .iter()
        .enumerate()
        .filter(|(_, result)| !result.is_null())
    {
        let listed = result.get("findings").ok_or_else(|| {
            ToolFailure::invalid(format!("`results[{index}]` has no `findings`"))
                .with_hint("give the results of checks as they are, each an object with `findings`")
        })?;
        let listed: Vec<Finding> = Vec::deserialize(listed).map_err(|error| {
            ToolFailure::invalid(format!("`results[{index}].findings` does not fit: {error}"))
        })?;
        findings.extend(listed);
    }
    Ok(distinct(findings))
}

/// The checks that the results say were made.
pub(super) fn coverage_of(results: &[Value]) -> Coverage {
    let lists = results.iter().filter_map(|result| result.get("checked"));
    let names = lists.filter_map(Value::as_array).flatten();
    Coverage::new(names.filter_map(Value::as_str).map(str::to_owned))
}

/// Where nothing was looked at nothing was found, which is no perfect score.
fn require_checked(given: &Arguments) -> Result<(), ToolFailure> {
    if given.pages > 0 && given.results.iter().any(|result| !result.is_null()) {
        return Ok(());
    }
    Err(ToolFailure::invalid(
        "nothing was checked: `pages` is 0, or `results` has no result of a check",
    )
    .with_hint("give the number of pages checked, and the result of one check at least"))
}

fn one(arguments: &Value, domain: Domain) -> Result<Value, ToolFailure> {
    let given: Arguments = arguments::parse(arguments)?;
    if given.domains.is_some() {
        return Err(ToolFailure::invalid(
            "`domains` is an argument of audit-score alone",
        ));
    }
    require_checked(&given)?;
    let findings = findings_of(&given.results)?;
    let score = score::domain(domain, &findings, given.pages);
    let mut result = json!(score);
    if let Some(fields) = result.as_object_mut() {
        fields.insert("pages".to_owned(), json!(given.pages));
    }
    Ok(result)
}

fn all(arguments: &Value) -> Result<Value, ToolFailure> {
    let given: Arguments = arguments::parse(arguments)?;
    require_checked(&given)?;
    let findings = findings_of(&given.results)?;
    let domains = given.domains.unwrap_or_else(|| DOMAINS.to_vec());
    let coverage = coverage_of(&given.results);
    // What was asked for and not looked at has no score.
    let (domains, unchecked): (Vec<Domain>, Vec<Domain>) = domains
        .into_iter()
        .partition(|domain| coverage.is_empty() || coverage.has(*domain));
    if domains.is_empty() {
        return Err(ToolFailure::invalid(
            "nothing was checked in the domains that are to be scored",
        ));
    }
    let score = score::overall(&domains, &findings, given.pages);
    let rows = score
        .domains
        .iter()
        .map(|domain| covered_row(domain, &coverage));
    let rows = rows.chain(unchecked.iter().map(|domain| unchecked_row(*domain)));
    let counted = findings
        .iter()
        .filter(|finding| domains.contains(&finding.domain));
    Ok(json!({
        "score": score.score,
        "grade": score.grade,
        "summary": Summary::of(counted),
        "domains": rows.collect::<Vec<_>>(),
        "pages": given.pages,
    }))
}

/// A domain with how many of its checks were made.
fn covered_row(score: &DomainScore, coverage: &Coverage) -> Value {
    let mut row = domain_row(score);
    let (made, missing) = coverage.of(score.domain);
    if let Some(fields) = row.as_object_mut().filter(|_| !coverage.is_empty()) {
        fields.insert("checks".to_owned(), json!(made.len()));
        let names: Vec<&str> = missing.iter().map(|part| part.name.as_str()).collect();
        fields.insert("not_checked".to_owned(), json!(names));
    }
    row
}

fn unchecked_row(domain: Domain) -> Value {
    json!({"domain": domain, "score": null, "grade": "not checked", "findings": 0})
}

/// A domain as one row of a table.
pub(super) fn domain_row(score: &DomainScore) -> Value {
    json!({
        "domain": score.domain,
        "score": score.score,
        "grade": score.grade,
        "findings": score.summary.total,
        "critical": score.summary.critical,
        "serious": score.summary.serious,
        "moderate": score.summary.moderate,
        "minor": score.summary.minor,
        "rules": score.penalties.len(),
    })
}
