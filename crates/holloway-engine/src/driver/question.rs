//! Which file is a question about? Looked up when the question is asked and written down with it,
//! because the machine sees no files: what is shown and what a yes counts for is this one.

use super::Equipment;
use crate::entry::{About, Entry, EntryKind};
use crate::machine::Machine;

/// Completes a question about a call with the file that the call would change as things are now.
pub(super) fn name_file(entry: &mut Entry, machine: &mut Machine, equipment: &Equipment) {
    let EntryKind::ApprovalRequested { request, .. } = &mut entry.kind else {
        return;
    };
    if request.about != About::Call || request.file.is_some() {
        return;
    }
    let tool = request.tool.as_ref();
    let changed = tool.and_then(|tool| equipment.tools.would_change(tool, &request.arguments));
    if let Some(changed) = changed {
        request.file = Some(changed.file);
        request.sensitive = changed.sensitive;
        machine.bind_file(request);
    }
}
