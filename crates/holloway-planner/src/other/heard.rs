//! Is a tool called after what is to be done?

use holloway_search::words::stem;

use super::asked::Asked;
use super::says::Says;
use super::verbs::{american, same, spoken};
use crate::lexicon::lists::List;
use crate::read::action::Sorts;

/// Verbs that so many tools are called by that they say nothing about the thing.
pub(super) static COMMON: List = List::named("tools_heard.common");

impl Asked {
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
