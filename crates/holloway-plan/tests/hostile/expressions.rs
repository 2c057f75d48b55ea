//! Plans whose expressions cannot be read, mean nothing, or would never end.

use super::{Cases, listed, plan};

pub(super) fn add(cases: &mut Cases) {
    unreadable(cases);
    unbound(cases);
    exploding(cases);
    long(cases);
}

fn unreadable(cases: &mut Cases) {
    let says = "Bad expression";
    for text in [
        "{{",
        "{{}}",
        "{{ }}",
        "{{input.x",
        "{{input..x}}",
        "{{1 +}}",
        "{{(1}}",
        "{{input.x | }}",
        "{{'x}}",
        "{{input x}}",
        "{% if %}",
        "{% for x in input %}",
        "{% endfor %}",
        "{{ input.x | nofilter }}",
        "{{ 'a' if }}",
    ] {
        cases.step(
            format!("template {text}"),
            says,
            &format!("input: {{x: \"{text}\"}}"),
        );
    }
    for text in [
        "input.x >",
        "> 1",
        "input.x === 1",
        "input.x && input.y",
        "input.x; drop",
        "${input.x",
        "{{input.x} > 1",
        "not",
        "1 2",
        "__import__('os').system('true')",
        "input.x = 1",
        "lambda: 1",
        "input.__class__()",
    ] {
        cases.step(
            format!("condition {text}"),
            says,
            &format!("when: \"{text}\""),
        );
    }
    for (field, value) in [
        ("expect", "[{that: 'x >'}]"),
        ("cache", "{ttl: 1, key: '{{'}"),
    ] {
        cases.step(
            format!("broken expression in {field}"),
            says,
            &format!("{field}: {value}"),
        );
    }
    cases.steps(
        "broken list",
        says,
        "{id: a, type: loop, over: 'input.x >', step: {id: b, tool: work}}",
    );
    cases.steps(
        "broken question",
        says,
        "{id: a, type: approve, ask: '{{input.x'}",
    );
    cases.steps(
        "broken checkpoint",
        says,
        "{id: a, type: phase, tools: [work], goal: x, until: 'x ='}",
    );
}

fn unbound(cases: &mut Cases) {
    let says = "stands for nothing";
    for text in [
        "{{nobody}}",
        "{{nobody.x.y}}",
        "{{inputs.x}}",
        "{{env.PATH}}",
        "{{self}}",
        "{{config}}",
        "{{secrets.key}}",
        "{{item}}",
        "{{index}}",
        "{{a.x + nobody}}",
        "{% for x in nobody %}{{x}}{% endfor %}",
        "{{ [nobody] | length }}",
        "{{ раge.x }}",
    ] {
        cases.steps(
            format!("reference {text}"),
            says,
            format!("{{id: a, tool: work}}, {{id: b, tool: work, input: {{x: \"{text}\"}}}}"),
        );
    }
    cases.steps("reading an inner step", "read the list of results", "{id: l, type: loop, over: [1], as: x, step: {id: i, tool: work}}, {id: b, tool: work, input: '{{i}}'}");
    cases.steps("a loop variable outside", says, "{id: l, type: loop, over: [1], as: x, step: {id: i, tool: work}}, {id: b, tool: work, input: '{{x}}'}");
    cases.steps(
        "a loop over its own variable",
        says,
        "{id: l, type: loop, over: x, as: x, step: {id: i, tool: work}}",
    );
    cases.steps("a carried value outside", says, "{id: r, type: reduce, input: [1], accumulate: s, initial: 0, reducer: {id: i, tool: work}}, {id: b, tool: work, input: '{{s}}'}");
    cases.steps("a start that reads the carried value", says, "{id: r, type: reduce, input: [1], accumulate: s, initial: '{{s}}', reducer: {id: i, tool: work}}");
    cases.made("9k unbound references", says, || {
        plan(&listed(9_000, |i| {
            format!("{{id: step_{i}, tool: work, input: '{{{{stepp_{i}.x}}}}'}}")
        }))
    });
    cases.made("10k unbound names in one text", says, || {
        let text: String = (0..7_000).map(|i| format!("{{{{x{i}}}}}")).collect();
        plan(&format!("{{id: a, tool: work, input: '{text}'}}"))
    });
}

fn exploding(cases: &mut Cases) {
    let says = "Bad expression";
    let texts = [
        "{{ range(1000000000) }}",
        "{{ 'x' | indent(1000000000) }}",
        "{{ '%1000000000d' | format(1) }}",
        "{{ [1] | batch(1000000000, 0) }}",
        "{{ [1] | slice(1000000000) }}",
        "{{ 'x' | center(1000000000) }}",
        "{{ debug() }}",
        "{{ namespace(x=1) }}",
        "{{ dict(a=1) }}",
        "{{ 'x' | pprint }}",
        "{{ input.x | zip(input.x) }}",
        "{{ input.x.format(1) }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% include 'template' %}",
        "{% import 'template' as t %}",
        "{% extends 'template' %}",
        "{% block b %}{% endblock %}",
        "{% set x = 'a' %}{% set x = x ~ x %}",
        "{% set x %}a{% endset %}",
        "{% call f() %}{% endcall %}",
        "{% filter upper %}x{% endfilter %}",
        "{% do input.x() %}",
        "{% raw %}{{ {% endraw %}",
        "{% with x = 1 %}{% endwith %}",
        "{% autoescape true %}{% endautoescape %}",
        "{{ f(*input.x) }}",
        "{{ input.x | map(*input.x) }}",
        "{{ loop(input.x) }}",
        "{{ super() }}",
    ];
    for text in texts {
        cases.step(
            format!("template {text}"),
            says,
            &format!("input: {{x: \"{text}\"}}"),
        );
    }
    cases.step(
        "a product of texts and tests",
        says,
        "when: \"3 * input.x is string\"",
    );
}

