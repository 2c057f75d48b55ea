//! What would happen? Runs a machine without threads and without waiting:
//! calls end in an order drawn from a seed, time jumps to the next timer, and
//! the process can die after any event and be started again from its journal.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::entry::{
    About, Answer, Asked, Decision, EndStatus, Entry, EntryKind, ExecutionStart, Origin, RunId,
};
use holloway_engine::event::{Action, Call, CallEnd, Event};
use holloway_engine::failure::ToolFailure;
use holloway_engine::machine::Machine;
use holloway_engine::options::RunOptions;
use holloway_engine::ports::{CallRequest, ToolProgress, ToolQuestion, Usage};
use holloway_engine::replay::replay;
use holloway_plan::dag::Dag;
use holloway_plan::step::MODEL_TOOL;
use holloway_plan::tool::Effect;
use serde_json::{Value, json};

use crate::chance::{Chance, number_for};

/// The outside world: tools that answer, and what they have done.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Share of calls that fail, in percent; which ones depends on node and attempt only.
    pub failing: u64,
    /// Share of calls that tell how far they are and then ask, in percent; drawn likewise.
    pub talking: u64,
    pub seed: u64,
    /// How often each effect happened, by key.
    pub effects: BTreeMap<String, u32>,
    /// Every call that was really made: node and attempt.
    pub calls: Vec<(String, u32)>,
}

impl World {
    fn answer(&self, request: &CallRequest) -> Result<Value, ToolFailure> {
        // A call in doubt is made under a new number; whether a writing call works must not depend on it.
        let attempt = if request.effect.is_repeatable() {
            request.attempt
        } else {
            0
        };
        let drawn = number_for(&format!("{}#{attempt}", request.node), self.seed);
        if drawn % 100 < self.failing {
            return Err(ToolFailure::transient("not this time"));
        }
        if request.tool.as_str() == MODEL_TOOL {
            return Ok(self.turn(request));
        }
        Ok(json!({ "from": request.node, "given": *request.arguments, "items": [1, 2, 3] }))
    }

    /// What a model says in the turn of a phase: sense and nonsense, by the node alone.
    fn turn(&self, request: &CallRequest) -> Value {
        let drawn = number_for(&format!("{} turns", request.node), self.seed);
        let names = request
            .arguments
            .pointer("/schema/anyOf/1/properties/tools/items/enum");
        let names = names.and_then(Value::as_array).cloned().unwrap_or_default();
        let name = |at: u64| names.get(at as usize % names.len().max(1)).cloned();
        let call = |at: u64| json!({"tool": name(at), "arguments": {"x": at % 100}});
        match drawn % 10 {
            0 => json!({"act": "done", "result": {"drawn": drawn % 100}}),
            1 => json!({"act": "describe", "tools": [name(drawn)]}),
            2 => json!({"act": "need", "capability": "something else"}),
            3 => json!({"act": "sing"}),
            4 => json!({"act": "call", "calls": [{"tool": "destructive", "arguments": {}}]}),
            5 => json!({"act": "read", "handle": "r1", "from": 10}),
            6 | 7 => json!({"act": "call", "calls": [call(drawn), call(drawn / 7)]}),
            _ => json!({"act": "call", "calls": [call(drawn)]}),
        }
    }

    /// How many words a tool says before it is done: none, or a report and a question.
    fn words(&self, request: &CallRequest) -> u32 {
        let drawn = number_for(&format!("{} talks", request.node), self.seed);
        if drawn % 100 < self.talking { 2 } else { 0 }
    }

    /// A call reaches the tool: its effect happens, unless the tool has seen the key before.
    fn reach(&mut self, request: &CallRequest) {
        self.calls.push((request.node.to_string(), request.attempt));
        if self.answer(request).is_err() || request.effect == Effect::Read {
            return;
        }
        let count = self.effects.entry(request.key.to_string()).or_default();
        if request.effect != Effect::Idempotent || *count == 0 {
            *count += 1;
        }
    }
}

/// A call under way, and how many words it has said.
#[derive(Debug)]
struct Talking {
    call: Call,
    said: u32,
}

/// A run in a world of its own.
pub struct Simulation {
    dag: Arc<Dag>,
    pub machine: Machine,
    pub world: World,
    pub journal: Vec<Entry>,
    pending: Vec<Talking>,
    /// Calls that wait for a person.
    waiting: Vec<Talking>,
    timers: Vec<(u64, Event)>,
    now: u64,
    chance: Chance,
    pub events: usize,
}

impl Simulation {
    pub fn start(
        dag: Arc<Dag>,
        input: Value,
        options: RunOptions,
        world: World,
        seed: u64,
    ) -> Self {
        let machine = Machine::new(Arc::clone(&dag)).unwrap();
        let start = ExecutionStart {
            run: RunId::new("sim"),
            plan_id: dag.plan_id().to_owned(),
            plan_version: dag.plan_version().to_owned(),
            context: Arc::new(json!({ "input": input })),
            options,
            reuse: BTreeMap::new(),
            marks: holloway_engine::mark::Issued::new(),
        };
        let (journal, pending, timers) = (Vec::new(), Vec::new(), Vec::new());
        let chance = Chance::new(seed);
        let mut simulation = Self {
            dag,
            machine,
            world,
            journal,
            pending,
            waiting: Vec::new(),
            timers,
            now: 1_000,
            chance,
            events: 0,
        };
        simulation.feed(Event::Start(Box::new(start)));
        simulation
    }

