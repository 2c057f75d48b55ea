//! What can be seen of a tool beside a part of a request? How near the search finds it, whether
//! it is called after what is to be done and to what, and whether it takes what is named.

use holloway_plan::tool::Effect;
use holloway_search::words::{spaced, stem};
use rustc_hash::FxHashSet;

use super::parameters::{cells, needed_by_name, takes_halves, told, values};
use super::searched::Searched;
use crate::catalogue::{Catalogue, Place};
use crate::lexicon::lists::List;
use crate::lexicon::sorts::Sorts;
use crate::other::{
    asked::Asked,
    says::Says,
    verbs::{same, spoken},
};

/// What is seen, by name, in the order of [`Seen`].
pub const SEEN: [&str; 41] = [
    "near the request",
    "near the request of several parts",
    "near the part",
    "near the part without what it names",
    "words of the part",
    "meaning of the part",
    "verb in name",
    "like verb in name",
    "spoken verb in name",
    "verb at the beginning",
    "sorts meet",
    "sorts differ",
    "removes otherwise",
    "no verb on either side",
    "head of the thing",
    "rest of the thing",
    "no thing, verb fits",
    "for the kind of file",
    "for another kind",
    "for no kind",
    "for texts alone",
    "unsaid in name",
    "said by name",
    "said by all",
    "all of the name said",
    "values taken",
    "values left",
    "needed and not there",
    "meaning of the thing",
    "source said",
    "of the server before",
    "of the server before, goes on",
    "said by parameters",
    "said by what parameters mean",
    "needed by name",
    "takes cells",
    "takes no cells",
    "takes both halves of a name",
    "looks, as asked",
    "looks, and something is to be changed",
    "says that it does it",
];
pub type Seen = [f32; SEEN.len()];

/// How far the tool says by itself that it does it: the last of what is seen.
pub(super) fn said_by(seen: &Seen) -> f32 {
    let [.., said] = seen;
    *said
}

/// The scores of a search are in units of their spread; the others here are about one.
const SPREAD: f32 = 0.2;

impl Searched<'_> {
    pub(super) fn seen(
        &self,
        asked: &Asked,
        catalogue: &Catalogue,
        says: &Says<'_>,
        place: Place,
    ) -> Option<Seen> {
        let ports = catalogue.ports(place)?;
        let at = |scores: &[f32]| scores.get(place).copied().unwrap_or_default();
        let [in_name, like, spoken, begins] = verb(asked, says);
        let [meet, differ, removes, none] = sorts(asked, says);
        let [head, rest] = thing(asked, says, catalogue);
        let [of_kind, other_kind, no_kind] = kind(asked, says);
        let [not_said, by_name, by_all, exactly] = said(asked, says, catalogue);
        let [taken, left, open] = values(&asked.named, ports);
        let kin = self.kin.of_tool(says);
        let [by_parameters, by_meanings] = told(asked, says, catalogue);
        let [with_cells, without_cells] = cells(asked, ports);
        let [reads_as_asked, reads_otherwise] = effect(asked, says);
        let no_thing = yes(asked.thing.is_empty()) * asked.without_thing(says);
        Some([
            SPREAD * at(self.whole) * yes(!self.several),
            SPREAD * at(self.whole) * yes(self.several),
            SPREAD * at(&self.part),
            SPREAD * at(&self.bare),
            at(&self.words),
            at(&self.meaning),
            in_name,
            like,
            spoken,
            begins,
            meet,
            differ,
            removes,
            none,
            head,
            rest,
            no_thing,
            of_kind,
            other_kind,
            no_kind,
            no_kind * yes(for_texts(says)),
            not_said,
            by_name,
            by_all,
            exactly,
            taken,
            left,
            open,
            likeness(asked, says, catalogue),
            source_said(asked, says, catalogue),
            kin * yes(!asked.deed.refers_back),
            kin * yes(asked.deed.refers_back),
            by_parameters,
            by_meanings,
            needed_by_name(asked, ports),
            with_cells,
            without_cells,
            asked.halves * yes(takes_halves(ports)),
            reads_as_asked,
            reads_otherwise,
            asked.said_by(catalogue, says).unwrap_or_default(),
        ])
    }
}

/// Words for tools that only make ready for others.
static READIES: List = List::named("score_seen.readies");

/// Whether a tool only makes ready, and that is not what is asked.
pub(super) fn only_readies(asked: &Asked, says: &Says<'_>) -> bool {
    let own = |word: &str| READIES.iter().any(|ready| stem(ready) == word);
    let first = says.name.iter().find(|word| !says.source.contains(word));
    let readies = first.is_some_and(|word| own(word));
    readies && !own(&stem(&asked.deed.verb))
}

