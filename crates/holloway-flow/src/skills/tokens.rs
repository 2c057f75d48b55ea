//! About how many tokens is a text? A quarter of its characters, rounded up: close for
//! English prose with the tokenizers in use, and the same whichever model reads it.

const CHARACTERS: usize = 4;

pub fn count(text: &str) -> usize {
    text.chars().count().div_ceil(CHARACTERS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn characters_count_not_bytes() {
        for (text, expected) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("éééé", 1)] {
            assert_eq!(super::count(text), expected, "{text}");
        }
    }
}
