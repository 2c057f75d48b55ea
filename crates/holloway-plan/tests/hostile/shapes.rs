//! Plans whose parts do not belong together: wrong types, wrong fields, wrong names.

use super::{Cases, listed, plan};

pub(super) fn add(cases: &mut Cases) {
    wrong_types(cases);
    wrong_fields(cases);
    names(cases);
    inner_plans(cases);
}

fn wrong_types(cases: &mut Cases) {
    let texts = [
        "id",
        "purpose",
        "when",
        "output",
        "tool",
        "as",
        "condition",
        "plan",
        "ask",
        "goal",
        "until",
        "accumulate",
    ];
    for field in texts {
        cases.steps(
            format!("`{field}` is a list"),
            "Validation failed",
            format!("{{id: a, type: tool, {field}: [1]}}")
                .replace("id: a, type: tool, id", "type: tool, id"),
        );
    }
    for field in [
        "timeout_ms",
        "max_items",
        "concurrency",
        "max_calls",
        "max_visits",
    ] {
        cases.step(
            format!("`{field}` is a text"),
            "in step `a`",
            &format!("{field}: many"),
        );
    }
    for field in ["depends_on", "fallbacks", "expect", "tools", "next"] {
        cases.step(
            format!("`{field}` is a number"),
            "in step `a`",
            &format!("{field}: 7"),
        );
    }
    for field in ["retry", "cache", "function", "on_error", "approval", "type"] {
        cases.step(
            format!("`{field}` is a number"),
            "in step `a`",
            &format!("{field}: 7"),
        );
    }
    for field in ["steps", "then", "otherwise", "else"] {
        cases.step(
            format!("`{field}` is a text"),
            "expected a list of steps",
            &format!("{field}: b"),
        );
        cases.step(
            format!("`{field}` holds a number"),
            "a step is a mapping",
            &format!("{field}: [7]"),
        );
    }
    for field in ["step", "reducer"] {
        cases.step(
            format!("`{field}` is a list"),
            "a step is a mapping",
            &format!("{field}: []"),
        );
    }
    for (field, value) in [
        ("version", "2.0"),
        ("version", "[1]"),
        ("version", "'1.0.0'"),
        ("execution", "chaos"),
        ("mode", "wild"),
        ("objective", "[x]"),
        ("id", "{}"),
        ("stepps", "[]"),
    ] {
        let rest = if field == "version" {
            ""
        } else {
            "version: '1.0'\n"
        };
        cases.text(
            format!("`{field}` is {value}"),
            "Validation failed",
            format!("{field}: {value}\n{rest}steps: [{{id: a, tool: work}}]"),
        );
    }
    cases.text(
        "`steps` is a mapping",
        "expected a list of steps",
        "version: '1.0'\nsteps: {id: a}",
    );
    cases.text(
        "`steps` is nothing",
        "expected a list of steps",
        "version: '1.0'\nsteps:",
    );
    cases.text("no steps at all", "no steps", "version: '1.0'\nsteps: []");
    cases.text(
        "no version",
        "which version",
        "steps: [{id: a, tool: work}]",
    );
}

fn wrong_fields(cases: &mut Cases) {
    cases.step("misspelt field", "no field `timeout`", "timeout: 5");
    cases.steps("unknown type", "unknown variant", "{id: a, type: exec}");
    let needs = [
        "tool",
        "loop",
        "parallel",
        "reduce",
        "conditional",
        "final",
        "plan",
        "approve",
        "phase",
    ];
    for kind in needs {
        cases.steps(
            format!("bare `{kind}` step"),
            "steps need",
            format!("{{id: a, type: {kind}}}"),
        );
    }
    cases.steps(
        "loop with step and steps",
        "not both",
        "{id: a, type: loop, over: [1], step: {id: b, tool: work}, steps: [{id: c, tool: work}]}",
    );
    cases.steps(
        "fold without start",
        "needs `initial`",
        "{id: a, type: reduce, input: [1], accumulate: s, reducer: {id: b, tool: work}}",
    );
    cases.steps(
        "fold without name",
        "needs `accumulate`",
        "{id: a, type: reduce, input: [1], initial: 0, reducer: {id: b, tool: work}}",
    );
    cases.steps(
        "loop that retries",
        "does not belong",
        "{id: a, type: loop, over: [1], retry: {max: 3}, step: {id: b, tool: work}}",
    );
    cases.steps(
        "forgotten type",
        "does not belong",
        "{id: a, over: [1], step: {id: b, tool: work}}",
    );
    cases.step(
        "tool step with a condition",
        "does not belong",
        "condition: input.x",
    );
    cases.step("empty when", "is empty", "when: ' '");
    cases.steps("empty tool", "is empty", "{id: a, tool: ''}");
    cases.step("expectation of nothing", "in step `a`", "expect: [{}]");
    cases.step(
        "expectation of two things",
        "in step `a`",
        "expect: [{that: x, exists: y}]",
    );
    cases.step("unknown expectation", "in step `a`", "expect: [{hopes: x}]");
    cases.step("edge without target", "in step `a`", "next: [{when: x}]");
}

