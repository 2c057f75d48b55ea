//! Is damage told, and does repairing lose nothing that is whole?

use std::fs;
use std::path::{Path, PathBuf};

use holloway_engine::entry::{EndStatus, RunId};
use holloway_engine::ports::BlobStore as _;
use holloway_plan::hidden::visible;
use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

use super::super::{Store, StoreError, StoreReport, check, repair};
use super::{append, append_steps, complete, copy_as_after_crash, entry, new_run, start};

pub(super) const STEPS: u64 = 40;

/// A folder with three runs that have ended, and a saved plan.
pub(super) fn three_runs() -> TempDir {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for (number, name) in ["r1", "r2", "r3"].into_iter().enumerate() {
        store.create_run(new_run(name, number as u64)).unwrap();
        let run = RunId::new(name);
        append(&store, &run, vec![entry(1, start(&run))]).unwrap();
        append_steps(&store, &run, 2, STEPS);
        let end = entry(STEPS + 2, complete(EndStatus::Succeeded));
        append(&store, &run, vec![end]).unwrap();
    }
    store.save_plan("keep", &json!({"version": "1.0"})).unwrap();
    drop(store);
    folder
}

pub(super) fn database(folder: &Path) -> PathBuf {
    folder.join("holloway.db")
}

pub(super) fn change(folder: &Path, sql: &str) {
    let connection = Connection::open(database(folder)).unwrap();
    connection.execute_batch(sql).unwrap();
}

pub(super) fn damaged(report: &StoreReport) -> Vec<String> {
    let runs = report.damaged_runs();
    runs.map(|(run, damage)| format!("{} {:?} {}", run.run, damage.entry, damage.reason))
        .collect()
}

#[test]
fn a_whole_store_is_told_as_whole_and_left_alone() {
    let folder = three_runs();
    let report = check(folder.path()).unwrap();
    assert!(report.is_whole(), "{report:?}");
    assert_eq!(report.runs.len(), 3);
    assert!(report.runs.iter().all(|run| run.entries == STEPS + 2));
    assert_eq!(repair(folder.path()).unwrap(), None);
    assert!(check(TempDir::new().unwrap().path()).unwrap().is_whole());
}

#[test]
fn a_damaged_run_is_named_and_the_others_are_saved() {
    let folder = three_runs();
    change(
        folder.path(),
        "UPDATE entries SET body = replace(body, 'price', 'prize') WHERE place = (2 << 32) + 7;
         UPDATE plans SET plan_json = '{';",
    );
    let report = check(folder.path()).unwrap();
    assert_eq!(damaged(&report), ["r2 Some(7) does not match its checksum"]);
    let plans = report.records.iter().find(|one| one.kind == "saved plans");
    assert_eq!(plans.unwrap().damaged.len(), 1);

    let repaired = repair(folder.path()).unwrap().unwrap();
    assert_eq!(repaired.runs, ["r1", "r3"]);
    let left: Vec<&str> = repaired
        .left
        .iter()
        .map(|left| left.what.as_str())
        .collect();
    assert_eq!(left, ["run r2", "plans"]);
    let copy = fs::read_to_string(repaired.left[0].copy.as_ref().unwrap()).unwrap();
    assert_eq!(copy.lines().count(), 7, "its plan and six entries");
    assert!(repaired.kept_in.join("holloway.db").is_file());
    let listing = fs::read_to_string(repaired.kept_in.join("listing.txt")).unwrap();
    assert!(
        listing.contains("run r2: entry 7 does not match its checksum"),
        "{listing}"
    );

    assert!(check(folder.path()).unwrap().is_whole());
    let store = Store::open(folder.path()).unwrap();
    for run in ["r1", "r3"] {
        let entries = store.entries(&RunId::new(run), 0).unwrap();
        assert_eq!(entries.len() as u64, STEPS + 2);
        assert!(store.plan_of(&RunId::new(run)).is_ok());
    }
    assert!(store.run(&RunId::new("r2")).unwrap().is_none());
    // It is a store like any other: a new run goes on behind the saved ones.
    store.create_run(new_run("r4", 9)).unwrap();
    append_steps(&store, &RunId::new("r4"), 1, 3);
}

