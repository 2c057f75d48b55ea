//! Do rows go in and out, and does a statement stay within its file and its time?

use holloway_engine::failure::FailureName;

use super::super::Toolbox;
use super::super::testing::{run, with_folder};
use super::*;

async fn query(toolbox: &Toolbox, sql: &str) -> Result<Value, ToolFailure> {
    run(
        toolbox,
        "builtin/sqlite-query",
        json!({"path": "data.db", "sql": sql}),
    )
    .await
}

async fn execute(toolbox: &Toolbox, sql: &str, params: Value) -> Result<Value, ToolFailure> {
    let arguments = json!({"path": "data.db", "sql": sql, "params": params});
    run(toolbox, "builtin/sqlite-execute", arguments).await
}

async fn with_table() -> (tempfile::TempDir, Toolbox) {
    let (folder, toolbox) = with_folder();
    let sql = "create table t(name text, size real); insert into t values('a', 1), ('b', 2.5)";
    let result = execute(&toolbox, sql, Value::Null).await.unwrap();
    assert_eq!(result, json!({"changed": 2, "last_row_id": 2, "rows": []}));
    (folder, toolbox)
}

#[tokio::test]
async fn rows_come_back_as_objects() {
    let (_folder, toolbox) = with_table().await;
    let result = query(
        &toolbox,
        "select name, size, x'00ff' as raw, null as n from t",
    )
    .await;
    let raw = json!({"base64": "AP8="});
    assert_eq!(
        result.unwrap(),
        json!({
            "columns": ["name", "size", "raw", "n"],
            "count": 2,
            "rows": [
                {"name": "a", "size": 1.0, "raw": raw, "n": null},
                {"name": "b", "size": 2.5, "raw": raw, "n": null},
            ],
            "truncated": false,
        })
    );
}

