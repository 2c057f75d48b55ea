//! How does a run behave, told as a story? A Markdown file with a plan, a world
//! and the journal that must come out. The text around them is for people.
//!
//! A file may hold several stories, each a `## heading` with fenced blocks:
//! `plan` (YAML), `world` (YAML, see [`WorldText`]) and `journal`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use holloway_engine::entry::{Answer, Asked, Decision, Entry, ExecutionStart, Origin, RunId};
use holloway_engine::event::{Action, Call, CallEnd, Event};
use holloway_engine::failure::ToolFailure;
use holloway_engine::machine::Machine;
use holloway_engine::options::RunOptions;
use holloway_engine::ports::{ToolAnswer, Usage};
use holloway_engine::replay::Replay;
use holloway_plan::compile::compile;
use holloway_plan::dag::Dag;
use holloway_plan::limits::Limits;
use holloway_plan::read::{read_text, read_value};
use holloway_plan::source::Source;
use holloway_plan::tool::{ToolSpec, ToolTable};
use holloway_plan::validate::{PlanLibrary, Surroundings, validate};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::journal_text::journal_text;

mod story;
pub use story::{Story, ToolText, WorldText, stories};

/// Runs a story and gives its journal as text.
pub fn tell(story: &Story) -> String {
    let limits = Limits::default();
    let world = Source::parse(&story.world, &limits).unwrap().value;
    let world: WorldText = if world.is_null() {
        WorldText::default()
    } else {
        serde_json::from_value(world).unwrap()
    };
    match compiled(story, &world, &limits) {
        Ok(dag) => Teller::new(dag, world).tell(),
        Err(problems) => format!("{problems}\n"),
    }
}

fn compiled(story: &Story, world: &WorldText, limits: &Limits) -> Result<Arc<Dag>, String> {
    let document = read_text(&story.plan, limits).map_err(|problems| problems.to_string())?;
    let tools = ToolTable::new(world.tools.iter().map(|(id, tool)| {
        ToolSpec {
            price: tool.price,
            pure: tool.pure,
            latency_ms: tool.latency_ms,
            description: tool.about.clone(),
            ..ToolSpec::named(id)
                .with_effect(tool.effect)
                .with_input(tool.input.clone())
                .with_output(tool.output.clone())
        }
    }));
    let plans = Shelf(&world.plans);
    let around = Surroundings {
        tools: &tools,
        plans: &plans,
        context: &[],
        limits,
    };
    let plan = validate(&document.draft, &around)
        .map_err(|problems| document.locate(problems).to_string())?;
    Ok(Arc::new(compile(&plan, &[], limits).unwrap()))
}

struct Shelf<'a>(&'a BTreeMap<String, Value>);

