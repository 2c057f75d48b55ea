//! Is a file that SQLite or the file system takes for something else told as damage?

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;

use holloway_engine::entry::RunId;
use holloway_engine::ports::{BlobStore as _, JournalError};
use holloway_plan::hidden::is_hidden;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::{RunFilter, RunStatus, Store, StoreError, check, repair};
use super::repair::{change, damaged, database, three_runs};
use super::{append, fresh, new_run, step_with};

fn code(opened: Result<Store, StoreError>) -> &'static str {
    opened.err().map_or("opened", |error| error.code())
}

/// The file with one bit turned, in a folder of its own.
fn flipped(bytes: &[u8], at: usize, bit: u8) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1 << bit;
    fs::write(database(folder.path()), bytes).unwrap();
    folder
}

#[test]
fn a_flipped_form_or_format_number_is_told_and_costs_nothing() {
    let bytes = fs::read(database(three_runs().path())).unwrap();
    let (mut saved, mut newer) = (0, 0);
    for at in [18, 60, 61, 62, 63] {
        for bit in 0..8 {
            let folder = flipped(&bytes, at, bit);
            let opened = code(Store::open(folder.path()));
            let report = match check(folder.path()) {
                Err(error) => {
                    assert_eq!((error.code(), opened), ("store-newer", "store-newer"));
                    newer += 1;
                    continue;
                }
                Ok(report) => report,
            };
            assert_eq!(opened, "store-damaged", "{at} {bit}");
            assert_eq!(report.pages.len(), 1, "{at} {bit}: {report:?}");
            assert_eq!(damaged(&report), [""; 0]);
            let repaired = repair(folder.path()).unwrap().unwrap();
            assert_eq!(repaired.runs, ["r1", "r2", "r3"], "{at} {bit}");
            assert!(repaired.left.is_empty(), "{:?}", repaired.left);
            assert!(check(folder.path()).unwrap().is_whole(), "{at} {bit}");
            saved += 1;
        }
    }
    assert_eq!((saved, newer), (32, 8));
}

#[test]
fn a_database_that_was_emptied_is_not_a_new_one() {
    let bytes = fs::read(database(three_runs().path())).unwrap();
    for length in [0, 1, 16, 99, 100, 511] {
        let folder = TempDir::new().unwrap();
        fs::write(database(folder.path()), &bytes[..length]).unwrap();
        assert_eq!(
            code(Store::open(folder.path())),
            "store-damaged",
            "{length}"
        );
        let kept = fs::read(database(folder.path())).unwrap();
        assert_eq!(kept, &bytes[..length]);
        assert!(check(folder.path()).unwrap().unreadable.is_some());
        repair(folder.path()).unwrap().unwrap();
        Store::open(folder.path()).unwrap();
    }
    let folder = three_runs();
    fs::remove_file(database(folder.path())).unwrap();
    fs::write(folder.path().join("holloway.db-wal"), "of the old one").unwrap();
    assert_eq!(code(Store::open(folder.path())), "store-damaged");
    assert!(!check(folder.path()).unwrap().is_whole());
}

#[test]
fn what_an_interrupted_opening_left_is_no_damage() {
    let folder = TempDir::new().unwrap();
    for end in ["", "-wal", "-shm"] {
        fs::write(folder.path().join(format!("holloway.db.new{end}")), "half").unwrap();
    }
    assert!(check(folder.path()).unwrap().is_whole());
    drop(Store::open(folder.path()).unwrap());
    assert!(!folder.path().join("holloway.db.new").exists());
    assert!(check(folder.path()).unwrap().is_whole());
}

