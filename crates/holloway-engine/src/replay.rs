//! How does a journal become a machine again? Recorded events are fed in once
//! more; what the machine concludes must be what the journal says it concluded.

use std::collections::VecDeque;
use std::mem::discriminant;
use std::sync::Arc;

use holloway_plan::dag::Dag;
use serde_json::Value;

use crate::checks::BadSchema;
use crate::entry::{Entry, EntryKind, Stored};
use crate::event::{Action, Event};
use crate::machine::Machine;
use crate::ports::{BlobStore, JournalError};

/// Why a journal cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(
        "entry {seq} of the journal is `{found}`, but this version of Holloway concludes `{expected}` there"
    )]
    Diverged {
        seq: u64,
        found: &'static str,
        expected: &'static str,
    },
    #[error("the journal breaks off after entry {seq}, before `{expected}`")]
    Incomplete { seq: u64, expected: &'static str },
    #[error("the journal is empty")]
    Empty,
    #[error(transparent)]
    Schema(#[from] BadSchema),
    #[error(transparent)]
    Blob(#[from] JournalError),
}

/// The machine as it was after the last of these entries.
pub fn replay(dag: Arc<Dag>, entries: &[Entry]) -> Result<Machine, ReplayError> {
    let mut machine = Machine::new(dag)?;
    let mut expected: VecDeque<Entry> = VecDeque::new();
    for entry in entries {
        if expected.is_empty() {
            let event = Event::recorded_by(&entry.kind).ok_or(ReplayError::Diverged {
                seq: entry.seq,
                found: entry.kind.name(),
                expected: "nothing",
            })?;
            expected.extend(records(machine.next(entry.at, event)));
        }
        let concluded = expected.pop_front();
        compare(entry, concluded.as_ref())?;
    }
    match (expected.front(), entries.last()) {
        (_, None) => Err(ReplayError::Empty),
        (Some(missing), Some(last)) => Err(ReplayError::Incomplete {
            seq: last.seq,
            expected: missing.kind.name(),
        }),
        (None, Some(_)) => Ok(machine),
    }
}

fn records(actions: Vec<Action>) -> impl Iterator<Item = Entry> {
    actions.into_iter().filter_map(|action| match action {
        Action::Record(entry) => Some(entry),
        _ => None,
    })
}

fn compare(found: &Entry, concluded: Option<&Entry>) -> Result<(), ReplayError> {
    let same = concluded.is_some_and(|concluded| {
        concluded.seq == found.seq
            && discriminant(&concluded.kind) == discriminant(&found.kind)
            && concluded.kind.node() == found.kind.node()
    });
    if same {
        return Ok(());
    }
    let expected = concluded.map_or("nothing", |concluded| concluded.kind.name());
    Err(ReplayError::Diverged {
        seq: found.seq,
        found: found.kind.name(),
        expected,
    })
}

/// Fetches the large values that a replay needs.
pub fn fetch_blobs(entries: &mut [Entry], blobs: &dyn BlobStore) -> Result<(), JournalError> {
    for entry in entries {
        match &mut entry.kind {
            EntryKind::StepComplete { output, .. } | EntryKind::ExpectationUnmet { output, .. } => {
                fetch(output, blobs)?;
            }
            EntryKind::ExecutionStart(start) => {
                for stored in start.reuse.values_mut() {
                    fetch(stored, blobs)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Replaces a reference by the value it refers to.
pub fn fetch(stored: &mut Stored, blobs: &dyn BlobStore) -> Result<(), JournalError> {
    if let Stored::Blob { blob, .. } = stored {
        let bytes = blobs.get(blob)?;
        let value: Value = serde_json::from_slice(&bytes)
            .map_err(|error| JournalError::Corrupt(format!("blob {blob} is not JSON: {error}")))?;
        *stored = Stored::Value(Arc::new(value));
    }
    Ok(())
}
