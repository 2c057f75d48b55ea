//! Plans whose values grow: each ends with an error that says so, and the process stays small.

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use crate::place::{Place, Ran};

/// What the process may take at most, in kB.
const MOST: u64 = 200_000;

/// Runs a program and writes down how much memory it took, in kB.
const MEASURE: &str = "import resource, subprocess, sys\n\
    code = subprocess.run(sys.argv[2:]).returncode\n\
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n\
    open(sys.argv[1], 'w').write(str(taken))\n\
    sys.exit(code)\n";

/// Runs the binary; what it took is told with what it said.
fn measured(place: &Place, typed: &str) -> (Ran, u64) {
    let command = place.command(typed);
    let mut around = Command::new("python3");
    around
        .args(["-c", MEASURE, "taken"])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(place.path(""))
        .env_clear()
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdin(Stdio::null());
    let ran = Ran::of(typed, around.output().unwrap());
    (ran, place.read("taken").parse().unwrap())
}

/// The run fails with this sentence and stays small.
#[track_caller]
fn refused(place: &Place, expected: &str) {
    let (ran, taken) = measured(place, "run plan.yaml --quiet --yes");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(ran.stderr.contains(expected), "{ran}");
    let shown = place.json("runs show last");
    let error = shown["error"].as_str().unwrap_or_default();
    assert!(error.starts_with("Limit exceeded"), "{shown}");
    assert!(taken < MOST, "{taken} kB: {ran}");
}

/// Values may have so many bytes.
fn limit(place: &Place, bytes: usize) {
    let text = format!("[run]\nmax_value_bytes = {bytes}\n");
    place.file("config/holloway/holloway.toml", &text);
}

fn plan(steps: &str) -> Place {
    Place::with_plan(&format!(
        "version: '1.0'\nid: large\nexecution: sequential\nsteps:\n{steps}"
    ))
}

fn echo(id: &str, value: &str) -> String {
    format!("  - {{id: {id}, tool: echo, input: {{value: {value}}}}}\n")
}

#[test]
fn filters_that_grow_are_stopped() {
    let grow = format!(" | replace('a', '{}')", "a".repeat(64)).repeat(4);
    let one = format!("('a'{grow})");
    let list = [one.as_str(); 12].join(", ");
    for expression in [
        format!("'a'{grow}{grow}"),
        format!("[{list}]"),
        format!("[{list}] | map('upper') | list | length"),
        [one.as_str(); 12].join(" ~ "),
    ] {
        let place = plan(&echo("grow", &format!("\"{{{{ {expression} }}}}\"")));
        refused(&place, "takes more than 67108864 bytes to work out");
    }
}

/// Forty steps, each of which makes a value out of two of the last one.
fn doubling(first: &str, double: &str) -> Place {
    let mut steps = echo("s0", first);
    for step in 1..=40 {
        let value = double.replace("sA", &format!("s{}", step - 1));
        steps += &echo(&format!("s{step}"), &value);
    }
    plan(&steps)
}

#[test]
fn references_that_double_are_stopped() {
    let place = doubling("aaaaaaaaaa", "'{{sA}}{{sA}}'");
    refused(&place, "with `s22` the input has more than 67108864 bytes");
    for (first, double) in [
        ("[1, 2, 3]", "['{{sA}}', '{{sA}}']"),
        ("{a: 1}", "{a: '{{sA}}', b: {c: '{{sA}}'}}"),
        ("aaaaaaaaaa", "'{{ sA ~ sA }}'"),
        ("[1]", "'{{ [sA, sA] }}'"),
        ("aaaaaaaaaa", "'{% if sA %}{{sA}}{{sA}}{% endif %}'"),
    ] {
        let place = doubling(first, double);
        limit(&place, 8_000_000);
        refused(&place, " more than 8000000 bytes");
    }
}

/// With the limit that holds unless another is set: the last value that fits is the largest.
#[test]
fn values_just_below_the_limit_stay_small_in_memory() {
    for (first, double) in [
        ("[1, 2, 3]", "['{{sA}}', '{{sA}}']"),
        ("{a: 1}", "{a: '{{sA}}', b: {c: '{{sA}}'}}"),
        ("[{}]", "['{{sA}}', '{{sA}}']"),
        ("[1]", "'{{ [sA, sA] }}'"),
        ("[a]", "'{{ sA + sA }}'"),
        ("aaaaaaaaaaaaaaa", "'{{ sA ~ sA }}'"),
    ] {
        refused(&doubling(first, double), " more than ");
    }
}

/// Schemas that branch again at each level of a value.
#[test]
fn schemas_that_branch_at_each_level_are_stopped() {
    let step = "{type: object, properties: {x: {$ref: '#'}}}";
    let value = format!("{}1{}", "{x: ".repeat(40), "}".repeat(40));
    let list = [step; 3].join(", ");
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let schema = format!("{{{keyword}: [{list}]}}");
        let expecting = Place::with_plan(&format!(
            "version: '1.0'\nid: deep\nsteps:\n  \
             - {{id: a, tool: echo, input: {{value: {value}}}, expect: [{{schema: {schema}}}]}}\n"
        ));
        let given = Place::with_plan(&format!(
            "version: '1.0'\nid: deep\ninput: {schema}\nsteps:\n  \
             - {{id: a, tool: echo, input: {{value: 1}}}}\n"
        ));
        given.file("input.json", &value.replace('x', "\"x\""));
        for (place, typed) in [
            (expecting, "run plan.yaml --quiet"),
            (given, "run plan.yaml --quiet --input-file input.json"),
        ] {
            let (ran, taken) = measured(&place, typed);
            assert_ne!(ran.code, Some(0), "{keyword} {ran}");
            assert!(ran.stderr.contains("checking it takes more than"), "{ran}");
            assert!(taken < MOST / 2, "{keyword} {taken} kB: {ran}");
        }
    }
}

