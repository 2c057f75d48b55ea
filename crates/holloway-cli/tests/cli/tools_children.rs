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
fn a_server_that_stops_those_above_it_leaves_no_process() {
    let place = with_strays(" freezing");
    waiting(&place).kill();
    nothing_left(&place, "kill -9 with a stopped keeper");
    let place = with_strays(" freezing");
    let going = waiting(&place);
    place.open_gate();
    let ran = going.finish();
    assert_eq!(ran.code, Some(0), "{ran}");
    nothing_left(&place, "the end of a run with a stopped keeper");
}

/// Runs a program that leaves others in sessions of their own, with the mark in what they are.
fn with_stray_programs(command: &str) -> Place {
    let place = Place::new();
    place.file("plan.yaml", &format!(
        "version: '1.0'\nid: leaves\nsteps:\n  - {{id: run, tool: shell-run, timeout_ms: 60000, input: {{command: '{command}'}}}}\n",
    ));
    place
}

/// Programs of this place that run, by the folder they are in.
fn inside(place: &Place) -> Vec<String> {
    let folder = place.path("").canonicalize().unwrap();
    let ids = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        let program = std::fs::read_link(format!("/proc/{id}/exe")).unwrap_or_default();
        let at = std::fs::read_link(format!("/proc/{id}/cwd")).unwrap_or_default();
        at.starts_with(&folder) && program.ends_with("sleep")
    })
    .map(|id| id.to_string())
    .collect()
}

const STRAYS: &str = "setsid sleep 600 & (setsid sh -c \"sleep 600 & sleep 600\" &) ; \
    while [ $(ls /proc/[0-9]*/cwd -l 2>/dev/null | grep -c \"$(pwd)$\") -lt 4 ]; do :; done; touch ready;";

#[test]
fn programs_that_leave_their_session_end_with_their_call() {
    let place = with_stray_programs(&format!("{STRAYS} echo done; kill -9 $$"));
    let ran = place.run("run plan.yaml --allow-shell --yes --json");
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(ran.to_string().contains("done"), "{ran}");
    assert!(ran.to_string().contains(r#""signal":9"#), "{ran}");
    let found = inside(&place);
    assert!(found.is_empty(), "gone before the call is: {found:?}");
    let place = with_stray_programs(&format!("{STRAYS} sleep 600"));
    let going = place.start("run plan.yaml --allow-shell --yes");
    wait_for("the programs", || {
        place.path("ready").exists().then_some(())
    });
    assert!(inside(&place).len() >= 3);
    going.kill();
    wait_for("the end of all programs", || {
        inside(&place).is_empty().then_some(())
    });
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
