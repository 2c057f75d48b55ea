//! How good are these pages? Tools over the checks of search, speed and safety. All share
//! one shelf of parsed documents, so that each page is parsed once.

pub(crate) mod check;
pub(crate) mod schemas;

use std::sync::Arc;

use holloway_audit::documents::Documents;

use super::Tool;

pub(crate) fn tools(_documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    Vec::new()
}
