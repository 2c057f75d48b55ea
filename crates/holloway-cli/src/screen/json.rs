//! The run for programs: every entry as a line of JSON on stdout, nothing else.

use holloway_engine::entry::Entry;
use holloway_engine::progress::Progress;

use super::Screen;
use crate::print;

pub(super) struct Json;

impl Screen for Json {
    fn entry(&mut self, entry: &Entry, _progress: &dyn Fn() -> Progress) {
        // A run goes on when its reader has gone away; the journal has it all.
        let _ = print::line(entry);
    }

    fn say(&mut self, _text: &str) {}
}
