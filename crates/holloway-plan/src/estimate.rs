//! What will a run take? Time, money and effects, worked out from what the tools
//! declare. Nothing is measured here; unknown figures are assumed and named.

use serde::Serialize;

use crate::dag::Dag;
use crate::plan::Plan;
use crate::tool::ToolSpec;

mod effects;
mod time;

pub use effects::{ExpectedEffect, Role};
pub use time::CriticalStep;

/// What a call is taken to last when its tool does not say.
pub const UNKNOWN_LATENCY_MS: u64 = 1000;

/// How many items or calls run at a time when nobody says.
pub const USUAL_CONCURRENCY: usize = 4;

/// How many milliseconds a call of a tool lasts; nothing where that is not known.
pub type Lasts<'a> = dyn Fn(&ToolSpec) -> Option<u64> + 'a;

/// What a run is expected to take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Calls of tools; a list of unknown length counts as one item.
    pub calls: u64,
    /// All calls one after the other.
    pub sum_ms: u64,
    /// The longest chain of calls that wait for each other.
    pub critical_ms: u64,
    /// How many times shorter the critical path is than the sum.
    pub speed_up: f64,
    /// US dollars; tools without a price count as free.
    pub price: f64,
    pub critical_path: Vec<CriticalStep>,
    /// Tools without a declared duration, taken for [`UNKNOWN_LATENCY_MS`].
    pub assumed_latency: Vec<String>,
    /// Steps over lists whose length only the run knows, taken for one item.
    pub assumed_items: Vec<String>,
    pub effects: Vec<ExpectedEffect>,
}

/// Estimates a run of `plan`, of which `dag` is the compiled form.
pub fn estimate(plan: &Plan, dag: &Dag) -> Estimate {
    estimate_with(plan, dag, &|tool| tool.latency_ms)
}

/// The same, with what a call of each tool is known to last.
pub fn estimate_with(plan: &Plan, dag: &Dag, lasts: &Lasts<'_>) -> Estimate {
    let timed = time::of_dag(dag, lasts);
    Estimate {
        calls: timed.cost.calls,
        sum_ms: timed.cost.sum_ms,
        critical_ms: timed.cost.critical_ms,
        speed_up: ratio(timed.cost.sum_ms, timed.cost.critical_ms),
        price: timed.cost.price,
        critical_path: timed.path,
        assumed_latency: timed.assumed_latency,
        assumed_items: timed.assumed_items,
        effects: effects::of_plan(plan),
    }
}

/// Two decimals are more than an estimate deserves.
fn ratio(sum: u64, critical: u64) -> f64 {
    if critical == 0 {
        1.0
    } else {
        (sum as f64 / critical as f64 * 100.0).round() / 100.0
    }
}
