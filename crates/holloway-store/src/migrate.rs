//! What does the database look like, and how does an older one become a current
//! one? `PRAGMA user_version` counts the migrations that were done.
//!
//! Invariant: a migration that was released is never edited, only followed by
//! another; a database from a newer Holloway is refused, never touched.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

pub(super) const MIGRATIONS: &[&str] = &[FIRST, SECOND, THIRD, FOURTH, FIFTH];

/// An entry's place is `run * 2^32 + seq`: one number as the key keeps the inner
/// pages of the table small, so that an append changes one page, rarely three.
const FIRST: &str = "
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE,
    plan_id TEXT NOT NULL,
    plan_version TEXT NOT NULL,
    objective TEXT NOT NULL,
    status TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    forked_from TEXT,
    plan_sum INTEGER NOT NULL,
    plan_json TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_age ON runs (created_ms);
CREATE TABLE entries (
    place INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs (id),
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX inbox_waiting ON inbox (run, id) WHERE taken = 0;
CREATE TABLE memory (
    key TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE plans (
    id TEXT PRIMARY KEY,
    saved_ms INTEGER NOT NULL,
    plan_json TEXT NOT NULL
) STRICT;
";

/// The catalogue. A sign belongs to a tool that need not be in it: those of our
/// own are called too.
const SECOND: &str = "
CREATE TABLE sources (
    id TEXT PRIMARY KEY,
    sum INTEGER NOT NULL,
    source_json TEXT NOT NULL
) STRICT;
CREATE TABLE tools (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    sum INTEGER NOT NULL,
    tool_json TEXT NOT NULL
) STRICT;
CREATE INDEX tools_by_source ON tools (source);
CREATE TABLE signs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tool TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
CREATE INDEX signs_by_tool ON signs (tool, at_ms, id);
CREATE TABLE known (
    id TEXT PRIMARY KEY,
    sum INTEGER NOT NULL,
    known_json TEXT NOT NULL
) STRICT;
";

/// Planning. A made plan is kept with the card it was offered on; a past run with
/// what planning learns from it.
const THIRD: &str = "
CREATE TABLE made_plans (
    id TEXT PRIMARY KEY,
    made_ms INTEGER NOT NULL,
    request TEXT NOT NULL,
    strategy TEXT NOT NULL,
    card_json TEXT NOT NULL
) STRICT;
CREATE INDEX made_plans_by_age ON made_plans (made_ms);
CREATE TABLE past_runs (
    run TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    past_json TEXT NOT NULL
) STRICT;
CREATE INDEX past_runs_by_age ON past_runs (at_ms);
";

/// The settings that a remembered run used, call by call.
const FOURTH: &str = "
ALTER TABLE past_runs ADD COLUMN arguments_json TEXT NOT NULL DEFAULT '[]';
";

/// What was worked out from remembered runs, by what it is.
const FIFTH: &str = "
CREATE TABLE learned (
    what TEXT PRIMARY KEY,
    value_json TEXT NOT NULL
) STRICT;
";

/// A column that each migration brought.
const MARKS: [(&str, &str); MIGRATIONS.len()] = [
    ("runs", "run"),
    ("sources", "source_json"),
    ("made_plans", "card_json"),
    ("past_runs", "arguments_json"),
    ("learned", "value_json"),
];

/// A larger format number is none: formats are counted, and no Holloway will have had so many.
pub(super) const LAST: i64 = 999;

/// The format that the tables have, whatever the number in the header says.
pub(super) fn format_of_tables(connection: &Connection) -> i64 {
    let has = |(table, column): &(&str, &str)| {
        connection
            .prepare("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2")
            .and_then(|mut select| select.exists([table, column]))
            .unwrap_or(false)
    };
    MARKS
        .iter()
        .rposition(has)
        .map_or(0, |last| last as i64 + 1)
}

/// Brings the database to the current format.
pub(super) fn migrate(connection: &mut Connection, file: &Path) -> Result<(), StoreError> {
    migrate_with(connection, file, MIGRATIONS)
}

pub(super) fn migrate_with(
    connection: &mut Connection,
    file: &Path,
    migrations: &[&str],
) -> Result<(), StoreError> {
    let known = migrations.len() as i64;
    let found = version(connection).map_err(|error| StoreError::from_sqlite(file, &error))?;
    if found == known {
        return Ok(());
    }
    let file = file.to_owned();
    if (known + 1..=LAST).contains(&found) {
        return Err(StoreError::Newer { file, found, known });
    }
    let tables = format_of_tables(connection);
    if !(0..=LAST).contains(&found) || found < tables {
        let reason =
            format!("its format number is {found}, but its tables are those of format {tables}");
        return Err(StoreError::Damaged { file, reason });
    }
    apply(connection, migrations).map_err(|error| StoreError::from_sqlite(&file, &error))
}

/// All missing migrations or none; a second process that had the same idea finds them done.
fn apply(connection: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = usize::try_from(version(&transaction)?).unwrap_or(0);
    for migration in migrations.iter().skip(done) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", migrations.len().max(done) as i64)?;
    transaction.commit()
}

/// How many migrations were done.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
