//! What comes of good, bad, expensive and missing answers?

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use holloway_plan::tool::ToolSpec;
use holloway_planner::frame::constraints::Priority;
use holloway_planner::frame::scene::{Column, File, Holds};
use holloway_planner::frame::{Frame, Goal, Part, Said};
use holloway_planner::settings::Strategy;
use serde_json::json;

use super::*;
use crate::model::prompt::tools::tests::tools;
use crate::model::{Ask, Reply};

/// Says what it was told to say, and keeps what it was asked.
struct Scripted {
    answers: Mutex<VecDeque<Result<Reply, ModelFailure>>>,
    asked: Mutex<Vec<Ask>>,
}

impl Scripted {
    fn new(answers: impl IntoIterator<Item = Result<Reply, ModelFailure>>) -> Self {
        Self {
            answers: Mutex::new(answers.into_iter().collect()),
            asked: Mutex::default(),
        }
    }
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure> {
        self.asked.lock().unwrap().push(ask);
        self.answers
            .lock()
            .unwrap()
            .pop_front()
            .expect("one more answer")
    }
}

// What a call returns.
#[allow(clippy::unnecessary_wraps)]
fn said(text: &str) -> Result<Reply, ModelFailure> {
    Ok(Reply {
        text: text.to_owned(),
        tokens_in: 1_000,
        tokens_out: 100,
        cached_tokens: 0,
        money: 0.01,
    })
}

const GOOD: &str = r#"{"version": "1.0", "steps": [
  {"id": "page", "tool": "builtin/page-fetch", "input": {"url": "https://a.example"}, "purpose": "get it"},
  {"id": "count", "tool": "builtin/text-stats", "input": {"text": "{{page.text}}"}}]}"#;
const MENDABLE: &str =
    r#"Here: {"steps": [{"id": 1, "tools": ["pageFetch"], "args": {"url": "https://a.example"}}]}"#;
const WRONG: &str = r#"{"version": "1.0", "steps": [{"id": "think", "tool": "LLM", "input": {}}]}"#;

const REQUEST: &str = "Count the words of https://a.example and print Ada";

fn frame() -> Frame {
    let goal = |act: &str, text: &str, parts: Vec<Part>| Goal {
        act: act.to_owned(),
        text: text.to_owned(),
        said: Said {
            text: text.to_owned(),
            at: 0..text.len(),
        },
        parts,
        after: Vec::new(),
    };
    let said = |text: &str| Said {
        text: text.to_owned(),
        at: 0..0,
    };
    let url = Part::new(
        "sources",
        json!({"url": "https://a.example"}),
        said("https://a.example"),
    );
    let name = Part::new(
        "arguments",
        json!({"name": "whom", "value": "Ada"}),
        said("Ada"),
    );
    Frame {
        goals: vec![
            goal("count", "Count the words", vec![url]),
            goal("other", "print Ada", vec![name]),
        ],
        ..Frame::default()
    }
}

fn embedded() -> Drafted {
    Drafted {
        strategy: "embedded".to_owned(),
        draft: holloway_plan::draft::Draft::default(),
        steps: Vec::new(),
        coverage: Vec::new(),
        missing: Vec::new(),
        serves: Vec::new(),
        open_inputs: Vec::new(),
        unused: Vec::new(),
        fit: 0.25,
    }
}

/// The proposal, and the last question of each attempt.
fn propose(
    answers: Vec<Result<Reply, ModelFailure>>,
    terms: &Terms,
) -> (Proposal<Drafted>, Vec<String>, Vec<String>) {
    let model = Scripted::new(answers);
    let offered: Vec<Arc<ToolSpec>> = tools().into_iter().map(Arc::new).collect();
    let table = ToolTable::new(tools());
    let strategy = Strategy {
        name: "quick".to_owned(),
        steps: 5,
        prefers: Priority::Speed,
    };
    let task = Task {
        order: DraftOrder {
            request: REQUEST,
            frame: &frame(),
            scene: &Scene::default(),
            strategy: &strategy,
            tools: &offered,
            context: None,
            tool_tokens: 500,
        },
        table: &table,
    };
    let mut early = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut on_early = |plan: Plan| early.extend(plan.steps().iter().map(|step| step.id.clone()));
    let proposal = runtime.block_on(propose_draft(&model, &task, terms, &mut on_early, embedded));
    let asked = model.asked.lock().unwrap();
    let asked = asked
        .iter()
        .map(|ask| ask.messages.last().unwrap().text.clone())
        .collect();
    (proposal, asked, early)
}

