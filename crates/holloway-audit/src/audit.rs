//! What is wrong with a site, in everything? All checks of all four domains at once.

use crate::finding::{Domain, Finding};
use crate::site::Site;
use crate::{accessibility, performance, security, seo};

/// The domains, in the order in which they are told.
pub const DOMAINS: [Domain; 4] = [
    Domain::Seo,
    Domain::Performance,
    Domain::Accessibility,
    Domain::Security,
];

/// The findings of all checks, domain by domain.
pub fn check(site: &Site) -> Vec<Finding> {
    let domains = DOMAINS.into_iter();
    domains
        .flat_map(|domain| check_domain(site, domain))
        .collect()
}

/// The findings of all checks of one domain.
pub fn check_domain(site: &Site, domain: Domain) -> Vec<Finding> {
    let mut findings = match domain {
        Domain::Seo => seo::check(site),
        Domain::Performance => performance::check(site),
        Domain::Accessibility => check_accessibility(site),
        Domain::Security => security::check(site),
    };
    findings.extend(site.notes(domain));
    findings
}

fn check_accessibility(site: &Site) -> Vec<Finding> {
    // One checker for all pages, so that a style sheet they share is read once.
    let mut checker = accessibility::Checker::default();
    let checked = site.each(|document| checker.check(document, site.assets).findings);
    checked.into_iter().flatten().collect()
}
