//! Which tools fit what is asked, and why? By text, and among those that fit about equally
//! the one that what is there serves best.

use holloway_search::rank::Hit;
use holloway_search::reason::reason;

use super::assembly::{Assembly, Ground, Part, Wanted};
use super::does::{Asked, Says, has_sum};
use super::inputs::clip;
use super::suit::{Kin, Whole, judged};
use super::words::without_values;
use crate::catalogue::ports::Port;
use crate::catalogue::{Catalogue, Place};
use crate::request::{Analysis, Capability};

/// How many tools are kept for each thing asked for.
const OTHERS: usize = 8;
/// Tools that are meant less likely by this, as a logarithm, are clearly not.
const APART: f32 = 3.0;
/// What is meant so much less likely than the best does not stand by.
const ABOUT: f32 = 0.35;

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
    around: (&Whole, &Kin),
) -> Vec<Hit> {
    let wanted = Asked::of(analysis, capability);
    let judged = judged(&wanted, catalogue, (analysis, capability), around);
    let meant = judged.iter().map(|tool| tool.meant);
    let best = meant.fold(f32::MIN, f32::max);
    let mut hits: Vec<Hit> = judged
        .iter()
        .map(|tool| {
            let rank = ((tool.meant - best) / APART).exp();
            Hit {
                place: tool.place,
                rank,
                text: tool.does * rank,
                of_kind: false,
                always: false,
                repute: catalogue.repute(tool.place),
            }
        })
        .collect();
    // Where a verb is all that is said, tools that are called after it do it.
    let called =
        |hit: &Hit| Says::of(catalogue, hit.place).is_some_and(|says| wanted.is_called(&says));
    if wanted.is_only_verb() && hits.iter().any(called) {
        hits.retain(called);
    }
    hits.retain(|hit| hit.rank >= ABOUT);
    hits.sort_by(|one, other| {
        let by_rank = other.rank.total_cmp(&one.rank);
        by_rank.then_with(|| one.place.cmp(&other.place))
    });
    hits
}

/// The tools for each part of a request, in turn: what is asked goes on with what was asked
/// before it.
pub(super) fn hits_in_turn(catalogue: &Catalogue, analysis: &Analysis) -> Vec<Vec<Hit>> {
    let whole = Whole::of(catalogue, analysis);
    let mut kin = Kin::default();
    let capabilities = analysis.capabilities.iter();
    let hits = capabilities.map(|capability| {
        let found = hits(catalogue, analysis, capability, (&whole, &kin));
        let meant = |hit: &Hit| (hit.place, APART * hit.rank.max(1e-6).ln());
        if !found.is_empty() {
            kin = Kin::of(catalogue, found.iter().map(meant));
        }
        found
    });
    hits.collect()
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

/// The tool among those that fit one part which makes what the best for the next part needs.
pub(super) fn leading_on<'h>(
    catalogue: &Catalogue,
    hits: &'h [Hit],
    next: Option<&Hit>,
) -> Option<&'h Hit> {
    let needs = catalogue.ports(next?.place)?;
    let chosen = needs.one_of.iter().filter_map(|at| needs.inputs.get(*at));
    let needed: Vec<&Port> = needs.needed().chain(chosen).collect();
    let makes = |hit: &&Hit| {
        let outputs = catalogue.ports(hit.place).map(|ports| &ports.outputs);
        outputs.is_some_and(|outputs| {
            let fits = |port: &Port| needed.iter().any(|need| need.terms == port.terms);
            outputs.iter().any(fits)
        })
    };
    hits.iter().find(makes)
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
        hit.rank - COST * cost.clamp(least, 6.0) + if joins { JOINS } else { 0.0 }
    };
    let near = hits.take_while(|hit| hit.rank >= ABOUT_EQUAL * first.rank);
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
