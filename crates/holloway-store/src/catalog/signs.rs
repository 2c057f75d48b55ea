//! What did calls and checks show about a tool? The newest signs of each, enough
//! to judge its health by.
//!
//! Invariant: noting a sign never makes a call wait for the disk.

use std::collections::HashMap;

use holloway_flow::catalog::health::Sign;
use holloway_plan::tool::ToolId;
use rusqlite::{Connection, Row, params};

use super::super::{Store, StoreError};

/// Signs kept of one tool.
const KEPT: usize = 50;

/// Signs by tool, newest first.
pub(super) type SignsByTool = HashMap<String, Vec<(u64, Sign)>>;

/// A sign as it lies in the database.
pub(super) struct Noted {
    tool: String,
    at_ms: u64,
    kind: String,
    duration_ms: u64,
    reason: String,
}

impl Store {
    /// Notes what a call or check showed, soon.
    pub fn note(&self, tool: &ToolId, sign: &Sign, at_ms: u64) -> Result<(), StoreError> {
        let tool = tool.as_str().to_owned();
        let (kind, duration_ms, reason) = match sign {
            Sign::Worked { duration_ms } => ("worked", *duration_ms, String::new()),
            Sign::Broke { reason } => ("broke", 0, reason.clone()),
            Sign::Unclear { reason } => ("unclear", 0, reason.clone()),
        };
        self.writer().change_later(Box::new(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO signs (tool, at_ms, kind, duration_ms, reason)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![
                    tool,
                    at_ms as i64,
                    kind,
                    duration_ms as i64,
                    reason
                ])?;
            connection
                .prepare_cached(
                    "DELETE FROM signs WHERE id IN (
                         SELECT id FROM signs WHERE tool = ?1
                         ORDER BY at_ms DESC, id DESC LIMIT -1 OFFSET ?2)",
                )?
                .execute(params![tool, KEPT as i64])?;
            Ok(())
        }));
        Ok(())
    }

    /// The newest signs of a tool, newest first. Blocks.
    pub fn signs(&self, tool: &ToolId, limit: usize) -> Result<Vec<(u64, Sign)>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let noted = self.read(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT tool, at_ms, kind, duration_ms, reason FROM signs WHERE tool = ?1
                 ORDER BY at_ms DESC, id DESC LIMIT ?2",
            )?;
            let rows = select.query_map(params![tool.as_str(), limit], noted)?;
            rows.collect()
        })?;
        let mut signs = self.understand(noted)?;
        Ok(signs.remove(tool.as_str()).unwrap_or_default())
    }

    pub(super) fn understand(&self, noted: Vec<Noted>) -> Result<SignsByTool, StoreError> {
        let mut signs = SignsByTool::new();
        for Noted {
            tool,
            at_ms,
            kind,
            duration_ms,
            reason,
        } in noted
        {
            let sign = match kind.as_str() {
                "worked" => Sign::Worked { duration_ms },
                "broke" => Sign::Broke { reason },
                "unclear" => Sign::Unclear { reason },
                other => {
                    let what = format!("a sign of the tool `{tool}` is of the kind `{other}`");
                    return Err(self.damaged(what));
                }
            };
            signs.entry(tool).or_default().push((at_ms, sign));
        }
        Ok(signs)
    }
}

/// The signs of all tools.
pub(super) fn by_tool(connection: &Connection) -> rusqlite::Result<Vec<Noted>> {
    let mut select = connection.prepare_cached(
        "SELECT tool, at_ms, kind, duration_ms, reason FROM signs
         ORDER BY tool, at_ms DESC, id DESC",
    )?;
    let rows = select.query_map([], noted)?;
    rows.collect()
}

fn noted(row: &Row<'_>) -> rusqlite::Result<Noted> {
    Ok(Noted {
        tool: row.get(0)?,
        at_ms: row.get::<_, i64>(1)? as u64,
        kind: row.get(2)?,
        duration_ms: row.get::<_, i64>(3)? as u64,
        reason: row.get(4)?,
    })
}
