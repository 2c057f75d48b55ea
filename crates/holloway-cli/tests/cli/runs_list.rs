//! `holloway runs list`.

use crate::place::Place;

#[test]
fn newest_first_with_how_they_stand() {
    let place = Place::new();
    place.file(
        "good.yaml",
        "version: '1.0'\nid: good\nsteps:\n  - {id: a, tool: echo, input: {value: 1}}\n",
    );
    place.file(
        "bad.yaml",
        "version: '1.0'\nid: bad\nsteps:\n  - {id: a, tool: fail}\n",
    );
    place.file("asks.yaml", "version: '1.0'\nid: asks\nsteps:\n  - {id: a, tool: send_notification, input: {message: hi}}\n");
    let none = place.run("runs");
    for plan in ["good", "bad", "asks"] {
        place.run(&format!("run {plan}.yaml --quiet --no-wait --sample-tools"));
    }
    let all = place.run("runs");
    let waiting = place.run("runs --status waiting");
    let limited = place.run("runs list --limit 1 --plan good");
    let json = place.json("runs --status failed");
    assert_eq!(json["runs"][0]["plan_id"], "bad");
    place.check("runs_list", &[&none, &all, &waiting, &limited]);
}

#[test]
fn an_empty_list_says_why_it_is_empty() {
    let place = Place::with_plan(
        "version: '1.0'\nid: notes\nsteps:\n  - {id: say, tool: echo, input: {value: 1}}\n",
    );
    for typed in ["runs list --limit 0", "memory list --limit 0"] {
        let refused = place.run(typed);
        assert_eq!(refused.code, Some(2), "{refused}");
        assert!(refused.stderr.contains("at least 1"), "{refused}");
    }
    let none = place.run("runs list --plan note");
    assert!(none.stderr.contains("no runs; start one"), "{none}");
    let ran = place.run("run plan.yaml");
    assert_eq!(ran.code, Some(0), "{ran}");
    let other = place.run("runs list --plan note");
    assert!(
        other
            .stderr
            .contains("no runs of the plan `note`; did you mean `notes`?"),
        "{other}"
    );
    let status = place.run("runs list --status failed");
    assert!(
        status
            .stderr
            .contains("no runs that are failed; `holloway runs` lists all"),
        "{status}"
    );
}
