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

use crate::rule::Rule;

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
