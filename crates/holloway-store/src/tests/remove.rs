//! Runs leave with all that is theirs, and large results with the last run that needs them.

use holloway_engine::entry::{Entry, EntryKind, RunId, Stored};
use holloway_engine::ports::{Blob, BlobStore as _};
use serde_json::json;

use super::{append, entry, fresh, new_run, start, step_with};
use crate::{Collected, RunFilter, Store, StoreError};

/// A run with one large result, which is kept as a file.
fn with_large(store: &Store, name: &str, text: &str) -> (RunId, Blob) {
    let run = RunId::new(name);
    store.create_run(new_run(name, 1)).unwrap();
    let blob = keep(store, text);
    let mut step: Entry = step_with(2, json!(null));
    if let EntryKind::StepComplete { output, .. } = &mut step.kind {
        *output = Stored::Blob {
            blob: blob.blob.clone(),
            bytes: blob.bytes,
            preview: String::new(),
        };
    }
    append(store, &run, vec![entry(1, start(&run)), step]).unwrap();
    (run, blob)
}

fn keep(store: &Store, text: &str) -> Blob {
    let kept = store.put(&mut |to| to.write_all(text.as_bytes()));
    kept.unwrap()
}

fn remove(store: &Store, run: &RunId) {
    let claim = store.claim(run, "test").unwrap();
    store.remove_run(&claim).unwrap();
}

#[test]
fn a_run_leaves_with_its_entries_and_only_its_own_large_results() {
    let (folder, store) = fresh();
    let (gone, own) = with_large(&store, "gone", "\"only of the first\"");
    let (stays, shared) = with_large(&store, "stays", "\"of both\"");
    with_large(&store, "gone-too", "\"of both\"");
    remove(&store, &gone);
    remove(&store, &RunId::new("gone-too"));
    let collected = store.collect_blobs().unwrap();
    assert_eq!((collected.files, collected.postponed), (1, false));
    assert_eq!(collected.bytes, own.bytes);
    assert!(store.open(&own.blob).is_err());
    assert!(store.open(&shared.blob).is_ok());
    let read = store.entries(&gone, 0);
    assert!(matches!(read, Err(StoreError::UnknownRun { .. })));
    assert_eq!(store.runs(&RunFilter::default()).unwrap().len(), 1);
    assert_eq!(store.entries(&stays, 0).unwrap().len(), 2);
    // Nobody is locked out afterwards, and the name can be used again.
    drop(Store::open(folder.path()).unwrap());
    store.create_run(new_run("gone", 2)).unwrap();
    assert!(store.entries(&gone, 0).unwrap().is_empty());
}

#[test]
fn large_results_stay_while_another_process_has_the_store_open() {
    let (folder, store) = fresh();
    let (run, blob) = with_large(&store, "gone", "\"large\"");
    let other = Store::open(folder.path()).unwrap();
    remove(&store, &run);
    let postponed = Collected {
        postponed: true,
        ..Collected::default()
    };
    assert_eq!(store.collect_blobs().unwrap(), postponed);
    assert!(store.open(&blob.blob).is_ok());
    // Its lock is held as before, so that the other one too has to wait.
    assert!(other.collect_blobs().unwrap().postponed);
    drop(other);
    assert_eq!(store.collect_blobs().unwrap().files, 1);
}

#[test]
fn a_run_that_a_process_carries_out_cannot_be_claimed_for_removal() {
    let (_folder, store) = fresh();
    let (run, _) = with_large(&store, "busy", "\"large\"");
    let owner = store.claim(&run, "at work").unwrap();
    let refused = store.claim(&run, "test");
    assert!(matches!(refused, Err(StoreError::Owned { .. })));
    drop(owner);
    remove(&store, &run);
}
