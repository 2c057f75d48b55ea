//! `holloway runs show` and `trace`.

use crate::place::Place;

const PLAN: &str = "version: '1.0'\nid: shown\nobjective: Show everything there is\nexecution: sequential\nsteps:\n  \
    - {id: each, type: loop, over: [1, 2], as: n, step: {id: say, tool: echo, input: {value: '{{n}}'}}}\n  \
    - {id: skipped, tool: echo, when: 'false', input: {value: 1}}\n  \
    - {id: tell, tool: send_notification, input: {message: hi}}\n";

#[test]
fn a_waiting_run_with_all_there_is_to_know() {
    let place = Place::with_plan(PLAN);
    place.run("run plan.yaml --sample-tools --no-wait --quiet --concurrency 1");
    let shown = place.run("runs show last");
    let tree = place.run("runs trace last --tree");
    let unknown = place.run("runs show nothing");
    place.check("runs_show", &[&shown, &tree, &unknown]);
}

#[test]
fn the_trace_has_the_names_of_the_api() {
    let place = Place::with_plan(PLAN);
    place.run("run plan.yaml --sample-tools --yes --quiet");
    let trace = place.json("runs trace last");
    assert_eq!(trace["planId"], "shown");
    assert_eq!(trace["executionMode"], "sequential");
    assert_eq!(trace["statistics"]["skippedSteps"], 1);
    assert_eq!(trace["entries"][0]["nodeId"], "each");
    let spans = place.json("runs trace last --otel");
    assert!(spans["resourceSpans"][0]["scopeSpans"][0]["spans"].is_array());
}

#[test]
fn the_beginning_of_a_name_is_enough() {
    let place = Place::with_plan(PLAN);
    place.run("run plan.yaml --sample-tools --yes --quiet");
    let listed = place.json("runs");
    let name = listed["runs"][0]["run"].as_str().unwrap();
    let shown = place.json(&format!("runs show {}", &name[..6]));
    assert_eq!(shown["run"]["run"], name);
}
