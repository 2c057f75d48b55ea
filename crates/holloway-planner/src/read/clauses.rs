//! Which stretch of the request is which clause? The clauses of the search, with their
//! places: the number of a clause is the same in both.

use std::ops::Range;

use holloway_search::clauses::clauses;

/// The place of every clause; together they cover the text from the first word on.
pub fn parts(text: &str) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut cursor = 0;
    for clause in clauses(text) {
        // Short parts were joined to the clause before them with other blanks, so that
        // only its words are found again, one after the other.
        let mut start = None;
        for word in clause.split_whitespace() {
            let found = text.get(cursor..).and_then(|rest| rest.find(word));
            let at = cursor + found.unwrap_or(0);
            start = start.or(Some(at));
            cursor = at + if found.is_some() { word.len() } else { 0 };
        }
        starts.push(start.unwrap_or(cursor));
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let pairs = starts.iter().copied().zip(ends);
    pairs.map(|(start, end)| start..end.max(start)).collect()
}

/// The clause that a place lies in.
pub fn part_at(parts: &[Range<usize>], at: usize) -> usize {
    let after = parts.iter().position(|part| part.start > at);
    after.unwrap_or(parts.len()).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let parts = parts(text);
        let found: Vec<&str> = parts.iter().map(|part| text[part.clone()].trim()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn clauses_have_their_places() {
        check(
            "Find cheap flights and then book a hotel",
            &["Find cheap flights and then", "book a hotel"],
        );
        check(
            "check my site for SEO, speed, security.",
            &["check my site for SEO, speed, security."],
        );
        check("", &[""]);
        check("  ", &[""]);
    }

    #[test]
    fn a_place_lies_in_one_clause() {
        let text = "Find cheap flights and then book a hotel";
        let parts = parts(text);
        assert_eq!(part_at(&parts, 0), 0);
        assert_eq!(part_at(&parts, text.len()), 1);
        assert_eq!(part_at(&[], 3), 0);
    }
}
