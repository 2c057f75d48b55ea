//! Which verb is meant by two words? "Put them together" is no putting: it says "merge".

/// A verb, the particle that goes with it, and the verb that says the same in one word.
#[rustfmt::skip]
const PHRASES: &[(&str, &str, &str)] = &[
    ("add", "up", "sum"), ("back", "up", "copy"), ("break", "down", "split"), ("bring", "up", "update"),
    ("call", "off", "cancel"), ("check", "off", "finish"), ("clean", "up", "clean"), ("cross", "off", "finish"),
    ("cut", "out", "extract"), ("figure", "out", "find"), ("fill", "in", "fill"), ("fill", "out", "fill"),
    ("find", "out", "find"), ("get", "rid", "delete"), ("go", "through", "read"), ("leave", "out", "remove"),
    ("look", "for", "search"), ("look", "up", "find"), ("note", "down", "remember"), ("pull", "out", "extract"),
    ("put", "together", "merge"), ("roll", "back", "revert"), ("set", "up", "create"), ("sign", "off", "approve"),
    ("sum", "up", "summarise"), ("take", "out", "remove"), ("throw", "away", "delete"), ("throw", "out", "delete"),
    ("tick", "off", "finish"), ("turn", "into", "convert"), ("work", "out", "calculate"), ("write", "down", "remember"),
];
/// So far behind the verb a particle may stand: "pull all the pictures out".
const WITHIN: usize = 6;

/// The verb that two words mean, and the place of the particle among the words after the verb.
pub(super) fn phrase(verb: &str, rest: &str) -> Option<(&'static str, usize)> {
    let words = rest.split_whitespace().take(WITHIN);
    let mut words = words
        .enumerate()
        .map(|(at, word)| (at, word.to_lowercase()));
    words.find_map(|(at, word)| {
        let is_it = |row: &&(&str, &str, &str)| row.0 == verb && row.1 == word;
        let (_, _, meant) = PHRASES.iter().find(is_it)?;
        // "fill cells in the sheet" says where; only "fill in" is another verb.
        let leads_on = matches!(word.as_str(), "in" | "for" | "through" | "into");
        (at == 0 || !leads_on || word == "into").then_some((*meant, at))
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
