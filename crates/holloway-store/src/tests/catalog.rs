//! Is what was decided about tools kept, whole, and apart from what calls showed?

use std::path::Path;

use holloway_engine::entry::RunId;
use holloway_flow::catalog::health::{Health, Sign, Status};
use holloway_flow::catalog::inspect::{Finding, Suspicion};
use holloway_flow::catalog::known::Known;
use holloway_flow::catalog::offer::{Package, Registry};
use holloway_flow::catalog::{
    Catalog, CatalogTool, HeldBecause, SourceId, SourceRecord, Standing, Waiting,
};
use holloway_plan::tool::{Effect, ToolId, ToolSpec};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::migrate::migrate_with;
use super::super::{Store, StoreError};
use super::processes::{hear, lines, other_process, say, store_of_parent};
use super::{append_steps, fresh, step, with_run};

pub(super) fn tool(id: &str) -> CatalogTool {
    let mut spec = ToolSpec::named(id).with_effect(Effect::Read);
    spec.definition = "pin".to_owned();
    spec.inferred = vec!["look folder:path -> text:text".parse().unwrap()];
    CatalogTool {
        spec,
        effect_reason: "its source marks it as read-only".to_owned(),
        definition: json!({"name": id, "inputSchema": {"type": "object"}}),
        package: None,
        standing: Standing::Ready,
        quality: 0.47,
        health: Health::default(),
        inference: 1,
    }
}

pub(super) fn held(id: &str, offered: Value) -> CatalogTool {
    let findings = vec![Finding {
        kind: Suspicion::HiddenText,
        place: "/description".to_owned(),
        shown: "U+200B".to_owned(),
    }];
    let why = HeldBecause::Changed;
    let standing = Standing::Held {
        why,
        offered,
        findings,
        waiting: Box::new(Waiting {
            spec: tool(id).spec,
            effect_reason: String::new(),
            quality: 0.4,
            package: None,
        }),
    };
    CatalogTool {
        standing,
        ..tool(id)
    }
}

pub(super) fn source(id: &str) -> SourceRecord {
    SourceRecord {
        id: SourceId::new(id),
        config: json!({"command": "npx", "secrets": ["GITHUB_TOKEN"]}),
        package: Some(Package {
            registry: Registry::Npm,
            name: "a".to_owned(),
            version: "1.2.3".to_owned(),
            integrity: "sha512-x".to_owned(),
        }),
        added_ms: 7,
        refreshed_ms: None,
        trouble: String::new(),
    }
}

/// A store that has these sources and nothing else.
pub(super) fn with_sources(ids: &[&str]) -> (TempDir, Store) {
    let (folder, store) = fresh();
    for id in ids {
        store.put_source(&source(id)).unwrap();
    }
    (folder, store)
}

fn known(add: &str) -> Known {
    Known {
        add: add.to_owned(),
        title: "Weather".to_owned(),
        description: "Tells the weather.".to_owned(),
        category: "weather".to_owned(),
        tools: vec!["forecast".to_owned()],
        needs: vec!["WEATHER_KEY".to_owned()],
        arguments: vec![],
    }
}

fn worked(duration_ms: u64) -> Sign {
    Sign::Worked { duration_ms }
}

fn broke(reason: &str) -> Sign {
    let reason = reason.to_owned();
    Sign::Broke { reason }
}

fn ids(tools: &[CatalogTool]) -> Vec<&str> {
    tools.iter().map(|tool| tool.spec.id.as_str()).collect()
}

/// Changes the database behind the store's back.
fn tamper(folder: &Path, statement: &str) {
    let connection = Connection::open(folder.join("holloway.db")).unwrap();
    let changed = connection.execute(statement, []).unwrap();
    assert_eq!(changed, 1, "{statement}");
}

