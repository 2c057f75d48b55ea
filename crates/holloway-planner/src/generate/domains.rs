//! Which domains does a request name, and which tools serve each? A domain is a category
//! whose tools look at the same thing from several sides; some of them look at all sides at
//! once, and some take what the others found together.

use rustc_hash::FxHashSet;

use super::assembly::Ground;
use super::results::is_item;
use super::words::stems;
use crate::bind::fit::agreement;
use crate::bind::shape::{Kind, Shape};
use crate::catalogue::ports::terms;
use crate::catalogue::{Catalogue, Place};
use crate::request::Capability;

/// Fewer tools of one kind make no domain.
const FAMILY_AT_LEAST: usize = 2;
/// A tool that covers this share of the others stands for all of them.
const COVERS: f32 = 0.6;

/// A domain of a request.
#[derive(Debug)]
pub(super) struct Domain {
    /// The category.
    pub(super) name: String,
    /// The capability that names it.
    pub(super) capability: Option<usize>,
    /// Tools that look at one side each, the nearest to the request first.
    pub(super) single: Vec<Place>,
    /// Tools that look at all sides at once.
    pub(super) whole: Vec<Place>,
    /// Tools that take what the others found together.
    pub(super) gather: Vec<Place>,
    /// Tools of other categories that say they serve this one.
    pub(super) beside: Vec<Place>,
}

impl Domain {
    /// The tools that serve it.
    pub(super) fn available(&self) -> usize {
        self.single.len() + self.whole.len() + self.beside.len()
    }

    /// The single tools that no tool for the whole covers.
    pub(super) fn uncovered(&self, catalogue: &Catalogue) -> Vec<Place> {
        let whole = self.whole.first();
        let within = whole.map(|whole| self.within(catalogue, *whole));
        let within = within.unwrap_or_default();
        let left = self.single.iter().copied();
        left.filter(|one| !within.contains(one)).collect()
    }

    /// The single tools whose work this one does too.
    pub(super) fn within(&self, catalogue: &Catalogue, whole: Place) -> Vec<Place> {
        if !self.whole.contains(&whole) {
            return Vec::new();
        }
        let common = common_words(catalogue, &self.single);
        let single = self.single.iter().copied();
        single
            .filter(|one| covers(catalogue, whole, *one, &common))
            .collect()
    }
}

/// The domains that a request names, in its order.
pub(super) fn domains(ground: Ground<'_>) -> Vec<Domain> {
    let catalogue = ground.catalogue;
    let mut named: Vec<(String, Option<usize>)> = Vec::new();
    for (at, capability) in ground.analysis.capabilities.iter().enumerate() {
        if let Some(category) = &capability.category {
            named.push((category.clone(), Some(at)));
        }
    }
    let words = in_order(&ground.analysis.request);
    let mut more: Vec<(usize, &str)> = catalogue
        .categories()
        .filter_map(|category| Some((place_of(category, &words)?, category)))
        .collect();
    more.sort_unstable();
    for (_, category) in more {
        if !named.iter().any(|(name, _)| name == category) {
            let names = |capability: &Capability| {
                let own = stems(&capability.text);
                terms(category).iter().all(|word| own.contains(word))
            };
            let capability = ground.analysis.capabilities.iter().position(names);
            named.push((category.to_owned(), capability));
        }
    }
    named.dedup_by(|one, other| one.0 == other.0);
    let mut domains: Vec<Domain> = Vec::new();
    for (name, capability) in named {
        if domains.iter().any(|domain| domain.name == name) {
            continue;
        }
        domains.extend(domain(ground, &name, capability));
    }
    // One word may be there by chance; several domains are meant.
    if let [only] = domains.as_slice()
        && !is_broad(ground, only)
    {
        return Vec::new();
    }
    let names: Vec<Vec<String>> = domains.iter().map(|domain| terms(&domain.name)).collect();
    for domain in &mut domains {
        domain.beside = beside(ground, domain, &names);
    }
    domains
}

/// The words of a request, in order.
fn in_order(request: &str) -> Vec<String> {
    let mut words = Vec::new();
    holloway_search::words::each_word(request, |word| {
        words.push(holloway_search::words::stem(word));
    });
    words
}

