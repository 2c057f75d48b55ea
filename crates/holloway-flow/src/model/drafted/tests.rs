//! Which parts do a model's steps take, and what is its answer?

use holloway_plan::tool::{ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::frame::Said;
use serde_json::{Value, json};

use super::*;

mod shown;

fn table() -> ToolTable {
    let tool = |id: &str, does: &[&str]| ToolSpec {
        does: does.iter().map(|line| line.parse().unwrap()).collect(),
        ..ToolSpec::named(id)
    };
    let counts = [
        "count text:text -> number:words with unit is words",
        "count text:text -> number:lines with unit is lines",
    ];
    ToolTable::new([
        tool("x/read", &["read file:path -> text:text"]),
        tool("x/count", &counts),
        tool("x/language", &["language text:text -> text:language"]),
        tool(
            "x/select",
            &["select table:rows -> table:rows with where=filters*"],
        ),
        tool(
            "x/query",
            &[
                "select table:rows -> table:rows with where=filters* sort=order* limit=limit.rows by=group.column* recursive=recursive deep=recursive",
                "select table:rows -> table:rows with where=filters* distinct is true distinct:=true",
                "select table:rows -> table:rows with aggregates=measures* compute=compute{name:formula}",
            ],
        ),
        ToolSpec::named("y/any"),
    ])
}

/// What is missing, and the answer.
#[track_caller]
fn check(steps: Value, goals: &[(&str, Value)], missing: &[&str], answer: &[&str]) {
    let draft = crate::model::parse::draft::parse_value(json!({ "steps": steps }));
    let mut draft = draft.unwrap().draft;
    "1.0".clone_into(&mut draft.version);
    let around = Surroundings {
        tools: &table(),
        plans: &NoPlans,
        context: &[],
        limits: &crate::model::parse::draft::limits(),
    };
    let plan = validate(&draft, &around).unwrap();
    let said = |text: &str| Said {
        text: text.to_owned(),
        at: 0..0,
    };
    let goals = goals.iter().map(|(act, parts)| Goal {
        act: (*act).to_owned(),
        parts: parts
            .as_object()
            .unwrap()
            .iter()
            .map(|(slot, value)| Part::new(slot, value.clone(), said(slot)))
            .collect(),
        ..Goal::default()
    });
    let frame = Frame {
        goals: goals.collect(),
        ..Frame::default()
    };
    let made = drafted(&plan, "quick", &frame, "m");
    let found: Vec<&str> = made.missing.iter().map(|one| &*one.capability).collect();
    assert_eq!(found, missing);
    assert_eq!(made.draft.answer, answer);
}

fn step(id: &str, tool: &str, input: Value) -> Value {
    json!({"id": id, "tool": tool, "input": input})
}

#[test]
fn the_answer_is_that_of_the_last_goal() {
    let read = step("text", "x/read", json!({"path": "a.txt"}));
    let count = step("count", "x/count", json!({"text": "{{text.text}}"}));
    let language = step("tell", "x/language", json!({"text": "{{text.text}}"}));
    let goal = (
        "count",
        json!({"sources": {"path": "a.txt"}, "unit": "words"}),
    );
    let goals = std::slice::from_ref(&goal);
    let all = |last: &Value| json!([read, count, last]);
    check(all(&language), goals, &[], &["count.words"]);
    // What is made from it is the answer.
    let shown = step("shown", "y/any", json!({"text": "{{count.words}} words"}));
    check(all(&shown), goals, &[], &[]);
    check(json!([read, count]), goals, &[], &[]);
    let both = [goal, ("language", json!({}))];
    check(
        json!([read, language, count]),
        &both,
        &[],
        &["tell.language"],
    );
}

#[test]
fn a_loop_takes_the_list_that_it_goes_through() {
    let read = step("read", "x/read", json!({"path": "{{p}}"}));
    let each = json!({"id": "each", "type": "loop", "over": ["notes/a.txt", "notes/b.txt"], "as": "p", "step": read});
    let file = |path: &str| ("read", json!({"sources": {"path": path}}));
    let goals = [
        file("notes/a.txt"),
        file("notes/b.txt"),
        file("notes/c.txt"),
    ];
    check(json!([each]), &goals, &["sources"], &[]);
}

#[test]
fn conditions_may_be_spread_over_steps() {
    let condition = |op: &str, value: &str| json!([{"column": "on", "op": op, "value": value}]);
    let one = step(
        "one",
        "x/select",
        json!({"rows": [], "where": condition("gte", "2026-01-01")}),
    );
    let two = |day: &str| {
        step(
            "two",
            "x/select",
            json!({"rows": "{{one.rows}}", "where": condition("lt", day)}),
        )
    };
    let between = json!({"column": "on", "op": "between", "value": ["2026-01-01", "2026-03-31"]});
    let goals = [("select", json!({ "filters": between }))];
    check(json!([one, two("2026-04-01")]), &goals, &[], &[]);
    let told =
        "step `two` keeps only rows where `on lt 2026-05-01`, which the request does not say";
    check(
        json!([one, two("2026-05-01")]),
        &goals,
        &["filters", told],
        &[],
    );
}
