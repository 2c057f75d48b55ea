//! How does a run stand, in a person's words? What its journal says, together
//! with whether a process is at work on it and whether people are waited for.

use holloway_flow::standing::{Steps, open_questions, steps};
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
