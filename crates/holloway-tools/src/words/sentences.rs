//! Which sentences does a text have? Those of `text-split`, except that the full stop of
//! a title or a common abbreviation (`Mr.`, `e.g.`) ends none.

use super::super::text::sentences;

/// In lower case, without the last full stop. Some may end a sentence; far more often
/// they do not.
const SHORT: [&str; 26] = [
    "mr", "mrs", "ms", "dr", "prof", "rev", "gen", "col", "capt", "lt", "hon", "vs", "e.g", "i.e",
    "cf", "fig", "figs", "approx", "ca", "nr", "z.b", "d.h", "u.a", "bzw", "vgl", "bspw",
];

pub(super) fn split(text: &str) -> Vec<&str> {
    let mut joined: Vec<&str> = Vec::new();
    let mut start: Option<usize> = None;
    let pieces = sentences::split(text);
    let places: Vec<(usize, usize)> = placed(text, &pieces);
    for (index, (from, to)) in places.iter().copied().enumerate() {
        let begun = *start.get_or_insert(from);
        let gap = places
            .get(index + 1)
            .and_then(|(next, _)| text.get(to..*next));
        let piece = text.get(from..to).unwrap_or_default();
        // An empty line parts sentences whatever stands before it.
        let goes_on = gap.is_some_and(|gap| gap.matches('\n').count() < 2) && is_short(piece);
        if !goes_on {
            joined.extend(text.get(begun..to));
            start = None;
        }
    }
    joined
}

/// Where each piece stands, in bytes; they come in order.
fn placed(text: &str, pieces: &[&str]) -> Vec<(usize, usize)> {
    let mut at = 0;
    let mut places = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let found = text.get(at..).and_then(|rest| rest.find(piece));
        let Some(from) = found.map(|offset| at + offset) else {
            continue;
        };
        at = from + piece.len();
        places.push((from, at));
    }
    places
}

fn is_short(sentence: &str) -> bool {
    let Some(head) = sentence.strip_suffix('.') else {
        return false;
    };
    SHORT.iter().any(|short| {
        let Some(start) = head.len().checked_sub(short.len()) else {
            return false;
        };
        let (Some(before), Some(word)) = (head.get(..start), head.get(start..)) else {
            return false;
        };
        word.eq_ignore_ascii_case(short) && !before.ends_with(|c: char| c.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_end_no_sentence() {
        let check = |text: &str, expected: &[&str]| assert_eq!(split(text), expected, "{text}");
        check("", &[]);
        check("One. Two!", &["One.", "Two!"]);
        check(
            "Mr. Smith met Dr. Jones. They left.",
            &["Mr. Smith met Dr. Jones.", "They left."],
        );
        check(
            "Some fruit, e.g. Apples, is red. It is good.",
            &["Some fruit, e.g. Apples, is red.", "It is good."],
        );
        check(
            "I saw the Dr.\n\nThen I left.",
            &["I saw the Dr.", "Then I left."],
        );
        check("He hummed. It stopped.", &["He hummed.", "It stopped."]);
        check("Ask the Dr.", &["Ask the Dr."]);
    }
}