#[tokio::test]
async fn parameters_bind_by_place_and_by_name() {
    let (_folder, toolbox) = with_table().await;
    let returned = execute(
        &toolbox,
        "insert into t values(?, ?) returning name",
        json!(["c", 3]),
    );
    assert_eq!(returned.await.unwrap()["rows"], json!([{"name": "c"}]));
    let named = execute(
        &toolbox,
        "delete from t where name = :name",
        json!({"name": "c"}),
    );
    assert_eq!(named.await.unwrap()["changed"], 1);
    let wrong = execute(
        &toolbox,
        "delete from t where name = :name",
        json!({"nam": "c"}),
    )
    .await;
    assert_eq!(wrong.unwrap_err().name, FailureName::ValidationFailed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_create_the_same_file_do_not_harm_each_other() {
    let (_folder, toolbox) = with_folder();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..8 {
        let toolbox = toolbox.clone();
        calls.spawn(async move {
            let sql = format!("create table if not exists t(a); insert into t values({number})");
            execute(&toolbox, &sql, Value::Null).await.unwrap();
        });
    }
    calls.join_all().await;
    assert_eq!(
        query(&toolbox, "select * from t").await.unwrap()["count"],
        8
    );
}

#[tokio::test]
async fn a_failed_batch_changes_nothing() {
    let (_folder, toolbox) = with_table().await;
    let failed = execute(
        &toolbox,
        "delete from t; insert into missing values(1)",
        Value::Null,
    )
    .await;
    assert!(failed.unwrap_err().message.contains("missing"));
    assert_eq!(
        query(&toolbox, "select * from t").await.unwrap()["count"],
        2
    );
}

#[tokio::test]
async fn a_query_cannot_write() {
    let (_folder, toolbox) = with_table().await;
    for sql in [
        "delete from t",
        "create table u(a)",
        "pragma user_version = 7",
    ] {
        assert!(query(&toolbox, sql).await.is_err(), "{sql}");
    }
    assert_eq!(
        query(&toolbox, "select * from t").await.unwrap()["count"],
        2
    );
}

#[tokio::test]
async fn no_statement_reaches_another_file() {
    let (folder, toolbox) = with_table().await;
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("copy.db").display().to_string();
    for sql in [
        format!("attach '{target}' as other"),
        format!("attach 'file:{target}?mode=rwc' as other"),
        format!("vacuum into '{target}'"),
        format!(
            "pragma temp_store_directory = '{}'",
            outside.path().display()
        ),
        format!("select load_extension('{target}')"),
        format!("select writefile('{target}', 'x')"),
    ] {
        assert!(query(&toolbox, &sql).await.is_err(), "{sql}");
        assert!(execute(&toolbox, &sql, Value::Null).await.is_err(), "{sql}");
        assert!(execute(&toolbox, &sql, json!([])).await.is_err(), "{sql}");
    }
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    std::os::unix::fs::symlink(outside.path(), folder.path().join("way-out")).unwrap();
    let arguments = json!({"path": "way-out/new.db", "sql": "create table t(a)"});
    let failure = run(&toolbox, "builtin/sqlite-execute", arguments)
        .await
        .unwrap_err();
    assert_eq!(failure.name, FailureName::Denied);
}

#[tokio::test]
async fn a_transaction_cannot_be_broken_out_of() {
    let (_folder, toolbox) = with_table().await;
    let sql = "delete from t; commit; insert into missing values(1)";
    execute(&toolbox, sql, Value::Null).await.unwrap_err();
    assert_eq!(
        query(&toolbox, "select * from t").await.unwrap()["count"],
        2
    );
}

#[tokio::test]
async fn rows_are_limited() {
    let (_folder, toolbox) = with_table().await;
    let sql = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n";
    let arguments = json!({"path": "data.db", "sql": sql, "limit": 3});
    let result = run(&toolbox, "builtin/sqlite-query", arguments)
        .await
        .unwrap();
    assert_eq!(
        (&result["count"], &result["truncated"]),
        (&json!(3), &json!(true))
    );
}

#[tokio::test]
async fn a_dropped_call_stops_its_statement() {
    let (folder, toolbox) = with_table().await;
    let grants = Arc::new(super::super::testing::folder_grants(folder.path()));
    let (finished, result) = std::sync::mpsc::channel();
    let call = with_connection(
        1 << 20,
        move || query::database(&grants, "data.db"),
        move |connection| {
            let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
            let outcome = connection.query_row(endless, [], |row| row.get::<_, i64>(0));
            finished.send(outcome.map_err(failure)).ok();
            Ok(())
        },
    );
    let early = tokio::time::timeout(Duration::from_millis(50), call).await;
    assert!(early.is_err());
    let failure = result
        .recv_timeout(Duration::from_secs(5))
        .unwrap()
        .unwrap_err();
    assert!(failure.message.contains("interrupted"), "{failure}");
    drop(toolbox);
}

#[tokio::test]
async fn no_value_is_made_that_could_not_be_returned() {
    let (_folder, toolbox) = with_table().await;
    let columns = vec!["printf('%.*c', 9000000, 'x')"; 100].join(", ");
    let chain = "with recursive n(i, s) as (select 1, 'x' union all select i + 1, s || s from n) \
        select s from n where i = 40";
    for sql in [
        "select printf('%.*c', 900000000, 'x')",
        "select zeroblob(900000000)",
        "select hex(zeroblob(9000000))",
        "select replace(printf('%.*c', 5000000, 'x'), 'x', 'xxxx')",
        "select group_concat(printf('%.*c', 1000000, 'x')) from (select 1 from t, t, t, t)",
        chain,
        &format!("select {columns}"),
        &format!("select length(a) from (select max({columns}) as a)"),
    ] {
        let name = query(&toolbox, sql)
            .await
            .map(drop)
            .map_err(|failure| failure.name);
        assert_eq!(name, Err(FailureName::LimitExceeded), "{sql}");
    }
    let fits = query(&toolbox, "select printf('%.*c', 9000000, 'x') as a").await;
    assert_eq!(
        fits.unwrap()["rows"][0]["a"].as_str().unwrap().len(),
        9_000_000
    );
    for pragma in [
        "cache_size = -9000000",
        "TEMP_STORE = 2",
        "hard_heap_limit = 0",
    ] {
        let sql = format!("pragma {pragma}");
        let failure = execute(&toolbox, &sql, Value::Null).await.unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{sql}");
    }
}

#[tokio::test]
async fn rows_end_before_they_are_too_large_together() {
    let (_folder, toolbox) = with_table().await;
    let sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 9) \
        select printf('%.*c', 3000000, 'x') as a from n";
    let result = query(&toolbox, sql).await.unwrap();
    assert_eq!(
        (&result["count"], &result["truncated"]),
        (&json!(3), &json!(true))
    );
}

/// What is in a folder, by name.
fn contents(folder: &std::path::Path) -> std::collections::BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap().flatten();
    let read = |file: std::fs::DirEntry| {
        let name = file.file_name().to_string_lossy().into_owned();
        let bytes = std::fs::read(file.path()).unwrap();
        (name, blake3::hash(&bytes).to_string())
    };
    files.map(read).collect()
}

