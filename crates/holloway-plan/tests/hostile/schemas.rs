//! Plans with JSON Schemas that are broken or never end, and inputs that fit no schema.

use super::{Cases, listed, plan};

pub(super) fn add(cases: &mut Cases) {
    schemas(cases);
    hoards_of_schemas(cases);
    inputs(cases);
}

fn schemas(cases: &mut Cases) {
    let chain: String = listed(3_000, |i| format!("d{i}: {{$ref: '#/$defs/d{}'}}", i + 1));
    let doubling = listed(40, |i| {
        format!(
            "d{i}: {{allOf: [{{$ref: '#/$defs/d{0}'}}, {{$ref: '#/$defs/d{0}'}}]}}",
            i + 1
        )
    });
    let bad = [
        ("a number", "7".to_owned()),
        ("an unknown type", "{type: strnig}".to_owned()),
        ("a text for required", "{type: object, required: url}".to_owned()),
        ("a negative length", "{type: string, minLength: -1}".to_owned()),
        ("a broken pattern", "{type: string, pattern: '(['}".to_owned()),
        ("a pattern that goes back", r"{type: string, pattern: '^(a+)+\1$'}".to_owned()),
        ("a pattern that looks ahead", "{type: string, pattern: '^(?=(a+)+$)b'}".to_owned()),
        ("a huge pattern", "{type: string, pattern: '((a{1000}){1000}){1000}'}".to_owned()),
        ("a huge class pattern", r"{type: string, pattern: '(\w{500}){500}'}".to_owned()),
        ("a hundred patterns", format!("{{type: object, patternProperties: {{{}}}}}", listed(100, |i| format!("'x{i}(a|b){{1,200}}': {{}}")))),
        ("a reference to itself", "{$ref: '#'}".to_owned()),
        ("a reference in a circle", "{$ref: '#/$defs/a', $defs: {a: {$ref: '#/$defs/b'}, b: {allOf: [{$ref: '#/$defs/a'}]}}}".to_owned()),
        ("an endless any", "{anyOf: [{type: string}, {not: {$ref: '#'}}]}".to_owned()),
        ("a reference to nowhere", "{$ref: '#/$defs/none'}".to_owned()),
        ("a reference to the network", "{$ref: 'https://example.com/schema.json'}".to_owned()),
        ("a reference to a file", "{$ref: 'file:///etc/passwd'}".to_owned()),
        ("an unknown dialect", "{$schema: 'https://example.com/own', type: object}".to_owned()),
        ("a long chain of references", format!("{{$ref: '#/$defs/d0', $defs: {{{chain}, d3000: {{type: string}}}}}}")),
        ("doubling references", format!("{{$ref: '#/$defs/d0', $defs: {{{doubling}, d40: {{type: string}}}}}}")),
        ("deep schemas", format!("{}{{type: string}}{}", "{items: ".repeat(80), "}".repeat(80)).replace("{items: {type: string}}", "{items: {type: strnig}}")),
    ];
    for (name, schema) in bad {
        let schema_for_input = schema.clone();
        cases.made(
            format!("input schema: {name}"),
            "field `input`",
            move || format!("input: {schema_for_input}\n{}", plan("{id: a, tool: work}")),
        );
        cases.made(
            format!("expected schema: {name}"),
            "expect[0].schema",
            move || {
                plan(&format!(
                    "{{id: a, tool: work, expect: [{{schema: {schema}}}]}}"
                ))
            },
        );
    }
}

fn hoards_of_schemas(cases: &mut Cases) {
    cases.made("9k different schemas", "more than 500 different", || {
        plan(&listed(9_000, |i| {
            format!("{{id: s{i}, tool: work, expect: [{{schema: {{minLength: {i}}}}}]}}")
        }))
    });
    cases.made(
        "450 different schemas for an unknown tool",
        "no tool",
        || {
            plan(&listed(450, |i| {
                format!("{{id: s{i}, tool: nothing, expect: [{{schema: {{minLength: {i}}}}}]}}")
            }))
        },
    );
    cases.made("9k equal schemas for an unknown tool", "no tool", || {
        plan(&listed(9_000, |i| format!("{{id: s{i}, tool: nothing, expect: [{{schema: {{type: string, pattern: '^(a+)+$'}}}}]}}")))
    });
    cases.made("steps with a heavy pattern each", "more than 64 patterns", || {
        plan(&listed(1_000, |i| format!("{{id: s{i}, tool: work, expect: [{{schema: {{pattern: 'x{i}(a|b){{1,300}}'}}}}]}}")))
    });
    cases.made("60 heavy patterns for an unknown tool", "no tool", || {
        plan(&listed(60, |i| format!("{{id: s{i}, tool: nothing, expect: [{{schema: {{pattern: 'x{i}[a-z]{{1,400}}'}}}}]}}")))
    });
}

fn inputs(cases: &mut Cases) {
    let strict = |input: &str| format!("{{id: a, tool: strict, input: {input}}}");
    for (name, input) in [
        ("nothing", "{}"),
        ("a wrong type", "{url: 7}"),
        ("a wrong form", "{url: 'javascript:alert(1)'}"),
        ("an unknown name", "{url: 'https://x', ulr: 1}"),
        ("a number too large", "{url: 'https://x', depth: 1e308}"),
        ("a list", "[]"),
        ("unknown beside templates", "{url: '{{input.u}}', depht: 1}"),
        ("missing beside templates", "{depth: '{{input.d}}'}"),
        ("wrong beside templates", "{url: '{{input.u}}', depth: 99}"),
    ] {
        cases.steps(format!("input that is {name}"), "`t/strict`", strict(input));
    }
    cases.steps(
        "no input where one is needed",
        "needs `url`",
        "{id: a, tool: strict}",
    );
    cases.steps(
        "fallback with another input",
        "needs `url`",
        "{id: a, tool: work, input: {x: 1}, fallbacks: [strict]}",
    );
    cases.steps(
        "fallback to itself",
        "calls anyway",
        "{id: a, tool: work, fallbacks: [work]}",
    );
    cases.steps(
        "unknown fallback",
        "no tool",
        "{id: a, tool: work, fallbacks: [nothing]}",
    );
    cases.steps("ambiguous tool", "several tools", "{id: a, tool: same}");
    cases.steps("tool by path", "no tool", "{id: a, tool: ../t/work}");
    cases.steps(
        "unknown tool with an endless schema beside it",
        "no tool",
        "{id: a, tool: endless, input: {x: 1}}, {id: b, tool: endles}",
    );
    cases.steps(
        "model without a model",
        "no model",
        "{id: a, type: final, function: {prompt: hello}}",
    );
    cases.steps(
        "unknown tool in a phase",
        "no tool",
        "{id: a, type: phase, tools: [nothing], goal: x, max_calls: 1}",
    );
}
