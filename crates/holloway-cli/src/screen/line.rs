//! What does an entry say in one line? A mark, the node, the tool, how long it
//! took, and why it went wrong if it did.

use std::collections::{BTreeMap, BTreeSet};

use holloway_engine::entry::{Answer, Decision, Entry, EntryKind, NodeRef, Origin, RepairDecision};
use holloway_engine::ports::ToolProgress;

use crate::failure_words::plain;
use crate::print::paint::Paint;
use crate::print::{one_line, units};

/// The most of a reason that one line shows.
const REASON: usize = 160;

/// A line about one node.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    mark: Mark,
    node: String,
    details: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Good,
    Bad,
    Passed,
    Again,
    Word,
}

impl Line {
    pub(super) fn text(&self, paint: Paint) -> String {
        let mark = match self.mark {
            Mark::Good => paint.green("✓"),
            Mark::Bad => paint.red("✗"),
            Mark::Passed => paint.dim("–"),
            Mark::Again => paint.yellow("⟳"),
            Mark::Word => paint.cyan("·"),
        };
        let mut text = format!("{mark} {}", self.node);
        for detail in self.details.iter().filter(|detail| !detail.is_empty()) {
            text.push_str("  ");
            text.push_str(&paint.dim(detail));
        }
        text
    }
}

/// Remembers what later entries do not repeat.
#[derive(Debug, Default)]
pub(super) struct Narrator {
    tools: BTreeMap<u32, String>,
    begun: BTreeMap<u32, u64>,
    /// Questions that tools have asked.
    asked: BTreeSet<String>,
}

impl Narrator {
    /// The line an entry is worth, if it is.
    pub(super) fn tell(&mut self, entry: &Entry) -> Option<Line> {
        match &entry.kind {
            EntryKind::StepStart { node, call } => {
                self.begun.entry(node.n).or_insert(entry.at);
                if let Some(call) = call {
                    self.tools.insert(node.n, call.tool.to_string());
                }
                None
            }
            EntryKind::StepComplete { node, origin, .. } => {
                let took = self.took(node.n, entry.at);
                Some(self.end(Mark::Good, node, [took, origin_words(*origin).to_owned()]))
            }
            EntryKind::StepError {
                node,
                attempt: None,
                error,
                ..
            } => {
                let took = self.took(node.n, entry.at);
                Some(self.end(Mark::Bad, node, [took, one_line(&error.message, REASON)]))
            }
            EntryKind::Repair {
                node,
                decision,
                reason,
            } => repair(node, decision, reason),
            EntryKind::StepSkipped { node, reason } => Some(self.end(
                Mark::Passed,
                node,
                [one_line(plain(reason), REASON), String::new()],
            )),
            EntryKind::StepCancelled { node, in_doubt } => {
                let doubt = if *in_doubt {
                    "it may have happened"
                } else {
                    ""
                };
                let words = ["cancelled".to_owned(), doubt.to_owned()];
                Some(self.end(Mark::Passed, node, words))
            }
            EntryKind::ApprovalRequested { request, .. } => {
                if request.asked.is_some() {
                    self.asked.insert(request.approval.clone());
                }
                None
            }
            EntryKind::ApprovalResolved { node, answer } => {
                let by_tool = self.asked.remove(&answer.approval);
                Some(resolved(node, answer, by_tool))
            }
            other => run_line(other),
        }
    }

    fn took(&self, n: u32, at: u64) -> String {
        let begun = self.begun.get(&n);
        begun.map_or_else(String::new, |begun| {
            units::duration(at.saturating_sub(*begun))
        })
    }

    fn end(&mut self, mark: Mark, node: &NodeRef, details: [String; 2]) -> Line {
        self.begun.remove(&node.n);
        let tool = self.tools.remove(&node.n).unwrap_or_default();
        Line {
            mark,
            node: one_line(&node.node, REASON),
            details: std::iter::once(tool).chain(details).collect(),
        }
    }
}

fn repair(node: &NodeRef, decision: &RepairDecision, reason: &str) -> Option<Line> {
    let what = match decision {
        RepairDecision::Retry { attempt, after_ms } => {
            format!("attempt {attempt} in {}", units::duration(*after_ms))
        }
        RepairDecision::Fallback { tool } => format!("now with {tool}"),
        RepairDecision::Ask => "a person is asked".to_owned(),
        RepairDecision::Skip | RepairDecision::Continue | RepairDecision::Fail => return None,
    };
    Some(Line {
        mark: Mark::Again,
        node: one_line(&node.node, REASON),
        details: vec![what, one_line(plain(reason), REASON)],
    })
}

/// What became of a question, asked by a tool or about a step.
fn resolved(node: &NodeRef, answer: &Answer, by_tool: bool) -> Line {
    let word = match (&answer.decision, by_tool) {
        (Decision::Deny, true) => "declined",
        (Decision::Dismiss, _) => "left without an answer",
        (_, true) => "answered",
        (Decision::Approve, false) => "allowed",
        (Decision::Edit(_), false) => "allowed with other arguments",
        (Decision::Deny, false) => "denied",
        (Decision::Done(_), false) => "result given",
    };
    let note = answer.note.as_deref().filter(|_| by_tool);
    let note = note.map(|note| format!(": {note}")).unwrap_or_default();
    let Answer { approval, by, .. } = answer;
    let text = format!("{approval} ({}) {word} by {by}{note}", node.node);
    Line {
        mark: Mark::Word,
        node: one_line(&text, REASON),
        details: Vec::new(),
    }
}

/// How far a call is, such as `12/40 reading`.
pub(super) fn progress_text(report: &ToolProgress) -> String {
    let share = match report.total {
        Some(total) => format!("{}/{total}", report.progress),
        None => report.progress.to_string(),
    };
    let message = report.message.as_deref().unwrap_or_default();
    one_line(&format!("{share} {message}"), REASON)
}

/// Lines about the run as a whole.
fn run_line(kind: &EntryKind) -> Option<Line> {
    let text = match kind {
        EntryKind::Paused { reason } => format!("paused: {reason}"),
        EntryKind::Resumed { by, .. } => format!("resumed by {by}"),
        EntryKind::AllAllowed { by } => format!("{by} said yes to everything in this run"),
        EntryKind::Cancelled { by } => format!("cancelled by {by}"),
        EntryKind::BudgetExceeded { what, limit, used } => {
            let what = serde_json::to_value(what).unwrap_or_default();
            let what = what.as_str().unwrap_or_default().to_owned();
            format!("the budget is used up: {used} of {limit} {what}")
        }
        _ => return None,
    };
    Some(Line {
        mark: Mark::Word,
        node: one_line(&text, REASON),
        details: Vec::new(),
    })
}

fn origin_words(origin: Origin) -> &'static str {
    match origin {
        Origin::Call | Origin::Inner => "",
        Origin::Memory => "remembered",
        Origin::Reused => "taken over",
        Origin::Synthetic => "not called, result made up",
        Origin::Person => "by a person",
    }
}