#[tokio::test]
async fn files_of_others_beside_a_database_stay_as_they_are() {
    for ending in ["-journal", "-wal", "-shm"] {
        for has_database in [false, true] {
            let (folder, toolbox) = if has_database {
                with_table().await
            } else {
                with_folder()
            };
            for text in ["diary of May", "", "SQLite format 3"] {
                // An empty one beside a database is what SQLite leaves there itself.
                if text.is_empty() && has_database {
                    continue;
                }
                let beside = folder.path().join(format!("data.db{ending}"));
                std::fs::write(&beside, text).unwrap();
                let before = contents(folder.path());
                let what = format!("{ending} {text} {has_database}");
                let failure = execute(&toolbox, "create table u(a)", Value::Null).await;
                let failure = failure.expect_err(&what);
                assert_eq!(failure.name, FailureName::Denied, "{what}: {failure}");
                assert!(failure.message.contains(ending), "{failure}");
                let _ = query(&toolbox, "select * from sqlite_schema").await;
                assert_eq!(contents(folder.path()), before, "{what}");
                std::fs::remove_file(beside).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn an_empty_file_is_read_without_a_trace() {
    let (folder, toolbox) = with_folder();
    std::fs::write(folder.path().join("data.db"), "").unwrap();
    for ending in ["-wal", "-journal", "-shm"] {
        std::fs::write(folder.path().join(format!("data.db{ending}")), "diary").unwrap();
    }
    let before = contents(folder.path());
    let read = query(&toolbox, "select * from sqlite_schema").await;
    assert_eq!(read.unwrap()["count"], 0);
    assert_eq!(contents(folder.path()), before);
}

/// A database with a log that holds two rows, opened by another program; with or without the
/// rows moved into the file.
fn with_log(folder: &std::path::Path, is_moved: bool) -> Connection {
    let other = Connection::open(folder.join("data.db")).unwrap();
    let sql = "pragma journal_mode = wal; create table t(a); insert into t values(1), (2)";
    other.execute_batch(sql).unwrap();
    if is_moved {
        let sql = "pragma wal_checkpoint(truncate)";
        other.query_row(sql, [], |_| Ok(())).unwrap();
    }
    other
}

#[tokio::test]
async fn a_query_leaves_a_folder_granted_for_reading_as_it_is() {
    let (all, no_index) = (["", "-wal", "-shm"], ["", "-wal"]);
    for (is_moved, endings, is_readable) in [
        (false, all.as_slice(), true),
        (true, &all, true),
        (true, &[""], true),
        // Without its index, a log cannot be read without writing.
        (false, &no_index, false),
    ] {
        // As another program leaves it that was killed.
        let source = tempfile::tempdir().unwrap();
        let other = with_log(source.path(), is_moved);
        let folder = tempfile::tempdir().unwrap();
        for ending in endings {
            let name = format!("data.db{ending}");
            std::fs::copy(source.path().join(&name), folder.path().join(&name)).unwrap();
        }
        drop(other);
        let writable = super::super::testing::folder_grants(folder.path());
        let mut grants = writable.clone();
        grants.folders[0].writable = false;
        let before = contents(folder.path());
        let what = format!("{is_moved} {endings:?}");
        let read = query(&Toolbox::builtin(grants), "select * from t").await;
        match read {
            Ok(read) => assert_eq!((&read["count"], is_readable), (&json!(2), true), "{what}"),
            Err(failure) => {
                assert_eq!(
                    (failure.name, is_readable),
                    (FailureName::Denied, false),
                    "{what}"
                );
            }
        }
        assert_eq!(contents(folder.path()), before, "{what}");
        // Where it may write, it finds the rows in any case.
        let read = query(&Toolbox::builtin(writable), "select * from t").await;
        assert_eq!(read.unwrap()["count"], 2, "{what}");
    }
}

#[tokio::test]
async fn neither_temporary_files_nor_the_file_itself_grow_without_bound() {
    let (folder, toolbox) = with_table().await;
    let many = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)";
    for sql in [
        format!("{many} select hex(randomblob(500)) as b from n order by b"),
        format!("{many} select count(*) from (select distinct hex(randomblob(500)) from n)"),
    ] {
        let failure = query(&toolbox, &sql).await.unwrap_err();
        assert_eq!(failure.name, FailureName::LimitExceeded, "{sql}: {failure}");
    }
    for sql in [
        format!("create temp table u as {many} select randomblob(500) as b from n"),
        format!("create table u as {many} select randomblob(500) as b from n"),
    ] {
        let failure = execute(&toolbox, &sql, Value::Null).await.unwrap_err();
        assert_eq!(failure.name, FailureName::LimitExceeded, "{sql}: {failure}");
    }
    for pragma in ["max_page_count = 4294967294", "page_size = 65536"] {
        let denied = execute(&toolbox, &format!("pragma {pragma}"), Value::Null).await;
        assert_eq!(denied.unwrap_err().name, FailureName::Denied, "{pragma}");
    }
    let size = std::fs::metadata(folder.path().join("data.db"))
        .unwrap()
        .len();
    assert!(size < 1 << 20, "{size}");
    // The next call works.
    assert_eq!(
        query(&toolbox, "select * from t").await.unwrap()["count"],
        2
    );
}
