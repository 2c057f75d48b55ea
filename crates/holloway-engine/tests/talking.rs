//! Tools that speak during a call, with real tasks and timers: reports are
//! thinned out, a person's time is not the call's, a withdrawn question closes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use holloway_engine::driver::{Control, Driver, Equipment, Report, Rest};
use holloway_engine::entry::{
    Answer, Decision, EndStatus, Entry, EntryKind, ExecutionStart, Question, RunId,
};
use holloway_engine::event::Event;
use holloway_engine::executor::Functions;
use holloway_engine::failure::ToolFailure;
use holloway_engine::machine::Machine;
use holloway_engine::options::RunOptions;
use holloway_engine::ports::{
    CallLine, CallRequest, Memory, ToolAnswer, ToolProgress, ToolQuestion,
};
use holloway_plan::compile::compile;
use holloway_plan::limits::Limits;
use holloway_plan::read::read_value;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_testkit::clock::ManualClock;
use holloway_testkit::journal_text::journal_text;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

fn seats() -> ToolQuestion {
    ToolQuestion {
        message: "How many seats?".to_owned(),
        schema: json!({"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}),
    }
}

fn report(progress: f64) -> ToolProgress {
    ToolProgress {
        progress,
        ..ToolProgress::default()
    }
}

/// Gives the answer to every question after a while.
type Person = fn(&Question) -> (Duration, Decision);

fn answer_later(control: Control, question: &Question, person: Person) {
    let (pause, decision) = person(question);
    let answer = Answer {
        approval: question.approval.clone(),
        decision,
        digest: question.digest.clone(),
        by: "Ada".to_owned(),
        note: None,
        marks: holloway_engine::mark::Issued::new(),
    };
    tokio::spawn(async move {
        sleep(pause).await;
        control.answer(answer);
    });
}

struct Nothing;

impl Memory for Nothing {
    fn recall(&self, _key: &str, _now_ms: u64, _ttl_ms: u64) -> Option<Value> {
        None
    }

    fn remember(&self, key: &str, _now_ms: u64, _value: &Value) {
        panic!("{key} was remembered");
    }
}

/// Runs one step that calls the function; gives its journal too.
async fn run<F, R>(step: Value, tool: F, person: Person) -> (Report, Vec<Entry>)
where
    F: Fn(CallRequest) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, ToolFailure>> + Send + 'static,
{
    let spec = ToolSpec::named("t/talk").with_effect(Effect::Read);
    let functions = Functions::new().with(spec, tool);
    let limits = Limits::default();
    let draft = read_value(&json!({ "version": "1.0", "steps": [step] }), &limits).unwrap();
    let around = Surroundings {
        tools: functions.table(),
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    let dag = Arc::new(compile(&validate(&draft, &around).unwrap(), &[], &limits).unwrap());
    let start = ExecutionStart {
        run: RunId::new("talk"),
        plan_id: "talk".to_owned(),
        plan_version: dag.plan_version().to_owned(),
        context: Arc::new(json!({})),
        options: RunOptions::default(),
        reuse: std::collections::BTreeMap::new(),
        marks: holloway_engine::mark::Issued::new(),
    };
    let equipment = Equipment {
        tools: Arc::new(functions),
        clock: Arc::new(ManualClock::at(1_000)),
        journal: None,
        blobs: None,
        memory: Some(Arc::new(Nothing)),
    };
    let driver = Driver::new(Machine::new(dag).unwrap(), equipment);
    let control = driver.control();
    let mut journal = Vec::new();
    let mut observer = |entry: &Entry, _: &Machine| {
        if let EntryKind::ApprovalRequested { request, .. } = &entry.kind {
            answer_later(control.clone(), request, person);
        }
        journal.push(entry.clone());
    };
    let event = Event::Start(Box::new(start));
    let report = driver.run(event, &mut observer).await.unwrap();
    (report, journal)
}

fn nobody(_: &Question) -> (Duration, Decision) {
    (Duration::from_hours(1_000_000), Decision::Deny)
}

fn reports(journal: &[Entry]) -> Vec<f64> {
    let progress = |entry: &Entry| match &entry.kind {
        EntryKind::StepProgress { report, .. } => Some(report.progress),
        _ => None,
    };
    journal.iter().filter_map(progress).collect()
}

#[tokio::test(start_paused = true)]
async fn no_more_reports_go_on_than_four_a_second_and_the_latest_is_not_lost() {
    let step = json!({ "id": "talk", "tool": "t/talk" });
    let talk = |request: CallRequest| async move {
        for progress in 0..20 {
            request.line.progress(report(f64::from(progress)));
            sleep(Duration::from_millis(100)).await;
        }
        // Long enough for what was held back.
        sleep(Duration::from_secs(1)).await;
        request.line.progress(report(100.0));
        request.line.progress(report(101.0));
        Ok(Value::Null)
    };
    let (report, journal) = run(step, talk, nobody).await;
    assert_eq!(report.rest, Rest::Ended(EndStatus::Succeeded));
    let reports = reports(&journal);
    // Two seconds at four a second, the one held back at the end of them, and one after a pause.
    assert!((8..=10).contains(&reports.len()), "{reports:?}");
    assert_eq!(reports.first(), Some(&0.0));
    assert!(reports.contains(&19.0), "{reports:?}");
    assert_eq!(reports.last(), Some(&100.0));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_speaks_for_long_is_written_down_more_rarely() {
    let step = json!({ "id": "talk", "tool": "t/talk", "timeout_ms": 7_200_000 });
    let talk = |request: CallRequest| async move {
        for progress in 0..36_000 {
            request.line.progress(report(f64::from(progress)));
            sleep(Duration::from_millis(100)).await;
        }
        Ok(Value::Null)
    };
    let (_, journal) = run(step, talk, nobody).await;
    let count = reports(&journal).len();
    assert!((200..800).contains(&count), "{count} reports in an hour");
}

#[tokio::test(start_paused = true)]
async fn the_time_a_person_takes_is_not_the_calls_time() {
    let step =
        json!({ "id": "talk", "tool": "t/talk", "timeout_ms": 1_000, "cache": { "ttl": 60 } });
    let talk = |request: CallRequest| async move {
        sleep(Duration::from_millis(400)).await;
        let first = request.line.ask(seats()).await;
        sleep(Duration::from_millis(400)).await;
        let second = request.line.ask(seats()).await;
        Ok(json!([first, second]))
    };
    let person: Person = |_| (Duration::from_hours(8), Decision::Edit(json!({"seats": 2})));
    let (report, _) = run(step, talk, person).await;
    let said = json!([{"accept": {"seats": 2}}, {"accept": {"seats": 2}}]);
    assert_eq!(*report.outputs["talk"].get(), said);
}

#[tokio::test(start_paused = true)]
async fn after_the_answer_the_clock_runs_again() {
    let step =
        json!({ "id": "talk", "tool": "t/talk", "timeout_ms": 1_000, "retry": { "max": 0 } });
    let began = Instant::now();
    let talk = |request: CallRequest| async move {
        sleep(Duration::from_millis(400)).await;
        request.line.ask(seats()).await;
        sleep(Duration::from_hours(1)).await;
        Ok(Value::Null)
    };
    let person: Person = |_| (Duration::from_secs(5), Decision::Deny);
    let (report, _) = run(step, talk, person).await;
    assert_eq!(report.rest, Rest::Ended(EndStatus::Failed));
    assert!(report.failure.unwrap().contains("no answer within 1000 ms"));
    // The clock of a paused runtime moves in steps of a millisecond.
    let took = began.elapsed().as_millis();
    assert!((6_000..6_010).contains(&took), "{took} ms");
}

#[tokio::test(start_paused = true)]
async fn a_question_the_tool_does_not_wait_for_is_closed() {
    let step = json!({ "id": "talk", "tool": "t/talk" });
    let talk = |request: CallRequest| async move {
        let patience = Duration::from_secs(1);
        let answer = tokio::time::timeout(patience, request.line.ask(seats())).await;
        Ok(json!(answer.is_ok()))
    };
    let (report, journal) = run(step, talk, nobody).await;
    assert_eq!(*report.outputs["talk"].get(), json!(false));
    let text = journal_text(&journal);
    assert!(
        text.contains(r#"a1 {"decision":"dismiss"} the tool withdrew it"#),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_ends_leaves_no_question_open_and_its_line_is_dead() {
    let kept: Arc<Mutex<Option<CallLine>>> = Arc::default();
    let line = Arc::clone(&kept);
    let step = json!({ "id": "talk", "tool": "t/talk" });
    let talk = move |request: CallRequest| {
        *line.lock().unwrap() = Some(request.line.clone());
        async move {
            let line = request.line.clone();
            tokio::spawn(async move { line.ask(seats()).await });
            sleep(Duration::from_millis(10)).await;
            Ok(json!("done"))
        }
    };
    let (report, journal) = run(step, talk, nobody).await;
    assert_eq!(report.rest, Rest::Ended(EndStatus::Succeeded));
    assert!(report.questions.is_empty());
    let text = journal_text(&journal);
    assert!(
        text.contains(r#"a1 {"decision":"dismiss"} the call that asked is over"#),
        "{text}"
    );
    let line = kept.lock().unwrap().take().unwrap();
    assert_eq!(line.ask(seats()).await, ToolAnswer::Decline);
}

#[tokio::test(start_paused = true)]
async fn questions_are_put_one_at_a_time_and_not_without_end() {
    let step = json!({ "id": "talk", "tool": "t/talk" });
    let talk = |request: CallRequest| async move {
        let both = tokio::join!(request.line.ask(seats()), request.line.ask(seats()));
        assert_eq!(both, (ToolAnswer::Decline, ToolAnswer::Decline));
        for _ in 0..500 {
            request.line.ask(seats()).await;
        }
        Ok(Value::Null)
    };
    let (_, journal) = run(step, talk, |_| (Duration::ZERO, Decision::Deny)).await;
    let names = |name: &str| {
        journal
            .iter()
            .filter(|entry| entry.kind.name() == name)
            .count()
    };
    assert_eq!(
        (names("approval_requested"), names("approval_resolved")),
        (100, 100)
    );
    let open = journal.iter().map(|entry| match entry.kind.name() {
        "approval_requested" => 1,
        "approval_resolved" => -1,
        _ => 0,
    });
    let most = open.scan(0, |sum, change| {
        *sum += change;
        Some(*sum)
    });
    assert_eq!(most.max(), Some(1));
}

#[tokio::test]
async fn a_line_that_leads_nowhere_declines() {
    let line = CallLine::default();
    line.progress(report(1.0));
    assert_eq!(line.ask(seats()).await, ToolAnswer::Decline);
}
