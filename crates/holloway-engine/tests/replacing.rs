//! A call that would write over something: asked about, made again with a person's word, and
//! the same in every replay.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::driver::{Driver, Equipment, Report, Rest};
use holloway_engine::entry::{
    Answer, Decision, EndStatus, Entry, EntryKind, ExecutionStart, RunId,
};
use holloway_engine::event::Event;
use holloway_engine::executor::Functions;
use holloway_engine::failure::ToolFailure;
use holloway_engine::machine::Machine;
use holloway_engine::options::{ApprovalPolicy, Consent, RunOptions};
use holloway_engine::ports::{CallOutput, CallRequest, Changed, ToolCaller};
use holloway_engine::replay::replay;
use holloway_plan::compile::compile;
use holloway_plan::dag::Dag;
use holloway_plan::limits::Limits;
use holloway_plan::read::read_value;
use holloway_plan::tool::{Effect, ToolId, ToolSpec};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_testkit::clock::ManualClock;
use serde_json::{Value, json};

/// Every file but `new` is there already; `link` leads to another one at each call, and keys are
/// in a sensitive place.
async fn save(request: CallRequest) -> Result<Value, ToolFailure> {
    let path = request.arguments["path"].as_str().unwrap().to_owned();
    let file = match path.as_str() {
        "link" => format!("target-{}", request.attempt.min(2)),
        other => other.to_owned(),
    };
    if path == "key" && !request.may_replace.covers(&file, true) {
        return Err(ToolFailure::would_touch_sensitive(file, "keys"));
    }
    if path != "new" && path != "key" && !request.may_replace.covers(&file, false) {
        return Err(ToolFailure::would_replace(file));
    }
    Ok(json!({ "path": path }))
}

fn functions() -> Functions {
    let save_spec = ToolSpec::named("t/save").with_effect(Effect::Idempotent);
    let other = ToolSpec::named("t/other").with_effect(Effect::Idempotent);
    Functions::new()
        .with(save_spec, save)
        .with(other, |_| async { Ok(json!("other")) })
}

/// Tells beforehand which file a call would change, as things are before the first call.
struct Looking(Functions);

#[async_trait]
impl ToolCaller for Looking {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        self.0.call(request).await
    }

    fn would_change(&self, tool: &ToolId, arguments: &Value) -> Option<Changed> {
        let path = arguments["path"].as_str()?;
        let file = if path == "link" { "target-0" } else { path };
        (tool.as_str() == "t/save" && path != "new").then(|| Changed {
            path: path.to_owned(),
            file: file.to_owned(),
            sensitive: path == "key",
        })
    }
}

fn dag(step: &Value) -> Arc<Dag> {
    let limits = Limits::default();
    let document = json!({ "version": "1.0", "budget": {"calls": 1}, "steps": [step] });
    let draft = read_value(&document, &limits).unwrap();
    let functions = functions();
    let around = Surroundings {
        tools: functions.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    Arc::new(compile(&validate(&draft, &around).unwrap(), &[], &limits).unwrap())
}

/// Runs one step; the answers are given one after the other.
async fn run(step: Value, policy: ApprovalPolicy, answers: &[Decision]) -> (Report, Vec<Entry>) {
    let dag = dag(&step);
    let start = ExecutionStart {
        run: RunId::new("save"),
        plan_id: "save".to_owned(),
        plan_version: dag.plan_version().to_owned(),
        context: Arc::new(json!({})),
        options: RunOptions {
            approvals: policy,
            ..RunOptions::default()
        },
        reuse: BTreeMap::new(),
        marks: holloway_engine::mark::Issued::new(),
    };
    let equipment = Equipment {
        tools: Arc::new(Looking(functions())),
        clock: Arc::new(ManualClock::at(1_000)),
        journal: None,
        blobs: None,
        memory: None,
    };
    let driver = Driver::new(Machine::new(Arc::clone(&dag)).unwrap(), equipment);
    let control = driver.control();
    let (mut journal, mut answers) = (Vec::new(), answers.iter());
    let mut observer = |entry: &Entry, _: &Machine| {
        if let EntryKind::ApprovalRequested { request, .. } = &entry.kind {
            control.answer(Answer {
                approval: request.approval.clone(),
                decision: answers.next().expect("one question too many").clone(),
                digest: request.digest.clone(),
                by: "Ada".to_owned(),
                note: None,
                marks: holloway_engine::mark::Issued::new(),
            });
        }
        journal.push(entry.clone());
    };
    let report = driver
        .run(Event::Start(Box::new(start)), &mut observer)
        .await
        .unwrap();
    assert_eq!(answers.next(), None, "a question was not asked");
    // As it is written and read back.
    let text = serde_json::to_string(&journal).unwrap();
    let again: Vec<Entry> = serde_json::from_str(&text).unwrap();
    assert_eq!(replay(dag, &again).unwrap().ended(), ended(&report));
    (report, journal)
}

fn ended(report: &Report) -> Option<EndStatus> {
    match report.rest {
        Rest::Ended(status) => Some(status),
        Rest::Paused => None,
    }
}

fn questions(journal: &[Entry]) -> Vec<String> {
    let text = |entry: &Entry| match &entry.kind {
        EntryKind::ApprovalRequested { request, .. } => Some(request.text.clone()),
        _ => None,
    };
    journal.iter().filter_map(text).collect()
}

fn step(path: &str) -> Value {
    json!({"id": "a", "tool": "t/save", "fallbacks": ["t/other"], "input": {"path": path}})
}

#[tokio::test]
async fn a_yes_makes_the_call_and_the_refused_one_counts_for_nothing() {
    let policy = ApprovalPolicy::default();
    let (report, journal) = run(step("old"), policy, &[Decision::Approve]).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded), "{journal:?}");
    assert_eq!(
        questions(&journal),
        ["`old` is there already, and this run did not make it. May `t/save` change it?"]
    );
    assert_eq!(report.progress.spent.calls, 1);
    let (_, journal) = run(step("new"), policy, &[]).await;
    assert_eq!(questions(&journal), [""; 0]);
}

