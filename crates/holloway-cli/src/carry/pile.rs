//! Which questions are still to be asked here? A pile that the run adds to and
//! the desk works off; answers from elsewhere take questions out of it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use holloway_engine::entry::Question;

/// The questions to be asked, shared with the thread.
#[derive(Default)]
pub(super) struct Pile {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    open: VecDeque<Question>,
    closed: bool,
}

impl Pile {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, question: Question) {
        self.lock().open.push_back(question);
        self.changed.notify_all();
    }

    /// Everything else has been answered or is of no interest any more.
    pub(super) fn keep_only<'a>(&self, open: impl Iterator<Item = &'a str>) {
        let mut state = self.lock();
        if state.open.is_empty() {
            return;
        }
        let open: Vec<&str> = open.collect();
        state
            .open
            .retain(|question| open.contains(&question.approval.as_str()));
    }

    /// Nobody is asked any more.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Waits for a question; nothing when the desk closes.
    pub(super) fn next(&self) -> Option<Question> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(question) = state.open.front() {
                return Some(question.clone());
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn is_open(&self, approval: &str) -> bool {
        let state = self.lock();
        !state.closed
            && state
                .open
                .iter()
                .any(|question| question.approval == approval)
    }

    pub(super) fn remove(&self, approval: &str) {
        self.lock()
            .open
            .retain(|question| question.approval != approval);
    }
}
