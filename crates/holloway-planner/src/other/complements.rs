//! Which tools add what belongs to a thing that is made? "A document with a heading" is made by one
//! tool and gets its heading by another of the same server, where the first cannot be told of it.

use super::asked::Asked;
use super::hits::{Hit, hits};
use super::score::{Kin, Whole};
use crate::catalogue::ports::{Port, Ports, Role, terms};
use crate::catalogue::{Catalogue, Place};
use crate::frame::{Action, Belonging, Frame, Goal};
use crate::lexicon::sorts::{Sorts, sorts_of_words};

/// So many tools that could make the thing are looked at.
const LOOKED_AT: usize = 3;

/// A tool that adds something: a parameter and what it is told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Added {
    pub(super) place: Place,
    pub(super) said: Option<(String, String)>,
}

/// What makes the thing of a goal, best first, and the tools that add what belongs to it. Nothing
/// where one tool does all of it.
pub(super) fn made(
    catalogue: &Catalogue,
    frame: &Frame,
    goal: &Goal,
    whole: &Whole,
) -> Option<(Vec<Hit>, Vec<Added>)> {
    let main = goal.text.get(goal.clause.main.clone())?;
    let action = Action::of(main);
    if goal.clause.with.is_empty() || !(action.light || action.sorts.meets(Sorts::MAKE)) {
        return None;
    }
    let main = Goal {
        text: main.to_owned(),
        ..goal.clone()
    };
    let asked = Asked::of(frame, &main, "");
    let mut hits = hits(catalogue, (frame, &main), &asked, (whole, &Kin::default()));
    let looked_at = hits.iter().take(LOOKED_AT).enumerate();
    let (at, beside) = looked_at.into_iter().find_map(|(at, hit)| {
        let name = catalogue.tool(hit.place)?.id.name();
        let makes = sorts_of_words(name).meets(Sorts::MAKE);
        let adders = goal.clause.with.iter();
        let adders = adders.filter_map(|thing| adder(catalogue, hit.place, thing));
        let beside: Vec<Added> = adders.filter(|_| makes).collect();
        (!beside.is_empty()).then_some((at, beside))
    })?;
    hits.drain(..at);
    Some((hits, beside))
}

/// The tool of the same server that adds a thing which the maker cannot be told of.
fn adder(catalogue: &Catalogue, maker: Place, thing: &Belonging) -> Option<Added> {
    let tool = catalogue.tool(maker)?;
    let ports = catalogue.ports(maker)?;
    let speaks = |words: &[String]| words.iter().any(|word| thing.words.contains(word));
    let is_told = ports.inputs.iter().any(|port| speaks(&port.terms));
    if is_told || speaks(&terms(tool.id.name())) {
        return None;
    }
    let others = catalogue.tools().filter(|(place, other)| {
        let sorts = sorts_of_words(other.id.name());
        let adds = sorts.meets(Sorts::MAKE) && !sorts.meets(Sorts::LOOK);
        let same = *place != maker && other.id.source() == tool.id.source();
        same && adds && speaks(&terms(other.id.name()))
    });
    let shortest = others.min_by_key(|(place, other)| (terms(other.id.name()).len(), *place));
    let (place, _) = shortest?;
    let needed = catalogue.ports(place).into_iter().flat_map(Ports::needed);
    let takes_text = |port: &&Port| matches!(port.role, Role::Text | Role::Heading);
    let port = needed.into_iter().find(takes_text);
    let said = port.map(|port| (port.name.clone(), thing.said.clone()));
    Some(Added {
        place,
        said: said.filter(|(_, said)| !said.is_empty()),
    })
}
