//! Do requests become the steps that a person would take? From words to tools, with tools that
//! say what they do and nothing else.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_planner::assemble::{Manner, assemble};
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::choose::understand;
use serde_json::{Value, json};

/// The built-in tools, with what they say they do.
fn tools() -> Vec<Arc<ToolSpec>> {
    let lines = include_str!("data/builtin-tools.jsonl").lines();
    let tools = lines.map(|line| serde_json::from_str(line).map(Arc::new));
    tools.collect::<Result<_, _>>().unwrap()
}

fn scene() -> Scene {
    let column = |name: &str, holds: &str, values: Value| json!({"name": name, "holds": holds, "values": values, "repeats": true});
    serde_json::from_value(json!({
        "files": [
            {"name": "boats.csv", "columns": [
                column("harbour", "texts", json!(["Bergen", "Kiel"])),
                column("length", "numbers", json!([])),
                column("price", "numbers", json!([])),
            ]},
            {"name": "more-boats.csv", "columns": [
                column("harbour", "texts", json!(["Bergen"])),
                column("length", "numbers", json!([])),
                column("price", "numbers", json!([])),
            ]},
            {"name": "log.txt"},
            {"name": "notes.md"},
        ],
        "folders": ["letters"],
    }))
    .unwrap()
}

/// The tools in their order; every part of the request must be served.
#[track_caller]
fn check(request: &str, expected: &[&str]) {
    let scene = scene();
    let understood = understand(request, &scene);
    assert!(
        understood.troubles.is_empty(),
        "{request}: {:?}",
        understood.troubles
    );
    let made = assemble(&understood.frame, &scene, &tools(), Manner::default());
    let unserved: Vec<&str> = made
        .accounts
        .iter()
        .filter(|account| account.step.is_none())
        .map(|account| account.said.as_str())
        .collect();
    assert!(unserved.is_empty(), "{request}: {unserved:?}");
    let called = made.steps.iter().map(|step| {
        let inner = step.step.as_deref().unwrap_or(step);
        inner.tool.as_deref().unwrap_or_default()
    });
    assert_eq!(called.collect::<Vec<_>>(), expected, "{request}");
}

#[test]
fn requests_become_steps() {
    check(
        "how many boats in boats.csv are in Bergen?",
        &["csv-read", "data-select", "data-group"],
    );
    check(
        "average price per harbour in boats.csv, highest first",
        &["csv-read", "data-group", "data-select"],
    );
    check(
        "sort boats.csv by length and save it as sorted.csv",
        &["csv-read", "data-select", "csv-write"],
    );
    check(
        "turn boats.csv into an Excel file",
        &["csv-read", "xlsx-write"],
    );
    check(
        "what's different between boats.csv and more-boats.csv?",
        &["csv-read", "csv-read", "data-changes"],
    );
    check(
        "show me the first 5 lines of log.txt",
        &["file-read", "text-lines"],
    );
    check(
        "how many words are in notes.md?",
        &["file-read", "text-stats"],
    );
    check(
        "which headings are on http://127.0.0.1:9000/guide?",
        &["page-fetch", "headings-extract"],
    );
    check("rename log.txt to old-log.txt", &["file-move"]);
}

#[test]
fn each_file_of_a_folder_is_taken() {
    check(
        "extract all the e-mail addresses from the folder letters",
        &["file-list", "file-read", "text-entities"],
    );
}

#[test]
fn one_source_becomes_two_files() {
    check(
        "notes.md as a web page and as a PDF",
        &["file-read", "html-write", "pdf-write"],
    );
}

#[test]
fn what_no_tool_does_is_not_served() {
    let scene = scene();
    let understood = understand("translate notes.md into French", &scene);
    let made = assemble(&understood.frame, &scene, &tools(), Manner::default());
    let served = made.accounts.iter().all(|account| account.step.is_some());
    assert!(!understood.troubles.is_empty() || !served || made.steps.is_empty());
}
