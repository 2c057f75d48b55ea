//! How is a guided section run? Turn by turn: a model, or without one the engine itself, says which of
//! the approved tools are called; each call is an ordinary instance with its own checks, approvals and
//! entries. What is next follows from the entries alone, so that a run goes on between any two turns.

mod decide;
mod policy;
mod turn;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use holloway_plan::dag::{Flow, Guided, Work};
use holloway_plan::tool::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::state::Phase;
use super::{Job, Machine};
use crate::failure::ToolFailure;
use crate::retained::Retained;

/// A phase in the middle of its turns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Phased {
    pub goal: String,
    /// What the section was given.
    pub given: Arc<Value>,
    /// What a model is told in every turn.
    pub system: String,
    /// What was said since, a question and an answer in turns.
    pub said: Vec<Said>,
    pub turns: u32,
    pub calls: u32,
    /// Calls of this turn that wait for those before them.
    pub pending: VecDeque<Chosen>,
    pub running: u32,
    pub skipped: BTreeSet<u32>,
    /// The calls so far, in the order of their ends.
    pub made: Vec<Made>,
    /// How many of them were told in an earlier turn.
    pub told: usize,
    /// Why calls failed, by instance.
    pub failures: BTreeMap<u32, String>,
    /// What the next turn is told besides results.
    pub notes: Vec<String>,
    pub result: Option<Arc<Value>>,
    /// Nothing more is chosen.
    pub over: bool,
}

/// Something said in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub by_model: bool,
    pub text: String,
}

/// A call that was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chosen {
    pub node: u32,
    pub arguments: Arc<Value>,
}

/// A call that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub node: u32,
    pub n: u32,
}

/// Turns besides those that call something.
const OTHER_TURNS: u32 = 6;

impl Machine {
    pub(super) fn begin_phase(&mut self, n: u32, guided: &Guided) {
        let filled = self
            .fill(n, &guided.goal)
            .and_then(|goal| Ok((goal, self.fill(n, &guided.input)?)));
        let (goal, given) = match filled {
            Ok(filled) => filled,
            Err(error) => return self.give_up(n, super::activate::missing(&error)),
        };
        let frame = self.open_only_frame(n, guided.body, 0);
        let phased = Phased {
            goal: goal
                .as_str()
                .map_or_else(|| goal.to_string(), str::to_owned),
            given,
            ..Phased::default()
        };
        if let Some(inside) = &mut self.instance_mut(n).inside {
            inside.phase = Some(Box::new(phased));
        }
        self.open_turns(n);
        self.set_phase_names(n, frame);
        if self.until_holds(n, frame) {
            return self.end_phase(n, frame);
        }
        self.next_turn(n, frame);
    }

    /// What a phase is, while it runs.
    fn guided_of(&self, n: u32) -> Option<&Guided> {
        match &self.node(n).work {
            Work::Phase(guided) => Some(guided),
            _ => None,
        }
    }

    pub(super) fn phased(&self, n: u32) -> Option<&Phased> {
        self.instance(n).inside.as_ref()?.phase.as_deref()
    }

    fn phased_mut(&mut self, n: u32) -> Option<&mut Phased> {
        self.instance_mut(n).inside.as_mut()?.phase.as_deref_mut()
    }

    /// The tool of a node inside a phase.
    fn tool_of(&self, guided: &Guided, node: u32) -> Option<&Arc<ToolSpec>> {
        let node = self.dag.body(guided.body)?.nodes.get(node as usize)?;
        let Work::Call { tools, .. } = &node.work else {
            return None;
        };
        self.dag.tools().get(tools.first()?.0 as usize)
    }

    /// The node that asks a model what is next, where one can be asked.
    fn turn_node(&self, guided: &Guided) -> Option<u32> {
        let body = self.dag.body(guided.body)?;
        (body.nodes.len() > guided.tools).then_some(guided.tools as u32)
    }

    /// Whether an instance is a call that a phase has chosen.
    pub(super) fn is_chosen(&self, n: u32) -> bool {
        let body = self.dag.body(self.frame(self.instance(n).frame).body);
        body.is_some_and(|body| body.flow == Flow::Guided)
    }

    /// Whether an instance asks a model for the turn of a phase.
    pub(super) fn is_turn(&self, n: u32) -> bool {
        let instance = self.instance(n);
        let owner = self.frame(instance.frame).owner;
        let guided = owner.and_then(|owner| self.guided_of(owner));
        guided.is_some_and(|guided| self.turn_node(guided) == Some(instance.node))
    }

    fn next_turn(&mut self, n: u32, frame: u32) {
        let Some(guided) = self.guided_of(n) else {
            return;
        };
        let most = guided
            .max_calls
            .saturating_mul(2)
            .saturating_add(OTHER_TURNS);
        let turn = self.turn_node(guided);
        let Some(phased) = self.phased_mut(n) else {
            return;
        };
        phased.turns += 1;
        if phased.turns > most {
            let message = format!("the section did not end within {most} turns");
            return self.fail_frame(frame, ToolFailure::limit(message));
        }
        match turn {
            Some(turn) => self.ask_for_turn(n, frame, turn),
            None => self.choose_by_policy(n, frame),
        }
    }

