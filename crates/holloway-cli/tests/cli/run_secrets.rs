//! Secrets that a run is given: its calls get them, and nothing that is written down has them.

use std::path::Path;

use crate::place::Place;

const SECRET: &str = "correct-horse-7";
const PLAN: &str = "version: '1.0'\nid: login\ninput:\n  type: object\n  required: [password]\n  properties:\n    \
    user: {type: string, default: ann}\n    password: {type: string, minLength: 8, maxLength: 20}\n\
    execution: sequential\nsteps:\n  \
    - {id: note, tool: file-write, input: {path: login.txt, content: '{{input.user}}:{{input.password}}'}}\n  \
    - {id: back, tool: file-read, input: {path: login.txt}}\n  \
    - {id: gone, tool: file-read, input: {path: 'no/{{input.password}}'}, on_error: continue}\n";
const ASKS: &str = "  - {id: ask, tool: send_notification, input: {message: hi}}\n  \
    - {id: more, tool: file-write, input: {path: more.txt, content: '{{input.password}}'}}\n";

/// Files below a folder that hold the secret.
fn holding(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path));
        } else if std::fs::read(&path).is_ok_and(|bytes| {
            bytes
                .windows(SECRET.len())
                .any(|window| window == SECRET.as_bytes())
        }) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn a_password_reaches_the_call_and_nothing_that_is_kept_or_shown() {
    let place = Place::with_plan(PLAN);
    let ran = place.run(&format!("run plan.yaml --json --input password={SECRET}"));
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(place.read("login.txt"), format!("ann:{SECRET}"));
    assert!(
        !ran.to_string()
            .replace(&format!("password={SECRET}"), "")
            .contains(SECRET),
        "{ran}"
    );
    assert!(ran.stdout.contains("${password#"), "{ran}");
    for command in [
        "runs show last",
        "runs trace last",
        "runs trace last --otel",
        "runs trace last --tree",
    ] {
        let shown = place.run(command);
        assert!(!shown.to_string().contains(SECRET), "{shown}");
    }
    let short = place.run("run plan.yaml --input password=pqxyz");
    assert_eq!(short.code, Some(2), "{short}");
    assert!(!short.stderr.contains("pqxyz"), "{short}");
    assert_eq!(holding(&place.path("home")), [""; 0]);
}

#[test]
fn a_run_that_goes_on_gets_it_again() {
    let place = Place::with_plan(&format!("{PLAN}{ASKS}"));
    let waiting = place.run(&format!(
        "run plan.yaml --quiet --no-wait --sample-tools --input password={SECRET}"
    ));
    assert_eq!(waiting.code, Some(0), "{waiting}");
    place.run("runs approve last a1");
    let missing = place.run("runs resume last --quiet");
    assert_eq!(missing.code, Some(2), "{missing}");
    assert!(
        missing.stderr.contains("error[secret-missing]"),
        "{missing}"
    );
    let mut command = place.command("runs resume last --quiet");
    let resumed = command.env("password", SECRET).output().unwrap();
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(place.read("more.txt"), SECRET);
    assert_eq!(holding(&place.path("home")), [""; 0]);
}

#[test]
fn one_that_is_kept_is_named_instead() {
    let place = Place::with_plan(&format!("{PLAN}{ASKS}"));
    let typed = "run plan.yaml --quiet --no-wait --sample-tools --input 'password=${SHOP}'";
    let missing = place.run(typed);
    assert_eq!(missing.code, Some(2), "{missing}");
    place.run_with_input("secrets set SHOP", SECRET);
    place.run(typed);
    place.run("runs approve last a1");
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(place.read("more.txt"), SECRET);
    let kept = holding(&place.path("home"));
    assert!(
        kept.iter().all(|file| file.ends_with("secrets.json")),
        "{kept:?}"
    );
    // A fork asks where secrets are kept as well.
    let fork = place.run("runs fork last --from more --quiet --yes");
    assert_eq!(fork.code, Some(0), "{fork}");
}

#[test]
fn at_a_terminal_it_is_asked_for_again_without_being_shown() {
    let place = Place::with_plan(&format!("{PLAN}{ASKS}"));
    place.run(&format!(
        "run plan.yaml --quiet --no-wait --sample-tools --input password={SECRET}"
    ));
    place.run("runs approve last a1");
    let terminal = place.at_terminal("runs resume last", 100, &[]);
    terminal.wait_for("password (not shown): ");
    terminal.press(&format!("x\u{7f}{SECRET}\r"));
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains(SECRET), "{screen}");
    assert_eq!(place.read("more.txt"), SECRET);
}

