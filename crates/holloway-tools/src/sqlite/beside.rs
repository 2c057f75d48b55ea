//! Which files beside a database does SQLite use, and are they the database's? It overwrites or
//! deletes whatever has one of their names, and creates some of them even to read.
//! Invariant: reading changes nothing in a folder that is granted for reading only.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

use cap_std::fs::OpenOptions;
use holloway_engine::failure::ToolFailure;

use super::super::files::Place;
use super::super::stamp::Stamp;

/// A file beside a database and how it begins, in one of these ways.
struct Companion {
    ending: &'static str,
    starts: [[u8; 4]; 2],
}

const JOURNAL: Companion = Companion {
    ending: "-journal",
    starts: [[0xd9, 0xd5, 0x05, 0xf9]; 2],
};
const LOG: Companion = Companion {
    ending: "-wal",
    starts: [[0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83]],
};
/// Begins with the version of its format, in the byte order of the machine.
const INDEX: Companion = Companion {
    ending: "-shm",
    starts: [3_007_000_u32.to_le_bytes(), 3_007_000_u32.to_be_bytes()],
};

/// Where a database says that it has a log, and with which number.
const VERSION: usize = 18;
const WITH_LOG: u8 = 2;

/// How a database is read.
pub(super) enum Reading {
    /// Under the locks of SQLite, which writes nothing then.
    Locked,
    /// The same, with an index of the log that is only read.
    WithIndex,
    /// As a file that does not change; that it did not is seen afterwards.
    Still(Option<Stamp>),
}

impl Companion {
    fn path(&self, place: &Place) -> PathBuf {
        let mut path = place.real.clone().into_os_string();
        path.push(self.ending);
        path.into()
    }

    /// How it begins, if there is one. A pipe or a link is there and begins like nothing.
    fn start(&self, place: &Place) -> Result<Option<Start>, ToolFailure> {
        let path = self.path(place);
        let metadata = match std::fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(place.failure(&error)),
        };
        if !metadata.is_file() {
            return Ok(Some(Start::Foreign));
        }
        let begins = File::open(&path).and_then(|file| beginning(file, 4));
        let begins = begins.map_err(|error| place.failure(&error))?;
        let is_own = self.starts.iter().any(|start| begins == *start);
        Ok(Some(match begins.as_slice() {
            // One that was cleared begins with zeros.
            [] | [0, 0, 0, 0] => Start::Empty,
            _ if is_own => Start::Own,
            _ => Start::Foreign,
        }))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Empty,
    Own,
    Foreign,
}

/// Refuses a database beside which somebody keeps a file that SQLite takes for its own. One that
/// the run has just made is empty and may have a journal already.
pub(super) fn refuse_foreign(place: &Place, is_ours: bool) -> Result<(), ToolFailure> {
    let is_database = !head_of(place)?.is_empty();
    for companion in [JOURNAL, LOG, INDEX] {
        let is_own = match companion.start(place)? {
            None => true,
            Some(Start::Foreign) => false,
            Some(Start::Own | Start::Empty) => is_database || is_ours,
        };
        if !is_own {
            return Err(foreign(place, &companion));
        }
    }
    Ok(())
}

/// How to read a database so that nothing is written where nothing may be.
pub(super) fn reading(place: &Place, may_write: bool) -> Result<Reading, ToolFailure> {
    let head = head_of(place)?;
    let log = LOG.start(place)?;
    if log == Some(Start::Own) && !head.is_empty() {
        return match INDEX.start(place)? {
            Some(Start::Foreign) => Err(foreign(place, &INDEX)),
            _ if may_write => Ok(Reading::Locked),
            Some(Start::Own) => Ok(Reading::WithIndex),
            Some(Start::Empty) | None => Err(unfinished(place)),
        };
    }
    let has_log = head.get(VERSION) == Some(&WITH_LOG);
    if head.is_empty() || has_log || log.is_some() {
        return Ok(Reading::Still(Stamp::of(&place.real)));
    }
    Ok(Reading::Locked)
}

/// Whether the rows can be believed: what was read as a file that does not change has not.
pub(super) fn confirm(place: &Place, reading: &Reading) -> Result<(), ToolFailure> {
    let Reading::Still(before) = reading else {
        return Ok(());
    };
    if *before == Stamp::of(&place.real) && LOG.start(place)? != Some(Start::Own) {
        return Ok(());
    }
    let message = format!("`{}` was changed while it was read", place.shown());
    Err(ToolFailure::transient(message))
}

fn head_of(place: &Place) -> Result<Vec<u8>, ToolFailure> {
    let opened = place.open(OpenOptions::new().read(true));
    let head = opened.and_then(|file| beginning(file.into_std(), VERSION + 1));
    match head {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        other => other.map_err(|error| place.failure(&error)),
    }
}

fn beginning(file: File, bytes: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(bytes as u64).read_to_end(&mut start)?;
    Ok(start)
}

fn foreign(place: &Place, companion: &Companion) -> ToolFailure {
    let beside = companion.path(place);
    let message = format!(
        "`{}` is no part of the database `{}`, and SQLite would overwrite or delete it",
        beside.display(),
        place.shown()
    );
    ToolFailure::denied(message).with_hint("move that file away, or give the database another name")
}

fn unfinished(place: &Place) -> ToolFailure {
    let message = format!(
        "`{}` has changes in its log that cannot be read without writing beside it, and its folder is granted for reading only",
        place.shown()
    );
    ToolFailure::denied(message)
        .with_hint("open it once with the program it belongs to, or grant its folder for writing")
}
