//! Which tools look at the same data from another side? For a report that is to say more
//! than what was asked for word by word.

use super::Breadth;
use super::Taste;
use super::assembly::{Ground, Part, Wanted};
use super::choose::Choices;
use crate::bind::shape::Kind;
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Role};
use crate::request::deed::{Sorts, sorts_of_words};

impl Choices {
    /// Tools that look at the same data from another side, for a report that is to say more.
    fn companions(
        &self,
        ground: Ground<'_>,
        taste: Taste,
        tools: &[Wanted],
    ) -> Vec<(usize, Wanted)> {
        let count = match taste.breadth {
            _ if !self.wants_document => 0,
            Breadth::One => 0,
            Breadth::Some => 2,
            Breadth::All => 3,
        };
        let needs = |place: Place| {
            ground
                .catalogue
                .ports(place)
                .map_or(0, |ports| ports.needed().count())
        };
        let catalogue = ground.catalogue;
        let near = |place: &Place| ground.near.get(place).copied().unwrap_or_default();
        let mut companions: Vec<(usize, Wanted)> = Vec::new();
        for (at, wanted) in tools.iter().enumerate() {
            let Some(data) = data_port(ground, wanted.place) else {
                continue;
            };
            let category = catalogue
                .tool(wanted.place)
                .map_or("", |tool| tool.category.as_str());
            let mut others: Vec<Place> = catalogue
                .of_category(category)
                .iter()
                .copied()
                .filter(|place| data_port(ground, *place) == Some(data))
                .filter(|place| {
                    let taken = tools.iter().map(|tool| tool.place);
                    let added = companions.iter().map(|(_, tool)| tool.place);
                    !taken.chain(added).any(|other| other == *place)
                })
                .collect();
            // What asks for as much as the tool that was chosen can be given as much.
            others.retain(|place| needs(*place) == needs(wanted.place));
            // What looks comes before what reckons: nobody asked for that.
            let looks = |place: &Place| {
                let tool = catalogue.tool(*place).map_or("", |tool| tool.id.name());
                let sorts = sorts_of_words(tool);
                sorts.is_empty() || sorts.meets(Sorts::LOOK)
            };
            others.sort_by(|one, other| {
                let by_sort = looks(other).cmp(&looks(one));
                by_sort.then_with(|| near(other).total_cmp(&near(one)))
            });
            for place in others.into_iter().take(count) {
                let reason = "looks at the same data from another side";
                let mut other = Wanted::new(place, Part::Core, reason);
                other.capability = wanted.capability;
                other.like = Some(wanted.place);
                companions.push((at, other));
            }
        }
        companions
    }

    pub(super) fn with_companions(
        &self,
        ground: Ground<'_>,
        taste: Taste,
        mut tools: Vec<Wanted>,
    ) -> Vec<Wanted> {
        let companions = self.companions(ground, taste, &tools);
        for (at, wanted) in companions.into_iter().rev() {
            tools.insert((at + 1).min(tools.len()), wanted);
        }
        tools
    }
}

/// The data that a tool looks at and changes nothing of.
fn data_port(ground: Ground<'_>, place: Place) -> Option<&str> {
    let ports = ground
        .catalogue
        .ports(place)
        .filter(|ports| !ports.writes)?;
    let lists =
        |port: &&Port| port.kind == Kind::List && port.role == Role::Other && !port.structured;
    let list = ports.needed().find(lists)?;
    // What gives the same kind of data back prepares it, and does not look.
    let gives_back = ports.outputs.iter().any(|port| port.terms == list.terms);
    let others = ports
        .needed()
        .filter(|port| port.kind != Kind::Text)
        .count();
    (!gives_back && others == 1).then_some(list.name.as_str())
}
