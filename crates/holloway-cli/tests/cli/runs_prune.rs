//! `holloway runs prune`, and runs that leave by themselves as the configuration says.

use crate::place::Place;

const PLAN: &str =
    "version: '1.0'\nid: small\nsteps:\n  - {id: a, tool: echo, input: {value: 1}}\n";
const FAILS: &str = "version: '1.0'\nid: fails\nsteps:\n  - {id: a, tool: fail}\n";
const ASKS: &str = "version: '1.0'\nid: asks\nsteps:\n  - {id: a, type: approve, ask: 'Go on?'}\n";

fn standings(place: &Place) -> Vec<String> {
    let runs = place.json("runs list");
    let runs = runs["runs"].as_array().unwrap().iter();
    runs.map(|run| run["standing"].as_str().unwrap().to_owned())
        .collect()
}

/// Two that succeeded, one that failed, one that waits; the newest first.
fn four(place: &Place) {
    for (name, text) in [
        ("fails", FAILS),
        ("small", PLAN),
        ("again", PLAN),
        ("asks", ASKS),
    ] {
        place.file(&format!("{name}.yaml"), text);
        place.run(&format!("run {name}.yaml --quiet"));
    }
    assert_eq!(
        standings(place),
        ["waiting", "succeeded", "succeeded", "failed"]
    );
}

#[test]
fn runs_leave_by_number_age_and_standing() {
    let place = Place::new();
    four(&place);
    let nothing = place.run("runs prune");
    let planned = place.run("runs prune --keep 2 --dry-run");
    assert_eq!(standings(&place).len(), 4);
    // None of them is a day old.
    let young = place.json("runs prune --older-than 1d");
    assert_eq!(young["runs"], serde_json::json!([]));
    let bad = place.run("runs prune --older-than 3");
    assert_eq!(bad.code, Some(2), "{bad}");
    let failed = place.json("runs prune --status failed");
    assert_eq!(failed["runs"].as_array().unwrap().len(), 1);
    assert_eq!(standings(&place), ["waiting", "succeeded", "succeeded"]);
    let kept = place.json("runs prune --older-than 0m --keep 2");
    assert_eq!(kept["runs"].as_array().unwrap().len(), 1);
    // What waits is never meant unless it is named, and then only by force.
    place.run("runs prune --older-than 0m");
    assert_eq!(standings(&place), ["waiting"]);
    let waiting = place.run("runs prune --status waiting");
    assert_eq!(waiting.code, Some(2), "{waiting}");
    let forced = place.run("runs prune --status waiting --force");
    assert_eq!(forced.code, Some(0), "{forced}");
    assert!(standings(&place).is_empty());
    place.check("prune", &[&nothing, &planned]);
}

#[test]
fn the_configuration_says_how_long_runs_are_kept() {
    let place = Place::new();
    four(&place);
    place.file("config/holloway/holloway.toml", "[retention]\nkeep = 2\n");
    place.run("run small.yaml --quiet");
    // The newest two and the one that waits; nothing else was old enough to be in the way.
    assert_eq!(standings(&place), ["succeeded", "waiting"]);
    place.file(
        "config/holloway/holloway.toml",
        "[retention]\nolder_than = \"1d\"\n",
    );
    place.run("run small.yaml --quiet");
    assert_eq!(standings(&place), ["succeeded", "succeeded", "waiting"]);
    place.file(
        "config/holloway/holloway.toml",
        "[retention]\nolder_than = \"soon\"\n",
    );
    let bad = place.run("runs prune");
    assert_eq!(bad.code, Some(2), "{bad}");
    assert!(bad.stderr.contains("30d"), "{bad}");
}

#[test]
fn a_project_that_nobody_trusts_removes_nothing() {
    let place = Place::new();
    four(&place);
    place.file("holloway.toml", "[retention]\nkeep = 0\n");
    place.run("run small.yaml --quiet");
    assert_eq!(standings(&place).len(), 5);
    place.trust();
    place.run("run small.yaml --quiet");
    // The run that has just ended stays until the next one.
    assert_eq!(standings(&place), ["succeeded", "waiting"]);
}
