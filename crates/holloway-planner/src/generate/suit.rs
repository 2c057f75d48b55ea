//! Does a tool do what is asked, and is it the one that is meant? A search always finds
//! something. What can be seen of a tool beside a part of a request is put into numbers,
//! and weights that were fitted on known choices make two figures of them.

use holloway_search::rank::{Health, Repute};

use super::does::{Asked, Says};
use crate::catalogue::{Catalogue, Place};
use crate::request::{Analysis, Capability};

pub mod fit;
mod seen;
mod weights;

pub(super) use seen::Whole;
pub use seen::{SEEN, Seen};
use seen::{Searched, only_readies, said_by};
pub use weights::{Shipped, Weights};

/// What does what is asked less likely than this does something else.
pub const DOES: f32 = 0.5;
/// The same where an order is plain, and a tool is called after it and says no more.
const PLAINLY: f32 = 0.6;
/// What it is worth that a tool takes a time, a day, a sum or an address that is named.
const TAKES: f32 = 2.0;
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
    (analysis, capability): (&Analysis, &Capability),
    whole: &Whole,
) -> Vec<Judged> {
    let weights = &Shipped::of_binary().weights;
    let searched = Searched::of(catalogue, analysis, capability, whole);
    let mut places = searched.candidates();
    places.extend(asked.writers(catalogue));
    places.sort_unstable();
    places.dedup();
    let judged = places.into_iter().filter_map(|place| {
        let says = Says::of(catalogue, place)?;
        // What only makes ready comes with what it makes ready for.
        if only_readies(asked, &says) {
            return None;
        }
        let seen = searched.seen(asked, catalogue, &says, place)?;
        let judged = Judged {
            place,
            does: chance(asked, &says, &seen),
            meant: weights.meant(&seen)
                + standing(catalogue.repute(place))
                + TAKES * asked.values_taken(catalogue, place) as f32,
        };
        (judged.does >= DOES && asked.allows(catalogue, &says, place)).then_some(judged)
    });
    judged.collect()
}

/// Whether a tool does what a text asks for.
pub(super) fn does(
    asked: &Asked,
    catalogue: &Catalogue,
    (analysis, capability): (&Analysis, &Capability),
    place: Place,
) -> bool {
    let Some(says) = Says::of(catalogue, place) else {
        return false;
    };
    let whole = Whole::of(catalogue, analysis);
    let searched = Searched::of(catalogue, analysis, capability, &whole);
    let seen = searched.seen(asked, catalogue, &says, place);
    let likely = seen.is_some_and(|seen| chance(asked, &says, &seen) >= DOES);
    likely && asked.allows(catalogue, &says, place)
}

/// How likely a tool does it: by all that is seen, and surely where it says so.
fn chance(asked: &Asked, says: &Says<'_>, seen: &Seen) -> f32 {
    let said = said_by(seen);
    let likely = Shipped::of_binary().weights.does(seen);
    let called = likely >= PLAINLY && asked.is_called(says);
    if asked.is_loose() || called {
        likely.max(said)
    } else {
        said
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
