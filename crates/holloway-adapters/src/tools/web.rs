//! What is on this site? Sitemaps, robots rules, pages, links, assets, certificates.

use std::sync::Arc;

use super::{Grants, Tool};

pub(crate) fn tools(_grants: &Arc<Grants>) -> Vec<Arc<dyn Tool>> {
    Vec::new()
}
