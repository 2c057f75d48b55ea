//! Can everybody use these pages? Tools over the accessibility checks.

use std::sync::Arc;

use holloway_audit::documents::Documents;

use super::Tool;

pub(crate) fn tools(_documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    Vec::new()
}
