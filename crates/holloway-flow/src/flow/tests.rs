//! Does the journey hold together, with and without a model?

mod answers;
mod both;

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;

use super::asking::ModelUse;
use super::*;
use crate::model::prompt::tools::tests::telling_tools as tools;
use crate::model::propose::Terms;
use holloway_engine::model::{Ask, Model, ModelFailure, Reply};

const REQUEST: &str = "Fetch https://a.example and count its words";
const FRAME: &str = r#"{"language": "en", "goals": [
    {"act": "count", "words": "count its words", "sources": ["https://a.example"], "unit": "words"}]}"#;
const PLAN: &str = r#"{"version": "1.0", "id": "mine", "steps": [
    {"id": "page", "tool": "builtin/page-fetch", "input": {"url": "https://a.example"}}]}"#;

/// Says one thing about requests and another about plans; keeps what it was asked.
struct Scripted {
    frame: Result<&'static str, ModelFailure>,
    plan: Result<&'static str, ModelFailure>,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        let question = ask.messages.last().unwrap().text.clone();
        let is_plan = question.contains("Second question");
        self.asked.lock().unwrap().push(question);
        let answer = if is_plan { &self.plan } else { &self.frame };
        answer.clone().map(|text| Reply {
            text: text.to_owned(),
            ..Reply::default()
        })
    }
}

/// What came of it, and what was asked.
fn planned(
    frame: Result<&'static str, ModelFailure>,
    plan: Result<&'static str, ModelFailure>,
) -> (Planned, Vec<String>) {
    planned_of(REQUEST, frame, plan)
}

fn planned_of(
    request: &str,
    frame: Result<&'static str, ModelFailure>,
    plan: Result<&'static str, ModelFailure>,
) -> (Planned, Vec<String>) {
    planned_when(ModelUse::Always, request, frame, plan)
}

