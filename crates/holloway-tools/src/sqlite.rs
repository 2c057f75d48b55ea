//! What does a SQLite file in a granted folder say, and how is it changed? Runs on
//! the blocking pool and stops when the call is dropped.
//! Invariant: no statement reaches a file other than the one named.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use holloway_engine::failure::ToolFailure;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{Value as Cell, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, Statement};
use serde_json::{Map, Value, json};
use url::Url;

use super::blocking::blocking;
use super::files::{Access, Place};
use super::made::{Made, Writing};
use super::{Grants, Tool};
use beside::Reading;

mod beside;
mod execute;
mod query;

#[cfg(test)]
mod tests;

/// How many steps of SQLite's machine pass between two looks at the flag.
const STEPS_BETWEEN_LOOKS: i32 = 1000;

pub(crate) fn tools(grants: &Arc<Grants>, made: &Arc<Made>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(query::Query(Arc::clone(grants))),
        Arc::new(execute::Execute::new(grants, made)),
    ]
}

/// Tells the running statement to stop once the call is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What SQLite may take in memory for all connections of the process; the store needs little of it.
const HEAP_BYTES: u64 = 96 << 20;
/// Pragmas that would let a statement take more memory or more of the disk.
const OF_MEMORY: [&str; 9] = [
    "cache_size",
    "cache_spill",
    "default_cache_size",
    "hard_heap_limit",
    "max_page_count",
    "mmap_size",
    "page_size",
    "soft_heap_limit",
    "temp_store",
];

/// A database that is to be opened.
struct Target {
    place: Place,
    way: Way,
}

enum Way {
    Read(Reading),
    /// Until the connection is closed: only then is the file as the call leaves it.
    Write(Writing),
}

impl Target {
    fn access(&self) -> Access {
        match self.way {
            Way::Read(_) => Access::Read,
            Way::Write(_) => Access::Write,
        }
    }
}

/// Runs `work` with an open connection to the file that `find` returns.
async fn with_connection<T, F, W>(max_bytes: u64, find: F, work: W) -> Result<T, ToolFailure>
where
    T: Send + 'static,
    F: FnOnce() -> Result<Target, ToolFailure> + Send + 'static,
    W: FnOnce(&Connection) -> Result<T, ToolFailure> + Send + 'static,
{
    let stop = StopOnDrop(Arc::default());
    let stopped = Arc::clone(&stop.0);
    let result = blocking(move || {
        let target = find()?;
        let result = {
            let mut connection = open(&target)?;
            bound(&connection, max_bytes, target.access()).map_err(failure)?;
            transact(&mut connection, target.access(), stopped, work)
        };
        match target.way {
            Way::Read(reading) => beside::confirm(&target.place, &reading)?,
            Way::Write(writing) => drop(writing),
        }
        result
    })
    .await;
    drop(stop);
    result
}

/// All of the work or none of it: dropping the connection early rolls back.
fn transact<T>(
    connection: &mut Connection,
    access: Access,
    stopped: Arc<AtomicBool>,
    work: impl FnOnce(&Connection) -> Result<T, ToolFailure>,
) -> Result<T, ToolFailure> {
    if access == Access::Write {
        connection
            .execute_batch("BEGIN IMMEDIATE")
            .map_err(failure)?;
    }
    confine(connection, stopped).map_err(failure)?;
    let result = work(connection)?;
    release(connection).map_err(failure)?;
    if access == Access::Write {
        // Only a commit that was begun can leave doubt.
        let committed = connection.execute_batch("COMMIT");
        committed.map_err(|error| failure(error).uncertain())?;
    }
    Ok(result)
}

fn open(target: &Target) -> Result<Connection, ToolFailure> {
    let path = &target.place.real;
    let mut url = Url::from_file_path(path).map_err(|()| {
        ToolFailure::permanent(format!("`{}` is no whole path", target.place.shown()))
    })?;
    let mode = match &target.way {
        Way::Read(_) => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Way::Write(_) => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    url.set_query(match &target.way {
        Way::Read(Reading::Still(_)) => Some("immutable=1"),
        Way::Read(Reading::WithIndex) => Some("readonly_shm=1"),
        Way::Read(Reading::Locked) | Way::Write(_) => None,
    });
    // A link put there after the path was resolved is not followed either.
    let guard = OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let flags = mode | guard | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(url.as_str(), flags).map_err(failure)?;
    let patience = connection.busy_timeout(Duration::from_secs(5));
    patience.map_err(failure)?;
    Ok(connection)
}

/// Keeps texts, blobs and rows within what a tool may return, all of SQLite within its heap, also
/// what it would put into temporary files, and the growth of a file within what may be written.
fn bound(connection: &Connection, max_bytes: u64, access: Access) -> rusqlite::Result<()> {
    let longest = i32::try_from(max_bytes).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest)?;
    // It can be lowered only, and holds until the process ends.
    set(connection, "hard_heap_limit", HEAP_BYTES)?;
    connection.execute_batch("PRAGMA temp_store = MEMORY")?;
    if access == Access::Write {
        let pages = get(connection, "page_count")?;
        let more = max_bytes / get(connection, "page_size")?.max(1);
        set(connection, "max_page_count", pages + more + 2)?;
    }
    Ok(())
}

fn set(connection: &Connection, pragma: &str, value: u64) -> rusqlite::Result<()> {
    let statement = format!("PRAGMA {pragma} = {value}");
    connection.query_row(&statement, [], |_| Ok(()))
}

fn get(connection: &Connection, pragma: &str) -> rusqlite::Result<u64> {
    let value: i64 = connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))?;
    Ok(value.unsigned_abs())
}

