//! `holloway run`, where people are asked.

use crate::place::Place;

const THREE: &str = "version: '1.0'\nid: three\nsteps:\n  \
    - {id: one, tool: send_notification, input: {message: one}}\n  \
    - {id: two, tool: send_notification, input: {message: two}}\n  \
    - {id: three, tool: send_notification, input: {message: three}}\n";

#[test]
fn answers_in_reverse_order_after_a_kill() {
    let place = Place::with_plan(THREE);
    let going = place.start("run plan.yaml --sample-tools --wait");
    place.wait_for_run("three questions", |shown| {
        shown["run"]["open_approvals"] == 3
    });
    going.kill();
    let answers = ["a3", "a2", "a1"].map(|name| place.run(&format!("runs approve last {name}")));
    let twice = place.run("runs approve last a2");
    let resumed = place.run("runs resume last --json");
    let resolved: Vec<String> = resumed
        .lines()
        .iter()
        .filter(|line| line["type"] == "approval_resolved")
        .map(|line| line["approval"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(resolved, ["a3", "a2", "a1"]);
    assert_eq!(resumed.code, Some(0));
    let [a3, a2, a1] = &answers;
    place.check("approvals_after_kill", &[a3, a2, a1, &twice]);
}

#[test]
fn a_waiting_process_hears_answers_from_elsewhere() {
    let place = Place::with_plan(THREE);
    let going = place.start("run plan.yaml --sample-tools --quiet --wait");
    place.wait_for_run("three questions", |shown| {
        shown["run"]["open_approvals"] == 3
    });
    let denied = place.run("runs deny last a1 --note 'not today'");
    // The others are still asked, and go on.
    let second = place.run("runs approve last a2");
    let third = place.run("runs approve last a3");
    let ran = going.finish();
    place.check(
        "approvals_denied_elsewhere",
        &[&denied, &second, &third, &ran],
    );
}

#[test]
fn without_waiting_the_run_pauses() {
    let place = Place::with_plan(THREE);
    let paused = place.run("run plan.yaml --sample-tools --no-wait");
    let again = place.run("runs resume last --no-wait --quiet");
    let all = place.run("runs approve last --all");
    let done = place.run("runs resume last --no-wait --quiet");
    place.check("approvals_no_wait", &[&paused, &again, &all, &done]);
}

#[test]
fn waiting_as_json() {
    let place = Place::with_plan(THREE);
    let paused = place.run("run plan.yaml --sample-tools --no-wait --json");
    let last = paused.lines().pop().unwrap();
    assert_eq!(paused.code, Some(0));
    assert_eq!(last["status"], "waiting");
    assert_eq!(last["approvals"].as_array().unwrap().len(), 3);
}

#[test]
fn everything_allowed_beforehand() {
    let place = Place::with_plan(THREE);
    let ran = place.run("run plan.yaml --sample-tools --yes --concurrency 1 --quiet");
    place.check("approvals_yes", &[&ran]);
}

#[test]
fn where_nobody_can_be_asked_the_run_stops_and_says_how_to_go_on() {
    let place = Place::with_plan(
        "version: '1.0'\nid: one\nsteps:\n  - {id: one, tool: send_notification, input: {message: one}}\n",
    );
    let stopped = place.run("run plan.yaml --sample-tools --quiet");
    let json = place.run("run plan.yaml --sample-tools --json");
    assert_eq!(json.code, Some(130), "{json}");
    assert_eq!(json.lines().pop().unwrap()["status"], "waiting");
    let both = place.run("run plan.yaml --wait --no-wait");
    assert_eq!(both.code, Some(2), "{both}");
    let approved = place.run("runs approve last a1");
    let resumed = place.run("runs resume last --quiet");
    place.check("approvals_nobody", &[&stopped, &approved, &resumed]);
}

#[test]
fn a_resumed_run_hints_only_at_what_there_is() {
    let place = Place::with_plan(THREE);
    let begun = place.run("run plan.yaml --sample-tools");
    assert!(
        begun.stderr.contains("--yes allows every call beforehand"),
        "{begun}"
    );
    let resumed = place.run("runs resume last");
    assert_eq!(resumed.code, Some(130), "{resumed}");
    assert!(!resumed.stderr.contains("--yes"), "{resumed}");
    assert!(
        resumed.stderr.contains("--all` allows what is open"),
        "{resumed}"
    );
}
