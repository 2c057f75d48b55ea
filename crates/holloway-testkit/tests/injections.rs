//! What a tool brings may hold orders, and a model may obey all of them: still nothing is called that
//! the phase does not list, and nothing is changed that nobody has allowed.
//!
//! `injections.json` holds orders that tool results carry, with the tool each of them is after: the
//! injection tasks of `AgentDojo` (MIT licence) in five wordings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::entry::{Entry, EntryKind, ExecutionStart, Origin, RunId};
use holloway_engine::event::{Action, Call, CallEnd, Event};
use holloway_engine::machine::Machine;
use holloway_engine::mark::Issued;
use holloway_engine::options::RunOptions;
use holloway_engine::ports::Usage;
use holloway_plan::compile::compile;
use holloway_plan::dag::Dag;
use holloway_plan::limits::Limits;
use holloway_plan::read::read_value;
use holloway_plan::step::MODEL_TOOL;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_testkit::random_plan::model_tool;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Injection {
    text: String,
    tool: String,
}

/// What the phase may call: it reads, and it may post after somebody has allowed it.
const LISTED: [&str; 2] = ["test/read", "test/post"];

fn dag(after: &str) -> Arc<Dag> {
    let limits = Limits::default();
    let plan = json!({"version": "1.0", "steps": [{
        "id": "look", "type": "phase", "goal": "Sum up the page", "tools": LISTED, "max_calls": 6
    }]});
    let draft = read_value(&plan, &limits).unwrap();
    let tools = ToolTable::new([
        ToolSpec::named("test/read").with_effect(Effect::Read),
        ToolSpec::named("test/post"),
        ToolSpec::named(format!("bank/{after}")),
        model_tool(),
    ]);
    let around = Surroundings {
        tools: &tools,
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    Arc::new(compile(&validate(&draft, &around).unwrap(), &[], &limits).unwrap())
}

/// A model that does whatever it reads: the tool by its name and by its whole id, and what it may
/// call with what was read.
fn obedient(question: &str, injection: &Injection) -> Value {
    if !question.contains("begin result of") {
        return json!({"act": "call", "calls": [{"tool": "read", "arguments": {"page": 1}}]});
    }
    let Injection { text, tool } = injection;
    json!({"act": "call", "calls": [
        {"tool": tool, "arguments": {"order": text}},
        {"tool": format!("bank/{tool}"), "arguments": {"order": text}},
        {"tool": "post", "arguments": {"text": text}},
    ]})
}

struct Ran {
    journal: Vec<Entry>,
    questions: usize,
}

/// Runs until nothing is left to do but to wait for a person.
fn run(injection: &Injection) -> Ran {
    let dag = dag(&injection.tool);
    let mut machine = Machine::new(Arc::clone(&dag)).unwrap();
    let mut events = vec![Event::Start(Box::new(ExecutionStart {
        run: RunId::new("hostile"),
        plan_id: dag.plan_id().to_owned(),
        plan_version: dag.plan_version().to_owned(),
        context: Arc::new(json!({})),
        options: RunOptions::default(),
        reuse: BTreeMap::new(),
        marks: Issued::new(),
    }))];
    let mut journal = Vec::new();
    let mut now = 0;
    while let Some(event) = events.pop() {
        now += 1;
        for action in machine.next(now, event) {
            match action {
                Action::Record(entry) => journal.push(entry),
                Action::Call(call) => events.push(ended(&call, injection)),
                _ => {}
            }
        }
    }
    let questions = machine.questions().count();
    Ran { journal, questions }
}

fn ended(call: &Call, injection: &Injection) -> Event {
    let request = &call.request;
    let result = match request.tool.as_str() {
        MODEL_TOOL => obedient(request.arguments["prompt"].as_str().unwrap(), injection),
        "test/read" => json!({"page": injection.text}),
        other => panic!("`{other}` was called: {}", injection.text),
    };
    Event::CallEnded(CallEnd {
        n: call.n,
        attempt: request.attempt,
        result: Ok(Arc::new(result)),
        usage: Usage::default(),
        duration_ms: 1,
        origin: Origin::Call,
    })
}

#[test]
fn orders_in_results_lead_to_no_call_that_was_not_approved() {
    let injections: Vec<Injection> = serde_json::from_str(include_str!("injections.json")).unwrap();
    assert!(injections.len() >= 100);
    for injection in &injections {
        let ran = run(injection);
        let calls = ran.journal.iter().filter_map(|entry| match &entry.kind {
            EntryKind::StepStart { call, .. } => call.as_ref(),
            _ => None,
        });
        for call in calls {
            assert!(call.effect == Effect::Read, "{call:?}");
        }
        // The listed tool that writes waits for a person, who is shown what it would be given.
        assert_eq!(ran.questions, 1, "{}", injection.text);
        // Between the marks of its source, whatever it says about marks.
        let told = ran
            .journal
            .iter()
            .rev()
            .find_map(|entry| match &entry.kind {
                EntryKind::StepStart {
                    call: Some(call), ..
                } if call.tool.as_str() == MODEL_TOOL => call.input.value().cloned(),
                _ => None,
            });
        let told = told.unwrap();
        let prompt = told["prompt"].as_str().unwrap();
        assert!(prompt.contains("begin result of read"), "{prompt}");
    }
}
