//! `holloway run` as a person at a terminal meets it: questions about calls, and the editor.

use rustix::process::Signal;

use crate::place::{GATE, Place, wait_for};

const ASKS: &str = "version: '1.0'\nid: asks\nsteps:\n  - {id: note, tool: file-append, input: {path: log.txt, content: one}}\n";
const KEYS: &str = "[y]es [n]o [e]dit [a]ll yes";
/// Every line is shown once.
const PLAIN: (&str, &str) = ("TERM", "dumb");
const CHANGED: &str = "[y]es, with the changed arguments [n]o [e]dit again";

#[test]
fn an_editor_that_changes_nothing_does_not_make_the_call() {
    for editor in ["true", "touch", "false", "truncate -s 0"] {
        let place = Place::with_plan(ASKS);
        let terminal = place.at_terminal("run plan.yaml", 100, &[PLAIN, ("EDITOR", editor)]);
        terminal.wait_for(KEYS);
        terminal.press("e");
        terminal.wait_for("nothing was changed");
        terminal.wait_for_times(KEYS, 2);
        assert_eq!(place.read("log.txt"), "", "{editor}");
        // What was not changed is asked about as before.
        terminal.press("n");
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(1), "{editor}: {screen}");
        assert!(screen.contains("denied by user"), "{editor}: {screen}");
        assert_eq!(place.read("log.txt"), "", "{editor}");
    }
}

#[test]
fn changed_arguments_are_shown_and_asked_about_once_more() {
    for (key, code, logged) in [("y", 0, "two"), ("n", 1, "")] {
        let place = Place::with_plan(ASKS);
        let editor = ("EDITOR", "sed -i s/one/two/");
        let terminal = place.at_terminal("run plan.yaml", 100, &[PLAIN, editor]);
        terminal.wait_for(KEYS);
        terminal.press("e");
        terminal.wait_for("changed to");
        terminal.wait_for(CHANGED);
        assert_eq!(place.read("log.txt"), "");
        // Yes to all that follows says nothing about these.
        terminal.press("a");
        terminal.press("e");
        terminal.wait_for("nothing was changed");
        terminal.wait_for_times(CHANGED, 2);
        terminal.press(key);
        let (screen, found) = terminal.finish();
        assert_eq!(found, Some(code), "{screen}");
        assert_eq!(place.read("log.txt"), logged, "{screen}");
    }
}

#[test]
fn arguments_that_are_changed_back_are_allowed_as_they_were() {
    let place = Place::with_plan(ASKS);
    let editor = "sed -i -e 's/one/two/;t' -e 's/two/one/'";
    let terminal = place.at_terminal("run plan.yaml", 100, &[PLAIN, ("EDITOR", editor)]);
    terminal.wait_for(KEYS);
    terminal.press("e");
    terminal.wait_for(CHANGED);
    terminal.press("e");
    terminal.wait_for("the arguments are as they were");
    terminal.wait_for_times(KEYS, 2);
    terminal.press("y");
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("a1 (note) allowed by user"), "{screen}");
    assert_eq!(place.read("log.txt"), "one");
}

#[test]
fn a_result_that_nobody_gave_is_not_recorded() {
    let place = Place::with_plan(&format!("version: '1.0'\nid: slow\nsteps:\n  - {GATE}\n"));
    let going = place.start("run plan.yaml --allow-shell --yes");
    place.wait_for_first_step();
    going.kill();
    let terminal = place.at_terminal("runs resume last", 100, &[("EDITOR", "true")]);
    terminal.wait_for("[d]one");
    terminal.press("d");
    terminal.wait_for("no result was given");
    terminal.send(Signal::INT);
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    assert!(!screen.contains("result given"), "{screen}");
    let shown = place.json("runs show last");
    assert_eq!(shown["run"]["open_approvals"], 1, "{shown}");
}

#[test]
fn an_editor_does_not_hold_up_the_end() {
    let place = Place::with_plan(ASKS);
    let editor = "touch started; until test -e open || ! test -e home; do sleep 0.02; done; true";
    let terminal = place.at_terminal("run plan.yaml", 100, &[("EDITOR", editor)]);
    terminal.wait_for(KEYS);
    terminal.press("e");
    wait_for("the editor", || {
        place.path("started").exists().then_some(())
    });
    terminal.send(Signal::TERM);
    let (screen, code) = terminal.finish();
    place.open_gate();
    assert_eq!(code, Some(130), "{screen}");
    assert_eq!(place.read("log.txt"), "");
}

#[test]
fn the_totals_count_the_step_that_has_just_ended() {
    let place = Place::with_plan(&format!(
        "version: '1.0'\nid: two\nexecution: sequential\nsteps:\n  \
         - {{id: one, tool: echo, input: {{value: 1}}}}\n  - {GATE}\n"
    ));
    let terminal = place.at_terminal("run plan.yaml --allow-shell --yes", 100, &[]);
    terminal.wait_for("1/2 steps · 50 %");
    place.open_gate();
    assert_eq!(terminal.finish().1, Some(0));
}
