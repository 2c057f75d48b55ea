//! The run for programs: every entry as a line of JSON on stdout; of a dry run also what it would
//! have called.

use holloway_engine::entry::Entry;
use holloway_engine::machine::state::PlannedEffect;
use holloway_engine::progress::Progress;
use serde_json::json;

use super::Screen;
use crate::print;

pub(super) struct Json;

impl Screen for Json {
    fn entry(&mut self, entry: &Entry, _progress: &dyn Fn() -> Progress) {
        // A run goes on when its reader has gone away; the journal has it all.
        let _ = print::line(entry);
    }

    fn not_called(&mut self, calls: &[PlannedEffect]) {
        let _ = print::line(&json!({"event": "not_called", "calls": calls}));
    }

    fn say(&mut self, _text: &str) {}
}
