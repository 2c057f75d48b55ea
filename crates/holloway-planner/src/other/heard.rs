//! Has a tool heard of what is to be done? A verb of its own, such as "encrypt", wants a tool
//! that speaks of it; one for looking is served by whatever reads.

use holloway_plan::tool::Effect;
use holloway_search::words::stem;

use super::asked::Asked;
use super::says::Says;
use super::verbs::{american, same, spoken};
use crate::frame::{Entity, EntityKind};
use crate::lexicon::lists::List;
use crate::lexicon::sorts::Sorts;

/// Verbs that so many tools are called by that they say nothing about the thing.
pub(super) static COMMON: List = List::named("tools_heard.common");
/// Verbs that are done with by reading, beside those for looking.
static SHOWS: List = List::named("tools_heard.shows");
/// Verbs for looking that reading once does not do.
static MORE: List = List::named("tools_heard.more");
/// What tools are called after that only bring what is there.
static READERS: List = List::named("tools_heard.readers");

impl Asked {
    /// Whether a tool speaks of what is to be done, where that is a word of its own and all that
    /// is said about a file: to "encrypt" one is not just any change, and to "hash" one is more
    /// than to read it.
    pub(super) fn is_heard_of(&self, says: &Says<'_>) -> bool {
        let verb = self.deed.verb.as_str();
        // "leave a note": a tool that is called after the thing may do what is meant.
        let thing = self.thing.last().map(|word| stem(word));
        let is_named = thing.is_some_and(|thing| says.name.contains(&thing));
        let is_unknown = !self.deed.light && self.deed.sorts.is_empty() && !is_named;
        let is_own = (self.is_only_verb() || is_unknown)
            && self.is_about_file()
            && (MORE.contains(&verb) || !COMMON.contains(&verb));
        let is_shown = says.tool.effect == Effect::Read && self.is_shown();
        is_shown || !is_own && !self.is_more_than_reading(says) || self.speaks_of_verb(says)
    }

    /// Whether reading is all that is asked for.
    fn is_shown(&self) -> bool {
        let verb = self.deed.verb.as_str();
        let looks = self.deed.sorts.meets(Sorts::LOOK) && !MORE.contains(&verb);
        self.deed.light || looks || SHOWS.contains(&verb)
    }

    /// Whether something is to be done to what a file holds, and a tool only brings it.
    fn is_more_than_reading(&self, says: &Says<'_>) -> bool {
        let is_reader = says.tool.effect == Effect::Read
            && READERS.iter().any(|word| says.name.contains(&stem(word)));
        is_reader && self.is_about_file() && !self.is_shown()
    }

    fn speaks_of_verb(&self, says: &Says<'_>) -> bool {
        let mut halves = self.deed.verb.split('-');
        halves.any(|half| says.has(&stem(half))) || self.is_called(says)
    }

    /// Whether a file is named, or a page.
    fn is_about_file(&self) -> bool {
        use EntityKind::{File, Path, Url};
        let is_place = |entity: &Entity| matches!(entity.kind, File | Path | Url);
        !self.kinds.is_empty() || self.named.iter().any(is_place)
    }

    /// Whether a tool is called after what is to be done.
    pub(super) fn is_called(&self, says: &Says<'_>) -> bool {
        let verb = self.deed.verb.as_str();
        let has = |word: &str| says.name.contains(&stem(word));
        has(verb)
            || has(&american(verb))
            || same(verb).any(has)
            || spoken(verb).iter().any(|word| has(word))
    }

    /// Whether a tool is called after a verb that few tools are called after.
    pub(super) fn has_own_verb(&self, says: &Says<'_>) -> bool {
        !self.deed.light
            && !COMMON.contains(&self.deed.verb.as_str())
            && !self.deed.sorts.is_only(Sorts::CONVERT)
            && says.name.contains(&stem(&self.deed.verb))
    }
}
