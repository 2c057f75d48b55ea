//! `holloway plans`.

use crate::place::Place;

#[test]
fn saved_shown_run_and_removed() {
    let place = Place::with_plan(
        "version: '1.0'\nid: kept\nsteps:\n  - {id: a, tool: echo, input: {value: hello}}\n",
    );
    let none = place.run("plans");
    let saved = place.run("plans save plan.yaml");
    let named = place.run("plans save plan.yaml --as other");
    let listed = place.run("plans list");
    let shown = place.run("plans show kept");
    let ran = place.run("run kept --quiet");
    let checked = place.run("check other");
    let removed = place.run("plans remove kept");
    let gone = place.run("run kepp");
    let missing = place.run("plans show othe");
    place.check(
        "plans",
        &[
            &none, &saved, &named, &listed, &shown, &ran, &checked, &removed, &gone, &missing,
        ],
    );
}

#[test]
fn two_plans_step_by_step() {
    let place = Place::with_plan(
        "version: '1.0'\nid: a\nsteps:\n  - {id: page, tool: echo, input: {value: 1}}\n  - {id: gone, tool: no-such-tool}\n",
    );
    place.file(
        "other.yaml",
        "version: '1.0'\nid: b\nsteps:\n  - {id: page, tool: echo, input: {value: 2}}\n  - {id: new, tool: sleep, input: {ms: 1}}\n",
    );
    let text = place.run("plans diff plan.yaml other.yaml");
    assert_eq!(
        text.stdout,
        "plan.yaml → other.yaml\n- gone: no-such-tool\n+ new: sleep\n~ page\n    input.value: 1 → 2\n"
    );
    assert_eq!(text.code, Some(0));
    let same = place.json("plans diff plan.yaml plan.yaml");
    assert_eq!(same["same"], true);
    let missing = place.run("plans diff plan.yaml no-such-plan");
    assert_eq!(missing.code, Some(2));
    let twice = place.run("plans diff - -");
    assert!(
        twice.stderr.contains("only one of the two"),
        "{}",
        twice.stderr
    );
}
