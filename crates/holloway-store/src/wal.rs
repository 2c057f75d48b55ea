//! How does a commit cost one data sync and no more? By writing over blocks the
//! write-ahead log already has. A file that grows drags the file system's own
//! journal into every sync, so the log is filled with zeros once, before the
//! first entry of a process, and emptied into the database before it outgrows that.
//!
//! Invariant: the log's file is only touched while this process holds the
//! database's write lock; zeros behind the last frame mean nothing to SQLite.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

/// Room for about a thousand pages.
const SIZE: u64 = 4 << 20;
/// A page of the database with its header in the log.
const FRAME: u64 = 4096 + 24;
/// Frames after which the log is emptied; the rest of `SIZE` is for large commits.
const FULL_FRAMES: u64 = SIZE / FRAME * 3 / 4;
/// Jobs between two looks at the log's length.
const LOOK_EVERY: usize = 16;
/// Fewer jobs than this are not worth emptying the log for when idle.
const WORTH_IT: usize = 64;

/// The write-ahead log as the writer sees it.
pub(super) struct Wal {
    file: PathBuf,
    sized: bool,
    jobs_since_look: usize,
    jobs_since_emptied: usize,
}

impl Wal {
    pub(super) fn of(database: &Path) -> Self {
        let mut file = database.as_os_str().to_owned();
        file.push("-wal");
        Self {
            file: file.into(),
            sized: false,
            jobs_since_look: 0,
            jobs_since_emptied: 0,
        }
    }

    /// Gives the log its full size, once. The caller has begun a writing transaction.
    ///
    /// A failure only costs time: the log then grows as it goes.
    pub(super) fn make_room(&mut self) {
        if !self.sized {
            self.sized = true;
            let _ = fill(&self.file);
        }
    }

    /// Whether an idle moment should be used to empty the log.
    pub(super) fn worth_emptying(&self) -> bool {
        self.jobs_since_emptied >= WORTH_IT
    }

    /// After a commit; whether it is time to look at the log's length.
    pub(super) fn committed(&mut self, jobs: usize) -> bool {
        self.jobs_since_look += jobs;
        self.jobs_since_emptied += jobs;
        self.jobs_since_look >= LOOK_EVERY
    }

    /// Empties the log if it is nearly as long as its file.
    pub(super) fn look(&mut self, connection: &Connection) {
        self.jobs_since_look = 0;
        if frames(connection, "NOOP").is_ok_and(|frames| frames > FULL_FRAMES) {
            self.empty(connection);
        }
    }

    /// Moves the log's pages into the database; the next commit starts the log over.
    ///
    /// A failure loses nothing: the pages stay in the log until the next attempt.
    pub(super) fn empty(&mut self, connection: &Connection) {
        self.jobs_since_emptied = 0;
        let _ = frames(connection, "PASSIVE");
    }
}

/// Checkpoints in the given mode; returns how many frames the log has.
fn frames(connection: &Connection, mode: &str) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?;
    statement.query_row([], |row| {
        row.get::<_, i64>(1).map(|frames| frames.max(0) as u64)
    })
}

/// Writes zeros up to `SIZE`; blocks merely reserved would cost as much as growing.
fn fill(wal: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(wal)?;
    let length = file.metadata()?.len();
    let missing = SIZE.saturating_sub(length);
    let written = write_zeros(&mut file, length, missing);
    if written.is_err() {
        // On a nearly full disk the zeros would take the room of entries.
        file.set_len(length)?;
    }
    written
}

fn write_zeros(file: &mut File, from: u64, count: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(from))?;
    file.write_all(&vec![0; count as usize])?;
    file.sync_all()
}
