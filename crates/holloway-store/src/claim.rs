//! Which process carries out a run? The one that holds the lock on the run's
//! file, in which it has written who it is. The system lets go of the lock when
//! the process ends, however it ends.
//!
//! Invariant: whoever holds the lock on the file *that the name leads to* is the
//! one owner. Only the owner removes the file, so a name found to lead to
//! one's own words leads to one's own lock.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use holloway_engine::entry::RunId;
use serde::{Deserialize, Serialize};

use super::runs::check_name;
use super::{Store, StoreError, now_ms, private};

/// A look at the owner holds the lock for a moment; an owner holds it longer.
const ATTEMPTS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(2);

static CLAIMS: AtomicU64 = AtomicU64::new(0);

/// Who carries out a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    pub pid: u32,
    pub host: String,
    /// Milliseconds since 1970.
    pub since: u64,
    pub command: String,
    /// Tells apart two claims by one process.
    #[serde(default)]
    claim: u64,
}

impl Owner {
    fn this_process(command: &str) -> Self {
        Self {
            pid: std::process::id(),
            host: host(),
            since: now_ms(),
            command: command.to_owned(),
            claim: CLAIMS.fetch_add(1, Ordering::Relaxed),
        }
    }

    fn unknown() -> Self {
        Self {
            pid: 0,
            host: "an unknown host".to_owned(),
            since: 0,
            command: "an unknown command".to_owned(),
            claim: 0,
        }
    }
}

/// The right to carry out a run, until dropped.
#[derive(Debug)]
pub struct Claim {
    run: RunId,
    path: PathBuf,
    // Held for its lock.
    _file: File,
}

impl Claim {
    pub fn run(&self) -> &RunId {
        &self.run
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Before the lock goes with the file, so that nobody else's file is removed.
        let _ = fs::remove_file(&self.path);
    }
}

impl Store {
    /// Becomes the one process that carries out the run. Blocks.
    pub fn claim(&self, run: &RunId, command: &str) -> Result<Claim, StoreError> {
        let path = self.lock_path(run)?;
        let mut attempt = 0;
        loop {
            match try_claim(&path, command) {
                Ok(Some(file)) => {
                    return Ok(Claim {
                        run: run.clone(),
                        path,
                        _file: file,
                    });
                }
                Ok(None) if attempt < ATTEMPTS => thread::sleep(BETWEEN),
                Ok(None) => return Err(owned(run, read_owner(&path))),
                Err(error) => return Err(StoreError::from_io(&path, &error)),
            }
            attempt += 1;
        }
    }

    /// The process that carries out the run at this moment. Blocks.
    pub fn owner(&self, run: &RunId) -> Result<Option<Owner>, StoreError> {
        let path = self.lock_path(run)?;
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::from_io(&path, &error)),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(Some(read_owner(&path))),
            Err(TryLockError::Error(error)) => Err(StoreError::from_io(&path, &error)),
        }
    }

    fn lock_path(&self, run: &RunId) -> Result<PathBuf, StoreError> {
        check_name(run)?;
        Ok(self.folder().join("locks").join(format!("{run}.lock")))
    }
}

/// The locked file, or nothing if somebody else has the lock or had the file removed.
fn try_claim(path: &Path, command: &str) -> io::Result<Option<File>> {
    let mut file = private::create(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let words = serde_json::to_vec(&Owner::this_process(command))?;
    file.set_len(0)?;
    file.write_all(&words)?;
    match fs::read(path) {
        Ok(found) if found == words => Ok(Some(file)),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn read_owner(path: &Path) -> Owner {
    fs::read(path)
        .ok()
        .and_then(|words| serde_json::from_slice(&words).ok())
        .unwrap_or_else(Owner::unknown)
}

fn owned(run: &RunId, owner: Owner) -> StoreError {
    StoreError::Owned {
        run: run.clone(),
        pid: owner.pid,
        host: owner.host,
        since: owner.since,
        command: owner.command,
    }
}

fn host() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| fs::read_to_string("/etc/hostname"))
        .map_or_else(|_| "this host".to_owned(), |name| name.trim().to_owned())
}
