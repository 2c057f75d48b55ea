//! What went wrong with the data folder? Each error is one sentence that names
//! the file or run; `hint` says what to do, `code` is the word to look it up by.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use holloway_engine::entry::RunId;
use holloway_engine::ports::JournalError;
use rusqlite::ErrorCode;

/// Why the store could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the data folder cannot be used: {}: {reason}", file.display())]
    Folder { file: PathBuf, reason: String },
    #[error("no space left on the disk of {}", file.display())]
    Full { file: PathBuf },
    #[error("the disk failed while using {}: {reason}", file.display())]
    Disk { file: PathBuf, reason: String },
    #[error("{} is being written by another process that does not let go", file.display())]
    Busy { file: PathBuf },
    #[error("{} is damaged: {reason}", file.display())]
    Damaged { file: PathBuf, reason: String },
    #[error("another process has the store in {} open", folder.display())]
    InUse { folder: PathBuf },
    #[error("{} has format {found}, this Holloway knows formats up to {known}", file.display())]
    Newer {
        file: PathBuf,
        found: i64,
        known: i64,
    },
    #[error("{} could not be used: {reason}", file.display())]
    Sql { file: PathBuf, reason: String },
    #[error("there is no run `{run}` in this data folder")]
    UnknownRun { run: RunId },
    #[error("there is a run `{run}` already")]
    RunExists { run: RunId },
    #[error("`{run}` cannot be the name of a run")]
    BadRunId { run: RunId },
    #[error("entry {found} of run `{run}` was to be written, but entry {expected} is the next one")]
    OutOfOrder {
        run: RunId,
        expected: u64,
        found: u64,
    },
    #[error("entry {seq} of run `{run}` cannot be kept: {reason}")]
    BadEntry {
        run: RunId,
        seq: u64,
        reason: String,
    },
    #[error("{what} cannot be kept: {reason}")]
    BadRecord { what: String, reason: String },
    #[error(
        "run `{run}` is being carried out by process {pid} on {host} since {}: {command}",
        moment(*since)
    )]
    Owned {
        run: RunId,
        pid: u32,
        host: String,
        /// Milliseconds since 1970.
        since: u64,
        command: String,
    },
    #[error("the writer of {} has ended", file.display())]
    WriterGone { file: PathBuf },
}

impl StoreError {
    /// The word under which the documentation explains the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Folder { .. } => "store-folder",
            Self::Full { .. } => "store-full",
            Self::Disk { .. } => "store-disk",
            Self::Busy { .. } => "store-busy",
            Self::Damaged { .. } => "store-damaged",
            Self::InUse { .. } => "store-in-use",
            Self::Newer { .. } => "store-newer",
            Self::Sql { .. } | Self::WriterGone { .. } => "store-internal",
            Self::UnknownRun { .. } => "run-unknown",
            Self::RunExists { .. } => "run-exists",
            Self::BadRunId { .. } => "run-name",
            Self::OutOfOrder { .. } => "run-two-owners",
            Self::BadEntry { .. } => "run-entry",
            Self::BadRecord { .. } => "store-record",
            Self::Owned { .. } => "run-owned",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Folder { .. } => {
                "name a folder you may write to with HOLLOWAY_HOME, or change its permissions"
            }
            Self::Full { .. } => {
                "free some space, then resume the run; nothing that was done is lost"
            }
            Self::Disk { .. } => {
                "check the disk, then resume the run; nothing that was done is lost"
            }
            Self::Busy { .. } => "wait for the other process or end it, then try again",
            Self::Damaged { .. } => {
                "`holloway store check` says what is affected, `holloway store repair` saves what is whole"
            }
            Self::InUse { .. } => {
                "end other Holloway processes (`holloway runs` lists what runs), then try again"
            }
            Self::Newer { .. } => {
                "use the newer Holloway, or another data folder with HOLLOWAY_HOME"
            }
            Self::Sql { .. } => {
                "run `holloway store check`; if the store is whole, this is a mistake in Holloway"
            }
            Self::WriterGone { .. } => "this is a mistake in Holloway; resuming the run is safe",
            Self::UnknownRun { .. } => "`holloway runs` lists the runs",
            Self::RunExists { .. } => "resume it, or start a run under another name",
            Self::BadRunId { .. } => "use 1 to 64 letters, digits, `-` and `_`",
            Self::OutOfOrder { .. } => {
                "another process has gone on with this run; resume it from its journal"
            }
            Self::BadEntry { .. } => "have the tool give a flatter or smaller result",
            Self::BadRecord { .. } => "leave this source out, or have it give a flatter definition",
            Self::Owned { run, .. } => {
                return Cow::Owned(format!(
                    "watch it with `holloway runs watch {run}`, or end that process first"
                ));
            }
        };
        Cow::Borrowed(hint)
    }

    /// May the same request succeed later without a change to it?
    pub fn retryable(&self) -> bool {
        matches!(
            self,
            Self::Full { .. }
                | Self::Disk { .. }
                | Self::Busy { .. }
                | Self::Owned { .. }
                | Self::InUse { .. }
        )
    }

    pub(super) fn folder(file: &Path, error: &io::Error) -> Self {
        let file = file.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { file },
            _ => Self::Folder {
                file,
                reason: error.to_string(),
            },
        }
    }

    pub(super) fn from_io(file: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem => Self::folder(file, error),
            _ => Self::Disk {
                file: file.to_owned(),
                reason: error.to_string(),
            },
        }
    }

    pub(super) fn from_sqlite(file: &Path, error: &rusqlite::Error) -> Self {
        let file = file.to_owned();
        let reason = error.to_string();
        if is_damage(error) {
            return Self::Damaged { file, reason };
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { file },
            Some(ErrorCode::SystemIoFailure) => Self::Disk { file, reason },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { file },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::Folder { file, reason }
            }
            _ => Self::Sql { file, reason },
        }
    }
}

/// Whether the file cannot be what was written: pages that are none, a file that ends too early,
/// tables or columns that are gone, values of another type than was stored.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    match error {
        Error::SqliteFailure(failure, message) => match failure.code {
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => true,
            ErrorCode::SystemIoFailure => failure.extended_code == SHORT_READ,
            ErrorCode::Unknown => message.as_deref().is_some_and(is_schema_lost),
            _ => false,
        },
        Error::SqlInputError { msg, .. } => is_schema_lost(msg),
        Error::FromSqlConversionFailure(..)
        | Error::InvalidColumnType(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::Utf8Error(..) => true,
        _ => false,
    }
}

/// `SQLITE_IOERR_SHORT_READ`: the file ends in the middle of a page.
const SHORT_READ: i32 = 522;

/// The tables were made when the database was; that one is missing is no mistake of a statement.
fn is_schema_lost(message: &str) -> bool {
    [
        "no such table",
        "no such column",
        "no such index",
        "malformed",
    ]
    .iter()
    .any(|words| message.contains(words))
}

impl From<StoreError> for JournalError {
    fn from(error: StoreError) -> Self {
        let text = format!("{error}; {}", error.hint());
        match error {
            StoreError::Folder { .. }
            | StoreError::Full { .. }
            | StoreError::Disk { .. }
            | StoreError::Busy { .. }
            | StoreError::Sql { .. }
            | StoreError::WriterGone { .. } => Self::Storage(text),
            _ => Self::Corrupt(text),
        }
    }
}

fn moment(ms: u64) -> String {
    i64::try_from(ms)
        .ok()
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .map_or_else(|| "an unknown time".to_owned(), |time| time.to_string())
}
