//! Which tools fit what is asked, and why? By text, and among those that fit about equally
//! the one that what is there serves best.

use holloway_search::rank::{self, Hit, Wish};
use holloway_search::reason::reason;

use super::assembly::{Assembly, Ground, Part, Wanted};
use super::does::{Asked, has_sum};
use super::inputs::clip;
use super::words::without_values;
use crate::catalogue::{Catalogue, Place};
use crate::request::{Analysis, Capability};

/// A tool that fits less well than this does not do what is asked.
const FITS: f32 = 0.3;
/// How many tools are kept for each thing asked for.
const OTHERS: usize = 8;
/// How many are looked at.
const LOOKED_AT: usize = 64;
/// What it is worth that a tool takes a value that is named.
const TAKES: f32 = 0.15;
/// How much a tool counts that does what is asked and whose text is far from the best.
const BY_WORDS: f32 = 0.4;

/// What a capability asks for, without the things it names: where something is says
/// nothing about what is to be done with it.
pub(super) fn asked(analysis: &Analysis, capability: &Capability) -> String {
    let text = without_values(analysis, &capability.text);
    if has_sum(analysis, capability) {
        return format!("{text} calculate the expression");
    }
    text
}

/// The tools that do what a capability asks for, best first.
pub(super) fn hits(
    catalogue: &Catalogue,
    analysis: &Analysis,
    capability: &Capability,
) -> Vec<Hit> {
    let wanted = Asked::of(analysis, capability);
    let found = found(catalogue, &asked(analysis, capability));
    // A tool for files of one kind is found by that kind.
    let with_kinds = format!("{} {}", asked(analysis, capability), wanted.kinds());
    let of_kind = self::found(catalogue, &with_kinds).into_iter();
    let of_kind = of_kind.filter(|hit| wanted.is_for_kind(catalogue, hit.place));
    let ranks = found.iter().map(|hit| hit.rank);
    let best = ranks.fold(1e-6, f32::max);
    let otherwise = match wanted.other_verbs() {
        verbs if verbs.is_empty() => Vec::new(),
        verbs => self::found(
            catalogue,
            &format!("{} {verbs}", asked(analysis, capability)),
        ),
    };
    let mut hits: Vec<Hit> = Vec::new();
    let found = of_kind.chain(found).chain(otherwise);
    for mut hit in found.chain(wanted.writers(catalogue)) {
        if hits.iter().any(|known| known.place == hit.place) {
            continue;
        }
        let Some(agreement) = wanted.done_by(catalogue, hit.place, hit.text) else {
            continue;
        };
        let share = |words: f32| agreement * (BY_WORDS + (1.0 - BY_WORDS) * words);
        let taken = TAKES * wanted.values_taken(catalogue, hit.place) as f32;
        hit.text = (share(hit.text) + taken).min(1.0);
        hit.rank = share((hit.rank / best).min(1.0)) + taken;
        hits.push(hit);
    }
    hits.sort_by(|one, other| {
        let by_rank = other.rank.total_cmp(&one.rank);
        by_rank.then_with(|| one.place.cmp(&other.place))
    });
    hits
}

/// What the search finds for a text.
fn found(catalogue: &Catalogue, text: &str) -> Vec<Hit> {
    let index = catalogue.index();
    let query = index.read(text);
    let scores = index.scores(&query);
    let wish = Wish {
        limit: LOOKED_AT,
        fit_at_least: FITS,
        ..Wish::default()
    };
    let repute = |place| catalogue.repute(place);
    rank::rank(index, &query, &scores, repute, &wish)
}

/// Tools of one server know what the others have done: those come forward whose server
/// also serves the other things that are asked for.
pub(super) fn together(ground: Ground<'_>, hits: &[Vec<Hit>]) -> Vec<Vec<Hit>> {
    const TOGETHER: f32 = 0.2;
    /// The same where something goes on with what came before.
    const GOES_ON: f32 = 0.6;
    let source = |hit: &Hit| {
        ground
            .catalogue
            .tool(hit.place)
            .map(|tool| tool.id.source())
    };
    let best = |hits: &[Hit], wanted: Option<&str>| {
        let texts = hits
            .iter()
            .filter(|hit| wanted.is_none() || source(hit) == wanted);
        texts.map(|hit| hit.text).fold(0.0, f32::max)
    };
    let served = |at: usize, own: &Hit| {
        let others = hits.iter().enumerate().filter(|(other, _)| *other != at);
        let shares = others.map(|(_, hits)| best(hits, source(own)) / best(hits, None).max(1e-6));
        shares.fold(0.0, f32::max)
    };
    let lifted = hits.iter().enumerate().map(|(at, own)| {
        let mut own = own.clone();
        let goes_on = at > 0 && ground.deeds.get(at).is_some_and(|deed| deed.refers_back);
        let together = if goes_on { GOES_ON } else { TOGETHER };
        for hit in &mut own {
            let share = 1.0 + together * served(at, hit);
            hit.text = (hit.text * share).min(1.0);
            hit.rank *= share;
        }
        own.sort_by(|one, other| {
            other
                .rank
                .total_cmp(&one.rank)
                .then(one.place.cmp(&other.place))
        });
        own.truncate(OTHERS);
        own
    });
    lifted.collect()
}

/// Of tools that fit about equally, the one that what is there serves best.
pub(super) fn cheapest<'h>(
    plan: &Assembly<'_>,
    hits: &mut dyn Iterator<Item = &'h Hit>,
) -> Option<&'h Hit> {
    const ABOUT_EQUAL: f32 = 0.8;
    const COST: f32 = 0.15;
    const JOINS: f32 = 0.15;
    let first = hits.next()?;
    let worth = |hit: &Hit| {
        let cost = plan.cost_of_needs(hit.place, plan.ground.settings.deepest);
        // A file to be written is named for the end of the plan.
        let least = if plan.writes(hit.place) { 0.0 } else { -4.0 };
        let source = |place: Place| plan.tool(place).map(|tool| tool.id.source());
        let own = source(hit.place);
        // Tools of one server know what the others have done.
        let joins = plan.nodes.iter().any(|node| source(node.place) == own);
        hit.text - COST * cost.clamp(least, 6.0) + if joins { JOINS } else { 0.0 }
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
