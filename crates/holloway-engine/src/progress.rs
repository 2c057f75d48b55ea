//! How far has a run come? One object that travels with the run: share of
//! nodes ended, share of hypotheses met, what was spent, how long it may take.

use holloway_plan::dag::{Dag, Work};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::entry::{Entry, EntryKind};
use crate::machine::state::{Instance, Phase, Spent, State};
use crate::ports::Usage;

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Nodes known so far, items of running loops included.
    pub nodes: usize,
    pub nodes_ended: usize,
    /// Those of them that did what they were there for: not failed, skipped or cancelled.
    #[serde(default)]
    pub nodes_done: usize,
    /// 0 to 100.
    pub percent: f64,
    pub hypotheses_checked: u64,
    pub hypotheses_met: u64,
    #[serde(flatten)]
    pub spent: Spent,
    pub elapsed_ms: u64,
    /// A guess from the pace so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining_ms: Option<u64>,
    pub complete: bool,
}

impl Progress {
    pub fn of(dag: &Dag, state: &State) -> Self {
        let count = |is_meant: fn(Phase) -> bool| {
            let instances = state.instances.iter();
            instances.filter(|one| is_meant(one.phase)).count()
        };
        let ended = count(Phase::has_ended);
        let nodes = state.instances.len()
            + state
                .instances
                .iter()
                .map(|i| items_to_come(dag, state, i))
                .sum::<usize>();
        let elapsed_ms = state.now.saturating_sub(state.started_at);
        let left = nodes.saturating_sub(ended) as u64;
        Self {
            nodes,
            nodes_ended: ended,
            nodes_done: count(|phase| phase == Phase::Done),
            percent: if nodes == 0 {
                0.0
            } else {
                ended as f64 * 100.0 / nodes as f64
            },
            hypotheses_checked: state.hypotheses_checked,
            hypotheses_met: state.hypotheses_met,
            spent: state.spent,
            elapsed_ms,
            remaining_ms: (elapsed_ms * left).checked_div(ended as u64),
            complete: state.ended.is_some(),
        }
    }
}

/// How far a run has come, as far as its entries alone tell: nodes that nothing was written of
/// are not known.
pub fn from_entries(entries: &[Entry]) -> Progress {
    let mut ends: FxHashMap<u32, Option<bool>> = FxHashMap::default();
    let mut progress = Progress::default();
    let spend = |progress: &mut Progress, usage: &Usage| {
        progress.spent.money += usage.money;
        progress.spent.tokens += usage.tokens;
    };
    for entry in entries {
        if let Some(node) = entry.kind.node() {
            ends.entry(node.n).or_default();
        }
        match &entry.kind {
            EntryKind::StepStart { call: Some(_), .. } => progress.spent.calls += 1,
            EntryKind::StepComplete { node, usage, .. } => {
                spend(&mut progress, usage);
                ends.insert(node.n, Some(true));
            }
            EntryKind::ExpectationUnmet { usage, .. } => spend(&mut progress, usage),
            EntryKind::StepError {
                node,
                attempt,
                usage,
                ..
            } => {
                spend(&mut progress, usage);
                if attempt.is_none() {
                    ends.insert(node.n, Some(false));
                }
            }
            EntryKind::StepSkipped { node, .. } | EntryKind::StepCancelled { node, .. } => {
                ends.insert(node.n, Some(false));
            }
            EntryKind::ExecutionComplete { .. } => progress.complete = true,
            _ => {}
        }
    }
    progress.nodes = ends.len();
    progress.nodes_ended = ends.values().flatten().count();
    progress.nodes_done = ends.values().flatten().filter(|done| **done).count();
    if progress.nodes > 0 {
        progress.percent = progress.nodes_ended as f64 * 100.0 / progress.nodes as f64;
    }
    if let (Some(first), Some(last)) = (entries.first(), entries.last()) {
        progress.elapsed_ms = last.at.saturating_sub(first.at);
    }
    progress
}

/// Nodes that items not yet begun will bring.
fn items_to_come(dag: &Dag, state: &State, instance: &Instance) -> usize {
    let Some(items) = instance
        .inside
        .as_ref()
        .and_then(|inside| inside.items.as_ref())
    else {
        return 0;
    };
    let body = state
        .frames
        .get(instance.frame as usize)
        .and_then(|frame| dag.body(frame.body));
    let node = body.and_then(|body| body.nodes.get(instance.node as usize));
    let Some(Work::Each { body, .. }) = node.map(|node| &node.work) else {
        return 0;
    };
    let per_item = dag.body(*body).map_or(0, |body| body.nodes.len());
    items.results.len().saturating_sub(items.next) * per_item
}
