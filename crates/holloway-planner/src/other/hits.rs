//! Which tools do a goal, best first? By learned weights over what search and schemas say, and by the
//! servers that also serve the other goals.

use super::asked::Asked;
use super::says::Says;
use super::score::{Judged, Kin, Whole, judged};
use crate::catalogue::{Catalogue, Place};
use crate::frame::{Frame, Goal};

/// How many tools are kept for each goal.
const OTHERS: usize = 8;
/// Tools that are meant less likely by this, as a logarithm, are clearly not.
pub(super) const APART: f32 = 3.0;
/// What is meant so much less likely than the best does not stand by.
const ABOUT: f32 = 0.35;

/// A tool that does a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub place: Place,
    /// How likely it is the one that is meant, beside the best.
    pub rank: f32,
    /// How likely it does the goal at all.
    pub does: f32,
}

pub(super) fn score_of(hit: &Hit) -> f32 {
    hit.does * hit.rank
}

/// The tools that do what a goal asks for, best first.
pub(super) fn hits(
    catalogue: &Catalogue,
    (frame, goal): (&Frame, &Goal),
    asked: &Asked,
    around: (&Whole, &Kin),
) -> Vec<Hit> {
    let judged = judged(asked, catalogue, (frame, goal), around);
    let best = judged
        .iter()
        .map(|tool| tool.meant)
        .fold(f32::MIN, f32::max);
    let hit = |tool: &Judged| Hit {
        place: tool.place,
        rank: ((tool.meant - best) / APART).exp(),
        does: tool.does,
    };
    let mut hits: Vec<Hit> = judged.iter().map(hit).collect();
    // Where a verb is all that is said, tools that are called after it do it.
    let called =
        |hit: &Hit| Says::of(catalogue, hit.place).is_some_and(|says| asked.is_called(&says));
    if asked.is_only_verb() && hits.iter().any(called) {
        hits.retain(called);
    }
    hits.retain(|hit| hit.rank >= ABOUT);
    sort(&mut hits);
    hits
}

pub(super) fn sort(hits: &mut [Hit]) {
    hits.sort_by(|one, other| {
        let by_rank = other.rank.total_cmp(&one.rank);
        by_rank.then_with(|| one.place.cmp(&other.place))
    });
}

/// Tools of one server know what the others have done: those come forward whose server also serves
/// the other goals.
pub(super) fn together(catalogue: &Catalogue, frame: &Frame, hits: &[Vec<Hit>]) -> Vec<Vec<Hit>> {
    const TOGETHER: f32 = 0.2;
    /// The same where something goes on with what came before.
    const GOES_ON: f32 = 0.6;
    let source = |hit: &Hit| catalogue.tool(hit.place).map(|tool| tool.id.source());
    let best = |hits: &[Hit], wanted: Option<&str>| {
        let own = hits
            .iter()
            .filter(|hit| wanted.is_none() || source(hit) == wanted);
        own.map(score_of).fold(0.0, f32::max)
    };
    let served = |at: usize, own: &Hit| {
        let others = hits.iter().enumerate().filter(|(other, _)| *other != at);
        let shares = others.map(|(_, hits)| best(hits, source(own)) / best(hits, None).max(1e-6));
        shares.fold(0.0, f32::max)
    };
    let lifted = hits.iter().enumerate().map(|(at, own)| {
        let mut own = own.clone();
        let goal = frame.goals.get(at);
        let goes_on = at > 0 && goal.is_some_and(|goal| goal.clause.action.refers_back);
        let together = if goes_on { GOES_ON } else { TOGETHER };
        for hit in &mut own {
            hit.rank *= 1.0 + together * served(at, hit);
        }
        sort(&mut own);
        own.truncate(OTHERS);
        own
    });
    lifted.collect()
}
