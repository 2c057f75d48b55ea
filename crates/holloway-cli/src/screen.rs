//! How does a person (or a program) follow a run? One stream of entries, shown
//! live in a terminal, as plain lines, as JSON, or not at all.

mod json;
mod line;
mod live;
mod plain;

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use holloway_engine::entry::Entry;
use holloway_engine::machine::state::PlannedEffect;
use holloway_engine::progress::Progress;

/// Shows a run.
pub(crate) trait Screen: Send {
    /// Something happened. `progress` costs time in long runs, so ask for it rarely.
    fn entry(&mut self, entry: &Entry, progress: &dyn Fn() -> Progress);
    /// Calls that a dry run did not make, told before its end.
    fn not_called(&mut self, _calls: &[PlannedEffect]) {}
    /// What happened before this process took the run up; not shown again.
    fn recall(&mut self, _entry: &Entry) {}
    /// Words that belong to no entry.
    fn say(&mut self, text: &str);
    /// What is waited for at the bottom, if anything.
    fn prompt(&mut self, _prompt: Option<String>) {}
    /// Time has passed.
    fn tick(&mut self) {}
    /// Another program has the terminal for a while.
    fn hold(&mut self, _held: bool) {}
    /// Nothing more will come.
    fn close(&mut self) {}
}

/// A screen that several threads use.
#[derive(Clone)]
pub(crate) struct SharedScreen(Arc<Mutex<Box<dyn Screen>>>);

impl SharedScreen {
    pub(crate) fn new(screen: impl Screen + 'static) -> Self {
        Self(Arc::new(Mutex::new(Box::new(screen))))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Box<dyn Screen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn say(&self, text: &str) {
        self.lock().say(text);
    }
}

/// The screen that fits the flags and where stderr leads.
pub(crate) fn choose(json: bool, quiet: bool) -> SharedScreen {
    if json {
        SharedScreen::new(json::Json)
    } else if quiet {
        SharedScreen::new(plain::Plain::quiet())
    } else if std::io::stderr().is_terminal() && !is_dumb() {
        live::open()
    } else {
        SharedScreen::new(plain::Plain::telling())
    }
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
