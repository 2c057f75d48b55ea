//! Is everything in the data folder as it was written? Every page, every entry with its number
//! and checksum, every large result, every record. Reads all of it and changes nothing.

pub(super) mod blobs;
mod log;
pub(super) mod records;
pub(super) mod rows;
pub(super) mod runs;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use super::migrate::{LAST, MIGRATIONS, format_of_tables, version};
use super::{BUSY, DATABASE, StoreError, header};
use blobs::Blobs;

/// More complaints of SQLite than this say nothing new.
const COMPLAINTS: usize = 20;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StoreReport {
    pub file: PathBuf,
    /// Why nothing in the database can be read, if nothing can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// What SQLite says about the pages of the database.
    pub pages: Vec<String>,
    pub runs: Vec<RunReport>,
    /// The other tables, and the large results.
    pub records: Vec<RecordsReport>,
}

/// What was found of one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunReport {
    pub run: String,
    /// Entries from the first on that are whole.
    pub entries: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<Damage>,
    #[serde(skip)]
    pub(super) id: i64,
}

/// The first thing that is wrong with a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Damage {
    /// The entry; nothing if it is the run itself or its plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<u64>,
    pub reason: String,
}

/// What was found of one table, or of the large results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordsReport {
    pub kind: &'static str,
    pub whole: usize,
    pub damaged: Vec<String>,
}

impl StoreReport {
    pub fn is_whole(&self) -> bool {
        self.unreadable.is_none()
            && self.pages.is_empty()
            && self.runs.iter().all(|run| run.damage.is_none())
            && self.records.iter().all(|one| one.damaged.is_empty())
    }

    /// The digests of large results that are missing or changed.
    pub(super) fn damaged_blobs(&self) -> impl Iterator<Item = &str> {
        let blobs = self.records.iter().filter(|one| one.kind == blobs::KIND);
        let lines = blobs.flat_map(|one| &one.damaged);
        lines.filter_map(|line| line.split_whitespace().next())
    }

    pub fn damaged_runs(&self) -> impl Iterator<Item = (&RunReport, &Damage)> {
        let runs = self.runs.iter();
        runs.filter_map(|run| Some((run, run.damage.as_ref()?)))
    }
}

/// Reads everything in a data folder. A folder without a database is whole.
pub fn check(folder: &Path) -> Result<StoreReport, StoreError> {
    let file = folder.join(DATABASE);
    let mut report = StoreReport {
        file: file.clone(),
        ..StoreReport::default()
    };
    let complaint = header::complaint(&file);
    match complaint.map_err(|error| StoreError::from_io(&file, &error))? {
        Some(complaint) if complaint.is_readable => report.pages.push(complaint.reason),
        Some(complaint) => {
            report.unreadable = Some(complaint.reason);
            return Ok(report);
        }
        None if !file.exists() => return Ok(report),
        None => {}
    }
    // Before the database is opened, which may tidy the log away.
    let log = log::complaint(&file);
    match open(&file) {
        Ok(connection) => read(&connection, folder, &mut report)?,
        Err(error) => report.unreadable = Some(readable(&file, &error)?),
    }
    report.pages.extend(log);
    Ok(report)
}

/// Never writes, and leaves the log where it is.
pub(super) fn open(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "query_only", true)?;
    version(&connection)?;
    Ok(connection)
}

/// Why the database cannot be read, unless that is no damage.
fn readable(file: &Path, error: &rusqlite::Error) -> Result<String, StoreError> {
    match StoreError::from_sqlite(file, error) {
        StoreError::Damaged { reason, .. } => Ok(reason),
        other => Err(other),
    }
}

fn read(
    connection: &Connection,
    folder: &Path,
    report: &mut StoreReport,
) -> Result<(), StoreError> {
    let found = version(connection).unwrap_or_default();
    let known = MIGRATIONS.len() as i64;
    if (known + 1..=LAST).contains(&found) {
        let file = report.file.clone();
        return Err(StoreError::Newer { file, found, known });
    }
    let tables = format_of_tables(connection);
    if tables == 0 {
        report.unreadable = Some("it holds none of Holloway's tables".to_owned());
        return Ok(());
    }
    if found != tables {
        report.pages.push(format!(
            "the format number is {found}, but the tables are those of format {tables}"
        ));
    }
    report.pages.extend(pages(connection));
    let mut blobs = Blobs::of(folder);
    report.runs = runs::check(connection, &mut blobs);
    report.records = records::check(connection, found == known || tables == known);
    report.records.push(blobs.rest());
    Ok(())
}

/// What SQLite itself notices.
fn pages(connection: &Connection) -> Vec<String> {
    let complaints = || {
        let mut check = connection.prepare(&format!("PRAGMA integrity_check({COMPLAINTS})"))?;
        let rows = check.query_map([], |row| row.get::<_, String>(0))?;
        rows.collect::<rusqlite::Result<Vec<_>>>()
    };
    match complaints() {
        Ok(lines) => lines.into_iter().filter(|line| line != "ok").collect(),
        Err(error) => vec![error.to_string()],
    }
}
