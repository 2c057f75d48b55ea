//! What did each node of a run do, and when? The execution trace: a projection
//! of the journal with the field names that callers of the API know.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::{Entry, EntryKind, NodeRef, Origin, Statistics, Stored, Unmet};

/// The trace of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecTrace {
    pub plan_id: String,
    pub execution_mode: String,
    pub started_at: String,
    pub finished_at: String,
    pub total_duration_ms: u64,
    pub entries: Vec<ExecTraceEntry>,
    pub statistics: Statistics,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_snapshot: Option<BTreeMap<String, Value>>,
}

impl ExecTrace {
    /// Everything but what each node did.
    pub fn without_entries(&self) -> Self {
        Self {
            plan_id: self.plan_id.clone(),
            execution_mode: self.execution_mode.clone(),
            started_at: self.started_at.clone(),
            finished_at: self.finished_at.clone(),
            total_duration_ms: self.total_duration_ms,
            entries: Vec::new(),
            statistics: self.statistics,
            context_snapshot: self.context_snapshot.clone(),
        }
    }
}

/// What one node did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecTraceEntry {
    pub node_id: String,
    /// The step as written, before any loop expansion.
    pub step_id: String,
    pub status: NodeStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    pub retry_count: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The result is that of the run this one was forked from.
    #[serde(skip)]
    pub taken_over: bool,
    /// The output itself, where `output` only refers to it.
    #[serde(skip)]
    pub kept: Option<Stored>,
}

/// How a node stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeStatus {
    #[default]
    Pending,
    Running,
    Success,
    Failed,
    Skipped,
    Cancelled,
}

impl NodeStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Builds a trace entry by entry.
#[derive(Clone, Debug, Default)]
pub struct Tracer {
    trace: ExecTrace,
    places: FxHashMap<u32, usize>,
    started: FxHashMap<u32, u64>,
    begun: u64,
}

impl Tracer {
    pub fn of<'a>(execution_mode: &str, entries: impl IntoIterator<Item = &'a Entry>) -> ExecTrace {
        let mut tracer = Self::new(execution_mode);
        entries.into_iter().for_each(|entry| tracer.add(entry));
        tracer.finish()
    }

    pub fn new(execution_mode: &str) -> Self {
        let trace = ExecTrace {
            execution_mode: execution_mode.to_owned(),
            ..ExecTrace::default()
        };
        Self {
            trace,
            ..Self::default()
        }
    }

    pub fn finish(mut self) -> ExecTrace {
        self.trace.statistics = statistics(&self.trace.entries);
        self.trace
    }

    pub fn add(&mut self, entry: &Entry) {
        self.note_time(entry.at);
        match &entry.kind {
            EntryKind::ExecutionStart(start) => start.plan_id.clone_into(&mut self.trace.plan_id),
            EntryKind::StepStart { node, call } => {
                self.begin(node, entry.at);
                let line = self.line(node);
                if let Some(call) = call {
                    line.retry_count = call.attempt.saturating_sub(1);
                    line.tool_name = Some(call.tool.to_string());
                    line.input = Some(shown(&call.input));
                }
            }
            EntryKind::StepComplete {
                node,
                output,
                origin,
                ..
            } => {
                let line = self.end(node, NodeStatus::Success, entry.at);
                line.taken_over = *origin == Origin::Reused;
                line.output = Some(shown(output));
                line.kept = output.value().is_none().then(|| output.clone());
                line.error = None;
            }
            EntryKind::StepError {
                node,
                attempt,
                error,
                ..
            } => {
                let text = error.to_string();
                let line = match attempt {
                    Some(_) => self.line(node),
                    None => self.end(node, NodeStatus::Failed, entry.at),
                };
                line.error = Some(text);
            }
            EntryKind::ExpectationUnmet { node, unmet, .. } => {
                self.line(node).error = Some(Unmet::sentence(unmet));
            }
            EntryKind::StepSkipped { node, reason } => {
                let line = self.end(node, NodeStatus::Skipped, entry.at);
                line.error.get_or_insert_with(|| reason.clone());
            }
            EntryKind::StepCancelled { node, in_doubt } => {
                let line = self.end(node, NodeStatus::Cancelled, entry.at);
                if *in_doubt {
                    line.error = Some("stopped during the call; it may have happened".to_owned());
                }
            }
            EntryKind::ApprovalRequested { node, .. } => self.begin(node, entry.at),
            EntryKind::ExecutionComplete { outputs, .. } => {
                let snapshot = outputs
                    .iter()
                    .map(|(name, value)| (name.to_string(), shown(value)));
                self.trace.context_snapshot = Some(snapshot.collect());
            }
            _ => {}
        }
    }

    fn note_time(&mut self, at: u64) {
        if self.trace.started_at.is_empty() {
            self.begun = at;
            self.trace.started_at = time_text(at);
        }
        self.trace.finished_at = time_text(at);
        self.trace.total_duration_ms = at.saturating_sub(self.begun);
    }

    fn begin(&mut self, node: &NodeRef, at: u64) {
        self.started.entry(node.n).or_insert(at);
        let line = self.line(node);
        line.status = NodeStatus::Running;
        line.start_time.get_or_insert_with(|| time_text(at));
    }

    fn end(&mut self, node: &NodeRef, status: NodeStatus, at: u64) -> &mut ExecTraceEntry {
        let started = self.started.get(&node.n).copied();
        let line = self.line(node);
        line.status = status;
        line.end_time = Some(time_text(at));
        line.duration_ms = started.map(|started| at.saturating_sub(started));
        line
    }

    fn line(&mut self, node: &NodeRef) -> &mut ExecTraceEntry {
        let entries = &mut self.trace.entries;
        let place = *self.places.entry(node.n).or_insert_with(|| {
            entries.push(ExecTraceEntry {
                node_id: node.node.to_string(),
                step_id: node.step.to_string(),
                ..ExecTraceEntry::default()
            });
            entries.len() - 1
        });
        // The place was given out by this very vector.
        #[allow(clippy::indexing_slicing)]
        &mut entries[place]
    }
}

fn statistics(entries: &[ExecTraceEntry]) -> Statistics {
    let count = |status| {
        entries
            .iter()
            .filter(|entry| entry.status == status)
            .count()
    };
    Statistics {
        total_steps: entries.len(),
        successful_steps: count(NodeStatus::Success),
        failed_steps: count(NodeStatus::Failed),
        skipped_steps: count(NodeStatus::Skipped),
        cancelled_steps: count(NodeStatus::Cancelled),
    }
}

/// A value as the trace shows it; large ones by reference.
fn shown(stored: &Stored) -> Value {
    match stored {
        Stored::Value(value) => Value::clone(value),
        blob @ Stored::Blob { .. } => serde_json::to_value(blob).unwrap_or_default(),
    }
}

/// Milliseconds since 1970 as ISO 8601 text.
pub fn time_text(at_ms: u64) -> String {
    let timestamp = jiff::Timestamp::from_millisecond(i64::try_from(at_ms).unwrap_or(i64::MAX));
    timestamp.map_or_else(|_| at_ms.to_string(), |timestamp| format!("{timestamp:.3}"))
}
