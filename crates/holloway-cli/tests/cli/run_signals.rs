//! Ctrl-C and its like.

use rustix::process::Signal;

use crate::place::{GATE, Going, Place};

/// Two steps; the second one appends a record, so that a repeat would be seen.
fn gated() -> Place {
    Place::with_plan(&format!(
        "version: '1.0'\nid: slow\nexecution: sequential\nsteps:\n  - {GATE}\n  \
         - {{id: note, tool: jsonl-append, input: {{path: log.jsonl, record: {{n: 1}}}}}}\n"
    ))
}

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
    let place = Place::with_plan(
        "version: '1.0'\nid: asks\nsteps:\n  - {id: tell, tool: send_notification, input: {message: hi}}\n",
    );
    let going = place.start("run plan.yaml --sample-tools --wait");
    place.wait_for_run("the question", |shown| shown["run"]["open_approvals"] == 1);
    going.send(Signal::INT);
    let paused = going.finish();
    place.check("signal_while_waiting", &[&paused]);
}
