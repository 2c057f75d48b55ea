//! What of a request tells its kind? Names, numbers and quotes go; the stems that are
//! left, alone and in pairs, are what requests of one kind have in common.

use std::sync::LazyLock;

use holloway_search::literals::without_literals;
use holloway_search::words::terms;
use regex::Regex;

/// Longer requests are as much alike by their first words.
const GRAMS_AT_MOST: usize = 1_000;

static QUOTES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(^|[\s(:,])(?:'[^']{2,80}'|"[^"]{2,80}"|[“‘][^”’]{2,80}[”’])"#).ok()
});

/// A request without what it is about this time.
pub(super) fn masked(text: &str) -> String {
    let plain = without_literals(text);
    let unquoted = match &*QUOTES {
        Some(quotes) => quotes.replace_all(&plain, "$1 "),
        None => plain.as_str().into(),
    };
    let mut kept = String::with_capacity(unquoted.len());
    let mut goes_on = false;
    for word in unquoted.split_whitespace() {
        let mut letters = word.chars();
        let is_capital = letters.next().is_some_and(char::is_uppercase);
        // A capital by itself is as often "I" as a name.
        let is_name = goes_on && is_capital && letters.next().is_some_and(char::is_alphabetic);
        let is_code = word.chars().any(|letter| letter.is_ascii_digit());
        if is_code || is_name {
            continue;
        }
        let last = word.chars().next_back();
        goes_on = last.is_some_and(|letter| letter.is_lowercase() || letter == ',');
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    kept
}

/// What stands in a text, each with the logarithm of its count plus one.
pub(super) type Grams = Vec<(String, f32)>;

/// Stems and pairs of neighbouring stems, each with the logarithm of its count plus one.
pub(super) fn grams(text: &str) -> Grams {
    let mut stems = terms(text);
    stems.truncate(GRAMS_AT_MOST);
    let pairs = stems.windows(2).map(|pair| pair.join(" "));
    let mut all: Vec<String> = pairs.collect();
    all.extend(stems);
    all.sort_unstable();
    let mut counted = Grams::new();
    for gram in all {
        match counted.last_mut() {
            Some((last, count)) if *last == gram => *count += 1.0,
            _ => counted.push((gram, 1.0)),
        }
    }
    for (_, count) in &mut counted {
        *count = 1.0 + count.ln();
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(masked(text), expected);
    }

    #[test]
    fn names_numbers_and_quotes_go() {
        check(
            "Book flight CA980 for Li Ming, and write 'see you' to him.",
            "Book flight for and write to him.",
        );
        check("I don't know what I'm doing", "I don't know what I'm doing");
        check("", "");
    }

    #[test]
    fn pairs_count_beside_words() {
        let found = grams("search trains, search trains");
        let expected = 1.0 + 2.0f32.ln();
        assert_eq!(
            found,
            [
                ("search".to_owned(), expected),
                ("search train".to_owned(), expected),
                ("train".to_owned(), expected),
                ("train search".to_owned(), 1.0),
            ]
        );
    }
}
