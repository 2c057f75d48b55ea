//! Which plans may run although no person has seen them?

use holloway_plan::tool::Effect;
use holloway_planner::card::Card;

use crate::flow::EMBEDDED;

/// From here on a plan that only looks need not be shown first.
const LIKELY: f64 = 0.5;

/// Whether chance may choose it: what a model wrote and changes something, a person sees first.
pub fn may_be_drawn(card: &Card) -> bool {
    card.made_by == EMBEDDED || looks_only(card)
}

/// Whether it may run without having been shown: ours, likely right, and only looking.
pub fn may_run(card: &Card) -> bool {
    looks_only(card)
        && card.made_by == EMBEDDED
        && card.open_inputs.is_empty()
        && card.outlook.risks.is_empty()
        && card.outlook.confidence >= LIKELY
}

fn looks_only(card: &Card) -> bool {
    let mut tools = card.plan.tools().values();
    tools.all(|tool| tool.effect == Effect::Read)
}
