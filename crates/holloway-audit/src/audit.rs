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
    let mut findings = seo::check(site);
    findings.extend(performance::check(site));
    // One checker for all pages, so that a style sheet they share is read once.
    let mut checker = accessibility::Checker::default();
    for checked in site.each(|document| checker.check(document, site.assets)) {
        findings.extend(checked.findings);
    }
    findings.extend(security::check(site));
    findings
}
