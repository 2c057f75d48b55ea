//! Does a torn or flipped byte ever turn into a wrong state? It may cost the
//! tail, or make a run unreadable; it may not change what an entry says.

use std::fs::{self, OpenOptions};
use std::path::Path;

use holloway_engine::entry::{Entry, RunId};
use tempfile::TempDir;

use super::super::{Store, StoreError};
use super::{append_steps, copy_as_after_crash, step, with_run};

const STEPS: u64 = 12;

/// What a folder as left by a crash holds after twelve acknowledged appends.
fn after_twelve_steps() -> TempDir {
    let (folder, store, run) = with_run();
    append_steps(&store, &run, 1, STEPS);
    let copy = TempDir::new().unwrap();
    copy_as_after_crash(folder.path(), copy.path());
    copy
}

/// The run's entries; none if the run itself is among what was lost.
fn entries(folder: &Path) -> Result<Vec<Entry>, StoreError> {
    match Store::open(folder)?.entries(&RunId::new("r1"), 0) {
        Err(StoreError::UnknownRun { .. }) => Ok(vec![]),
        other => other,
    }
}

#[track_caller]
fn check_prefix(found: &[Entry]) {
    for (seq, entry) in (1..).zip(found) {
        assert_eq!(entry, &step(seq));
    }
}

/// Up to where the log holds anything.
fn used(log: &Path) -> u64 {
    let bytes = fs::read(log).unwrap();
    bytes.iter().rposition(|byte| *byte != 0).unwrap() as u64 + 1
}

#[test]
fn a_log_cut_anywhere_leaves_a_prefix() {
    let whole = after_twelve_steps();
    let used = used(&whole.path().join("holloway.db-wal"));
    let mut lengths = Vec::new();
    for cut in (0..=used).step_by(997).chain([used]) {
        let copy = TempDir::new().unwrap();
        copy_as_after_crash(whole.path(), copy.path());
        let log = copy.path().join("holloway.db-wal");
        OpenOptions::new()
            .write(true)
            .open(log)
            .unwrap()
            .set_len(cut)
            .unwrap();
        let found = entries(copy.path()).unwrap();
        check_prefix(&found);
        lengths.push(found.len() as u64);
    }
    assert!(lengths.is_sorted());
    assert_eq!(lengths.last(), Some(&STEPS));
}

#[test]
fn what_follows_the_last_commit_does_not_matter() {
    for tail in [&[0_u8][..], &[0xff; 5000], b"garbage"] {
        let copy = after_twelve_steps();
        let log = copy.path().join("holloway.db-wal");
        let mut bytes = fs::read(&log).unwrap();
        bytes.truncate(used(&log) as usize);
        bytes.extend_from_slice(tail);
        fs::write(&log, bytes).unwrap();
        assert_eq!(entries(copy.path()).unwrap().len() as u64, STEPS);
    }
}

#[test]
fn a_flipped_bit_in_the_log_leaves_a_prefix() {
    let whole = after_twelve_steps();
    let log = whole.path().join("holloway.db-wal");
    let mut kept_all = 0;
    for at in (0..used(&log)).step_by(499) {
        let copy = TempDir::new().unwrap();
        copy_as_after_crash(whole.path(), copy.path());
        flip(&copy.path().join("holloway.db-wal"), at);
        // An unreadable page is an error; a readable one must be right.
        if let Ok(found) = entries(copy.path()) {
            check_prefix(&found);
            kept_all += u32::from(found.len() as u64 == STEPS);
        }
    }
    assert_eq!(kept_all, 0);
}

#[test]
fn a_flipped_bit_in_the_database_is_noticed() {
    let (folder, store, run) = with_run();
    append_steps(&store, &run, 1, STEPS);
    drop(store);
    let (mut right, mut noticed) = (0, 0);
    let size = fs::metadata(folder.path().join("holloway.db"))
        .unwrap()
        .len();
    for at in (0..size).step_by(211) {
        let copy = TempDir::new().unwrap();
        copy_as_after_crash(folder.path(), copy.path());
        flip(&copy.path().join("holloway.db"), at);
        match entries(copy.path()) {
            Ok(found) => {
                check_prefix(&found);
                right += 1;
            }
            Err(_) => noticed += 1,
        }
    }
    assert!(right > 0 && noticed > 0, "{right} right, {noticed} noticed");
}

fn flip(file: &Path, at: u64) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at as usize] ^= 0x10;
    fs::write(file, bytes).unwrap();
}