fn place_of(category: &str, words: &[String]) -> Option<usize> {
    let wanted = terms(category);
    if wanted.is_empty() || category.len() < 3 {
        return None;
    }
    words
        .windows(wanted.len())
        .position(|some| some == wanted.as_slice())
}

fn domain(ground: Ground<'_>, name: &str, capability: Option<usize>) -> Option<Domain> {
    let catalogue = ground.catalogue;
    let reads = |place: &Place| catalogue.ports(*place).is_some_and(|ports| !ports.writes);
    let of_category: Vec<Place> = catalogue
        .of_category(name)
        .iter()
        .copied()
        .filter(reads)
        .collect();
    let (gather, family): (Vec<Place>, Vec<Place>) = of_category
        .into_iter()
        .partition(|place| gathers(catalogue, *place));
    // What looks at the same thing takes the same.
    let family = same_needs(catalogue, &family);
    if family.len() < FAMILY_AT_LEAST {
        return None;
    }
    let common = common_words(catalogue, &family);
    let covered = |one: &Place| {
        let others = family.iter().filter(|other| *other != one);
        others
            .filter(|other| covers(catalogue, *one, **other, &common))
            .count()
    };
    let least = ((family.len() - 1) as f32 * COVERS).ceil().max(2.0) as usize;
    let mut whole: Vec<Place> = family
        .iter()
        .copied()
        .filter(|one| covered(one) >= least)
        .collect();
    whole.sort_by_key(|one| std::cmp::Reverse(covered(one)));
    let near = |place: &Place| ground.near.get(place).copied().unwrap_or_default();
    let mut single: Vec<Place> = family
        .iter()
        .copied()
        .filter(|one| !whole.contains(one))
        .collect();
    single.sort_by(|one, other| near(other).total_cmp(&near(one)).then(one.cmp(other)));
    Some(Domain {
        name: name.to_owned(),
        capability,
        single,
        whole,
        gather,
        beside: Vec::new(),
    })
}

/// The largest group of tools that need the same and tell the same: they look at one thing
/// from several sides.
fn same_needs(catalogue: &Catalogue, places: &[Place]) -> Vec<Place> {
    let nature = |place: &Place| -> (Vec<&str>, Vec<&str>) {
        let Some(ports) = catalogue.ports(*place) else {
            return Default::default();
        };
        let needs = ports.needed().map(|port| port.name.as_str()).collect();
        let tells = ports.outputs.iter().filter(|port| port.required);
        (needs, tells.map(|port| port.name.as_str()).collect())
    };
    let mut best: Vec<Place> = Vec::new();
    for place in places {
        let own = nature(place);
        let same = places.iter().copied().filter(|other| nature(other) == own);
        let same: Vec<Place> = same.collect();
        if !own.0.is_empty() && !own.1.is_empty() && same.len() > best.len() {
            best = same;
        }
    }
    best
}

/// Whether a tool takes what others found together: a list of results with known fields.
pub(super) fn gathers(catalogue: &Catalogue, place: Place) -> bool {
    let (Some(tool), Some(ports)) = (catalogue.tool(place), catalogue.ports(place)) else {
        return false;
    };
    let form = Shape::of(&tool.input_schema);
    let mut lists = ports
        .needed()
        .filter(|port| port.kind == Kind::List && port.structured);
    lists.any(|port| {
        let Some(list) = form.field(&port.name) else {
            return false;
        };
        let mut others = catalogue.tools().filter(|(other, _)| *other != place);
        // A list that some tool gives as such is no list of results.
        let makers = port
            .terms
            .last()
            .map_or(&[][..], |last| catalogue.makers(last));
        let is_given = makers.iter().any(|maker| {
            let output = catalogue
                .tool(*maker)
                .map(|tool| Shape::of(&tool.output_schema));
            let fields = output.into_iter().flat_map(Shape::fields);
            let mut same = fields.filter(|(name, _)| terms(name) == port.terms);
            same.any(|(_, field)| field.kind() == Kind::List && agreement(field, list, 2).is_some())
        });
        !is_given && others.any(|(_, other)| is_item(&other.output_schema, list, &port.name))
    })
}

