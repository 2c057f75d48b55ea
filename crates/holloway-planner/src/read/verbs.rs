//! Where does a clause say what to do? The verb it leads with, if it leads with one.

use crate::lexicon::lists::List;
/// What people tell tools to do, and what questions begin with.
static VERBS: List = List::named("read_verbs.verbs");
/// Those that are an order all by themselves: "…, commit and push".
static ALONE: List = List::named("read_verbs.alone");
static QUESTIONS: List = List::named("read_verbs.questions");
/// What stands before the verb and says nothing.
static FILLERS: List = List::named("read_verbs.fillers");
/// Verbs that leave what is done to the noun after them.
static LIGHT: List = List::named("read_verbs.light");

/// What a clause leads with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead<'a> {
    Verb {
        verb: &'a str,
        rest: &'a str,
    },
    Question,
    /// "I'd like a table", "it should be red".
    Wish,
    Other,
}

/// What comes first in a clause once polite words are passed over.
pub fn lead(clause: &str) -> Lead<'_> {
    static WISHES: List = List::named("read_verbs.wishes");
    static SUBJECTS: List = List::named("read_verbs.subjects");
    let mut rest = after_lead_in(clause);
    let (mut wishes, mut has_subject) = (has_should(clause), false);
    loop {
        rest = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let end = rest
            .find(|letter: char| letter.is_whitespace() || letter == ',' || letter == ':')
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let plain = word.to_lowercase().replace('’', "'");
        let plain = plain.trim_matches(|letter: char| !letter.is_alphanumeric());
        let otherwise = if wishes { Lead::Wish } else { Lead::Other };
        if plain.is_empty() {
            return otherwise;
        }
        // "I read that" tells something; "I want to read" asks for it.
        let tells = has_subject && !wishes;
        if is_verb(plain) && !tells && !(plain == "try" && after.trim_start().starts_with("to ")) {
            return Lead::Verb {
                verb: word,
                rest: after,
            };
        }
        let wants_to_know = plain == "know" && wishes;
        if wants_to_know || QUESTIONS.contains(&plain) && !tells {
            return Lead::Question;
        }
        let is_adverb = plain.len() > 4 && plain.ends_with("ly");
        if !FILLERS.contains(&plain) && !is_adverb {
            return otherwise;
        }
        wishes |= WISHES.contains(&plain);
        has_subject |= SUBJECTS.contains(&plain);
        rest = after;
    }
}

/// What stands after the words that say where: "In a.yaml, swap …", "from b.csv add up …". A
/// clause that begins otherwise, or says nothing after them, is left as it is.
pub fn after_lead_in(clause: &str) -> &str {
    static PREPOSITIONS: List = List::named("read_verbs.prepositions");
    const WORDS_AT_MOST: usize = 7;
    let first = clause.split_whitespace().next().unwrap_or_default();
    let leads = PREPOSITIONS.contains(&first.to_lowercase().as_str());
    let tokens = if leads { WORDS_AT_MOST } else { 1 };
    let mut end = 0;
    for token in clause.split_inclusive(char::is_whitespace).take(tokens) {
        end += token.len();
        let bare = token.trim();
        let is_closed = leads || bare.ends_with(':');
        if is_closed && is_place(bare) {
            let rest = clause.get(end..).unwrap_or_default().trim_start();
            return if rest.is_empty() { clause } else { rest };
        }
    }
    clause
}

/// Looks like a file, a folder or an address.
fn is_place(token: &str) -> bool {
    let bare =
        token.trim_matches(|letter: char| !letter.is_alphanumeric() && !"/~".contains(letter));
    let has_ending = bare
        .rsplit_once('.')
        .is_some_and(|(name, ending)| !name.is_empty() && (1..=5).contains(&ending.len()));
    has_ending || bare.contains('/')
}

/// Within the first words, so that a long text is not searched for it.
fn has_should(clause: &str) -> bool {
    static SHOULDS: List = List::named("read_verbs.shoulds");
    let mut words = clause.split_whitespace().take(24);
    words.any(|word| SHOULDS.contains(&word))
}

/// "squash-merge" does what its first half says, "password-protect" what the second does.
pub fn is_verb(word: &str) -> bool {
    let halves = word.split_once('-');
    let is_half = halves
        .is_some_and(|(first, second)| [first, second].iter().any(|half| VERBS.contains(half)));
    VERBS.contains(&word) || is_half
}

/// Whether a single word is an order.
pub fn is_order(word: &str) -> bool {
    let plain = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    ALONE.contains(&plain.to_lowercase().as_str())
}

pub fn is_light(verb: &str) -> bool {
    LIGHT.contains(&verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(clause: &str, expected: &str) {
        let said = match lead(clause) {
            Lead::Verb { verb, .. } => verb,
            Lead::Question => "?",
            Lead::Wish => "!",
            Lead::Other => "",
        };
        assert_eq!(said, expected, "{clause}");
    }

    #[test]
    fn a_clause_leads_with_a_verb_or_a_question_or_neither() {
        check("Could you please find flights", "find");
        check("I'd like to Scrape prices", "Scrape");
        check("Quickly check it", "check");
        check("what is 5 km in miles", "?");
        check("I'd like a table with prices", "!");
        check("the top line should stay visible", "!");
        check("I'm looking for a restaurant", "!");
        check("I hope you can help me set an alarm", "set");
        check("I have a folder full of files", "");
        check("in a/b.yaml, swap the ports", "swap");
        check("On the Monthly sheet of kpi.xlsx make a chart", "make");
        check("sales.xlsx: I need a new sheet", "!");
        check("in 5 minutes", "");
        check("in a.csv", "");
        check("I need to know when it was changed", "?");
        check("returning on April 10th", "");
        check("", "");
        check("...!", "");
    }
}
