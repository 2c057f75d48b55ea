//! A run of `holloway ask` that another process brings to its end: it answers and is remembered all
//! the same.

use crate::place::Place;

const SAVE: &str = "ask 'read notes.txt and append it to log.txt' --plan 1 --quiet";

fn place() -> Place {
    let place = Place::new();
    place.file("notes.txt", "The fox is quick.\n");
    place
}

/// A run that waits for an approval, which is then given.
fn approved() -> Place {
    let place = place();
    let waiting = place.run(SAVE);
    assert_eq!(waiting.code, Some(130), "{waiting}");
    assert_eq!(place.remembered(), 0);
    let approved = place.run("runs approve last --all");
    assert_eq!(approved.code, Some(0), "{approved}");
    place
}

#[test]
fn a_resumed_run_answers_like_one_that_was_never_interrupted() {
    let at_once = place().run(&format!("{SAVE} --yes"));
    assert_eq!(at_once.code, Some(0), "{at_once}");
    let place = approved();
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(resumed.stdout, at_once.stdout);
    assert_eq!(place.remembered(), 1);
    assert_eq!(place.read("log.txt").trim_end(), "The fox is quick.");
}

#[test]
fn programs_get_the_event_of_the_answer_too() {
    let place = approved();
    let resumed = place.run("runs resume last --json");
    let last = resumed.lines().pop().unwrap();
    assert_eq!(last["event"], "answer", "{resumed}");
    assert_eq!(last["files"][0], "log.txt", "{resumed}");
    assert_eq!(place.remembered(), 1);
}

#[test]
fn what_was_not_wanted_is_not_remembered_either() {
    for (key, learned) in [("n", 0), ("\r", 1)] {
        let place = approved();
        let terminal = place.at_terminal("runs resume last", 100, &[]);
        terminal.wait_for("Was this what you wanted? [Y/n]");
        terminal.press(key);
        assert_eq!(terminal.finish().1, Some(0), "{key:?}");
        assert_eq!(place.remembered(), learned, "{key:?}");
    }
}

#[test]
fn a_run_of_a_plan_ends_as_before() {
    let place = place();
    place.file(
        "plan.yaml",
        "version: '1.0'\nid: one\nsteps:\n  - {id: note, tool: file-append, input: {path: log.txt, content: one}}\n",
    );
    place.run("run plan.yaml --quiet");
    place.run("runs approve last --all");
    let resumed = place.run("runs resume last --quiet");
    let result: serde_json::Value = serde_json::from_str(&resumed.stdout).unwrap();
    assert_eq!(result["path"], "log.txt", "{resumed}");
    assert_eq!(place.remembered(), 0);
}
