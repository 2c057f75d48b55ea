//! Which sentences only say how things are? "My boss is waiting." Such a sentence is passed over
//! if it names no file, column, value or number, and has no word that could change what is
//! asked for; whoever reads the frame is told.

use std::ops::Range;

use super::holes::Holes;
use super::tokens::{Token, TokenKind};
use crate::lexicon::Lexicon;

const ENDS: &str = ".!?;";

/// The places of the sentences that can be passed over, the marks behind them included.
pub(super) fn asides(
    tokens: &[Token],
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Range<usize>> {
    let sentences = sentences(tokens);
    let asides = sentences
        .iter()
        .filter(|sentence| is_aside(tokens, (*sentence).clone(), lexicon, holes));
    let asides: Vec<Range<usize>> = asides.cloned().collect();
    // Something must be left that is asked for.
    if asides.len() == sentences.len() {
        Vec::new()
    } else {
        asides
    }
}

fn sentences(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        let ends = token.kind == TokenKind::Mark && ENDS.contains(token.text.as_str());
        if ends || at + 1 == tokens.len() {
            found.push(start..at + 1);
            start = at + 1;
        }
    }
    found
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
    let begins = |words: &str| {
        let mut written = inside.iter().map(|token| token.lower.as_str());
        words.split(' ').all(|word| written.next() == Some(word))
    };
    let is_question = inside.last().is_some_and(|token| token.text == "?");
    if is_question || !lexicon.words.asides.iter().any(|words| begins(words)) {
        return false;
    }
    let says_nothing = |token: &Token| match token.kind {
        TokenKind::Word => !lexicon.index().tells(&token.lower, lexicon),
        TokenKind::Mark => true,
        _ => false,
    };
    inside.iter().all(says_nothing)
        && sentence.clone().all(|at| {
            holes
                .at("column", at)
                .iter()
                .all(|found| found.note.is_some())
                && holes.at("cell", at).is_empty()
                && holes.at("date", at).is_empty()
        })
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
