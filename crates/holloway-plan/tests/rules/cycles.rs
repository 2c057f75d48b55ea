//! Steps that wait for each other.

use super::check::{check, check_plan};

#[test]
fn cycles_are_named() {
    check(
        r"- {id: a, tool: summarize, depends_on: [b]}
- {id: b, tool: summarize, input: '{{c}}'}
- {id: c, tool: summarize, when: a.ok}",
        r"3:28 Deadlock detected in step `a`, field `depends_on`: 3 steps wait for each other: a → b → c → a
  hint: remove one of these dependencies; data that is read counts as one",
    );
    check(
        "- {id: a, tool: summarize, input: '{{a.x}}'}",
        r"3:28 Deadlock detected in step `a`, field `input`: the step, or a step inside it, reads the step's own result
  hint: read the result of an earlier step; inside a loop, read the loop variable",
    );
    check(
        r"- id: l
  type: loop
  over: [1]
  steps:
  - {id: a, tool: summarize, depends_on: [b]}
  - {id: b, tool: summarize, depends_on: [a]}",
        r"7:30 Deadlock detected in step `a`, field `depends_on`: 2 steps wait for each other: a → b → a
  hint: remove one of these dependencies; data that is read counts as one",
    );
}

#[test]
fn sequences_read_backwards_only() {
    check_plan(
        r"version: '1.0'
execution: sequential
steps:
- {id: a, tool: summarize, input: '{{b}}'}
- {id: b, tool: summarize}",
        r"4:28 Deadlock detected in step `a`, field `input`: the step reads the result of `b`, which runs later
  hint: move `b` before `a`, or write `execution: dag`",
    );
}
