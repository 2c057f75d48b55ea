//! What else belongs to a thing that is made? "A document with a heading" is made by one tool and
//! gets its heading by another of the same server, where the first cannot be told of headings.

use holloway_search::rank::Hit;
use holloway_search::words::stem;

use super::assembly::Ground;
use super::fitting::hits;
use super::suit::{Kin, Whole};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role, terms};
use crate::request::Capability;
use crate::request::deed::{Deed, Sorts, sorts_of_words};

const LEADS: [&str; 3] = [" with ", " containing ", " that has "];
const ARTICLES: [&str; 9] = [
    "a", "an", "the", "one", "two", "three", "four", "some", "my",
];
/// A thing is named within so many words.
const WORDS: usize = 3;
const AT_MOST: usize = 4;
/// Words that end the name of a thing.
const ENDS: [&str; 8] = [
    "titled", "called", "named", "saying", "of", "for", "about", "in",
];
/// So many tools that could make the thing are looked at.
const LOOKED_AT: usize = 3;

/// What makes the thing, best first, and the tools that add what belongs to it.
pub(super) struct Made {
    pub(super) hits: Vec<Hit>,
    pub(super) beside: Vec<Added>,
}

/// A tool that adds something, and what it is told.
#[derive(Clone, Debug)]
pub(super) struct Added {
    pub(super) place: Place,
    /// A parameter and the words after the thing: "Agenda" in "a heading Agenda".
    pub(super) said: Option<(String, String)>,
}

/// A thing that is named, and what is said after it.
struct Thing {
    words: Vec<String>,
    said: String,
}

/// Nothing where one tool does all of it.
pub(super) fn made(ground: Ground<'_>, capability: &Capability) -> Option<Made> {
    let text = capability.text.as_str();
    let leads = LEADS.iter();
    let leads = leads.filter_map(|lead| Some((text.find(lead)?, lead.len())));
    let (at, length) = leads.min()?;
    let (main, items) = (text.get(..at)?, text.get(at + length..)?);
    let deed = Deed::of(main);
    if !(deed.light || deed.sorts.meets(Sorts::MAKE)) {
        return None;
    }
    let things = items.split(" and ").enumerate();
    let things = things.filter_map(|(at, item)| thing(item, at == 0));
    let things: Vec<Thing> = things.take(AT_MOST).collect();
    if things.is_empty() {
        return None;
    }
    let main = Capability {
        text: main.to_owned(),
        ..capability.clone()
    };
    let whole = Whole::of(ground.catalogue, ground.analysis);
    let around = (&whole, &Kin::default());
    let mut hits = hits(ground.catalogue, ground.analysis, &main, around);
    let (at, beside) = hits
        .iter()
        .take(LOOKED_AT)
        .enumerate()
        .find_map(|(at, hit)| {
            let makes = sorts_of_words(name(ground, hit.place)).meets(Sorts::MAKE);
            let adders = things
                .iter()
                .filter_map(|thing| adder(ground, hit.place, thing));
            let beside: Vec<Added> = adders.filter(|_| makes).collect();
            (!beside.is_empty()).then_some((at, beside))
        })?;
    hits.drain(..at);
    Some(Made { hits, beside })
}

/// The words for a thing that is named with an article: "the heading 'Prices 2026'".
fn thing(item: &str, may_be_counted: bool) -> Option<Thing> {
    let mut words = item.split_whitespace();
    let first = words.next()?.to_lowercase();
    // "a table of 5 rows and 2 columns" has no columns beside the table.
    let is_counted = may_be_counted && first.chars().all(|letter| letter.is_ascii_digit());
    let plain = |word: &&str| {
        let letters = word
            .chars()
            .all(|letter| letter.is_lowercase() || letter == ',');
        letters && !ENDS.contains(word)
    };
    let words: Vec<&str> = words.collect();
    let count = words
        .iter()
        .take(WORDS)
        .take_while(|word| plain(word))
        .count();
    let said = words.get(count..).unwrap_or_default().join(" ");
    let said = ENDS.iter().fold(said.as_str(), |said, end| {
        said.strip_prefix(end).map_or(said, str::trim_start)
    });
    let marks = |letter: char| "\"'“”‘’.,;:".contains(letter);
    let thing = Thing {
        said: said.trim_matches(marks).to_owned(),
        words: words.iter().take(count).map(|word| stem(word)).collect(),
    };
    let named = ARTICLES.contains(&first.as_str()) || is_counted;
    (named && count > 0).then_some(thing)
}

fn name(ground: Ground<'_>, place: Place) -> &str {
    let tool = ground.catalogue.tool(place);
    tool.map_or("", |tool| tool.id.name())
}

/// The tool of the same server that adds a thing which the maker cannot be told of.
fn adder(ground: Ground<'_>, maker: Place, thing: &Thing) -> Option<Added> {
    let catalogue = ground.catalogue;
    let source = catalogue.tool(maker)?.id.source();
    let ports = catalogue.ports(maker)?;
    let speaks = |words: &[String]| words.iter().any(|word| thing.words.contains(word));
    let is_told = ports.inputs.iter().any(|port| speaks(&port.terms));
    if is_told || speaks(&terms(name(ground, maker))) {
        return None;
    }
    let others = catalogue.tools().filter(|(place, tool)| {
        let sorts = sorts_of_words(tool.id.name());
        let adds = sorts.meets(Sorts::MAKE) && !sorts.meets(Sorts::LOOK);
        *place != maker && tool.id.source() == source && adds && speaks(&terms(tool.id.name()))
    });
    let shortest = others.min_by_key(|(place, tool)| (terms(tool.id.name()).len(), *place));
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
