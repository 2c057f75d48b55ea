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
