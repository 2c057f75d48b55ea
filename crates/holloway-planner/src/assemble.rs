//! How does a goal become steps? From what is there to what is wanted, over tools that say what
//! they do: each step takes a thing of one kind and gives one of another, serves parts of the
//! goal, or does what the goal is about. The shortest way that serves everything is taken.

use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use serde::Serialize;
use serde_json::Value;

use crate::frame::acts::Acts;
use crate::frame::scene::Scene;
use crate::frame::{Frame, Goal, Part};

mod arguments;
mod cover;
mod goals;
mod ops;
mod serving;
mod steps;
mod things;
mod ways;

pub use goals::{Breadth, Manner};
use goals::{absorbed, with_targets};
use ops::{Op, Ops};
use steps::Laid;
pub use steps::Made;
use things::Thing;
use ways::shortest;

/// A mark of names that were made up here.
const CHOSEN: &str = "chosen";

/// A part of the request and what serves it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    pub goal: usize,
    pub slot: String,
    /// The words of the request.
    pub said: String,
    /// What the part was read as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The step that serves it; nothing where none does.
    pub step: Option<String>,
    /// The argument, where it is served by one.
    pub argument: Option<String>,
}

/// Lays the goals of a frame out as steps. Parts that nothing serves are in the accounts. What a
/// tool was inferred to do counts where no tool declares to do it.
pub fn assemble(frame: &Frame, scene: &Scene, tools: &[Arc<ToolSpec>], manner: Manner<'_>) -> Made {
    let ops = Ops::of(tools);
    let mut laid = Laid::new(manner, &ops.declared);
    let mut before: Option<Thing> = scene.before.as_ref().map(Thing::before);
    laid.take_names(scene.before.iter().flat_map(|before| &before.steps));
    let goals = absorbed(&frame.goals);
    for (number, goal) in goals.iter().enumerate() {
        let goal = with_targets(goal, scene, manner);
        let mut things: Vec<Thing> = goal
            .all("sources")
            .filter_map(|part| Thing::of(&part.value))
            .collect();
        if things.is_empty() {
            things.extend(before.clone());
        }
        let goes_on = goals.get(number + 1);
        let goes_on = goes_on.is_some_and(|next| !next.has("sources"));
        let act = Acts::table().act(&goal.act);
        if act.is_some_and(|act| act.covers.is_some()) {
            before = cover::lay(&goal, number, things, &ops.declared, &mut laid, manner).or(before);
            continue;
        }
        before = lay(&goal, number, things, &ops, &mut laid).or(before);
        // What only leads to the next goal is no answer of its own.
        if goes_on && act.is_some_and(|act| act.leads || !act.core) && !goal.has("target") {
            laid.unsay(number);
        }
    }
    laid.made()
}

/// Lays one goal; the thing that the next goal goes on with.
fn lay(
    goal: &Goal,
    number: usize,
    things: Vec<Thing>,
    ops: &Ops<'_>,
    laid: &mut Laid<'_>,
) -> Option<Thing> {
    let targets: Vec<usize> = places(goal, |part| part.slot == "target");
    // Each target is a way of its own; what the ways have in common is laid once.
    let turns: Vec<Vec<usize>> = match targets.len() {
        0 | 1 => vec![Vec::new()],
        _ => targets
            .iter()
            .map(|kept| {
                targets
                    .iter()
                    .filter(|other| *other != kept)
                    .copied()
                    .collect()
            })
            .collect(),
    };
    let mut carried = None;
    for left_out in turns {
        let declared = shortest(goal, &left_out, &things, &ops.declared);
        let way = declared.or_else(|| {
            let ops = ops.with_inferred(&goal.act)?;
            shortest(goal, &left_out, &things, &ops)
        });
        let Some(way) = way else {
            laid.unserved(goal, number, &left_out);
            continue;
        };
        carried = Some(laid.lay(goal, number, &way));
    }
    carried
}

fn places(goal: &Goal, fits: impl Fn(&Part) -> bool) -> Vec<usize> {
    let parts = goal.parts.iter().enumerate();
    parts
        .filter(|(_, part)| fits(part))
        .map(|(place, _)| place)
        .collect()
}
