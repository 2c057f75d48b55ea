//! Fields that a step needs, and fields that belong to another type.

use super::check::{check, check_plan};

#[test]
fn a_plan_has_a_version_and_steps() {
    check_plan(
        r"steps:
- {id: a, tool: summarize}",
        r#"1:1 Validation failed in field `version`: the plan does not say which version of the plan language it is written in
  hint: write `version: "1.0"`"#,
    );
    check_plan(
        r"version: '0.9'
steps: []",
        r#"1:1 Validation failed in field `version`: version `0.9` of the plan language is not known
  hint: write `version: "1.0"`
2:1 Validation failed in field `steps`: the plan has no steps
  hint: add at least one step"#,
    );
}

#[test]
fn a_step_has_what_its_type_needs() {
    check(
        "- {id: a}",
        r"3:3 Validation failed in step `a`, field `tool`: `tool` steps need `tool`
  hint: name the tool to call, or give the step another `type`",
    );
    check(
        "- {id: a, type: loop, as: x}",
        r"3:3 Validation failed in step `a`, field `over`: `loop` steps need `over`
  hint: say which list to go through, such as `over: input.urls`
3:3 Validation failed in step `a`, field `step`: `loop` steps need `step`
  hint: add `step` or `steps`: what to do for each item",
    );
    check(
        r"- id: a
  type: conditional
  condition: input.x",
        r"3:3 Validation failed in step `a`, field `then`: `conditional` steps need `then`
  hint: add steps to `then` or to `otherwise`",
    );
    check(
        "- {id: a, type: phase, tools: [web/fetch], goal: find it}",
        r"3:3 Validation failed in step `a`, field `until`: `phase` steps need `until`
  hint: a phase must end: add `until` or `max_calls`",
    );
    check(
        "- {id: a, type: reduce, reducer: {id: b, tool: summarize}, initial: 0, input: [1]}",
        r"3:60 Validation failed in step `a`, field `initial`: `initial` needs `accumulate` beside it
  hint: name the value that is carried from item to item",
    );
    check(
        "- {id: a, type: approve}",
        r"3:3 Validation failed in step `a`, field `ask`: `approve` steps need `ask`
  hint: write what the person is asked or shown",
    );
}

#[test]
fn fields_belong_to_types() {
    check(
        r"- id: a
  over: input.urls
  step: {id: b, tool: summarize}",
        r"4:3 Validation failed in step `a`, field `over`: `over` does not belong to `tool` steps
  hint: `over` belongs to `loop` steps; add `type: loop`
5:3 Validation failed in step `a`, field `step`: `step` does not belong to `tool` steps
  hint: `step` belongs to `loop` steps; add `type: loop`",
    );
    check(
        r"- id: a
  type: loop
  over: [1]
  retry: {max: 1}
  step: {id: b, tool: summarize}",
        r"6:3 Validation failed in step `a`, field `retry`: `retry` does not belong to `loop` steps
  hint: `retry` belongs to `tool`, `final`, `phase` steps",
    );
    check(
        "- {id: a, type: loop, over: [1], step: {id: b, tool: summarize}, steps: [{id: c, tool: summarize}]}",
        r"3:66 Validation failed in step `a`, field `steps`: a loop has either `step` or `steps`, not both
  hint: move the single step into `steps`",
    );
}

#[test]
fn empty_texts_are_slips() {
    check(
        "- {id: a, tool: summarize, when: ''}",
        r"3:28 Validation failed in step `a`, field `when`: `when` is empty
  hint: fill it in, or leave the field out",
    );
}
