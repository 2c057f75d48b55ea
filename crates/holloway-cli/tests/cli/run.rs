//! `holloway run`.

use crate::place::Place;

const SEED: &str = include_str!("../../../../examples/seed/basic.json");
const LOOP: &str = include_str!("../../../../examples/seed/loop.json");

#[test]
fn a_sequential_plan() {
    let place = Place::new();
    place.file("plan.json", SEED);
    let ran = place.run("run plan.json --sample-tools");
    place.check("run_sequential", &[&ran]);
}

#[test]
fn a_plan_from_standard_input() {
    let place = Place::new();
    let ran = place.run_with_input("run - --sample-tools --quiet", SEED);
    place.check("run_standard_input", &[&ran]);
}

#[test]
fn a_loop() {
    let place = Place::new();
    place.file("plan.json", LOOP);
    let ran = place
        .run("run plan.json --sample-tools --concurrency 1 --input cities=[\"Oslo\",\"Rome\"]");
    place.check("run_loop", &[&ran]);
}

#[test]
fn a_plan_that_fails() {
    let place = Place::with_plan(
        "version: '1.0'\nid: failing\nsteps:\n  - {id: good, tool: echo, input: {value: 1}}\n  \
         - {id: bad, tool: fail, input: {message: no luck}, depends_on: [good]}\n  \
         - {id: never, tool: echo, input: {value: '{{bad}}'}}\n",
    );
    let ran = place.run("run plan.yaml --max-retries 0");
    place.check("run_failing", &[&ran]);
}

#[test]
fn an_invalid_plan_is_not_run() {
    let place =
        Place::with_plan("version: '1.0'\nsteps:\n  - {id: a, tool: ecko, input: {value: 1}}\n");
    let ran = place.run("run plan.yaml");
    let runs = place.run("runs");
    place.check("run_invalid", &[&ran, &runs]);
}

#[test]
fn a_dry_run_sends_and_deletes_nothing() {
    let place = Place::with_plan(
        "version: '1.0'\nid: dry\nexecution: sequential\nsteps:\n  \
         - {id: look, tool: file-read, input: {path: precious.txt}}\n  \
         - {id: send, tool: send_notification, input: {message: '{{look.content}}'}}\n  \
         - {id: delete, tool: file-delete, input: {path: precious.txt}}\n",
    );
    place.file("precious.txt", "keep me");
    let ran = place.run("run plan.yaml --dry-run --sample-tools --yes");
    place.check("run_dry", &[&ran]);
    assert_eq!(place.read("precious.txt"), "keep me");
}

#[test]
fn inputs_from_flags_and_a_file() {
    let place = Place::with_plan(
        "version: '1.0'\nid: greet\ninput: {type: object, required: [who]}\nsteps:\n  \
         - {id: say, tool: echo, input: {value: '{{input.who.first}} {{input.times}}'}}\n",
    );
    place.file("given.yaml", "who: {first: Ada}\ntimes: 1\n");
    let both = place.run("run plan.yaml --quiet --input-file given.yaml --input times=3");
    let nested = place.run("run plan.yaml --quiet --input who.first=Bob --input times=[2]");
    let missing = place.run("run plan.yaml --quiet");
    let wrong = place.run("run plan.yaml --quiet --input who");
    place.check("run_inputs", &[&both, &nested, &missing, &wrong]);
}

#[test]
fn from_a_step_with_the_results_of_the_run_before() {
    let place = Place::with_plan(
        "version: '1.0'\nid: from\nsteps:\n  - {id: a, tool: echo, input: {value: '{{input.x}}'}}\n  \
         - {id: b, tool: echo, input: {value: 'b of {{a}}'}}\n",
    );
    let unknown = place.run("run plan.yaml --from b");
    let first = place.run("run plan.yaml --input x=1");
    let second = place.run("run plan.yaml --from b");
    let wrong = place.run("run plan.yaml --from c");
    place.check("run_from", &[&unknown, &first, &second, &wrong]);
}

#[test]
fn plans_inside_plans_are_found_beside_them() {
    let place = Place::new();
    place.file(
        "plans/inner.yaml",
        "version: '1.0'\nsteps:\n  - {id: x, tool: echo, input: {value: 'hi {{input.who}}'}}\n",
    );
    place.file("plans/outer.yaml", "version: '1.0'\nid: outer\nsteps:\n  - {id: greet, type: plan, plan: inner, input: {who: you}}\n");
    let ran = place.run("run plans/outer.yaml");
    place.check("run_inner_plan", &[&ran]);
}

