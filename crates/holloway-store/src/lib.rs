//! Where does a run live between two moments? In one data folder: a SQLite
//! database for journals, runs, messages, memory and tools; a folder of large results;
//! a folder of locks that say which process carries out which run.
//!
//! Invariant: every change goes through the one connection that writes, and what was
//! acknowledged has reached the disk. Readers never wait for the writer.
//!
//! Except for the journal, all functions block for the time of a disk access;
//! call them from a blocking thread.

mod blobs;
mod catalog;
mod catalog_store;
mod check;
mod claim;
mod error;
mod header;
mod inbox;
mod journal;
mod made;
mod memory;
mod migrate;
mod past;
mod plans;
mod private;
mod remove;
mod repair;
mod run_store;
mod runs;
pub mod skill_folder;
mod status;
mod wal;
mod writer;

#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OpenFlags};

pub use check::{Damage, RecordsReport, RunReport, StoreReport, check};
pub use claim::{Claim, Owner};
pub use error::StoreError;
pub use holloway_flow::run_store::{Message, NewRun};
pub use inbox::Watch;
pub use made::MadePlan;
pub use past::RememberedRun;
pub use plans::SavedPlan;
pub use private::write as write_private;
pub use remove::Collected;
pub use repair::{Left, Repaired, repair};
pub use runs::{Found, RunFilter, RunSummary};
pub use status::RunStatus;

use writer::Writer;

const DATABASE: &str = "holloway.db";
/// How long to wait for another process that is writing.
const BUSY: Duration = Duration::from_secs(10);
/// Prepared statements kept by each connection; more than there are.
const STATEMENTS: usize = 64;
/// Reading connections kept open for the next reader.
const IDLE_READERS: usize = 4;

/// The data folder, open. Clones share it.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

/// Dropped in this order: the writer finishes before the last reader closes.
struct Shared {
    writer: Writer,
    readers: Mutex<Vec<Connection>>,
    folder: PathBuf,
    database: PathBuf,
    /// Held for its lock, to the last.
    in_use: File,
}

impl Store {
    /// Whether there is a store in the folder.
    pub fn exists(folder: &Path) -> bool {
        folder.join(DATABASE).is_file()
    }

    /// Opens the data folder, making it if it is not there.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        for part in ["blobs", "locks"] {
            make_folder(&folder.join(part))?;
        }
        let database = folder.join(DATABASE);
        let _turn = turn(folder)?;
        private::mend(folder, &database);
        let complaint = header::complaint(&database);
        if let Some(complaint) =
            complaint.map_err(|error| StoreError::from_io(&database, &error))?
        {
            return Err(StoreError::Damaged {
                file: database,
                reason: complaint.reason,
            });
        }
        if !database.exists() {
            make_database(folder, &database)?;
        }
        let in_use = in_use(folder, false)?;
        let mut connection = connect(&database, OpenFlags::empty())?;
        migrate::migrate(&mut connection, &database)?;
        blobs::sweep(folder);
        let writer = Writer::start(connection, &database)?;
        Ok(Self {
            shared: Arc::new(Shared {
                writer,
                readers: Mutex::default(),
                folder: folder.to_owned(),
                database,
                in_use,
            }),
        })
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.shared.folder
    }

    fn database(&self) -> &Path {
        &self.shared.database
    }

    /// The lock that says that this process has the store open.
    fn in_use(&self) -> &File {
        &self.shared.in_use
    }

    fn writer(&self) -> &Writer {
        &self.shared.writer
    }

    /// Lends a reading connection to `question`.
    fn read<T>(
        &self,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let lent = self.readers().pop();
        let connection = match lent {
            Some(connection) => connection,
            None => self.connect_reader()?,
        };
        let answer =
            question(&connection).map_err(|error| StoreError::from_sqlite(self.database(), &error));
        let mut idle = self.readers();
        if idle.len() < IDLE_READERS {
            idle.push(connection);
        }
        answer
    }

    fn readers(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.shared
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn connect_reader(&self) -> Result<Connection, StoreError> {
        let connection = connect(self.database(), OpenFlags::empty())?;
        connection
            .pragma_update(None, "query_only", true)
            .map_err(|error| StoreError::from_sqlite(self.database(), &error))?;
        Ok(connection)
    }
}

