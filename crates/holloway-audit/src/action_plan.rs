//! What should be done first? Findings of one rule become one action; actions are ordered
//! by severity, reach and effort. The same findings give the same plan.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::finding::{Domain, Finding, Place, Severity};
use crate::priorities;
use crate::rule::{Effort, shorten};
use crate::texts::{self, Text};
use crate::told;

/// Places shown with an action.
const EXAMPLES: usize = 3;

/// One thing to do, for all the places where it is needed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    /// 1 is first.
    pub rank: usize,
    pub priority: f64,
    /// `now`, `next` or `later`.
    pub when: &'static str,
    pub title: String,
    /// What is wrong, as people call it, and why it matters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub problem: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    pub domain: Domain,
    pub severity: Severity,
    pub rule: String,
    pub findings: usize,
    pub pages_affected: usize,
    pub effort: Effort,
    pub mend: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
    /// Where the rule can be read about.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub link: String,
    /// Bytes that mending all places saves, as far as that can be estimated.
    #[serde(skip_serializing_if = "crate::finding::is_nothing")]
    pub saves: u64,
    pub examples: Vec<Example>,
}

/// A place where an action is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    pub page: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub element: String,
    pub evidence: String,
}

/// The actions that mend all `findings` on so many `pages`, the most urgent first.
pub fn actions(findings: &[Finding], pages: usize) -> Vec<Action> {
    let findings = told::once(findings.to_vec());
    let mut groups: BTreeMap<(Domain, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in &findings {
        groups
            .entry((finding.domain, &finding.rule))
            .or_default()
            .push(finding);
    }
    let groups = groups.into_values();
    let mut actions: Vec<_> = groups.filter_map(|group| action(&group, pages)).collect();
    // Stable: what is equal stays ordered by domain and rule.
    actions.sort_by(|left, right| {
        let by_priority = right.priority.total_cmp(&left.priority);
        let by_severity = right.severity.cmp(&left.severity);
        by_priority
            .then(by_severity)
            .then(right.findings.cmp(&left.findings))
    });
    for (index, action) in actions.iter_mut().enumerate() {
        action.rank = index + 1;
    }
    actions
}

fn action(group: &[&Finding], pages: usize) -> Option<Action> {
    let first = group.first()?;
    let text = texts::find(&first.rule);
    let severity = group.iter().map(|finding| finding.severity).max()?;
    let affected: FxHashSet<_> = group.iter().map(|finding| &finding.place.page).collect();
    let effort = text.map_or(Effort::Medium, |text| text.effort);
    let whole = text.is_some_and(|text| text.site);
    let reach = priorities::reach(affected.len(), pages, whole);
    let priority = priorities::priority(severity, reach, effort);
    let told = |of: fn(&Text) -> &String| text.map(of).cloned().unwrap_or_default();
    Some(Action {
        rank: 0,
        priority,
        when: priorities::when(priority),
        title: text.map_or_else(
            || title_of(&first.mend, &first.rule),
            |text| text.action.clone(),
        ),
        problem: told(|text| &text.problem),
        why: told(|text| &text.why),
        domain: first.domain,
        severity,
        rule: first.rule.clone(),
        findings: group.len(),
        pages_affected: affected.len(),
        effort,
        mend: first.mend.clone(),
        reference: first.reference.clone(),
        link: told(|text| &text.link),
        saves: group.iter().map(|finding| finding.saves).sum(),
        examples: examples(group),
    })
}

/// For rules of checks elsewhere: the first sentence of how to mend it.
fn title_of(mend: &str, rule: &str) -> String {
    let sentence = mend.split(['.', ';', ':']).next().unwrap_or_default();
    let title = shorten(sentence, 80);
    if title.is_empty() {
        rule.to_owned()
    } else {
        title
    }
}

/// One place per page before a second one of the same page.
fn examples(group: &[&Finding]) -> Vec<Example> {
    let mut pages = FxHashSet::default();
    let (fresh, repeated): (Vec<&Finding>, Vec<&Finding>) = group
        .iter()
        .partition(|finding| pages.insert(&finding.place.page));
    let chosen = fresh.into_iter().chain(repeated).take(EXAMPLES);
    let examples = chosen.map(|finding| {
        let Place { page, element } = finding.place.clone();
        Example {
            page,
            element,
            evidence: finding.evidence.clone(),
        }
    });
    examples.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: &str, severity: Severity, page: &str) -> Finding {
        Finding {
            rule: rule.to_owned(),
            domain: Domain::Security,
            severity,
            place: Place {
                page: page.to_owned(),
                element: String::new(),
            },
            evidence: format!("{rule} on {page}"),
            mend: "Renew it soon. Then restart.".to_owned(),
            reference: String::new(),
            saves: 10,
        }
    }

    #[test]
    fn what_matters_most_and_costs_least_comes_first() {
        let findings = [
            finding("inline-handler", Severity::Minor, "/a"),
            finding("hsts-missing", Severity::Serious, "/a"),
            finding("hsts-missing", Severity::Serious, "/b"),
            finding("hsts-missing", Severity::Serious, "/b"),
            finding("certificate-expired", Severity::Critical, "/a"),
        ];
        let plan: Vec<_> = actions(&findings, 2)
            .into_iter()
            .map(|action| {
                (
                    action.rank,
                    action.rule,
                    action.priority,
                    action.when,
                    action.pages_affected,
                    action.title,
                )
            })
            .collect();
        let expected = [
            (
                1,
                "certificate-expired",
                40.0,
                "now",
                1,
                "Renew the certificate",
            ),
            (
                2,
                "hsts-missing",
                12.0,
                "now",
                2,
                "Tell browsers to use HTTPS only",
            ),
            (
                3,
                "inline-handler",
                0.25,
                "later",
                1,
                "Move event handlers out of the HTML",
            ),
        ];
        let expected = expected.map(|(rank, rule, priority, when, pages, title)| {
            (
                rank,
                rule.to_owned(),
                priority,
                when,
                pages,
                title.to_owned(),
            )
        });
        assert_eq!(plan, expected);
    }

    #[test]
    fn examples_come_from_different_pages_first() {
        let findings = [("/a", "1"), ("/a", "2"), ("/a", "3"), ("/b", "4")];
        let findings = findings.map(|(page, evidence)| Finding {
            evidence: evidence.to_owned(),
            ..finding("x", Severity::Minor, page)
        });
        let [action] = &actions(&findings, 2)[..] else {
            panic!("one rule, one action");
        };
        let pages: Vec<_> = action
            .examples
            .iter()
            .map(|example| example.page.as_str())
            .collect();
        assert_eq!(pages, ["/a", "/b", "/a"]);
    }

    #[test]
    fn a_leaked_secret_on_one_page_of_many_comes_first() {
        let mut findings: Vec<Finding> = (0..40)
            .map(|page| {
                finding(
                    "content-type-sniffing",
                    Severity::Moderate,
                    &format!("/{page}"),
                )
            })
            .collect();
        findings.extend(
            (0..40).map(|page| finding("csp-missing", Severity::Serious, &format!("/{page}"))),
        );
        findings.push(finding("comment-secret", Severity::Critical, "/3"));
        let plan = actions(&findings, 40);
        let told: Vec<_> = plan
            .iter()
            .map(|one| (one.rule.as_str(), one.when))
            .collect();
        assert_eq!(
            told,
            [
                ("comment-secret", "now"),
                ("csp-missing", "now"),
                ("content-type-sniffing", "next")
            ]
        );
        assert_eq!(plan[1].saves, 400);
    }

    #[test]
    fn rules_of_checks_elsewhere_are_named_by_how_they_are_mended() {
        let [action] = &actions(&[finding("x", Severity::Minor, "/a")], 1)[..] else {
            panic!("one rule, one action");
        };
        assert_eq!(action.title, "Renew it soon");
    }
}
