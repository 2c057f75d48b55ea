//! What comes of good, bad, expensive and missing answers?

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use holloway_plan::plan::Plan;
use holloway_plan::tool::{ToolSpec, ToolTable};
use holloway_planner::drafts::Drafted;
use holloway_planner::frame::constraints::Priority;
use holloway_planner::frame::scene::{Column, File, Holds, Scene};
use holloway_planner::frame::{Frame, Goal, Part, Said};
use holloway_planner::read::choose::Understood;
use holloway_planner::read::request::RequestText;
use holloway_planner::settings::Strategy;
use serde_json::json;

mod limits;

use super::frame::propose_frame;
use super::plans::{PlanTask, ask_on, propose_plans};
use super::*;
use crate::model::prompt::plans::PlanOrder;
use crate::model::prompt::tools::tests::tools;
use holloway_engine::model::{Ask, Model, ModelFailure, Reply};

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
        ..Reply::default()
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
        ..Goal::default()
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

fn strategy(name: &str) -> Strategy {
    Strategy {
        name: name.to_owned(),
        steps: 5,
        prefers: Priority::Speed,
    }
}

/// A draft of our own: one step.
fn own(strategy: &str) -> Drafted {
    let step =
        json!({"id": "own", "tool": "builtin/page-fetch", "input": {"url": "https://own.example"}});
    Drafted {
        draft: holloway_plan::draft::Draft {
            steps: vec![crate::model::parse::draft::step_of(step).unwrap()],
            ..Default::default()
        },
        ..Drafted::none(strategy)
    }
}

struct Proposed {
    exchange: Exchange<Vec<Proposal<Drafted>>>,
    /// The last message of each question.
    asked: Vec<String>,
    early: Vec<String>,
}

/// Asks for plans of these strategies; the tool that sends is only found by a search.
fn propose_for(
    strategies: &[&str],
    answers: Vec<Result<Reply, ModelFailure>>,
    terms: &Terms,
) -> Proposed {
    let mut frame = frame();
    frame.goals.truncate(1);
    propose_in(&frame, strategies, answers, terms)
}

fn propose_in(
    frame: &Frame,
    strategies: &[&str],
    answers: Vec<Result<Reply, ModelFailure>>,
    terms: &Terms,
) -> Proposed {
    let model = Scripted::new(answers);
    let mut offered: Vec<Arc<ToolSpec>> = tools().into_iter().map(Arc::new).collect();
    let hidden = offered.pop().unwrap();
    let table = ToolTable::new(tools());
    let search = |words: &str| -> Vec<Arc<ToolSpec>> {
        let found = words.contains("send").then(|| Arc::clone(&hidden));
        found.into_iter().collect()
    };
    let drafts: Vec<Drafted> = strategies.iter().map(|name| own(name)).collect();
    let strategies: Vec<Strategy> = strategies.iter().map(|name| strategy(name)).collect();
    let order = PlanOrder {
        frame,
        strategies: &strategies,
        tools: &offered,
        drafts: &drafts,
        context: "",
        tool_tokens: 500,
        share_tables: true,
    };
    let task = PlanTask {
        order,
        request: &RequestText::new(REQUEST),
        table: &table,
        same_frame: false,
        search: &search,
    };
    let mut early = Vec::new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut on_early = |plan: Plan| early.extend(plan.steps().iter().map(|step| step.id.clone()));
    let ask = ask_on(None, "", &order);
    let before = Spent::default();
    let asked = propose_plans(&model, ask, &task, (terms, before), &mut on_early);
    let exchange = runtime.block_on(asked);
    let asked = model.asked.lock().unwrap();
    let last = |ask: &Ask| ask.messages.last().unwrap().text.clone();
    Proposed {
        exchange,
        asked: asked.iter().map(last).collect(),
        early,
    }
}

fn propose(answers: Vec<Result<Reply, ModelFailure>>, terms: &Terms) -> Proposed {
    propose_for(&["quick"], answers, terms)
}

fn made(proposal: &Proposal<Drafted>) -> String {
    match &proposal.made_by {
        MadeBy::Model { name } => format!("{name}: {}", proposal.value.draft.steps.len()),
        MadeBy::Kept { .. } => "kept".to_owned(),
        MadeBy::Embedded { reason } => format!("own because {reason}"),
    }
}

#[track_caller]
fn check(answers: Vec<Result<Reply, ModelFailure>>, terms: &Terms, expected: &str) {
    let proposed = propose(answers, terms);
    let exchange = &proposed.exchange;
    let problems: Vec<&str> = exchange
        .attempts
        .iter()
        .map(|one| one.problem.as_deref().unwrap_or("used"))
        .collect();
    let found = format!(
        "{} | {} | {} tokens",
        made(&exchange.value[0]),
        problems.join(" / "),
        exchange.spent.tokens()
    );
    assert_eq!(found, expected);
}

/// Whose plan each strategy gets, and how many answers that took.
#[track_caller]
fn check_each(answers: &[&str], expected: &[&str], calls: usize) {
    let answers = answers.iter().map(|answer| said(answer)).collect();
    let proposed = propose_for(&["thorough", "quick"], answers, &Terms::default());
    let found: Vec<String> = proposed.exchange.value.iter().map(made).collect();
    assert_eq!(found, expected);
    assert_eq!(proposed.asked.len(), calls);
}

