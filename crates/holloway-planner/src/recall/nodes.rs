//! How likely does a request need a tool? What its words say and what memory says, each
//! number by its weight.

use super::memory::Evidence;
use super::zero_shot::Sight;
use crate::catalogue::Place;

/// Three by the words, four by memory, three where memory does not know the tool.
pub(super) const COUNT: usize = 10;

pub(super) type Features = [f32; COUNT];

pub(super) fn features(place: Place, sight: &Sight, evidence: Option<&Evidence<'_>>) -> Features {
    let [fused, behind, words] = sight.features;
    let Some(evidence) = evidence else {
        return [fused, behind, words, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    };
    let whole = evidence.alike.tool(place);
    let clauses = || {
        let each = evidence.clauses.iter();
        each.map(|clause| clause.get(&place).copied().unwrap_or_default())
    };
    // Of a tool that no run used, only words can speak.
    let never = f32::from(u8::from(!evidence.alike.tools.contains_key(&place)));
    [
        fused,
        behind,
        words,
        whole,
        whole.clamp(0.01, 1.2).ln(),
        clauses().fold(0.0, f32::max),
        clauses().map(|share| share.clamp(0.0, 1.0)).sum(),
        never,
        never * fused,
        never * behind,
    ]
}
