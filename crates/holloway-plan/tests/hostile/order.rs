//! Plans that wait for themselves, for nothing, or that lead nowhere.

use super::{Cases, json_plan, listed, plan};

pub(super) fn add(cases: &mut Cases) {
    cycles(cases);
    dependencies(cases);
    sequences(cases);
    graphs(cases);
}

fn cycles(cases: &mut Cases) {
    let says = "wait for each other";
    for n in [2, 3, 5, 10, 100, 1_000, 10_000] {
        cases.made(format!("{n} steps waiting in a circle"), says, move || {
            json_plan(&listed(n, |i| {
                format!(
                    r#"{{"id": "s{i}", "tool": "work", "depends_on": ["s{}"]}}"#,
                    (i + 1) % n
                )
            }))
        });
        cases.made(format!("{n} steps reading in a circle"), says, move || {
            json_plan(&listed(n, |i| {
                format!(
                    r#"{{"id": "s{i}", "tool": "work", "input": {{"x": "{{{{s{}.y}}}}"}}}}"#,
                    (i + 1) % n
                )
            }))
        });
        cases.made(format!("a chain of {n} steps with a circle at the end"), says, move || {
            let n = n.min(9_998);
            let chain = listed(n, |i| format!("{{id: s{i}, tool: work, depends_on: [s{}]}}", i + 1));
            plan(&format!("{chain}, {{id: s{n}, tool: work, depends_on: [z]}}, {{id: z, tool: work, depends_on: [s{n}]}}"))
        });
    }
    cases.made(
        "100 steps that all wait for all",
        "waits for itself",
        || {
            let all = listed(100, |i| format!("s{i}"));
            plan(&listed(100, |i| {
                format!("{{id: s{i}, tool: work, depends_on: [{all}]}}")
            }))
        },
    );
    cases.made("300 steps that all read all", "own result", || {
        let all: String = (0..300).map(|i| format!("{{{{s{i}}}}}")).collect();
        plan(&listed(300, |i| {
            format!("{{id: s{i}, tool: work, input: {{x: '{all}'}}}}")
        }))
    });
    cases.made("5000 pairs", says, || {
        plan(&listed(10_000, |i| {
            format!("{{id: s{i}, tool: work, depends_on: [s{}]}}", i ^ 1)
        }))
    });
    cases.steps(
        "a circle of waiting and reading",
        says,
        "{id: a, tool: work, depends_on: [b]}, {id: b, tool: work, input: {x: '{{a}}'}}",
    );
    cases.steps("a circle through output names", says, "{id: a, tool: work, output: x, input: '{{y}}'}, {id: b, tool: work, output: y, input: '{{x}}'}");
    cases.steps(
        "a circle through conditions",
        says,
        "{id: a, tool: work, when: b.ok}, {id: b, tool: work, when: a.ok}",
    );
    cases.steps("a circle through a loop", says, "{id: l, type: loop, over: b.items, as: x, step: {id: i, tool: work}}, {id: b, tool: work, input: '{{l}}'}");
    cases.steps("a circle through an inner step", says, "{id: l, type: loop, over: [1], as: x, step: {id: i, tool: work, input: '{{b}}'}}, {id: b, tool: work, input: '{{l}}'}");
    cases.steps("a circle inside a loop", says, "{id: l, type: loop, over: [1], as: x, steps: [{id: a, tool: work, input: '{{b}}'}, {id: b, tool: work, input: '{{a}}'}]}");
    cases.steps("a circle inside a branch", says, "{id: c, type: conditional, condition: input.x, then: [{id: a, tool: work, depends_on: [b]}, {id: b, tool: work, depends_on: [a]}]}");
    cases.steps("a circle between parallel groups", says, "{id: p, type: parallel, steps: [{id: a, tool: work, input: '{{d}}'}]}, {id: q, type: parallel, steps: [{id: d, tool: work, input: '{{a}}'}]}");
    cases.steps("two circles that share a step", says, "{id: a, tool: work, depends_on: [b, c]}, {id: b, tool: work, depends_on: [a]}, {id: c, tool: work, depends_on: [a]}");
    let own = "own result";
    cases.steps(
        "a step that reads itself",
        own,
        "{id: a, tool: work, input: '{{a}}'}",
    );
    cases.steps(
        "a step that reads its output",
        own,
        "{id: a, tool: work, output: x, input: '{{x.y}}'}",
    );
    cases.steps(
        "a loop over itself",
        own,
        "{id: a, type: loop, over: a, as: x, step: {id: b, tool: work}}",
    );
    let around = "the step it stands in";
    cases.steps(
        "an inner step that reads the loop",
        around,
        "{id: a, type: loop, over: [1], as: x, step: {id: b, tool: work, input: '{{a}}'}}",
    );
    cases.steps("a branch that reads the other", around, "{id: c, type: conditional, condition: input.x, then: [{id: a, tool: work}], otherwise: [{id: b, tool: work, input: '{{a}}'}]}");
}

