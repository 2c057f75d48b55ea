//! What does each rewrite rule do to a plan? Before and after, as people see it.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)] // tests read files and fail loudly

use holloway_plan::explain;
use holloway_plan::plan::Plan;
use holloway_plan::rewrite::{self, Change};

#[path = "explain/examples.rs"]
mod examples;
#[path = "explain/tools.rs"]
mod tools;

fn only(rule: &str, plan: &Plan) -> Option<(Plan, Vec<Change>)> {
    let rule = rewrite::all()
        .into_iter()
        .find(|known| known.name == rule)
        .unwrap();
    (rule.apply)(plan)
}

/// The steps and their order, without the parts that are not about the rewrite.
fn shown(plan: &Plan) -> String {
    let text = explain::text(plan, &tools::dag(plan));
    text.split("\nEffects")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Before, what changed, after.
#[track_caller]
fn check(rule: &str, text: &str) {
    let before = tools::plan(text);
    let (after, changes) =
        only(rule, &before).unwrap_or_else(|| panic!("{rule} found nothing to do"));
    let sentences: Vec<String> = changes.into_iter().map(|change| change.sentence).collect();
    let page = format!(
        "{}\n=== {rule} ===\n{}\n\n{}",
        shown(&before),
        sentences.join("\n"),
        shown(&after)
    );
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("rewrite/snapshots");
    settings.bind(|| insta::assert_snapshot!(rule.to_owned(), page));
    assert!(
        only(rule, &after).is_none(),
        "a second time there is nothing left to do"
    );
}

#[track_caller]
fn unchanged(rule: &str, text: &str) {
    let plan = tools::plan(text);
    let changes = only(rule, &plan)
        .map(|(_, changes)| changes)
        .unwrap_or_default();
    assert_eq!(changes, Vec::new());
}

#[test]
fn parallelise_keeps_changes_where_they_were() {
    check(
        "parallelise",
        r#"
version: "1.0"
id: report
execution: sequential
steps:
  - { id: prices, tool: builtin/file-read, input: { path: prices.csv } }
  - { id: rates, tool: builtin/http-fetch, input: { url: "https://example.com/rates" } }
  - { id: table, tool: builtin/csv-parse, input: { text: "{{prices.content}}" } }
  - { id: save, tool: builtin/file-write, input: { path: out.txt, content: "{{rates.body}}" } }
  - { id: saved, tool: builtin/file-read, input: { path: out.txt } }
  - { id: words, tool: builtin/text-stats, input: { text: "{{prices.content}}" } }
  - { id: log, tool: builtin/file-append, input: { path: log.txt, content: "{{words.words}}" } }
  - id: pages
    type: loop
    over: table.rows
    steps:
      - { id: page, tool: builtin/http-fetch, input: { url: "{{item.url}}" } }
      - { id: echo, tool: builtin/echo, input: { value: "{{item}}" } }
      - { id: length, tool: builtin/text-stats, input: { text: "{{page.body}}" } }
"#,
    );
}

#[test]
fn parallelise_leaves_a_chain_a_chain() {
    unchanged(
        "parallelise",
        r#"
version: "1.0"
execution: sequential
steps:
  - { id: a, tool: builtin/file-append, input: { path: x, content: a } }
  - { id: b, tool: builtin/file-read, input: { path: x } }
  - { id: c, tool: builtin/text-stats, input: { text: "{{b.content}}" } }
  - { id: d, type: approve, ask: "Right?" }
  - { id: e, tool: builtin/echo, input: { value: 1 }, approval: always }
"#,
    );
    unchanged(
        "parallelise",
        "version: '1.0'\nsteps: [{id: a, tool: builtin/echo}, {id: b, tool: builtin/echo}]",
    );
}

#[test]
fn identical_reads_are_made_once() {
    check(
        "merge-reads",
        r#"
version: "1.0"
id: twice
steps:
  - { id: page, tool: builtin/http-fetch, input: { url: "{{input.url}}" } }
  - { id: again, tool: builtin/http-fetch, input: { url: "{{input.url}}" }, output: copy }
  - { id: words, tool: builtin/text-stats, input: { text: "{{page.body}}" } }
  - { id: same_words, tool: builtin/text-stats, input: { text: "{{copy.body}}" } }
  - id: answer
    tool: builtin/echo
    when: copy.status == 200 and ${again.bytes} > 0
    depends_on: [again]
    input: { value: "copy has {{ same_words.words }} of {{ words.words }} words, {{ copy['copy'] }}" }
"#,
    );
}

#[test]
fn reads_that_may_differ_stay_two() {
    let between = r#"
version: "1.0"
execution: sequential
steps:
  - { id: before, tool: builtin/file-read, input: { path: x } }
  - { id: change, tool: builtin/file-append, input: { path: x, content: y } }
  - { id: after, tool: builtin/file-read, input: { path: x } }
  - { id: both, tool: builtin/echo, input: { value: ["{{before}}", "{{after}}"] } }
"#;
    unchanged("merge-reads", between);
    // In a DAG it is `depends_on` that says which world a read sees.
    let waiting = between
        .replace("execution: sequential", "")
        .replace("id: after,", "id: after, depends_on: [change],");
    unchanged("merge-reads", &waiting);
}

#[test]
fn names_that_others_need_stay() {
    let wanted_outside = r#"
version: "1.0"
steps:
  - { id: a, tool: builtin/echo, input: { value: 1 }, output: one }
  - { id: b, tool: builtin/echo, input: { value: 1 }, output: two }
  - { id: c, tool: builtin/echo, input: { value: "{{one}}" } }
"#;
    unchanged("merge-reads", wanted_outside);
    let by_name = r#"
version: "1.0"
steps:
  - id: both
    type: parallel
    steps:
      - { id: a, tool: builtin/echo, input: { value: 1 } }
      - { id: b, tool: builtin/echo, input: { value: 1 } }
      - { id: c, tool: builtin/echo, input: { value: "{{a}}{{b}}" } }
"#;
    unchanged("merge-reads", by_name);
    unchanged("drop-unused", by_name);
    let two_meanings = r#"
version: "1.0"
steps:
  - { id: a, tool: builtin/echo, input: { value: 1 } }
  - { id: b, tool: builtin/echo, input: { value: 1 } }
  - { id: each, type: loop, over: [1], as: b, step: { id: inner, tool: builtin/echo, input: { value: "{{b}}" } } }
"#;
    unchanged("merge-reads", two_meanings);
}

#[test]
fn reads_nobody_needs_are_left_out() {
    check(
        "drop-unused",
        r#"
version: "1.0"
id: leftovers
execution: sequential
steps:
  - { id: forgotten, tool: builtin/http-fetch, input: { url: "https://example.com" } }
  - { id: checked, tool: builtin/http-fetch, input: { url: "https://example.com" }, expect: [{ that: status == 200 }] }
  - { id: named, tool: builtin/echo, input: { value: 1 }, output: for_the_caller }
  - { id: awaited, tool: builtin/echo, input: { value: 2 } }
  - { id: noted, tool: builtin/file-append, input: { path: log, content: x }, depends_on: [awaited] }
  - id: each
    type: loop
    over: [1, 2]
    steps:
      - { id: idle, tool: builtin/echo, input: { value: 0 } }
      - { id: result, tool: builtin/echo, input: { value: "{{item}}" } }
"#,
    );
}

#[test]
fn defaults_are_written_down() {
    check(
        "bind-defaults",
        r#"
version: "1.0"
id: weather
steps:
  - { id: here, tool: fetch_weather, input: { city: Oslo } }
  - { id: there, tool: fetch_weather, input: { city: Austin, units: fahrenheit } }
  - { id: elsewhere, tool: fetch_weather, input: { city: Lima }, fallbacks: [builtin/echo] }
"#,
    );
}

#[test]
fn optimise_ends_where_no_rule_finds_anything() {
    for (name, text) in examples::all() {
        let (best, _) = rewrite::optimise(&tools::plan(&text));
        for rule in rewrite::all() {
            assert!(
                (rule.apply)(&best).is_none(),
                "{} still changes {name}",
                rule.name
            );
        }
    }
}
