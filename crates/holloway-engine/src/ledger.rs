//! How much does a run hold in memory? Results are counted as they come in; when they are too much
//! together, the oldest ones are put away, and at once any that would take half of the room.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::entry::{Entry, EntryKind};
use crate::ports::JournalError;
use crate::retained::{Retained, Shelf, WeakRetained};

/// Smaller values are left where they are.
const WORTH_PACKING: usize = 256;

/// The results of a run that are in memory.
#[derive(Debug)]
pub(crate) struct Ledger {
    shelf: Arc<Shelf>,
    room: usize,
    total: usize,
    /// Oldest first.
    retained: VecDeque<(WeakRetained, usize)>,
}

impl Ledger {
    pub(crate) fn new(shelf: Arc<Shelf>, room: usize) -> Self {
        Self {
            shelf,
            room,
            total: 0,
            retained: VecDeque::new(),
        }
    }

    pub(crate) fn shelf(&self) -> &Arc<Shelf> {
        &self.shelf
    }

    /// How much may be retained, once the terms of the run are known.
    pub(crate) fn set_room(&mut self, room: u64) {
        self.room = usize::try_from(room).unwrap_or(usize::MAX);
    }

    /// Counts a result, and notes where its entry keeps it.
    pub(crate) fn count(&mut self, retained: &Retained, entry: &Entry) {
        if let EntryKind::StepComplete { output, .. } = &entry.kind {
            retained.keep(output);
        }
        let size = retained.size();
        if size > self.room / 2 && retained.put_away(&self.shelf) {
            return;
        }
        self.total = self.total.saturating_add(size);
        self.retained.push_back((retained.weak(), size));
    }

    /// Lets go of what has a file already. Gives back small values that are to be packed.
    pub(crate) fn make_room(&mut self) -> Vec<Retained> {
        let mut loose = Vec::new();
        if self.total <= self.room {
            return loose;
        }
        // More than needed, so that not every result moves one.
        let aim = self.room / 2;
        while self.total > aim {
            let Some((weak, size)) = self.retained.pop_front() else {
                break;
            };
            self.total = self.total.saturating_sub(size);
            let Some(retained) = weak.upgrade() else {
                continue;
            };
            if !retained.put_away(&self.shelf) && size >= WORTH_PACKING {
                loose.push(retained);
            }
        }
        loose
    }

    /// The same at once, packing included.
    pub(crate) fn settle(&mut self) -> Result<(), JournalError> {
        let loose = self.make_room();
        if loose.is_empty() {
            return Ok(());
        }
        self.shelf.pack(&loose)
    }
}
