//! How does a journal become a machine again? Recorded events are fed in once
//! more; what the machine concludes must be what the journal says it concluded.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::mem::discriminant;
use std::sync::Arc;

use holloway_plan::dag::Dag;

use crate::checks::BadSchema;
use crate::context::Knowledge;
use crate::entry::{Entry, EntryKind, Stored};
use crate::event::{Action, Event};
use crate::ledger::Ledger;
use crate::machine::Machine;
use crate::ports::{BlobStore, JournalError};
use crate::retained::{Shelf, WeakRetained};
use crate::tokens::Counter;

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

/// The machine as it was after the last of these entries, which hold all values.
pub fn replay(dag: Arc<Dag>, entries: &[Entry]) -> Result<Machine, ReplayError> {
    Replay::new(dag, None)?.all(entries)
}

/// The same for entries whose large values are kept elsewhere. They are fetched one at a time,
/// and put away again where the run would hold too much.
pub fn replay_kept(
    dag: Arc<Dag>,
    knowledge: Option<Arc<Knowledge>>,
    entries: &[Entry],
    blobs: Arc<dyn BlobStore>,
) -> Result<Machine, ReplayError> {
    Replay::new(dag, Some(blobs))?
        .knowing(knowledge)
        .all(entries)
}

/// A machine that follows a journal, entry by entry.
pub struct Replay {
    machine: Machine,
    ledger: Option<Ledger>,
    /// What the machine concluded and the journal has not said yet.
    expected: VecDeque<Entry>,
    results: VecDeque<(u64, WeakRetained)>,
    seq: Option<u64>,
}

impl Replay {
    /// `blobs` has the large values, unless the entries have them themselves.
    pub fn new(dag: Arc<Dag>, blobs: Option<Arc<dyn BlobStore>>) -> Result<Self, BadSchema> {
        let mut machine = Machine::new(dag)?;
        let shelf = blobs.map(Shelf::new);
        let ledger = shelf.map(|shelf| {
            machine.use_shelf(Arc::clone(&shelf));
            Ledger::new(shelf, usize::MAX)
        });
        Ok(Self {
            machine,
            ledger,
            expected: VecDeque::new(),
            results: VecDeque::new(),
            seq: None,
        })
    }

    /// With what was known beside the plan when the run began.
    pub fn knowing(mut self, knowledge: Option<Arc<Knowledge>>) -> Self {
        self.machine.know(knowledge);
        self
    }

    /// Contexts are counted with this.
    pub fn counting(mut self, counter: Counter) -> Self {
        self.machine.count_with(counter);
        self
    }

    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine after the last of these entries.
    pub fn all(mut self, entries: &[Entry]) -> Result<Machine, ReplayError> {
        for entry in entries {
            self.take(entry)?;
        }
        match (self.expected.front(), self.seq) {
            (_, None) => Err(ReplayError::Empty),
            (Some(missing), Some(seq)) => Err(ReplayError::Incomplete {
                seq,
                expected: missing.kind.name(),
            }),
            (None, Some(_)) => Ok(self.machine),
        }
    }

    /// Follows one entry.
    pub fn take(&mut self, entry: &Entry) -> Result<(), ReplayError> {
        if self.expected.is_empty() {
            let event = self.event(entry)?;
            let actions = self.machine.next(entry.at, event);
            self.expected.extend(records(actions));
            self.results.extend(self.machine.new_results());
        }
        compare(entry, self.expected.pop_front().as_ref())?;
        if let EntryKind::ApprovalRequested { request, .. } = &entry.kind {
            self.machine.bind_file(request);
        }
        self.seq = Some(entry.seq);
        self.count(entry)
    }

    /// What an entry records, with its value.
    fn event(&self, entry: &Entry) -> Result<Event, ReplayError> {
        let mut kind = Cow::Borrowed(&entry.kind);
        if let (
            Some(ledger),
            EntryKind::StepComplete { output, .. } | EntryKind::ExpectationUnmet { output, .. },
        ) = (&self.ledger, &entry.kind)
            && output.value().is_none()
            && let EntryKind::StepComplete { output, .. }
            | EntryKind::ExpectationUnmet { output, .. } = kind.to_mut()
        {
            fetch(output, ledger.shelf().blobs())?;
        }
        Event::recorded_by(&kind).ok_or(ReplayError::Diverged {
            seq: entry.seq,
            found: entry.kind.name(),
            expected: "nothing",
        })
    }

    /// Counts the results that an entry has brought, and makes room for them.
    fn count(&mut self, entry: &Entry) -> Result<(), ReplayError> {
        let room = self.machine.state().options.max_retained_bytes;
        while let Some((_, weak)) = self.results.pop_front_if(|(seq, _)| *seq <= entry.seq) {
            if let (Some(ledger), Some(retained)) = (&mut self.ledger, weak.upgrade()) {
                ledger.set_room(room);
                ledger.count(&retained, entry);
            }
        }
        let Some(ledger) = &mut self.ledger else {
            return Ok(());
        };
        ledger.settle()?;
        match ledger.shelf().broken() {
            Some(broken) => Err(broken.into()),
            None => Ok(()),
        }
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

/// Replaces a reference by the value it refers to.
pub fn fetch(stored: &mut Stored, blobs: &dyn BlobStore) -> Result<(), JournalError> {
    if let Stored::Blob { blob, bytes, .. } = stored {
        *stored = Stored::Value(Arc::new(blobs.fetch(blob, *bytes)?));
    }
    Ok(())
}