pub(super) fn yes(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Whether a tool is called after what is to be done, or after nearly the same, or begins
/// its description with it.
fn verb(asked: &Asked, says: &Says<'_>) -> [f32; 4] {
    let verb = asked.deed.verb.as_str();
    let firm = !asked.deed.light;
    let is_called = |word: &str| says.name.contains(&stem(word));
    let named = firm && is_called(verb);
    let like = firm && !named && same(verb).any(is_called);
    let spoken = !named && !like && spoken(verb).iter().any(|word| is_called(word));
    let begins = firm && !named && !like && says.begins.contains(&stem(verb));
    [yes(named), yes(like), yes(spoken), yes(begins)]
}

/// Whether both are about the same sort of deed.
fn sorts(asked: &Asked, says: &Says<'_>) -> [f32; 4] {
    let (deed, own) = (asked.deed.sorts, says.sorts);
    let known = !deed.is_empty() && !own.is_empty();
    let removes = |sorts: Sorts| sorts.is_only(Sorts::REMOVE);
    [
        yes(deed.meets(own)),
        yes(known && !deed.meets(own)),
        yes(removes(own) != removes(deed)),
        yes(asked.deed.light && own.is_empty()),
    ]
}

/// How surely a tool speaks of the thing, and of what is said about it.
fn thing(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> [f32; 2] {
    let index = catalogue.index();
    let Some((head, others)) = asked.thing.split_last() else {
        return [0.0; 2];
    };
    let head = says.covers(head, index);
    let all: f32 = others.iter().map(|word| says.covers(word, index)).sum();
    let mean = all / others.len().max(1) as f32;
    [head, if others.is_empty() { head } else { mean }]
}

fn kind(asked: &Asked, says: &Says<'_>) -> [f32; 3] {
    let fits = asked.of_kind(says);
    [
        yes(fits > 1.0),
        yes(fits < 0.5),
        yes((0.5..1.0).contains(&fits)),
    ]
}

/// Whether a tool reads or writes what stands in files.
fn for_texts(says: &Says<'_>) -> bool {
    static CALLED: List = List::named("score_seen.called");
    CALLED.iter().any(|word| says.name.contains(&stem(word)))
}

/// How much of the name nobody said, and how much of what was said the name and the whole
/// text of the tool have; words that few tools speak of tell more.
fn said(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> [f32; 4] {
    let named: FxHashSet<&String> = says.name.iter().collect();
    let own = named.iter().filter(|word| !says.source.contains(**word));
    let own: Vec<&&String> = own.collect();
    let unsaid = own
        .iter()
        .filter(|word| word.len() > 2 && !asked.words.contains(word.as_str()))
        .count();
    let rarity = |word: &String| catalogue.rarity(word);
    let all: f32 = asked.words.iter().map(rarity).sum();
    let share = |words: f32| words / all.max(1e-6);
    let by_name = asked.words.iter().filter(|word| named.contains(word));
    let by_all = asked.words.iter().filter(|word| says.has(word));
    [
        unsaid as f32 / own.len().max(1) as f32,
        share(by_name.map(rarity).sum()),
        share(by_all.map(rarity).sum()),
        yes(unsaid == 0 && !own.is_empty()),
    ]
}

/// Whether a tool that only reads is asked to look, or to change something.
fn effect(asked: &Asked, says: &Says<'_>) -> [f32; 2] {
    let reads = says.tool.effect == Effect::Read;
    let sorts = asked.deed.sorts;
    [
        yes(reads && sorts.is_only(Sorts::LOOK)),
        yes(reads && !sorts.is_empty() && !sorts.meets(Sorts::LOOK)),
    ]
}

fn likeness(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> f32 {
    if asked.thing.is_empty() {
        return 0.0;
    }
    let table = catalogue.index().table();
    let thing = table.meaning(&asked.thing.join(" "));
    let name = table.meaning(&spaced(says.tool.id.name()));
    let products = thing.iter().zip(&name).map(|(one, other)| one * other);
    products.sum()
}

/// Whether the request speaks of the server or package that a tool comes from.
fn source_said(asked: &Asked, says: &Says<'_>, catalogue: &Catalogue) -> f32 {
    const PLAINLY: f32 = 4.0;
    let said = says.source.iter();
    let said = said.filter(|word| word.len() > 2 && asked.elsewhere.contains(*word));
    let most = said.map(|word| catalogue.rarity(word)).fold(0.0, f32::max);
    most.min(PLAINLY) / PLAINLY
}