#[tokio::test]
async fn a_no_ends_the_step_without_another_tool() {
    let (report, _) = run(step("old"), ApprovalPolicy::default(), &[Decision::Deny]).await;
    assert_eq!(ended(&report), Some(EndStatus::Failed));
    assert!(report.failure.unwrap().contains("Ada said no"));
}

#[tokio::test]
async fn another_file_that_is_there_is_asked_about_again() {
    let edit = |path: &str| Decision::Edit(json!({ "path": path }));
    let policy = ApprovalPolicy::default();
    let (report, _) = run(step("old"), policy, &[edit("older"), Decision::Approve]).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded));
    assert_eq!(*report.outputs["a"].get(), json!({"path": "older"}));
    let (report, _) = run(step("old"), policy, &[edit("new")]).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded));
}

#[tokio::test]
async fn policy_and_plan_decide_beforehand() {
    let with = |replace| ApprovalPolicy {
        replace,
        ..ApprovalPolicy::default()
    };
    let (report, _) = run(step("old"), with(Consent::Allow), &[]).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded));
    let (report, _) = run(step("old"), with(Consent::Deny), &[]).await;
    assert_eq!(ended(&report), Some(EndStatus::Failed));
    let mut never = step("old");
    never["approval"] = json!("never");
    let (report, _) = run(never, with(Consent::Ask), &[]).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded));
    // Who has allowed exactly this call is not asked twice.
    let mut always = step("old");
    always["approval"] = json!("always");
    let (report, _) = run(always, with(Consent::Ask), &[Decision::Approve]).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded));
}

#[tokio::test]
async fn a_yes_counts_for_the_file_that_was_asked_about() {
    let policy = ApprovalPolicy::default();
    let yes = [Decision::Approve, Decision::Approve];
    let (report, journal) = run(step("link"), policy, &yes).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded), "{journal:?}");
    let asked = questions(&journal);
    assert!(asked[0].contains("`target-1`"), "{asked:?}");
    assert!(asked[1].contains("`target-2`"), "{asked:?}");
}

#[tokio::test]
async fn a_sensitive_place_is_asked_about_whatever_the_policy_and_the_plan_allow() {
    let policy = ApprovalPolicy {
        sensitive: Consent::Ask,
        ..ApprovalPolicy::default().without_questions()
    };
    let mut never = step("key");
    never["approval"] = json!("never");
    let (report, journal) = run(never, policy, &[Decision::Approve]).await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded), "{journal:?}");
    assert_eq!(
        questions(&journal),
        ["`key` is in a sensitive place (keys). May `t/save` change it?"]
    );
    let denying = ApprovalPolicy {
        sensitive: Consent::Deny,
        ..policy
    };
    let (report, _) = run(step("key"), denying, &[]).await;
    assert_eq!(ended(&report), Some(EndStatus::Failed));
    let (report, _) = run(
        step("key"),
        ApprovalPolicy::default().without_questions(),
        &[],
    )
    .await;
    assert_eq!(ended(&report), Some(EndStatus::Succeeded));
}
