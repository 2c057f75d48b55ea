//! What do the standards say about roles, states and properties? Tables of WAI-ARIA and
//! of what HTML means in its terms.

pub(crate) mod attributes;
pub(crate) mod elements;
pub(crate) mod roles;
