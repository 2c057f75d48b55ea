//! Names of steps, of results, and what `depends_on` lists.

use super::check::check;

#[test]
fn every_step_has_an_id() {
    check(
        "- {tool: web/fetch, input: {url: 'https://x'}}",
        r"3:3 Validation failed in step `steps[0]`, field `id`: the step has no `id`
  hint: add an id, such as `id: fetch`",
    );
    check(
        "- {id: a, type: loop, over: [1], step: {tool: summarize}}",
        r"3:34 Validation failed in step `steps[0].step`, field `id`: the step has no `id`
  hint: add an id, such as `id: summarize`",
    );
}

#[test]
fn ids_are_plain_words() {
    check(
        "- {id: 'a b', tool: summarize}",
        r"3:4 Validation failed in step `a b`, field `id`: ` ` cannot stand in an id
  hint: use the letters A to Z, digits, `_` and `-`, a letter first",
    );
    check(
        "- {id: раge, tool: summarize}",
        r"3:4 Validation failed in step `раge`, field `id`: the character U+0440 `р` at byte 0 only looks like a plain letter, or is none
  hint: use the letters A to Z, digits, `_` and `-`, a letter first",
    );
    check(
        "- {id: 2nd, tool: summarize}",
        r"3:4 Validation failed in step `2nd`, field `id`: `2` cannot stand at the start of an id
  hint: use the letters A to Z, digits, `_` and `-`, a letter first",
    );
    check(
        "- {id: input, tool: summarize}",
        r"3:4 Validation failed in step `input`, field `id`: `input` already has a meaning in expressions
  hint: call it `input_step`, for example",
    );
}

#[test]
fn ids_and_outputs_are_unique() {
    check(
        r"- {id: a, tool: summarize}
- {id: a, tool: summarize}",
        r"4:4 Validation failed in step `a`, field `id`: the id `a` is given twice; first at steps[0]
  hint: ids are unique in the whole plan, inner steps included",
    );
    check(
        r"- {id: a, tool: summarize, output: x}
- {id: b, tool: summarize, output: x}",
        r"4:28 Validation failed in step `b`, field `output`: `x` is already the result of step `a`
  hint: give each result a name of its own",
    );
    check(
        r"- {id: a, tool: summarize, output: b}
- {id: b, tool: summarize}",
        r"3:28 Validation failed in step `a`, field `output`: `b` is the id of another step
  hint: give the result a name of its own",
    );
}

#[test]
fn dependencies_stand_beside() {
    check(
        r"- {id: fetch, tool: summarize}
- {id: b, tool: summarize, depends_on: [fecth]}",
        r"4:41 Unknown step in step `b`, field `depends_on[0]`: there is no step `fecth`
  hint: did you mean `fetch`?",
    );
    check(
        r"- {id: l, type: loop, over: [1], step: {id: i, tool: summarize}}
- {id: b, tool: summarize, depends_on: [i]}",
        r"4:41 Unknown step in step `b`, field `depends_on[0]`: `i` cannot be waited for from here: it stands at steps[0].step
  hint: it runs inside another step; wait for that step instead",
    );
    check(
        r"- {id: o, tool: summarize}
- {id: l, type: loop, over: [1], step: {id: i, tool: summarize, depends_on: [o]}}",
        r"4:78 Unknown step in step `i`, field `depends_on[0]`: `o` cannot be waited for from here: it stands at steps[0]
  hint: steps wait for steps of their own list; put the dependency on the step around this one",
    );
    check(
        "- {id: a, tool: summarize, depends_on: [a]}",
        r"3:41 Deadlock detected in step `a`, field `depends_on[0]`: the step waits for itself
  hint: remove its own id from `depends_on`",
    );
}

#[test]
fn names_can_be_used_in_expressions() {
    check(
        "- {id: a, tool: summarize, output: my-result}",
        r"3:28 Validation failed in step `a`, field `output`: `my-result` cannot be used as a name in expressions
  hint: use the letters A to Z, digits and `_`, a letter first",
    );
    check(
        "- {id: a, type: loop, over: [1], as: input, step: {id: b, tool: summarize}}",
        r"3:34 Validation failed in step `a`, field `as`: `input` already has a meaning in expressions
  hint: call it `input_value`, for example",
    );
    check(
        "- {id: a, type: reduce, input: [1], as: n, accumulate: n, initial: 0, reducer: {id: b, tool: summarize}}",
        r"3:44 Validation failed in step `a`, field `accumulate`: `n` is the name of the item already
  hint: give the carried value another name than `as`",
    );
}