impl PlanLibrary for Shelf<'_> {
    fn find(&self, name: &str) -> Option<holloway_plan::draft::Draft> {
        self.0
            .get(name)
            .map(|value| read_value(value, &Limits::default()).unwrap())
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// A call under way, what it has said and what it was told.
struct Talking {
    call: Call,
    reports: usize,
    told: Vec<ToolAnswer>,
}

/// Carries a story out, one event at a time.
struct Teller {
    dag: Arc<Dag>,
    machine: Machine,
    world: WorldText,
    journal: Vec<Entry>,
    pending: VecDeque<Talking>,
    /// Calls that wait for a person.
    waiting: Vec<Talking>,
    timers: Vec<(u64, Event)>,
    calls: BTreeMap<String, usize>,
    now: u64,
    events: usize,
    halted: bool,
}

impl Teller {
    fn new(dag: Arc<Dag>, world: WorldText) -> Self {
        let mut machine = Machine::new(Arc::clone(&dag)).unwrap();
        machine.know(world.knowledge.clone().map(Arc::new));
        let (journal, pending, timers, calls) =
            (Vec::new(), VecDeque::new(), Vec::new(), BTreeMap::new());
        Self {
            dag,
            machine,
            world,
            journal,
            pending,
            waiting: Vec::new(),
            timers,
            calls,
            now: 0,
            events: 0,
            halted: false,
        }
    }

    fn tell(mut self) -> String {
        let options: RunOptions = match &self.world.options {
            Value::Null => RunOptions::default(),
            given => serde_json::from_value(given.clone()).unwrap(),
        };
        let start = ExecutionStart {
            run: RunId::new("story"),
            plan_id: self.dag.plan_id().to_owned(),
            plan_version: self.dag.plan_version().to_owned(),
            context: Arc::new(if self.world.input.is_null() {
                json!({})
            } else {
                json!({ "input": self.world.input })
            }),
            options,
            marks: holloway_engine::mark::Issued::new(),
            reuse: BTreeMap::new(),
        };
        self.feed(Event::Start(Box::new(start)));
        while self.machine.ended().is_none() && self.events < 1_000 && self.step() {}
        self.read_back();
        journal_text(&self.journal)
    }

    fn read_back(&self) -> Machine {
        let knowledge = self.world.knowledge.clone().map(Arc::new);
        let replay = Replay::new(Arc::clone(&self.dag), None).unwrap();
        let machine = replay.knowing(knowledge).all(&self.journal);
        machine.expect("a journal that can be read back")
    }

    /// One event; false when nothing more will happen by itself.
    fn step(&mut self) -> bool {
        self.now += 10;
        if let Some(happening) = self.world.happenings.remove(&self.events) {
            self.happen(&happening);
            return true;
        }
        if let Some(talking) = if self.world.last_first {
            self.pending.pop_back()
        } else {
            self.pending.pop_front()
        } {
            self.go_on(talking);
            return true;
        }
        let question = self.machine.questions().next().cloned();
        if let (Some(question), Some(answer)) = (question, self.world.people.front().cloned()) {
            self.world.people.pop_front();
            let decision = decision(&answer);
            let (approval, digest) = (question.approval, question.digest);
            let answer = Answer {
                approval,
                decision,
                digest,
                by: "Ada".to_owned(),
                note: None,
                marks: holloway_engine::mark::Issued::new(),
            };
            self.feed(Event::Answered(Box::new(answer)));
            return true;
        }
        let next = (0..self.timers.len()).min_by_key(|index| self.timers[*index].0);
        let Some(next) = next.filter(|_| !self.halted) else {
            return false;
        };
        let (at, event) = self.timers.swap_remove(next);
        self.now = self.now.max(at);
        self.feed(event);
        true
    }

    fn happen(&mut self, happening: &str) {
        match happening {
            "pause" => self.feed(Event::Pause {
                reason: "asked to".to_owned(),
            }),
            "resume" => self.feed(Event::Resume {
                by: "Ada".to_owned(),
                fresh: false,
                approvals: None,
                all_allowed: false,
            }),
            "all yes" => self.feed(Event::AllowAll {
                by: "Ada".to_owned(),
            }),
            "cancel" => self.feed(Event::Cancel {
                by: "Ada".to_owned(),
            }),
            "time up" => self.feed(Event::TimeUp),
            "crash" => {
                self.pending.clear();
                self.waiting.clear();
                self.timers.clear();
                self.machine = self.read_back();
                self.feed(Event::Resume {
                    by: "Ada".to_owned(),
                    fresh: true,
                    approvals: None,
                    all_allowed: false,
                });
            }
            other => panic!("unknown happening `{other}`"),
        }
    }

    /// The tool says its next word, or is done.
    fn go_on(&mut self, mut talking: Talking) {
        let tool = &self.world.tools[talking.call.request.tool.as_str()];
        let (n, attempt) = (talking.call.n, talking.call.request.attempt);
        if let Some(report) = tool.progress.get(talking.reports).cloned() {
            talking.reports += 1;
            self.pending.push_front(talking);
            return self.feed(Event::CallProgress { n, attempt, report });
        }
        let Some(question) = tool.asks.get(talking.told.len()).cloned() else {
            return self.end(&talking.call, &talking.told);
        };
        let asked = Asked {
            attempt,
            question: talking.told.len() as u32 + 1,
        };
        self.waiting.push(talking);
        self.feed(Event::CallAsks { n, asked, question });
    }

    fn end(&mut self, call: &Call, told: &[ToolAnswer]) {
        let tool = &self.world.tools[call.request.tool.as_str()];
        let count = self.calls.entry(call.request.tool.to_string()).or_default();
        let answer = tool
            .answers
            .get(*count)
            .or(tool.answers.last())
            .cloned()
            .unwrap_or_default();
        *count += 1;
        let usage = Usage {
            money: tool.money,
            tokens: tool.tokens,
            model: None,
        };
        let (n, attempt) = (call.n, call.request.attempt);
        let result = match answer.as_str() {
            Some("what it was told") => Ok(Arc::new(json!(told))),
            _ => answered(answer),
        };
        self.feed(Event::CallEnded(CallEnd {
            n,
            attempt,
            result,
            usage,
            duration_ms: 10,
            origin: Origin::Call,
        }));
    }

    fn told(&mut self, n: u32, answer: ToolAnswer) {
        let waits = |talking: &Talking| talking.call.n == n;
        let place = self.waiting.iter().position(waits);
        let mut talking = self.waiting.remove(place.expect("a call that waits"));
        talking.told.push(answer);
        self.pending.push_front(talking);
    }

    fn feed(&mut self, event: Event) {
        self.events += 1;
        self.halted = false;
        for action in self.machine.next(self.now, event) {
            match action {
                Action::Record(entry) => self.journal.push(entry),
                Action::Call(call) => self.pending.push_back(Talking {
                    call: *call,
                    reports: 0,
                    told: Vec::new(),
                }),
                Action::StopCall { n } => {
                    self.pending.retain(|talking| talking.call.n != n);
                    self.waiting.retain(|talking| talking.call.n != n);
                }
                Action::Reply { n, answer, .. } => self.told(n, answer),
                Action::Wake { n, at_ms } => self.timers.push((at_ms, Event::RetryDue { n })),
                Action::WakeAtBudget { at_ms } => self.timers.push((at_ms, Event::TimeUp)),
                Action::Halted => self.halted = true,
                Action::Finished(_) => {}
            }
        }
    }
}

fn answered(answer: Value) -> Result<Arc<Value>, ToolFailure> {
    #[derive(Deserialize)]
    struct Failing {
        fail: String,
        #[serde(default)]
        permanent: bool,
        #[serde(default)]
        uncertain: bool,
    }
    match serde_json::from_value::<Failing>(answer.clone()) {
        Ok(Failing {
            fail,
            permanent,
            uncertain,
        }) => {
            let failure = if permanent {
                ToolFailure::permanent(fail)
            } else {
                ToolFailure::transient(fail)
            };
            Err(if uncertain {
                failure.uncertain()
            } else {
                failure
            })
        }
        Err(_) => Ok(Arc::new(answer)),
    }
}

fn decision(answer: &Value) -> Decision {
    match (answer.as_str(), answer.get("edit"), answer.get("done")) {
        (Some("approve"), ..) => Decision::Approve,
        (Some("deny"), ..) => Decision::Deny,
        (Some("dismiss"), ..) => Decision::Dismiss,
        (_, Some(arguments), _) => Decision::Edit(arguments.clone()),
        (_, _, Some(value)) => Decision::Done(value.clone()),
        _ => panic!("unknown answer {answer}"),
    }
}