#[test]
fn what_is_missing_is_asked_for_without_showing_the_secret() {
    let place = Place::with_plan(PLAN);
    let terminal = place.at_terminal("run plan.yaml", 100, &[]);
    terminal.wait_for("password   (text; required; not shown)");
    terminal.press("short\r");
    terminal.wait_for_times("not shown)", 2);
    terminal.press(&format!("{SECRET}\r"));
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert!(
        !screen.contains(SECRET) && !screen.contains("short\r"),
        "{screen}"
    );
    assert_eq!(place.read("login.txt"), format!("ann:{SECRET}"));
    let terminal = place.at_terminal("run plan.yaml", 100, &[]);
    terminal.wait_for("not shown)");
    terminal.press("\u{3}");
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.contains("nothing was run"), "{screen}");
}

#[test]
fn a_text_that_only_looks_like_a_mark_is_checked_like_any_other() {
    let place = Place::with_plan(
        "version: '1.0'\nid: forged\nsteps:\n  \
        - {id: forged, tool: file-read, input: {path: forged.txt}}\n  \
        - {id: use, tool: text-replace, input: {text: a, pattern: a, replacement: b, limit: '{{forged.content}}'}}\n",
    );
    place.file("forged.txt", "${x#0123456789abcdef}");
    let ran = place.run("run plan.yaml --quiet");
    place.check("run_forged_mark", &[&ran]);
}