#[test]
fn a_damaged_line_does_not_hide_the_other_runs() {
    for set in [
        "status = 'sucbeeded'",
        "status = CAST(x'ff' AS TEXT)",
        "run = CAST(x'72ff31' AS TEXT)",
        "run = 'r/2'",
        "run = ''",
        "plan_id = CAST(x'ff' AS TEXT)",
        "objective = CAST(x'ff' AS TEXT)",
    ] {
        let folder = three_runs();
        change(
            folder.path(),
            &format!("UPDATE runs SET {set} WHERE id = 2"),
        );
        let store = Store::open(folder.path()).unwrap();
        let runs = store.runs(&RunFilter::default()).unwrap();
        let status: Vec<RunStatus> = runs.iter().map(|run| run.status).collect();
        let expected = [
            RunStatus::Succeeded,
            RunStatus::Damaged,
            RunStatus::Succeeded,
        ];
        assert_eq!(status, expected, "{set}");
        drop(store);
        let told = damaged(&check(folder.path()).unwrap());
        assert_eq!(told.len(), 1, "{set}: {told:?}");
        let repaired = repair(folder.path()).unwrap().unwrap();
        assert_eq!(repaired.runs, ["r1", "r3"], "{set}");
        assert!(check(folder.path()).unwrap().is_whole(), "{set}");
    }
}

#[test]
fn only_a_file_is_a_large_result() {
    type Put = fn(&Path);
    let puts: [(&str, Put); 4] = [
        ("a pipe", |path| {
            mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
        }),
        ("a socket", |path| drop(UnixListener::bind(path).unwrap())),
        ("a folder", |path| fs::create_dir(path).unwrap()),
        ("a device", |path| {
            std::os::unix::fs::symlink("/dev/zero", path).unwrap();
        }),
    ];
    for (what, put) in puts {
        let (folder, store) = fresh();
        let digest = store.put(&mut |to| to.write_all(b"large")).unwrap().blob;
        let (start, rest) = digest.split_at(2);
        let path = folder.path().join("blobs").join(start).join(rest);
        fs::remove_file(&path).unwrap();
        put(&path);
        let error = store.open(&digest).err().unwrap();
        assert!(matches!(error, JournalError::Corrupt(_)), "{what}: {error}");
        // Written again, it is whole, or said to be in the way.
        let again = store.put(&mut |to| to.write_all(b"large"));
        assert_eq!(again.is_err(), what == "a folder", "{what}");
        if again.is_ok() {
            fs::remove_file(&path).unwrap();
            put(&path);
        }
        drop(store);
        let report = check(folder.path()).unwrap();
        let told = report.records.last().unwrap().damaged.join(" ");
        assert!(told.ends_with("is not a file"), "{what}: {told}");
        repair(folder.path()).unwrap().unwrap();
        let report = check(folder.path()).unwrap();
        assert!(report.is_whole(), "{what}: {report:?}");
    }
}

#[test]
fn what_repair_writes_steers_no_terminal() {
    let folder = three_runs();
    let store = Store::open(folder.path()).unwrap();
    let run = RunId::new("r4");
    let mut new = new_run("r4", 9);
    new.objective = Some("hide \u{1b}[8m \u{9b}2J \u{202e}".to_owned());
    store.create_run(new).unwrap();
    let output = json!("\u{9b}2J \u{202e} \u{7f}");
    append(&store, &run, vec![step_with(1, output.clone())]).unwrap();
    drop(store);
    change(
        folder.path(),
        "UPDATE runs SET status = 'ended' WHERE run = 'r4';
         UPDATE runs SET run = 'r' || char(27, 10, 155) || 'x' WHERE id = 2;
         UPDATE plans SET id = 'keep' || char(27, 10, 8238), plan_json = '{'",
    );
    let repaired = repair(folder.path()).unwrap().unwrap();
    let copies = repaired.left.iter().filter_map(|left| left.copy.clone());
    let copies: Vec<_> = copies.collect();
    assert_eq!(copies.len(), 2);
    let listing = fs::read_to_string(repaired.kept_in.join("listing.txt")).unwrap();
    assert!(!listing.chars().any(is_hidden), "{listing:?}");
    assert!(listing.contains("run r\\x1b\\n⟨U+009B⟩x: "), "{listing}");
    for copy in &copies {
        let text = fs::read_to_string(copy).unwrap();
        assert!(!text.chars().any(is_hidden), "{text:?}");
        let lines = text.lines().map(serde_json::from_str::<Value>);
        let lines: Vec<Value> = lines.collect::<Result<_, _>>().unwrap();
        if lines[0]["run"] == "r4" {
            assert_eq!(lines[1]["output"], output);
        }
    }
}
