//! How does somebody speak to a run while it is going on? By events that are taken in their turn.

use tokio::sync::mpsc::UnboundedSender;

use crate::entry::Answer;
use crate::event::Event;

/// Speaks to a run while it is going on.
#[derive(Clone, Debug)]
pub struct Control {
    events: UnboundedSender<Event>,
}

impl Control {
    pub(super) fn new(events: UnboundedSender<Event>) -> Self {
        Self { events }
    }

    /// Lets running calls finish and starts no others.
    pub fn pause(&self, reason: &str) {
        self.send(Event::Pause {
            reason: reason.to_owned(),
        });
    }

    pub fn resume(&self, by: &str) {
        self.send(Event::Resume {
            by: by.to_owned(),
            fresh: false,
            approvals: None,
            all_allowed: false,
        });
    }

    /// Says yes to all questions of the run, open and to come.
    pub fn allow_all(&self, by: &str) {
        let by = by.to_owned();
        self.send(Event::AllowAll { by });
    }

    /// Stops everything.
    pub fn cancel(&self, by: &str) {
        self.send(Event::Cancel { by: by.to_owned() });
    }

    pub fn answer(&self, answer: Answer) {
        self.send(Event::Answered(Box::new(answer)));
    }

    /// A run that is over does not listen any more; that is no error.
    fn send(&self, event: Event) {
        let _ = self.events.send(event);
    }
}
