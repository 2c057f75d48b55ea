//! How good is each page? The score of the site for one page at a time, and what weighs most there.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::finding::{Domain, Finding, Severity};
use crate::score;

/// The score of one page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageScore {
    pub page: String,
    /// Mean of the domains that were checked, from 0 to 100.
    pub score: f64,
    pub findings: usize,
    /// How many of them are critical or serious.
    pub urgent: usize,
    pub domains: BTreeMap<Domain, f64>,
}

/// The pages in the given order, each judged for itself over the checked domains.
pub fn scores(findings: &[Finding], pages: &[String], domains: &[Domain]) -> Vec<PageScore> {
    let mut own: BTreeMap<&str, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        own.entry(&finding.place.page)
            .or_default()
            .push(finding.clone());
    }
    let rows = pages.iter().map(|page| {
        let found = own.get(page.as_str()).map_or(&[][..], Vec::as_slice);
        let whole = score::overall(domains, found, 1);
        PageScore {
            page: page.clone(),
            score: whole.score,
            findings: found.len(),
            urgent: found
                .iter()
                .filter(|finding| finding.severity >= Severity::Serious)
                .count(),
            domains: whole
                .domains
                .iter()
                .map(|domain| (domain.domain, domain.score))
                .collect(),
        }
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Place;
    use crate::rule::Rule;

    #[test]
    fn each_page_is_judged_by_its_own_findings() {
        let place = |page: &str| Place {
            page: page.to_owned(),
            element: String::new(),
        };
        let findings = [Rule::seo("title-missing").at(place("/a"), "no title")];
        let pages = ["/a", "/b"].map(str::to_owned);
        let rows = scores(&findings, &pages, &[Domain::Seo, Domain::Security]);
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row.page.as_str(), row.score, row.findings, row.urgent))
            .collect();
        assert_eq!(told, [("/a", 85.0, 1, 1), ("/b", 100.0, 0, 0)]);
        assert_eq!(rows[0].domains.get(&Domain::Seo), Some(&70.0));
    }
}
