//! Does it all hold between processes, when one of them is killed? The ignored
//! tests are the other processes, started by the rest.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use holloway_engine::entry::RunId;

use super::super::{Store, StoreError};
use super::{append_steps, step, with_run};

pub(super) const FOLDER: &str = "HOLLOWAY_TEST_FOLDER";

/// Another process that does what the ignored test `role` says, started by way of `wrapper`.
pub(super) fn other_process(wrapper: &[&str], role: &str, folder: &Path) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut words: Vec<_> = wrapper.iter().map(Into::into).collect();
    words.push(program.into_os_string());
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .args(["--ignored", "--nocapture", "--exact"])
        .arg(format!("tests::{role}"))
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for a line that begins with `start`; returns the rest of it.
pub(super) fn hear(
    lines: &mut impl Iterator<Item = std::io::Result<String>>,
    start: &str,
) -> String {
    for line in lines {
        if let Some((_, rest)) = line.unwrap().split_once(start) {
            return rest.to_owned();
        }
    }
    panic!("the other process ended without saying `{start}`");
}

pub(super) fn lines(child: &mut Child) -> impl Iterator<Item = std::io::Result<String>> + use<> {
    BufReader::new(child.stdout.take().unwrap()).lines()
}

pub(super) fn say(text: &str) {
    writeln!(std::io::stdout(), "\n{text}").unwrap();
}

pub(super) fn wait_for_a_line() {
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

pub(super) fn store_of_parent() -> Store {
    Store::open(Path::new(&std::env::var_os(FOLDER).unwrap())).unwrap()
}

#[test]
#[ignore = "another process"]
fn hold_a_claim() {
    let _claim = store_of_parent()
        .claim(&RunId::new("r1"), "the other")
        .unwrap();
    say("holding");
    wait_for_a_line();
}

#[test]
fn a_killed_owner_lets_go() {
    let (folder, store, run) = with_run();
    let mut child = other_process(&[], "processes::hold_a_claim", folder.path());
    let mut lines = lines(&mut child);
    hear(&mut lines, "holding");
    let Err(StoreError::Owned { pid, command, .. }) = store.claim(&run, "me") else {
        panic!("two owners");
    };
    assert_eq!((pid, command.as_str()), (child.id(), "the other"));
    assert_eq!(store.owner(&run).unwrap().unwrap().pid, child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(store.owner(&run).unwrap(), None);
    store.claim(&run, "me").unwrap();
}

#[test]
#[ignore = "another process"]
fn append_for_ever() {
    let store = store_of_parent();
    for seq in 1.. {
        append_steps(&store, &RunId::new("r1"), seq, 1);
        say(&format!("acknowledged {seq}"));
    }
}

#[test]
fn nothing_acknowledged_is_lost_by_a_kill() {
    for acknowledged in [1_usize, 40, 300] {
        let (folder, store, run) = with_run();
        drop(store);
        let mut child = other_process(&[], "processes::append_for_ever", folder.path());
        let mut lines = lines(&mut child);
        hear(&mut lines, &format!("acknowledged {acknowledged}"));
        child.kill().unwrap();
        child.wait().unwrap();
        let last = lines
            .map_while(Result::ok)
            .filter(|line| line.starts_with("ack"))
            .count();
        let store = Store::open(folder.path()).unwrap();
        let found = store.entries(&run, 0).unwrap();
        assert!(found.len() >= acknowledged + last);
        for (seq, entry) in (1..).zip(&found) {
            assert_eq!(entry, &step(seq));
        }
        append_steps(&store, &run, found.len() as u64 + 1, 1);
    }
}
