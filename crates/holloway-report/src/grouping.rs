//! How are many findings read? The same rule broken in many places is one entry with
//! its places, the worst first.

use crate::clean::{self, area, line, shorten};
use crate::model::{Finding, Severity};

const LONGEST_EVIDENCE: usize = 240;
const LONGEST_PLACE: usize = 160;

pub(crate) struct Group {
    pub(crate) rule: String,
    /// What is wrong in words, where somebody said it.
    title: String,
    pub(crate) domain: String,
    pub(crate) severity: Severity,
    pub(crate) mend: String,
    pub(crate) reference: String,
    /// Where the rule can be read about.
    pub(crate) link: String,
    pub(crate) why: String,
    pub(crate) places: Vec<Spot>,
    pub(crate) count: usize,
}

pub(crate) struct Spot {
    pub(crate) page: String,
    pub(crate) element: String,
    pub(crate) evidence: String,
}

impl Group {
    pub(crate) fn hidden(&self) -> usize {
        self.count - self.places.len()
    }

    pub(crate) fn heading(&self) -> &str {
        if self.title.is_empty() {
            &self.rule
        } else {
            &self.title
        }
    }

    /// What the link to the rule is called: its reference, or its name.
    pub(crate) fn link_text(&self) -> &str {
        if self.reference.is_empty() {
            &self.rule
        } else {
            &self.reference
        }
    }

    /// `Accessibility · WCAG 2.2 1.1.1 · 3 places`
    pub(crate) fn facts(&self) -> String {
        let places = if self.count == 1 {
            "1 place".to_owned()
        } else {
            format!("{} places", self.count)
        };
        let domain = area(&self.domain);
        // A link says where to read on; without one the rule and its reference have to.
        let linked = !self.link.is_empty();
        let rule = if linked || self.title.is_empty() {
            ""
        } else {
            self.rule.as_str()
        };
        let reference = if linked { "" } else { self.reference.as_str() };
        let parts = [domain.as_str(), rule, reference, places.as_str()];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" · ")
    }
}

/// Of each rule at most `most` places; further ones are only counted.
pub(crate) fn groups(findings: &[Finding], most: usize) -> Vec<Group> {
    let mut order = std::collections::HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for finding in findings {
        let key = (
            finding.severity,
            finding.domain.as_str(),
            finding.rule.as_str(),
            finding.mend.as_str(),
        );
        let index = *order.entry(key).or_insert_with(|| {
            groups.push(Group {
                rule: line(&finding.rule),
                title: line(&finding.title),
                domain: line(&finding.domain),
                severity: finding.severity,
                mend: line(&finding.mend),
                reference: line(&finding.reference),
                link: clean::outside_link(&finding.link).unwrap_or_default(),
                why: line(&finding.why),
                places: Vec::new(),
                count: 0,
            });
            groups.len() - 1
        });
        let Some(group) = groups.get_mut(index) else {
            continue;
        };
        group.count += 1;
        if group.places.len() < most {
            group.places.push(Spot {
                page: shorten(&line(&finding.place.page), LONGEST_PLACE),
                element: shorten(&line(&finding.place.element), LONGEST_PLACE),
                evidence: shorten(&line(&finding.evidence), LONGEST_EVIDENCE),
            });
        }
    }
    // Stable: within a severity the rule with more places first, then as they came.
    groups.sort_by_key(|group| (group.severity, std::cmp::Reverse(group.count)));
    groups
}

/// How many findings of each severity, the worst first.
pub(crate) fn tally(findings: &[Finding]) -> Vec<(Severity, usize)> {
    let counted = Severity::ALL.map(|severity| {
        let count = findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count();
        (severity, count)
    });
    counted
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: &str, severity: Severity) -> Finding {
        Finding {
            rule: rule.to_owned(),
            severity,
            ..Finding::default()
        }
    }

    #[test]
    fn the_worst_and_the_most_frequent_come_first() {
        let mut findings = vec![
            finding("a", Severity::Minor),
            finding("b", Severity::Critical),
            finding("c", Severity::Minor),
        ];
        findings.extend(vec![finding("c", Severity::Minor); 20]);
        let groups = groups(&findings, 12);
        let found: Vec<_> = groups
            .iter()
            .map(|group| (group.rule.as_str(), group.count, group.hidden()))
            .collect();
        assert_eq!(found, [("b", 1, 0), ("c", 21, 9), ("a", 1, 0)]);
        assert_eq!(
            tally(&findings),
            [(Severity::Critical, 1), (Severity::Minor, 22)]
        );
    }
}
