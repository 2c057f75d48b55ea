//! Who does what the machine says? The driver: feeds events in, writes what is
//! to be written, and only then makes calls and sets timers. Events that arrive
//! while the disk is busy are taken together, so one sync serves them all.

mod call;
mod control;
mod question;
mod wire;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;

use crate::entry::{EndStatus, Entry, EntryKind, Origin, Question, RunId};
use crate::event::{Action, Event, MemoryPlace};
use crate::ledger::Ledger;
use crate::machine::Machine;
use crate::machine::state::PlannedEffect;
use crate::ports::{BlobStore, Clock, Journal, JournalError, Memory, ToolCaller};
use crate::progress::Progress;
use crate::retained::{Retained, Shelf, WeakRetained};
use crate::spill;
pub use control::Control;
use wire::Wire;

/// How many events are taken together at most.
const BATCH: usize = 4_096;

/// What a run is carried out with.
#[derive(Clone)]
pub struct Equipment {
    pub tools: Arc<dyn ToolCaller>,
    pub clock: Arc<dyn Clock>,
    /// Without a journal nothing survives the process.
    pub journal: Option<Arc<dyn Journal>>,
    pub blobs: Option<Arc<dyn BlobStore>>,
    pub memory: Option<Arc<dyn Memory>>,
}

/// Is told of every entry once it is safe on disk.
pub trait Observer: Send {
    fn entry(&mut self, entry: &Entry, machine: &Machine);
}

/// Nobody looks on.
pub struct Nobody;

impl Observer for Nobody {
    fn entry(&mut self, _entry: &Entry, _machine: &Machine) {}
}

impl<F: FnMut(&Entry, &Machine) + Send> Observer for F {
    fn entry(&mut self, entry: &Entry, machine: &Machine) {
        self(entry, machine);
    }
}

/// How a run came to rest.
#[derive(Clone, Debug)]
pub struct Report {
    pub run: RunId,
    pub rest: Rest,
    /// Results by output name.
    pub outputs: std::collections::BTreeMap<Arc<str>, Retained>,
    pub failure: Option<String>,
    pub progress: Progress,
    /// Questions still open.
    pub questions: Vec<Question>,
    /// What a dry run did not do.
    pub effects: Vec<PlannedEffect>,
}

/// Over, or waiting to be resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Ended(EndStatus),
    Paused,
}

/// Why a run could not be carried on; what was acknowledged is safe.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    #[error("paused: {0}")]
    Journal(#[from] JournalError),
    #[error("the driver's own task failed: {0}")]
    Task(String),
}

/// A call that is under way.
struct UnderWay {
    task: AbortHandle,
    wire: Arc<Wire>,
}

/// Carries out one run.
pub struct Driver {
    equipment: Equipment,
    machine: Machine,
    events: UnboundedReceiver<Event>,
    sender: UnboundedSender<Event>,
    calls: FxHashMap<u32, UnderWay>,
    timers: Vec<AbortHandle>,
    /// Where the results of calls under way are to be remembered.
    places: FxHashMap<(u32, u32), MemoryPlace>,
    /// Accepted results that are to be remembered once they are on disk.
    to_remember: Vec<(MemoryPlace, Arc<Value>)>,
    /// What the run holds in memory; not kept where nothing can be put away.
    ledger: Option<Ledger>,
    /// Results whose entries are not written yet.
    results: VecDeque<(u64, WeakRetained)>,
}

impl Driver {
    pub fn new(mut machine: Machine, equipment: Equipment) -> Self {
        let (sender, events) = unbounded_channel();
        let ledger = equipment.blobs.as_ref().map(|blobs| {
            let shelf = machine.shelf_or(|| Shelf::new(Arc::clone(blobs)));
            Ledger::new(shelf, usize::MAX)
        });
        Self {
            equipment,
            machine,
            events,
            sender,
            calls: FxHashMap::default(),
            timers: Vec::new(),
            places: FxHashMap::default(),
            to_remember: Vec::new(),
            ledger,
            results: VecDeque::new(),
        }
    }

    pub fn control(&self) -> Control {
        Control::new(self.sender.clone())
    }

    /// Runs until the run is over, or paused with nothing under way.
    pub async fn run(
        mut self,
        first: Event,
        observer: &mut dyn Observer,
    ) -> Result<Report, DriverError> {
        let result = self.drive(first, observer).await;
        let calls = self.calls.values().map(|call| &call.task);
        for handle in calls.chain(&self.timers) {
            handle.abort();
        }
        result.map(|rest| self.report(rest))
    }

    async fn drive(
        &mut self,
        first: Event,
        observer: &mut dyn Observer,
    ) -> Result<Rest, DriverError> {
        let mut batch = vec![first];
        let mut records = Vec::new();
        let mut tasks = Vec::new();
        loop {
            let now = self.equipment.clock.now_ms();
            for event in batch.drain(..) {
                if let Event::CallEnded(end) = &event {
                    self.calls.remove(&end.n);
                }
                for action in self.machine.next(now, event) {
                    match action {
                        Action::Record(mut entry) => {
                            question::name_file(&mut entry, &mut self.machine, &self.equipment);
                            self.note_for_memory(&entry);
                            records.push(entry);
                        }
                        other => tasks.push(other),
                    }
                }
                self.results.extend(self.machine.new_results());
            }
            // What follows from a value that could not be read back is not written down.
            if let Some(broken) = self.ledger.as_ref().and_then(|it| it.shelf().broken()) {
                return Err(broken.into());
            }
            self.write_down(&mut records, observer).await?;
            self.remember(now);
            for task in tasks.drain(..) {
                self.perform(task);
            }
            if let Some(rest) = self.rest() {
                return Ok(rest);
            }
            if self.events.recv_many(&mut batch, BATCH).await == 0 {
                return Err(DriverError::Task("all senders are gone".to_owned()));
            }
        }
    }

