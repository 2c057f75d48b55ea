//! What do the signs of a clause say? Who speaks, what it names, and whether a phrase that asks for
//! something stands in it.

use std::ops::Range;

use super::signs;
use crate::lexicon::Lexicon;
use crate::read::holes::Holes;
use crate::read::phrases::Match;
use crate::read::tokens::{Token, TokenKind};
use crate::read::verbs::{Lead, lead};

signs! {
    ClauseSigns, CLAUSE_SIGNS;
    /// It begins like a statement and has no word that a phrase or list knows as telling.
    stated,
    /// It begins like a clause that says why, when or what for.
    reason,
    /// It begins with the person who speaks.
    speaker,
    /// It begins like a statement.
    teller,
    /// A word in it is a verb of statements: "is", "asked", "wants".
    finite,
    /// It begins with a verb that orders.
    orders,
    /// It begins or ends as a question.
    question,
    /// A phrase that begins a goal stands in it.
    act,
    /// A phrase that is part of a goal stands in it.
    parts,
    /// How much of it such phrases take in.
    covered,
    /// A goal begins in another clause.
    act_elsewhere,
    /// A file or address stands in another clause.
    place_elsewhere,
    numbers,
    columns,
    cells,
    dates,
    negations,
    /// Words that say which, how many or what kind.
    telling,
    /// Words by which something is asked for, limited or excluded.
    asking,
    /// How many of its words the lexicon has.
    known,
    /// Words, as a logarithm.
    length,
    /// It is a whole sentence.
    whole,
    first,
    last,
    /// It stands in brackets.
    bracket,
    /// It ends with a colon.
    colon,
}

/// A request while its clauses are weighed.
pub(in crate::read) struct Clauses<'a, 'b> {
    pub(in crate::read) request: &'a str,
    pub(in crate::read) tokens: &'a [Token],
    pub(in crate::read) matched: &'b [Vec<Match>],
    pub(in crate::read) lexicon: &'a Lexicon,
}

fn one(is: bool) -> f32 {
    f32::from(u8::from(is))
}

fn few(count: usize) -> f32 {
    count.min(3) as f32
}

pub(in crate::read) fn begins(tokens: &[Token], at: usize, words: &str) -> bool {
    let mut written = tokens
        .get(at..)
        .unwrap_or_default()
        .iter()
        .map(|token| token.lower.as_str());
    words.split(' ').all(|word| written.next() == Some(word))
}

impl Clauses<'_, '_> {
    /// The signs of a clause; `sentence` is where it stands.
    pub(in crate::read) fn signs(
        &self,
        clause: &Range<usize>,
        sentence: &Range<usize>,
        stated: bool,
        holes: &mut Holes<'_>,
    ) -> ClauseSigns {
        let inside = self.tokens.get(clause.clone()).unwrap_or_default();
        let words: Vec<&Token> = inside
            .iter()
            .filter(|token| token.kind == TokenKind::Word)
            .collect();
        let lists = &self.lexicon.words;
        let count = |is: &dyn Fn(&Token) -> bool| words.iter().filter(|word| is(word)).count();
        let start = (clause.start..clause.end).find(|at| {
            self.tokens
                .get(*at)
                .is_some_and(|token| token.kind != TokenKind::Mark)
        });
        let start = start.unwrap_or(clause.start);
        let opens = |list: &[String]| list.iter().any(|words| begins(self.tokens, start, words));
        let led = lead(self.text(clause));
        let ends = |mark: &str| inside.last().is_some_and(|token| token.text == mark);
        let hits = |kind: &str, holes: &mut Holes<'_>| {
            let mut places = clause.clone();
            places.any(|at| holes.at(kind, at).iter().any(|found| found.note.is_none()))
        };
        let covered = self.covered(clause);
        ClauseSigns {
            stated: one(stated),
            reason: one(opens(&lists.reasons) || opens(&lists.leads)),
            speaker: one(opens(&lists.speakers)),
            teller: one(opens(&lists.asides)),
            finite: one(count(&|word| lists.finite.contains(&word.lower)) > 0),
            orders: one(matches!(led, Lead::Verb { .. })),
            question: one(led == Lead::Question || ends("?")),
            act: one(self.acts(clause)),
            parts: one(covered > 0),
            covered: covered as f32 / inside.len().max(1) as f32,
            act_elsewhere: one(self.elsewhere(clause, |at| self.acts(&at))),
            place_elsewhere: one(self.elsewhere(clause, |at| self.names_place(&at))),
            numbers: few(inside
                .iter()
                .filter(|token| token.kind == TokenKind::Number)
                .count()),
            columns: one(hits("column", holes)),
            cells: one(hits("cell", holes)),
            dates: one(hits("date", holes)),
            negations: few(count(&|word| self.lexicon.is_negation(&word.lower))),
            telling: few(count(&|word| {
                self.lexicon.index().tells(&word.lower, self.lexicon)
            })),
            asking: few(count(&|word| lists.orders.contains(&word.lower))),
            known: count(&|word| self.lexicon.index().knows(&word.lower, self.lexicon)) as f32
                / words.len().max(1) as f32,
            length: (words.len().max(1) as f32).ln(),
            whole: one(clause == sentence),
            first: one(clause.start == 0),
            last: one(clause.end == self.tokens.len()),
            bracket: one(clause.start > 0
                && self
                    .tokens
                    .get(clause.start - 1)
                    .is_some_and(|token| token.text == "(")),
            colon: one(ends(":")),
        }
    }

    /// Whether a file, an address or a quoted text stands there.
    pub(in crate::read) fn names_place(&self, places: &Range<usize>) -> bool {
        let mut inside = self.tokens.get(places.clone()).unwrap_or_default().iter();
        inside.any(|token| {
            matches!(
                token.kind,
                TokenKind::File | TokenKind::Url | TokenKind::Email | TokenKind::Quoted
            )
        })
    }

    fn text(&self, places: &Range<usize>) -> &str {
        let inside = self.tokens.get(places.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (inside.first(), inside.last()) else {
            return "";
        };
        let at = first.at.start..last.at.end;
        self.request.get(at).unwrap_or_default()
    }

    fn elsewhere(&self, clause: &Range<usize>, is: impl Fn(Range<usize>) -> bool) -> bool {
        is(0..clause.start) || is(clause.end..self.tokens.len())
    }

    fn within(&self, places: &Range<usize>) -> impl Iterator<Item = &Match> {
        let found = self.matched.get(places.clone()).into_iter().flatten();
        let end = places.end;
        found.flatten().filter(move |found| {
            let phrase = self.lexicon.phrases.get(found.phrase);
            let alone = found.end == found.start + 1;
            let everyday = self
                .tokens
                .get(found.start)
                .is_some_and(|token| self.lexicon.words.everyday.contains(&token.lower));
            found.end <= end && !(alone && everyday) && phrase.is_some_and(|phrase| !phrase.idle)
        })
    }

    fn acts(&self, places: &Range<usize>) -> bool {
        let acts = |found: &Match| {
            let phrase = self.lexicon.phrases.get(found.phrase);
            phrase.is_some_and(|phrase| phrase.act.is_some())
        };
        self.within(places).any(acts)
    }

    /// Tokens that phrases with parts take in.
    fn covered(&self, places: &Range<usize>) -> usize {
        let with_parts = |found: &&Match| !found.parts.is_empty();
        let found: Vec<Range<usize>> = self
            .within(places)
            .filter(with_parts)
            .map(|found| found.start..found.end)
            .collect();
        let is_covered = |at: &usize| found.iter().any(|range| range.contains(at));
        places.clone().filter(is_covered).count()
    }
}
