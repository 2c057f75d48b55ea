//! Expressions that can be read, and names that stand for something.

use super::check::check;

#[test]
fn expressions_can_be_read() {
    check(
        "- {id: a, tool: summarize, input: {x: '{{input.x'}}",
        r"3:28 Bad expression in step `a`, field `input`: cannot read `{{input.x`: `{{` without `}}`
  hint: expressions look like `page.title`, `score.value > 0.5` or `items | length`",
    );
    check(
        r"- id: a
  tool: summarize
  when: input.x >",
        r"5:3 Bad expression in step `a`, field `when`: cannot read `input.x >`: unexpected end of input, expected expression
  hint: expressions look like `page.title`, `score.value > 0.5` or `items | length`",
    );
    check(
        "- {id: a, tool: summarize, input: '{{input.x | lenght}}'}",
        r"3:28 Bad expression in step `a`, field `input`: cannot read `input.x | lenght`: there is no filter `lenght`; did you mean `length`?
  hint: expressions look like `page.title`, `score.value > 0.5` or `items | length`",
    );
    check(
        "- {id: a, tool: summarize, input: '{% set x = 1 %}'}",
        r"3:28 Bad expression in step `a`, field `input`: cannot read `{% set x = 1 %}`: `{% set %}` is not part of the plan language; `for` and `if` are
  hint: expressions look like `page.title`, `score.value > 0.5` or `items | length`",
    );
}

#[test]
fn names_stand_for_something() {
    check(
        r"- {id: page, tool: summarize}
- {id: b, tool: summarize, input: {x: '{{pgae.title}}'}}",
        r"4:28 Unbound reference in step `b`, field `input`: `pgae` stands for nothing here
  hint: did you mean `page`?",
    );
    check(
        r"- {id: l, type: loop, over: [1], step: {id: i, tool: summarize}, output: all}
- {id: b, tool: summarize, input: '{{i}}'}",
        r"4:28 Unbound reference in step `b`, field `input`: `i` stands for nothing here
  hint: `i` is made anew for each item inside `l`; read the list of results, `all`",
    );
    check(
        "- {id: l, type: loop, over: [1], as: x, step: {id: i, tool: summarize, input: '{{x}} {{index}} {{y}}'}}",
        r"3:72 Unbound reference in step `i`, field `input`: `y` stands for nothing here
  hint: names are `input`, ids and outputs of steps beside or around this one, and loop variables",
    );
}

#[test]
fn fields_of_a_known_result_exist() {
    check(
        r"- {id: page, tool: web/fetch, input: {url: 'https://x'}}
- {id: b, tool: summarize, input: {x: '{{page.titel}}', y: '{{page.content}}'}}",
        r"4:28 Unbound reference in step `b`, field `input`: the result of `page` has no field `titel`
  hint: did you mean `title`?",
    );
}

#[test]
fn what_stands_around_has_no_result_yet() {
    check(
        "- {id: l, type: loop, over: [1], step: {id: i, tool: summarize, input: '{{l}}'}}",
        r"3:65 Deadlock detected in step `i`, field `input`: the step reads from `l`, the step it stands in, which ends after it
  hint: read a step before it; inside a loop, read the loop variable",
    );
}

#[test]
fn expectations_name_fields_of_the_result() {
    check(
        "- {id: a, tool: summarize, expect: [{that: status == 200}, {that: a.ok}]}",
        "",
    );
}
