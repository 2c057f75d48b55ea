//! `audit-report`: what does an audit say to the person who ordered it? The answer first, then what
//! to do and where, scores that say what they cover, every page, and each finding once.

use std::sync::Arc;

use holloway_audit::action_plan::{Action, actions};
use holloway_audit::audit::DOMAINS;
use holloway_audit::coverage::Coverage;
use holloway_audit::finding::{Domain, Finding};
use holloway_audit::score;
use holloway_audit::told::{distinct, once};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_report::{Report, markdown};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::clock;
use super::super::declaration::{Declaration, input, output};
use super::super::pure::{shared, within_limit};
use super::super::{Tool, arguments};
use super::schemas::results_schema;
use super::scores::{coverage_of, findings_of};

mod body;
mod found;
mod lab;
mod words;

struct AuditReport;

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(AuditReport)]
}

/// What the report is made from.
pub(super) struct Audit {
    pub(super) site: String,
    pub(super) plan: String,
    pub(super) date: String,
    /// Addresses of the pages that answered, in order.
    pub(super) pages: Vec<String>,
    /// How many pages answered with an error.
    pub(super) errors: usize,
    pub(super) findings: Vec<Finding>,
    pub(super) actions: Vec<Action>,
    pub(super) coverage: Coverage,
    /// The domains that were looked at, with their scores.
    pub(super) scores: Vec<(Domain, f64)>,
    pub(super) overall: f64,
    /// What a browser measured and showed, page by page.
    pub(super) lab: Vec<Value>,
    /// What the tools themselves say that they could not see.
    pub(super) unseen: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    results: Vec<Value>,
    pages: Vec<Value>,
    #[serde(default)]
    site: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    plan: String,
    #[serde(default)]
    date: String,
}

#[async_trait::async_trait]
impl Tool for AuditReport {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "audit-report",
            title: "Report an audit",
            category: "audit",
            description: "Makes the report of a website audit from the results of its checks, as they are: the answer in words with \
                the three most important things and why, actions ordered by severity, reach and effort with pages, elements and \
                snippets, scores per domain that say what was not checked, a score per page, every finding once with a link to its \
                rule, estimated savings, and browser measurements with screenshots where there are any. Use it after the checks and \
                before report-write. Returns the report, its main findings as a short text, and how many distinct findings there are.",
            effect: Effect::Read,
            latency_ms: 50,
            input: input(
                &["results", "pages"],
                json!({
                    "results": results_schema(),
                    "pages": {"type": "array", "items": {"type": "object", "required": ["url"]}, "description": "The pages that were checked, as fetched"},
                    "site": {"type": "string", "description": "The address of the site; the first page if left out"},
                    "title": {"type": "string", "description": "Website audit if left out"},
                    "plan": {"type": "string", "description": "How thorough the audit was, such as quick or thorough"},
                    "date": {"type": "string", "description": "As it is to be read; today if left out"}
                }),
            ),
            output: output(
                &["report", "told", "score", "findings", "actions"],
                json!({
                    "report": {"type": "object", "description": "As report-write takes it"},
                    "told": {"type": "string", "description": "The main findings in a few lines"},
                    "score": {"type": ["number", "null"]},
                    "findings": {"type": "integer", "description": "Distinct findings"},
                    "actions": {"type": "integer"}
                }),
            ),
            example: json!({
                "site": "https://example.com/", "plan": "quick", "pages": [{"url": "https://example.com/"}],
                "results": [{"checked": ["meta-tags-check"], "findings": [{
                    "rule": "title-missing", "domain": "seo", "severity": "critical", "where": {"page": "https://example.com/"},
                    "evidence": "no <title>", "mend": "Add a title."
                }]}]
            }),
            does: &[
                "compose findings[]:results page[]:pages url:site? -> report:report with plan=depth",
                "conclude findings[]:results page[]:pages -> text.text:told",
            ],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments = shared(arguments, call);
        let today = clock::today();
        blocking(move || {
            let given: Arguments = arguments::parse(&arguments)?;
            let title = given.title.clone();
            let audit = audit(given, &today)?;
            let report = report(&audit, &title);
            within_limit(markdown::write(&report).len())?;
            Ok(CallOutput::from(json!({
                "report": report,
                "told": words::told(&audit),
                "score": (!audit.scores.is_empty()).then_some(audit.overall),
                "findings": audit.findings.len(),
                "actions": audit.actions.len(),
            })))
        })
        .await
    }
}

fn audit(given: Arguments, today: &str) -> Result<Audit, ToolFailure> {
    let all = findings_of(&given.results)?;
    let coverage = coverage_of(&given.results);
    let checked = checked(&coverage, &all);
    let (pages, errors) = answered(&given.pages);
    let count = given.pages.len().max(1);
    let whole = score::overall(&checked, &distinct(all.clone()), count);
    let findings = once(all);
    let actions = actions(&findings, count);
    let lab = gathered(&given.results, "measured");
    let unseen = gathered(&given.results, "unseen").into_iter();
    let unseen = unseen.filter_map(|text| text.as_str().map(str::to_owned));
    let or = |text: String, other: &str| {
        if text.is_empty() {
            other.to_owned()
        } else {
            text
        }
    };
    let start = pages.first().cloned().unwrap_or_default();
    let scores = whole.domains.iter();
    Ok(Audit {
        site: or(given.site, &start),
        plan: given.plan,
        date: or(given.date, today),
        pages,
        errors,
        findings,
        actions,
        coverage,
        scores: scores.map(|domain| (domain.domain, domain.score)).collect(),
        overall: whole.score,
        lab,
        unseen: unseen.collect(),
    })
}

/// The domains that were looked at; by their findings where no result says it.
fn checked(coverage: &Coverage, findings: &[Finding]) -> Vec<Domain> {
    let domains = DOMAINS.into_iter().filter(|domain| {
        let told = findings.iter().any(|found| found.domain == *domain);
        coverage.has(*domain) || coverage.is_empty() && told
    });
    domains.collect()
}

/// The addresses of the pages that answered, and how many did not.
fn answered(pages: &[Value]) -> (Vec<String>, usize) {
    let status = |page: &Value| page.get("status").and_then(Value::as_u64).unwrap_or(200);
    let (answered, errors): (Vec<&Value>, Vec<&Value>) =
        pages.iter().partition(|page| status(page) < 400);
    let urls = answered.iter().filter_map(|page| page.get("url")?.as_str());
    (urls.map(str::to_owned).collect(), errors.len())
}

/// What the results list under a name, one after the other.
fn gathered(results: &[Value], name: &str) -> Vec<Value> {
    let lists = results
        .iter()
        .filter_map(|result| result.get(name)?.as_array());
    lists.flatten().cloned().collect()
}

fn report(audit: &Audit, title: &str) -> Report {
    Report {
        title: if title.trim().is_empty() {
            "Website audit".to_owned()
        } else {
            title.to_owned()
        },
        subtitle: audit.site.clone(),
        date: audit.date.clone(),
        facts: words::facts(audit),
        language: "en".to_owned(),
        summary: words::summary(audit),
        blocks: body::blocks(audit),
        ..Report::default()
    }
}

#[cfg(test)]
mod tests;
