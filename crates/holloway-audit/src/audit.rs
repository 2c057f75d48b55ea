//! What is wrong with a site, in everything? All checks of all four domains at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

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
    let share = Share::default();
    share.take(site);
    share.findings()
}

/// The pages that nobody has checked for accessibility yet: several threads may take
/// from it until there is none left.
#[derive(Default)]
pub struct Share {
    next: AtomicUsize,
    checked: Mutex<BTreeMap<usize, Vec<Finding>>>,
}

impl Share {
    /// Checks one page after the other that no other thread has taken.
    pub fn take(&self, site: &Site) {
        // One checker for all pages, so that a style sheet they share is read once.
        let mut checker = accessibility::Checker::default();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let found = site.read(number, |document| checker.check(document, site.assets));
            let Some(found) = found else {
                return;
            };
            let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
            checked.insert(number, found.findings);
        }
    }

    /// What was found, in the order of the pages.
    pub fn findings(self) -> Vec<Finding> {
        let checked = self.checked.into_inner();
        let checked = checked.unwrap_or_else(PoisonError::into_inner);
        checked.into_values().flatten().collect()
    }
}
