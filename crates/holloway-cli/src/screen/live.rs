//! The run in a terminal: ended steps scroll up, steps at work stand below with
//! a spinner, totals last. Drawn at a steady pace, whatever the pace of the run,
//! and a step gets its own line only once it takes long enough to be read.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use holloway_engine::entry::{Entry, EntryKind};
use holloway_engine::progress::Progress;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::line::{Narrator, progress_text};
use super::{Screen, SharedScreen};
use crate::print::gate::gate;
use crate::print::paint::Paint;
use crate::print::{one_line, units};

const PACE: Duration = Duration::from_millis(80);
/// Shorter steps never get a line of their own.
const WORTH_A_LINE: Duration = Duration::from_millis(200);
/// How many times longer than it took the last count of the progress holds. Short runs are counted
/// at every entry; in long ones counting must not hold up the run.
const HOLDS: u32 = 20;
const MOST_LINES: usize = 10;

struct Live {
    multi: MultiProgress,
    totals: ProgressBar,
    prompt: ProgressBar,
    asked: Option<String>,
    narrator: Narrator,
    paint: Paint,
    running: BTreeMap<u32, AtWork>,
    pending: Vec<String>,
    progress: Progress,
    begun: Instant,
    counted: Option<Instant>,
    /// How long the last count took.
    count_took: Duration,
    held: bool,
    closed: bool,
}

/// A step that is at work.
struct AtWork {
    label: String,
    /// What the tool last said about itself.
    said: String,
    since: Instant,
    bar: Option<ProgressBar>,
}

/// A live screen with a thread that keeps it moving.
pub(super) fn open() -> SharedScreen {
    let shared = SharedScreen::new(Live::new());
    let weak = Arc::downgrade(&shared.0);
    std::thread::spawn(move || {
        while let Some(screen) = weak.upgrade() {
            SharedScreen(screen).lock().tick();
            std::thread::sleep(PACE);
        }
    });
    shared
}

impl Live {
    fn new() -> Self {
        let multi = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(15));
        let totals = multi.add(ProgressBar::new_spinner().with_style(style("{msg}")));
        Self {
            prompt: ProgressBar::hidden(),
            asked: None,
            totals,
            multi,
            narrator: Narrator::default(),
            paint: Paint::stderr(),
            running: BTreeMap::new(),
            pending: Vec::new(),
            progress: Progress::default(),
            begun: Instant::now(),
            counted: None,
            count_took: Duration::ZERO,
            held: false,
            closed: false,
        }
    }

    fn note_work(&mut self, entry: &Entry) {
        match &entry.kind {
            EntryKind::StepStart {
                node,
                call: Some(call),
            } => {
                let label = format!(
                    "{}  {}",
                    one_line(&node.node, 60),
                    self.paint.dim(&one_line(call.tool.as_str(), 60))
                );
                let since = Instant::now();
                let work = AtWork {
                    label,
                    said: String::new(),
                    since,
                    bar: None,
                };
                self.running.insert(node.n, work);
            }
            EntryKind::StepProgress { node, report, .. } => {
                if let Some(work) = self.running.get_mut(&node.n) {
                    work.said = format!("  {}", progress_text(report));
                }
            }
            // The call goes on while its tool asks, and after it was answered.
            EntryKind::ApprovalRequested { request, .. } if request.asked.is_some() => {}
            EntryKind::ApprovalResolved { .. } => {}
            // Whatever else is said of a node, its call is over.
            kind => {
                let ended = kind.node().and_then(|node| self.running.remove(&node.n));
                if let Some(bar) = ended.and_then(|work| work.bar) {
                    bar.finish_and_clear();
                    self.multi.remove(&bar);
                }
            }
        }
    }

    fn draw(&mut self) {
        if !self.pending.is_empty() {
            let lines = std::mem::take(&mut self.pending).join("\n");
            let _ = self.multi.println(gate(&lines, true));
        }
        self.draw_work();
        if self.counted.is_some() {
            self.totals.set_message(gate(&self.totals_text(), true));
        }
    }

    fn draw_work(&mut self) {
        let mut shown = self
            .running
            .values()
            .filter(|work| work.bar.is_some())
            .count();
        for work in self.running.values_mut() {
            let elapsed = work.since.elapsed();
            if work.bar.is_none() && shown < MOST_LINES && elapsed >= WORTH_A_LINE {
                let bar = ProgressBar::new_spinner().with_style(style("{spinner:.cyan} {msg}"));
                work.bar = Some(self.multi.insert_before(&self.totals, bar));
                shown += 1;
            }
            if let Some(bar) = &work.bar {
                let time = units::duration(elapsed.as_millis() as u64);
                let text = format!("{}{}  {time}", work.label, work.said);
                bar.set_message(gate(&text, true));
                bar.tick();
            }
        }
    }

    fn totals_text(&self) -> String {
        let Progress {
            nodes,
            nodes_ended,
            percent,
            spent,
            remaining_ms,
            ..
        } = self.progress;
        let mut parts = vec![
            format!("{nodes_ended}/{nodes} steps"),
            format!("{percent:.0} %"),
            units::duration(self.begun.elapsed().as_millis() as u64),
        ];
        let unseen = self
            .running
            .values()
            .filter(|work| work.bar.is_none())
            .count();
        if unseen > 0 && self.running.len() > MOST_LINES {
            parts.push(format!("{unseen} more at work"));
        }
        if spent.money > 0.0 {
            parts.push(units::money(spent.money));
        }
        if let Some(left) = remaining_ms.filter(|_| nodes_ended < nodes && self.asked.is_none()) {
            parts.push(format!("about {} left", units::duration(left)));
        }
        self.paint.dim(&parts.join(" · "))
    }
}

