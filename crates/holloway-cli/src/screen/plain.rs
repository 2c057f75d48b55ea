//! The run as plain lines on stderr, for files and pipes.

use holloway_engine::entry::{Entry, EntryKind};
use holloway_engine::progress::Progress;

use super::Screen;
use super::line::{Narrator, progress_text};
use crate::print;
use crate::print::paint::Paint;

pub(super) struct Plain {
    narrator: Narrator,
    quiet: bool,
}

impl Plain {
    pub(super) fn telling() -> Self {
        Self {
            narrator: Narrator::default(),
            quiet: false,
        }
    }

    /// Shows no steps, but still says what a person must know.
    pub(super) fn quiet() -> Self {
        Self {
            quiet: true,
            ..Self::telling()
        }
    }
}

impl Screen for Plain {
    fn entry(&mut self, entry: &Entry, _progress: &dyn Fn() -> Progress) {
        if let (EntryKind::StepProgress { node, report, .. }, false) = (&entry.kind, self.quiet) {
            let text = format!("… {}  {}", node.node, progress_text(report));
            print::note(&Paint::stderr().dim(&print::visible(&text)));
        }
        let line = self.narrator.tell(entry);
        if let (Some(line), false) = (line, self.quiet) {
            print::note(&line.text(Paint::stderr()));
        }
    }

    fn recall(&mut self, entry: &Entry) {
        self.narrator.tell(entry);
    }

    fn prompt(&mut self, prompt: Option<String>) {
        if let Some(prompt) = prompt {
            print::note(&prompt);
        }
    }

    fn say(&mut self, text: &str) {
        print::note(text);
    }
}
