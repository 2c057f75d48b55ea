//! Which clauses only say how things are? "My boss is waiting." Such a clause is passed over where
//! its signs say so; so are reasons at the end of a clause, and the end of a letter. Whoever reads
//! the frame is told.

use std::ops::Range;

use super::holes::Holes;
use super::passing::PassingWeights;
use super::passing::clause::{ClauseSigns, Clauses, begins};
use super::phrases::Match;
use super::tokens::{Token, TokenKind};
use crate::lexicon::Lexicon;

const ENDS: &str = ".!?;";
const CLAUSES: &str = ",:()–—-";
/// Tokens that the end of a letter has at most.
const LONGEST_FAREWELL: usize = 12;

/// A clause with its signs, and how likely it changes nothing.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) at: Range<usize>,
    pub(super) signs: ClauseSigns,
    pub(super) idle: f32,
    /// It names a file, an address or a text in quotes.
    pub(super) place: bool,
    /// It could limit what is asked for.
    pub(super) limits: bool,
}

/// The clauses of a request.
pub(super) fn clauses(
    all: &Clauses<'_, '_>,
    weights: &PassingWeights<ClauseSigns>,
    holes: &mut Holes<'_>,
) -> Vec<Clause> {
    let mut found = Vec::new();
    for sentence in parts(all.tokens, 0..all.tokens.len(), ENDS) {
        for at in parts(all.tokens, sentence.clone(), &format!("{ENDS}{CLAUSES}")) {
            let stated = says_how_things_are(all.tokens, at.clone(), all.lexicon)
                && !asks(all.tokens, at.clone(), all.matched, all.lexicon)
                && names_nothing(at.clone(), holes);
            let signs = all.signs(&at, &sentence, stated, holes);
            found.push(Clause {
                idle: weights.chance(&signs),
                place: all.names_place(&at),
                limits: could_limit(all.tokens, at.clone(), &signs, all.lexicon, holes),
                signs,
                at,
            });
        }
    }
    found
}

/// The places of the clauses that can be passed over, the marks behind them included.
pub(super) fn asides(
    tokens: &[Token],
    clauses: &[Clause],
    harmless: f32,
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Range<usize>> {
    let mut asides = Vec::new();
    for clause in clauses {
        if clause.idle >= harmless && !clause.place {
            asides.push(clause.at.clone());
        } else {
            asides.extend(reasons(tokens, clause.at.clone(), lexicon, holes));
        }
    }
    asides.extend(farewell(tokens, lexicon, holes));
    // Something must be left that is asked for.
    let left = (0..tokens.len()).any(|at| !asides.iter().any(|aside| aside.contains(&at)));
    if left { asides } else { Vec::new() }
}

/// Whether a clause that looks like context could limit what is asked for: it denies, demands, or
/// names something that is known. Then somebody has to agree that it is passed over.
fn could_limit(
    tokens: &[Token],
    at: Range<usize>,
    signs: &ClauseSigns,
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> bool {
    let purpose = tokens
        .get(at.start)
        .is_some_and(|token| lexicon.words.purpose.contains(&token.lower));
    let rows = purpose && at.clone().any(|at| !holes.at("rows", at).is_empty());
    let denies = signs.negations + signs.asking > 0.0;
    denies || rows || signs.numbers > 0.0 || !names_nothing(at, holes)
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

/// A statement that begins like one, orders nothing and has no word that could change what is
/// asked for.
fn says_how_things_are(tokens: &[Token], places: Range<usize>, lexicon: &Lexicon) -> bool {
    let inside = tokens.get(places.clone()).unwrap_or_default();
    let words = &lexicon.words;
    let known = words
        .asides
        .iter()
        .any(|words| begins(tokens, places.start, words));
    let orders = |order: &String| places.clone().any(|at| begins(tokens, at, order));
    let is_question = inside.last().is_some_and(|token| token.text == "?");
    let says_nothing = |token: &Token| match token.kind {
        // A code such as `INV-17` shows or names something.
        TokenKind::Word => {
            !token.text.chars().any(|letter| letter.is_ascii_digit())
                && !lexicon.index().tells(&token.lower, lexicon)
        }
        TokenKind::Mark => true,
        _ => false,
    };
    known && !is_question && !words.orders.iter().any(orders) && inside.iter().all(says_nothing)
}

/// Whether a phrase that stands there says what is to be done, or of what.
fn asks(tokens: &[Token], places: Range<usize>, matched: &[Vec<Match>], lexicon: &Lexicon) -> bool {
    let found = matched.get(places.clone()).into_iter().flatten().flatten();
    let mut found = found.filter(|found| found.end <= places.end);
    found.any(|found| {
        let phrase = lexicon.phrases.get(found.phrase);
        let is_act = phrase.is_some_and(|phrase| phrase.act.is_some() && !phrase.idle);
        let alone = found.end == found.start + 1;
        let everyday = tokens
            .get(found.start)
            .is_some_and(|token| lexicon.words.everyday.contains(&token.lower));
        (is_act || !found.parts.is_empty()) && !(alone && everyday)
    })
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
    use crate::read::passing::Passing;
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
        let matched = crate::read::phrases::matches(&tokens, lexicon, &mut holes);
        let all = Clauses {
            request,
            tokens: &tokens,
            matched: &matched,
            lexicon,
        };
        let weights = &Passing::shipped().unwrap().clause;
        let clauses = clauses(&all, weights, &mut holes);
        let found = asides(&tokens, &clauses, weights.harmless, lexicon, &mut holes);
        let limits =
            |aside: &Range<usize>| clauses.iter().any(|one| one.at == *aside && one.limits);
        let found: Vec<_> = found.into_iter().filter(|aside| !limits(aside)).collect();
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
        // It orders nothing, although it speaks of sorting; the note says that it was passed over.
        check(
            "I'm used to sorted lists. Show orders.csv.",
            &["I'm used to sorted lists."],
        );
        check("Is my boss waiting? Show orders.csv.", &[]);
        check("My boss is waiting.", &[]);
    }
}
