//! Which tools do a goal, best first? By learned weights over what search and schemas say.

use super::asked::Asked;
use super::score::{Judged, Kin, Whole, judged};
use crate::catalogue::{Catalogue, Place};
use crate::read::other::{Goal, Wanted};

/// How many tools are kept for each goal.
const OTHERS: usize = 8;
/// Tools that are meant less likely by this, as a logarithm, are clearly not.
pub(super) const APART: f32 = 3.0;
/// What is meant so much less likely than the best does not stand by.
const ABOUT: f32 = 0.35;

/// A tool that does a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    pub(super) place: Place,
    /// How likely it is the one that is meant, beside the best.
    pub(super) rank: f32,
    /// How likely it does the goal at all.
    pub(super) does: f32,
}

pub(super) fn score_of(hit: &Hit) -> f32 {
    hit.does * hit.rank
}

/// The tools that do what a goal asks for, best first.
pub(super) fn hits(
    catalogue: &Catalogue,
    (wanted, goal): (&Wanted, &Goal),
    asked: &Asked,
    around: (&Whole, &Kin),
) -> Vec<Hit> {
    let judged = judged(asked, catalogue, (wanted, goal), around);
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
    hits.retain(|hit| hit.rank >= ABOUT);
    sort(&mut hits);
    hits.truncate(OTHERS);
    hits
}

pub(super) fn sort(hits: &mut [Hit]) {
    hits.sort_by(|one, other| {
        let by_rank = other.rank.total_cmp(&one.rank);
        by_rank.then_with(|| one.place.cmp(&other.place))
    });
}
