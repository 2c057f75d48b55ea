//! How does a damaged store become one that can be used? What is whole is copied into a new
//! database, which takes the place of the old one. Nothing is dropped: the old files are kept
//! in a folder of their own, with the readable part of every damaged run and a listing.
//!
//! Invariant: until the new database is complete and on the disk, the old one is in place; no
//! other process has the store open meanwhile.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use holloway_engine::entry::RunId;
use holloway_plan::hidden::{escaped, visible};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;
use serde_json::json;

use super::check::records::TABLES;
use super::check::rows::{Columns, has_table, rows};
use super::check::runs::each_entry;
use super::check::{self, RunReport, StoreReport};
use super::runs::check_name;
use super::{DATABASE, StoreError, in_use, make_folder, migrate, now_ms, sync_folder, turn};

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repaired {
    /// Where the old files are.
    pub kept_in: PathBuf,
    /// Runs that are in the new database.
    pub runs: Vec<String>,
    /// How many other records are.
    pub records: usize,
    /// What is not, each with the reason.
    pub left: Vec<Left>,
}

/// Something that is only in the old files now.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Left {
    pub what: String,
    pub reason: String,
    /// The part of a run that can be read, line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<PathBuf>,
}

/// Repairs the store in a data folder; nothing if it is whole.
pub fn repair(folder: &Path) -> Result<Option<Repaired>, StoreError> {
    let _turn = turn(folder)?;
    let _alone = in_use(folder, true)?;
    let report = check::check(folder)?;
    if report.is_whole() {
        return Ok(None);
    }
    let kept_in = new_folder(folder)?;
    let new = kept_in.join("repaired.db");
    let mut repaired = Repaired {
        kept_in: kept_in.clone(),
        runs: Vec::new(),
        records: 0,
        left: Vec::new(),
    };
    salvage(&report, &new, &mut repaired)?;
    let failed = |error: io::Error| StoreError::from_io(&kept_in, &error);
    write_listing(&report, &repaired).map_err(failed)?;
    move_blobs(folder, &kept_in, &report).map_err(failed)?;
    swap(folder, &kept_in, &new).map_err(failed)?;
    Ok(Some(repaired))
}

/// `damaged-20260301-120005`, with a number behind it if that is taken.
fn new_folder(folder: &Path) -> Result<PathBuf, StoreError> {
    let now = i64::try_from(now_ms()).ok();
    let now = now.and_then(|now| jiff::Timestamp::from_millisecond(now).ok());
    let now = now.map(|now| now.strftime("damaged-%Y%m%d-%H%M%S").to_string());
    let name = now.unwrap_or_else(|| "damaged".to_owned());
    let names = (1..).map(|number| match number {
        1 => name.clone(),
        number => format!("{name}-{number}"),
    });
    let mut free = names
        .map(|name| folder.join(name))
        .filter(|path| !path.exists());
    let path = free.next().unwrap_or_else(|| folder.join(&name));
    make_folder(&path)?;
    Ok(path)
}

/// Makes the new database of everything that is whole.
fn salvage(report: &StoreReport, new: &Path, repaired: &mut Repaired) -> Result<(), StoreError> {
    let mut to = super::connect(new, OpenFlags::SQLITE_OPEN_CREATE)?;
    migrate::migrate(&mut to, new)?;
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(new, &error);
    if let Some(reason) = &report.unreadable {
        repaired.left.push(Left {
            what: "the whole database".to_owned(),
            reason: reason.clone(),
            copy: None,
        });
    } else {
        let from = check::open(&report.file)
            .map_err(|error| StoreError::from_sqlite(&report.file, &error))?;
        copy(&from, &mut to, report, repaired).map_err(failed)?;
    }
    super::close(to, new)
}

fn copy(
    from: &Connection,
    to: &mut Connection,
    report: &StoreReport,
    repaired: &mut Repaired,
) -> rusqlite::Result<()> {
    let to = to.transaction()?;
    let (lines, _) = rows(from, "runs");
    let mut kept = BTreeSet::new();
    for run in &report.runs {
        let line = lines.iter().find(|line| line.number("id") == Some(run.id));
        match (&run.damage, line) {
            (None, Some(line)) => {
                insert(&to, "runs", line)?;
                copy_entries(from, &to, run.id)?;
                kept.insert(run.id);
                repaired.runs.push(run.run.clone());
            }
            (damage, line) => {
                let damage = damage.as_ref();
                let entry = damage.and_then(|damage| damage.entry);
                let reason = damage.map_or("its line is lost", |damage| &damage.reason);
                let reason = match entry {
                    Some(entry) => format!("entry {entry} {reason}"),
                    None => reason.to_owned(),
                };
                repaired.left.push(Left {
                    what: format!("run {}", run.run),
                    copy: copy_run(from, run, line, &repaired.kept_in).ok(),
                    reason,
                });
            }
        }
    }
    for table in TABLES.iter().filter(|table| has_table(from, table.name)) {
        let (rows, broken) = rows(from, table.name);
        let lost = broken.into_iter().map(|reason| Left {
            what: table.name.to_owned(),
            reason,
            copy: None,
        });
        repaired.left.extend(lost);
        for row in &rows {
            let of_lost_run =
                table.name == "inbox" && !row.number("run").is_some_and(|run| kept.contains(&run));
            let damage = table.damage(row);
            let damage = damage.or(of_lost_run.then(|| "its run is not whole".to_owned()));
            let damage = match damage {
                None => insert(&to, table.name, row)
                    .err()
                    .map(|error| error.to_string()),
                damage => damage,
            };
            match damage {
                None => repaired.records += 1,
                Some(reason) => repaired.left.push(Left {
                    what: table.name.to_owned(),
                    reason,
                    copy: None,
                }),
            }
        }
    }
    to.commit()
}

