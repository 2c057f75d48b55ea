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
        Access::Read,
        1 << 20,
        move || super::super::files::locate(&grants, "data.db", Access::Read),
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