    /// Runs to the end; the number of events is bounded so that no defect hangs a test.
    pub fn finish(&mut self) -> EndStatus {
        for _ in 0..200_000 {
            if let Some(status) = self.machine.ended() {
                return status;
            }
            self.step();
        }
        panic!("the run does not come to an end");
    }

    /// One event: a call ends, a question is answered, or time passes.
    pub fn step(&mut self) {
        self.now += 1;
        let questions: Vec<_> = self.machine.questions().cloned().collect();
        let choices = self.pending.len() + questions.len();
        if choices == 0 {
            return self.pass_time();
        }
        let choice = self.chance.below(choices);
        if choice < self.pending.len() {
            let talking = self.pending.swap_remove(choice);
            self.go_on(talking);
        } else {
            let question = &questions[choice - self.pending.len()];
            let decision = self.decide(question);
            let (approval, digest) = (question.approval.clone(), question.digest.clone());
            let answer = Answer {
                approval,
                decision,
                digest,
                by: "test".to_owned(),
                note: None,
                marks: holloway_engine::mark::Issued::new(),
            };
            self.feed(Event::Answered(Box::new(answer)));
        }
    }

    /// The tool says its next word, or is done.
    fn go_on(&mut self, mut talking: Talking) {
        let (n, attempt) = (talking.call.n, talking.call.request.attempt);
        if talking.said >= self.world.words(&talking.call.request) {
            return self.end_call(&talking.call);
        }
        talking.said += 1;
        if talking.said == 1 {
            self.pending.push(talking);
            let report = ToolProgress {
                progress: 1.0,
                total: Some(2.0),
                message: None,
            };
            return self.feed(Event::CallProgress { n, attempt, report });
        }
        self.waiting.push(talking);
        let asked = Asked {
            attempt,
            question: 1,
        };
        let question = ToolQuestion {
            message: "Which one?".to_owned(),
            schema: json!({"type": "object", "properties": {"which": {"type": "integer"}}, "required": ["which"]}),
        };
        self.feed(Event::CallAsks { n, asked, question });
    }

    /// A person who knows the world: calls that happened are taken as done.
    fn decide(&self, question: &holloway_engine::entry::Question) -> Decision {
        match question.about {
            About::Doubt => {}
            About::Tool => return Decision::Edit(json!({"which": 1})),
            _ => return Decision::Approve,
        }
        let asked = self
            .journal
            .iter()
            .rev()
            .find_map(|entry| match &entry.kind {
                EntryKind::ApprovalRequested { node, request }
                    if request.approval == question.approval =>
                {
                    Some(node.n)
                }
                _ => None,
            });
        let call = self
            .journal
            .iter()
            .rev()
            .find_map(|entry| match &entry.kind {
                EntryKind::StepStart {
                    call: Some(intent),
                    node,
                } if Some(node.n) == asked => Some((intent.key.clone(), node.node.to_string())),
                _ => None,
            });
        let Some((key, node)) = call else {
            return Decision::Approve;
        };
        if !self.world.effects.contains_key(&*key) {
            return Decision::Approve;
        }
        Decision::Done(json!({ "from": node, "given": *question.arguments, "items": [1, 2, 3] }))
    }

    fn end_call(&mut self, call: &Call) {
        let result = self.world.answer(&call.request).map(Arc::new);
        let (n, attempt) = (call.n, call.request.attempt);
        self.feed(Event::CallEnded(CallEnd {
            n,
            attempt,
            result,
            usage: Usage::default(),
            duration_ms: 1,
            origin: Origin::Call,
        }));
    }

    fn pass_time(&mut self) {
        let next = (0..self.timers.len()).min_by_key(|index| self.timers[*index].0);
        let Some(next) = next else {
            panic!("nothing is under way and nothing will be")
        };
        let (at, event) = self.timers.swap_remove(next);
        self.now = self.now.max(at);
        self.feed(event);
    }

    pub fn feed(&mut self, event: Event) {
        self.events += 1;
        for action in self.machine.next(self.now, event) {
            match action {
                Action::Record(entry) => self.journal.push(entry),
                Action::Call(call) => {
                    self.world.reach(&call.request);
                    self.pending.push(Talking {
                        call: *call,
                        said: 0,
                    });
                }
                Action::StopCall { n } => {
                    self.pending.retain(|talking| talking.call.n != n);
                    self.waiting.retain(|talking| talking.call.n != n);
                }
                Action::Reply { n, .. } => {
                    let answered = self.waiting.iter().position(|talking| talking.call.n == n);
                    let answered = answered.expect("an answer for a call that waits");
                    self.pending.push(self.waiting.swap_remove(answered));
                }
                Action::Wake { n, at_ms } => self.timers.push((at_ms, Event::RetryDue { n })),
                Action::WakeAtBudget { at_ms } => self.timers.push((at_ms, Event::TimeUp)),
                Action::Halted | Action::Finished(_) => {}
            }
        }
    }

    /// The process dies: all that is left is the journal and what the world has seen.
    pub fn crash_and_resume(&mut self) {
        self.pending.clear();
        self.waiting.clear();
        self.timers.clear();
        self.machine = replay(Arc::clone(&self.dag), &self.journal).unwrap();
        self.feed(Event::Resume {
            by: "test".to_owned(),
            fresh: true,
            approvals: None,
            all_allowed: false,
        });
    }
}
