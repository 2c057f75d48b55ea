//! Which runs are there, what became of them, and which plan do they carry out?
//!
//! Invariant: a run's status changes in the transaction that brings the entry it
//! follows from. The plan is kept as it was run, whatever becomes of its file.

use holloway_engine::entry::RunId;
use holloway_flow::run_store::NewRun;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::Value;

use super::journal::sum;
use super::status::RunStatus;
use super::writer::Failure;
use super::{Store, StoreError};

const LONGEST_ID: usize = 64;

/// A run in one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    pub run: RunId,
    pub plan_id: String,
    pub plan_version: String,
    pub objective: String,
    pub status: RunStatus,
    pub created_ms: u64,
    /// When its last entry was written.
    pub updated_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<RunId>,
    /// How many entries its journal has.
    pub entries: u64,
}

/// Which runs to list.
#[derive(Clone, Debug)]
pub struct RunFilter {
    pub status: Option<RunStatus>,
    pub plan_id: Option<String>,
    /// The newest so many.
    pub limit: usize,
}

impl Default for RunFilter {
    fn default() -> Self {
        Self {
            status: None,
            plan_id: None,
            limit: 50,
        }
    }
}

/// What the beginning of a run's name leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    One(Box<RunSummary>),
    /// Several names begin so; at most ten are given.
    Ambiguous(Vec<RunId>),
    Missing,
}

impl Store {
    /// Makes a run known; its entries can follow. Blocks.
    pub fn create_run(&self, new: NewRun) -> Result<(), StoreError> {
        check_name(&new.run)?;
        let plan = new.plan.to_string();
        self.writer()
            .begin_run(Box::new(move |connection| insert(connection, &new, &plan)))
    }

    /// The runs, newest first. Blocks.
    pub fn runs(&self, filter: &RunFilter) -> Result<Vec<RunSummary>, StoreError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(&format!(
                "{SUMMARY} WHERE (?1 IS NULL OR status = ?1) AND (?2 IS NULL OR plan_id = ?2)
                 ORDER BY created_ms DESC, id DESC LIMIT ?3"
            ))?;
            let status = filter.status.map(RunStatus::as_str);
            let rows = select.query_map(
                params![status, filter.plan_id, filter.limit as i64],
                summary,
            )?;
            rows.collect()
        })
    }

    /// One run by its full name. Blocks.
    pub fn run(&self, run: &RunId) -> Result<Option<RunSummary>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(&format!("{SUMMARY} WHERE run = ?1"))?
                .query_row([run.as_str()], summary)
                .optional()
        })
    }

    /// One run by its name or the beginning of it. Blocks.
    pub fn find_run(&self, beginning: &str) -> Result<Found, StoreError> {
        if let Some(exact) = self.run(&RunId::new(beginning))? {
            return Ok(Found::One(Box::new(exact)));
        }
        let mut found = self.read(|connection| {
            let mut select = connection.prepare_cached(&format!(
                "{SUMMARY} WHERE run >= ?1 AND run < ?1 || char(1114111) ORDER BY run LIMIT 10"
            ))?;
            let rows = select.query_map([beginning], summary)?;
            rows.collect::<Result<Vec<_>, _>>()
        })?;
        Ok(match (found.pop(), found.is_empty()) {
            (None, _) => Found::Missing,
            (Some(only), true) => Found::One(Box::new(only)),
            (Some(last), false) => {
                found.push(last);
                Found::Ambiguous(found.into_iter().map(|summary| summary.run).collect())
            }
        })
    }

    /// The plan document a run carries out. Blocks.
    pub fn plan_of(&self, run: &RunId) -> Result<Value, StoreError> {
        let row = self.read(|connection| {
            connection
                .prepare_cached("SELECT plan_sum, plan_json FROM runs WHERE run = ?1")?
                .query_row([run.as_str()], |row| {
                    Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
                })
                .optional()
        })?;
        let (expected, plan) = row.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })?;
        let damaged = |reason: String| StoreError::Damaged {
            file: self.database().to_owned(),
            reason: format!("the plan of run `{run}` {reason}"),
        };
        if sum(run, 0, &plan) != expected {
            return Err(damaged("does not match its checksum".to_owned()));
        }
        serde_json::from_str(&plan).map_err(|error| damaged(format!("cannot be read: {error}")))
    }
}

const SUMMARY: &str =
    "SELECT run, plan_id, plan_version, objective, status, created_ms, updated_ms,
    forked_from, last & 0xffffffff, (SELECT at_ms FROM entries WHERE place = last) FROM (SELECT *,
    (SELECT place FROM entries WHERE place > id << 32 AND place < (id + 1) << 32
     ORDER BY place DESC LIMIT 1) AS last FROM runs)";

/// A line that is damaged does not hide the others: what of it can be read is shown.
fn summary(row: &Row<'_>) -> rusqlite::Result<RunSummary> {
    let mut is_whole = true;
    let mut text = |column: usize| -> rusqlite::Result<Option<String>> {
        let value = row.get_ref(column)?;
        let text = value.as_bytes_or_null().unwrap_or_default();
        is_whole &= matches!(value, ValueRef::Null) || value.as_str().is_ok();
        Ok(text.map(|text| String::from_utf8_lossy(text).into_owned()))
    };
    let (run, forked_from) = (text(0)?.unwrap_or_default(), text(7)?);
    let plan_id = text(1)?.unwrap_or_default();
    let plan_version = text(2)?.unwrap_or_default();
    let objective = text(3)?.unwrap_or_default();
    let mut number = |column: usize| {
        let number = row.get::<_, Option<i64>>(column);
        is_whole &= number.is_ok();
        number.ok().flatten().unwrap_or(0) as u64
    };
    let (created_ms, updated_ms, entries) = (number(5), number(6).max(number(9)), number(8));
    let run = RunId::new(run);
    is_whole &= check_name(&run).is_ok();
    let status = row.get(4).ok().filter(|_| is_whole);
    Ok(RunSummary {
        run,
        plan_id,
        plan_version,
        objective,
        status: status.unwrap_or(RunStatus::Damaged),
        created_ms,
        updated_ms,
        forked_from: forked_from.map(RunId::new),
        entries,
    })
}

fn insert(connection: &Connection, new: &NewRun, plan: &str) -> Result<(), Failure> {
    if id_of(connection, &new.run)?.is_some() {
        let run = new.run.clone();
        return Err(Failure::Refused(StoreError::RunExists { run }));
    }
    connection
        .prepare_cached(
            "INSERT INTO runs (run, plan_id, plan_version, objective, status, created_ms,
             updated_ms, forked_from, plan_sum, plan_json)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            new.run.as_str(),
            new.plan_id,
            new.plan_version,
            new.objective.as_deref().unwrap_or_default(),
            RunStatus::Created.as_str(),
            new.created_ms as i64,
            new.forked_from.as_ref().map(RunId::as_str),
            sum(&new.run, 0, plan),
            plan,
        ])?;
    Ok(())
}

/// The number a run has in the other tables.
pub(super) fn id_of(connection: &Connection, run: &RunId) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT id FROM runs WHERE run = ?1")?
        .query_row([run.as_str()], |row| row.get(0))
        .optional()
}

/// A run's name becomes a file name: nothing but letters, digits, `-` and `_`.
pub(super) fn check_name(run: &RunId) -> Result<(), StoreError> {
    let name = run.as_str();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if name.is_empty() || name.len() > LONGEST_ID || !name.bytes().all(plain) {
        return Err(StoreError::BadRunId { run: run.clone() });
    }
    Ok(())
}