#[test]
fn a_mark_excuses_its_own_value_and_only_from_what_the_secret_decides() {
    let plan = |limit: &str, flag: &str| {
        format!(
            "version: '1.0'\nid: pins\ninput: {{type: object, properties: {{pin: {{type: integer}}, password: {{type: string}}}}}}\n\
            steps:\n  - {{id: use, tool: text-replace, input: {{text: a, pattern: a, replacement: b, limit: {limit}, ignore_case: {flag}}}}}\n"
        )
    };
    let run = |limit: &str, flag: &str, input: &str| {
        let place = Place::with_plan(&plan(limit, flag));
        let ran = place.run(&format!("run plan.yaml --quiet {input}"));
        assert!(!ran.stderr.contains("271828"), "{ran}");
        (ran.code, ran.stderr)
    };
    // A number stands where a number is wanted.
    let (code, told) = run("'{{input.pin}}'", "false", "--input pin=271828");
    assert_eq!(code, Some(0), "{told}");
    // It is no text inside another text, no yes or no, and does not excuse its neighbours.
    for (limit, flag, input, expected) in [
        (
            "'1{{input.pin}}'",
            "false",
            "--input pin=271828",
            "limit: value is not of type \"integer\"",
        ),
        (
            "0",
            "'{{input.pin}}'",
            "--input pin=271828",
            "ignore_case: value is not of type \"boolean\"",
        ),
        (
            "'{{input.password}}'",
            "false",
            "--input password=abcdefgh",
            "limit: value is not of type \"integer\"",
        ),
        // What the secret decides is checked with the secret.
        (
            "'{{input.pin}}'",
            "false",
            "--input pin=-271828",
            "limit: value is less than the minimum of 0",
        ),
    ] {
        let (code, told) = run(limit, flag, input);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn an_input_that_looks_like_a_mark_fetches_no_secret() {
    let place = Place::with_plan(
        "version: '1.0'\nid: noted\ninput: {type: object, properties: {note: {type: string}, password: {type: string}}}\n\
        steps:\n  - {id: note, tool: file-write, input: {path: note.txt, content: '{{input.note}} {{input.password}}'}}\n",
    );
    let forged = "${HOME#0123456789abcdef}";
    let ran = place.run(&format!(
        "run plan.yaml --quiet --input 'note={forged}' --input 'password={forged}'"
    ));
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(place.read("note.txt"), format!("{forged} {forged}"));
}

#[test]
fn results_that_hold_a_secret_are_judged_by_the_secret() {
    let run = |expect: &str| {
        let place = Place::with_plan(&format!(
            "version: '1.0'\nid: judged\ninput: {{type: object, properties: {{password: {{type: string}}}}}}\nsteps:\n  \
            - {{id: back, tool: echo, input: {{value: '{{{{input.password}}}}'}}, retry: {{max: 0}}, expect: [{expect}]}}\n"
        ));
        let ran = place.run(&format!("run plan.yaml --json --input password={SECRET}"));
        let told = ran.to_string().replace(&format!("password={SECRET}"), "");
        assert!(!told.contains(SECRET), "{told}");
        let traced = place.run("runs trace last");
        assert!(!traced.to_string().contains(SECRET), "{traced}");
        assert_eq!(holding(&place.path("home")), [""; 0]);
        (ran.code, told)
    };
    for (expect, met) in [
        ("{schema: {pattern: '^[0-9]+$'}}", false),
        ("{schema: {maxLength: 5}}", false),
        ("{schema: {minLength: 30}}", false),
        ("{schema: {enum: [a, b]}}", false),
        ("{schema: {not: {pattern: horse}}}", false),
        ("{that: 'output | length < 5'}", false),
        ("{that: '\"horse\" not in output'}", false),
        (
            "{schema: {pattern: '^correct-horse-.$', maxLength: 15}}",
            true,
        ),
        ("{that: 'output | length == 15'}", true),
        ("{that: 'output == input.password'}", true),
    ] {
        let (code, told) = run(expect);
        assert_eq!(code, Some(i32::from(!met)), "{expect}: {told}");
    }
}

#[test]
fn results_of_groups_cannot_be_judged_by_a_secret() {
    let run = |schema: &str| {
        let place = Place::with_plan(&format!(
            "version: '1.0'\nid: group\ninput: {{type: object, properties: {{password: {{type: string}}}}}}\nsteps:\n  \
            - id: all\n    type: parallel\n    expect: [{{schema: {schema}}}]\n    steps:\n      \
            - {{id: one, tool: echo, input: {{value: '{{{{input.password}}}}'}}}}\n"
        ));
        place.run(&format!("run plan.yaml --quiet --input password={SECRET}"))
    };
    let fine = run("{type: object, required: [one]}");
    assert_eq!(fine.code, Some(0), "{fine}");
    for schema in [
        "{properties: {one: {maxLength: 5}}}",
        "{properties: {one: {minLength: 30}}}",
        "{properties: {one: {pattern: '^[0-9]+$'}}}",
    ] {
        let ran = run(schema);
        assert_eq!(ran.code, Some(1), "{schema}: {ran}");
        assert!(ran.stderr.contains("there is a secret in it"), "{ran}");
    }
}

#[test]
fn inputs_are_secret_however_the_schema_says_so() {
    for (schema, input) in [
        (
            "{type: object, $defs: {s: {writeOnly: true}}, properties: {word: {$ref: '#/$defs/s'}}}",
            "word=S",
        ),
        (
            "{properties: {word: {allOf: [{type: string}, {format: password}]}}}",
            "word=S",
        ),
        (
            "{properties: {word: {anyOf: [{type: integer}, {format: password}]}}}",
            "word=S",
        ),
        (
            "{properties: {words: {type: array, items: {writeOnly: true}}}}",
            "words=[\"S\"]",
        ),
        (
            "{type: object, patternProperties: {'^w': {writeOnly: true}}}",
            "word=S",
        ),
        (
            "{type: object, additionalProperties: {format: password}}",
            "word=S",
        ),
        (
            "{properties: {credentials: {type: object}}}",
            "credentials={\"S\":\"S\"}",
        ),
        ("{properties: {session_id: {}}}", "session_id=S"),
        ("{properties: {db_pass: {}}}", "db_pass=S"),
        ("{properties: {authorization: {}}}", "authorization=S"),
        ("{properties: {webhook_url: {}}}", "webhook_url=S"),
    ] {
        let place = Place::with_plan(&format!(
            "version: '1.0'\nid: said\ninput: {schema}\nsteps:\n  \
            - {{id: all, tool: echo, input: {{value: '{{{{input}}}}'}}}}\n  \
            - {{id: note, tool: file-write, input: {{path: note.txt, content: '{{{{input | tojson}}}}'}}}}\n"
        ));
        let input = input.replace('S', SECRET);
        let ran = place.run(&format!("run plan.yaml --json --input '{input}'"));
        assert_eq!(ran.code, Some(0), "{schema}: {ran}");
        assert!(!ran.stdout.contains(SECRET), "{schema}: {ran}");
        assert_eq!(holding(&place.path("home")), [""; 0], "{schema}");
        // The call had it, the names of fields included.
        let count = input.matches(SECRET).count();
        assert_eq!(
            place.read("note.txt").matches(SECRET).count(),
            count,
            "{schema}"
        );
    }
}
