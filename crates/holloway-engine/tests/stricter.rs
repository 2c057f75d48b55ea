//! A run that goes on under a stricter policy: calls on their way are refused or asked about, and
//! the same in every replay.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::entry::{Answer, Decision, Entry, EntryKind, ExecutionStart, Origin, RunId};
use holloway_engine::event::{Action, CallEnd, Event};
use holloway_engine::failure::ToolFailure;
use holloway_engine::machine::Machine;
use holloway_engine::mark::Issued;
use holloway_engine::options::{ApprovalPolicy, Consent, RunOptions};
use holloway_engine::ports::Usage;
use holloway_engine::replay::replay;
use holloway_plan::compile::compile;
use holloway_plan::dag::Dag;
use holloway_plan::limits::Limits;
use holloway_plan::read::read_value;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use serde_json::json;

fn dag() -> Arc<Dag> {
    let limits = Limits::default();
    let tools = ToolTable::new([
        ToolSpec::named("t/look").with_effect(Effect::Read),
        ToolSpec::named("t/save").with_effect(Effect::Write),
    ]);
    let document = json!({"version": "1.0", "steps": [
        {"id": "look", "tool": "t/look"},
        {"id": "save", "tool": "t/save"},
        {"id": "gate", "type": "approve", "ask": "Go on?"},
    ]});
    let draft = read_value(&document, &limits).unwrap();
    let around = Surroundings {
        tools: &tools,
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    Arc::new(compile(&validate(&draft, &around).unwrap(), &[], &limits).unwrap())
}

/// A machine with its journal.
struct Run {
    machine: Machine,
    journal: Vec<Entry>,
    calls: usize,
}

impl Run {
    /// `look` is called, `save` waits for its place, and `gate` for a person.
    fn begin() -> Self {
        let dag = dag();
        let start = ExecutionStart {
            run: RunId::new("r"),
            plan_id: "p".to_owned(),
            plan_version: dag.plan_version().to_owned(),
            context: Arc::new(json!({})),
            options: RunOptions {
                concurrency: 1,
                approvals: ApprovalPolicy {
                    write: Consent::Allow,
                    ..ApprovalPolicy::default()
                },
                ..RunOptions::default()
            },
            reuse: BTreeMap::new(),
            marks: Issued::new(),
        };
        let mut run = Self {
            machine: Machine::new(dag).unwrap(),
            journal: Vec::new(),
            calls: 0,
        };
        run.feed(Event::Start(Box::new(start)));
        assert_eq!(run.calls, 1);
        run
    }

    fn feed(&mut self, event: Event) {
        for action in self.machine.next(1_000, event) {
            match action {
                Action::Record(entry) => self.journal.push(entry),
                Action::Call(_) => self.calls += 1,
                _ => {}
            }
        }
        let again = replay(dag(), &self.journal).unwrap();
        assert_eq!(
            serde_json::to_value(again.state()).unwrap(),
            serde_json::to_value(self.machine.state()).unwrap()
        );
    }

    fn resume(&mut self, approvals: ApprovalPolicy) {
        self.calls = 0;
        self.feed(Event::Resume {
            by: "Ada".to_owned(),
            fresh: true,
            approvals: Some(approvals),
            all_allowed: false,
        });
    }

    /// What the steps failed for, and what is asked.
    fn told(&self) -> Vec<String> {
        let text = |entry: &Entry| match &entry.kind {
            EntryKind::StepError {
                node,
                attempt: None,
                error,
                ..
            } => Some(format!("{}: {}", node.step, error.message)),
            EntryKind::ApprovalRequested { node, request } => {
                Some(format!("{}? {}", node.step, request.text))
            }
            _ => None,
        };
        self.journal.iter().filter_map(text).collect()
    }
}

fn policy(read: Consent, write: Consent) -> ApprovalPolicy {
    ApprovalPolicy {
        read,
        write,
        ..ApprovalPolicy::default()
    }
}

const GATE: &str = "gate? Go on?";

#[test]
fn calls_under_way_and_calls_that_wait_are_held_to_the_policy() {
    use Consent::{Allow, Ask, Deny};
    let save = "save? May `t/save` be called? (write)";
    let look = "look? May `t/look` be called? (read)";
    for (read, write, calls, expected) in [
        (Allow, Allow, 1, vec![GATE]),
        (Allow, Ask, 1, vec![GATE, save]),
        (Ask, Ask, 0, vec![GATE, look, save]),
        (Ask, Allow, 1, vec![GATE, look]),
        (
            Allow,
            Deny,
            0,
            vec![GATE, "save: the policy forbids write calls"],
        ),
        (
            Deny,
            Allow,
            0,
            vec![GATE, "look: the policy forbids read calls"],
        ),
    ] {
        let mut run = Run::begin();
        run.resume(policy(read, write));
        assert_eq!(run.told(), expected, "read {read:?}, write {write:?}");
        assert_eq!(run.calls, calls, "read {read:?}, write {write:?}");
    }
}

#[test]
fn a_retry_that_waits_is_held_to_the_policy() {
    let mut run = Run::begin();
    run.feed(Event::CallEnded(CallEnd {
        n: 0,
        attempt: 1,
        result: Err(ToolFailure::transient("busy")),
        usage: Usage::default(),
        duration_ms: 1,
        origin: Origin::Call,
    }));
    run.resume(policy(Consent::Deny, Consent::Deny));
    assert_eq!(run.calls, 0);
    let told = run.told();
    assert_eq!(told[1], "look: the policy forbids read calls", "{told:?}");
    // Its time comes, and it does nothing.
    run.feed(Event::RetryDue { n: 0 });
    assert_eq!(run.calls, 0);
}

#[test]
fn a_gate_that_is_denied_since_is_not_passed_by_a_yes() {
    let mut run = Run::begin();
    run.resume(ApprovalPolicy {
        steps: Consent::Deny,
        write: Consent::Allow,
        ..ApprovalPolicy::default()
    });
    let question = run.machine.questions().next().unwrap().clone();
    run.feed(Event::Answered(Box::new(Answer {
        approval: question.approval,
        decision: Decision::Approve,
        digest: question.digest,
        by: "Ada".to_owned(),
        note: None,
        marks: Issued::new(),
    })));
    let told = run.told();
    assert_eq!(told[1], "gate: the policy forbids it", "{told:?}");
}
