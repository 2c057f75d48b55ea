//! What happens next in this run? Events in, actions out; no clock, no
//! randomness, no I/O. The same events give the same actions, so a journal of
//! events is a run.
//!
//! An instance (a step being run) moves like this:
//!
//! | from        | on                                   | to                            |
//! |-------------|--------------------------------------|-------------------------------|
//! | Waiting     | last parent ended                    | Parked, Queued, Asking, Inside, Done, Skipped, Failed |
//! | Waiting     | all (or a failed) data parents skipped | Skipped                     |
//! | Parked      | a place in its list is free          | as from Waiting               |
//! | Queued      | a place for a call is free           | Calling                       |
//! | Asking      | a person allows, edits               | Queued                        |
//! | Asking      | a person denies / gives the result   | Failed / Done                 |
//! | Calling     | it tells how far it is, asks, is answered | Calling                  |
//! | Calling     | a good result                        | Done                          |
//! | Calling     | a failure or an unmet expectation    | BackingOff, Queued (fallback), Asking, Skipped, Failed |
//! | Calling     | a fresh process takes the run up     | Calling (again), Asking       |
//! | BackingOff  | the pause is over                    | Queued                        |
//! | Inside      | its inner steps have ended           | Done, Skipped, Failed         |
//! | not ended   | its list or the run stops            | Cancelled                     |
//! | (no step)   | a turn of a phase chooses it         | Waiting                       |
//!
//! The machine owns these states, the limits, the repair ladder, approvals, what
//! a step may see and the numbering of entries. The driver owns time, calls, timers and the disk.

mod activate;
mod approvals;
mod budget;
mod calls;
mod context;
mod control;
mod finish;
mod frames;
mod graph;
mod items;
mod phase;
mod repair;
mod results;
pub mod state;
mod talk;
mod view;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::checks::{BadSchema, Checks};
use crate::context::Knowledge;
use crate::entry::{EndStatus, Entry, EntryKind, NodeRef, Question};
use crate::event::{Action, Event};
use crate::progress::Progress;
use crate::retained::{Retained, Shelf, WeakRetained};
use crate::tokens::Counter;
use holloway_plan::dag::{Dag, Node};
use state::{Frame, Instance, State};

pub use approvals::AnswerError;

/// A run, seen as a machine.
#[derive(Clone, Debug)]
pub struct Machine {
    dag: Arc<Dag>,
    checks: Arc<Checks>,
    state: State,
    agenda: VecDeque<Job>,
    actions: Vec<Action>,
    /// Results of the last event, with the numbers of their entries.
    results: Vec<(u64, WeakRetained)>,
    /// Where values are that were put away.
    shelf: Option<Arc<Shelf>>,
    /// What steps may be shown besides the plan and its results; none where contexts are not told.
    knowledge: Option<Arc<Knowledge>>,
    /// Counts the tokens of contexts.
    counter: Counter,
}

/// Something the machine still has to look at before it answers.
#[derive(Clone, Copy, Debug)]
enum Job {
    /// The instance's turn has come.
    Ready(u32),
    /// The instance has ended.
    Ended(u32),
    /// Every instance of the frame has ended.
    Closed(u32),
}

impl Machine {
    /// A run that has not begun; its first event is [`Event::Start`].
    pub fn new(dag: Arc<Dag>) -> Result<Self, BadSchema> {
        let checks = Arc::new(Checks::of(&dag)?);
        let state = State::default();
        Ok(Self {
            dag,
            checks,
            state,
            agenda: VecDeque::new(),
            actions: Vec::new(),
            results: Vec::new(),
            shelf: None,
            knowledge: None,
            counter: Counter::default(),
        })
    }

    /// A run in the middle of things.
    pub fn restore(dag: Arc<Dag>, state: State) -> Result<Self, BadSchema> {
        Ok(Self {
            state,
            ..Self::new(dag)?
        })
    }

