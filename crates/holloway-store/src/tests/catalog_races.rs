//! What if two processes change the catalogue at once? What is late is not written
//! over what was decided meanwhile.

use holloway_flow::catalog::{SourceId, SourceNote, SourceRecord, Standing};

use super::super::Store;
use super::catalog::{held, source, tool, with_sources};

fn id() -> SourceId {
    SourceId::new("mcp.a")
}

#[test]
fn a_note_changes_what_it_is_about_and_nothing_else() {
    let (_folder, store) = with_sources(&["mcp.a", "mcp.b"]);
    let trouble = "it did not start".to_owned();
    let failed = SourceNote::Failed { trouble };
    assert!(store.note_source(&id(), 7, &failed).unwrap());
    let troubled = SourceRecord {
        trouble: "it did not start".to_owned(),
        ..source("mcp.a")
    };
    assert_eq!(store.sources().unwrap(), [troubled, source("mcp.b")]);
    let refreshed = SourceNote::Refreshed { at_ms: 9 };
    assert!(store.note_source(&id(), 7, &refreshed).unwrap());
    let refreshed = SourceRecord {
        refreshed_ms: Some(9),
        ..source("mcp.a")
    };
    assert_eq!(store.sources().unwrap(), [refreshed, source("mcp.b")]);
}

#[test]
fn a_late_note_brings_no_source_back() {
    let note = SourceNote::Refreshed { at_ms: 9 };
    let (_folder, store) = with_sources(&["mcp.a"]);
    assert!(store.remove_source(&id()).unwrap());
    assert!(!store.note_source(&id(), 7, &note).unwrap());
    assert!(!store.begin_try(&id(), 7, 9, 0).unwrap());
    store.put_tools(&[tool("mcp.a/x")]).unwrap();
    assert_eq!(store.sources().unwrap(), []);
    assert_eq!(store.tools().unwrap(), []);
    let anew = SourceRecord {
        added_ms: 8,
        ..source("mcp.a")
    };
    store.put_source(&anew).unwrap();
    assert!(!store.note_source(&id(), 7, &note).unwrap());
    assert_eq!(store.sources().unwrap(), [anew]);
}

#[test]
fn of_two_processes_one_asks_and_later_another_may() {
    let (folder, store) = with_sources(&["mcp.a", "mcp.b"]);
    let second = Store::open(folder.path()).unwrap();
    assert!(store.begin_try(&id(), 7, 100, 50).unwrap());
    for now in [100, 149, 90] {
        assert!(!second.begin_try(&id(), 7, now, 50).unwrap(), "{now}");
    }
    assert_eq!(second.tries().unwrap(), [(id(), 100)].into());
    assert_eq!(
        store.sources().unwrap()[0],
        source("mcp.a"),
        "not refreshed"
    );
    let refreshed = SourceNote::Refreshed { at_ms: 120 };
    assert!(store.note_source(&id(), 7, &refreshed).unwrap());
    assert!(second.begin_try(&id(), 7, 150, 50).unwrap());
    assert_eq!(store.tries().unwrap(), [(id(), 150)].into());
}

#[test]
fn tools_are_replaced_only_as_they_were_seen() {
    let (_folder, store) = with_sources(&["mcp.a"]);
    let shown = [
        held("mcp.a/x", serde_json::json!({"d": 1})),
        held("mcp.a/y", serde_json::json!({"d": 1})),
    ];
    let other = held("mcp.a/y", serde_json::json!({"d": 2}));
    store.put_tools(&[shown[0].clone(), other.clone()]).unwrap();
    let pairs = shown.clone().map(|before| {
        let after = tool(before.spec.id.as_str());
        (before, after)
    });
    assert!(!store.replace_tools(&pairs).unwrap());
    assert_eq!(store.tools().unwrap(), [shown[0].clone(), other]);
    store.put_tools(&shown).unwrap();
    assert!(store.replace_tools(&pairs).unwrap());
    let tools = store.tools().unwrap();
    assert!(tools.iter().all(|tool| tool.standing == Standing::Ready));
    store.remove_source(&id()).unwrap();
    assert!(!store.replace_tools(&pairs).unwrap());
}
