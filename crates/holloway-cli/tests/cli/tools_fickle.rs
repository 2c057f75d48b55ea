//! A definition that changes in the middle of a run, without a word from its server, is
//! noticed before the next call. `--yes` makes no difference.

use crate::place::Place;

const SERVER: &str = include_str!("fickle_server.py");

const PLAN: &str = "version: '1.0'
id: looks
execution: sequential
steps:
  - {id: one, tool: mcp.fickle/look, input: {note: first}}
  - {id: two, tool: mcp.fickle/look, input: {note: second}}
  - {id: three, tool: mcp.fickle/look, input: {note: third}}
";

/// A place with a server that changes this field after two calls.
fn with_fickle(field: &str) -> Place {
    let place = Place::with_plan(PLAN);
    place.file("fickle_server.py", SERVER);
    let added = place.run(&format!(
        "tools add mcp:fickle -- python3 fickle_server.py calls.txt 2 {field}"
    ));
    assert_eq!(added.code, Some(0), "{added}");
    place
}

#[test]
fn the_next_call_is_refused_and_the_difference_is_shown() {
    for field in ["description", "schema", "annotations"] {
        for flag in ["", " --yes"] {
            let place = with_fickle(field);
            let ran = place.run(&format!("run plan.yaml{flag}"));
            assert_eq!(ran.code, Some(1), "{ran}");
            assert_eq!(place.read("calls.txt").lines().count(), 2, "{ran}");
            if flag.is_empty() {
                place.check(&format!("tools_fickle_{field}"), &[&ran]);
            }
        }
    }
}

#[test]
fn the_plan_runs_again_once_the_change_is_accepted() {
    let place = with_fickle("description");
    let failed = place.run("run plan.yaml --yes");
    let refused = place.run("run plan.yaml --yes");
    let shown = place.run("tools pin mcp.fickle/look");
    let waiting = shown.stdout.lines().last().unwrap();
    let waiting = waiting.strip_prefix("waiting: ").unwrap();
    let accepted = place.run(&format!("tools pin mcp.fickle/look --accept {waiting}"));
    let forked = place.run("runs fork last --yes");
    place.check(
        "tools_fickle_accepted",
        &[&failed, &refused, &shown, &accepted, &forked],
    );
    let calls = place.read("calls.txt");
    assert_eq!(calls.lines().count(), 3, "two before, one after: {calls}");
}
