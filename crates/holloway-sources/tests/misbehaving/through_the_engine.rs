//! Is a call repeated whose server died in the middle of it? Only if a repeat does
//! no harm; for all others a person is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::driver::{Driver, Equipment, Report, Rest};
use holloway_engine::entry::{
    About, Answer, Decision, EndStatus, Entry, EntryKind, ExecutionStart, Question, RunId,
};
use holloway_engine::event::Event;
use holloway_engine::failure::ToolFailure;
use holloway_engine::machine::Machine;
use holloway_engine::options::{ApprovalPolicy, RunOptions};
use holloway_engine::ports::{CallOutput, CallRequest, ToolCaller};
use holloway_plan::compile::compile;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::read::read_value;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_sources::ToolSource as _;
use holloway_tools::clock::SystemClock;
use serde_json::json;

use super::run_cases::server;
use crate::server::{LONG, Server};

struct Caller(Arc<Server>);

#[async_trait]
impl ToolCaller for Caller {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        self.0.source.call(&request).await
    }
}

fn plan(server: &Server, effect: Effect) -> Plan {
    let tool = server.id.tool("act");
    let step = json!({"id": "act", "tool": tool.as_str(), "input": {"text": "once"},
        "retry": {"max": 2, "base_ms": 1}});
    let document = json!({"version": "1.0", "id": "one", "steps": [step]});
    let limits = Limits::default();
    let draft = read_value(&document, &limits).unwrap();
    let tools = ToolTable::new([ToolSpec::named(tool.as_str()).with_effect(effect)]);
    let around = Surroundings {
        tools: &tools,
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    validate(&draft, &around).unwrap()
}

fn start(plan: &Plan) -> Event {
    Event::Start(Box::new(ExecutionStart {
        run: RunId::new("run"),
        plan_id: plan.id(),
        plan_version: plan.version().to_owned(),
        context: Arc::new(json!({})),
        options: RunOptions {
            approvals: ApprovalPolicy::default().without_questions(),
            ..RunOptions::default()
        },
        reuse: BTreeMap::new(),
        marks: holloway_engine::mark::Issued::new(),
    }))
}

/// Runs one call; every question is noted and answered with no.
async fn run(server: Arc<Server>, effect: Effect) -> (Report, Vec<Question>) {
    let plan = plan(&server, effect);
    let dag = Arc::new(compile(&plan, &[], &Limits::default()).unwrap());
    let equipment = Equipment {
        tools: Arc::new(Caller(server)),
        clock: Arc::new(SystemClock),
        journal: None,
        blobs: None,
        memory: None,
    };
    let driver = Driver::new(Machine::new(dag).unwrap(), equipment);
    let control = driver.control();
    let mut questions = Vec::new();
    let mut note = |entry: &Entry, _: &Machine| {
        if let EntryKind::ApprovalRequested { request, .. } = &entry.kind {
            questions.push(Question::clone(request));
            control.answer(Answer {
                approval: request.approval.clone(),
                decision: Decision::Deny,
                digest: request.digest.clone(),
                by: "test".to_owned(),
                note: None,
                marks: holloway_engine::mark::Issued::new(),
            });
        }
    };
    let running = driver.run(start(&plan), &mut note);
    let report = tokio::time::timeout(LONG, running).await.unwrap().unwrap();
    (report, questions)
}

fn calls(folder: &tempfile::TempDir) -> usize {
    let diary = std::fs::read_to_string(folder.path().join("diary")).unwrap();
    diary.lines().filter(|line| *line == "call").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_in_doubt_is_asked_about_and_not_repeated() {
    for effect in [Effect::Write, Effect::Destructive] {
        let folder = tempfile::tempdir().unwrap();
        let server = Arc::new(server("crashes-in-call", LONG, &folder));
        let (report, questions) = run(server.clone(), effect).await;
        let about: Vec<About> = questions.iter().map(|question| question.about).collect();
        assert_eq!(about, [About::Doubt], "{effect}");
        assert_eq!(report.rest, Rest::Ended(EndStatus::Failed));
        assert_eq!(calls(&folder), 1, "{effect}");
        server.close("crashes in a call").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_may_be_repeated_is_repeated_after_a_restart() {
    for effect in [Effect::Read, Effect::Idempotent] {
        let folder = tempfile::tempdir().unwrap();
        let server = Arc::new(server("changes-after-restart", LONG, &folder));
        let (report, questions) = run(server.clone(), effect).await;
        assert!(questions.is_empty(), "{effect}: {questions:?}");
        assert_eq!(report.rest, Rest::Ended(EndStatus::Succeeded), "{effect}");
        assert_eq!(calls(&folder), 2, "{effect}");
        server.close("crashes once").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeats_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Arc::new(server("crashes-in-call", LONG, &folder));
    let (report, questions) = run(server.clone(), Effect::Idempotent).await;
    assert!(questions.is_empty(), "{questions:?}");
    assert_eq!(report.rest, Rest::Ended(EndStatus::Failed));
    assert_eq!(calls(&folder), 3);
    server.close("crashes each time").await;
}
