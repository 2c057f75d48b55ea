//! `sqlite-query`: which rows does this statement give? Opens the file read-only, and so that
//! nothing appears beside it.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use rusqlite::Connection;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::files::{Access, locate};
use super::super::{Grants, Tool, arguments};
use super::beside::reading;
use super::{Target, Way, bind, collect, failure, with_connection};

pub(crate) struct Query(pub(crate) Arc<Grants>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    sql: String,
    #[serde(default)]
    params: Value,
    #[serde(default = "default_limit")]
    limit: usize,
}

fn default_limit() -> usize {
    1000
}

#[async_trait]
impl Tool for Query {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "sqlite-query",
            title: "Query a SQLite file",
            category: "database",
            description: "Runs one reading SQL statement on a SQLite file in a granted folder and returns columns and rows as \
                objects. Use it to look into databases; the file is opened read-only. Give values through `params`, \
                not inside the SQL. Blobs come as {base64}. `truncated` says that there are more rows than `limit`.",
            effect: Effect::Read,
            latency_ms: 20,
            input: input(
                &["path", "sql"],
                json!({
                    "path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"},
                    "sql": {"type": "string", "minLength": 1, "description": "One statement"},
                    "params": {"type": ["array", "object", "null"], "default": [], "description": "A list for ?, or an object for :name"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100_000, "default": 1000, "description": "The most rows returned"}
                }),
            ),
            output: output(
                &["columns", "rows", "count", "truncated"],
                json!({
                    "columns": {"type": "array", "items": {"type": "string"}},
                    "rows": {"type": "array", "items": {"type": "object"}},
                    "count": {"type": "integer", "description": "Rows returned"},
                    "truncated": {"type": "boolean"}
                }),
            ),
            example: json!({"path": "a.db", "sql": "select a from t where a = ?", "params": [1]}),
            does: &[],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let max_bytes = self.0.max_bytes;
        let (grants, path) = (Arc::clone(&self.0), arguments.path.clone());
        let find = move || database(&grants, &path);
        let result = with_connection(max_bytes, find, move |connection| {
            query(connection, &arguments, max_bytes)
        });
        result.await.map(CallOutput::from)
    }
}

pub(super) fn database(grants: &Grants, path: &str) -> Result<Target, ToolFailure> {
    let place = locate(grants, path, Access::Read)?;
    place.require_file()?;
    let may_write = locate(grants, path, Access::Write).is_ok();
    let way = Way::Read(reading(&place, may_write)?);
    Ok(Target { place, way })
}

fn query(
    connection: &Connection,
    arguments: &Arguments,
    max_bytes: u64,
) -> Result<Value, ToolFailure> {
    let mut statement = connection.prepare(&arguments.sql).map_err(failure)?;
    bind(&mut statement, &arguments.params)?;
    let found = collect(&mut statement, arguments.limit, max_bytes)?;
    Ok(json!({
        "columns": found.columns,
        "count": found.rows.len(),
        "rows": found.rows,
        "truncated": found.truncated,
    }))
}