/// One process at a time makes or migrates a database: two that turn on the
/// write-ahead log together are told that it is busy, without being made to wait.
fn turn(folder: &Path) -> Result<File, StoreError> {
    let file = folder.join("opening.lock");
    let lock = || {
        let file = private::create(&file)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
        Ok(file)
    };
    lock().map_err(|error: io::Error| StoreError::folder(folder, &error))
}

/// Says that this process has the store open, or that it alone may change its files. Whoever
/// wants to be alone has its turn: nobody can open the store meanwhile.
fn in_use(folder: &Path, alone: bool) -> Result<File, StoreError> {
    use rustix::fs::{FlockOperation, flock};
    let how = if alone {
        FlockOperation::NonBlockingLockExclusive
    } else {
        FlockOperation::LockShared
    };
    let path = folder.join("in-use.lock");
    let file = private::create(&path).map_err(|error| StoreError::folder(folder, &error))?;
    match flock(&file, how) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(StoreError::InUse {
            folder: folder.to_owned(),
        }),
        Err(error) => Err(StoreError::folder(folder, &error.into())),
    }
}

/// Makes a database under another name first: one that has its name is never empty.
fn make_database(folder: &Path, database: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::folder(folder, &error);
    let new = folder.join(format!("{DATABASE}.new"));
    for end in ["", "-wal", "-shm"] {
        // What a process that was killed has left.
        match fs::remove_file(folder.join(format!("{DATABASE}.new{end}"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    // SQLite gives its other files the mode that it finds at this one.
    private::create(&new).map_err(failed)?;
    let mut connection = connect(&new, OpenFlags::empty())?;
    migrate::migrate(&mut connection, &new)?;
    close(connection, &new)?;
    fs::rename(&new, database).map_err(failed)?;
    sync_folder(folder).map_err(failed)
}

/// Closes a new database as one file without a log, so that it can be moved as a whole.
fn close(connection: Connection, file: &Path) -> Result<(), StoreError> {
    connection
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;")
        .map_err(|error| StoreError::from_sqlite(file, &error))?;
    drop(connection);
    let synced = File::open(file).and_then(|file| file.sync_all());
    synced.map_err(|error| StoreError::from_io(file, &error))
}

/// Opens a connection with the settings that durability depends on.
fn connect(database: &Path, extra: OpenFlags) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | extra;
    let prepare = || {
        let connection = Connection::open_with_flags(database, flags)?;
        connection.busy_timeout(BUSY)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.execute_batch(
            "PRAGMA journal_mode = WAL;
             PRAGMA synchronous = FULL;
             PRAGMA fullfsync = ON;
             PRAGMA checkpoint_fullfsync = ON;
             PRAGMA foreign_keys = ON;
             PRAGMA wal_autocheckpoint = 0;",
        )?;
        Ok(connection)
    };
    prepare().map_err(|error| StoreError::from_sqlite(database, &error))
}

/// Makes a folder and whatever is missing above it, to last; nobody else looks in.
fn make_folder(folder: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::DirBuilderExt as _;
    let create = |folder: &Path| fs::DirBuilder::new().mode(0o700).create(folder);
    let result = match create(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let Some(parent) = folder.parent() else {
                return Err(StoreError::folder(folder, &error));
            };
            make_folder(parent)?;
            create(folder)
        }
        other => other,
    };
    match result {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        Err(error) => Err(StoreError::folder(folder, &error)),
        Ok(()) => folder
            .parent()
            .map_or(Ok(()), sync_folder)
            .map_err(|error| StoreError::folder(folder, &error)),
    }
}

/// Makes the names in a folder last through a power loss.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    File::open(folder)?.sync_all()
}

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis() as u64)
}