fn planned_when(
    when: ModelUse,
    request: &str,
    frame: Result<&'static str, ModelFailure>,
    plan: Result<&'static str, ModelFailure>,
) -> (Planned, Vec<String>) {
    let tools = tools();
    let tools = tools.iter().map(|tool| (tool, None));
    let planner = Planner::new(tools, Skills::shipped(), GenerateSettings::default());
    let model = Scripted {
        frame,
        plan,
        asked: Mutex::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let terms = Terms::default();
    let asked = (&model as &dyn Model, when);
    let planned = runtime.block_on(planner.plan_with(request, asked, &terms, &|_| {}));
    (planned, model.asked.into_inner().unwrap())
}

#[test]
fn nobody_is_asked_again_who_does_not_answer() {
    let silent = ModelFailure::TimedOut(Duration::from_secs(1));
    let (planned, asked) = planned(Err(silent), Ok(PLAN));
    assert_eq!(asked.len(), 1);
    assert!(!planned.cards.is_empty());
    assert!(planned.cards.iter().all(|card| card.made_by == EMBEDDED));
    assert_eq!(
        planned.notes,
        [
            "the embedded planner's plans are used: scripted was of no help: the model did not answer within 1000 ms, and so was not asked for plans"
        ]
    );
}

#[test]
fn one_failure_of_all_plans_is_one_note() {
    let (planned, asked) = planned(Ok(FRAME), Err(ModelFailure::Declined("no".to_owned())));
    assert!(asked.len() > 1);
    let told = "the embedded planner's plans are used: scripted was of no help: the model declined to answer: no";
    let count = planned.notes.iter().filter(|note| *note == told).count();
    assert_eq!(count, 1, "{:?}", planned.notes);
}

#[test]
fn a_models_plan_is_named_by_its_digest() {
    let (planned, _) = planned(Ok(FRAME), Ok(PLAN));
    let card = planned.cards.first().unwrap();
    assert_eq!(card.made_by, "scripted");
    assert_eq!(card.plan.draft().id.as_ref(), Some(&card.id));
}

#[test]
fn skills_reach_the_model() {
    let (_, asked) = planned(Ok(FRAME), Ok(PLAN));
    let is_plan = |text: &&String| text.contains("Second question");
    let question = asked.iter().find(is_plan).unwrap();
    let (_, context) = question.split_once("About these tools:").unwrap();
    assert!(context.contains("\n## "), "{context}");
}

#[test]
fn what_needs_no_plan_is_answered_and_no_plan_is_asked_for() {
    let answer = r#"{"no_plan": "Oslo."}"#;
    let (planned, asked) = planned_of("What is the capital of Norway?", Ok(answer), Ok(PLAN));
    assert_eq!(asked.len(), 1);
    assert!(planned.cards.is_empty() && planned.missing.is_empty());
    assert_eq!(planned.understood.frame.no_plan.as_deref(), Some("Oslo."));
}

#[test]
fn a_request_in_any_language_is_planned() {
    let request = "https://a.example を取得して、単語数を数えてください";
    let frame = r#"{"language": "ja", "goals": [{"act": "count", "sources": ["https://a.example"], "unit": "words"}]}"#;
    let (planned, asked) = planned_of(
        request,
        Ok(frame),
        Err(ModelFailure::Declined("no".to_owned())),
    );
    assert!(asked.len() > 1);
    // Our own draft is made from the model's frame.
    let card = planned.cards.first().unwrap();
    assert_eq!(card.made_by, "embedded planner, request read by scripted");
    assert_eq!(planned.missing, []);
    assert!(
        card.steps
            .iter()
            .any(|note| note.tool.ends_with("text-stats"))
    );
}

#[test]
fn limits_of_the_request_are_kept_in_models_plans() {
    let frame = r#"{"goals": [{"act": "fetch", "sources": ["https://a.example"]}], "constraints": {"seconds": 20, "money": 0.01}}"#;
    let (planned, _) = planned_of(REQUEST, Ok(frame), Ok(PLAN));
    let card = planned.cards.first().unwrap();
    assert_eq!(card.made_by, "scripted");
    let budget = card.plan.draft().budget;
    assert_eq!((budget.seconds, budget.money), (Some(20.0), Some(0.01)));
}

#[test]
fn one_question_asks_for_all_plans() {
    let (planned, asked) = planned(Ok(FRAME), Ok(PLAN));
    assert_eq!(asked.len(), 2);
    assert!(planned.cards.iter().all(|card| card.made_by == "scripted"));
}

#[test]
fn a_draft_of_ours_may_be_kept() {
    let keep = r#"{"keep": ["thorough", "balanced", "quick"]}"#;
    let (planned, asked) = planned(Ok(FRAME), Ok(keep));
    assert!(asked[1].contains("which serves every part"), "{}", asked[1]);
    let card = planned.cards.first().unwrap();
    assert_eq!(card.made_by, "embedded planner, request read by scripted");
    assert_eq!(planned.notes, [] as [&str; 0]);
}

#[test]
fn a_model_is_left_out_where_it_could_add_nothing() {
    let ask = |request: &str, when: ModelUse| planned_when(when, request, Ok(FRAME), Ok(PLAN));
    let (planned, asked) = ask(REQUEST, ModelUse::Auto);
    assert_eq!(asked.len(), 0);
    assert!(
        planned.notes[0].contains("was not asked"),
        "{:?}",
        planned.notes
    );
    // One word that nothing accounts for is enough.
    let (_, asked) = ask(&format!("{REQUEST} crosswise"), ModelUse::Auto);
    assert_eq!(asked.len(), 2);
}

fn learned(request: &str, runs: usize) -> Vec<(String, serde_json::Value, String)> {
    let tools = tools();
    let tools = tools.iter().map(|tool| (tool, None));
    let mut planner = Planner::new(tools, Skills::shipped(), GenerateSettings::default());
    let given = |value: serde_json::Value| value.as_object().unwrap().clone();
    let run = PastRun {
        request: "Fetch https://b.example and count its words".to_owned(),
        tools: vec![
            "builtin/page-fetch".to_owned(),
            "builtin/text-stats".to_owned(),
        ],
        links: vec![(0, 1)],
        arguments: vec![
            given(json!({"url": null, "as": "html"})),
            given(json!({"text": null, "top": 25})),
        ],
        unchecked: false,
    };
    // A habit shows in different requests.
    let said = [
        "Fetch https://b.example and count its words",
        "Get the page of a shop and tell its length",
    ];
    let runs: Vec<PastRun> = (0..runs)
        .map(|at| PastRun {
            request: said[at % said.len()].to_owned(),
            ..run.clone()
        })
        .collect();
    planner.learn(&runs);
    let planned = planner.plan(request);
    let card = planned.cards.first().unwrap();
    let mut found = Vec::new();
    for note in &card.steps {
        let steps = &card.plan.draft().steps;
        let step = steps.iter().find(|step| step.id == note.step).unwrap();
        for binding in &note.bindings {
            let input = step.input.as_ref().unwrap();
            let value = input[&binding.parameter].clone();
            found.push((binding.parameter.clone(), value, binding.reason.clone()));
        }
    }
    found
}

#[test]
fn settings_of_two_past_runs_are_proposed_again() {
    let habit = |name: &str, value: serde_json::Value| {
        let reason = "the same as in past runs".to_owned();
        (name.to_owned(), value, reason)
    };
    let found = learned(REQUEST, 2);
    assert!(found.contains(&habit("top", json!(25))), "{found:?}");
    assert!(found.contains(&habit("as", json!("html"))), "{found:?}");
    // Once is no habit.
    for runs in [0, 1] {
        let found = learned(REQUEST, runs);
        assert!(found.iter().all(|one| one.0 != "top"), "{found:?}");
    }
}
