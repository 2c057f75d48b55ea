//! How do runs leave the store? A run goes with its entries and messages in one
//! transaction; large results that no run refers to any more go afterwards.
//!
//! Invariant: a large result is removed only while no other process has the store
//! open, because one that is about to be referred to looks like one that nobody needs.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use holloway_engine::entry::RunId;
use rusqlite::{Connection, params};
use rustix::fs::{FlockOperation, flock};
use serde::Serialize;

use super::journal::place;
use super::runs::id_of;
use super::writer::Failure;
use super::{Claim, Store, StoreError, blobs};

/// How an entry begins to speak of a large result.
const REFERENCE: &str = "\"$blob\":\"";

/// What removing unneeded large results gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Collected {
    pub files: u64,
    pub bytes: u64,
    /// Another process has the store open, so nothing was removed this time.
    pub postponed: bool,
}

impl Store {
    /// Removes a run that nobody carries out: whoever holds its claim may. Blocks.
    pub fn remove_run(&self, claim: &Claim) -> Result<(), StoreError> {
        let run = claim.run().clone();
        self.writer()
            .change_blocking(Box::new(move |connection| remove(connection, &run)))
    }

    /// Removes the large results that no run refers to. Blocks.
    pub fn collect_blobs(&self) -> Result<Collected, StoreError> {
        let Some(_alone) = self.alone()? else {
            return Ok(Collected {
                postponed: true,
                ..Collected::default()
            });
        };
        let needed = self.referred_to()?;
        blobs::remove_others(self.folder(), &needed).map_err(|error| {
            let blobs = self.folder().join("blobs");
            StoreError::from_io(&blobs, &error)
        })
    }

    /// Whether an entry of the run refers to a large result. Blocks.
    pub fn refers_to_blobs(&self, run: &RunId) -> Result<bool, StoreError> {
        self.read(|connection| {
            let Some(id) = id_of(connection, run)? else {
                return Ok(false);
            };
            connection
                .prepare_cached(
                    "SELECT 1 FROM entries WHERE place > ?1 AND place < ?2 AND instr(body, ?3) > 0",
                )?
                .exists(params![place(id, 0), place(id + 1, 0), REFERENCE])
        })
    }

    /// Every large result that an entry refers to, and perhaps a few more.
    fn referred_to(&self) -> Result<BTreeSet<String>, StoreError> {
        self.read(|connection| {
            let mut select =
                connection.prepare("SELECT body FROM entries WHERE instr(body, ?1) > 0")?;
            let mut rows = select.query([REFERENCE])?;
            let mut found = BTreeSet::new();
            while let Some(row) = rows.next()? {
                let body = row.get_ref(0)?.as_bytes()?;
                found.extend(digests_in(&String::from_utf8_lossy(body)));
            }
            Ok(found)
        })
    }

    /// Keeps other processes from opening the store; nothing if one has it open.
    fn alone(&self) -> Result<Option<Alone<'_>>, StoreError> {
        let failed = |error: rustix::io::Errno| StoreError::folder(self.folder(), &error.into());
        let file = self.in_use();
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Alone(file))),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                // The attempt may have cost the shared lock.
                flock(file, FlockOperation::LockShared).map_err(failed)?;
                Ok(None)
            }
            Err(error) => Err(failed(error)),
        }
    }
}

/// The store is this process's alone until this is dropped.
struct Alone<'a>(&'a fs::File);

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        let _ = flock(self.0, FlockOperation::LockShared);
    }
}

fn remove(connection: &Connection, run: &RunId) -> Result<(), Failure> {
    let Some(id) = id_of(connection, run)? else {
        return Err(Failure::Refused(StoreError::UnknownRun {
            run: run.clone(),
        }));
    };
    connection
        .prepare_cached("DELETE FROM entries WHERE place > ?1 AND place < ?2")?
        .execute(params![place(id, 0), place(id + 1, 0)])?;
    connection
        .prepare_cached("DELETE FROM inbox WHERE run = ?1")?
        .execute([id])?;
    connection
        .prepare_cached("DELETE FROM runs WHERE id = ?1")?
        .execute([id])?;
    Ok(())
}

/// The digests in an entry. A text of a tool that looks like one counts too: that
/// keeps a file too many and never one too few.
fn digests_in(body: &str) -> impl Iterator<Item = String> {
    body.match_indices(REFERENCE).filter_map(|(at, _)| {
        let digest = body
            .get(at + REFERENCE.len()..)?
            .get(..blobs::DIGEST_LENGTH)?;
        Some(digest.to_owned())
    })
}

/// Removes every file of a folder of large results that is not needed.
pub(super) fn remove_unneeded(
    folder: &Path,
    is_needed: impl Fn(&str) -> bool,
) -> io::Result<Collected> {
    let mut collected = Collected::default();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_kept = name.to_str().is_none_or(&is_needed);
        if is_kept || !entry.file_type()?.is_file() {
            continue;
        }
        collected.bytes += entry.metadata()?.len();
        collected.files += 1;
        fs::remove_file(entry.path())?;
    }
    Ok(collected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_found_wherever_an_entry_has_them() {
        let digest = "a".repeat(64);
        let body = format!(
            r#"{{"output":{{"$blob":"{digest}","bytes":1}},"text":"\"$blob\":\"short\"","x":{{"$blob":"b"}}}}"#
        );
        let found: Vec<String> = digests_in(&body).collect();
        assert!(found.contains(&digest), "{found:?}");
    }
}
