//! What does the user want to reach? The verb and its object, in a few words.

use super::Capability;
use super::verbs::{Lead, is_light, lead};

const WORDS_AT_MOST: usize = 6;
/// Say nothing about what is wanted.
const PASSED_OVER: [&str; 20] = [
    "a", "an", "the", "my", "our", "your", "this", "that", "these", "those", "me", "us", "some",
    "complete", "full", "please", "all", "quick", "thorough", "its",
];
/// Begin what is beside the point.
const ENDS: [&str; 18] = [
    "including",
    "such",
    "then",
    "with",
    "within",
    "and",
    "by",
    "under",
    "so",
    "because",
    "using",
    "covering",
    "via",
    "but",
    "if",
    "when",
    "before",
    "after",
];

/// From the first thing to be done.
pub(crate) fn intent(capabilities: &[Capability]) -> String {
    let Some(first) = capabilities.first() else {
        return String::new();
    };
    match lead(&first.text) {
        Lead::Verb { verb, rest } => {
            let verb = verb.to_lowercase();
            let object = words(rest);
            // "perform an audit of a site" is to audit a site.
            if is_light(&verb)
                && let [what, of, owner @ ..] = object.as_slice()
                && (of == "of" || of == "on")
                && !owner.is_empty()
            {
                return [std::slice::from_ref(what), owner].concat().join(" ");
            }
            [vec![verb], object].concat().join(" ")
        }
        _ => words(&first.text).join(" "),
    }
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let bare = word
            .trim_matches(|letter: char| !letter.is_alphanumeric() && !"/~.$€".contains(letter));
        let bare = bare.trim_end_matches(['.', ',']);
        let plain = bare.to_lowercase();
        if ENDS.contains(&plain.as_str()) || words.len() >= WORDS_AT_MOST {
            break;
        }
        if !bare.is_empty() && !PASSED_OVER.contains(&plain.as_str()) {
            words.push(bare.to_owned());
        }
        if word.ends_with([',', ';', '.', '?', '!']) {
            break;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let capability = Capability {
            text: text.to_owned(),
            ..Capability::default()
        };
        assert_eq!(intent(&[capability]), expected);
    }

    #[test]
    fn a_verb_and_its_object() {
        check("Perform a complete audit of my website", "audit website");
        check("Scrape competitor prices", "scrape competitor prices");
        check(
            "could you find me a hotel in Rome with a pool",
            "find hotel in Rome",
        );
        check("what is 5 km in miles", "what is 5 km in miles");
        assert_eq!(intent(&[]), "");
    }
}
