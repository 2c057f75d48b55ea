//! How does an entry get into the journal, and back out unchanged? As one line
//! of compact JSON with a checksum, at the place its number gives it.
//!
//! Invariant: the numbers of a run's entries have no gap and no repeat. An append
//! that would make one is refused, which also stops a second owner of the run.

use async_trait::async_trait;
use holloway_engine::entry::{Entry, RunId};
use holloway_engine::ports::{Journal, JournalError};
use rusqlite::{Connection, OptionalExtension, params};

use super::runs;
use super::status::RunStatus;
use super::writer::Failure;
use super::{Store, StoreError};

/// Deeper JSON is refused, because it could be written but not read again.
const DEPTH: usize = 127;
/// A run's entries are at places `run << 32 | seq`.
pub(super) const SEQ_BITS: u32 = 32;
/// What is wrong with an entry whose time beside it is not the one in it.
pub(super) const OTHER_TIME: &str = "is listed with another time than it has";

#[async_trait]
impl Journal for Store {
    async fn append(&self, run: &RunId, entries: Vec<Entry>) -> Result<(), JournalError> {
        let Some(append) = Append::prepare(run, &entries)? else {
            return Ok(());
        };
        drop(entries);
        self.writer()
            .change_of_run(Box::new(move |connection| append.write(connection)))
            .await
            .map_err(JournalError::from)
    }
}

/// Entries in the form they are stored in, made before the writer is bothered.
struct Append {
    run: RunId,
    first: u64,
    lines: Vec<Line>,
    status: Option<RunStatus>,
}

struct Line {
    at_ms: u64,
    sum: i64,
    body: String,
}

/// An entry as it stands in the database.
struct Row {
    place: i64,
    sum: i64,
    body: String,
    at_ms: i64,
}

impl Append {
    fn prepare(run: &RunId, entries: &[Entry]) -> Result<Option<Self>, StoreError> {
        let Some(first) = entries.first().map(|entry| entry.seq) else {
            return Ok(None);
        };
        for (expected, entry) in (first..).zip(entries) {
            if entry.seq != expected {
                return Err(out_of_order(run, expected, entry.seq));
            }
        }
        let lines = entries.iter().map(|entry| Line::of(run, entry));
        Ok(Some(Self {
            run: run.clone(),
            first,
            lines: lines.collect::<Result<_, _>>()?,
            status: entries.iter().rev().find_map(RunStatus::after),
        }))
    }

    fn write(&self, connection: &Connection) -> Result<(), Failure> {
        let id = runs::id_of(connection, &self.run)?.ok_or_else(|| {
            Failure::Refused(StoreError::UnknownRun {
                run: self.run.clone(),
            })
        })?;
        let expected = last_seq(connection, id)? + 1;
        if self.first != expected || self.first + self.lines.len() as u64 > 1 << SEQ_BITS {
            return Err(Failure::Refused(out_of_order(
                &self.run, expected, self.first,
            )));
        }
        let mut insert = connection.prepare_cached(
            "INSERT INTO entries (place, at_ms, sum, body) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for (seq, line) in (self.first..).zip(&self.lines) {
            insert.execute(params![
                place(id, seq),
                line.at_ms as i64,
                line.sum,
                line.body
            ])?;
        }
        self.write_status(connection, id)
    }

    fn write_status(&self, connection: &Connection, id: i64) -> Result<(), Failure> {
        let (Some(status), Some(line)) = (self.status, self.lines.last()) else {
            return Ok(());
        };
        connection
            .prepare_cached("UPDATE runs SET status = ?2, updated_ms = ?3 WHERE id = ?1")?
            .execute(params![id, status.as_str(), line.at_ms as i64])?;
        Ok(())
    }
}

impl Line {
    fn of(run: &RunId, entry: &Entry) -> Result<Self, StoreError> {
        let refused = |reason: String| StoreError::BadEntry {
            run: run.clone(),
            seq: entry.seq,
            reason,
        };
        let body = serde_json::to_string(entry).map_err(|error| refused(error.to_string()))?;
        if depth(&body) > DEPTH {
            return Err(refused(format!("it is nested more than {DEPTH} deep")));
        }
        Ok(Self {
            at_ms: entry.at,
            sum: sum(run, entry.seq, &body),
            body,
        })
    }
}

impl Store {
    /// A run's entries with a number above `after`, in order. Blocks.
    pub fn entries(&self, run: &RunId, after: u64) -> Result<Vec<Entry>, StoreError> {
        let rows = self.read(|connection| {
            let Some(id) = runs::id_of(connection, run)? else {
                return Ok(None);
            };
            let mut select = connection.prepare_cached(
                "SELECT place, sum, body, at_ms FROM entries
                 WHERE place > ?1 AND place < ?2 ORDER BY place",
            )?;
            let after = after.min((1 << SEQ_BITS) - 1);
            let rows = select.query_map(params![place(id, after), place(id + 1, 0)], |row| {
                Ok(Row {
                    place: row.get(0)?,
                    sum: row.get(1)?,
                    body: row.get(2)?,
                    at_ms: row.get(3)?,
                })
            })?;
            rows.collect::<Result<Vec<Row>, _>>().map(Some)
        })?;
        let rows = rows.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })?;
        (after + 1..)
            .zip(rows)
            .map(|(seq, row)| self.checked(run, seq, &row))
            .collect()
    }

    fn checked(&self, run: &RunId, seq: u64, row: &Row) -> Result<Entry, StoreError> {
        let damaged = |reason: String| StoreError::Damaged {
            file: self.database().to_owned(),
            reason: format!("entry {seq} of run `{run}` {reason}"),
        };
        if seq_at(row.place) != seq {
            return Err(damaged("is missing".to_owned()));
        }
        if sum(run, seq, &row.body) != row.sum {
            return Err(damaged("does not match its checksum".to_owned()));
        }
        let entry: Entry = serde_json::from_str(&row.body)
            .map_err(|error| damaged(format!("cannot be read: {error}")))?;
        if entry.at as i64 != row.at_ms {
            return Err(damaged(OTHER_TIME.to_owned()));
        }
        Ok(entry)
    }
}

/// The number of the run's last entry; 0 before the first.
fn last_seq(connection: &Connection, id: i64) -> rusqlite::Result<u64> {
    let mut select = connection.prepare_cached(
        "SELECT place FROM entries WHERE place > ?1 AND place < ?2 ORDER BY place DESC LIMIT 1",
    )?;
    let last = select
        .query_row(params![place(id, 0), place(id + 1, 0)], |row| row.get(0))
        .optional()?;
    Ok(last.map_or(0, seq_at))
}

pub(super) fn place(run: i64, seq: u64) -> i64 {
    (run << SEQ_BITS) | seq as i64
}

pub(super) fn seq_at(place: i64) -> u64 {
    place as u64 & ((1 << SEQ_BITS) - 1)
}

/// SQLite does not notice a flipped bit in a row; this does.
pub(super) fn sum(run: &RunId, seq: u64, body: &str) -> i64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(run.as_str().as_bytes());
    hasher.update(&[0]);
    hasher.update(&seq.to_le_bytes());
    hasher.update(body.as_bytes());
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    i64::from_le_bytes(first)
}

/// How deep arrays and objects of a JSON text are nested.
fn depth(json: &str) -> usize {
    let (mut deepest, mut depth, mut in_text, mut escaped) = (0_usize, 0_usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn out_of_order(run: &RunId, expected: u64, found: u64) -> StoreError {
    StoreError::OutOfOrder {
        run: run.clone(),
        expected,
        found,
    }
}
