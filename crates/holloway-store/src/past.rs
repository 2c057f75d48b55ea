//! What is remembered of runs that reached their goal? The request, the tools in order,
//! how their results went on and settings that were used: enough to plan the next one,
//! and nothing a tool said.

use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Serialize;
use serde_json::Value;

use super::writer::Failure;
use super::{Store, StoreError, now_ms};

/// More than this many are not kept; the oldest go first.
const KEPT_AT_MOST: i64 = 4_000;

/// A run that is remembered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RememberedRun {
    pub run: String,
    pub at_ms: u64,
    /// What planning learns from it; the settings stand under `arguments`.
    pub past: Value,
}

impl Store {
    /// Remembers a run. Blocks.
    pub fn remember_run(&self, run: &str, past: &Value) -> Result<(), StoreError> {
        let (run, mut past) = (run.to_owned(), past.clone());
        let arguments = past
            .as_object_mut()
            .and_then(|fields| fields.remove("arguments"));
        let arguments = arguments.unwrap_or_else(|| Value::Array(Vec::new()));
        let (past, arguments) = (past.to_string(), arguments.to_string());
        self.writer().change_blocking(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO past_runs (run, at_ms, past_json, arguments_json)
                     VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (run) DO UPDATE
                     SET at_ms = excluded.at_ms, past_json = excluded.past_json,
                         arguments_json = excluded.arguments_json",
                )?
                .execute(params![run, now_ms() as i64, past, arguments])?;
            connection
                .prepare_cached(
                    "DELETE FROM past_runs WHERE run IN (
                         SELECT run FROM past_runs ORDER BY at_ms DESC, rowid DESC
                         LIMIT -1 OFFSET ?1)",
                )?
                .execute([KEPT_AT_MOST])?;
            Ok(())
        }))
    }

    /// All remembered runs, the oldest first; what cannot be read is left out. Blocks.
    pub fn remembered_runs(&self) -> Result<Vec<RememberedRun>, StoreError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT run, at_ms, past_json, arguments_json FROM past_runs
                 ORDER BY at_ms, rowid",
            )?;
            let rows = select.query_map([], |row| {
                let past: String = row.get(2)?;
                let arguments: String = row.get(3)?;
                Ok((row.get(0)?, row.get::<_, i64>(1)?, past, arguments))
            })?;
            let mut runs = Vec::new();
            for row in rows {
                let (run, at_ms, past, arguments) = row?;
                runs.extend(together(&past, &arguments).map(|past| RememberedRun {
                    run,
                    at_ms: at_ms as u64,
                    past,
                }));
            }
            Ok(runs)
        })
    }

    /// Keeps what was worked out from the remembered runs. Blocks.
    pub fn keep_learned(&self, what: &str, value: &Value) -> Result<(), StoreError> {
        let (what, value) = (what.to_owned(), value.to_string());
        self.writer().change_blocking(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO learned (what, value_json) VALUES (?1, ?2)
                     ON CONFLICT (what) DO UPDATE SET value_json = excluded.value_json",
                )?
                .execute(params![what, value])?;
            Ok(())
        }))
    }

    /// What was worked out; nothing where it cannot be read any more. Blocks.
    pub fn learned(&self, what: &str) -> Result<Option<Value>, StoreError> {
        let text: Option<String> = self.read(|connection| {
            let mut select =
                connection.prepare_cached("SELECT value_json FROM learned WHERE what = ?1")?;
            select.query_row([what], |row| row.get(0)).optional()
        })?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Forgets one remembered run; says whether there was one. Blocks.
    pub fn forget_run(&self, run: &str) -> Result<bool, StoreError> {
        let known = self.read(|connection| {
            let mut select = connection.prepare_cached("SELECT 1 FROM past_runs WHERE run = ?1")?;
            select.exists([run])
        })?;
        let run = run.to_owned();
        self.writer().change_blocking(Box::new(move |connection| {
            forget(connection, "DELETE FROM past_runs WHERE run = ?1", &[&run])?;
            // What was learned from it goes with it, and is worked out again from the others.
            forget(connection, "DELETE FROM learned", &[])
        }))?;
        Ok(known)
    }

    /// Forgets all remembered runs; says how many there were. Blocks.
    pub fn forget_runs(&self) -> Result<usize, StoreError> {
        self.forget_all("learned")?;
        self.forget_all("past_runs")
    }

    /// Empties one of our tables; says how much was in it.
    pub(super) fn forget_all(&self, table: &'static str) -> Result<usize, StoreError> {
        let count: i64 = self.read(|connection| {
            connection
                .prepare_cached(&format!("SELECT count(*) FROM {table}"))?
                .query_row([], |row| row.get(0))
        })?;
        self.writer().change_blocking(Box::new(move |connection| {
            forget(connection, &format!("DELETE FROM {table}"), &[])
        }))?;
        Ok(count as usize)
    }
}

/// What is forgotten is written over: nobody finds it in the file either.
fn forget(connection: &Connection, delete: &str, names: &[&String]) -> Result<(), Failure> {
    connection.pragma_update(None, "secure_delete", true)?;
    let deleted = connection.execute(delete, rusqlite::params_from_iter(names));
    connection.pragma_update(None, "secure_delete", false)?;
    deleted?;
    Ok(())
}

/// What was learned with its settings; those may be missing, the rest may not.
fn together(past: &str, arguments: &str) -> Option<Value> {
    let mut past: Value = serde_json::from_str(past).ok()?;
    let arguments = serde_json::from_str(arguments).unwrap_or(Value::Array(Vec::new()));
    past.as_object_mut()?
        .insert("arguments".to_owned(), arguments);
    Some(past)
}
