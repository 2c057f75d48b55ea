//! Which plans were saved under a name? Documents as they were written; whether
//! one is sound is asked again each time it is used.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde_json::Value;

use super::{Store, StoreError, now_ms};

/// A plan's line in the list of saved plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SavedPlan {
    pub id: String,
    pub saved_ms: u64,
}

impl Store {
    /// Saves a plan under its name, in place of an earlier one. Blocks.
    pub fn save_plan(&self, id: &str, plan: &Value) -> Result<(), StoreError> {
        let (id, plan) = (id.to_owned(), plan.to_string());
        self.writer().change_blocking(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO plans (id, saved_ms, plan_json) VALUES (?1, ?2, ?3)
                     ON CONFLICT (id) DO UPDATE
                     SET saved_ms = excluded.saved_ms, plan_json = excluded.plan_json",
                )?
                .execute(params![id, now_ms() as i64, plan])?;
            Ok(())
        }))
    }

    /// The plan saved under a name. Blocks.
    pub fn saved_plan(&self, id: &str) -> Result<Option<Value>, StoreError> {
        let text: Option<String> = self.read(|connection| {
            connection
                .prepare_cached("SELECT plan_json FROM plans WHERE id = ?1")?
                .query_row([id], |row| row.get(0))
                .optional()
        })?;
        text.map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(|error| StoreError::Damaged {
                file: self.database().to_owned(),
                reason: format!("the saved plan `{id}` cannot be read: {error}"),
            })
    }

    /// All saved plans by name. Blocks.
    pub fn saved_plans(&self) -> Result<Vec<SavedPlan>, StoreError> {
        self.read(|connection| {
            let mut select =
                connection.prepare_cached("SELECT id, saved_ms FROM plans ORDER BY id")?;
            let rows = select.query_map([], |row| {
                Ok(SavedPlan {
                    id: row.get(0)?,
                    saved_ms: row.get::<_, i64>(1)? as u64,
                })
            })?;
            rows.collect()
        })
    }

    /// Removes a saved plan; says whether there was one. Blocks.
    pub fn remove_plan(&self, id: &str) -> Result<bool, StoreError> {
        let known = self.saved_plan(id)?.is_some();
        let id = id.to_owned();
        self.writer().change_blocking(Box::new(move |connection| {
            connection.execute("DELETE FROM plans WHERE id = ?1", [&id])?;
            Ok(())
        }))?;
        Ok(known)
    }
}
