//! What has become of a run? The word in its line of the list, and the entries
//! that change it.

use holloway_engine::entry::{EndStatus, Entry, EntryKind};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use serde::Serialize;

/// What a run's journal says about it. Whether a process is at work on it is for
/// [`super::Store::owner`] to say; a run that is `Running` without an owner was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Nothing has happened yet.
    Created,
    Running,
    Paused,
    Succeeded,
    Failed,
    Cancelled,
    Partial,
    /// Its line in the list cannot be read; never written.
    Damaged,
}

impl RunStatus {
    const ALL: [Self; 7] = [
        Self::Created,
        Self::Running,
        Self::Paused,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
        Self::Partial,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Partial => "partial",
            Self::Damaged => "damaged",
        }
    }

    /// What an entry makes of the run as a whole.
    pub(super) fn after(entry: &Entry) -> Option<Self> {
        match &entry.kind {
            EntryKind::ExecutionStart(_) | EntryKind::Resumed { .. } => Some(Self::Running),
            EntryKind::Paused { .. } => Some(Self::Paused),
            EntryKind::ExecutionComplete { status, .. } => Some(match status {
                EndStatus::Succeeded => Self::Succeeded,
                EndStatus::Failed => Self::Failed,
                EndStatus::Cancelled => Self::Cancelled,
                EndStatus::Partial => Self::Partial,
            }),
            _ => None,
        }
    }

    /// The run will not go on.
    pub fn is_end(self) -> bool {
        !matches!(self, Self::Created | Self::Running | Self::Paused)
    }
}

impl FromSql for RunStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        Self::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or(FromSqlError::InvalidType)
    }
}