fn names(cases: &mut Cases) {
    let ids = [
        ("empty", "''"),
        ("with a space", "'a b'"),
        ("with a digit first", "1a"),
        ("with a dot", "a.b"),
        ("with a brace", "'{{x}}'"),
        ("with a slash", "../../etc/passwd"),
        ("Cyrillic a", "раge"),
        ("Greek o", "pοst"),
        ("fullwidth", "ｆetch"),
        ("combining", "e\u{301}tape"),
        ("with zero width joiner", "'a\u{200d}b'"),
        ("with right-to-left override", "'a\u{202e}b'"),
        ("with a no-break space", "'a\u{a0}b'"),
        ("emoji", "🚀"),
        ("a reserved word", "not"),
        ("input", "input"),
        ("a hyphen first", "-a"),
        ("a hyphen last", "a-"),
        ("with a quote", "\"a'b\""),
        ("a word of the language", "loop"),
    ];
    for (name, id) in ids {
        cases.steps(
            format!("id {name}"),
            "field `id`",
            format!("{{id: {id}, tool: work}}"),
        );
    }
    for (name, output) in [
        ("with a hyphen", "a-b"),
        ("with a dot", "a.b"),
        ("reserved", "true"),
        ("input", "input"),
        ("empty", "''"),
        ("Cyrillic", "раge"),
    ] {
        cases.step(
            format!("output {name}"),
            "field `output`",
            &format!("output: '{}'", output.trim_matches('\'')),
        );
        cases.steps(
            format!("loop variable {name}"),
            "field `as`",
            format!(
                "{{id: a, type: loop, over: [1], as: '{}', step: {{id: b, tool: work}}}}",
                output.trim_matches('\'')
            ),
        );
    }
    cases.steps(
        "index as loop variable",
        "already has a meaning",
        "{id: a, type: loop, over: [1], as: index, step: {id: b, tool: work}}",
    );
    cases.steps(
        "inner step without id",
        "no `id`",
        "{id: a, type: loop, over: [1], step: {tool: work}}",
    );
    cases.steps(
        "inner id equal to outer",
        "given twice",
        "{id: a, type: loop, over: [1], step: {id: a, tool: work}}",
    );
    cases.steps("ids equal across branches", "given twice", "{id: c, type: conditional, condition: input.x, then: [{id: a, tool: work}], otherwise: [{id: a, tool: work}]}");
    cases.steps(
        "two equal outputs",
        "already the result",
        "{id: a, tool: work, output: x}, {id: b, tool: work, output: x}",
    );
    cases.steps(
        "output equal to an id",
        "is the id of another",
        "{id: a, tool: work, output: b}, {id: b, tool: work}",
    );
}

fn inner_plans(cases: &mut Cases) {
    for (name, says) in [
        ("self", "contains itself"),
        ("ping", "contains itself"),
        ("broken", "is not sound"),
        ("nothing", "no saved plan"),
        ("deep1", "levels deep"),
        ("wide8", "levels deep"),
        ("wide3", "more than 10000 steps"),
    ] {
        cases.steps(
            format!("plan `{name}`"),
            says,
            format!("{{id: a, type: plan, plan: {name}}}"),
        );
    }
    cases.made("plan `wide2` 9999 times", "more than 10000 steps", || {
        plan(&listed(9_999, |i| {
            format!("{{id: a{i}, type: plan, plan: wide2}}")
        }))
    });
    cases.made("plan `broken` 9999 times", "is not sound", || {
        plan(&listed(9_999, |i| {
            format!("{{id: a{i}, type: plan, plan: broken}}")
        }))
    });
}
