//! Does a record stay single through repeats, kills and neighbours?

use std::path::Path;

use super::super::super::testing::{run_keyed, with_folder};
use super::super::super::{Folder, Toolbox};
use super::*;

async fn append(toolbox: &Toolbox, key: &str, number: u64) -> bool {
    let arguments = json!({"path": "out.jsonl", "record": {"number": number}});
    let result = run_keyed(toolbox, "builtin/jsonl-append", arguments, key)
        .await
        .unwrap();
    result["added"].as_bool().unwrap()
}

fn contents(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("out.jsonl")).unwrap()
}

#[tokio::test]
async fn a_repeat_adds_nothing() {
    let (folder, toolbox) = with_folder();
    assert!(append(&toolbox, "a", 1).await);
    assert!(append(&toolbox, "b", 2).await);
    assert!(!append(&toolbox, "a", 1).await);
    assert_eq!(
        contents(folder.path()),
        "{\"key\":\"a\",\"number\":1}\n{\"key\":\"b\",\"number\":2}\n"
    );
}

#[tokio::test]
async fn a_kill_at_every_byte_of_a_line_is_repaired() {
    let (folder, toolbox) = with_folder();
    append(&toolbox, "first", 1).await;
    let before = contents(folder.path());
    append(&toolbox, "sécond", 2).await;
    let after = contents(folder.path());
    for length in before.len()..after.len() {
        std::fs::write(folder.path().join("out.jsonl"), &after.as_bytes()[..length]).unwrap();
        append(&toolbox, "sécond", 2).await;
        append(&toolbox, "third", 3).await;
        let expected = format!("{after}{{\"key\":\"third\",\"number\":3}}\n");
        assert_eq!(
            contents(folder.path()),
            expected,
            "killed after {length} bytes"
        );
    }
}

#[tokio::test]
async fn a_whole_record_without_its_line_break_counts() {
    let (folder, toolbox) = with_folder();
    std::fs::write(
        folder.path().join("out.jsonl"),
        "{\"key\":\"a\",\"number\":1}",
    )
    .unwrap();
    assert!(!append(&toolbox, "a", 1).await);
    assert!(append(&toolbox, "b", 2).await);
    assert_eq!(
        contents(folder.path()),
        "{\"key\":\"a\",\"number\":1}\n{\"key\":\"b\",\"number\":2}\n"
    );
}

#[test]
fn a_key_is_found_in_every_spelling() {
    for (line, expected) in [
        (r#"{"key":"a/é\"b"}"#, false),
        (r#"{"key":"a\u002fé"}"#, true),
        (r#"{"key":"a/é","x":1}"#, true),
        (r#"{ "x": 1, "key": "a/é" }"#, true),
        (r#"{"key":"a/é","x":"#, false),
        (r#"{"key":"a/éb"}"#, false),
        (r#"{"x":"a/é"}"#, false),
        ("", false),
    ] {
        assert_eq!(has_key(line.as_bytes(), "a/é"), expected, "{line}");
    }
}

#[tokio::test]
async fn foreign_lines_stay_and_zeros_go() {
    let (folder, toolbox) = with_folder();
    for (before, kept) in [
        ("# a note", "# a note\n"),
        ("not json\n{\"x\":1}", "not json\n{\"x\":1}\n"),
        ("{\"x\":", "{\"x\":\n"),
        ("{\"x\":1}\n{\"ke", "{\"x\":1}\n"),
        ("{\"x\":1}\n\0\0\0\0", "{\"x\":1}\n"),
    ] {
        std::fs::write(folder.path().join("out.jsonl"), before).unwrap();
        assert!(append(&toolbox, "a", 1).await);
        let expected = format!("{kept}{{\"key\":\"a\",\"number\":1}}\n");
        assert_eq!(contents(folder.path()), expected, "{before:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neighbours_do_not_mix_their_lines() {
    let (folder, toolbox) = with_folder();
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..40 {
        let toolbox = toolbox.clone();
        // Each record is written by two calls at the same time.
        calls.spawn(async move { append(&toolbox, &format!("k{}", number / 2), number / 2).await });
    }
    let added = calls
        .join_all()
        .await
        .into_iter()
        .filter(|added| *added)
        .count();
    assert_eq!(added, 20);
    let text = contents(folder.path());
    assert_eq!(text.lines().count(), 20);
    assert!(
        text.lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok())
    );
}

#[tokio::test]
async fn a_record_with_its_own_key_and_a_read_only_folder_are_refused() {
    let (folder, toolbox) = with_folder();
    let arguments = json!({"path": "out.jsonl", "record": {"key": "mine"}});
    let failure = run_keyed(&toolbox, "builtin/jsonl-append", arguments, "k")
        .await
        .unwrap_err();
    assert!(failure.message.contains("`key`"));
    let read_only = Toolbox::builtin(Grants {
        folders: vec![Folder {
            path: folder.path().to_owned(),
            writable: false,
        }],
        ..Grants::default()
    });
    let arguments = json!({"path": "out.jsonl", "record": {}});
    let failure = run_keyed(&read_only, "builtin/jsonl-append", arguments, "k")
        .await
        .unwrap_err();
    assert!(failure.hint.unwrap().contains("writable = true"));
}
