//! What is left of an MCP server when `holloway` has ended? Nothing: not the server, not
//! what it started, not whoever looked after it; however `holloway` came to its end.

use rustix::process::Signal;

use crate::place::{Going, Place, wait_for};

const SERVER: &str = include_str!("stray_server.py");

/// The server and the three that it leaves behind.
const FEWEST: usize = 4;

/// A place with the server added, and a plan that waits in it.
fn with_strays(kind: &str) -> Place {
    let place = Place::new();
    place.file("stray_server.py", SERVER);
    place.file(
        "plan.yaml",
        "version: '1.0'\nid: waits\nsteps:\n  - {id: wait, tool: mcp.stray/wait, timeout_ms: 60000, input: {}}\n",
    );
    let added = place.run(&format!(
        "tools add mcp:stray --env STRAY_MARK={} -- python3 stray_server.py calls.txt{kind}",
        mark(&place)
    ));
    assert_eq!(added.code, Some(0), "{added}");
    nothing_left(&place, "adding the server");
    place
}

/// In the environment of everything that belongs to the server of this place.
fn mark(place: &Place) -> String {
    let folder = place.path("").canonicalize().unwrap();
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

/// The ids and command lines of all processes with the mark in their environment, as
/// their own variable or inside another.
fn marked(place: &Place) -> Vec<String> {
    let (mark, variable) = (mark(place), "STRAY_MARK");
    let ids = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let environment = String::from_utf8_lossy(&environment);
        environment.contains(&mark) && environment.contains(variable)
    })
    .map(|id| {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        format!("{id} {}", String::from_utf8_lossy(&line).replace('\0', " "))
    })
    .collect()
}

/// A process that was killed needs a moment to go.
fn nothing_left(place: &Place, after: &str) {
    wait_for(&format!("the end of all processes after {after}"), || {
        marked(place).is_empty().then_some(())
    });
}

/// A run whose call is under way.
fn waiting(place: &Place) -> Going {
    let going = place.start("run plan.yaml");
    place.wait_for_text("calls.txt", "wait");
    let found = marked(place);
    assert!(found.len() >= FEWEST, "the children are there: {found:?}");
    going
}

#[test]
fn a_run_that_ends_leaves_no_process() {
    for kind in ["", " stubborn"] {
        let place = with_strays(kind);
        let going = waiting(&place);
        place.open_gate();
        let ran = going.finish();
        assert_eq!(ran.code, Some(0), "{ran}");
        let found = marked(&place);
        assert!(found.is_empty(), "gone before `holloway` is: {found:?}");
    }
}

#[test]
fn a_run_that_is_killed_leaves_no_process() {
    for kind in ["", " stubborn"] {
        let place = with_strays(kind);
        waiting(&place).kill();
        nothing_left(&place, "kill -9");
    }
}

#[test]
fn a_run_that_is_interrupted_twice_leaves_no_process() {
    let place = with_strays(" stubborn");
    let going = waiting(&place);
    going.send(Signal::INT);
    place.wait_for_run("the pause", |shown| shown["run"]["status"] == "paused");
    going.send(Signal::INT);
    let stopped = going.finish();
    assert_ne!(stopped.code, Some(0), "{stopped}");
    nothing_left(&place, "two interrupts");
}

#[test]
fn a_server_that_kills_its_keeper_leaves_no_process() {
    let place = with_strays(" murderous");
    let going = waiting(&place);
    place.open_gate();
    let ran = going.finish();
    assert_ne!(ran.code, Some(0), "it dies with its keeper: {ran}");
    nothing_left(&place, "the death of the keeper");
}

#[test]
fn a_server_that_dies_takes_its_children_along() {
    let place = with_strays("");
    let going = waiting(&place);
    let server = marked(&place)
        .into_iter()
        .filter(|line| line.contains("stray_server.py"))
        .filter_map(|line| line.split(' ').next()?.parse::<i32>().ok())
        .min()
        .unwrap();
    let former = marked(&place);
    let server = rustix::process::Pid::from_raw(server).unwrap();
    rustix::process::kill_process(server, Signal::KILL).unwrap();
    wait_for("the end of the former children", || {
        let now = marked(&place);
        former.iter().all(|line| !now.contains(line)).then_some(())
    });
    place.open_gate();
    let ran = going.finish();
    assert_eq!(ran.code, Some(0), "a read is repeated: {ran}");
    nothing_left(&place, "the death of the server");
}
