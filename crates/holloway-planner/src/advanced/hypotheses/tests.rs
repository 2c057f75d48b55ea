//! What is expected of tasks, and which criteria in words can be checked.

use super::super::tests::{catalogue, samples, task};
use super::super::{AtHand, PlanningConstraints, plan_advanced};
use super::*;

fn outcome(action: &str, arguments: Value, criteria: &[&str]) -> ExpectedOutcome {
    let mut task = task("a", action, &[]);
    task.inputs = arguments.as_object().cloned().unwrap_or_default();
    task.success_criteria = criteria.iter().map(|one| (*one).to_owned()).collect();
    let registry = catalogue(samples());
    let constraints = PlanningConstraints::default();
    let planned = plan_advanced(&[task], &constraints, &AtHand::tools(&registry)).unwrap();
    generate_hypotheses(&planned.tasks).remove(0)
}

fn told(outcome: &ExpectedOutcome) -> String {
    let criteria = outcome.criteria.iter().map(|criterion| {
        let expectation = serde_json::to_string(&criterion.expectation).unwrap();
        format!("{}: {expectation}", criterion.text)
    });
    let unchecked = outcome
        .unchecked
        .iter()
        .map(|said| format!("{said}: for people"));
    criteria.chain(unchecked).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_written_file_must_be_there() {
    let outcome = outcome(
        "write a report file",
        serde_json::json!({"path": "out/x.pdf"}),
        &[],
    );
    assert_eq!(
        told(&outcome),
        "a file exists at out/x.pdf: {\"exists\":\"path\"}\nit is not empty: {\"that\":\"bytes > 0\"}"
    );
    assert_eq!(outcome.count(), 3);
    assert_eq!(outcome.expectations().len(), 3);
}

#[test]
fn an_answer_must_be_good() {
    let outcome = outcome(
        "fetch the page",
        serde_json::json!({"url": "http://a.example"}),
        &[],
    );
    assert_eq!(
        told(&outcome),
        "the status is 200: {\"that\":\"status == 200\"}"
    );
}

#[test]
fn criteria_in_words_are_checked_where_a_machine_can() {
    let found = outcome(
        "extract prices from html",
        serde_json::json!({"html": "<b>1</b>"}),
        &[
            "at least 5 rows",
            "rows is not empty",
            "rows exist",
            "rows[0].price > 0",
            "prices look right",
        ],
    );
    insta::assert_snapshot!(told(&found), @r#"
    at least 5 rows: {"that":"rows | length >= 5"}
    rows is not empty: {"that":"rows | length > 0"}
    rows exist: {"exists":"rows"}
    rows[0].price > 0: {"that":"rows[0].price > 0"}
    prices look right: for people
    "#);
    let fetch = outcome(
        "fetch the page",
        serde_json::json!({"url": "http://a.example"}),
        &[
            "response status should be 204",
            "color == 3",
            "the page has what we want",
        ],
    );
    insta::assert_snapshot!(told(&fetch), @r#"
    response status should be 204: {"that":"status == 204"}
    color == 3: for people
    the page has what we want: for people
    "#);
}

#[test]
fn the_form_is_what_the_task_asks_for_or_what_the_tool_declares() {
    let declared = outcome(
        "fetch the page",
        serde_json::json!({"url": "http://a.example"}),
        &[],
    );
    let schema = declared.schema.unwrap();
    assert!(schema["properties"]["status"].is_object());
}