    /// Takes one event and says what is to be done. Records come first in the
    /// order they are to be written.
    pub fn next(&mut self, at_ms: u64, event: Event) -> Vec<Action> {
        self.results.clear();
        self.state.before = self.state.now;
        // A clock that is set back must not make entries run backwards.
        self.state.now = self.state.now.max(at_ms);
        if self.state.ended.is_none() {
            self.take(event);
            self.settle();
        }
        std::mem::take(&mut self.actions)
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Start(start) => self.begin(*start),
            Event::CallEnded(end) => self.call_ended(end),
            Event::CallProgress { n, attempt, report } => self.call_progress(n, attempt, report),
            Event::CallAsks { n, asked, question } => self.call_asks(n, asked, question),
            Event::CallWithdraws { n, asked } => self.call_withdraws(n, asked),
            Event::RetryDue { n } => self.retry_due(n),
            Event::Answered(answer) => self.answered(*answer),
            Event::Pause { reason } => self.pause(reason),
            Event::Resume {
                by,
                fresh,
                approvals,
                all_allowed,
            } => self.resume(by, fresh, approvals, all_allowed),
            Event::AllowAll { by } => self.allow_all(&by),
            Event::Cancel { by } => self.cancel(by),
            Event::TimeUp => self.time_up(),
        }
    }

    /// Works off everything that follows from the event.
    fn settle(&mut self) {
        loop {
            while let Some(job) = self.agenda.pop_front() {
                match job {
                    Job::Ready(n) => self.activate(n),
                    Job::Ended(n) => self.after_end(n),
                    Job::Closed(frame) => self.frame_closed(frame),
                }
            }
            self.start_calls();
            if self.agenda.is_empty() {
                break;
            }
        }
        self.notice_standstill();
    }

    fn record(&mut self, kind: EntryKind) {
        self.state.seq += 1;
        self.actions.push(Action::Record(Entry {
            seq: self.state.seq,
            at: self.state.now,
            kind,
        }));
    }

    /// The compiled plan.
    pub fn dag(&self) -> &Arc<Dag> {
        &self.dag
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn ended(&self) -> Option<EndStatus> {
        self.state.ended
    }

    pub fn is_paused(&self) -> bool {
        self.state.paused
    }

    /// Questions nobody has answered yet, in the order they were asked.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        let open = self.state.approvals.values();
        let mut questions: Vec<&Question> = open.map(|open| &open.question).collect();
        // `a10` was asked after `a9`.
        questions.sort_by_key(|question| (question.approval.len(), question.approval.as_str()));
        questions.into_iter()
    }

    /// Nothing happens until a person answers.
    pub fn waits_for_people(&self) -> bool {
        let state = &self.state;
        state.ended.is_none()
            && state.in_flight == 0
            && state.backing_off == 0
            && !state.approvals.is_empty()
    }

    /// How far the run has come.
    pub fn progress(&self) -> Progress {
        Progress::of(&self.dag, &self.state)
    }

    /// The values under their output names, as far as they exist.
    pub fn outputs(&self) -> std::collections::BTreeMap<Arc<str>, Retained> {
        self.collect_outputs()
    }

    /// Contexts are told in the journal, with what is known beside the plan. To be said before the
    /// first event, the same for every machine of a run.
    pub fn know(&mut self, knowledge: Option<Arc<Knowledge>>) {
        self.knowledge = knowledge;
    }

    /// Contexts are counted with this from now on.
    pub fn count_with(&mut self, counter: Counter) {
        self.counter = counter;
    }

    /// Whoever drives the machine puts values away there.
    pub fn use_shelf(&mut self, shelf: Arc<Shelf>) {
        self.shelf = Some(shelf);
    }

    /// The shelf in use; `new` where there is none yet.
    pub fn shelf_or(&mut self, new: impl FnOnce() -> Arc<Shelf>) -> Arc<Shelf> {
        Arc::clone(self.shelf.get_or_insert_with(new))
    }

    /// The results that the last event led to, by the numbers of their entries.
    pub fn new_results(&mut self) -> Vec<(u64, WeakRetained)> {
        std::mem::take(&mut self.results)
    }

    /// Records the end of a step, and holds its result.
    fn record_result(&mut self, kind: EntryKind, retained: &Retained) {
        self.record(kind);
        self.results.push((self.state.seq, retained.weak()));
    }

    fn node(&self, n: u32) -> &Node {
        let instance = self.instance(n);
        self.node_of(self.frame(instance.frame), instance.node)
    }

    /// How entries speak of an instance.
    fn node_ref(&self, n: u32) -> NodeRef {
        NodeRef {
            node: self.label(n),
            step: Arc::clone(&self.node(n).step),
            n,
        }
    }

    /// The instance's place in the run, such as `pages[3].fetch` or `check#2`.
    fn label(&self, n: u32) -> Arc<str> {
        let instance = self.instance(n);
        let frame = self.frame(instance.frame);
        let step = &self.node_of(frame, instance.node).step;
        match (frame.owner, instance.visit) {
            (None, 0 | 1) => Arc::clone(step),
            (None, visit) => format!("{step}#{visit}").into(),
            (Some(owner), visit) => {
                let outer = self.label(owner);
                let is_item = self
                    .instance(owner)
                    .inside
                    .as_ref()
                    .is_some_and(|inside| inside.items.is_some());
                let item = if is_item {
                    format!("[{}]", frame.item)
                } else {
                    String::new()
                };
                let visit = if visit > 1 {
                    format!("#{visit}")
                } else {
                    String::new()
                };
                format!("{outer}{item}.{step}{visit}").into()
            }
        }
    }
}

/// Instances and frames are only ever numbered by the vectors they live in, and
/// nothing is removed from these; hence the one place where indexing is right.
#[allow(clippy::indexing_slicing)]
impl Machine {
    fn instance(&self, n: u32) -> &Instance {
        &self.state.instances[n as usize]
    }

    fn instance_mut(&mut self, n: u32) -> &mut Instance {
        &mut self.state.instances[n as usize]
    }

    fn frame(&self, frame: u32) -> &Frame {
        &self.state.frames[frame as usize]
    }

    fn frame_mut(&mut self, frame: u32) -> &mut Frame {
        &mut self.state.frames[frame as usize]
    }

    fn node_of(&self, frame: &Frame, node: u32) -> &Node {
        &self.dag.bodies()[frame.body.0 as usize].nodes[node as usize]
    }
}
