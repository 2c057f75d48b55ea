//! How good is a site, in one number? Every broken rule takes a share of what is left:
//!
//! penalty(rule) = weight(severity) × (1/4 + 3/4 × share of pages affected)
//! score(domain) = 100 × Π (1 − penalty / 100), score(all) = mean of the domains
//!
//! with weights 30, 15, 6 and 2. A rule counts once, however often it is broken on a page,
//! so its penalty never exceeds its weight; further findings never raise a score.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::finding::{Domain, Finding, Severity, Summary};

/// The score of one domain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DomainScore {
    pub domain: Domain,
    /// From 0 to 100, with one digit after the point.
    pub score: f64,
    pub grade: &'static str,
    pub summary: Summary,
    /// What was taken off, the most first.
    pub penalties: Vec<Penalty>,
}

/// What one broken rule takes off.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Penalty {
    pub rule: String,
    pub severity: Severity,
    pub findings: usize,
    pub pages: usize,
    /// Percent of what the other rules leave.
    pub penalty: f64,
}

/// The score of a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    pub score: f64,
    pub grade: &'static str,
    pub domains: Vec<DomainScore>,
}

/// How much a broken rule weighs if all pages break it.
pub fn weight(severity: Severity) -> f64 {
    match severity {
        Severity::Critical => 30.0,
        Severity::Serious => 15.0,
        Severity::Moderate => 6.0,
        Severity::Minor => 2.0,
    }
}

/// How much of a rule's weight counts: one page matters, all pages matter four times as much.
pub fn reach(affected: usize, pages: usize) -> f64 {
    let share = affected as f64 / pages.max(1) as f64;
    0.25 + 0.75 * share.min(1.0)
}

/// The score of the `findings` of one domain on so many `pages`.
pub fn domain(domain: Domain, findings: &[Finding], pages: usize) -> DomainScore {
    let own: Vec<_> = findings
        .iter()
        .filter(|finding| finding.domain == domain)
        .collect();
    let mut rules: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &own {
        rules.entry(&finding.rule).or_default().push(finding);
    }
    let mut left = 1.0;
    let mut penalties = Vec::new();
    for (rule, broken) in rules {
        let affected: BTreeSet<_> = broken.iter().map(|finding| &finding.place.page).collect();
        let worst = broken.iter().map(|finding| finding.severity).max();
        let severity = worst.unwrap_or(Severity::Minor);
        let penalty = weight(severity) * reach(affected.len(), pages);
        left *= 1.0 - penalty / 100.0;
        penalties.push(Penalty {
            rule: rule.to_owned(),
            severity,
            findings: broken.len(),
            pages: affected.len(),
            penalty: round(penalty, 100.0),
        });
    }
    penalties.sort_by(|left, right| right.penalty.total_cmp(&left.penalty));
    let score = round(left * 100.0, 10.0);
    DomainScore {
        domain,
        score,
        grade: grade(score),
        summary: Summary::of(own),
        penalties,
    }
}

/// The score over these domains; each counts the same.
pub fn overall(domains: &[Domain], findings: &[Finding], pages: usize) -> Score {
    let domains: Vec<_> = domains
        .iter()
        .map(|one| domain(*one, findings, pages))
        .collect();
    let sum: f64 = domains.iter().map(|domain| domain.score).sum();
    let score = round(sum / domains.len().max(1) as f64, 10.0);
    Score {
        score,
        grade: grade(score),
        domains,
    }
}

fn round(number: f64, steps: f64) -> f64 {
    (number * steps).round() / steps
}

fn grade(score: f64) -> &'static str {
    match score {
        90.0.. => "A",
        80.0.. => "B",
        70.0.. => "C",
        60.0.. => "D",
        _ => "F",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Place;
    use proptest::prelude::*;

    fn finding(rule: usize, severity: Severity, page: usize) -> Finding {
        Finding {
            rule: format!("rule-{rule}"),
            domain: Domain::Seo,
            severity,
            place: Place {
                page: page.to_string(),
                element: String::new(),
            },
            evidence: String::new(),
            mend: String::new(),
            reference: String::new(),
            saves: 0,
        }
    }

    fn check(findings: &[Finding], pages: usize, expected: &str) {
        let score = domain(Domain::Seo, findings, pages).score;
        assert_eq!(score.to_string(), expected);
    }

    #[test]
    fn the_formula_is_as_written() {
        use Severity::{Critical, Minor, Serious};
        check(&[], 0, "100");
        check(&[finding(1, Critical, 1)], 1, "70");
        check(&[finding(1, Critical, 1), finding(1, Critical, 1)], 1, "70");
        check(&[finding(1, Critical, 1)], 4, "86.9");
        check(&[finding(1, Minor, 1), finding(2, Serious, 1)], 1, "83.3");
        let mut other = finding(1, Critical, 1);
        other.domain = Domain::Security;
        check(&[other], 1, "100");
    }

    #[test]
    fn the_whole_is_the_mean_of_the_domains() {
        let findings = [finding(1, Severity::Critical, 1)];
        let score = overall(&[Domain::Seo, Domain::Security], &findings, 1);
        assert_eq!(format!("{} {}", score.score, score.grade), "85 B");
    }

    fn severity() -> impl Strategy<Value = Severity> {
        use Severity::{Critical, Minor, Moderate, Serious};
        proptest::sample::select(vec![Minor, Moderate, Serious, Critical])
    }

    proptest! {
        #[test]
        fn more_findings_never_raise_a_score(
            given in proptest::collection::vec((0..8usize, severity(), 0..6usize), 0..40),
            pages in 0..8usize,
        ) {
            let findings: Vec<_> = given.iter().map(|(rule, severity, page)| finding(*rule, *severity, *page)).collect();
            let mut before = 100.0;
            for count in 0..=findings.len() {
                let score = domain(Domain::Seo, &findings[..count], pages).score;
                prop_assert!(score <= before && score >= 0.0);
                before = score;
            }
        }
    }
}