#[track_caller]
fn check(answers: Vec<Result<Reply, ModelFailure>>, terms: &Terms, expected: &str) {
    let (proposal, ..) = propose(answers, terms);
    let problems: Vec<&str> = proposal
        .attempts
        .iter()
        .map(|one| one.problem.as_deref().unwrap_or("used"))
        .collect();
    let made_by = match &proposal.made_by {
        MadeBy::Model { name } => format!("{name}: {}", proposal.value.draft.steps.len()),
        MadeBy::Embedded { reason } => format!("{} because {reason}", proposal.value.strategy),
    };
    let found = format!(
        "{made_by} | {} | {} tokens",
        problems.join(" / "),
        proposal.spent.tokens()
    );
    assert_eq!(found, expected);
}

const UNKNOWN: &str = "Unknown tool in step `think`, field `tool`: there is no tool `LLM`";

#[test]
fn a_sound_plan_is_taken_at_once() {
    check(
        vec![said(GOOD)],
        &Terms::default(),
        "scripted: 2 | used | 1100 tokens",
    );
}

#[test]
fn small_mistakes_are_mended_with_notes() {
    let (proposal, ..) = propose(vec![said(MENDABLE)], &Terms::default());
    assert_eq!(proposal.attempts.len(), 1);
    insta::assert_snapshot!(proposal.notes.join("\n"));
}

#[test]
fn what_is_wrong_is_told_and_asked_again() {
    check(
        vec![said("hm"), said(WRONG), said(GOOD)],
        &Terms::default(),
        &format!(
            "scripted: 2 | the answer holds no JSON: expected value at line 1 column 1; it begins with `hm` / {UNKNOWN} / used | 3300 tokens"
        ),
    );
    let (_, asked, _) = propose(vec![said(WRONG), said(GOOD)], &Terms::default());
    insta::assert_snapshot!(asked[1]);
}

#[test]
fn after_three_answers_the_embedded_planner_takes_over() {
    check(
        vec![said(WRONG), said(WRONG), said(WRONG)],
        &Terms::default(),
        &format!(
            "embedded because scripted was of no help: its last answer cannot be used: {UNKNOWN} | {UNKNOWN} / {UNKNOWN} / {UNKNOWN} | 3300 tokens"
        ),
    );
}

#[test]
fn a_failure_that_no_words_can_mend_ends_it() {
    let refused = ModelFailure::Refused {
        status: 401,
        message: "bad key".to_owned(),
    };
    check(
        vec![Err(refused)],
        &Terms::default(),
        "embedded because scripted was of no help: the provider refused the key (status 401): bad key | the provider refused the key (status 401): bad key | 0 tokens",
    );
    let cut = || {
        let reply = said("{\"steps\": [").unwrap();
        Err(ModelFailure::CutOff {
            reply: Box::new(reply),
        })
    };
    check(
        vec![cut(), said(GOOD)],
        &Terms::default(),
        "scripted: 2 | the answer ended at its limit of 100 tokens / used | 2200 tokens",
    );
}