fn dependencies(cases: &mut Cases) {
    cases.steps(
        "waiting for itself",
        "waits for itself",
        "{id: a, tool: work, depends_on: [a]}",
    );
    cases.steps(
        "waiting for nobody",
        "no step",
        "{id: a, tool: work, depends_on: [b]}",
    );
    cases.steps(
        "waiting for the empty name",
        "no step",
        "{id: a, tool: work, depends_on: ['']}",
    );
    cases.steps(
        "waiting for a look-alike",
        "no step",
        "{id: page, tool: work}, {id: a, tool: work, depends_on: [раge]}",
    );
    cases.steps("waiting for an inner step", "cannot be waited for", "{id: l, type: loop, over: [1], step: {id: i, tool: work}}, {id: a, tool: work, depends_on: [i]}");
    cases.steps("an inner step waiting for an outer", "cannot be waited for", "{id: o, tool: work}, {id: l, type: loop, over: [1], step: {id: i, tool: work, depends_on: [o]}}");
    cases.made("10k dependencies on nobody", "no step", || {
        plan(&format!(
            "{{id: a, tool: work, depends_on: [{}]}}",
            listed(10_000, |i| format!("x{i}"))
        ))
    });
    cases.made("9k steps each waiting for nobody", "no step", || {
        plan(&listed(9_000, |i| {
            format!("{{id: step_{i}, tool: work, depends_on: [stepp_{i}]}}")
        }))
    });
}

fn sequences(cases: &mut Cases) {
    let sequence = |steps: &str| format!("execution: sequential\n{}", plan(steps));
    cases.text(
        "reading a later step",
        "which runs later",
        sequence("{id: a, tool: work, input: '{{b}}'}, {id: b, tool: work}"),
    );
    cases.text(
        "waiting for a later step",
        "which runs later",
        sequence("{id: a, tool: work, depends_on: [b]}, {id: b, tool: work}"),
    );
    cases.text(
        "a condition on a later step",
        "which runs later",
        sequence("{id: a, tool: work, when: b.ok}, {id: b, tool: work}"),
    );
    cases.made(
        "10k steps each reading the next",
        "which runs later",
        || {
            format!(
                "execution: sequential\n{}",
                plan(&listed(9_999, |i| format!(
                    "{{id: s{i}, tool: work, input: '{{{{s{}}}}}'}}",
                    (i + 1) % 9_999
                )))
            )
        },
    );
}

fn graphs(cases: &mut Cases) {
    let graph = |steps: &str| format!("execution: graph\n{}", plan(steps));
    let texts = [
        (
            "an edge to nowhere",
            "leads to `b`",
            "{id: a, tool: work, next: [{to: b}]}",
        ),
        (
            "an edge to an inner step",
            "leads to `i`",
            "{id: a, tool: work, next: [{to: l}, {to: i}]}, {id: l, type: loop, over: [1], step: {id: i, tool: work}}",
        ),
        (
            "an unreachable step",
            "no way leads",
            "{id: a, tool: work}, {id: b, tool: work}",
        ),
        (
            "an unreachable circle",
            "no way leads",
            "{id: a, tool: work}, {id: b, tool: work, next: [{to: c}]}, {id: c, tool: work, next: [{to: b}]}",
        ),
        (
            "waiting in a graph",
            "waits for nothing",
            "{id: a, tool: work, next: [{to: b}]}, {id: b, tool: work, depends_on: [a]}",
        ),
        (
            "endless visits",
            "is not between",
            "{id: a, tool: work, max_visits: 4294967295, next: [{to: a}]}",
        ),
        (
            "no visits",
            "is not between",
            "{id: a, tool: work, max_visits: 0}",
        ),
        (
            "visits without a number",
            "in step `a`",
            "{id: a, tool: work, max_visits: forever, next: [{to: a}]}",
        ),
        (
            "an inner edge",
            "have no edges",
            "{id: l, type: loop, over: [1], step: {id: i, tool: work, next: [{to: i}]}}",
        ),
        (
            "an edge with a broken condition",
            "next[0].when",
            "{id: a, tool: work, next: [{to: a, when: 'x >'}]}",
        ),
        (
            "an edge with an unbound condition",
            "stands for nothing",
            "{id: a, tool: work, next: [{to: a, when: nobody.x}]}",
        ),
    ];
    for (name, says, steps) in texts {
        cases.text(name, says, graph(steps));
    }
    cases.steps(
        "edges outside of a graph",
        "graph execution only",
        "{id: a, tool: work, next: [{to: b}]}, {id: b, tool: work}",
    );
    cases.steps(
        "visits outside of a graph",
        "graph execution only",
        "{id: a, tool: work, max_visits: 3}",
    );
    cases.made("10k unreachable steps", "no way leads", || {
        format!(
            "execution: graph\n{}",
            plan(&listed(10_000, |i| format!("{{id: s{i}, tool: work}}")))
        )
    });
    cases.made("10k edges to nowhere", "leads to", || {
        format!(
            "execution: graph\n{}",
            plan(&listed(9_000, |i| format!(
                "{{id: step_{i}, tool: work, next: [{{to: stepp_{i}}}]}}"
            )))
        )
    });
}
