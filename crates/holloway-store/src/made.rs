//! Which plans were made for which request? Each is kept by its id for a while, so that
//! a plan that was only shown can still be run, saved or compared.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde_json::Value;

use super::{Store, StoreError, now_ms};

/// More than this many are not kept; the oldest go first.
const KEPT_AT_MOST: i64 = 3_000;

/// A plan that was offered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MadePlan {
    pub id: String,
    pub made_ms: u64,
    pub request: String,
    pub strategy: String,
    /// The card; its plan stands under `plan`.
    pub card: Value,
}

impl Store {
    /// Keeps a plan with the card it is offered on. Blocks.
    pub fn keep_made_plan(
        &self,
        id: &str,
        request: &str,
        strategy: &str,
        card: &Value,
    ) -> Result<(), StoreError> {
        let (id, request, strategy) = (id.to_owned(), request.to_owned(), strategy.to_owned());
        let card = card.to_string();
        self.writer().change_blocking(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO made_plans (id, made_ms, request, strategy, card_json)
                     VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT (id) DO UPDATE
                     SET made_ms = excluded.made_ms, request = excluded.request,
                         strategy = excluded.strategy, card_json = excluded.card_json",
                )?
                .execute(params![id, now_ms() as i64, request, strategy, card])?;
            connection
                .prepare_cached(
                    "DELETE FROM made_plans WHERE id IN (
                         SELECT id FROM made_plans ORDER BY made_ms DESC, rowid DESC
                         LIMIT -1 OFFSET ?1)",
                )?
                .execute([KEPT_AT_MOST])?;
            Ok(())
        }))
    }

    /// Forgets all plans that were made; says how many there were. Blocks.
    pub fn forget_made_plans(&self) -> Result<usize, StoreError> {
        self.forget_all("made_plans")
    }

    /// The plan of this id, if it was made here. Blocks.
    pub fn made_plan(&self, id: &str) -> Result<Option<MadePlan>, StoreError> {
        let found = self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, made_ms, request, strategy, card_json FROM made_plans
                     WHERE id = ?1",
                )?
                .query_row([id], |row| {
                    Ok((
                        row.get::<_, String>(0)?,
                        row.get::<_, i64>(1)?,
                        row.get::<_, String>(2)?,
                        row.get::<_, String>(3)?,
                        row.get::<_, String>(4)?,
                    ))
                })
                .optional()
        })?;
        let Some((id, made_ms, request, strategy, card)) = found else {
            return Ok(None);
        };
        let card = serde_json::from_str(&card).map_err(|error| StoreError::Damaged {
            file: self.database().to_owned(),
            reason: format!("the plan `{id}` cannot be read: {error}"),
        })?;
        Ok(Some(MadePlan {
            id,
            made_ms: made_ms as u64,
            request,
            strategy,
            card,
        }))
    }
}
