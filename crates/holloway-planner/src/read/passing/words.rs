//! What do the signs of words say that no phrase takes in? What they are, what stands around them,
//! and what the clause is like in which they stand.

use std::ops::Range;

use super::signs;
use crate::lexicon::Lexicon;
use crate::read::holes::Holes;
use crate::read::tokens::{Token, TokenKind};
use crate::read::verbs::is_verb;

signs! {
    WordSigns, WORD_SIGNS;
    /// Words, as a logarithm.
    length,
    negations,
    /// Words that say which, how many or what kind.
    telling,
    /// Words by which something is asked for, limited or excluded.
    asking,
    /// The first of them begins a phrase that asks for something.
    begins,
    /// How many of them the lexicon has.
    known,
    /// One of them is a verb that people tell tools.
    verb,
    columns,
    cells,
    /// One of them has a capital, and does not begin a sentence.
    name,
    /// They follow a word like "of", "from", "by".
    bound,
    /// They follow the word for a purpose: "for".
    purpose,
    /// They follow a word that joins: "and", a comma.
    joined,
    /// They begin a clause.
    opens,
    /// They stand right before or behind a file or address.
    beside_place,
    /// They stand right before what rows are called.
    beside_rows,
    /// The last of them looks like a word for many.
    plural,
    /// One of them looks like the form of a verb.
    verbal,
    /// How much of the clause is left over.
    left,
    /// How likely the clause changes nothing.
    clause,
}

/// Words that no phrase takes in, with what is around them.
pub(in crate::read) struct Leftover<'a> {
    pub(in crate::read) tokens: &'a [Token],
    pub(in crate::read) lexicon: &'a Lexicon,
    pub(in crate::read) run: Range<usize>,
    pub(in crate::read) clause: Range<usize>,
    /// How much of the clause is left over, and how likely it changes nothing.
    pub(in crate::read) left: f32,
    pub(in crate::read) idle: f32,
}

fn one(is: bool) -> f32 {
    f32::from(u8::from(is))
}

impl Leftover<'_> {
    /// Words that name a thing or turn the meaning round are never passed over.
    pub(in crate::read) fn is_telling(&self) -> bool {
        let mut inside = self.inside().iter();
        inside.any(|token| match token.kind {
            TokenKind::Word => self.lexicon.is_negation(&token.lower),
            _ => true,
        })
    }

    fn inside(&self) -> &[Token] {
        self.tokens.get(self.run.clone()).unwrap_or_default()
    }

    pub(in crate::read) fn signs(&self, holes: &mut Holes<'_>) -> WordSigns {
        let inside = self.inside();
        let lists = &self.lexicon.words;
        let count = |is: &dyn Fn(&Token) -> bool| inside.iter().filter(|word| is(word)).count();
        let few = |is: &dyn Fn(&Token) -> bool| count(is).min(3) as f32;
        let index = self.lexicon.index();
        let first = inside.first().map_or("", |token| token.lower.as_str());
        let last = inside.last().map_or("", |token| token.lower.as_str());
        let before = self
            .run
            .start
            .checked_sub(1)
            .and_then(|at| self.tokens.get(at));
        let after = self.tokens.get(self.run.end);
        let follows = |list: &[String]| before.is_some_and(|token| list.contains(&token.lower));
        let is_place = |token: &Token| matches!(token.kind, TokenKind::File | TokenKind::Url);
        let begins = index.of_word(first, self.lexicon).any(|(phrase, _)| {
            let phrase = self.lexicon.phrases.get(phrase);
            phrase.is_some_and(|phrase| phrase.act.is_some())
        });
        let hits = |kind: &str, holes: &mut Holes<'_>| {
            let mut places = self.run.clone();
            places.any(|at| !holes.at(kind, at).is_empty())
        };
        let named = |at: usize| {
            let token = self.tokens.get(at);
            let capital = token.is_some_and(|token| token.text.starts_with(char::is_uppercase));
            capital && at > self.clause.start
        };
        let suffix = |word: &str| word.len() > 4 && (word.ends_with("ed") || word.ends_with("ing"));
        WordSigns {
            length: (inside.len().max(1) as f32).ln(),
            negations: few(&|word| self.lexicon.is_negation(&word.lower)),
            telling: few(&|word| index.tells(&word.lower, self.lexicon)),
            asking: few(&|word| lists.orders.contains(&word.lower)),
            begins: one(begins),
            known: count(&|word| index.knows(&word.lower, self.lexicon)) as f32
                / inside.len().max(1) as f32,
            verb: one(count(&|word| is_verb(&word.lower)) > 0),
            columns: one(hits("column", holes)),
            cells: one(hits("cell", holes)),
            name: one(self.run.clone().any(named)),
            bound: one(follows(&lists.binding)),
            purpose: one(follows(&lists.purpose)),
            joined: one(follows(&lists.joins) || before.is_some_and(|token| token.text == ",")),
            opens: one(self.run.start == self.clause.start),
            beside_place: one(before.is_some_and(is_place) || after.is_some_and(is_place)),
            beside_rows: one(after.is_some() && !holes.at("rows", self.run.end).is_empty()),
            plural: one(last.len() > 3 && last.ends_with('s')),
            verbal: one(inside.iter().any(|word| suffix(&word.lower))),
            left: self.left,
            clause: self.idle,
        }
    }
}
