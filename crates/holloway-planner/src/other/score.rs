//! Does a tool do what is asked, and is it the one that is meant? A search always finds
//! something. What can be seen of a tool beside a part of a request is put into numbers,
//! and weights that were fitted on known choices make two figures of them.

use holloway_search::rank::{Health, Repute};

use super::asked::Asked;
use super::says::Says;
use crate::catalogue::{Catalogue, Place};
use crate::frame::{Frame, Goal};

pub mod fit;
mod parameters;
mod searched;
mod seen;
mod unsaid;
mod weights;

use searched::Searched;
pub(super) use searched::{Kin, Whole};
pub use seen::{SEEN, Seen};
use seen::{only_readies, said_by};
pub use weights::{Shipped, Weights};

/// What does what is asked less likely than this does something else.
pub const DOES: f32 = 0.35;
/// One of so many tools that are most likely meant has to do it.
const LOOKED_AT: usize = 3;
/// What does it less likely than this is never meant.
const LEAST: f32 = 0.2;
/// A tool that agrees so far says plainly that it does it, whatever else is seen; less will do
/// where it is called after a verb that few are called after.
const SAYS_SO: f32 = 0.85;
const SAYS_SO_BY_VERB: f32 = 0.65;
/// The same where an order is plain, and a tool is called after it and says no more.
const PLAINLY: f32 = 0.6;
/// How much it counts that a tool is well made and well.
const QUALITY: f32 = 0.6;
const HEALTHY: f32 = 0.3;
const BROKEN: f32 = -1.0;

/// A tool, judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judged {
    pub(super) place: Place,
    /// How likely it does what is asked, whatever the others do.
    pub(super) does: f32,
    /// More for the tool that is meant; only differences count.
    pub(super) meant: f32,
}

/// The tools that do what a part of a request asks for.
pub(super) fn judged(
    asked: &Asked,
    catalogue: &Catalogue,
    (frame, goal): (&Frame, &Goal),
    around: (&Whole, &Kin),
) -> Vec<Judged> {
    let weights = &Shipped::of_binary().weights;
    let searched = Searched::of(catalogue, frame, goal, around);
    let mut places = searched.candidates();
    places.extend(asked.writers(catalogue));
    places.sort_unstable();
    places.dedup();
    let judged = places.into_iter().filter_map(|place| {
        let says = Says::of(catalogue, place)?;
        // What only makes ready comes with what it makes ready for.
        if only_readies(asked, &says) || !asked.allows(catalogue, &says, place) {
            return None;
        }
        let seen = searched.seen(asked, catalogue, &says, place)?;
        let does = chance(asked, &says, &seen);
        let judged = Judged {
            place,
            does,
            meant: weights.meant(&seen) + does.max(LEAST).ln() + standing(catalogue.repute(place)),
        };
        (does >= LEAST).then_some(judged)
    });
    let mut judged: Vec<Judged> = judged.collect();
    judged.sort_by(|one, other| other.meant.total_cmp(&one.meant));
    // The best of several that do something else does something else.
    let first = judged.iter().take(LOOKED_AT).map(|tool| tool.does);
    if first.fold(0.0, f32::max) < DOES {
        judged.clear();
    }
    judged
}

/// How likely a tool does it: by all that is seen, and surely where it says so.
fn chance(asked: &Asked, says: &Says<'_>, seen: &Seen) -> f32 {
    let said = said_by(seen);
    let likely = Shipped::of_binary().weights.does(seen);
    let called = likely >= PLAINLY && asked.is_called(says);
    let least = if asked.has_own_verb(says) {
        SAYS_SO_BY_VERB
    } else {
        SAYS_SO
    };
    match () {
        () if asked.is_loose() && said < least => likely,
        () if asked.is_loose() || called => likely.max(said),
        () => said,
    }
}

/// What is known of a tool beside its text decides between those that fit about equally.
fn standing(repute: Repute) -> f32 {
    let health = match repute.health {
        Health::Healthy => HEALTHY,
        Health::Unknown => 0.0,
        Health::Broken => BROKEN,
    };
    QUALITY * repute.quality.clamp(0.0, 1.0) + health
}
