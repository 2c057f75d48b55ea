//! What should be done first? Findings of one rule become one action; actions are ordered
//! by priority = impact × reach ÷ effort. The same findings give the same plan.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::finding::{Domain, Finding, Place, Severity};
use crate::rule::{Effort, shorten};
use crate::rules;
use crate::score::reach;

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
    pub domain: Domain,
    pub severity: Severity,
    pub rule: String,
    pub findings: usize,
    pub pages_affected: usize,
    pub effort: Effort,
    pub mend: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
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

/// Findings that several checks told are counted once.
pub fn distinct(findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen = FxHashSet::default();
    let mut kept = findings;
    kept.retain(|finding| {
        seen.insert((
            finding.domain,
            finding.rule.clone(),
            finding.place.clone(),
            finding.evidence.clone(),
        ))
    });
    kept
}

/// The actions that mend all `findings` on so many `pages`, the most urgent first.
pub fn actions(findings: &[Finding], pages: usize) -> Vec<Action> {
    let mut groups: BTreeMap<(Domain, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        groups
            .entry((finding.domain, &finding.rule))
            .or_default()
            .push(finding);
    }
    merge_twins(&mut groups);
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

/// Rules of search and of accessibility that ask for the same thing.
const TWINS: [(&str, &str); 3] = [
    ("title-missing", "document-title"),
    ("language-missing", "html-has-lang"),
    ("heading-first-missing", "page-has-heading-one"),
];

/// What mends both on the same pages is done once.
fn merge_twins(groups: &mut BTreeMap<(Domain, &str), Vec<&Finding>>) {
    for (first, second) in TWINS {
        let (first, second) = ((Domain::Seo, first), (Domain::Accessibility, second));
        let pages = |group: Option<&Vec<&Finding>>| -> Option<BTreeSet<String>> {
            let pages = group?.iter().map(|finding| finding.place.page.clone());
            Some(pages.collect())
        };
        let kept = pages(groups.get(&first));
        if kept.is_none() || kept != pages(groups.get(&second)) {
            continue;
        }
        let merged = groups.remove(&second).unwrap_or_default();
        groups.entry(first).or_default().extend(merged);
    }
}

fn action(group: &[&Finding], pages: usize) -> Option<Action> {
    let first = group.first()?;
    let rule = rules::find(&first.rule).filter(|rule| rule.domain == first.domain);
    let severity = group.iter().map(|finding| finding.severity).max()?;
    let affected: FxHashSet<_> = group.iter().map(|finding| &finding.place.page).collect();
    let effort = rule.map_or(Effort::Medium, |rule| rule.effort);
    let priority = impact(severity) * reach(affected.len(), pages) / cost(effort);
    let priority = (priority * 100.0).round() / 100.0;
    Some(Action {
        rank: 0,
        priority,
        when: when(priority),
        title: rule.map_or_else(
            || title_of(&first.mend, &first.rule),
            |rule| rule.title.to_owned(),
        ),
        domain: first.domain,
        severity,
        rule: first.rule.clone(),
        findings: group.len(),
        pages_affected: affected.len(),
        effort,
        mend: first.mend.clone(),
        reference: first.reference.clone(),
        examples: examples(group),
    })
}

fn impact(severity: Severity) -> f64 {
    match severity {
        Severity::Critical => 10.0,
        Severity::Serious => 6.0,
        Severity::Moderate => 3.0,
        Severity::Minor => 1.0,
    }
}

fn cost(effort: Effort) -> f64 {
    match effort {
        Effort::Low => 1.0,
        Effort::Medium => 2.0,
        Effort::High => 4.0,
    }
}

fn when(priority: f64) -> &'static str {
    match priority {
        3.0.. => "now",
        1.0.. => "next",
        _ => "later",
    }
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
                "hsts-missing",
                6.0,
                "now",
                2,
                "Tell browsers to use HTTPS only",
            ),
            (2, "certificate-expired", 3.13, "now", 1, "Renew it soon"),
            (
                3,
                "inline-handler",
                0.16,
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
        let findings = ["/a", "/a", "/a", "/b"].map(|page| finding("x", Severity::Minor, page));
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
    fn what_two_domains_ask_for_is_one_action() {
        let told = |rule: &str, domain, severity, page: &str| Finding {
            domain,
            ..finding(rule, severity, page)
        };
        let seo = told("language-missing", Domain::Seo, Severity::Moderate, "/a");
        let twin = |page| {
            told(
                "html-has-lang",
                Domain::Accessibility,
                Severity::Serious,
                page,
            )
        };
        let [action] = &actions(&[twin("/a"), seo.clone()], 2)[..] else {
            panic!("one page, one action");
        };
        assert_eq!(action.rule, "language-missing");
        assert_eq!(action.severity, Severity::Serious);
        assert_eq!((action.findings, action.pages_affected), (2, 1));
        assert_eq!(actions(&[seo, twin("/b")], 2).len(), 2);
    }

    #[test]
    fn the_same_finding_told_twice_counts_once() {
        let one = finding("x", Severity::Minor, "/a");
        let other = finding("x", Severity::Minor, "/b");
        let kept = distinct(vec![one.clone(), other.clone(), one.clone()]);
        assert_eq!(kept, [one, other]);
    }
}
