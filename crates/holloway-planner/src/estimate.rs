//! What will a plan take, and will it work? Money, duration, effects and risks from what
//! the tools declare; confidence from what is known of them.

use holloway_plan::compile::compile;
use holloway_plan::estimate::{Estimate, estimate_with};
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::tool::ToolSpec;
use serde::Serialize;

use crate::catalogue::Catalogue;
use crate::drafts::Drafted;
use crate::frame::constraints::Constraints;

pub mod chance;
pub mod nature;

mod calls;
mod effects;
mod pace;
mod risks;
mod words;

use pace::Pace;

/// What a card shows about a plan before it runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outlook {
    /// Steps that do something; loops and groups count by what is in them.
    pub steps: usize,
    /// US dollars.
    pub money: f64,
    /// Along the critical path.
    pub duration_ms: u64,
    /// 0 to 1.
    pub confidence: f64,
    /// What the plan does to the world beyond reading, as "writes website-audit.pdf".
    pub effects: Vec<String>,
    pub risks: Vec<Risk>,
}

/// Why a plan deserves a second look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Risk {
    pub code: RiskCode,
    pub sentence: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskCode {
    /// Reads private data, reads what strangers wrote, and sends something out.
    Leak,
    Destructive,
    /// A tool that is known to be broken or of unknown health.
    Health,
    /// Nobody declared what a tool of it does.
    Inferred,
    /// Arguments that were guessed.
    Guessed,
    /// A person has to say something first.
    OpenInput,
    /// The request names something that no step takes.
    Unused,
    OverBudget,
}

/// Looks at a plan before it runs. `plan` is the checked form of `drafted.draft`.
pub fn outlook(
    drafted: &Drafted,
    plan: &Plan,
    catalogue: &Catalogue,
    constraints: &Constraints,
) -> Outlook {
    let estimate = estimated(plan, catalogue);
    let (money, duration_ms) = estimate
        .as_ref()
        .map_or((0.0, 0), |estimate| (estimate.price, estimate.critical_ms));
    let calls = calls::calls(plan);
    let mut steps = 0;
    plan.draft().walk(&mut |step| {
        steps += usize::from(step.inner().is_empty());
    });
    Outlook {
        steps,
        money,
        duration_ms,
        confidence: chance::of_plan(drafted, plan, catalogue),
        effects: effects::effects(&calls),
        risks: risks::risks(
            drafted,
            &calls,
            catalogue,
            constraints,
            (money, duration_ms),
        ),
    }
}

/// A checked plan always compiles; were it otherwise, nothing could be said of it.
fn estimated(plan: &Plan, catalogue: &Catalogue) -> Option<Estimate> {
    // Checked with limits of the caller's; those of programs are wide enough for all of them.
    let dag = compile(plan, &[], &Limits::generous()).ok()?;
    let pace = Pace::of(plan, catalogue);
    let takes = |tool: &ToolSpec| pace.call_ms(tool);
    Some(estimate_with(plan, &dag, &takes))
}

#[cfg(test)]
mod tests;
