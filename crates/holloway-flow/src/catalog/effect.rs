//! What does a tool do to the world? Decided from what its source claims,
//! cautiously, with a table for well-known servers and the user's own word on top.
//!
//! Invariant: a claim can make a tool look more dangerous, never safer than its
//! name and description say.

mod table;
mod verbs;

use std::collections::BTreeMap;

use holloway_plan::tool::{Effect, ToolId};

use super::offer::{Hints, Offer, Package};
use verbs::Said;

/// The user's own word, by tool id; `mcp.git/*` speaks for all tools of a source.
pub type EffectOverrides = BTreeMap<String, Effect>;

/// An effect class and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classified {
    pub effect: Effect,
    pub reason: String,
}

impl Classified {
    fn new(effect: Effect, reason: impl Into<String>) -> Self {
        Self {
            effect,
            reason: reason.into(),
        }
    }
}

/// The effect class of an offered tool.
pub fn classify(
    offer: &Offer,
    package: Option<&Package>,
    overrides: &EffectOverrides,
) -> Classified {
    said_by_user(&offer.id, overrides)
        .or_else(|| judged(offer, package?))
        .unwrap_or_else(|| claimed(offer))
}

/// What the configuration says about a tool or its whole source.
pub fn said_by_user(id: &ToolId, overrides: &EffectOverrides) -> Option<Classified> {
    let whole_source = format!("{}/*", id.source());
    [id.as_str(), &whole_source].into_iter().find_map(|key| {
        let effect = *overrides.get(key)?;
        Some(Classified::new(
            effect,
            format!("the configuration says so for `{key}`"),
        ))
    })
}

/// A table keyed by what is run, not by what a server calls itself: a name is free to choose.
fn judged(offer: &Offer, package: &Package) -> Option<Classified> {
    let entry = table::look_up(package, offer.id.name())?;
    // A later version may destroy what the judged one did not, and say so.
    let is_marked = offer.hints.destructive == Some(true) && !entry.marked_wrongly;
    if is_marked && entry.effect < Effect::Destructive {
        let reason = "its source marks it as destructive, which outweighs our judgement";
        return Some(Classified::new(Effect::Destructive, reason));
    }
    let reason = match entry.note {
        Some(note) => format!("judged for this package. {note}"),
        None => "judged for this package".to_owned(),
    };
    Some(Classified::new(entry.effect, reason))
}

fn claimed(offer: &Offer) -> Classified {
    let said = verbs::said_by(offer.id.name(), &offer.description);
    let (effect, claim) = claim_of(offer.hints);
    // A tool that says it creates may well be safe to repeat.
    let outweighs = |said: &Said| match effect {
        Effect::Idempotent => said.effect == Effect::Destructive,
        _ => said.effect > effect,
    };
    match said {
        Some(said) if outweighs(&said) => contradicted(&said, claim),
        _ => Classified::new(
            effect,
            match claim {
                Some(claim) => format!("its source marks it as {claim}"),
                None => {
                    "its source says nothing about it, so it is taken for a writing one".to_owned()
                }
            },
        ),
    }
}

fn contradicted(said: &Said, claim: Option<&str>) -> Classified {
    let Said {
        effect,
        word,
        place,
    } = said;
    let reason = match claim {
        Some(claim) => format!("its source marks it as {claim}, but its {place} says `{word}`"),
        None => format!("its source says nothing about it, and its {place} says `{word}`"),
    };
    Classified::new(*effect, reason)
}

/// What the hints add up to, and the words for it; none when they say nothing.
fn claim_of(hints: Hints) -> (Effect, Option<&'static str>) {
    let Hints {
        read_only,
        destructive,
        idempotent,
        ..
    } = hints;
    match (read_only, destructive, idempotent) {
        (_, Some(true), _) => (Effect::Destructive, Some("destructive")),
        (Some(true), ..) => (Effect::Read, Some("read-only")),
        (_, Some(false), Some(true)) => (
            Effect::Idempotent,
            Some("safe to repeat and not destructive"),
        ),
        (_, Some(false), _) => (Effect::Write, Some("writing but not destructive")),
        (Some(false), ..) => (Effect::Write, Some("writing")),
        _ => (Effect::Write, None),
    }
}

#[cfg(test)]
mod tests;
