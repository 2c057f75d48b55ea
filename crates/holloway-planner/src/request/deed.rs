//! What is done, and to what? A clause comes apart into its verb, the thing that the verb
//! is about, and what follows after "to", "in", "about" and the like.

use holloway_search::words::{is_empty_word, stem};

use super::verbs::{Lead, is_light, lead};
use phrasal::phrase;

mod phrasal;
mod sorts;

pub(crate) use sorts::{Sorts, sorts_of_word, sorts_of_words};

/// Words that lead from the thing to something else about it.
const LEADS: [&str; 41] = [
    "about",
    "across",
    "after",
    "against",
    "and",
    "as",
    "at",
    "because",
    "before",
    "between",
    "but",
    "by",
    "called",
    "containing",
    "except",
    "for",
    "from",
    "if",
    "in",
    "inside",
    "into",
    "named",
    "of",
    "on",
    "onto",
    "or",
    "over",
    "regarding",
    "so",
    "than",
    "that",
    "titled",
    "to",
    "under",
    "unless",
    "using",
    "via",
    "when",
    "where",
    "which",
    "with",
];
/// Things that name a quantity or a form of the thing that follows after "of".
const MEASURES: [&str; 12] = [
    "list", "number", "set", "table", "overview", "summary", "copy", "total", "count", "lot",
    "series", "group",
];
/// Things that are whatever came before, or anything at all.
const ANYTHING: [&str; 24] = [
    "answer",
    "anything",
    "content",
    "contents",
    "data",
    "detail",
    "details",
    "everything",
    "file",
    "files",
    "finding",
    "findings",
    "info",
    "information",
    "list",
    "output",
    "result",
    "results",
    "summary",
    "text",
    "thing",
    "things",
    "value",
    "values",
];
const BACK: [&str; 8] = [
    "it", "them", "this", "that", "these", "those", "both", "its",
];

/// A clause, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deed {
    /// In lower case; empty where something is asked or nothing is told.
    pub(crate) verb: String,
    /// Whether the verb leaves what is done to the thing after it.
    pub(crate) light: bool,
    pub(crate) sorts: Sorts,
    /// The words for the thing, in lower case; the last one says what it is.
    pub(crate) object: Vec<String>,
    /// What follows, with the word that leads to it.
    pub(crate) beside: Vec<Beside>,
    /// Speaks of something that came before: "them", "the results".
    pub(crate) refers_back: bool,
}

/// "about retrieval", "to a csv file".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Beside {
    pub(crate) lead: String,
    /// In lower case, without those that say nothing.
    pub(crate) words: Vec<String>,
}

impl Deed {
    pub(crate) fn of(clause: &str) -> Self {
        let (verb, rest, asks) = match lead(clause) {
            Lead::Verb { verb, rest } => (verb.to_lowercase(), rest, false),
            Lead::Question => (String::new(), asked_in(clause), true),
            Lead::Wish | Lead::Other => (String::new(), clause, false),
        };
        let phrase = phrase(&verb, rest);
        let verb = phrase.map_or(verb, |(meant, _)| meant.to_owned());
        let mut deed = Self {
            light: verb.is_empty() || is_light(&verb) || LIGHT_TOO.contains(&verb.as_str()),
            sorts: if asks {
                Sorts::LOOK
            } else {
                sorts_of_word(&verb)
            },
            verb,
            ..Self::default()
        };
        deed.read(rest, phrase.map(|(_, particle)| particle));
        deed
    }

    /// The words after one of these leads.
    pub(crate) fn after(&self, leads: &[&str]) -> impl Iterator<Item = &str> {
        let beside = self.beside.iter();
        let fitting = beside.filter(move |beside| leads.contains(&beside.lead.as_str()));
        fitting.flat_map(|beside| beside.words.iter().map(String::as_str))
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
const LIGHT_TOO: [&str; 9] = [
    "get", "take", "show", "tell", "put", "use", "want", "see", "look",
];

fn closes(word: &str) -> bool {
    matches!(
        word,
        "is" | "are" | "was" | "were" | "has" | "have" | "does" | "do" | "did" | "will" | "i"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Verb, object, and what follows, as `lead: words`.
    #[track_caller]
    fn check(clause: &str, expected: &str) {
        let deed = Deed::of(clause);
        let beside = deed.beside.iter();
        let beside = beside.map(|one| format!("; {}: {}", one.lead, one.words.join(" ")));
        let back = if deed.refers_back { " (back)" } else { "" };
        let found = format!(
            "{} [{}]{}{back}",
            deed.verb,
            deed.object.join(" "),
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
