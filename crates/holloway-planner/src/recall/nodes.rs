//! How likely does a request need a tool? What its words say and what memory says, each
//! number by its weight.

use super::evidence::Evidence;
use super::zero_shot::{self, Sight};
use crate::catalogue::Place;

/// What memory adds to what is seen.
const REMEMBERED: usize = 8;
pub(super) const COUNT: usize = zero_shot::COUNT + REMEMBERED;

pub(super) type Features = [f32; COUNT];

pub(super) fn features(place: Place, sight: &Sight, evidence: Option<&Evidence<'_>>) -> Features {
    let mut features = [0.0; COUNT];
    let remembered = evidence.map_or([0.0; REMEMBERED], |one| remembered(place, sight, one));
    let all = sight.features.iter().chain(&remembered);
    for (feature, value) in features.iter_mut().zip(all) {
        *feature = *value;
    }
    features
}

fn remembered(place: Place, sight: &Sight, evidence: &Evidence<'_>) -> [f32; REMEMBERED] {
    let whole = evidence.alike.tool(place);
    let clauses = || {
        let each = evidence.clauses.iter();
        each.map(|clause| clause.get(&place).copied().unwrap_or_default())
    };
    let uses = evidence.uses(place);
    let never = f32::from(u8::from(uses < 0.5));
    let [fused, behind, ..] = sight.features;
    [
        whole,
        whole.clamp(0.01, 1.2).ln(),
        clauses().fold(0.0, f32::max),
        clauses().map(|share| share.clamp(0.0, 1.0)).sum(),
        uses.ln_1p() - (evidence.size() + 1.0).ln(),
        never,
        never * fused,
        never * behind,
    ]
}
