//! Ctrl-C and its like.

use rustix::process::Signal;

use crate::place::{Going, Place};

/// Two steps; the second one appends a record, so that a repeat would be seen.
fn slow(ms: u32) -> Place {
    Place::with_plan(&format!(
        "version: '1.0'\nid: slow\nexecution: sequential\nsteps:\n  - {{id: wait, tool: sleep, input: {{ms: {ms}}}}}\n  \
         - {{id: note, tool: jsonl-append, input: {{path: log.jsonl, record: {{n: 1}}}}}}\n"
    ))
}

fn started(place: &Place) -> Going {
    let going = place.start("run plan.yaml");
    place.wait_for_run("the first step", |shown| {
        shown["trace"]["entries"][0]["status"] == "running"
    });
    going
}

#[test]
fn the_first_interrupt_pauses_and_the_run_can_be_resumed() {
    for (signal, name) in [(Signal::INT, "signal_int"), (Signal::TERM, "signal_term")] {
        let place = slow(700);
        let going = started(&place);
        going.send(signal);
        let paused = going.finish();
        let listed = place.run("runs list --status paused");
        let resumed = place.run("runs resume last");
        place.check(name, &[&paused, &listed, &resumed]);
        assert_eq!(place.read("log.jsonl").lines().count(), 1);
    }
}

#[test]
fn the_second_interrupt_stops_at_once() {
    let place = slow(600_000);
    let going = started(&place);
    going.send(Signal::INT);
    place.wait_for_run("the pause", |shown| shown["run"]["status"] == "paused");
    going.send(Signal::INT);
    let stopped = going.finish();
    place.check("signal_twice", &[&stopped]);
}

#[test]
fn waiting_only_for_approvals_an_interrupt_ends_at_once() {
    let place = Place::with_plan(
        "version: '1.0'\nid: asks\nsteps:\n  - {id: tell, tool: send_notification, input: {message: hi}}\n",
    );
    let going = place.start("run plan.yaml --sample-tools");
    place.wait_for_run("the question", |shown| shown["run"]["open_approvals"] == 1);
    going.send(Signal::INT);
    let paused = going.finish();
    place.check("signal_while_waiting", &[&paused]);
}
