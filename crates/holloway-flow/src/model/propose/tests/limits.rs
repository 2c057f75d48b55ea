//! How long may all answers together take, and how often is a plan asked for that leaves parts out?

use super::*;

#[test]
fn a_limit_of_time_holds_for_all_answers_together() {
    let limits = Constraints {
        seconds: Some(20.0),
        ..Constraints::default()
    };
    let left = |terms: &Terms, seconds: f64| {
        let spent = Spent {
            seconds,
            ..Spent::default()
        };
        terms.time_left(&spent)
    };
    let terms = Terms::default().within(&limits);
    assert_eq!(left(&terms, 0.0), Some(Duration::from_secs(20)));
    assert_eq!(left(&terms, 14.5), Some(Duration::from_millis(5_500)));
    assert_eq!(left(&terms, 20.0), None);
    let patient = Terms::default();
    assert_eq!(left(&patient, 1e9), Some(patient.timeout));
    // The tighter of two limits holds.
    let longer = Constraints {
        seconds: Some(60.0),
        ..Constraints::default()
    };
    assert_eq!(terms.within(&longer).deadline, terms.deadline);
    let none = Terms {
        deadline: Some(Duration::ZERO),
        ..Terms::default()
    };
    check(
        vec![],
        &none,
        "own because scripted was of no help: the time that the request allows is used up |  | 0 tokens",
    );
}

const ONE: &str = r#"{"steps": [{"id": "page", "tool": "builtin/page-fetch", "input": {"url": "https://a.example"}}]}"#;

#[test]
fn a_plan_that_leaves_a_part_out_is_asked_for_once_more() {
    let frame = frame();
    let short = "a plan does not do all that is asked: no step shows arguments: {\"name\":\"whom\",\"value\":\"Ada\"}";
    let shown = |answers: &[&str]| {
        let answers = answers.iter().map(|answer| said(answer)).collect();
        let proposed = propose_in(&frame, &["quick"], answers, &Terms::default());
        let problems = proposed
            .exchange
            .attempts
            .iter()
            .map(|one| one.problem.clone());
        let problems: Vec<String> = problems.flatten().collect();
        (
            made(&proposed.exchange.value[0]),
            problems,
            proposed.asked.len(),
        )
    };
    let wrong = vec![short.to_owned()];
    assert_eq!(
        shown(&[ONE, GOOD]),
        ("scripted: 2".to_owned(), wrong.clone(), 2)
    );
    // It stands where nothing better comes, in whatever words.
    assert_eq!(
        shown(&[ONE, ONE]),
        ("scripted: 1".to_owned(), wrong.clone(), 2)
    );
    assert_eq!(
        shown(&[ONE, r#"{"keep": []}"#]),
        ("scripted: 1".to_owned(), wrong.clone(), 2)
    );
    assert_eq!(
        shown(&[ONE, "That is right."]),
        ("scripted: 1".to_owned(), wrong, 2)
    );
}
