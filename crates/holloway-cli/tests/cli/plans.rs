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
