//! Which words does a text have? Stretches of letters and digits, with apostrophes and
//! hyphens inside them, in lower case.

/// A word and where it stands, in bytes.
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
}

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut begun: Option<usize> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next_is_letter = || {
            characters
                .clone()
                .next()
                .is_some_and(|(_, next)| next.is_alphanumeric())
        };
        let inside = character.is_alphanumeric()
            || (begun.is_some() && matches!(character, '\'' | '’' | '-') && next_is_letter());
        match (inside, begun) {
            (true, None) => begun = Some(at),
            (false, Some(start)) => {
                tokens.extend(text.get(start..at).map(|text| Token { text, start }));
                begun = None;
            }
            _ => {}
        }
    }
    if let Some(start) = begun {
        tokens.extend(text.get(start..).map(|text| Token { text, start }));
    }
    tokens
}

/// In lower case, in order.
pub(super) fn words(text: &str) -> Vec<String> {
    tokens(text)
        .iter()
        .map(|token| token.text.to_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_into_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text}");
        check(
            "It's a well-known Fact.",
            &["it's", "a", "well-known", "fact"],
        );
        check("Grün – grün!", &["grün", "grün"]);
        check("x- -y 'z'", &["x", "y", "z"]);
        check("", &[]);
    }
}
