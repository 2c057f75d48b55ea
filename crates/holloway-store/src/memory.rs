//! What did the same read-only call give last time? Results by the digest of
//! the call, with the time they were stored.
//!
//! Invariant: memory is a convenience. What cannot be stored or read is
//! forgotten without a word, and remembering never makes a run wait.

use holloway_engine::ports::Memory;
use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use super::{Store, StoreError};

impl Memory for Store {
    fn recall(&self, key: &str, now_ms: u64, ttl_ms: u64) -> Option<Value> {
        let oldest = now_ms.saturating_sub(ttl_ms) as i64;
        let text: String = self
            .read(|connection| {
                connection
                    .prepare_cached("SELECT value FROM memory WHERE key = ?1 AND at_ms >= ?2")?
                    .query_row(params![key, oldest], |row| row.get(0))
                    .optional()
            })
            .ok()??;
        serde_json::from_str(&text).ok()
    }

    fn remember(&self, key: &str, now_ms: u64, value: &Value) {
        let (key, value) = (key.to_owned(), value.to_string());
        self.writer().change_later(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO memory (key, at_ms, value) VALUES (?1, ?2, ?3)
                     ON CONFLICT (key) DO UPDATE SET at_ms = excluded.at_ms, value = excluded.value
                     WHERE excluded.at_ms >= at_ms",
                )?
                .execute(params![key, now_ms as i64, value])?;
            Ok(())
        }));
    }
}

impl Store {
    /// Forgets results stored before `at_ms`. Blocks.
    pub fn forget_before(&self, at_ms: u64) -> Result<(), StoreError> {
        self.writer().change_blocking(Box::new(move |connection| {
            connection.execute("DELETE FROM memory WHERE at_ms < ?1", [at_ms as i64])?;
            Ok(())
        }))
    }

    /// Forgets all results; says how many there were. Blocks.
    pub fn forget_results(&self) -> Result<usize, StoreError> {
        self.forget_all("memory")
    }

    /// Waits until everything handed in so far is written. Blocks.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.writer().change_blocking(Box::new(|_| Ok(())))
    }
}
