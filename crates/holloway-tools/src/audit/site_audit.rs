//! `site-audit`: everything about these pages in one call, from checks to action plan.

use std::sync::Arc;

use holloway_audit::action_plan::actions;
use holloway_audit::audit::{DOMAINS, Share, check_domain};
use holloway_audit::documents::Documents;
use holloway_audit::finding::Finding;
use holloway_audit::score;
use holloway_audit::site::Site;
use holloway_audit::told::{distinct, once};
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::json;

use super::super::Tool;
use super::super::declaration::Declaration;
use super::check::{Check, Outcome};
use super::plan::action_schema;
use super::schemas::{check_input, check_output};
use super::scores::domain_row;

pub(super) fn tools(documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    vec![Check::tool(spec(), documents, audit)]
}

fn spec() -> ToolSpec {
    Declaration {
        name: "site-audit",
        title: "Audit a website",
        category: "audit",
        description: "Audits fetched pages in one call: every check of seo, performance, accessibility and security, scores for \
            each domain and over all, and a prioritised action plan. Use it for a quick audit of a whole website; the single \
            checks give more facts. Returns findings, a summary by severity, score and grade, one row per domain, and actions \
            ordered by priority.",
        effect: Effect::Read,
        latency_ms: 250,
        input: check_input(),
        output: check_output(&[
            ("score", json!({"type": "number"})),
            ("grade", json!({"type": "string"})),
            ("domains", json!({"type": "array", "items": {"type": "object"}})),
            ("actions", json!({"type": "array", "items": action_schema()})),
        ]),
        example: json!({"pages": [{"url": "https://example.com/", "html": "<html lang=en><title>Boots</title><h1>Boots</h1>"}]}),
        does: &["audit page[]:pages asset[]:assets? url.listed[]:listed? -> findings with domains is seo domains is performance domains is accessibility domains is security"],
    }
    .builtin()
}

fn audit(site: &Site) -> Outcome {
    let findings = distinct(check(site));
    let score = score::overall(&DOMAINS, &findings, site.pages.len());
    let rows: Vec<_> = score.domains.iter().map(domain_row).collect();
    let actions = actions(&findings, site.pages.len());
    let findings = once(findings);
    Outcome::new(findings)
        .with("score", score.score)
        .with("grade", score.grade)
        .with("domains", rows)
        .with("actions", actions)
}

/// All domains on two threads: first they parse half of the pages each. Then one starts
/// with accessibility, which is about as much work as the others together, and the other
/// helps when it is done with those.
fn check(site: &Site) -> Vec<Finding> {
    let [seo, performance, accessibility, security] = DOMAINS;
    let share = Share::default();
    let mut findings = std::thread::scope(|scope| {
        let aside = scope.spawn(|| {
            site.parse_share(1, 2);
            share.take(site);
        });
        site.parse_share(0, 2);
        let own = [seo, performance, security].map(|domain| check_domain(site, domain));
        share.take(site);
        // A panic there is a panic here: the call breaks off, and says so.
        aside
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        own.concat()
    });
    findings.extend(share.findings());
    findings.extend(site.notes(accessibility));
    findings
}