    /// Makes the entries durable, then tells whoever looks on.
    async fn write_down(
        &mut self,
        records: &mut Vec<Entry>,
        observer: &mut dyn Observer,
    ) -> Result<(), DriverError> {
        if records.is_empty() {
            return Ok(());
        }
        if let Some(journal) = &self.equipment.journal {
            if let (Some(blobs), true) =
                (&self.equipment.blobs, records.iter().any(spill::is_large))
            {
                *records = spill_all(std::mem::take(records), Arc::clone(blobs)).await?;
            }
            journal
                .append(&self.machine.state().run, records.clone())
                .await?;
        }
        for entry in records.drain(..) {
            self.count(&entry);
            observer.entry(&entry, &self.machine);
        }
        self.make_room().await
    }

    /// Counts the results that an entry has brought.
    fn count(&mut self, entry: &Entry) {
        while let Some((_, weak)) = self.results.pop_front_if(|(seq, _)| *seq <= entry.seq) {
            if let (Some(ledger), Some(retained)) = (&mut self.ledger, weak.upgrade()) {
                ledger.set_room(self.machine.state().options.max_retained_bytes);
                ledger.count(&retained, entry);
            }
        }
    }

    /// Puts results away when the run holds too much.
    async fn make_room(&mut self) -> Result<(), DriverError> {
        let Some(ledger) = &mut self.ledger else {
            return Ok(());
        };
        let loose = ledger.make_room();
        if loose.is_empty() {
            return Ok(());
        }
        let shelf = Arc::clone(ledger.shelf());
        let packed = tokio::task::spawn_blocking(move || shelf.pack(&loose)).await;
        Ok(packed.map_err(|error| DriverError::Task(error.to_string()))??)
    }

    /// A result counts for later runs only if the machine has accepted it.
    fn note_for_memory(&mut self, entry: &Entry) {
        if self.places.is_empty() {
            return;
        }
        // What hangs on a person's answer holds for this run alone.
        if let EntryKind::ApprovalRequested { node, request } = &entry.kind
            && let Some(asked) = request.asked
        {
            self.places.remove(&(node.n, asked.attempt));
        }
        if let EntryKind::StepComplete {
            node,
            output,
            origin: Origin::Call,
            attempt: Some(attempt),
            ..
        } = &entry.kind
            && let Some(place) = self.places.remove(&(node.n, *attempt))
            && let Some(value) = output.value()
        {
            self.to_remember.push((place, Arc::clone(value)));
        }
    }

    fn remember(&mut self, now_ms: u64) {
        for (place, value) in self.to_remember.drain(..) {
            if let Some(memory) = &self.equipment.memory {
                memory.remember(&place.key, now_ms, &value);
            }
        }
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::Record(_) => {}
            Action::Call(call) => {
                let n = call.n;
                if let (Some(place), Some(_)) = (&call.memory, &self.equipment.memory) {
                    self.places.insert((n, call.request.attempt), place.clone());
                }
                let wire = Wire::new(n, call.request.attempt, self.sender.clone());
                let task = call::spawn(call, &self.equipment, Arc::clone(&wire));
                self.calls.insert(n, UnderWay { task, wire });
            }
            Action::StopCall { n } => {
                if let Some(call) = self.calls.remove(&n) {
                    call.task.abort();
                }
            }
            Action::Reply { n, asked, answer } => {
                if let Some(call) = self.calls.get(&n) {
                    call.wire.reply(asked, answer);
                }
            }
            Action::Wake { n, at_ms } => self.set_timer(at_ms, Event::RetryDue { n }),
            Action::WakeAtBudget { at_ms } => self.set_timer(at_ms, Event::TimeUp),
            // Whether the run rests is seen when all actions of a batch are done.
            Action::Halted | Action::Finished(_) => {}
        }
    }

    /// Over, or paused with nothing under way and nothing left to hear.
    fn rest(&self) -> Option<Rest> {
        if let Some(status) = self.machine.ended() {
            return Some(Rest::Ended(status));
        }
        let idle = self.machine.state().in_flight == 0 && self.events.is_empty();
        (self.machine.is_paused() && idle).then_some(Rest::Paused)
    }

    fn set_timer(&mut self, at_ms: u64, event: Event) {
        let pause = Duration::from_millis(at_ms.saturating_sub(self.equipment.clock.now_ms()));
        let sender = self.sender.clone();
        let timer = tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            let _ = sender.send(event);
        });
        self.timers.push(timer.abort_handle());
    }

    fn report(&self, rest: Rest) -> Report {
        let state = self.machine.state();
        Report {
            run: state.run.clone(),
            rest,
            outputs: self.machine.outputs(),
            failure: state.failure.clone(),
            progress: self.machine.progress(),
            questions: self.machine.questions().cloned().collect(),
            effects: state.effects.clone(),
        }
    }
}

async fn spill_all(
    mut records: Vec<Entry>,
    blobs: Arc<dyn BlobStore>,
) -> Result<Vec<Entry>, DriverError> {
    let spilled = tokio::task::spawn_blocking(move || {
        records
            .iter_mut()
            .try_for_each(|entry| spill::spill(entry, &*blobs))
            .map(|()| records)
    });
    Ok(spilled
        .await
        .map_err(|error| DriverError::Task(error.to_string()))??)
}
