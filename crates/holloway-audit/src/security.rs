//! Are these pages safe to visit? From headers, cookies and HTML; nothing is attacked.

pub mod cookies;
pub mod forms;
pub mod headers;
pub mod mixed_content;
pub mod transport;
pub mod vulnerabilities;

mod content_policy;
mod exposures;
mod libraries;

use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::Site;

/// Every rule of this domain.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let families = [
        headers::RULES,
        content_policy::RULES,
        cookies::RULES,
        mixed_content::RULES,
        forms::RULES,
        vulnerabilities::RULES,
        exposures::RULES,
        transport::RULES,
    ];
    families.into_iter().flatten()
}

/// All checks of this domain, family by family.
pub fn check(site: &Site) -> Vec<Finding> {
    let mut findings = headers::check(site).findings;
    findings.extend(cookies::check(site).findings);
    findings.extend(mixed_content::check(site).findings);
    findings.extend(forms::check(site).findings);
    findings.extend(vulnerabilities::check(site).findings);
    findings
}

/// Loopback is reached by nobody else; there plain HTTP is no danger.
fn is_local(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => true,
    }
}