    /// Starts the calls of a turn: at once where all of them only read, else one after the other.
    fn start_chosen(&mut self, n: u32, frame: u32, mut chosen: VecDeque<Chosen>) {
        let reads = |call: &Chosen| {
            let tool = self
                .guided_of(n)
                .and_then(|guided| self.tool_of(guided, call.node));
            tool.is_some_and(|tool| tool.effect == holloway_plan::tool::Effect::Read)
        };
        let at_once = if chosen.iter().all(reads) {
            chosen.len()
        } else {
            1
        };
        let later = chosen.split_off(at_once.min(chosen.len()));
        if let Some(phased) = self.phased_mut(n) {
            phased.pending = later;
            phased.running = chosen.len() as u32;
            phased.calls += chosen.len() as u32;
        }
        for call in chosen {
            self.visit_with(frame, call.node, call.arguments);
        }
    }

    fn visit_with(&mut self, frame: u32, node: u32, arguments: Arc<Value>) {
        if let Some(n) = self.visit(frame, node) {
            self.instance_mut(n).arguments = Some(arguments);
        }
    }

    /// A call of a phase has ended, or the question what is next.
    pub(super) fn chosen_ended(&mut self, inner: u32, frame: u32) {
        let Some(n) = self.frame(frame).owner else {
            return;
        };
        if self.is_turn(inner) {
            return self.turn_ended(n, frame, inner);
        }
        let node = self.instance(inner).node;
        let Some(phased) = self.phased_mut(n) else {
            return;
        };
        phased.made.push(Made { node, n: inner });
        phased.running = phased.running.saturating_sub(1);
        if phased.running > 0 {
            return;
        }
        // The next turn does not depend on which of several calls ended first.
        phased.made.sort_by_key(|made| made.n);
        let waiting = std::mem::take(&mut phased.pending);
        self.set_phase_names(n, frame);
        if self.until_holds(n, frame) {
            return self.end_phase(n, frame);
        }
        if waiting.is_empty() {
            self.after_calls(n, frame);
        } else {
            self.start_chosen(n, frame, waiting);
        }
    }

    fn after_calls(&mut self, n: u32, frame: u32) {
        let (Some(guided), Some(phased)) = (self.guided_of(n), self.phased(n)) else {
            return;
        };
        if phased.calls < guided.max_calls {
            return self.next_turn(n, frame);
        }
        match &guided.until {
            None => self.end_phase(n, frame),
            Some(until) => {
                let message = format!(
                    "after {} calls, `{}` does not hold",
                    phased.calls,
                    until.form.text()
                );
                self.fail_frame(frame, ToolFailure::unmet(message));
            }
        }
    }

    /// The section has reached what it is for, or may not do more.
    fn end_phase(&mut self, n: u32, frame: u32) {
        if let Some(phased) = self.phased_mut(n) {
            phased.over = true;
        }
        if self.frame(frame).open == 0 {
            self.agenda.push_back(Job::Closed(frame));
        }
    }

    /// Keeps why a call of a phase failed, for whoever chooses the next one.
    pub(super) fn note_for_phase(&mut self, inner: u32, failure: &ToolFailure) {
        let Some(n) = self.frame(self.instance(inner).frame).owner else {
            return;
        };
        if let Some(phased) = self.phased_mut(n) {
            phased.failures.insert(inner, failure.to_string());
        }
    }

    /// The end condition sees the last result of each tool, and how many calls were made.
    fn set_phase_names(&mut self, n: u32, frame: u32) {
        let Some(phased) = self.phased(n) else { return };
        let calls = phased.calls;
        let is_read = self
            .guided_of(n)
            .is_some_and(|guided| guided.until.is_some());
        let results = if is_read {
            self.last_results(n)
        } else {
            Map::new()
        };
        self.frame_mut(frame).variables = vec![
            (Arc::from("results"), Arc::new(Value::Object(results))),
            (Arc::from("calls"), Arc::new(json!(calls))),
        ];
    }

    /// The last good result of each tool, by its name.
    fn last_results(&self, n: u32) -> Map<String, Value> {
        let Some(phased) = self.phased(n) else {
            return Map::new();
        };
        let results = phased.made.iter().filter_map(|made| {
            let instance = self.instance(made.n);
            let output = instance
                .output
                .as_ref()
                .filter(|_| instance.phase == Phase::Done)?;
            Some((
                self.node(made.n).step.to_string(),
                Value::clone(&output.get()),
            ))
        });
        results.collect()
    }

    fn until_holds(&self, n: u32, frame: u32) -> bool {
        let until = self.guided_of(n).and_then(|guided| guided.until.as_ref());
        // What the condition names may not be there yet.
        until.is_some_and(|until| until.form.holds(&self.view(frame, until)).unwrap_or(false))
    }

    /// What the section gives: what a turn called its result, or else the results of its tools.
    pub(super) fn phase_result(&self, frame: &super::Frame) -> Retained {
        let Some(n) = frame.owner else {
            return Retained::default();
        };
        let said = self.phased(n).and_then(|phased| phased.result.clone());
        Retained::new(said.unwrap_or_else(|| Arc::new(Value::Object(self.last_results(n)))))
    }
}
