//! Where does a sentence end? After `.`, `!`, `?` and their like when white space
//! follows and no lower-case letter goes on; at an empty line in any case.

/// The sentences of a text, trimmed, in order.
pub(crate) fn split(text: &str) -> Vec<&str> {
    let paragraphs = super::split::paragraphs(text);
    paragraphs.into_iter().flat_map(in_paragraph).collect()
}

fn in_paragraph(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut rest = text.trim();
    while let Some(end) = first_end(rest) {
        let (sentence, after) = rest.split_at(end);
        sentences.push(sentence.trim());
        rest = after.trim_start();
    }
    if !rest.is_empty() {
        sentences.push(rest);
    }
    sentences
}

/// The byte after the first sentence, when another one follows.
fn first_end(text: &str) -> Option<usize> {
    let mut ended = false;
    for (index, character) in text.char_indices() {
        match character {
            '。' | '！' | '？' => {
                return Some(index + character.len_utf8()).filter(|end| *end < text.len());
            }
            '.' | '!' | '?' | '…' => ended = true,
            // Quotes and brackets may close after the full stop.
            '"' | '\'' | ')' | ']' | '»' | '”' | '’' if ended => {}
            _ if ended && character.is_whitespace() => {
                let after = text.get(index..)?.trim_start();
                if after
                    .chars()
                    .next()
                    .is_some_and(|next| !next.is_lowercase())
                {
                    return Some(index);
                }
                ended = false;
            }
            _ => ended = false,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_into_sentences() {
        let check = |text: &str, expected: &[&str]| assert_eq!(split(text), expected, "{text}");
        check("", &[]);
        check("No end", &["No end"]);
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check(
            "He said \"stop.\" Then left.",
            &["He said \"stop.\"", "Then left."],
        );
        check(
            "It costs 3.50 at example.com. Fine.",
            &["It costs 3.50 at example.com.", "Fine."],
        );
        check(
            "See e.g. the list. Done...",
            &["See e.g. the list.", "Done..."],
        );
        check("Title\n\nBody here. More", &["Title", "Body here.", "More"]);
        check("これは文。次の文。", &["これは文。", "次の文。"]);
    }
}
