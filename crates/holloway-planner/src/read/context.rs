//! Which sentences only say how things are? "My boss is waiting." Such a sentence is passed over
//! if it names no file, column, value or number, and has no word that could change what is
//! asked for; so is a clause that says why, and the end of a letter. Whoever reads the frame is told.

use std::ops::Range;

use super::holes::Holes;
use super::tokens::{Token, TokenKind};
use crate::lexicon::Lexicon;

const ENDS: &str = ".!?;";
const CLAUSES: &str = ",:()–";
/// Tokens that the end of a letter has at most.
const LONGEST_FAREWELL: usize = 12;

/// The places of the sentences and clauses that can be passed over, the marks behind them included.
pub(super) fn asides(
    tokens: &[Token],
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Range<usize>> {
    let sentences = parts(tokens, 0..tokens.len(), ENDS);
    let mut asides = Vec::new();
    for sentence in &sentences {
        if is_aside(tokens, sentence.clone(), lexicon, holes) {
            asides.push(sentence.clone());
            continue;
        }
        asides.extend(reasons(tokens, sentence.clone(), lexicon, holes));
    }
    asides.extend(farewell(tokens, lexicon, holes));
    // Something must be left that is asked for.
    let left = (0..tokens.len()).any(|at| !asides.iter().any(|aside| aside.contains(&at)));
    if left { asides } else { Vec::new() }
}

/// Divides tokens behind marks.
fn parts(tokens: &[Token], within: Range<usize>, marks: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = within.start;
    for at in within.clone() {
        let ends = tokens.get(at).is_some_and(|token| {
            token.kind == TokenKind::Mark && marks.contains(token.text.as_str())
        });
        if ends || at + 1 == within.end {
            found.push(start..at + 1);
            start = at + 1;
        }
    }
    found
}

fn begins(tokens: &[Token], at: usize, words: &str) -> bool {
    let mut written = tokens
        .get(at..)
        .unwrap_or_default()
        .iter()
        .map(|token| token.lower.as_str());
    words.split(' ').all(|word| written.next() == Some(word))
}

fn is_aside(
    tokens: &[Token],
    sentence: Range<usize>,
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> bool {
    let Some(inside) = tokens.get(sentence.clone()) else {
        return false;
    };
    let is_question = inside.last().is_some_and(|token| token.text == "?");
    let words = &lexicon.words;
    let known = words
        .asides
        .iter()
        .any(|words| begins(tokens, sentence.start, words));
    let orders = inside
        .iter()
        .any(|token| words.orders.contains(&token.lower));
    if is_question || !known || orders {
        return false;
    }
    let says_nothing = |token: &Token| match token.kind {
        // A code such as `INV-17` shows or names something.
        TokenKind::Word => {
            !token.text.chars().any(|letter| letter.is_ascii_digit())
                && !lexicon.index().tells(&token.lower, lexicon)
        }
        TokenKind::Mark => true,
        _ => false,
    };
    inside.iter().all(says_nothing) && names_nothing(sentence, holes)
}

/// Whether no column, cell or date is named.
fn names_nothing(mut places: Range<usize>, holes: &mut Holes<'_>) -> bool {
    places.all(|at| {
        holes
            .at("column", at)
            .iter()
            .all(|found| found.note.is_some())
            && holes.at("cell", at).is_empty()
            && holes.at("date", at).is_empty()
    })
}

/// Clauses that only say what somebody does with the result: "so that I can send it to my boss".
/// Words that phrases know may stand there; files, numbers, names of the tables and words that turn
/// a meaning round may not.
fn reasons(
    tokens: &[Token],
    sentence: Range<usize>,
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let words = &lexicon.words;
    for clause in parts(tokens, sentence, &format!("{ENDS}{CLAUSES}")) {
        let start = clause
            .clone()
            .find(|at| words.reasons.iter().any(|words| begins(tokens, *at, words)));
        let Some(reason) = start.map(|start| start..clause.end) else {
            continue;
        };
        let inside = tokens.get(reason.clone()).unwrap_or_default();
        let passes = |token: &Token| match token.kind {
            TokenKind::Word => {
                !lexicon.is_negation(&token.lower)
                    && !words.orders.contains(&token.lower)
                    && !words.joins.contains(&token.lower)
            }
            TokenKind::Mark => true,
            _ => false,
        };
        if inside.iter().all(passes) && names_nothing(reason.clone(), holes) {
            found.push(reason);
        }
    }
    found
}

/// How a letter ends, with the names behind.
fn farewell(tokens: &[Token], lexicon: &Lexicon, holes: &mut Holes<'_>) -> Option<Range<usize>> {
    let closings = &lexicon.words.closings;
    let start =
        (1..tokens.len()).find(|at| closings.iter().any(|words| begins(tokens, *at, words)))?;
    let end = start..tokens.len();
    let inside = tokens.get(end.clone())?;
    let short = inside.len() <= LONGEST_FAREWELL;
    let plain = inside
        .iter()
        .all(|token| matches!(token.kind, TokenKind::Word | TokenKind::Mark));
    let denies = inside.iter().any(|token| lexicon.is_negation(&token.lower));
    (short && plain && !denies && names_nothing(end.clone(), holes)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::scene::{Column, File, Scene};
    use crate::read::embedded::language;
    use crate::read::tokens::tokens;

    fn check(request: &str, expected: &[&str]) {
        let column = Column {
            name: "status".to_owned(),
            values: vec!["open".to_owned()],
            ..Column::default()
        };
        let file = File {
            name: "orders.csv".to_owned(),
            columns: vec![column],
        };
        let scene = Scene {
            files: vec![file],
            ..Scene::default()
        };
        let tokens = tokens(request);
        let lexicon = language(&tokens);
        let mut holes = Holes::new(request, &tokens, &scene, lexicon);
        let found = asides(&tokens, lexicon, &mut holes);
        let text = |aside: &Range<usize>| {
            &request[tokens[aside.start].at.start..tokens[aside.end - 1].at.end]
        };
        assert_eq!(
            found.iter().map(text).collect::<Vec<_>>(),
            expected,
            "{request}"
        );
    }

    #[test]
    fn only_what_changes_nothing_is_passed_over() {
        check(
            "My boss is waiting. Show orders.csv.",
            &["My boss is waiting."],
        );
        check(
            "Show orders.csv. It's for a school project.",
            &["It's for a school project."],
        );
        check(
            "Mein Chef wartet. Zeig mir die Datei orders.csv",
            &["Mein Chef wartet."],
        );
        // A file, a value, a column, a negation, a number, an order to sort: all of them matter.
        check("My list is orders.csv. Show it.", &[]);
        check("We have open ones. Show orders.csv.", &[]);
        check("The status matters to me. Show orders.csv.", &[]);
        check("I am not interested. Show orders.csv.", &[]);
        check("My limit is 5. Show orders.csv.", &[]);
        check("I'm used to sorted lists. Show orders.csv.", &[]);
        check("Is my boss waiting? Show orders.csv.", &[]);
        check("My boss is waiting.", &[]);
    }
}
