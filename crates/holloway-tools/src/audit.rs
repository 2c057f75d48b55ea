//! How good are these pages? Tools over the checks of search, speed and safety, scores and
//! an action plan. All share one shelf of parsed documents, so that each page is parsed once.

pub(crate) mod check;
mod performance;
mod plan;
mod report;
pub(crate) mod schemas;
mod scores;
mod security;
mod seo;
mod site_audit;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use holloway_audit::documents::Documents;

use super::Tool;

pub(crate) fn tools(documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    let families = [
        seo::tools(documents),
        performance::tools(documents),
        security::tools(documents),
        site_audit::tools(documents),
        scores::tools(),
        plan::tools(),
        report::tools(),
    ];
    families.into_iter().flatten().collect()
}
