//! Which findings does a reader see? Each once: not again from a second check, not under the
//! name of a second rule that asks for the same, not for a page that is no page.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::finding::{Finding, Place, Severity};
use crate::priorities::same_as;

/// Findings that several checks of one domain told are kept once.
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

/// The findings of all domains as a reader counts them. Of two that ask for the same on a page
/// the first rule stays, with the worse severity of both.
pub fn once(findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen: FxHashMap<(String, Place, String), usize> = FxHashMap::default();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let key = (
            finding.rule.clone(),
            finding.place.clone(),
            finding.evidence.clone(),
        );
        let index = *seen.entry(key).or_insert(kept.len());
        match kept.get_mut(index) {
            // The first domain of all that told it, whichever came first.
            Some(known) => known.domain = known.domain.min(finding.domain),
            None => kept.push(finding),
        }
    }
    let same = same_elsewhere(&kept);
    for (_, first, severity) in &same {
        if let Some(finding) = kept.get_mut(*first) {
            finding.severity = finding.severity.max(*severity);
        }
    }
    let dropped: FxHashSet<usize> = same.iter().map(|(second, ..)| *second).collect();
    let numbered = kept.into_iter().enumerate();
    let left = numbered.filter(|(index, _)| !dropped.contains(index));
    left.map(|(_, finding)| finding).collect()
}

/// Findings that another one on their page stands for, that one, and how severe they are.
fn same_elsewhere(findings: &[Finding]) -> Vec<(usize, usize, Severity)> {
    let mut places: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    for (index, finding) in findings.iter().enumerate() {
        let key = (finding.rule.as_str(), finding.place.page.as_str());
        places.entry(key).or_insert(index);
    }
    let numbered = findings.iter().enumerate();
    let same = numbered.filter_map(|(index, finding)| {
        let first = same_as(&finding.rule)?;
        let place = places.get(&(first, finding.place.page.as_str()))?;
        Some((index, *place, finding.severity))
    });
    same.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Domain;

    fn finding(rule: &str, domain: Domain, severity: Severity, page: &str) -> Finding {
        Finding {
            rule: rule.to_owned(),
            domain,
            severity,
            place: Place {
                page: page.to_owned(),
                element: String::new(),
            },
            evidence: rule.to_owned(),
            mend: String::new(),
            reference: String::new(),
            saves: 0,
        }
    }

    #[test]
    fn the_same_finding_told_twice_counts_once() {
        let one = finding("x", Domain::Security, Severity::Minor, "/a");
        let other = finding("x", Domain::Security, Severity::Minor, "/b");
        let all = vec![one.clone(), other.clone(), one.clone()];
        assert_eq!(distinct(all.clone()), [one.clone(), other.clone()]);
        assert_eq!(once(all), [one, other]);
    }

    #[test]
    fn an_error_page_is_told_by_one_domain() {
        let seo = finding("page-error", Domain::Seo, Severity::Serious, "/a");
        let speed = finding("page-error", Domain::Performance, Severity::Serious, "/a");
        assert_eq!(distinct(vec![seo.clone(), speed.clone()]).len(), 2);
        assert_eq!(once(vec![speed, seo.clone()]), [seo]);
    }

    #[test]
    fn what_two_domains_ask_for_on_a_page_is_one_finding() {
        let seo = finding("language-missing", Domain::Seo, Severity::Moderate, "/a");
        let twin = |page| {
            finding(
                "html-has-lang",
                Domain::Accessibility,
                Severity::Serious,
                page,
            )
        };
        let kept = once(vec![twin("/a"), seo.clone(), twin("/b")]);
        let told: Vec<_> = kept
            .iter()
            .map(|one| (one.rule.as_str(), one.severity))
            .collect();
        assert_eq!(
            told,
            [
                ("language-missing", Severity::Serious),
                ("html-has-lang", Severity::Serious)
            ]
        );
    }
}