/// Keeps statements to this one file and makes them stoppable.
fn confine(connection: &mut Connection, stopped: Arc<AtomicBool>) -> rusqlite::Result<()> {
    let look = move || stopped.load(Ordering::Relaxed);
    connection.progress_handler(STEPS_BETWEEN_LOOKS, Some(look))?;
    connection.authorizer(Some(|context: AuthContext<'_>| {
        if is_forbidden(&context.action) {
            Authorization::Deny
        } else {
            Authorization::Allow
        }
    }))
}

fn is_forbidden(action: &AuthAction<'_>) -> bool {
    match action {
        // These name other files: ATTACH, VACUUM INTO, some pragmas, extensions.
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => true,
        AuthAction::Pragma { pragma_name, .. } => {
            let name = pragma_name.to_ascii_lowercase();
            name.ends_with("_directory") || OF_MEMORY.contains(&name.as_str())
        }
        AuthAction::Function { function_name } => *function_name == "load_extension",
        // The transaction around the work is ours to end.
        other => matches!(
            other,
            AuthAction::Transaction { .. } | AuthAction::Savepoint { .. }
        ),
    }
}

fn release(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)?;
    connection.progress_handler(0, None::<fn() -> bool>)
}

fn failure(error: rusqlite::Error) -> ToolFailure {
    let message = format!("SQLite: {error}");
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            ToolFailure::transient(message)
        }
        Some(ErrorCode::AuthorizationForStatementDenied) => ToolFailure::denied(message)
            .with_hint("use only the file given as `path`, and no BEGIN or COMMIT"),
        Some(ErrorCode::ReadOnly) => {
            ToolFailure::denied(message).with_hint("use `sqlite-execute` to change data")
        }
        Some(ErrorCode::TooBig | ErrorCode::OutOfMemory) => ToolFailure::limit(message)
            .with_hint("ask for fewer or shorter values, sort or join fewer rows, or raise `[grants] max_bytes`"),
        Some(ErrorCode::DiskFull) => ToolFailure::limit(message)
            .with_hint("a call adds no more than `[grants] max_bytes` to a file: write in parts, or raise it"),
        _ => ToolFailure::permanent(message),
    }
}

/// Binds a list to `?1, ?2, …` or an object to `:name`, `@name`, `$name`.
fn bind(statement: &mut Statement<'_>, params: &Value) -> Result<(), ToolFailure> {
    match params {
        Value::Null => Ok(()),
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                let bound = statement.raw_bind_parameter(number + 1, cell(value));
                bound.map_err(failure)?;
            }
            Ok(())
        }
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| {
            let index = parameter_index(statement, name)?;
            statement
                .raw_bind_parameter(index, cell(value))
                .map_err(failure)
        }),
        _ => Err(ToolFailure::invalid("`params` must be a list or an object")),
    }
}

fn parameter_index(statement: &Statement<'_>, name: &str) -> Result<usize, ToolFailure> {
    let spellings = [
        name.to_owned(),
        format!(":{name}"),
        format!("@{name}"),
        format!("${name}"),
    ];
    let found = spellings
        .iter()
        .find_map(|spelling| statement.parameter_index(spelling).ok().flatten());
    found.ok_or_else(|| ToolFailure::invalid(format!("the statement has no parameter `{name}`")))
}

/// Lists and objects are stored as their JSON text.
fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(flag) => Cell::Integer(i64::from(*flag)),
        Value::Number(number) => number.as_i64().map_or_else(
            || Cell::Real(number.as_f64().unwrap_or_default()),
            Cell::Integer,
        ),
        Value::String(text) => Cell::Text(text.clone()),
        Value::Array(_) | Value::Object(_) => Cell::Text(value.to_string()),
    }
}

/// Blobs come as base64; a number JSON cannot hold comes as null.
fn json_cell(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(bytes) => json!(String::from_utf8_lossy(bytes)),
        ValueRef::Blob(bytes) => json!({ "base64": BASE64_STANDARD.encode(bytes) }),
    }
}

/// What `collect` found.
struct Found {
    columns: Vec<String>,
    rows: Vec<Value>,
    truncated: bool,
}

/// Steps through a bound statement, up to `limit` rows and `max_bytes` of contents.
fn collect(
    statement: &mut Statement<'_>,
    limit: usize,
    max_bytes: u64,
) -> Result<Found, ToolFailure> {
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = Found {
        columns,
        rows: Vec::new(),
        truncated: false,
    };
    let mut bytes = 0_u64;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(failure)? {
        if found.rows.len() == limit {
            found.truncated = true;
            break;
        }
        // Before any of it is copied: a row can be as large as all that may be returned.
        for (index, name) in found.columns.iter().enumerate() {
            bytes += name.len() as u64 + cell_bytes(row.get_ref(index).map_err(failure)?);
        }
        if bytes > max_bytes && found.rows.is_empty() {
            let message = format!("the first row has more than {max_bytes} bytes");
            return Err(ToolFailure::limit(message)
                .with_hint("select fewer or shorter columns, or raise `[grants] max_bytes`"));
        }
        if bytes > max_bytes {
            found.truncated = true;
            break;
        }
        let mut fields = Map::new();
        for (index, name) in found.columns.iter().enumerate() {
            let value = json_cell(row.get_ref(index).map_err(failure)?);
            fields.insert(name.clone(), value);
        }
        found.rows.push(Value::Object(fields));
    }
    Ok(found)
}

/// What a cell takes as JSON.
fn cell_bytes(value: ValueRef<'_>) -> u64 {
    match value {
        ValueRef::Text(text) => text.len() as u64,
        ValueRef::Blob(bytes) => bytes.len() as u64 * 4 / 3 + 16,
        _ => 8,
    }
}
