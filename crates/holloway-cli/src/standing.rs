//! How does a run stand, in a person's words? What its journal says, together
//! with whether a process is at work on it and whether people are waited for.

use holloway_engine::entry::{About, Entry, EntryKind, Question};
use holloway_store::{Owner, RunStatus, RunSummary, Store, StoreError};
use serde::Serialize;

use crate::error::CliError;

/// A run and how it stands.
#[derive(Debug, Serialize)]
pub(crate) struct Standing {
    #[serde(flatten)]
    pub(crate) summary: RunSummary,
    /// Replaces the summary's own word.
    #[serde(rename = "standing")]
    pub(crate) word: &'static str,
    pub(crate) open_approvals: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<Steps>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<Owner>,
}

/// Steps so far.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Steps {
    pub(crate) ended: usize,
    pub(crate) failed: usize,
}

/// Every word a run's standing can be.
pub(crate) const WORDS: [&str; 10] = [
    "created",
    "running",
    "waiting",
    "paused",
    "interrupted",
    "succeeded",
    "failed",
    "cancelled",
    "partial",
    DAMAGED,
];

/// Its journal is not what was written; `holloway store check` says more.
pub(crate) const DAMAGED: &str = "damaged";

impl Standing {
    pub(crate) fn of(summary: RunSummary, store: &Store) -> Result<Self, CliError> {
        if summary.status == RunStatus::Damaged {
            return Ok(Self::damaged(summary));
        }
        let ended = summary.status.is_end();
        // The last entries of an ended run say all there is to know.
        let after = if ended {
            summary.entries.saturating_sub(3)
        } else {
            0
        };
        let entries = match store.entries(&summary.run, after) {
            Ok(entries) => entries,
            // One that cannot be read does not hide the others.
            Err(StoreError::Damaged { .. }) => return Ok(Self::damaged(summary)),
            Err(error) => return Err(error.into()),
        };
        let owner = if ended {
            None
        } else {
            store.owner(&summary.run)?
        };
        let open_approvals = open_questions(&entries, owner.is_some()).len();
        Ok(Self {
            word: word(summary.status, owner.is_some(), open_approvals),
            open_approvals,
            steps: Some(steps(&entries)),
            owner,
            summary,
        })
    }

    fn damaged(summary: RunSummary) -> Self {
        Self {
            word: DAMAGED,
            open_approvals: 0,
            steps: None,
            owner: None,
            summary,
        }
    }
}

fn word(status: RunStatus, owned: bool, open: usize) -> &'static str {
    match status {
        RunStatus::Created | RunStatus::Running if !owned => "interrupted",
        RunStatus::Running | RunStatus::Paused if open > 0 => "waiting",
        other => other.as_str(),
    }
}

/// Questions that nobody has answered and whose step still waits. What a tool asks is
/// open only while a process carries out the run.
pub(crate) fn open_questions(entries: &[Entry], owned: bool) -> Vec<(u32, Question)> {
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

fn steps(entries: &[Entry]) -> Steps {
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
