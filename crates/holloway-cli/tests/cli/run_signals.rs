//! Ctrl-C and its like, and a terminal that is closed.

use rustix::process::Signal;

use crate::place::{GATE, Going, Place, endings};

/// Two steps; the second one appends a record, so that a repeat would be seen.
fn gated() -> Place {
    Place::with_plan(&format!(
        "version: '1.0'\nid: slow\nexecution: sequential\nsteps:\n  - {GATE}\n  \
         - {{id: note, tool: jsonl-append, input: {{path: log.jsonl, record: {{n: 1}}}}}}\n"
    ))
}

const ASKS: &str = "version: '1.0'\nid: asks\nsteps:\n  - {id: tell, tool: send_notification, input: {message: hi}}\n";

fn started(place: &Place) -> Going {
    let going = place.start("run plan.yaml --allow-shell --yes");
    place.wait_for_first_step();
    going
}

fn wait_for_pause(place: &Place) {
    place.wait_for_run("the pause", |shown| shown["run"]["status"] == "paused");
}

#[test]
fn the_first_interrupt_pauses_and_the_run_can_be_resumed() {
    for (signal, name) in [(Signal::INT, "signal_int"), (Signal::TERM, "signal_term")] {
        let place = gated();
        let going = started(&place);
        going.send(signal);
        wait_for_pause(&place);
        place.open_gate();
        let paused = going.finish();
        let listed = place.run("runs list --status paused");
        let resumed = place.run("runs resume last");
        place.check(name, &[&paused, &listed, &resumed]);
        assert_eq!(place.read("log.jsonl").lines().count(), 1);
    }
}

#[test]
fn the_second_interrupt_stops_at_once() {
    let place = gated();
    let going = started(&place);
    going.send(Signal::INT);
    wait_for_pause(&place);
    going.send(Signal::INT);
    let stopped = going.finish();
    place.check("signal_twice", &[&stopped]);
}

#[test]
fn waiting_only_for_approvals_an_interrupt_ends_at_once() {
    let place = Place::with_plan(ASKS);
    let going = place.start("run plan.yaml --sample-tools --wait");
    place.wait_for_run("the question", |shown| shown["run"]["open_approvals"] == 1);
    going.send(Signal::INT);
    let paused = going.finish();
    place.check("signal_while_waiting", &[&paused]);
}

#[test]
fn a_closed_terminal_pauses_the_run_and_lets_go_of_it() {
    for signal in endings() {
        let place = Place::with_plan(ASKS);
        let terminal = place.at_terminal("run plan.yaml --sample-tools", 100, &[]);
        terminal.wait_for("[y]es");
        terminal.send(signal);
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(130), "{signal:?}: {screen}");
        let shown = place.json("runs show last");
        assert_eq!(shown["run"]["status"], "paused", "{shown}");
        let approved = place.run("runs approve last a1");
        assert_eq!(approved.code, Some(0), "{approved}");
        let resumed = place.run("runs resume last");
        assert_eq!(resumed.code, Some(0), "{resumed}");
    }
}

#[test]
fn a_closed_terminal_pauses_a_run_of_a_script_too() {
    for signal in endings() {
        let place = gated();
        let going = place.start("run plan.yaml --allow-shell --yes --json");
        place.wait_for_first_step();
        going.send(signal);
        // A terminal that closes may tell it twice.
        if signal == Signal::HUP {
            wait_for_pause(&place);
            going.send(signal);
        }
        wait_for_pause(&place);
        place.open_gate();
        let paused = going.finish();
        assert_eq!(paused.code, Some(130), "{signal:?}: {paused}");
        assert_eq!(paused.lines().pop().unwrap()["status"], "paused");
        let resumed = place.run("runs resume last");
        assert_eq!(resumed.code, Some(0), "{resumed}");
        assert_eq!(place.read("log.jsonl").lines().count(), 1);
    }
}