#[test]
fn every_kind_of_damage_to_a_run_is_told() {
    for (sql, expected) in [
        (
            "DELETE FROM entries WHERE place = (1 << 32) + 5",
            "r1 Some(5) is missing",
        ),
        (
            "UPDATE entries SET at_ms = at_ms + 1024 WHERE place = (1 << 32) + 5",
            "r1 Some(5) is listed with another time than it has",
        ),
        (
            "UPDATE runs SET run = CAST(x'72ff' AS TEXT) WHERE id = 1",
            "run number 1 None its `run` is no text",
        ),
        (
            "UPDATE runs SET plan_json = '{}' WHERE id = 1",
            "r1 None its plan does not match its checksum",
        ),
        (
            "UPDATE runs SET status = 'sucbeeded' WHERE id = 1",
            "r1 None its status is none that there is",
        ),
        (
            "UPDATE runs SET run = 'r9' WHERE id = 1",
            "r9 None its plan does not match its checksum",
        ),
        (
            "DELETE FROM runs WHERE id = 1",
            "run number 1 None its line in the list of runs cannot be read",
        ),
    ] {
        let folder = three_runs();
        change(folder.path(), sql);
        let store = Store::open(folder.path()).unwrap();
        let read = store.entries(&RunId::new("r1"), 0);
        assert!(read.is_err() || !sql.contains("entries"), "{sql}");
        drop(store);
        assert_eq!(damaged(&check(folder.path()).unwrap()), [expected], "{sql}");
        let repaired = repair(folder.path()).unwrap().unwrap();
        assert_eq!(repaired.runs, ["r2", "r3"], "{sql}");
        assert!(check(folder.path()).unwrap().is_whole(), "{sql}");
    }
}

#[test]
fn large_results_belong_to_their_run() {
    let folder = three_runs();
    let store = Store::open(folder.path()).unwrap();
    let lone = store
        .put(&mut |to| to.write_all(b"of no run"))
        .unwrap()
        .blob;
    let digest = store
        .put(&mut |to| to.write_all(b"a large result"))
        .unwrap()
        .blob;
    let stored = json!({"$blob": digest, "bytes": 14, "preview": "a"});
    store.create_run(new_run("r4", 4)).unwrap();
    let mut step = serde_json::to_value(super::step(1)).unwrap();
    step["output"] = stored;
    let step = serde_json::from_value(step).unwrap();
    append(&store, &RunId::new("r4"), vec![step]).unwrap();
    drop(store);
    let file = |digest: &str| {
        folder
            .path()
            .join("blobs")
            .join(&digest[..2])
            .join(&digest[2..])
    };
    fs::write(file(&lone), b"something else").unwrap();
    fs::remove_file(file(&digest)).unwrap();

    let report = check(folder.path()).unwrap();
    let expected = format!("r4 Some(1) its large result {}… is missing", &digest[..12]);
    assert_eq!(damaged(&report), [expected]);
    let repaired = repair(folder.path()).unwrap().unwrap();
    assert_eq!(repaired.runs, ["r1", "r2", "r3"]);
    assert!(repaired.kept_in.join("blobs").join(&lone).is_file());
    let report = check(folder.path()).unwrap();
    assert!(report.is_whole(), "{report:?}");
}