#[test]
fn what_is_put_is_what_is_read_after_reopening() {
    let (folder, store) = with_sources(&["mcp.b", "mcp.a", "npm.@s/p"]);
    let tools = vec![
        tool("mcp.a/read"),
        held("mcp.a/write", json!({"name": "write", "x": [1, 0.1, null]})),
        CatalogTool {
            standing: Standing::Gone,
            ..tool("npm.@s/p/run")
        },
    ];
    store.put_tools(&tools).unwrap();
    let refreshed = SourceRecord {
        refreshed_ms: Some(9),
        trouble: "it did not start".to_owned(),
        ..source("mcp.a")
    };
    store.put_source(&refreshed).unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.tools().unwrap(), tools);
    let sources = [refreshed, source("mcp.b"), source("npm.@s/p")];
    assert_eq!(store.sources().unwrap(), sources);
}

#[test]
fn tools_come_by_id() {
    let (_folder, store) = with_sources(&["mcp.a", "mcp.b", "npm.@s/p"]);
    let all = ["mcp.b/x", "npm.@s/p/run", "mcp.a/z", "mcp.a/y"].map(tool);
    store.put_tools(&all).unwrap();
    let sorted = ["mcp.a/y", "mcp.a/z", "mcp.b/x", "npm.@s/p/run"];
    assert_eq!(ids(&store.tools().unwrap()), sorted);
}

#[test]
fn only_what_differs_is_written() {
    let (_folder, store) = with_sources(&["mcp.a"]);
    let mut tools = vec![tool("mcp.a/x"), tool("mcp.a/y")];
    store.put_tools(&tools).unwrap();
    let mut watch = store.watch().unwrap();
    watch.changed().unwrap();
    // Health is not part of what is written.
    tools[0].health.worked = 3;
    store.put_tools(&tools).unwrap();
    store.put_source(&source("mcp.a")).unwrap();
    assert!(!watch.changed().unwrap());
    tools[0].health.worked = 0;
    tools[1].quality = 0.9;
    store.put_tools(&tools).unwrap();
    assert!(watch.changed().unwrap());
    assert_eq!(store.tools().unwrap(), tools);
}

#[test]
fn tools_are_written_all_or_none() {
    let (_folder, store) = with_sources(&["mcp.a"]);
    let mut deep = json!(1);
    for _ in 0..126 {
        deep = json!([deep]);
    }
    let tools = [tool("mcp.a/x"), held("mcp.a/deep", deep)];
    let Err(StoreError::BadRecord { what, .. }) = store.put_tools(&tools) else {
        panic!("kept what cannot be read");
    };
    assert_eq!(what, "the tool `mcp.a/deep`");
    assert_eq!(store.tools().unwrap(), []);
    store.put_tools(&tools[..1]).unwrap();
    assert_eq!(ids(&store.tools().unwrap()), ["mcp.a/x"]);
}

#[test]
fn what_is_removed_takes_its_own_along_and_nothing_else() {
    let (_folder, store) = with_sources(&["mcp.a", "mcp.ab"]);
    let all = ["mcp.a/x", "mcp.a/y", "mcp.ab/x", "mcp.ab/y"];
    store.put_tools(&all.map(tool)).unwrap();
    for id in all {
        store.note(&ToolId::new(id), &worked(1), 1).unwrap();
    }
    assert!(store.remove_source(&SourceId::new("mcp.a")).unwrap());
    assert!(!store.remove_source(&SourceId::new("mcp.a")).unwrap());
    assert_eq!(store.sources().unwrap(), [source("mcp.ab")]);
    assert_eq!(ids(&store.tools().unwrap()), ["mcp.ab/x", "mcp.ab/y"]);
    let left = all.map(|id| store.signs(&ToolId::new(id), 9).unwrap().len());
    assert_eq!(left, [0, 0, 1, 1]);
}

#[test]
fn the_newest_signs_are_kept_whatever_order_they_come_in() {
    let (_folder, store) = fresh();
    let (x, y) = (ToolId::new("mcp.a/x"), ToolId::new("builtin/y"));
    for at_ms in (0..120).rev() {
        store.note(&x, &worked(at_ms), at_ms).unwrap();
    }
    store.note(&x, &broke("late"), 119).unwrap();
    store.note(&y, &worked(u64::MAX), 3).unwrap();
    store.flush().unwrap();
    let signs = store.signs(&x, usize::MAX).unwrap();
    assert_eq!(signs.len(), 50);
    assert_eq!(signs[0], (119, broke("late")));
    assert_eq!(signs[1], (119, worked(119)));
    assert_eq!(signs[49], (71, worked(71)));
    assert_eq!(store.signs(&x, 1).unwrap(), signs[..1]);
    assert_eq!(store.signs(&y, 9).unwrap(), [(3, worked(u64::MAX))]);
}

