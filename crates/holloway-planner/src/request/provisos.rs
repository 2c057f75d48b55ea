//! What does a request make its deeds depend on? "If notes.txt mentions Bob, …": a plan that
//! does not look first must not claim to have heard it. "Tell me if it rains" only asks.

use std::ops::Range;

use holloway_search::words::each_word;

use super::{Analysis, EntityKind};

const LEADS: [&str; 2] = ["if", "unless"];
/// What stands before an "if" that asks.
#[rustfmt::skip]
const ASKS: [&str; 24] = [
    "ask", "check", "clear", "confirm", "decide", "detect", "determine", "even", "evaluate", "examine", "find", "find out", "inspect",
    "know", "look", "me", "say", "see", "sure", "tell", "test", "us", "verify", "what",
];
/// What an "if" leads to that nothing depends on.
#[rustfmt::skip]
const POLITE: [&str; 9] = [
    "any", "available", "needed", "necessary", "possible", "required", "so", "there's", "you",
];
/// How many words before it may ask.
const BEFORE: usize = 3;
const ENDS: [char; 5] = ['.', ';', '!', '?', '\n'];

/// The conditions that deeds depend on, as they stand in the request; those that say which rows
/// are meant have been read as such.
pub(crate) fn provisos(analysis: &Analysis) -> Vec<&str> {
    let text = analysis.request.as_str();
    let words = words(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, (place, word)) in words.iter().enumerate() {
        let before = words.get(at.saturating_sub(BEFORE)..at).unwrap_or_default();
        let asks = before.iter().any(|(own, word)| {
            let apart = text.get(own.end..place.start).unwrap_or_default();
            ASKS.contains(&word.as_str()) && !apart.contains([',', '.', ';', ':'])
        });
        let next = words.get(at + 1).map(|(_, word)| word.as_str());
        let is_polite = next.is_none_or(|next| POLITE.contains(&next));
        let is_lead = LEADS.contains(&word.as_str()) && !is_quoted(analysis, place);
        if is_lead && !asks && !is_polite {
            found.push(place.start..end_of(analysis, &words, at));
        }
    }
    found.retain(|place| !is_about_rows(analysis, place));
    found
        .into_iter()
        .filter_map(|place| text.get(place))
        .collect()
}

/// Words with their places, in lower case.
fn words(text: &str) -> Vec<(Range<usize>, String)> {
    let mut words = Vec::new();
    let mut from = 0;
    for token in text.split_inclusive(char::is_whitespace) {
        let mut bare = None;
        each_word(token, |word| {
            bare.get_or_insert_with(|| word.to_lowercase());
        });
        words.push((
            from..from + token.trim_end().len(),
            bare.unwrap_or_default(),
        ));
        from += token.len();
    }
    words
}

/// Where a condition ends: at a comma, at "then", or with its sentence.
fn end_of(analysis: &Analysis, words: &[(Range<usize>, String)], lead: usize) -> usize {
    let text = analysis.request.as_str();
    let mut end = words.get(lead).map_or(0, |(place, _)| place.end);
    for (place, word) in words.iter().skip(lead + 1) {
        if word == "then" {
            break;
        }
        end = place.end;
        let said = text.get(place.clone()).unwrap_or_default();
        let closes = said.ends_with(',') || said.ends_with(ENDS);
        if closes && !is_quoted(analysis, &(place.end - 1..place.end)) {
            return place.end - 1;
        }
    }
    end
}

fn is_quoted(analysis: &Analysis, place: &Range<usize>) -> bool {
    let mut quoted = analysis.entities.iter();
    quoted.any(|entity| {
        let covers = entity.place.start <= place.start && place.end <= entity.place.end;
        entity.kind == EntityKind::Quoted && covers
    })
}

fn is_about_rows(analysis: &Analysis, place: &Range<usize>) -> bool {
    let mut conditions = analysis.conditions.iter();
    conditions.any(|said| said.place.start < place.end && place.start < said.place.end)
}

#[cfg(test)]
mod tests {
    use super::super::analyse;
    use super::*;
    use crate::catalogue::Catalogue;

    #[track_caller]
    fn check(request: &str, expected: &[&str]) {
        let analysis = analyse(request, &Catalogue::new([]));
        assert_eq!(provisos(&analysis), expected, "{request}");
    }

    #[test]
    fn what_deeds_depend_on_is_found() {
        check(
            "If notes.txt contains \"Bob\" then count the rows of orders.csv",
            &["If notes.txt contains \"Bob\""],
        );
        check(
            "unless notes.txt mentions Bob, append \"ask Bob\" to it",
            &["unless notes.txt mentions Bob"],
        );
        check(
            "delete a.txt if it is empty. Then stop.",
            &["if it is empty"],
        );
        check(
            "check the page, and if it is down, mail me",
            &["if it is down"],
        );
    }

    #[test]
    fn what_only_asks_is_none() {
        check("tell me if a.csv has duplicates", &[]);
        check("check whether or if the site is up", &[]);
        check("let me know if it rains", &[]);
        check("make a chart if possible", &[]);
        check("write \"call me if you can\" to note.txt", &[]);
        check("", &[]);
        check("if", &[]);
    }
}
