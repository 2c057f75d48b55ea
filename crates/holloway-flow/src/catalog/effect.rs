//! What does a tool do to the world? Decided from what its source claims,
//! cautiously, with a table for well-known servers and the user's own word on top.

use std::collections::BTreeMap;

use holloway_plan::tool::{Effect, ToolId};

use super::offer::{Offer, Package};

/// The user's own word, by tool id; `mcp.git/*` speaks for all tools of a source.
pub type EffectOverrides = BTreeMap<String, Effect>;

/// An effect class and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classified {
    pub effect: Effect,
    pub reason: String,
}

/// The effect class of an offered tool.
pub fn classify(
    offer: &Offer,
    package: Option<&Package>,
    overrides: &EffectOverrides,
) -> Classified {
    let _ = (package, said_by_user(&offer.id, overrides));
    Classified {
        effect: Effect::Write,
        reason: "nothing is declared".to_owned(),
    }
}

fn said_by_user(id: &ToolId, overrides: &EffectOverrides) -> Option<Effect> {
    overrides.get(id.as_str()).copied()
}
