//! How does a call speak to the run it belongs to? Over its wire: reports are
//! thinned out, questions are put one at a time, and the call's clock stands
//! still while a person thinks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::Instant;

use crate::entry::Asked;
use crate::event::{CallEnd, Event};
use crate::ports::{CallListener, ToolAnswer, ToolProgress, ToolQuestion};

/// The least time between two reports of a call.
const PACE: Duration = Duration::from_millis(250);
/// After so many reports the pace is halved, so that a call that speaks for days fills no disk.
const REPORTS: u32 = 64;
/// A tool that asks more often than this is not asking.
const MOST_QUESTIONS: u32 = 100;

/// The run's end of a call's line.
pub(super) struct Wire {
    n: u32,
    attempt: u32,
    events: UnboundedSender<Event>,
    talk: Mutex<Talk>,
    /// One question at a time.
    turn: Semaphore,
    /// Rings when a question is settled.
    settled: Notify,
    itself: Weak<Wire>,
}

#[derive(Default)]
struct Talk {
    /// The call is over; nothing more is heard.
    closed: bool,
    reports: u32,
    reported: Option<Instant>,
    /// The latest report that came too soon.
    held: Option<ToolProgress>,
    questions: u32,
    waiting: Option<Waiting>,
    /// Time spent waiting for people.
    waited: Duration,
}

/// A question that is open.
struct Waiting {
    question: u32,
    since: Instant,
    reply: oneshot::Sender<ToolAnswer>,
}

impl Talk {
    fn pace(&self) -> Duration {
        PACE * 2_u32.saturating_pow((self.reports / REPORTS).min(16))
    }

    /// How long until the next report may go out.
    fn wait_to_report(&self, now: Instant) -> Duration {
        let next = self.reported.map(|reported| reported + self.pace());
        next.map_or(Duration::ZERO, |next| next.saturating_duration_since(now))
    }

    fn note_report(&mut self, now: Instant) {
        self.reports += 1;
        self.reported = Some(now);
        self.held = None;
    }

    /// Takes the open question away, if it is this one.
    fn settle(&mut self, question: u32) -> Option<Waiting> {
        let waiting = self
            .waiting
            .take_if(|waiting| waiting.question == question)?;
        self.waited += waiting.since.elapsed();
        Some(waiting)
    }

    /// Ends the talk; the last report is still good if its time has come.
    fn close(&mut self) -> Option<ToolProgress> {
        self.closed = true;
        self.waiting = None;
        let held = self.held.take()?;
        self.wait_to_report(Instant::now())
            .is_zero()
            .then_some(held)
    }
}

impl Wire {
    pub(super) fn new(n: u32, attempt: u32, events: UnboundedSender<Event>) -> Arc<Self> {
        Arc::new_cyclic(|itself| Self {
            n,
            attempt,
            events,
            talk: Mutex::default(),
            turn: Semaphore::new(1),
            settled: Notify::new(),
            itself: Weak::clone(itself),
        })
    }

    pub(super) fn call(&self) -> (u32, u32) {
        (self.n, self.attempt)
    }

    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nobody listens once the run is over; what is said then is of no interest.
    fn send(&self, event: Event) {
        let _ = self.events.send(event);
    }

    fn send_report(&self, report: ToolProgress) {
        self.send(Event::CallProgress {
            n: self.n,
            attempt: self.attempt,
            report,
        });
    }

    /// Hands a person's answer to the tool that waits for it.
    pub(super) fn reply(&self, asked: Asked, answer: ToolAnswer) {
        if asked.attempt == self.attempt
            && let Some(waiting) = self.settle(asked.question)
        {
            let _ = waiting.reply.send(answer);
        }
    }

    fn settle(&self, question: u32) -> Option<Waiting> {
        let settled = self.talk().settle(question);
        if settled.is_some() {
            self.settled.notify_one();
        }
        settled
    }

    /// The call is over: nothing more is heard of it but this.
    pub(super) fn end(&self, end: CallEnd) {
        let last = self.talk().close();
        if let Some(last) = last {
            self.send_report(last);
        }
        self.send(Event::CallEnded(end));
    }

    /// The time since the last look that was spent waiting for a person.
    pub(super) fn take_waited(&self) -> Duration {
        let mut talk = self.talk();
        let mut waited = std::mem::take(&mut talk.waited);
        if let Some(waiting) = &mut talk.waiting {
            waited += waiting.since.elapsed();
            waiting.since = Instant::now();
        }
        waited
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.talk().waiting.is_some()
    }

    /// Comes back when no person is waited for.
    pub(super) async fn until_settled(&self) {
        while self.is_waiting() {
            self.settled.notified().await;
        }
    }

    /// Sends what was held back, unless the call has ended meanwhile.
    fn send_held(&self) {
        let held = {
            let mut talk = self.talk();
            let held = talk.held.take();
            if held.is_some() {
                talk.note_report(Instant::now());
            }
            held
        };
        if let Some(report) = held {
            self.send_report(report);
        }
    }
}

#[async_trait]
impl CallListener for Wire {
    fn progress(&self, report: ToolProgress) {
        let mut talk = self.talk();
        if talk.closed {
            return;
        }
        let now = Instant::now();
        let wait = talk.wait_to_report(now);
        if wait.is_zero() {
            talk.note_report(now);
            drop(talk);
            return self.send_report(report);
        }
        // Tools call from wherever they are; without a runtime there is nobody to send it later.
        if let (None, Ok(runtime)) = (talk.held.replace(report), Handle::try_current()) {
            let wire = Weak::clone(&self.itself);
            runtime.spawn(async move {
                tokio::time::sleep(wait).await;
                if let Some(wire) = wire.upgrade() {
                    wire.send_held();
                }
            });
        }
    }

    async fn ask(&self, question: ToolQuestion) -> ToolAnswer {
        let Ok(_turn) = self.turn.acquire().await else {
            return ToolAnswer::Cancel;
        };
        let (reply, answer) = oneshot::channel();
        let Some(number) = self.open(reply) else {
            return ToolAnswer::Decline;
        };
        let asking = Asking {
            wire: self,
            asked: Asked {
                attempt: self.attempt,
                question: number,
            },
        };
        self.send(Event::CallAsks {
            n: self.n,
            asked: asking.asked,
            question,
        });
        answer.await.unwrap_or(ToolAnswer::Cancel)
    }
}

impl Wire {
    /// Opens the next question and stops the clock.
    fn open(&self, reply: oneshot::Sender<ToolAnswer>) -> Option<u32> {
        let mut talk = self.talk();
        if talk.closed || talk.questions >= MOST_QUESTIONS {
            return None;
        }
        talk.questions += 1;
        let question = talk.questions;
        talk.waiting = Some(Waiting {
            question,
            since: Instant::now(),
            reply,
        });
        Some(question)
    }
}

/// A question being waited for; when the tool stops waiting, it is withdrawn.
struct Asking<'a> {
    wire: &'a Wire,
    asked: Asked,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if self.wire.settle(self.asked.question).is_some() {
            let (n, asked) = (self.wire.n, self.asked);
            self.wire.send(Event::CallWithdraws { n, asked });
        }
    }
}
