//! Which verb is meant by two words? "Put them together" is no putting: it says "merge".

use crate::lexicon::lists::{List, Pairs};

static PHRASES: Pairs = Pairs::named("action_phrasal.phrases");
/// So far behind the verb a particle may stand: "pull all the pictures out".
const WITHIN: usize = 6;

/// The verb that two words mean, and the place of the particle among the words after the verb.
pub(super) fn phrase(verb: &str, rest: &str) -> Option<(&'static str, usize)> {
    static LEADS_ON: List = List::named("read_action.leads_on");
    let words = rest.split_whitespace().take(WITHIN);
    let mut words = words
        .enumerate()
        .map(|(at, word)| (at, word.to_lowercase()));
    words.find_map(|(at, word)| {
        let meant = PHRASES.of(&format!("{verb} {word}"))?;
        // "fill cells in the sheet" says where; only "fill in" is another verb.
        let leads_on = LEADS_ON.contains(&word.as_str());
        (at == 0 || !leads_on || word == "into").then_some((meant, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_may_mean_another_verb() {
        for (verb, rest, expected) in [
            ("put", "a.pdf and b.pdf together as c.pdf", Some("merge")),
            ("put", "a.pdf in the folder", None),
            ("pull", "all the pictures out of it", Some("extract")),
            ("fill", "in the form", Some("fill")),
            ("look", "at the page for errors", None),
            ("add", "", None),
        ] {
            assert_eq!(phrase(verb, rest).map(|found| found.0), expected, "{rest}");
        }
    }
}
