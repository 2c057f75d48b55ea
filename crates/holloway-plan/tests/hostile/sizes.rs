//! Plans that are too large, or ask for too much.

use super::{Cases, json_plan, listed, plan};

pub(super) fn add(cases: &mut Cases) {
    many(cases);
    long(cases);
    numbers(cases);
}

fn many(cases: &mut Cases) {
    let says = "more than 10000 steps";
    cases.made("100k steps, json", says, || {
        json_plan(&listed(100_000, |i| {
            format!(r#"{{"id":"a{i}","tool":"work"}}"#)
        }))
    });
    cases.made("100k steps, yaml", "Plan too large", || {
        plan(&listed(100_000, |i| format!("{{id: a{i}, tool: work}}")))
    });
    cases.made("100k steps, block yaml", says, || {
        let steps: String = (0..100_000)
            .map(|i| format!("- id: a{i}\n  tool: work\n"))
            .collect();
        format!("version: '1.0'\nsteps:\n{steps}")
    });
    cases.made("100k inner steps", says, || {
        json_plan(&format!(
            r#"{{"id": "p", "type": "parallel", "steps": [{}]}}"#,
            listed(100_000, |i| format!(r#"{{"id":"a{i}"}}"#))
        ))
    });
    cases.made("100k steps that are no mappings", "values", || {
        json_plan(&listed(300_000, |_| "1".to_owned()))
    });
    cases.made("10001 steps by alias", says, || {
        format!(
            "version: '1.0'\nsteps: [&a {{id: a, tool: work}}, {}]",
            listed(10_001, |_| "*a".to_owned())
        )
    });
    cases.made("a million values", "more than 150000 values", || {
        json_plan(&format!(
            r#"{{"id": "a", "input": [{}1]}}"#,
            "1,".repeat(1_000_000)
        ))
    });
    cases.made(
        "a million empty mappings",
        "more than 150000 values",
        || {
            json_plan(&format!(
                r#"{{"id": "a", "input": [{}1]}}"#,
                "{},".repeat(1_000_000)
            ))
        },
    );
    cases.made("200k small mappings", "values", || {
        json_plan(&format!(
            r#"{{"id": "a", "input": [{}1]}}"#,
            r#"{"a":1},"#.repeat(200_000)
        ))
    });
    cases.made("70k small mappings for an unknown tool", "no tool", || {
        json_plan(&format!(
            r#"{{"id": "a", "tool": "x", "input": [{}1]}}"#,
            r#"{"a":1},"#.repeat(70_000)
        ))
    });
    cases.made("100k unknown fields", "no field", || {
        json_plan(&format!(
            r#"{{"id": "a", {}}}"#,
            listed(100_000, |i| format!(r#""f{i}": 1"#))
        ))
    });
    cases.made("10k steps without id", "no `id`", || {
        json_plan(&listed(10_000, |_| r#"{"tool": "work"}"#.to_owned()))
    });
    cases.made("10k equal ids", "given twice", || {
        json_plan(&listed(10_000, |_| {
            r#"{"id": "a", "tool": "work"}"#.to_owned()
        }))
    });
    cases.made("10k unknown tools", "no tool", || {
        json_plan(&listed(10_000, |i| {
            format!(r#"{{"id": "a{i}", "tool": "tool{i}"}}"#)
        }))
    });
    cases.made("10k fallbacks", "no tool", || {
        plan(&format!(
            "{{id: a, tool: work, fallbacks: [{}]}}",
            listed(10_000, |i| format!("x{i}"))
        ))
    });
    cases.made("10k foreign fields", "does not belong", || {
        plan(&listed(10_000, |i| {
            format!("{{id: a{i}, tool: work, over: x, goal: y}}")
        }))
    });
}

fn long(cases: &mut Cases) {
    cases.made("5 MB of text", "bytes", || " ".repeat(5 << 20));
    cases.made("4 MB of one word", "a plan is a mapping", || {
        "x".repeat(4 << 20)
    });
    cases.made("4 MB of one quoted text", "a plan is a mapping", || {
        format!("'{}'", "x".repeat((4 << 20) - 10))
    });
    cases.made("4 MB of a field name", "", || {
        format!(r#"{{"{}": 1}}"#, "x".repeat((4 << 20) - 20))
    });
    cases.made("4 MB of colons", "", || ": ".repeat(2 << 20));
    cases.made("4 MB of dashes", "", || "-".repeat(4 << 20));
    cases.made("4 MB of commas", "400000 signs", || {
        format!("[{}", ",".repeat((4 << 20) - 10))
    });
    cases.made("400k of commas", "", || format!("[{}", ",".repeat(400_000)));
    cases.made("400k of commas inside a list", "", || {
        format!("steps: [[{}", ",".repeat(400_000))
    });
    for piece in [
        ": ", "? ", "a ", "- ", "&a ", "'' ", "*a ", "!a ", "[]", "{}", "a: ", "'a': ", "\"\":",
        "\n", "# a\n", "| ", "[a]: ",
    ] {
        cases.made(format!("4 MB of {piece:?} in a list"), "", move || {
            format!("a: [[{}", piece.repeat((4 << 20) / piece.len() - 10))
        });
        cases.made(format!("4 MB of {piece:?} in a mapping"), "", move || {
            format!("{{{{{}", piece.repeat((4 << 20) / piece.len() - 10))
        });
    }
    cases.made("4 MB of quotes", "", || "'".repeat(4 << 20));
    cases.made("4 MB of ampersands", "", || "&a ".repeat(1 << 20));
    cases.made("4 MB of exclamation marks", "", || "!".repeat(4 << 20));
    cases.made("4 MB of a comment", "a plan is a mapping", || {
        format!("#{}", "x".repeat((4 << 20) - 10))
    });
    cases.made("4 MB of lines", "a plan is a mapping", || {
        "\n".repeat(4 << 20)
    });
    cases.made("4 MB of block text", "a plan is a mapping", || {
        format!("|\n{}", "  x\n".repeat((1 << 20) - 1))
    });
    cases.made("id of 101 letters", "at most 100", || {
        plan(&format!("{{id: {}, tool: work}}", "a".repeat(101)))
    });
    cases.made("id of 1 MB", "at most 100", || {
        plan(&format!("{{id: {}, tool: work}}", "a".repeat(1 << 20)))
    });
    cases.made("output of 1 MB", "at most 100", || {
        plan(&format!(
            "{{id: a, tool: work, output: {}}}",
            "a".repeat(1 << 20)
        ))
    });
    cases.made("tool of 1 MB", "at most 500", || {
        plan(&format!("{{id: a, tool: {}}}", "a".repeat(1 << 20)))
    });
    cases.made("plan name of 1 MB", "at most 500", || {
        plan(&format!(
            "{{id: a, type: plan, plan: {}}}",
            "a".repeat(1 << 20)
        ))
    });
    cases.made("purpose of 1 MB", "at most 16384", || {
        plan(&format!(
            "{{id: a, tool: work, purpose: {}}}",
            "a".repeat(1 << 20)
        ))
    });
    cases.made("goal of 1 MB", "at most 16384", || {
        plan(&format!(
            "{{id: a, type: phase, tools: [work], max_calls: 1, goal: {}}}",
            "a".repeat(1 << 20)
        ))
    });
    cases.made("objective of 1 MB", "at most 16384", || {
        format!(
            "objective: {}\n{}",
            "a".repeat(1 << 20),
            plan("{id: a, tool: work}")
        )
    });
    cases.made("plan id of 1 MB", "at most 500", || {
        format!(
            "id: {}\n{}",
            "a".repeat(1 << 20),
            plan("{id: a, tool: work}")
        )
    });
    cases.made("dependency of 1 MB", "no step", || {
        plan(&format!(
            "{{id: a, tool: work, depends_on: [{}]}}",
            "a".repeat(1 << 20)
        ))
    });
    cases.made("version of 1 MB", "is not known", || {
        format!(
            "version: {}\nsteps: [{{id: a, tool: work}}]",
            "a".repeat(1 << 20)
        )
    });
}

fn numbers(cases: &mut Cases) {
    let wrong = [
        "timeout_ms: 0",
        "timeout_ms: 86400001",
        "timeout_ms: 18446744073709551615",
        "retry: {max: 101}",
        "retry: {max: 4294967295}",
        "retry: {factor: 0.5}",
        "retry: {factor: -1}",
        "retry: {factor: 1e300}",
        "retry: {jitter: 1.5}",
        "retry: {jitter: -0.1}",
        "retry: {base_ms: 99999999999}",
        "retry: {max_ms: 99999999999}",
        "cache: {ttl: 99999999999}",
    ];
    for field in wrong {
        cases.step(format!("out of bounds, {field}"), "is not between", field);
    }
    let untyped = [
        "timeout_ms: -1",
        "timeout_ms: 1.5",
        "timeout_ms: .inf",
        "timeout_ms: 1e400",
        "timeout_ms: 99999999999999999999",
        "retry: {max: -1}",
        "retry: {max: 1e3}",
        "retry: {factor: .nan}",
        "retry: {factor: .inf}",
        "retry: {jitter: .NaN}",
        "retry: {times: 3}",
        "cache: {ttl: -1}",
        "cache: {ttl: soon}",
    ];
    for field in untyped {
        cases.step(
            format!("no such number, {field}"),
            "Validation failed",
            field,
        );
    }
    let inner = "step: {id: b, tool: work}";
    for number in ["0", "1000001", "99999999999"] {
        cases.steps(
            format!("loop with max_items {number}"),
            "is not between",
            format!("{{id: a, type: loop, over: [1], as: x, max_items: {number}, {inner}}}"),
        );
        cases.steps(
            format!("loop with concurrency {number}"),
            "is not between",
            format!("{{id: a, type: loop, over: [1], as: x, concurrency: {number}, {inner}}}"),
        );
    }
    cases.steps(
        "parallel with concurrency 0",
        "is not between",
        "{id: a, type: parallel, concurrency: 0, steps: [{id: b, tool: work}]}",
    );
    cases.steps(
        "phase without end",
        "a phase must end",
        "{id: a, type: phase, tools: [work], goal: all}",
    );
    cases.steps(
        "phase with a billion calls",
        "is not between",
        "{id: a, type: phase, tools: [work], goal: all, max_calls: 1000000000}",
    );
    for budget in ["{money: -1}", "{seconds: -0.5}"] {
        cases.text(
            format!("budget {budget}"),
            "is not an amount",
            format!("budget: {budget}\n{}", plan("{id: a, tool: work}")),
        );
    }
    for budget in [
        "{money: .inf}",
        "{seconds: .nan}",
        "{tokens: -1}",
        "{calls: 1.5}",
        "{calls: many}",
        "{steps: 1}",
        "5",
    ] {
        cases.text(
            format!("budget {budget}"),
            "in field `budget`",
            format!("budget: {budget}\n{}", plan("{id: a, tool: work}")),
        );
    }
}
