//! What do the entries of a run say about how it stands? Which questions are open, and how
//! many steps have ended. Whether a process is at work on it is told by the caller.

use holloway_engine::entry::{About, Entry, EntryKind, Question};
use serde::Serialize;

/// Steps so far.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Steps {
    pub ended: usize,
    pub failed: usize,
}

/// Questions that nobody has answered and whose step still waits. What a tool asks is
/// open only while a process carries out the run.
pub fn open_questions(entries: &[Entry], owned: bool) -> Vec<(u32, Question)> {
    let mut open: Vec<(u32, Question)> = Vec::new();
    for entry in entries {
        match &entry.kind {
            EntryKind::ApprovalRequested { node, request } => {
                open.push((node.n, Question::clone(request)));
            }
            EntryKind::ApprovalResolved { answer, .. } => {
                open.retain(|(_, question)| question.approval != answer.approval);
            }
            EntryKind::StepCancelled { node, .. } => open.retain(|(n, _)| *n != node.n),
            EntryKind::ExecutionComplete { .. } => open.clear(),
            _ => {}
        }
    }
    open.retain(|(_, question)| owned || question.about != About::Tool);
    open
}

/// How many steps have ended so far.
pub fn steps(entries: &[Entry]) -> Steps {
    let mut steps = Steps::default();
    for entry in entries {
        match &entry.kind {
            EntryKind::PlanComplete { statistics } => {
                return Steps {
                    ended: statistics.total_steps,
                    failed: statistics.failed_steps,
                };
            }
            EntryKind::StepComplete { .. }
            | EntryKind::StepSkipped { .. }
            | EntryKind::StepCancelled { .. } => steps.ended += 1,
            EntryKind::StepError { attempt: None, .. } => {
                steps.ended += 1;
                steps.failed += 1;
            }
            _ => {}
        }
    }
    steps
}
