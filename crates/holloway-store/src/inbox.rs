//! How does one process tell another, which carries out a run, what a person
//! wants? By a message in the database, which waits as long as it has to.
//!
//! Invariant: a message is marked as taken only after the entry it led to is in
//! the journal; after a crash in between it is given out again.

use holloway_engine::entry::RunId;
use holloway_flow::run_store::Message;
use rusqlite::{Connection, params};

use super::runs::id_of;
use super::writer::Failure;
use super::{Store, StoreError, now_ms};

fn kind(message: &Message) -> &'static str {
    match message {
        Message::Answer(_) => "answer",
        Message::Pause { .. } => "pause",
        Message::Cancel { .. } => "cancel",
    }
}

impl Store {
    /// Leaves a message for whoever carries out the run. Blocks.
    pub fn post(&self, run: &RunId, message: &Message) -> Result<(), StoreError> {
        let kind = kind(message);
        let body = serde_json::to_string(message).map_err(|error| StoreError::Sql {
            file: self.database().to_owned(),
            reason: error.to_string(),
        })?;
        let run = run.clone();
        self.writer().change_blocking(Box::new(move |connection| {
            let Some(id) = id_of(connection, &run)? else {
                return Err(Failure::Refused(StoreError::UnknownRun {
                    run: run.clone(),
                }));
            };
            connection
                .prepare_cached(
                    "INSERT INTO inbox (run, kind, body, created_ms) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![id, kind, body, now_ms() as i64])?;
            Ok(())
        }))
    }

    /// The run's messages that nobody has marked as taken, after the message `after`. Blocks.
    pub fn take(&self, run: &RunId, after: i64) -> Result<Vec<(i64, Message)>, StoreError> {
        let rows: Vec<(i64, String)> = self.read(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, body FROM inbox
                 WHERE run = (SELECT id FROM runs WHERE run = ?1) AND id > ?2 AND taken = 0
                 ORDER BY id",
            )?;
            let rows = select.query_map(params![run.as_str(), after], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            rows.collect()
        })?;
        rows.into_iter()
            .map(|(id, body)| match serde_json::from_str(&body) {
                Ok(message) => Ok((id, message)),
                Err(error) => Err(StoreError::Damaged {
                    file: self.database().to_owned(),
                    reason: format!("message {id} for run `{run}` cannot be read: {error}"),
                }),
            })
            .collect()
    }

    /// Notes that these messages have led to entries in the journal. Blocks.
    pub fn mark_taken(&self, messages: &[i64]) -> Result<(), StoreError> {
        let messages = messages.to_vec();
        self.writer().change_blocking(Box::new(move |connection| {
            let mut update =
                connection.prepare_cached("UPDATE inbox SET taken = 1 WHERE id = ?1")?;
            for message in &messages {
                update.execute([message])?;
            }
            Ok(())
        }))
    }

    /// A cheap way to learn that something in the data folder has changed.
    pub fn watch(&self) -> Result<Watch, StoreError> {
        Watch::begin(self.clone())
    }
}

/// Notices changes by any process, this one included.
pub struct Watch {
    connection: Connection,
    seen: i64,
    store: Store,
}

impl Watch {
    fn begin(store: Store) -> Result<Self, StoreError> {
        let mut watch = Self {
            connection: store.connect_reader()?,
            seen: 0,
            store,
        };
        watch.seen = watch.version()?;
        Ok(watch)
    }

    /// Has anything been committed since the last time this was asked? Costs
    /// microseconds: it reads memory the processes share, not the disk.
    pub fn changed(&mut self) -> Result<bool, StoreError> {
        let now = self.version()?;
        Ok(std::mem::replace(&mut self.seen, now) != now)
    }

    fn version(&self) -> Result<i64, StoreError> {
        self.connection
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(|error| StoreError::from_sqlite(self.store.database(), &error))
    }
}
