//! `sqlite-execute`: change a SQLite file, all statements or none.

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
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::beside::refuse_foreign;
use super::{Target, Way, bind, collect, failure, with_connection};

const RETURNED_ROWS: usize = 1000;

pub(crate) struct Execute {
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl Execute {
    pub(crate) fn new(grants: &Arc<Grants>, made: &Arc<Made>) -> Self {
        Self {
            grants: Arc::clone(grants),
            made: Arc::clone(made),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    sql: String,
    #[serde(default)]
    params: Value,
}

#[async_trait]
impl Tool for Execute {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "sqlite-execute",
            title: "Change a SQLite file",
            category: "database",
            description: "Runs SQL that changes a SQLite file in a granted, writable folder, and creates the file when it is \
                missing. Without `params`, several statements separated by `;` run in one transaction, all or none; \
                with `params`, one statement. Returns how many rows changed and up to 1000 rows of a RETURNING clause.",
            effect: Effect::Write,
            latency_ms: 30,
            input: input(
                &["path", "sql"],
                json!({
                    "path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"},
                    "sql": {"type": "string", "minLength": 1},
                    "params": {"type": ["array", "object", "null"], "default": null, "description": "A list for ?, or an object for :name"}
                }),
            ),
            output: output(
                &["changed", "last_row_id", "rows"],
                json!({
                    "changed": {"type": "integer", "description": "Rows inserted, updated or deleted"},
                    "last_row_id": {"type": "integer"},
                    "rows": {"type": "array", "items": {"type": "object"}}
                }),
            ),
            example: json!({"path": "a.db", "sql": "create table t(a); insert into t values(1)"}),
            does: &[],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let max_bytes = self.grants.max_bytes;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let (path, call) = (arguments.path.clone(), call.clone());
        let find = move || database(&grants, &made, &path, &call);
        let result = with_connection(max_bytes, find, move |connection| {
            execute(connection, &arguments, max_bytes)
        });
        result.await.map(CallOutput::from)
    }
}

/// The file to change, made if it is missing. It is created through the capability, so that it
/// can only be inside.
fn database(
    grants: &Grants,
    made: &Arc<Made>,
    path: &str,
    call: &CallRequest,
) -> Result<Target, ToolFailure> {
    let place = locate(grants, path, Access::Write)?;
    place.may_change(call, made, false)?;
    if place.exists() {
        place.require_file()?;
    }
    refuse_foreign(&place, made.has(&call.run, &place))?;
    let created = made.create(&call.run, &place)?;
    let writing = if let Some(created) = created {
        created
    } else {
        place.require_file()?;
        place.may_change(call, made, true)?;
        made.write(&call.run, &place)
    };
    let way = Way::Write(writing);
    Ok(Target { place, way })
}

fn execute(
    connection: &Connection,
    arguments: &Arguments,
    max_bytes: u64,
) -> Result<Value, ToolFailure> {
    let before = connection.total_changes();
    let rows = if arguments.params.is_null() {
        connection.execute_batch(&arguments.sql).map_err(failure)?;
        Vec::new()
    } else {
        let mut statement = connection.prepare(&arguments.sql).map_err(failure)?;
        bind(&mut statement, &arguments.params)?;
        collect(&mut statement, RETURNED_ROWS, max_bytes)?.rows
    };
    Ok(json!({
        "changed": connection.total_changes() - before,
        "last_row_id": connection.last_insert_rowid(),
        "rows": rows,
    }))
}
