//! Edges of graph execution.

use super::check::{check, check_plan};

#[test]
fn edges_lead_to_steps() {
    check_plan(
        r"version: '1.0'
execution: graph
steps:
- {id: first, tool: summarize, next: [{to: secnd}]}
- {id: second, tool: summarize}",
        r"4:40 Validation failed in step `first`, field `next[0].to`: the edge leads to `secnd`, which is not a step beside this one
  hint: did you mean `second`?
5:4 Validation failed in step `second`, field `id`: no way leads from the first step to this one
  hint: add it to the `next` of a step before it, or remove it",
    );
}

#[test]
fn a_graph_does_not_wait() {
    check_plan(
        r"version: '1.0'
execution: graph
steps:
- {id: a, tool: summarize, next: [{to: b}]}
- {id: b, tool: summarize, depends_on: [a]}",
        r"5:28 Validation failed in step `b`, field `depends_on`: in graph execution a step waits for nothing; edges lead to it
  hint: drop `depends_on`, and add `next: [{to: …}]` to the step before",
    );
}

#[test]
fn edges_need_a_graph() {
    check(
        "- {id: a, tool: summarize, max_visits: 2, next: [{to: a}]}",
        r"3:28 Validation failed in step `a`, field `max_visits`: edges have a meaning in graph execution only
  hint: write `execution: graph`, or use `when`
3:43 Validation failed in step `a`, field `next`: edges have a meaning in graph execution only
  hint: write `execution: graph`, or use `when`",
    );
}

#[test]
fn inner_steps_have_no_edges() {
    check_plan(
        r"version: '1.0'
execution: graph
steps:
- {id: l, type: loop, over: [1], step: {id: i, tool: summarize, next: [{to: i}]}}",
        r"4:65 Validation failed in step `i`, field `next`: steps inside another step have no edges
  hint: move the edge to the outermost step",
    );
}
