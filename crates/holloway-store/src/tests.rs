//! Does the store keep what it promises? One file per promise; here is what they share.

mod blobs;
mod catalog;
mod catalog_races;
mod claim;
mod damage;
mod disk;
mod inbox;
mod journal;
mod memory;
mod odd_files;
mod opening;
mod past;
mod private;
mod processes;
mod remove;
mod repair;
mod runs;

use std::path::Path;
use std::sync::Arc;

use holloway_engine::entry::{EndStatus, Entry, EntryKind, ExecutionStart, NodeRef, RunId};
use holloway_engine::entry::{Origin, Stored};
use holloway_engine::options::RunOptions;
use holloway_engine::ports::{Journal, JournalError, Usage};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{NewRun, Store};

/// A fresh data folder with an open store.
fn fresh() -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

/// A store with one run, `r1`.
fn with_run() -> (TempDir, Store, RunId) {
    let (folder, store) = fresh();
    let run = RunId::new("r1");
    store.create_run(new_run("r1", 1)).unwrap();
    (folder, store, run)
}

fn new_run(run: &str, created_ms: u64) -> NewRun {
    NewRun {
        run: RunId::new(run),
        plan_id: "prices".to_owned(),
        plan_version: "v1".to_owned(),
        objective: Some("Find the cheapest".to_owned()),
        plan: json!({"version": "1.0", "steps": [{"id": "a", "tool": "builtin/page-fetch"}]}),
        created_ms,
        forked_from: None,
    }
}

fn append(store: &Store, run: &RunId, entries: Vec<Entry>) -> Result<(), JournalError> {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(store.append(run, entries))
}

/// Appends `count` steps, one acknowledged after the other, from entry `first` on.
fn append_steps(store: &Store, run: &RunId, first: u64, count: u64) {
    for seq in first..first + count {
        append(store, run, vec![step(seq)]).unwrap();
    }
}

fn entry(seq: u64, kind: EntryKind) -> Entry {
    Entry {
        seq,
        at: 1_000 + seq,
        kind,
    }
}

fn step(seq: u64) -> Entry {
    step_with(
        seq,
        json!({"price": 12.5, "number": seq, "title": "Stühle & \"Tische\""}),
    )
}

fn step_with(seq: u64, output: Value) -> Entry {
    let node = NodeRef {
        node: Arc::from(format!("pages[{seq}].fetch")),
        step: Arc::from("fetch"),
        n: seq as u32,
    };
    let kind = EntryKind::StepComplete {
        node,
        attempt: Some(1),
        output: Stored::Value(Arc::new(output)),
        duration_ms: 3,
        usage: Usage::default(),
        origin: Origin::Call,
    };
    entry(seq, kind)
}

fn start(run: &RunId) -> EntryKind {
    EntryKind::ExecutionStart(Box::new(ExecutionStart {
        run: run.clone(),
        plan_id: "prices".to_owned(),
        plan_version: "v1".to_owned(),
        context: Arc::new(json!({"input": {}})),
        options: RunOptions::default(),
        marks: holloway_engine::mark::Issued::new(),
        reuse: std::collections::BTreeMap::new(),
    }))
}

fn complete(status: EndStatus) -> EntryKind {
    EntryKind::ExecutionComplete {
        success: status == EndStatus::Succeeded,
        status,
        outputs: std::collections::BTreeMap::new(),
    }
}

/// Copies what is on the disk, as a crash at this moment would leave it.
fn copy_as_after_crash(from: &Path, to: &Path) {
    for name in ["holloway.db", "holloway.db-wal"] {
        if from.join(name).exists() {
            std::fs::copy(from.join(name), to.join(name)).unwrap();
        }
    }
}