#[test]
fn what_is_used_up_ends_it() {
    let allowance = |tokens, money| Terms {
        allowance: Allowance { tokens, money },
        ..Terms::default()
    };
    let spent = |what: &str| {
        format!("embedded because scripted was of no help: {what} | {UNKNOWN} | 1100 tokens")
    };
    check(
        vec![said(WRONG)],
        &allowance(Some(1_000), None),
        &spent("1100 of 1000 tokens for planning are used up"),
    );
    check(
        vec![said(WRONG)],
        &allowance(None, Some(0.01)),
        &spent("$0.0100 of $0.0100 for planning are used up"),
    );
    check(
        vec![],
        &allowance(Some(0), None),
        "embedded because scripted was of no help: 0 of 0 tokens for planning are used up |  | 0 tokens",
    );
}

#[test]
fn safe_first_steps_begin_early_when_allowed() {
    let allowed = Terms {
        early_start: true,
        ..Terms::default()
    };
    let early = |terms: &Terms| propose(vec![said(GOOD)], terms).2;
    assert_eq!(early(&allowed), ["page"]);
    assert!(early(&Terms::default()).is_empty());
}

#[test]
fn the_card_of_a_models_plan() {
    let (proposal, ..) = propose(vec![said(GOOD)], &Terms::default());
    let Drafted {
        strategy,
        steps,
        coverage,
        missing,
        open_inputs,
        ..
    } = proposal.value;
    insta::assert_debug_snapshot!((strategy, steps, coverage, missing, open_inputs));
}

fn orders() -> Scene {
    let texts = |name: &str, values: &[&str]| Column {
        name: name.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        ..Column::default()
    };
    let amount = Column {
        name: "amount".to_owned(),
        holds: Holds::Numbers,
        ..Column::default()
    };
    let file = File {
        name: "orders.csv".to_owned(),
        columns: vec![
            texts("region", &["North"]),
            texts("status", &["paid"]),
            amount,
        ],
    };
    Scene {
        files: vec![file],
        ..Scene::default()
    }
}

/// The proposal for a request in German, and what the model was told last.
fn read(answers: Vec<Result<Reply, ModelFailure>>) -> (Proposal<Understood>, String) {
    let model = Scripted::new(answers);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let request =
        "Lies orders.csv: welche Region hat den höchsten Umsatz mit bezahlten Bestellungen?";
    let (here, terms) = (orders(), Terms::default());
    let asked = propose_frame(&model, request, &here, &terms, Understood::default);
    let proposal = runtime.block_on(asked);
    let asked = model.asked.lock().unwrap();
    let last = asked.last().unwrap().messages.last().unwrap();
    (proposal, last.text.clone())
}

fn region(value: &str) -> String {
    json!({"language": "de", "goals": [{
        "act": "select", "words": "welche Region hat den höchsten Umsatz", "sources": ["orders.csv"],
        "filters": [{"column": "status", "op": "eq", "value": value}], "group": ["region"],
        "measures": [{"function": "sum", "column": "amount"}],
        "order": [{"column": "amount", "descending": true}], "limit": {"rows": 1},
    }]})
    .to_string()
}

#[test]
fn a_frame_that_does_not_fit_is_told_and_asked_again() {
    let (proposal, told) = read(vec![said(&region("bezahlt")), said(&region("paid"))]);
    assert!(
        told.contains("no row has `bezahlt` in `status`; there are: paid"),
        "{told}"
    );
    assert_eq!(proposal.attempts.len(), 2);
    assert_eq!(proposal.value.troubles, []);
    assert_eq!(proposal.value.frame.language, "de");
}

#[test]
fn the_last_frame_stands_with_what_is_against_it() {
    let wrong = region("bezahlt");
    let (proposal, _) = read(vec![said(&wrong), said(&wrong), said(&wrong)]);
    assert!(matches!(proposal.made_by, MadeBy::Model { .. }));
    assert_eq!(proposal.value.troubles.len(), 1);
}

#[test]
fn without_a_frame_the_embedded_reading_stands() {
    let (proposal, _) = read(vec![said("no"), said("[]"), said("{}")]);
    assert_eq!(proposal.value, Understood::default());
    assert!(
        matches!(proposal.made_by, MadeBy::Embedded { reason } if reason.contains("it has no `goals`"))
    );
}
