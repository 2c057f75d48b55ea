//! Which parts does a request have? "Find flights and then book a hotel" asks for
//! two tools, and each part is looked for on its own too.

use std::sync::LazyLock;

use regex::Regex;

use crate::entry::cut;
use crate::literals::without_literals;
use crate::words::is_ideograph;

/// A longer request is cut; what nobody would read is not searched for.
const REQUEST_AT_MOST: usize = 16_000;
/// Parts beyond this many are taken together.
const CLAUSES_AT_MOST: usize = 24;
/// A shorter part belongs to the one before it.
const WORDS_AT_LEAST: usize = 3;
const MARKS: [char; 14] = [
    ' ', '.', ',', ';', '!', '?', '。', '，', '；', '！', '？', '、', '\t', '\r',
];

/// Ends of sentences, commas and words that lead to the next thing.
static BORDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let next = "and then|then|and also|after that|afterwards|finally|next|also|followed by|\
                as well as|once (?:that|you)|before that";
    let border = format!(r"(?i)[.?!;]\s+|,?\s+(?:{next})\s+|,\s+|\s+and\s+|\n+|[。！？；，、]\s*");
    Regex::new(&border).ok()
});

/// The part of a request that is looked at.
pub fn bounded(request: &str) -> String {
    cut(request, REQUEST_AT_MOST)
}

/// The parts of a request; the whole if there is only one.
pub fn clauses(request: &str) -> Vec<String> {
    let mut clauses: Vec<String> = Vec::new();
    let parts: Vec<&str> = match &*BORDER {
        Some(border) => border.split(request).collect(),
        None => vec![request],
    };
    for part in parts {
        let part = part.trim_matches(|letter| MARKS.contains(&letter));
        if part.is_empty() {
            continue;
        }
        let is_full = clauses.len() >= CLAUSES_AT_MOST;
        match clauses.last_mut() {
            Some(last) if is_full || length(part) < WORDS_AT_LEAST => {
                last.push(' ');
                last.push_str(part);
            }
            _ => clauses.push(part.to_owned()),
        }
    }
    if clauses.is_empty() {
        clauses.push(request.to_owned());
    }
    clauses
}

/// In words that are looked for; where words are not set apart, two characters are about one.
fn length(part: &str) -> usize {
    let part = without_literals(part);
    let ideographs = part.chars().filter(|letter| is_ideograph(*letter)).count();
    part.split_whitespace().count() + ideographs / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &[&str]) {
        assert_eq!(clauses(request), expected, "{request}");
    }

    #[test]
    fn a_request_comes_apart_where_the_next_thing_begins() {
        check(
            "Find a flight to Oslo, and then book the cheapest hotel. Also tell my boss!",
            &[
                "Find a flight to Oslo",
                "book the cheapest hotel",
                "Also tell my boss",
            ],
        );
        check("what is the weather", &["what is the weather"]);
    }

    #[test]
    fn short_parts_stay_with_the_one_before() {
        check(
            "Compare red, green and blue paints",
            &["Compare red green blue paints"],
        );
        check("salt and pepper and so on", &["salt pepper so on"]);
    }

    #[test]
    fn odd_requests_have_one_part() {
        check("", &[""]);
        check(" ,. ", &[" ,. "]);
    }

    #[test]
    fn words_need_no_spaces() {
        check(
            "查询天气。然后发送邮件，谢谢",
            &["查询天气", "然后发送邮件 谢谢"],
        );
    }

    #[test]
    fn parts_are_bounded() {
        let many = "find one thing here. ".repeat(100);
        let parts = clauses(&many);
        assert_eq!(parts.len(), 24);
        assert!(parts.last().is_some_and(|last| last.len() > 1_000));
        assert_eq!(bounded(&"é".repeat(1 << 20)).chars().count(), 16_000);
    }
}
