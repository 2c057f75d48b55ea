//! What is remembered of runs that reached their goal? The request, the tools in order
//! and how their results went on: enough to plan the next one, and nothing a tool said.

use rusqlite::params;
use serde_json::Value;

use super::{Store, StoreError, now_ms};

/// More than this many are not kept; the oldest go first.
const KEPT_AT_MOST: i64 = 4_000;

impl Store {
    /// Remembers a run. Blocks.
    pub fn remember_run(&self, run: &str, past: &Value) -> Result<(), StoreError> {
        let (run, past) = (run.to_owned(), past.to_string());
        self.writer().change_blocking(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO past_runs (run, at_ms, past_json) VALUES (?1, ?2, ?3)
                     ON CONFLICT (run) DO UPDATE
                     SET at_ms = excluded.at_ms, past_json = excluded.past_json",
                )?
                .execute(params![run, now_ms() as i64, past])?;
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
    pub fn remembered_runs(&self) -> Result<Vec<Value>, StoreError> {
        let texts: Vec<String> = self.read(|connection| {
            let mut select = connection
                .prepare_cached("SELECT past_json FROM past_runs ORDER BY at_ms, rowid")?;
            let rows = select.query_map([], |row| row.get(0))?;
            rows.collect()
        })?;
        let read = |text: String| serde_json::from_str(&text).ok();
        Ok(texts.into_iter().filter_map(read).collect())
    }

    /// Forgets all remembered runs; says how many there were. Blocks.
    pub fn forget_runs(&self) -> Result<usize, StoreError> {
        let count = self.remembered_runs()?.len();
        self.writer().change_blocking(Box::new(|connection| {
            connection.execute("DELETE FROM past_runs", [])?;
            Ok(())
        }))?;
        Ok(count)
    }
}
