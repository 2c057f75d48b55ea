//! How fast are these pages? From measured sizes, times and headers, and from what the
//! HTML shows; nothing is rendered, so whatever depends on rendering is called a risk.

pub mod assets;
pub mod blocking;
pub mod caching;
pub mod page_speed;
pub mod web_vitals;

mod pixels;
mod resources;

use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::Site;

/// Every rule of this domain.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let families = [
        page_speed::RULES,
        assets::RULES,
        caching::RULES,
        blocking::RULES,
        web_vitals::RULES,
    ];
    families.into_iter().flatten()
}

/// All checks of this domain, family by family.
pub fn check(site: &Site) -> Vec<Finding> {
    let mut findings = page_speed::check(site).findings;
    findings.extend(assets::check(site).findings);
    findings.extend(caching::check(site).findings);
    findings.extend(blocking::check(site).findings);
    findings.extend(web_vitals::check(site).findings);
    findings
}