#[test]
fn health_follows_from_the_signs() {
    let (_folder, store) = with_sources(&["mcp.a", "mcp.b"]);
    let all = ["mcp.a/x", "mcp.a/y", "mcp.b/x"];
    store.put_tools(&all.map(tool)).unwrap();
    for (at_ms, id, sign) in [
        (1, "mcp.a/x", broke("HTTP 500")),
        (2, "mcp.a/x", worked(40)),
        (3, "mcp.b/x", worked(40)),
        (4, "mcp.b/x", broke("it broke off")),
    ] {
        store.note(&ToolId::new(id), &sign, at_ms).unwrap();
    }
    store.flush().unwrap();
    let healths = |tools: Vec<CatalogTool>| -> Vec<_> {
        tools
            .into_iter()
            .map(|tool| (tool.health.status, tool.health.checked_ms))
            .collect()
    };
    let of_a = [(Status::Healthy, Some(2)), (Status::Unknown, None)];
    let tools = store.tools().unwrap();
    assert_eq!(tools[2].health.reason, "it broke off");
    assert_eq!(
        healths(tools),
        [of_a[0], of_a[1], (Status::Broken, Some(4))]
    );
}

#[test]
fn thousands_of_tools_are_listed_with_their_signs() {
    let (_folder, store) = with_sources(&["mcp.a"]);
    let tools: Vec<_> = (0..2_000)
        .map(|n| tool(&format!("mcp.a/t{n:04}")))
        .collect();
    store.put_tools(&tools).unwrap();
    for tool in &tools {
        for at_ms in 1..=3 {
            store.note(&tool.spec.id, &worked(at_ms), at_ms).unwrap();
        }
    }
    store.flush().unwrap();
    let found = store.tools().unwrap();
    assert_eq!(ids(&found), ids(&tools));
    assert!(found.iter().all(|tool| tool.health.worked == 3));
}

#[test]
fn names_are_added_and_removed() {
    let (_folder, store) = fresh();
    store.add_known(&known("npm:b")).unwrap();
    store.add_known(&known("npm:a")).unwrap();
    let mut better = known("npm:b");
    better.title = "Better weather".to_owned();
    store.add_known(&better).unwrap();
    assert_eq!(
        store.known_added().unwrap(),
        [known("npm:a"), better.clone()]
    );
    assert!(store.remove_known("npm:a").unwrap());
    assert!(!store.remove_known("npm:a").unwrap());
    assert_eq!(store.known_added().unwrap(), [better]);
}

#[test]
fn a_damaged_row_is_named() {
    let check = |statement: &str, expected: &str| {
        let (folder, store) = fresh();
        store.put_source(&source("mcp.a")).unwrap();
        store.put_tools(&[tool("mcp.a/x")]).unwrap();
        store.add_known(&known("npm:a")).unwrap();
        store.note(&ToolId::new("mcp.a/x"), &worked(1), 1).unwrap();
        store.flush().unwrap();
        assert_eq!(store.tools().unwrap().len(), 1);
        tamper(folder.path(), statement);
        let read = store.tools().map(drop);
        let read = read.and_then(|()| store.sources().map(drop));
        let read = read.and_then(|()| store.known_added().map(drop));
        match read {
            Err(StoreError::Damaged { reason, .. }) => assert_eq!(reason, expected),
            other => panic!("{statement}: {other:?}"),
        }
    };
    check(
        "UPDATE tools SET tool_json = replace(tool_json, '\"read\"', '\"idempotent\"')",
        "the tool `mcp.a/x` does not match its checksum",
    );
    check(
        "UPDATE tools SET id = 'mcp.a/y'",
        "the tool `mcp.a/y` does not match its checksum",
    );
    check(
        "UPDATE sources SET sum = sum + 1",
        "the source `mcp.a` does not match its checksum",
    );
    check(
        "UPDATE known SET known_json = '{'",
        "the name `npm:a` does not match its checksum",
    );
    check(
        "UPDATE signs SET kind = 'danced'",
        "a sign of the tool `mcp.a/x` is of the kind `danced`",
    );
}

