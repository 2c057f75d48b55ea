//! Which tools fit what is asked, and why? By text, and among those that fit about equally
//! the one that what is there serves best.

use holloway_search::rank::{self, Hit, Wish};
use holloway_search::reason::reason;

use super::assembly::{Assembly, Ground, Part, Wanted};
use super::inputs::clip;
use super::words::without_values;
use crate::catalogue::{Catalogue, Place};
use crate::request::{Analysis, Capability};

/// A tool that fits less well than this does not do what is asked.
const FITS: f32 = 0.3;
/// How many others are kept for each thing asked for.
const OTHERS: usize = 8;

/// What a capability asks for, without the things it names: where something is says
/// nothing about what is to be done with it.
pub(super) fn asked(analysis: &Analysis, capability: &Capability) -> String {
    without_values(analysis, &capability.text)
}

/// The tools that fit a text, best first.
pub(super) fn hits(catalogue: &Catalogue, text: &str) -> Vec<Hit> {
    let index = catalogue.index();
    let query = index.read(text);
    let scores = index.scores(&query);
    let wish = Wish {
        limit: OTHERS,
        fit_at_least: FITS,
        ..Wish::default()
    };
    rank::rank(
        index,
        &query,
        &scores,
        |place| catalogue.repute(place),
        &wish,
    )
}

/// Of tools that fit about equally, the one that what is there serves best.
pub(super) fn cheapest<'h>(
    plan: &Assembly<'_>,
    hits: &mut dyn Iterator<Item = &'h Hit>,
) -> Option<&'h Hit> {
    const ABOUT_EQUAL: f32 = 0.6;
    const COST: f32 = 0.15;
    let first = hits.next()?;
    let worth = |hit: &Hit| {
        let cost = plan.cost_of_needs(hit.place, plan.ground.settings.deepest);
        // A file to be written is named for the end of the plan.
        let least = if plan.writes(hit.place) { 0.0 } else { -4.0 };
        hit.text - COST * cost.clamp(least, 6.0)
    };
    let near = hits.take_while(|hit| hit.text >= ABOUT_EQUAL * first.text);
    let mut best = (first, worth(first));
    for hit in near.take(3) {
        let own = worth(hit);
        if own > best.1 + 1e-6 {
            best = (hit, own);
        }
    }
    Some(best.0)
}

/// A tool that serves a capability.
pub(super) fn wanted(ground: Ground<'_>, place: Place, capability: usize) -> Wanted {
    let mut wanted = Wanted::new(place, Part::Core, why(ground, place));
    wanted.capability = Some(capability);
    wanted
}

/// Why a tool fits the request, for people.
pub(super) fn why(ground: Ground<'_>, place: Place) -> String {
    let index = ground.catalogue.index();
    let reason = reason(index, &index.read(&ground.analysis.request), place);
    let said = ground.analysis.request.to_lowercase();
    let words = reason
        .words
        .iter()
        .filter(|shared| said.contains(&shared.word.to_lowercase()));
    let words: Vec<String> = words
        .map(|shared| format!("“{}”", clip(&shared.word, 30)))
        .collect();
    match (words.is_empty(), reason.near) {
        (false, _) => format!("the request says {}", words.join(", ")),
        (true, Some(near)) => format!(
            "“{}” is near to “{}”",
            clip(&near.has, 30),
            clip(&near.wanted, 30)
        ),
        (true, None) => "nearest in meaning to the request".to_owned(),
    }
}
