//! How did asking a source go, and when was it last tried? Noted beside what is
//! known of it.
//!
//! Invariant: a note never brings back a source that was removed, nor speaks of
//! one that was added since.

use std::collections::BTreeMap;

use holloway_flow::catalog::{SourceId, SourceNote, SourceRecord};
use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::super::writer::Failure;
use super::super::{Store, StoreError};
use super::record::{self, Record};

/// A source as it is written down.
#[derive(Serialize, Deserialize)]
struct Kept {
    #[serde(flatten)]
    source: SourceRecord,
    /// When it was last about to be asked by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tried_ms: Option<u64>,
}

impl Store {
    /// Notes how asking a source went; says whether it is still there. Blocks.
    pub fn note_source(
        &self,
        source: &SourceId,
        added_ms: u64,
        note: &SourceNote,
    ) -> Result<bool, StoreError> {
        let note = note.clone();
        self.change_source(source, added_ms, move |kept| {
            match &note {
                SourceNote::Refreshed { at_ms } => {
                    kept.source.refreshed_ms = Some(*at_ms);
                    kept.source.trouble.clear();
                }
                SourceNote::Failed { trouble } => kept.source.trouble.clone_from(trouble),
            }
            true
        })
    }

    /// Notes that a source is about to be asked, unless it was a short while ago. Blocks.
    pub fn begin_try(
        &self,
        source: &SourceId,
        added_ms: u64,
        now_ms: u64,
        pause_ms: u64,
    ) -> Result<bool, StoreError> {
        self.change_source(source, added_ms, move |kept| {
            let rested = |tried: u64| now_ms.saturating_sub(tried) >= pause_ms;
            let due = kept.tried_ms.is_none_or(rested);
            if due {
                kept.tried_ms = Some(now_ms);
            }
            due
        })
    }

    /// When sources were last about to be asked by themselves. Blocks.
    pub fn tries(&self) -> Result<BTreeMap<SourceId, u64>, StoreError> {
        let rows = self.read(|connection| {
            let query = "SELECT id, sum, source_json FROM sources ORDER BY id";
            record::select(connection, query, [])
        })?;
        let kept: Vec<Kept> = self.open_records("source", rows)?;
        let tried = |kept: Kept| Some((kept.source.id, kept.tried_ms?));
        Ok(kept.into_iter().filter_map(tried).collect())
    }

    /// Changes what is kept of a source that was added then; says whether it was changed.
    fn change_source(
        &self,
        source: &SourceId,
        added_ms: u64,
        change: impl Fn(&mut Kept) -> bool + Send + 'static,
    ) -> Result<bool, StoreError> {
        let source = source.as_str().to_owned();
        let database = self.database().to_owned();
        self.change_and_tell(move |connection| {
            let query = "SELECT id, sum, source_json FROM sources WHERE id = ?1";
            let rows = record::select(connection, query, [&source])?;
            let Some(row) = rows.first() else {
                return Ok(false);
            };
            let mut kept: Kept = row.open_in("source", &database)?;
            if kept.source.added_ms != added_ms || !change(&mut kept) {
                return Ok(false);
            }
            let record = Record::of("source", &source, &kept).map_err(Failure::Refused)?;
            connection
                .prepare_cached("UPDATE sources SET sum = ?2, source_json = ?3 WHERE id = ?1")?
                .execute(params![record.id, record.sum, record.json])?;
            Ok(true)
        })
    }
}