fn insert(to: &Connection, table: &str, row: &Columns) -> rusqlite::Result<()> {
    let names: Vec<&str> = row.0.iter().map(|(name, _)| name.as_str()).collect();
    let places = vec!["?"; names.len()].join(", ");
    let values = row.0.iter().map(|(_, value)| value.clone());
    let values: Vec<Value> = values.collect();
    to.prepare_cached(&format!(
        "INSERT INTO {table} ({}) VALUES ({places})",
        names.join(", ")
    ))?
    .execute(rusqlite::params_from_iter(values))?;
    Ok(())
}

fn copy_entries(from: &Connection, to: &Connection, id: i64) -> rusqlite::Result<()> {
    let mut select = from.prepare_cached(
        "SELECT place, at_ms, sum, body FROM entries WHERE place > ?1 << 32 AND place < (?1 + 1) << 32
         ORDER BY place",
    )?;
    let mut insert =
        to.prepare_cached("INSERT INTO entries (place, at_ms, sum, body) VALUES (?1, ?2, ?3, ?4)")?;
    let mut rows = select.query([id])?;
    while let Some(row) = rows.next()? {
        let columns: [Value; 4] = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
        insert.execute(columns)?;
    }
    Ok(())
}

/// What can be read of a damaged run: its plan, then its entries up to the damage.
fn copy_run(
    from: &Connection,
    run: &RunReport,
    line: Option<&Columns>,
    folder: &Path,
) -> io::Result<PathBuf> {
    let name = RunId::new(run.run.as_str());
    let file = match check_name(&name) {
        Ok(()) => folder.join(format!("{name}.jsonl")),
        Err(_) => folder.join(format!("run-{}.jsonl", run.id)),
    };
    let text = |column: &str| line.and_then(|line| line.text(column));
    let head = json!({
        "run": run.run, "damage": run.damage, "plan_id": text("plan_id"),
        "objective": text("objective"), "status": text("status"), "plan": text("plan_json"),
    });
    let mut copy = format!("{}\n", escaped(&head.to_string()));
    let _ = each_entry(from, &name, run.id, |_, body| {
        copy.push_str(&escaped(body));
        copy.push('\n');
        Ok(())
    });
    write(&file, &copy)?;
    Ok(file)
}

/// Says beside the old files what became of them.
fn write_listing(report: &StoreReport, repaired: &Repaired) -> io::Result<()> {
    let mut text = format!(
        "{} was damaged. This folder has the old files; the new database has what was whole.\n\n\
         In the new database: {} runs, {} other records.\n",
        report.file.display(),
        repaired.runs.len(),
        repaired.records
    );
    let line = |text: String| format!("  {}\n", visible(&text.replace('\n', "\\n")));
    text.extend(repaired.runs.iter().map(|run| line(format!("run {run}"))));
    text.push_str("\nOnly in the old files:\n");
    let left = repaired.left.iter();
    text.extend(left.map(|left| line(format!("{}: {}", left.what, left.reason))));
    text.extend(
        report
            .pages
            .iter()
            .map(|page| line(format!("pages: {page}"))),
    );
    write(&repaired.kept_in.join("listing.txt"), &text)
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(file)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Large results that are not what they are named after are nobody's any more.
fn move_blobs(folder: &Path, kept_in: &Path, report: &StoreReport) -> io::Result<()> {
    for digest in report.damaged_blobs() {
        let Some((start, rest)) = digest.split_at_checked(2) else {
            continue;
        };
        let file = folder.join("blobs").join(start).join(rest);
        if fs::symlink_metadata(&file).is_ok() {
            fs::create_dir_all(kept_in.join("blobs"))?;
            fs::rename(file, kept_in.join("blobs").join(digest))?;
        }
    }
    Ok(())
}

/// Keeps the old files under their names and puts the new database in their place. The log goes
/// before the new database comes: beside it, it would be taken for its own.
fn swap(folder: &Path, kept_in: &Path, new: &Path) -> io::Result<()> {
    let logs = ["-wal", "-shm"].map(|end| format!("{DATABASE}{end}"));
    for name in std::iter::once(DATABASE).chain(logs.iter().map(String::as_str)) {
        if folder.join(name).exists() {
            fs::hard_link(folder.join(name), kept_in.join(name))
                .or_else(|_| fs::copy(folder.join(name), kept_in.join(name)).map(|_| ()))?;
        }
    }
    sync_folder(kept_in)?;
    for log in &logs {
        match fs::remove_file(folder.join(log)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::rename(new, folder.join(DATABASE))?;
    sync_folder(folder)
}
