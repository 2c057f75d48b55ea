//! Documents that are no plan: broken, deep, exploding, or made to be misread.

use super::{Cases, json_plan, plan};

pub(super) fn add(cases: &mut Cases) {
    broken(cases);
    deep(cases);
    exploding(cases);
    misread(cases);
}

fn broken(cases: &mut Cases) {
    let texts = [
        ("empty", "a plan is a mapping", ""),
        ("only space", "a plan is a mapping", " \n\n "),
        ("a number", "a plan is a mapping", "42"),
        ("a list", "a plan is a mapping", "[1, 2]"),
        ("a word", "a plan is a mapping", "plan"),
        ("empty json", "no `steps`", "{}"),
        (
            "json cut off",
            "expected",
            r#"{"version": "1.0", "steps": ["#,
        ),
        (
            "json with a trailing comma",
            "expected a field name",
            r#"{"version": "1.0",}"#,
        ),
        (
            "json with a comment",
            "expected",
            "{\"version\": \"1.0\", // x\n\"steps\": []}",
        ),
        (
            "json with single quotes",
            "expected a field name",
            r#"{"version": "1.0", 'steps': []}"#,
        ),
        (
            "json twice",
            "expected the end",
            r#"{"version": "1.0"} {"version": "1.0"}"#,
        ),
        (
            "json with NaN",
            "is no value",
            r#"{"version": "1.0", "budget": {"money": NaN}, "steps": []}"#,
        ),
        (
            "json with Infinity",
            "is no value",
            r#"{"budget": {"money": -Infinity}}"#,
        ),
        (
            "json beyond numbers",
            "is no value",
            r#"{"budget": {"money": 1e9999}}"#,
        ),
        (
            "json half a surrogate",
            "bad escape",
            r#"{"version": "\ud800"}"#,
        ),
        ("json bad escape", "bad escape", r#"{"version": "\x41"}"#),
        (
            "json unclosed text",
            "no closing quote",
            r#"{"version": "1.0"#,
        ),
        (
            "yaml tab indentation",
            "",
            "version: '1.0'\nsteps:\n\t- id: a",
        ),
        ("yaml unclosed quote", "", "version: '1.0\nsteps: []"),
        (
            "yaml unclosed list",
            "",
            "version: '1.0'\nsteps: [{id: a, tool: work}",
        ),
        (
            "yaml bad indentation",
            "",
            "version: '1.0'\n  steps:\n - id: a",
        ),
        ("yaml directive", "", "%YAML 9.9\n%FOO\nversion: '1.0'"),
        (
            "yaml two documents",
            "several documents",
            "version: '1.0'\nsteps: []\n---\nversion: '1.0'",
        ),
        ("yaml unknown alias", "", "version: '1.0'\nsteps: *nowhere"),
        (
            "yaml alias in itself",
            "stands inside",
            "version: '1.0'\nsteps: &s [*s]",
        ),
        ("yaml list as a name", "must be a text", "? [a, b]\n: 1"),
        ("yaml mapping as a name", "must be a text", "? {a: b}\n: 1"),
        (
            "yaml python tag",
            "means nothing",
            "version: !!python/object/apply:os.system ['true']\nsteps: []",
        ),
        (
            "yaml own tag",
            "means nothing",
            "version: '1.0'\nsteps: !Ref x",
        ),
        (
            "yaml merge key",
            "merge keys",
            "base: &b {tool: work}\nsteps:\n  - {<<: *b, id: a}",
        ),
    ];
    for (name, says, text) in texts {
        cases.text(name, says, text);
    }
}

fn deep(cases: &mut Cases) {
    for (name, levels) in [
        ("100", 100),
        ("1k", 1_000),
        ("10k", 10_000),
        ("1m", 1_000_000),
    ] {
        let lists = move || format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let maps = move || format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
        let deep = "nested more than";
        cases.made(format!("json lists {name} deep"), deep, move || {
            json_plan(&format!(
                r#"{{"id": "a", "tool": "work", "input": {}}}"#,
                lists()
            ))
        });
        cases.made(format!("json mappings {name} deep"), "", move || {
            json_plan(&format!(r#"{{"id": "a", "input": {}}}"#, maps()))
        });
        cases.made(
            format!("json lists {name} deep, unclosed"),
            deep,
            move || format!(r#"{{"steps": {}"#, "[".repeat(levels)),
        );
        cases.made(format!("yaml flow lists {name} deep"), "", move || {
            plan(&format!("{{id: a, input: {}}}", lists()))
        });
        cases.made(format!("yaml flow mappings {name} deep"), "", move || {
            format!("a: {}", "{a: ".repeat(levels))
        });
        cases.made(format!("yaml block lists {name} deep"), "", move || {
            format!("{}1", "- ".repeat(levels))
        });
        cases.made(format!("yaml questions {name} deep"), "", move || {
            "? ".repeat(levels)
        });
    }
    cases.made("steps 20 deep", "nested more than 16 levels", || {
        let open: String = (0..20)
            .map(|i| format!(r#"{{"id": "p{i}", "type": "parallel", "steps": ["#))
            .collect();
        json_plan(&format!(
            r#"{open}{{"id": "a", "tool": "work"}}{}"#,
            "]}".repeat(20)
        ))
    });
    cases.made("loops 20 deep", "nested more than 16 levels", || {
        let open: String = (0..20)
            .map(|i| format!("{{id: p{i}, type: loop, over: [1], as: x{i}, step: "))
            .collect();
        plan(&format!("{open}{{id: a, tool: work}}{}", "}".repeat(20)))
    });
}

fn exploding(cases: &mut Cases) {
    cases.made("alias bomb of lists", "more than 150000 values", || {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = format!("*a{}, ", level - 1).repeat(10);
            text.push_str(&format!("a{level}: &a{level} [{before}]\n"));
        }
        text
    });
    cases.made("alias bomb of mappings", "values", || {
        let mut text = "a0: &a0 {x: y}\n".to_owned();
        for level in 1..30 {
            text.push_str(&format!(
                "a{level}: &a{level} {{l: *a{0}, r: *a{0}}}\n",
                level - 1
            ));
        }
        text
    });
    cases.made("alias of a long text", "aliases repeat", || {
        format!(
            "a: &a {}\nb: [{}]",
            "x".repeat(100_000),
            "*a, ".repeat(10_000)
        )
    });
    cases.made("aliases that add up to depth", "nested more than", || {
        let mut text = "a0: &a0 [x]\n".to_owned();
        for level in 1..2000 {
            let (open, close) = ("[".repeat(50), "]".repeat(50));
            text.push_str(&format!(
                "a{level}: &a{level} {open}*a{}{close}\n",
                level - 1
            ));
        }
        text
    });
    cases.made("anchors inside anchors", "values", || {
        let open: String = (0..90).map(|level| format!("&a{level} [")).collect();
        format!("a: {open}{}{}", "x, ".repeat(50_000), "]".repeat(90))
    });
    cases.made("many anchors and aliases", "more than 1000 anchors", || {
        let anchors: String = (0..60_000).map(|i| format!("&a{i} x, ")).collect();
        let aliases: String = (0..100_000)
            .map(|i| format!("*a{}, ", i % 60_000))
            .collect();
        format!("a: [{anchors}]\nb: [{aliases}]")
    });
}

fn misread(cases: &mut Cases) {
    let twice = "is given twice";
    cases.text(
        "json duplicate field",
        twice,
        r#"{"version": "1.0", "version": "1.0", "steps": []}"#,
    );
    cases.text(
        "json duplicate field in a step",
        twice,
        json_plan(r#"{"id": "a", "tool": "work", "tool": "strict"}"#),
    );
    cases.text(
        "json duplicate field by escape",
        twice,
        json_plan(r#"{"id": "a", "tool": "work", "to\u006fl": "strict"}"#),
    );
    cases.text(
        "yaml duplicate field",
        twice,
        "version: '1.0'\nsteps: []\nsteps: []",
    );
    cases.text(
        "yaml duplicate field in input",
        twice,
        plan("{id: a, tool: work, input: {x: 1, 'x': 2}}"),
    );
    for (name, c) in [
        ("escape", '\u{1b}'),
        ("bell", '\u{7}'),
        ("null", '\0'),
        ("delete", '\u{7f}'),
        ("backspace", '\u{8}'),
    ] {
        cases.text(
            format!("yaml {name} character"),
            "control character",
            plan(&format!("{{id: a, tool: 'work{c}'}}")),
        );
        cases.text(
            format!("json {name} character in the id"),
            "",
            json_plan(&format!(r#"{{"id": "a{c}", "tool": "work"}}"#)),
        );
    }
    let says = "cannot stand in an id";
    for (name, id) in [
        ("null", r"a\u0000"),
        ("line feed", r"a\nb"),
        ("zero width space", r"a\u200bb"),
        ("right to left", r"a\u202eb"),
        ("replacement", r"a\ufffd"),
    ] {
        cases.text(
            format!("json escaped {name} in the id"),
            says,
            json_plan(&format!(r#"{{"id": "{id}", "tool": "work"}}"#)),
        );
    }
}