impl Screen for Live {
    fn entry(&mut self, entry: &Entry, progress: &dyn Fn() -> Progress) {
        self.note_work(entry);
        if let Some(line) = self.narrator.tell(entry) {
            self.pending.push(line.text(self.paint));
        }
        // While a person is waited for nothing else comes that would bring it up to date.
        let waits = matches!(entry.kind, EntryKind::ApprovalRequested { .. });
        let holds = self.count_took * HOLDS;
        if waits
            || self
                .counted
                .is_none_or(|counted| counted.elapsed() >= holds)
        {
            let begun = Instant::now();
            self.progress = progress();
            self.count_took = begun.elapsed();
            self.counted = Some(Instant::now());
        }
    }

    fn recall(&mut self, entry: &Entry) {
        self.note_work(entry);
        self.narrator.tell(entry);
    }

    fn say(&mut self, text: &str) {
        self.pending.extend(text.lines().map(str::to_owned));
        self.tick();
    }

    fn prompt(&mut self, prompt: Option<String>) {
        self.tick();
        self.prompt.finish_and_clear();
        self.multi.remove(&self.prompt);
        if let Some(text) = &prompt {
            let bar = ProgressBar::new_spinner().with_style(style("{msg}"));
            self.prompt = self.multi.add(bar);
            self.prompt.set_message(gate(text, true));
        }
        self.asked = prompt;
    }

    fn tick(&mut self) {
        if !self.held && !self.closed {
            self.draw();
        }
    }

    fn hold(&mut self, held: bool) {
        self.held = held;
        let _ = self.multi.clear();
        let target = if held {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(15)
        };
        self.multi.set_draw_target(target);
    }

    fn close(&mut self) {
        self.prompt(None);
        for work in std::mem::take(&mut self.running).into_values() {
            if let Some(bar) = work.bar {
                bar.finish_and_clear();
            }
        }
        self.tick();
        self.totals.finish_and_clear();
        let _ = self.multi.clear();
        self.closed = true;
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
        .tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ")
}