/// Whatever is flipped or cut: what is said whole is right, and after a repair all is whole.
#[test]
fn flipped_bytes_are_told_and_repaired() {
    let whole = three_runs();
    let bytes = fs::read(database(whole.path())).unwrap();
    let (mut told, mut saved) = (0, 0);
    let places = (0..bytes.len()).step_by(bytes.len() / 40);
    let cuts = [0, 100, bytes.len() / 2, bytes.len() - 100];
    let flips = places.map(|at| {
        let mut bytes = bytes.clone();
        for byte in bytes.iter_mut().skip(at).take(64) {
            *byte ^= 0x55;
        }
        bytes
    });
    for (number, changed) in flips
        .chain(cuts.map(|cut| bytes[..cut].to_vec()))
        .enumerate()
    {
        let folder = TempDir::new().unwrap();
        fs::create_dir_all(folder.path().join("blobs")).unwrap();
        fs::write(database(folder.path()), &changed).unwrap();
        let report = match check(folder.path()) {
            Ok(report) => report,
            // A flipped version number is that of a newer Holloway.
            Err(StoreError::Newer { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        if report.is_whole() {
            // It hit nothing that is used.
            let store = Store::open(folder.path()).unwrap();
            for run in ["r1", "r2", "r3"] {
                let entries = store.entries(&RunId::new(run), 0).unwrap();
                assert_eq!(entries.len() as u64, STEPS + 2, "{run} of {number}");
            }
            continue;
        }
        told += 1;
        let repaired = repair(folder.path()).unwrap().unwrap();
        saved += repaired.runs.len();
        let kept = fs::read(repaired.kept_in.join("holloway.db")).unwrap();
        assert_eq!(kept, changed, "the old file is kept as it was");
        let after = check(folder.path()).unwrap();
        assert!(after.is_whole(), "{after:?}");
        let store = Store::open(folder.path()).unwrap();
        for run in &repaired.runs {
            let entries = store.entries(&RunId::new(run.as_str()), 0).unwrap();
            assert_eq!(entries.len() as u64, STEPS + 2, "{run}");
        }
    }
    assert!(told > 10 && saved > 10, "{told} told, {saved} runs saved");
}

/// SQLite passes over the rest of a log that is damaged; a check does not.
#[test]
fn a_damaged_log_is_told() {
    let folder = three_runs();
    let store = Store::open(folder.path()).unwrap();
    append_steps(&store, &RunId::new("r3"), STEPS + 3, 12);
    let crashed = || {
        let copy = TempDir::new().unwrap();
        copy_as_after_crash(folder.path(), copy.path());
        copy
    };
    assert!(check(crashed().path()).unwrap().is_whole());
    for at in [5_usize, 60, 5_000, 20_000] {
        let copy = crashed();
        let log = copy.path().join("holloway.db-wal");
        let mut bytes = fs::read(&log).unwrap();
        bytes[at] ^= 0x10;
        fs::write(&log, bytes).unwrap();
        let report = check(copy.path()).unwrap();
        assert_eq!(report.pages.len(), 1, "{at}: {report:?}");
        assert!(report.pages[0].contains("the log"), "{at}: {report:?}");
        let repaired = repair(copy.path()).unwrap().unwrap();
        assert_eq!(repaired.runs.len(), 3, "{at}");
        assert!(repaired.kept_in.join("holloway.db-wal").is_file(), "{at}");
        assert!(check(copy.path()).unwrap().is_whole(), "{at}");
    }
}

#[test]
fn damage_is_never_told_as_our_mistake() {
    let whole = three_runs();
    let bytes = fs::read(database(whole.path())).unwrap();
    let run = RunId::new("r2");
    for at in (0..bytes.len()).step_by(bytes.len() / 60) {
        let folder = TempDir::new().unwrap();
        let mut changed = bytes.clone();
        for byte in changed.iter_mut().skip(at).take(64) {
            *byte ^= 0x55;
        }
        fs::write(database(folder.path()), changed).unwrap();
        let all = |store: Store| {
            store.runs(&crate::RunFilter::default())?;
            store.entries(&run, 0)?;
            store.plan_of(&run)?;
            store.saved_plan("keep").map(|_| ())
        };
        let Err(error) = Store::open(folder.path()).and_then(all) else {
            continue;
        };
        let fine = matches!(
            error.code(),
            "store-damaged" | "store-newer" | "run-unknown"
        );
        assert!(
            fine,
            "{at}: {} {}",
            error.code(),
            visible(&error.to_string())
        );
    }
}

#[test]
fn nobody_repairs_what_is_in_use() {
    let folder = three_runs();
    change(
        folder.path(),
        "DELETE FROM entries WHERE place = (1 << 32) + 5",
    );
    let store = Store::open(folder.path()).unwrap();
    let refused = repair(folder.path()).unwrap_err();
    assert_eq!(refused.code(), "store-in-use");
    drop(store);
    assert!(repair(folder.path()).unwrap().is_some());
}
