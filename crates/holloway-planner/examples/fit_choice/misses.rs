//! What goes wrong where a plan is not right? For each such request the tools that are there
//! and those that should be, and how the choice saw the latter.

use holloway_planner::catalogue::{Catalogue, Place};
use holloway_planner::generate::Drafted;
use holloway_planner::generate::suit::fit::{Part, parts};
use holloway_planner::generate::suit::{DOES, Shipped};
use holloway_planner::request::Analysis;

/// How often each kind of loss was met.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    pub(crate) refused: usize,
    pub(crate) not_found: usize,
    pub(crate) not_held_to_do_it: usize,
    pub(crate) ranked_below: usize,
    pub(crate) chosen_and_not_taken: usize,
    pub(crate) too_much: usize,
}

/// What a plan lacks and has too much, compared with the right plan that is nearest to it.
pub(crate) fn tell(
    (analysis, catalogue): (&Analysis, &Catalogue),
    drafted: Option<&Drafted>,
    tools: &[Place],
    right: &[Vec<Place>],
    losses: &mut Losses,
) {
    let differ = |plan: &&Vec<Place>| {
        let lacks = plan.iter().filter(|place| !tools.contains(place)).count();
        let much = tools.iter().filter(|place| !plan.contains(place)).count();
        lacks + much
    };
    let Some(nearest) = right.iter().min_by_key(differ) else {
        return;
    };
    println!("# {}", analysis.request);
    for capability in &analysis.capabilities {
        println!("    part: {}", capability.text);
    }
    let name = |place: &Place| {
        let tool = catalogue.tool(*place);
        tool.map_or("?", |tool| tool.id.as_str()).to_owned()
    };
    for missing in drafted.iter().flat_map(|drafted| &drafted.missing) {
        println!("    no tool: {}", missing.capability);
    }
    let parts = parts(analysis, catalogue, &[]);
    let refused = drafted.is_none_or(|drafted| !drafted.missing.is_empty());
    losses.refused += usize::from(refused);
    for place in tools {
        let much = !nearest.contains(place);
        let notes = drafted.iter().flat_map(|drafted| &drafted.steps);
        let own = notes.filter(|note| name(place).ends_with(&note.tool));
        let why = own.map(|note| note.reason.as_str()).collect::<Vec<_>>();
        let sign = if much { "+" } else { "=" };
        println!("    {sign} {}: {}", name(place), why.join("; "));
        losses.too_much += usize::from(much);
    }
    for place in nearest.iter().filter(|place| !tools.contains(place)) {
        println!(
            "    - {}: {}",
            name(place),
            seen(*place, &parts, catalogue, losses)
        );
    }
}

/// How the choice saw a tool, for the part that it fits best.
fn seen(place: Place, parts: &[Part], catalogue: &Catalogue, losses: &mut Losses) -> String {
    let weights = &Shipped::of_binary().weights;
    let ranks = parts.iter().enumerate().filter_map(|(at, part)| {
        let own = part.tools.iter().find(|tool| tool.0 == place)?;
        let meant = weights.meant(&own.1);
        let before = part
            .tools
            .iter()
            .filter(|tool| weights.meant(&tool.1) > meant);
        let best = part.best(weights)?;
        Some((
            before.count(),
            at,
            weights.does(&own.1),
            meant - weights.meant(&best.1),
            best.0,
        ))
    });
    let Some((rank, at, does, behind, best)) = ranks.min_by_key(|rank| rank.0) else {
        losses.not_found += 1;
        return "not found".to_owned();
    };
    match () {
        () if does < DOES => losses.not_held_to_do_it += 1,
        () if rank > 0 => losses.ranked_below += 1,
        () => losses.chosen_and_not_taken += 1,
    }
    let best = catalogue.tool(best).map_or("?", |tool| tool.id.as_str());
    format!("rank {rank} of part {at}, does {does:.2}, {behind:.2} behind {best}")
}
