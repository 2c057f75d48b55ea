//! Who carries out a durable run? The runner: drives the machine, and meanwhile
//! brings it the messages other processes leave for it.

use std::sync::Arc;
use std::time::Duration;

use holloway_engine::driver::{Control, Driver, DriverError, Equipment, Observer, Report};
use holloway_engine::entry::{Entry, EntryKind, RunId};
use holloway_engine::event::Event;
use holloway_engine::machine::Machine;
use holloway_engine::ports::{Clock, ToolCaller};
use holloway_engine::tokens::Counter;

use crate::prepare::Ready;
use crate::run_store::{Message, RunStore};

/// How often the inbox is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Carries out runs that are kept in a store.
#[derive(Clone)]
pub struct Runner {
    pub tools: Arc<dyn ToolCaller>,
    pub clock: Arc<dyn Clock>,
    pub store: Arc<dyn RunStore>,
    /// Counts the tokens of contexts.
    pub counter: Counter,
}

/// A run on its way.
pub struct Running {
    driver: Driver,
    ready_event: Event,
    store: Arc<dyn RunStore>,
    run: RunId,
}

impl Runner {
    /// Sets a run up; nothing happens before [`Running::finish`].
    pub fn start(&self, run: &RunId, mut ready: Ready) -> Running {
        ready.machine.count_with(self.counter.clone());
        let equipment = Equipment {
            tools: Arc::clone(&self.tools),
            clock: Arc::clone(&self.clock),
            journal: Some(Arc::clone(&self.store) as _),
            blobs: Some(Arc::clone(&self.store) as _),
            memory: Some(Arc::clone(&self.store) as _),
        };
        Running {
            driver: Driver::new(ready.machine, equipment),
            ready_event: ready.first,
            store: Arc::clone(&self.store),
            run: run.clone(),
        }
    }
}

impl Running {
    pub fn control(&self) -> Control {
        self.driver.control()
    }

    /// Drives the run until it is over or paused.
    pub async fn finish(self, observer: &mut dyn Observer) -> Result<Report, DriverError> {
        let delivered = Arc::new(std::sync::Mutex::new(Vec::new()));
        let postman = Postman {
            store: Arc::clone(&self.store),
            run: self.run.clone(),
            control: self.driver.control(),
            delivered: Arc::clone(&delivered),
        };
        let delivery = tokio::spawn(postman.deliver());
        let mut witness = Witness {
            observer,
            store: self.store,
            delivered,
        };
        let report = self.driver.run(self.ready_event, &mut witness).await;
        delivery.abort();
        report
    }
}

type Delivered = Arc<std::sync::Mutex<Vec<(i64, Message)>>>;

/// Brings messages from the store to the run.
struct Postman {
    store: Arc<dyn RunStore>,
    run: RunId,
    control: Control,
    delivered: Delivered,
}

impl Postman {
    async fn deliver(self) {
        let Ok(mut watch) = self.store.watch() else {
            return;
        };
        let mut last = 0;
        let mut first_look = true;
        loop {
            // A store that cannot be read now may be readable the next time.
            let changed = watch.changed().unwrap_or(true);
            if changed || first_look {
                first_look = false;
                for (id, message) in self.store.messages(&self.run, last).unwrap_or_default() {
                    last = id;
                    self.hand_over(id, message);
                }
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    fn hand_over(&self, id: i64, message: Message) {
        if let Ok(mut delivered) = self.delivered.lock() {
            delivered.push((id, message.clone()));
        }
        match message {
            Message::Answer(answer) => self.control.answer(answer),
            Message::Pause { by } => self.control.pause(&by),
            Message::Cancel { by } => self.control.cancel(&by),
        }
    }
}

/// Passes entries on, and checks off the messages they answer.
struct Witness<'a> {
    observer: &'a mut dyn Observer,
    store: Arc<dyn RunStore>,
    delivered: Delivered,
}

impl Observer for Witness<'_> {
    fn entry(&mut self, entry: &Entry, machine: &Machine) {
        self.observer.entry(entry, machine);
        let is_answered = |message: &Message| match (&entry.kind, message) {
            (EntryKind::ApprovalResolved { answer, .. }, Message::Answer(given)) => {
                given.approval == answer.approval
            }
            (EntryKind::Paused { .. }, Message::Pause { .. }) => true,
            (EntryKind::Cancelled { .. }, Message::Cancel { .. }) => true,
            _ => false,
        };
        let Ok(mut delivered) = self.delivered.lock() else {
            return;
        };
        let done: Vec<i64> = delivered
            .iter()
            .filter(|(_, message)| is_answered(message))
            .map(|(id, _)| *id)
            .collect();
        if !done.is_empty() {
            delivered.retain(|(id, _)| !done.contains(id));
            // Left unmarked, a message is only delivered once more and then refused.
            let _ = self.store.mark_taken(&done);
        }
    }
}
