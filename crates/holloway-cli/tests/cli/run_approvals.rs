//! `holloway run`, where people are asked.

use crate::place::{GATE, Place};

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
    assert!(
        resumed
            .stderr
            .contains("--yes allows what is open and every call to come"),
        "{resumed}"
    );
}

#[test]
fn a_resumed_run_can_be_allowed_as_a_whole_and_stays_so() {
    // The third step is only reached in a later process, which nobody gives a yes.
    let place = Place::with_plan(&format!(
        "version: '1.0'\nid: whole\nexecution: sequential\nsteps:\n  \
         - {{id: one, tool: send_notification, input: {{message: one}}}}\n  - {GATE}\n  \
         - {{id: two, tool: send_notification, input: {{message: two}}}}\n  \
         - {{id: always, tool: send_notification, approval: always, input: {{message: three}}}}\n"
    ));
    let begun = place.run("run plan.yaml --sample-tools --allow-shell --quiet");
    assert_eq!(begun.code, Some(130), "{begun}");
    let going = place.start("runs resume last --yes --quiet");
    place.wait_for_run("the gate", |shown| {
        shown["trace"]["entries"][1]["status"] == "running"
    });
    going.kill();
    place.open_gate();
    // The call of the program may have happened: a yes to everything is no answer to that.
    let doubtful = place.run("runs resume last --quiet");
    assert_eq!(doubtful.code, Some(130), "{doubtful}");
    let shown = place.json("runs show last");
    assert_eq!(shown["approvals"].as_array().unwrap().len(), 1, "{shown}");
    assert_eq!(shown["approvals"][0]["about"], "doubt");
    let name = shown["approvals"][0]["approval"].as_str().unwrap();
    place.run(&format!("runs approve last {name}"));
    let resumed = place.run("runs resume last --json");
    let lines = resumed.lines();
    let asked: Vec<&serde_json::Value> = lines
        .iter()
        .filter(|line| line["type"] == "approval_requested")
        .collect();
    // Step two was not asked about; what the plan always asks was.
    assert_eq!(asked.len(), 1, "{resumed}");
    assert_eq!(asked[0]["node"], "always");
    let trace = place.json("runs show last")["trace"].clone();
    let two = trace["entries"].as_array().unwrap().iter();
    let mut two = two.filter(|entry| entry["nodeId"] == "two");
    assert_eq!(two.next().unwrap()["status"], "success", "{trace}");
}

#[test]
fn a_yes_to_all_never_answers_whether_a_call_has_happened() {
    let place = Place::with_plan(&format!(
        "version: '1.0'\nid: doubtful\nsteps:\n  - {GATE}\n  \
         - {{id: note, tool: send_notification, approval: always, input: {{message: one}}}}\n"
    ));
    let going = place.start("run plan.yaml --sample-tools --yes --allow-shell --wait --quiet");
    place.wait_for_run("both", |shown| {
        shown["run"]["open_approvals"] == 1 && shown["trace"]["entries"][0]["status"] == "running"
    });
    going.kill();
    place.open_gate();
    place.run("runs resume last --quiet");
    let all = place.run("runs approve last --all");
    let again = place.run("runs approve last --all");
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(resumed.code, Some(130), "{resumed}");
    let shown = place.json("runs show last");
    assert_eq!(shown["approvals"][0]["about"], "doubt", "{shown}");
    let own = place.run("runs approve last a2");
    assert_eq!(own.code, Some(0), "{own}");
    let done = place.run("runs resume last --quiet");
    assert_eq!(done.code, Some(0), "{done}");
    place.check("approvals_all_but_doubt", &[&all, &again]);
}
