//! What is done, and to what? A clause comes apart into its verb, the thing that the verb
//! is about, and what follows after "to", "in", "about" and the like.

use holloway_search::words::{is_empty_word, stem};

use super::verbs::{Lead, is_light, lead};
use phrasal::phrase;

mod phrasal;

use crate::frame::{Action, Beside};
use crate::lexicon::lists::List;
use crate::lexicon::sorts::{Sorts, sorts_of_word};

/// Words that lead from the thing to something else about it.
static LEADS: List = List::named("read_action.leads");
/// Things that name a quantity or a form of the thing that follows after "of".
static MEASURES: List = List::named("read_action.measures");
/// Things that are whatever came before, or anything at all.
static ANYTHING: List = List::named("read_action.anything");
static BACK: List = List::named("read_action.back");

impl Action {
    pub fn of(clause: &str) -> Self {
        let (verb, rest, asks) = match lead(clause) {
            Lead::Verb { verb, rest } => (verb.to_lowercase(), rest, false),
            Lead::Question => (String::new(), asked_in(clause), true),
            Lead::Wish | Lead::Other => (String::new(), clause, false),
        };
        let mut action = Self::given(&verb, rest);
        if asks {
            action.sorts = Sorts::LOOK;
        }
        action
    }

    /// A verb and what it is done to, as somebody has told them apart.
    pub fn given(verb: &str, rest: &str) -> Self {
        let phrase = phrase(verb, rest);
        let verb = phrase.map_or(verb, |(meant, _)| meant).to_owned();
        let mut action = Self {
            light: verb.is_empty() || is_light(&verb) || LIGHT_TOO.contains(&verb.as_str()),
            sorts: sorts_of_word(&verb),
            verb,
            ..Self::default()
        };
        action.read(rest, phrase.map(|(_, particle)| particle));
        action
    }

    /// Takes the words in, but for the particle that belongs to the verb.
    fn read(&mut self, rest: &str, particle: Option<usize>) {
        let mut defined = false;
        for (at, token) in rest.split_whitespace().enumerate() {
            if particle == Some(at) {
                continue;
            }
            let word = token.to_lowercase().replace('’', "'");
            let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            let word = word.strip_suffix("'s").unwrap_or(word);
            if word.is_empty() {
                continue;
            }
            self.refers_back |= BACK.contains(&word) || defined && ANYTHING.contains(&word);
            defined = word == "the" || defined && !is_empty_word(word) && !LEADS.contains(&word);
            if LEADS.contains(&word) {
                self.lead_on(word);
            } else if !is_empty_word(word) {
                self.take(word);
            } else if !self.object.is_empty() && self.beside.is_empty() && closes(word) {
                // "what time is it": the thing was named before.
                self.lead_on(word);
            }
        }
        self.object
            .retain(|word| !ANYTHING.contains(&word.as_str()));
        self.beside.retain(|beside| !beside.words.is_empty());
    }

    fn lead_on(&mut self, word: &str) {
        let measures = word == "of"
            && self.beside.is_empty()
            && self
                .object
                .last()
                .is_some_and(|last| MEASURES.contains(&last.as_str()));
        if measures {
            self.object.clear();
            return;
        }
        self.beside.push(Beside {
            lead: word.to_owned(),
            words: Vec::new(),
        });
    }

    fn take(&mut self, word: &str) {
        const AT_MOST: usize = 8;
        let words = match self.beside.last_mut() {
            Some(beside) => &mut beside.words,
            None => &mut self.object,
        };
        let is_known = words.iter().any(|own| stem(own) == stem(word));
        if words.len() < AT_MOST && !is_known {
            words.push(word.to_owned());
        }
    }
}

/// "I need to know when it was changed" asks what stands after "know".
fn asked_in(clause: &str) -> &str {
    let after = clause.split_once(" know ").map(|(_, after)| after);
    after.unwrap_or(clause)
}

/// Verbs that say little beside those that leave all to the noun.
static LIGHT_TOO: List = List::named("read_action.light_too");

fn closes(word: &str) -> bool {
    static CLOSING: List = List::named("read_action.closing");
    CLOSING.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Verb, object, and what follows, as `lead: words`.
    #[track_caller]
    fn check(clause: &str, expected: &str) {
        let action = Action::of(clause);
        let beside = action.beside.iter();
        let beside = beside.map(|one| format!("; {}: {}", one.lead, one.words.join(" ")));
        let back = if action.refers_back { " (back)" } else { "" };
        let found = format!(
            "{} [{}]{}{back}",
            action.verb,
            action.object.join(" "),
            beside.collect::<String>()
        );
        assert_eq!(found, expected, "{clause}");
    }

    #[test]
    fn clauses_come_apart() {
        check(
            "create a git branch called fix-login",
            "create [git branch]; called: fix-login",
        );
        check(
            "find recent papers about retrieval augmented generation",
            "find [recent papers]; about: retrieval augmented generation",
        );
        check("write them to a csv file", "write []; to: csv file (back)");
        check("save the results in a note", "save []; in: note (back)");
        check("make a list of the open issues", "make [open issues]");
        check("what time is it in Tokyo", " [time]; in: tokyo (back)");
        check("what is the weather in Oslo", " [weather]; in: oslo");
        check("summarise it", "summarise [] (back)");
        check("search for hotels", "search []; for: hotels");
        check(
            "from donations.csv add up the amount per country",
            "sum [amount per country]",
        );
        check(
            "I need to know when a.tex was last changed",
            " []; when: a.tex changed",
        );
        check("", " []");
    }
}
