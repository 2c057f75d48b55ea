//! `holloway runs resume`.

use crate::place::{Place, wait_for};

#[test]
fn a_killed_run_goes_on_without_repeating_effects() {
    let place = Place::with_plan(
        "version: '1.0'\nid: killed\nsteps:\n  - id: each\n    type: loop\n    over: [1, 2, 3, 4, 5, 6]\n    as: n\n    \
         concurrency: 1\n    steps:\n      \
         - {id: note, tool: jsonl-append, input: {path: log.jsonl, record: {n: '{{n}}'}}}\n      \
         - {id: wait, tool: sleep, input: {ms: 80}, depends_on: [note]}\n",
    );
    // Killed again and again, each time a little further.
    let mut command = "run plan.yaml";
    for lines in [1, 2, 4] {
        let going = place.start(command);
        wait_for("another record", || {
            (place.read("log.jsonl").lines().count() >= lines).then_some(())
        });
        going.kill();
        command = "runs resume last";
    }
    let listed = place.json("runs list --status interrupted");
    assert_eq!(listed["runs"][0]["plan_id"], "killed");
    let resumed = place.run("runs resume last --quiet");
    place.check("resume_after_kills", &[&resumed]);
    let log = place.read("log.jsonl");
    let numbers: Vec<u64> = log
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["n"]
                .as_u64()
                .unwrap()
        })
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_call_in_doubt_is_asked_about() {
    let place = Place::with_plan(
        "version: '1.0'\nid: doubt\nsteps:\n  - {id: run, tool: shell-run, input: {program: sleep, args: ['30']}, timeout_ms: 60000}\n",
    );
    let going = place.start("run plan.yaml --allow-shell --yes");
    place.wait_for_first_step();
    going.kill();
    let paused = place.run("runs resume last --no-wait --quiet");
    let done = place.run("runs approve last a1 --done '{\"exit_code\": 0}'");
    let resumed = place.run("runs resume last --quiet");
    place.check("resume_in_doubt", &[&paused, &done, &resumed]);
}

#[test]
fn an_owned_run_is_refused_and_an_ended_one_too() {
    let place = Place::with_plan(
        "version: '1.0'\nid: long\nsteps:\n  - {id: wait, tool: sleep, input: {ms: 600000}, timeout_ms: 900000}\n",
    );
    let going = place.start("run plan.yaml");
    place.wait_for_first_step();
    let owned = place.run("runs resume last");
    let cancel = place.run("runs cancel last");
    let ran = going.finish();
    let ended = place.run("runs resume last");
    place.check("resume_refused", &[&owned, &cancel, &ran, &ended]);
}