#[test]
fn a_damaged_tool_can_be_written_anew_and_its_source_removed() {
    let (folder, store) = fresh();
    store.put_source(&source("mcp.a")).unwrap();
    store.put_tools(&[tool("mcp.a/x")]).unwrap();
    tamper(folder.path(), "UPDATE tools SET sum = 0");
    assert!(store.tools().is_err());
    store.put_tools(&[tool("mcp.a/x")]).unwrap();
    assert_eq!(store.tools().unwrap(), [tool("mcp.a/x")]);
    tamper(folder.path(), "UPDATE tools SET tool_json = ''");
    assert!(store.remove_source(&SourceId::new("mcp.a")).unwrap());
    assert_eq!(store.tools().unwrap(), []);
}

/// Names and text of everything in a database.
fn schema(connection: &Connection) -> Vec<(String, String)> {
    connection
        .prepare(
            "SELECT name, sql FROM sqlite_schema
             WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name",
        )
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

#[test]
fn a_database_from_before_the_catalogue_keeps_its_runs() {
    let (folder, store, run) = with_run();
    append_steps(&store, &run, 1, 5);
    drop(store);
    let file = folder.path().join("holloway.db");
    let connection = Connection::open(&file).unwrap();
    connection
        .execute_batch(
            "DROP TABLE sources; DROP TABLE tools; DROP TABLE signs; DROP TABLE known;
             DROP TABLE made_plans; DROP TABLE past_runs; DROP TABLE learned;
             PRAGMA user_version = 1",
        )
        .unwrap();
    let mut first = Connection::open_in_memory().unwrap();
    migrate_with(&mut first, &file, &super::super::migrate::MIGRATIONS[..1]).unwrap();
    assert_eq!(schema(&connection), schema(&first));
    drop(connection);

    let store = Store::open(folder.path()).unwrap();
    let entries: Vec<_> = (1..=5).map(step).collect();
    assert_eq!(store.entries(&run, 0).unwrap(), entries);
    assert_eq!(store.tools().unwrap(), []);
    store.put_source(&source("mcp.a")).unwrap();
    store.put_tools(&[tool("mcp.a/x")]).unwrap();
    append_steps(&store, &run, 6, 1);
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.tools().unwrap(), [tool("mcp.a/x")]);
    assert_eq!(store.entries(&RunId::new("r1"), 0).unwrap().len(), 6);
}

const EACH: usize = 40;

/// One process's share: its own source, and a source that both write to.
fn write_a_share(store: &Store, own: &str) {
    for id in [own, "mcp.both"] {
        store.put_source(&source(id)).unwrap();
    }
    for n in 0..EACH {
        let tools = [format!("{own}/t{n}"), format!("mcp.both/t{n}")];
        store.put_tools(&tools.clone().map(|id| tool(&id))).unwrap();
        for id in &tools {
            store.note(&ToolId::new(id), &worked(1), 1).unwrap();
        }
    }
    store.flush().unwrap();
}

#[test]
#[ignore = "another process"]
fn write_the_other_share() {
    say("writing");
    write_a_share(&store_of_parent(), "mcp.other");
    say("written");
}

#[test]
fn two_processes_write_at_once() {
    let (folder, store) = fresh();
    let mut child = other_process(&[], "catalog::write_the_other_share", folder.path());
    let mut said = lines(&mut child);
    hear(&mut said, "writing");
    let second = Store::open(folder.path()).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| write_a_share(&store, "mcp.one"));
        scope.spawn(|| write_a_share(&second, "mcp.two"));
    });
    hear(&mut said, "written");
    assert!(child.wait().unwrap().success());
    let catalog: &dyn Catalog = &store;
    assert_eq!(catalog.sources().unwrap().len(), 4);
    let tools = catalog.tools().unwrap();
    assert_eq!(tools.len(), 4 * EACH);
    let worked = |tool: &CatalogTool| match tool.spec.id.source() {
        "mcp.both" => tool.health.worked == 3,
        _ => tool.health.worked == 1,
    };
    assert!(tools.iter().all(worked));
}
