//! Can search engines find and understand these pages?

pub mod headings;
pub mod internal_links;
pub mod keyword_density;
pub mod meta_tags;
pub mod structured_data;

mod graph;
mod schema_types;
mod social_tags;
mod words;

use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::Site;

/// Every rule of this domain.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let families = [
        meta_tags::RULES,
        social_tags::RULES,
        headings::RULES,
        internal_links::RULES,
        keyword_density::RULES,
        structured_data::RULES,
    ];
    families.into_iter().flatten()
}

/// All checks of this domain, family by family.
pub fn check(site: &Site) -> Vec<Finding> {
    let mut findings = meta_tags::check(site).findings;
    findings.extend(headings::check(site).findings);
    findings.extend(internal_links::check(site).findings);
    findings.extend(keyword_density::check(site).findings);
    findings.extend(structured_data::check(site).findings);
    findings
}
