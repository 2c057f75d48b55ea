//! A journal in memory, for tests that look at what was written.

use std::sync::Mutex;

use async_trait::async_trait;
use holloway_engine::entry::{Entry, RunId};
use holloway_engine::ports::{Journal, JournalError};

/// Keeps entries; can be told to fail from some append on.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    entries: Mutex<Vec<Entry>>,
    appends_left: Mutex<Option<usize>>,
}

impl MemoryJournal {
    /// Accepts so many appends and refuses the rest, like a full disk.
    pub fn full_after(appends: usize) -> Self {
        Self {
            entries: Mutex::default(),
            appends_left: Mutex::new(Some(appends)),
        }
    }

    pub fn entries(&self) -> Vec<Entry> {
        self.entries.lock().unwrap().clone()
    }
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn append(&self, _run: &RunId, entries: Vec<Entry>) -> Result<(), JournalError> {
        if let Some(left) = self.appends_left.lock().unwrap().as_mut() {
            *left = left
                .checked_sub(1)
                .ok_or_else(|| JournalError::Storage("no space left".to_owned()))?;
        }
        self.entries.lock().unwrap().extend(entries);
        Ok(())
    }
}