#[test]
fn the_json_stream_is_the_journal_and_nothing_else() {
    let place = Place::new();
    place.file("plan.json", SEED);
    let ran = place.run("run plan.json --sample-tools --json");
    let lines = ran.lines();
    let types: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    let expected = [
        "execution_start",
        "step_start",
        "context_loaded",
        "step_complete",
        "step_start",
        "context_loaded",
        "step_complete",
        "plan_complete",
        "execution_complete",
    ];
    assert_eq!(types, expected);
    assert_eq!(ran.stderr, "");
    assert_eq!(ran.code, Some(0));
    let numbers: Vec<u64> = lines
        .iter()
        .map(|line| line["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, (1..=9).collect::<Vec<_>>());
    assert_eq!(lines[8]["success"], true);
}

#[test]
fn optimised_first() {
    let place = Place::with_plan(
        "version: '1.0'\nid: twice\nexecution: sequential\nsteps:\n  - {id: a, tool: echo, input: {value: 1}}\n  \
         - {id: b, tool: echo, input: {value: 1}}\n  - {id: c, tool: echo, input: {value: '{{a}}{{b}}'}}\n",
    );
    let ran = place.run("run plan.yaml --optimize");
    place.check("run_optimize", &[&ran]);
}

#[test]
fn what_does_not_exist() {
    let place = Place::with_plan("version: '1.0'\nsteps: []\n");
    let plan = place.run("run plam.yaml");
    let folder = place.run("run plan.yaml --grant-folder nowhere");
    let json = place.run("run nothing --json");
    place.check("run_missing", &[&plan, &folder, &json]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    let script = format!("{} schema | head -1", env!("CARGO_BIN_EXE_holloway"));
    let output = std::process::Command::new("bash")
        .args(["-o", "pipefail", "-c", &script])
        .env("HOLLOWAY_HOME", place.path("home"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn an_input_that_the_plan_does_not_have_is_refused() {
    let place = Place::with_plan(
        "version: '1.0'\nid: reads\ninput: {path: {type: string, default: a.txt}}\nsteps:\n  \
         - {id: read, tool: file-read, input: {path: '{{input.path}}'}}\n",
    );
    place.file("a.txt", "a");
    place.file("b.txt", "b");
    let refused = place.run("run plan.yaml --input pth=b.txt");
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(
        refused.stderr.contains("does not take the input `pth`"),
        "{refused}"
    );
    assert!(refused.stderr.contains("did you mean `path`?"), "{refused}");
    let ran = place.run("run plan.yaml --input path=b.txt --quiet");
    assert_eq!(ran.code, Some(0), "{ran}");
    let forked = place.run("runs fork last --input pat=a.txt");
    assert!(forked.stderr.contains("did you mean `path`?"), "{forked}");
}

#[test]
fn a_dry_run_tells_programs_what_it_did_not_call() {
    let place = Place::with_plan(
        "version: '1.0'\nid: notes\nsteps:\n  - {id: note, tool: file-append, input: {path: a.txt, content: hi}}\n",
    );
    let ran = place.run("run plan.yaml --dry-run --json");
    assert_eq!(ran.code, Some(0), "{ran}");
    let lines = ran.lines();
    let [.., told, last] = lines.as_slice() else {
        panic!("{ran}");
    };
    assert_eq!(last["type"], "execution_complete", "{ran}");
    assert_eq!(told["event"], "not_called", "{ran}");
    let call = &told["calls"][0];
    assert_eq!(call["node"], "note", "{ran}");
    assert_eq!(call["arguments"]["content"], "hi", "{ran}");
    assert!(!place.path("a.txt").exists());
}

#[test]
fn a_failed_run_counts_only_what_was_done() {
    let place = Place::with_plan(
        "version: '1.0'\nid: fails\nexecution: sequential\nsteps:\n  \
         - {id: one, tool: echo, input: {value: 1}}\n  \
         - {id: two, tool: file-read, input: {path: nowhere.txt}}\n  \
         - {id: three, tool: echo, input: {value: 3}}\n",
    );
    let failed = place.run("run plan.yaml --max-retries 0");
    assert_eq!(failed.code, Some(1), "{failed}");
    assert!(
        failed.stderr.contains("failed · 1 of 3 steps done"),
        "{failed}"
    );
    let shown = place.run("runs show last");
    assert!(shown.stdout.contains("1 of them done"), "{shown}");
}

/// Results count only for the step they came from, whatever the plan is called.
#[test]
fn results_of_a_step_that_changed_are_not_taken_over() {
    let inner =
        "version: '1.0'\nid: inner\nsteps:\n  - {id: x, tool: echo, input: {value: WORD}}\n";
    let plan = |first: &str, last: &str| {
        format!(
            "version: '1.0'\nid: same\nexecution: sequential\nsteps:\n  \
             - {{id: a, tool: echo, input: {{value: {first}}}}}\n  \
             - {{id: b, type: plan, plan: inner.yaml}}\n  \
             - {{id: c, tool: echo, input: {{value: '{last} {{{{a}}}}'}}}}\n"
        )
    };
    let place = Place::with_plan(&plan("one", "last"));
    place.file("inner.yaml", &inner.replace("WORD", "inner"));
    let first = place.run("run plan.yaml --quiet");
    assert_eq!(first.code, Some(0), "{first}");
    let from = |step: &str| place.run(&format!("run plan.yaml --quiet --from {step}"));
    // What comes after may change.
    place.file("plan.yaml", &plan("one", "other"));
    assert_eq!(from("c").code, Some(0));
    place.file("plan.yaml", &plan("two", "other"));
    let changed = from("c");
    assert_eq!(changed.code, Some(2), "{changed}");
    assert!(
        changed
            .stderr
            .contains("step `a` of the plan is not what it was"),
        "{changed}"
    );
    assert_eq!(from("a").code, Some(0));
    place.file("inner.yaml", &inner.replace("WORD", "changed"));
    let changed = from("c");
    assert!(
        changed
            .stderr
            .contains("step `b` of the plan is not what it was"),
        "{changed}"
    );
    assert_eq!(from("b").code, Some(0));
}