fn long(cases: &mut Cases) {
    let says = "Bad expression";
    let pieces = [
        ("sums", "1", " + 1"),
        ("negations", "1", " - -1"),
        ("conjunctions", "input.x", " and input.x"),
        ("filters", "input.x", " | abs"),
        ("tests", "input.x", " is number"),
        ("powers", "2", " ** 2"),
        ("joined texts", "'a'", " ~ 'a'"),
        ("choices", "1", " if input.x else 1"),
        ("comparisons", "1", " < 2"),
        ("memberships", "1", " in [1]"),
    ];
    for (name, first, rest) in pieces {
        cases.made(format!("a thousand {name}"), says, move || {
            plan(&format!(
                "{{id: a, tool: work, when: \"{first}{}\"}}",
                rest.repeat(1_000)
            ))
        });
        cases.made(
            format!("a template of a thousand {name}"),
            says,
            move || {
                plan(&format!(
                    "{{id: a, tool: work, input: \"{{{{ {first}{} }}}}\"}}",
                    rest.repeat(1_000)
                ))
            },
        );
    }
    for (name, open, close) in [
        ("brackets", "(", ")"),
        ("lists", "[", "]"),
        ("mappings", "{'a': ", "}"),
        ("positions", "input[", "]"),
    ] {
        for depth in [20, 200, 2_000] {
            cases.made(format!("{depth} {name} in a condition"), says, move || {
                plan(&format!(
                    "{{id: a, tool: work, when: \"1 == {}1{}\"}}",
                    open.repeat(depth),
                    close.repeat(depth)
                ))
            });
        }
    }
    cases.made("a thousand nots", says, || {
        plan(&format!(
            "{{id: a, tool: work, when: \"{}input.x\"}}",
            "not ".repeat(1_000)
        ))
    });
    cases.made("a condition of 1 MB", "at most 65536", || {
        plan(&format!(
            "{{id: a, tool: work, when: \"{}\"}}",
            "a.b or ".repeat(150_000)
        ))
    });
    cases.made("a condition of 60 kB of marks", says, || {
        plan(&format!(
            "{{id: a, tool: work, when: \"{}\"}}",
            "${input.x} ".repeat(5_500)
        ))
    });
    cases.made("a template of 1 MB", "at most 65536", || {
        plan(&format!(
            "{{id: a, tool: work, input: {{x: '{}'}}}}",
            "{{a}} ".repeat(170_000)
        ))
    });
    cases.made("a nested template of 1 MB", "at most 65536", || {
        plan(&format!(
            "{{id: a, tool: work, input: {{x: [{{y: '{}'}}]}}}}",
            "{{a}} ".repeat(170_000)
        ))
    });
    cases.made(
        "sixty templates of 60 kB",
        "more than 15000 expressions",
        || {
            plan(&listed(60, |i| {
                format!(
                    "{{id: s{i}, tool: nothing, input: '{}'}}",
                    "{{input.x+1}}".repeat(4_500)
                )
            }))
        },
    );
    cases.made("three templates of 60 kB", "no tool", || {
        plan(&listed(3, |i| {
            format!(
                "{{id: s{i}, tool: nothing, input: '{}'}}",
                "{{input.x+1}}".repeat(4_500)
            )
        }))
    });
    cases.made(
        "forty templates of 60 kB of blocks",
        "more than 15000 expressions",
        || {
            plan(&listed(40, |i| {
                format!(
                    "{{id: s{i}, tool: nothing, input: '{}'}}",
                    "{% if input.x %}a{% endif %}".repeat(2_000)
                )
            }))
        },
    );
    cases.made("templates at the bottom of 15 loops", "no tool", || {
        let open: String = (0..15)
            .map(|i| format!("{{id: l{i}, type: loop, over: [1], as: x{i}, step: "))
            .collect();
        plan(&format!(
            "{open}{{id: a, tool: nothing, input: '{}'}}{}",
            "{{x0+1}}".repeat(8_000),
            "}".repeat(15)
        ))
    });
    cases.made("unclosed marks", says, || {
        plan(&format!(
            "{{id: a, tool: work, input: '{}'}}",
            "{{ ".repeat(10_000)
        ))
    });
    cases.made("a path of 30k turns", "stands for nothing", || {
        plan(&format!(
            "{{id: a, tool: work, when: 'x{}'}}",
            ".a".repeat(8_000)
        ))
    });
}