#[test]
fn results_that_are_gathered_are_stopped() {
    let grow = format!(" | replace('a', '{}')", "a".repeat(100)).repeat(3);
    let item = format!("{{{{ 'a'{grow} }}}}");
    let numbers = (0..100)
        .map(|n| n.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let place = plan(&format!(
        "  - {{id: all, type: loop, over: [{numbers}], as: n, step: {{id: one, tool: echo, input: {{value: \"{item}\"}}}}}}\n"
    ));
    refused(
        &place,
        "the results of its steps have more than 67108864 bytes",
    );
}

#[test]
fn rows_that_are_too_large_are_stopped() {
    for sql in [
        "select printf(''%.*c'', 900000000, ''x'')",
        "select zeroblob(900000000)",
        "select group_concat(printf(''%.*c'', 1000000, ''x'')) from (with recursive n(i) as (select 1 union all select i + 1 from n limit 1000) select i from n)",
    ] {
        let place = plan(&format!(
            "  - {{id: make, tool: sqlite-execute, input: {{path: a.db, sql: 'create table if not exists t(a)'}}}}\n  \
            - {{id: ask, tool: sqlite-query, input: {{path: a.db, sql: '{sql}'}}}}\n"
        ));
        refused(&place, "too big");
    }
}

#[test]
fn the_limit_can_be_set() {
    let mut steps = echo(
        "a",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    );
    steps += &echo("b", "'{{a}}{{a}}{{a}}{{a}}'");
    steps += &echo("c", "'{{b}}{{b}}{{b}}{{b}}{{b}}'");
    let place = plan(&steps);
    limit(&place, 1_000);
    let ran = place.run("run plan.yaml");
    place.check("run_large_values", &[&ran]);
}

/// Steps that make half a megabyte each, and one that reads two of them.
fn many(count: usize) -> String {
    let grow = " | replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')".repeat(3);
    let mut steps = String::new();
    for step in 0..count {
        let value = format!("\"{step}:{{{{ 'aaaaaaaa'{grow} }}}}\"");
        steps += &echo(&format!("s{step}"), &value);
    }
    writeln!(
        steps,
        "  - {{id: ends, tool: text-stats, input: {{text: '{{{{s0}}}}{{{{s{}}}}}'}}}}",
        count - 1
    )
    .unwrap();
    steps
}

#[test]
fn many_large_results_are_put_away_read_back_and_listed_without_being_read() {
    let place = plan(&many(200));
    place.file(
        "config/holloway/holloway.toml",
        "[run]\nmax_retained_bytes = 4000000\n",
    );
    let (ran, taken) = measured(&place, "run plan.yaml --json --quiet");
    assert_eq!(ran.code, Some(0), "{:.2000}", ran.stderr);
    // 100 MB of results.
    assert!(taken < 100_000, "{taken} kB");
    let (shown, taken) = measured(&place, "runs show last");
    assert!(
        shown.stdout.contains("s199 = (512.0 kB) \"199:aaaaaa"),
        "{shown}"
    );
    assert!(shown.stdout.contains("201/201 steps"), "{shown}");
    assert!(taken < 100_000, "{taken} kB");
    let (trace, taken) = measured(&place, "runs trace last --json");
    assert!(trace.stdout.len() > 100_000_000);
    let trace: serde_json::Value = serde_json::from_str(&trace.stdout).unwrap();
    assert_eq!(
        trace["entries"][3]["output"].as_str().unwrap().len(),
        512_002
    );
    assert_eq!(trace["entries"][200]["output"]["characters"], 1_024_006);
    assert!(taken < 100_000, "{taken} kB");
}

#[test]
fn a_run_that_goes_on_holds_no_more_than_before() {
    let steps = many(100);
    let place = plan(&format!(
        "{steps}  - {{id: ask, type: approve, ask: Go on?}}\n{}",
        echo("last", "'{{s7}}'")
    ));
    place.file(
        "config/holloway/holloway.toml",
        "[run]\nmax_retained_bytes = 4000000\n",
    );
    let ran = place.run("run plan.yaml --quiet --no-wait");
    assert!(ran.stdout.contains("waiting for 1 approval"), "{ran}");
    place.run("runs approve last --all");
    let (ran, taken) = measured(&place, "runs resume last --json --quiet");
    assert_eq!(ran.code, Some(0), "{:.2000}", ran.stderr);
    assert!(ran.stdout.contains("7:aaaaaaaa"), "{:.2000}", ran.stdout);
    assert!(taken < 100_000, "{taken} kB");
}
