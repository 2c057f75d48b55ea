//! Does the store get by with a disk that is full, fails, or may not be written?
//! The ignored tests without a reason of their own are other processes.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use holloway_engine::entry::RunId;
use holloway_engine::ports::JournalError;
use serde_json::json;
use tempfile::TempDir;

use super::super::Store;
use super::processes::{FOLDER, hear, lines, other_process, say, store_of_parent, wait_for_a_line};
use super::{append, new_run, step, step_with, with_run};

#[test]
#[ignore = "another process"]
fn append_until_full_and_again() {
    let (store, run) = (store_of_parent(), RunId::new("r1"));
    let large = |seq| vec![step_with(seq, json!("x".repeat(20_000)))];
    let (seq, error) = (1..)
        .find_map(|seq| {
            append(&store, &run, large(seq))
                .err()
                .map(|error| (seq, error))
        })
        .unwrap();
    assert!(matches!(error, JournalError::Storage(_)), "{error}");
    assert!(append(&store, &run, large(seq)).is_err());
    assert_eq!(store.entries(&run, 0).unwrap().len() as u64, seq - 1);
    say(&format!("full {seq}"));
    wait_for_a_line();
    append(&store, &run, large(seq)).unwrap();
    say(&format!("resumed {seq}"));
}

/// Files may not pass one MiB, until they may: what a full disk does, without one.
#[test]
fn a_full_disk_refuses_and_space_that_returns_is_used() {
    let (folder, store, run) = with_run();
    drop(store);
    let limit = [
        "sh",
        "-c",
        "trap '' XFSZ; ulimit -S -f 2048; exec \"$0\" \"$@\"",
    ];
    let mut child = other_process(&limit, "disk::append_until_full_and_again", folder.path());
    let mut lines = lines(&mut child);
    let refused: usize = hear(&mut lines, "full ").parse().unwrap();
    let lift = ["--fsize=unlimited", "--pid", &child.id().to_string()].map(str::to_owned);
    assert!(
        Command::new("prlimit")
            .args(lift)
            .status()
            .unwrap()
            .success()
    );
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    hear(&mut lines, "resumed ");
    assert!(child.wait().unwrap().success());
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.entries(&run, 0).unwrap().len(), refused);
}

#[test]
#[ignore = "another process"]
fn append_through_failures() {
    let folder = std::env::var_os(FOLDER).unwrap();
    // Opening may fail as well, and then succeed.
    let store = (0..9).find_map(|_| Store::open(Path::new(&folder)).ok());
    let (store, run) = (store.unwrap(), RunId::new("r1"));
    let mut refused = 0;
    for seq in 1..=300 {
        while let Err(error) = append(&store, &run, vec![step(seq)]) {
            assert!(matches!(error, JournalError::Storage(_)), "{error}");
            refused += 1;
            assert!(refused < 1_000, "no way forward");
        }
        assert_eq!(store.run(&run).unwrap().unwrap().entries, seq);
    }
    say(&format!("refused {refused}"));
}

/// Each call in turn fails once, twice in a row, or ever so often, and the same
/// append succeeds after it.
#[test]
#[ignore = "needs strace"]
fn a_failing_disk_costs_attempts_but_no_entry() {
    let mut refused = 0;
    for call in [
        "fdatasync:error=EIO",
        "pwrite64:error=ENOSPC",
        "pwrite64:error=EIO",
    ] {
        for when in ["1", "2", "3", "4", "5+17", "20..21", "150+41"] {
            let (folder, store, run) = with_run();
            drop(store);
            let fault = format!("inject={call}:when={when}");
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &fault];
            let mut child = other_process(&strace, "disk::append_through_failures", folder.path());
            let mut lines = lines(&mut child);
            let told = hear(&mut lines, "refused ");
            refused += told.parse::<u32>().unwrap();
            assert!(child.wait().unwrap().success());
            let found = Store::open(folder.path())
                .unwrap()
                .entries(&run, 0)
                .unwrap();
            assert_eq!(found, (1..=300).map(step).collect::<Vec<_>>(), "{fault}");
        }
    }
    assert!(refused > 0);
}

#[test]
#[ignore = "another process"]
fn open_without_permission() {
    let folder = std::env::var_os(FOLDER).unwrap();
    match Store::open(Path::new(&folder)) {
        Ok(store) => say(&format!(
            "opened {:?}",
            store.create_run(new_run("r2", 1)).is_ok()
        )),
        Err(error) => say(&format!("refused {}: {error}", error.code())),
    }
}

#[test]
fn a_folder_that_may_only_be_read_is_refused_by_name() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let check = |folder: &Path, expected: &str| {
        let allow = |mode| std::fs::set_permissions(folder, PermissionsExt::from_mode(mode));
        allow(0o555).unwrap();
        // The superuser may write anywhere unless it gives that up.
        let all_powerful = std::fs::metadata("/proc/self").unwrap().uid() == 0;
        let wrapper: &[&str] = if all_powerful {
            &["setpriv", "--bounding-set=-all"]
        } else {
            &[]
        };
        let mut child = other_process(wrapper, "disk::open_without_permission", folder);
        let mut lines = lines(&mut child);
        let told = hear(&mut lines, "refused ");
        child.wait().unwrap();
        allow(0o755).unwrap();
        let start = format!(
            "store-folder: the data folder cannot be used: {}",
            folder.display()
        );
        assert!(told.starts_with(&(start + expected)), "{told}");
    };
    check(TempDir::new().unwrap().path(), "/blobs: Permission denied");
    let (used, store, _run) = with_run();
    drop(store);
    check(used.path(), "/holloway.db: ");
}
