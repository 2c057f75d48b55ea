//! How is one thing of the catalogue written down? As JSON beside its checksum,
//! so that what is read is what was written, or is said to be damaged.

use std::path::Path;

use rusqlite::{Connection, Params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::writer::Failure;
use super::super::{Store, StoreError};

/// A row: a name, and what is known under it.
pub(super) struct Record {
    pub(super) id: String,
    pub(super) sum: i64,
    pub(super) json: String,
}

impl Record {
    /// Writes a thing down, provided that it can be read again.
    pub(super) fn of<T: Serialize + DeserializeOwned>(
        kind: &str,
        id: &str,
        thing: &T,
    ) -> Result<Self, StoreError> {
        let json = serde_json::to_string(thing);
        // Definitions come from outside; one that is nested too deep can be written but not read.
        let json = json.and_then(|json| serde_json::from_str::<T>(&json).map(|_| json));
        let json = json.map_err(|error| StoreError::BadRecord {
            what: format!("the {kind} `{id}`"),
            reason: error.to_string(),
        })?;
        Ok(Self {
            sum: sum(id, &json),
            id: id.to_owned(),
            json,
        })
    }

    /// Reads it in the middle of a change.
    pub(super) fn open_in<T: DeserializeOwned>(
        &self,
        kind: &str,
        database: &Path,
    ) -> Result<T, Failure> {
        self.open().map_err(|why| {
            Failure::Refused(StoreError::Damaged {
                file: database.to_owned(),
                reason: format!("the {kind} `{}` {why}", self.id),
            })
        })
    }

    fn open<T: DeserializeOwned>(&self) -> Result<T, String> {
        if sum(&self.id, &self.json) != self.sum {
            return Err("does not match its checksum".to_owned());
        }
        serde_json::from_str(&self.json).map_err(|error| format!("cannot be read: {error}"))
    }
}

/// Rows of id, checksum and JSON.
pub(super) fn select(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
) -> rusqlite::Result<Vec<Record>> {
    let mut select = connection.prepare_cached(query)?;
    let rows = select.query_map(parameters, |row| {
        Ok(Record {
            id: row.get(0)?,
            sum: row.get(1)?,
            json: row.get(2)?,
        })
    })?;
    rows.collect()
}

impl Store {
    /// Reads what was written down.
    pub(super) fn open_records<T: DeserializeOwned>(
        &self,
        kind: &str,
        records: Vec<Record>,
    ) -> Result<Vec<T>, StoreError> {
        let open = |record: Record| {
            record
                .open()
                .map_err(|why| self.damaged(format!("the {kind} `{}` {why}", record.id)))
        };
        records.into_iter().map(open).collect()
    }

    pub(super) fn damaged(&self, reason: String) -> StoreError {
        StoreError::Damaged {
            file: self.database().to_owned(),
            reason,
        }
    }
}

/// Over the name too, so that no row passes for another.
pub(in super::super) fn sum(id: &str, json: &str) -> i64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(id.len() as u64).to_le_bytes());
    hasher.update(id.as_bytes());
    hasher.update(json.as_bytes());
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    i64::from_le_bytes(first)
}