#[test]
fn plans_that_are_sound_stand_while_others_are_asked_for_again() {
    let quick = format!(
        r#"{{"plans": [{{"strategies": ["quick"], "steps": [{STEP}]}}, {{"strategies": ["thorough"], "steps": [{{"id": "think", "tool": "LLM"}}]}}]}}"#
    );
    let thorough = format!(r#"{{"plans": [{{"strategies": ["thorough"], "steps": [{STEP}]}}]}}"#);
    check_each(&[&quick, &thorough], &["scripted: 1", "scripted: 1"], 2);
    let unhelpful = "own because scripted was of no help: its last answer cannot be used: ";
    let unhelpful = format!("{unhelpful}{UNKNOWN}");
    check_each(&[&quick, &quick, &quick], &[&unhelpful, "scripted: 1"], 3);
    check_each(
        &[r#"{"keep": ["quick"]}"#, &thorough],
        &["scripted: 1", "kept"],
        2,
    );
}

#[test]
fn tools_are_searched_a_few_times() {
    let search = r#"{"search_tools": ["send a message"]}"#;
    let mail = r#"{"steps": [{"id": "mail", "tool": "mcp.mail/send_message", "input": {"to": "a", "text": "b"}}]}"#;
    let answers = vec![said(search), said(mail), said(mail)];
    let proposed = propose(answers, &Terms::default());
    assert_eq!(made(&proposed.exchange.value[0]), "scripted: 1");
    insta::assert_snapshot!(proposed.asked[1]);
    // Whoever only searches is told to stop, and in the end not asked any more.
    let searches = vec![said(search); 6];
    let proposed = propose(searches, &Terms::default());
    assert_eq!(proposed.asked.len(), 6);
    assert!(proposed.asked[4].starts_with("No more searches."));
    assert_eq!(
        made(&proposed.exchange.value[0]),
        "own because scripted was of no help: it only asked for more tools"
    );
}

const STEP: &str =
    r#"{"id": "page", "tool": "builtin/page-fetch", "input": {"url": "https://a.example"}}"#;
const UNKNOWN: &str =
    "Unknown tool in step `think`, field `tool`: the step asks a model, but no model is configured";

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
    let exchange = propose(vec![said(MENDABLE)], &Terms::default()).exchange;
    assert_eq!(exchange.attempts.len(), 1);
    insta::assert_snapshot!(exchange.value[0].notes.join("\n"));
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
    let proposed = propose(vec![said(WRONG), said(GOOD)], &Terms::default());
    insta::assert_snapshot!(proposed.asked[1]);
}

#[test]
fn after_three_answers_the_embedded_planner_takes_over() {
    check(
        vec![said(WRONG), said(WRONG), said(WRONG)],
        &Terms::default(),
        &format!(
            "own because scripted was of no help: its last answer cannot be used: {UNKNOWN} | {UNKNOWN} / {UNKNOWN} / {UNKNOWN} | 3300 tokens"
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
        "own because scripted was of no help: the provider refused the key (status 401): bad key | the provider refused the key (status 401): bad key | 0 tokens",
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
        format!("own because scripted was of no help: {what} | {UNKNOWN} | 1100 tokens")
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
        "own because scripted was of no help: 0 of 0 tokens for planning are used up |  | 0 tokens",
    );
}

#[test]
fn safe_first_steps_begin_early_when_allowed() {
    let allowed = Terms {
        early_start: true,
        ..Terms::default()
    };
    let early = |terms: &Terms| propose(vec![said(GOOD)], terms).early;
    assert_eq!(early(&allowed), ["page"]);
    assert!(early(&Terms::default()).is_empty());
}

#[test]
fn the_card_of_a_models_plan() {
    let answers = vec![said(GOOD), said(GOOD)];
    let exchange = propose_in(&frame(), &["quick"], answers, &Terms::default()).exchange;
    let Drafted {
        strategy,
        steps,
        coverage,
        missing,
        open_inputs,
        ..
    } = exchange.value.into_iter().next().unwrap().value;
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
fn read(answers: Vec<Result<Reply, ModelFailure>>) -> (Proposal<Understood>, usize, String) {
    let model = Scripted::new(answers);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let request =
        "Lies orders.csv: welche Region hat den höchsten Umsatz mit bezahlten Bestellungen?";
    let (here, terms) = (orders(), Terms::default());
    let request = RequestText::new(request);
    let own = Understood::default();
    let asked = propose_frame(&model, &request, &here, &terms, &own);
    let exchange = runtime.block_on(asked);
    let asked = model.asked.lock().unwrap();
    let last = asked.last().unwrap().messages.last().unwrap();
    let attempts = exchange.attempts.len();
    (exchange.value.proposal, attempts, last.text.clone())
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
    let (proposal, attempts, told) = read(vec![said(&region("bezahlt")), said(&region("paid"))]);
    assert!(
        told.contains("no row has `bezahlt` in `status`; there are: paid"),
        "{told}"
    );
    assert_eq!(attempts, 2);
    assert_eq!(proposal.value.troubles, []);
    assert_eq!(proposal.value.frame.language, "de");
}

#[test]
fn the_last_frame_stands_with_what_is_against_it() {
    let wrong = region("bezahlt");
    let (proposal, ..) = read(vec![said(&wrong), said(&wrong), said(&wrong)]);
    assert!(matches!(proposal.made_by, MadeBy::Model { .. }));
    assert_eq!(proposal.value.troubles.len(), 1);
}

#[test]
fn without_a_frame_the_embedded_reading_stands() {
    let (proposal, ..) = read(vec![said("no"), said("[]"), said("{}")]);
    assert_eq!(proposal.value, Understood::default());
    assert!(
        matches!(proposal.made_by, MadeBy::Embedded { reason } if reason.contains("it has no `goals`"))
    );
}
