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

const ENROL: &str = "version: '1.0'\nid: enrol\nsteps:\n  - {id: enter, tool: mcp.login/enrol, input: {user: ann}}\n";

/// A place whose plan calls a tool that asks for something itself.
fn enrolling() -> Place {
    let place = Place::with_plan(ENROL);
    place.file("login_server.py", include_str!("login_server.py"));
    let added = place.run("tools add mcp:login -- python3 login_server.py seen.txt");
    assert_eq!(added.code, Some(0), "{added}");
    place
}

/// The run is paused and can be taken to its end.
fn goes_on(place: &Place) {
    let shown = place.json("runs show last");
    assert_eq!(shown["run"]["status"], "paused", "{shown}");
    // The call may have done something, so it is not made again unasked.
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(resumed.code, Some(130), "{resumed}");
    let doubt = "it may or may not have happened";
    assert!(resumed.stderr.contains(doubt), "{resumed}");
    let terminal = place.at_terminal("runs resume last", 100, &[("TERM", "dumb")]);
    terminal.wait_for("[a]gain");
    terminal.press("a");
    terminal.wait_for("[a]nswer");
    terminal.press("a");
    terminal.wait_for("pin");
    terminal.press("4711\n");
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    // What the server made of its first call, when nobody listened any more, is its own affair.
    assert!(
        place.read("seen.txt").ends_with("{\"pin\": 4711}\n"),
        "{screen}"
    );
}

#[test]
fn a_question_of_a_tool_does_not_hold_up_the_end() {
    for signal in endings().into_iter().chain([Signal::INT]) {
        let place = enrolling();
        let terminal = place.at_terminal("run plan.yaml --yes", 100, &[]);
        terminal.wait_for("[a]nswer");
        terminal.send(signal);
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(130), "{signal:?}: {screen}");
        assert!(
            screen.contains("paused; go on with"),
            "{signal:?}: {screen}"
        );
        goes_on(&place);
    }
}

#[test]
fn neither_does_one_that_is_being_answered() {
    let place = enrolling();
    let terminal = place.at_terminal("run plan.yaml --yes", 100, &[]);
    terminal.wait_for("[a]nswer");
    terminal.press("a");
    terminal.wait_for("not shown");
    terminal.press("47");
    terminal.send(Signal::TERM);
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    goes_on(&place);
}

#[test]
fn neither_does_one_that_waits_for_an_answer_from_elsewhere() {
    for flags in ["--wait --quiet", "--wait --json"] {
        let place = enrolling();
        let going = place.start(&format!("run plan.yaml --yes {flags}"));
        place.wait_for_run("the question", |shown| shown["run"]["open_approvals"] == 1);
        going.send(Signal::TERM);
        let ran = going.finish();
        assert_eq!(ran.code, Some(130), "{ran}");
        goes_on(&place);
    }
}

#[test]
fn a_run_that_somebody_else_paused_ends_too() {
    let place = enrolling();
    let going = place.start("run plan.yaml --yes --wait --quiet");
    place.wait_for_run("the question", |shown| shown["run"]["open_approvals"] == 1);
    let paused = place.run("runs pause last");
    assert_eq!(paused.code, Some(0), "{paused}");
    wait_for_pause(&place);
    going.send(Signal::TERM);
    let ran = going.finish();
    assert_eq!(ran.code, Some(130), "{ran}");
    goes_on(&place);
}

#[test]
fn a_call_that_never_ends_does_not_hold_up_a_question() {
    let place = enrolling();
    let asks = ENROL.lines().last().unwrap();
    place.file(
        "plan.yaml",
        &format!("version: '1.0'\nid: two\nsteps:\n  - {GATE}\n{asks}\n"),
    );
    let going = place.start("run plan.yaml --yes --wait --quiet --allow-shell");
    place.wait_for_run("the question", |shown| shown["run"]["open_approvals"] == 1);
    going.send(Signal::TERM);
    let ran = going.finish();
    place.open_gate();
    assert_eq!(ran.code, Some(130), "{ran}");
    let shown = place.json("runs show last");
    assert_eq!(shown["run"]["status"], "paused", "{shown}");
}
