//! Does the data folder open, or say clearly why not?

use std::path::Path;

use holloway_engine::ports::JournalError;
use rusqlite::{Connection, ffi};
use tempfile::TempDir;

use super::super::migrate::{MIGRATIONS, format_of_tables, migrate_with};
use super::super::{Store, StoreError};
use super::{fresh, with_run};

#[track_caller]
fn refused(folder: &Path) -> StoreError {
    match Store::open(folder) {
        Ok(_) => panic!("opened"),
        Err(error) => error,
    }
}

/// The error's text with the folder's own name left out.
fn told(error: &StoreError, folder: &Path) -> String {
    let text = format!("{}: {error}\nhint: {}", error.code(), error.hint());
    text.replace(&folder.display().to_string(), "HOME")
}

#[test]
fn a_missing_folder_is_made() {
    let folder = TempDir::new().unwrap();
    let deep = folder.path().join("share/holloway");
    Store::open(&deep).unwrap();
    assert!(deep.join("holloway.db").exists());
}

#[test]
fn a_file_in_the_way_is_named() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let error = refused(&folder.path().join("file/data"));
    insta::assert_snapshot!(told(&error, folder.path()), @r"
    store-folder: the data folder cannot be used: HOME/file/data/blobs: Not a directory (os error 20)
    hint: name a folder you may write to with HOLLOWAY_HOME, or change its permissions
    ");
}

#[test]
fn something_else_than_a_database_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("holloway.db");
    std::fs::write(
        &file,
        "not a database, but a letter to a friend. ".repeat(30),
    )
    .unwrap();
    let error = refused(folder.path());
    insta::assert_snapshot!(told(&error, folder.path()), @r"
    store-damaged: HOME/holloway.db is damaged: file is not a database
    hint: `holloway store check` says what is affected, `holloway store repair` saves what is whole
    ");
    assert!(std::fs::read_to_string(file).unwrap().starts_with("not a"));
}

#[test]
fn a_newer_database_is_refused() {
    let (folder, store) = fresh();
    drop(store);
    let connection = Connection::open(folder.path().join("holloway.db")).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    let error = refused(folder.path());
    insta::assert_snapshot!(told(&error, folder.path()), @r"
    store-newer: HOME/holloway.db has format 99, this Holloway knows formats up to 5
    hint: use the newer Holloway, or another data folder with HOLLOWAY_HOME
    ");
}

#[test]
fn migrations_are_done_once_each_and_all_or_none() {
    let mut connection = Connection::open_in_memory().unwrap();
    let file = Path::new("m.db");
    let (one, two) = ("CREATE TABLE one (a)", "CREATE TABLE two (a)");
    migrate_with(&mut connection, file, &[one]).unwrap();
    migrate_with(&mut connection, file, &[one, two]).unwrap();
    migrate_with(&mut connection, file, &[one, two]).unwrap();
    let three = "CREATE TABLE three (a)";
    assert!(migrate_with(&mut connection, file, &[one, two, three, "nonsense"]).is_err());
    migrate_with(&mut connection, file, &[one, two, three]).unwrap();
    let count = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection.query_row(count, [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 3);
}

#[test]
fn the_tables_tell_their_format() {
    for done in 0..=MIGRATIONS.len() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_with(&mut connection, Path::new("m.db"), &MIGRATIONS[..done]).unwrap();
        assert_eq!(format_of_tables(&connection), done as i64);
    }
}

#[test]
fn several_can_open_a_new_folder_at_once() {
    let folder = TempDir::new().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| drop(Store::open(folder.path()).unwrap()));
        }
    });
}

#[test]
fn durability_settings_hold() {
    let (_folder, store, _run) = with_run();
    let connection = store.connect_reader().unwrap();
    let setting = |name: &str| -> String {
        let value = connection.pragma_query_value(None, name, |row| row.get(0));
        match value.unwrap() {
            rusqlite::types::Value::Text(text) => text,
            rusqlite::types::Value::Integer(number) => number.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(setting("journal_mode"), "wal");
    assert_eq!(setting("synchronous"), "2");
    assert_eq!(setting("foreign_keys"), "1");
}

#[test]
fn failures_of_the_database_are_told_apart() {
    let check = |code: i32, said: &str, expected: &str| {
        let said = Some(said.to_owned());
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), said);
        let error = JournalError::from(StoreError::from_sqlite(Path::new("h.db"), &error));
        assert_eq!(error.to_string(), expected);
    };
    check(
        ffi::SQLITE_FULL,
        "database or disk is full",
        "storage: no space left on the disk of h.db; free some space, then resume the run; \
         nothing that was done is lost",
    );
    check(
        ffi::SQLITE_IOERR_FSYNC,
        "disk I/O error",
        "storage: the disk failed while using h.db: disk I/O error; check the disk, then resume \
         the run; nothing that was done is lost",
    );
    check(
        ffi::SQLITE_BUSY,
        "database is locked",
        "storage: h.db is being written by another process that does not let go; wait for the \
         other process or end it, then try again",
    );
    check(
        ffi::SQLITE_CORRUPT,
        "database disk image is malformed",
        "unreadable journal: h.db is damaged: database disk image is malformed; `holloway store \
         check` says what is affected, `holloway store repair` saves what is whole",
    );
}