/// Words that most of the names share say nothing about one of them.
fn common_words(catalogue: &Catalogue, places: &[Place]) -> FxHashSet<String> {
    let names: Vec<Vec<String>> = places
        .iter()
        .filter_map(|place| Some(terms(catalogue.tool(*place)?.id.name())))
        .collect();
    let all: FxHashSet<&String> = names.iter().flatten().collect();
    let often =
        |word: &&String| names.iter().filter(|name| name.contains(word)).count() * 2 > names.len();
    all.into_iter()
        .filter(|word| often(word))
        .cloned()
        .collect()
}

/// Whether the description of one tool says that it does what the other is called after.
fn covers(catalogue: &Catalogue, one: Place, other: Place, common: &FxHashSet<String>) -> bool {
    let (Some(one), Some(other)) = (catalogue.ports(one), catalogue.tool(other)) else {
        return false;
    };
    let own = &one.words;
    let category = terms(&other.category);
    let name = terms(other.id.name());
    let telling: Vec<&String> = name
        .iter()
        .filter(|word| !common.contains(*word) && !category.contains(word))
        .collect();
    let same = |word: &str| own.iter().any(|own| own == word || alike(own, word));
    let shared = telling.iter().filter(|word| same(word)).count();
    shared > 0 && shared * 2 >= telling.len()
}

/// Words of one family: `vulnerable` and `vulnerability`.
fn alike(one: &str, other: &str) -> bool {
    const LONG: usize = 6;
    let shared = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    shared >= LONG
}

/// Whether a tool says that it serves all these domains.
pub(super) fn spans(catalogue: &Catalogue, place: Place, domains: &[Domain]) -> bool {
    let Some(own) = catalogue.ports(place).map(|ports| &ports.words) else {
        return false;
    };
    let named = domains
        .iter()
        .filter(|domain| terms(&domain.name).iter().all(|word| own.contains(word)));
    domains.len() > 1 && named.count() == domains.len()
}

/// Whether one tool says that it does what another is called after.
pub(super) fn does_also(catalogue: &Catalogue, one: Place, other: Place) -> bool {
    covers(catalogue, one, other, &FxHashSet::default())
}

/// Tools outside of the category that name it and give what its gathering tool takes.
fn beside(ground: Ground<'_>, domain: &Domain, names: &[Vec<String>]) -> Vec<Place> {
    let catalogue = ground.catalogue;
    let Some(gatherer) = domain
        .gather
        .first()
        .and_then(|place| catalogue.tool(*place))
    else {
        return Vec::new();
    };
    let form = Shape::of(&gatherer.input_schema);
    let own = terms(&domain.name);
    let serves = |place: Place| {
        let (Some(tool), Some(ports)) = (catalogue.tool(place), catalogue.ports(place)) else {
            return false;
        };
        let words = &ports.words;
        let named = |name: &Vec<String>| name.iter().all(|word| words.contains(word));
        let mut lists = form
            .fields()
            .filter(|(_, field)| field.kind() == Kind::List);
        tool.category != domain.name
            && !ports.writes
            && named(&own)
            && names.iter().filter(|name| named(name)).count() == 1
            && lists.any(|(name, list)| is_item(&tool.output_schema, list, name))
    };
    catalogue
        .tools()
        .map(|(place, _)| place)
        .filter(|place| serves(*place))
        .collect()
}

/// Whether the words around the only domain leave open which of its tools is meant.
fn is_broad(ground: Ground<'_>, domain: &Domain) -> bool {
    let catalogue = ground.catalogue;
    let text = match domain
        .capability
        .and_then(|at| ground.analysis.capabilities.get(at))
    {
        Some(capability) => capability.text.as_str(),
        None => ground.analysis.request.as_str(),
    };
    let own = terms(&domain.name);
    let words: Vec<String> = stems(text)
        .into_iter()
        .filter(|word| !own.contains(word))
        .collect();
    let all: Vec<Place> = domain.single.iter().chain(&domain.whole).copied().collect();
    let common = common_words(catalogue, &all);
    let singled_out = all.iter().any(|place| {
        let name = catalogue
            .tool(*place)
            .map(|tool| terms(tool.id.name()))
            .unwrap_or_default();
        let telling = |word: &&String| !common.contains(*word) && !own.contains(word);
        name.iter().filter(telling).any(|word| words.contains(word))
    });
    !singled_out && stems(text).iter().any(|word| own.contains(word))
}
