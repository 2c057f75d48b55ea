//! How fast are these pages? From measured sizes, times and headers, and from what the
//! HTML shows; nothing is rendered, so whatever depends on rendering is called a risk.

pub mod assets;
pub mod blocking;
pub mod caching;
pub mod page_speed;
pub mod web_vitals;

mod resources;

use crate::rule::Rule;

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
