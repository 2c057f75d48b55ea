//! Which columns, cells and rows of the tables do words name?

use serde_json::json;

use super::{Filling, Holes};
use crate::frame::acts::Acts;
use crate::frame::scene::{Column, Holds, Scene, plain};
use crate::lexicon::Lexicon;
use crate::read::tokens::{Token, TokenKind};

/// Letters from which on one wrong letter is forgiven.
const FORGIVING: usize = 5;
/// Letters that a word has at least that is looked for inside names.
const TELLING: usize = 3;

/// A column with its name taken apart.
pub(super) struct Named<'a> {
    pub(super) column: &'a Column,
    words: Vec<String>,
    /// How many of its words do not just say a unit.
    core: usize,
    plain: String,
}

/// A column that words name.
#[derive(Clone)]
pub(super) struct Called<'a> {
    pub(super) column: &'a Column,
    pub(super) end: usize,
    /// Its name was not written out.
    nearly: bool,
}

impl<'a> Named<'a> {
    pub(super) fn all(scene: &'a Scene, lexicon: &Lexicon) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for column in scene.columns() {
            let known = |named: &Self| {
                named.column.name == column.name && named.column.holds == column.holds
            };
            if !all.iter().any(known) {
                let words = name_words(&column.name);
                let tails = words
                    .iter()
                    .rev()
                    .take_while(|word| lexicon.words.name_tails.contains(word));
                all.push(Self {
                    column,
                    core: words.len() - tails.count(),
                    words,
                    plain: plain(&column.name),
                });
            }
        }
        all
    }

    pub(super) fn is(&self, words: &[&str], joined: &str, lexicon: &Lexicon) -> bool {
        let same = self.words.len() == words.len()
            && self
                .words
                .iter()
                .zip(words)
                .all(|(part, word)| lexicon.same(part, word));
        same || self.plain == joined
    }

    /// The name without its unit: "weight" for `weight_kg`.
    fn is_core(&self, words: &[&str], lexicon: &Lexicon) -> bool {
        self.core < self.words.len()
            && self.core == words.len()
            && self
                .words
                .iter()
                .zip(words)
                .all(|(part, word)| lexicon.same(part, word))
    }

    fn is_nearly(&self, word: &str, lexicon: &Lexicon) -> bool {
        let others = lexicon
            .stems(word)
            .find_map(|stem| lexicon.words.column_words.get(stem));
        let is_part =
            self.words.len() > 1 && self.words.iter().any(|part| lexicon.same(part, word));
        let is_other =
            others.is_some_and(|others| self.words.iter().any(|part| others.contains(part)));
        let is_misspelt = word.chars().count() >= FORGIVING
            && word.len().abs_diff(self.plain.len()) <= 1
            && !lexicon.index().knows(word, lexicon)
            && strsim::damerau_levenshtein(word, &self.plain) == 1;
        is_part || is_other || is_misspelt
    }
}

impl<'a> Holes<'a> {
    pub(super) fn columns(&self, at: usize, fits: impl Fn(&Column) -> bool) -> Vec<Filling> {
        let called = match self.called.get(&at) {
            Some(known) => std::rc::Rc::clone(known),
            None => std::rc::Rc::new(self.called_at(at)),
        };
        let written = self
            .token(at)
            .map(|token| token.text.as_str())
            .unwrap_or_default();
        let mut found: Vec<Filling> = Vec::new();
        for called in called.iter().filter(|called| fits(called.column)) {
            let name = &called.column.name;
            let filling = Filling {
                end: called.end,
                value: json!(name),
                note: called
                    .nearly
                    .then(|| format!("`{written}` was read as the column `{name}`")),
            };
            if !found.contains(&filling) {
                found.push(filling);
            }
        }
        found
    }

    /// Columns that words from here on name, with and without a word like "column" behind.
    pub(super) fn called_at(&self, at: usize) -> Vec<Called<'a>> {
        let found = self.exactly(at);
        let found = if found.is_empty() {
            self.nearly(at)
        } else {
            found
        };
        let longer = found
            .iter()
            .filter(|called| self.has_tail(called.end))
            .map(|called| Called {
                end: called.end + 1,
                ..called.clone()
            });
        let longer: Vec<Called<'a>> = longer.collect();
        found.into_iter().chain(longer).collect()
    }

    /// A word that is the whole name of a column means no other one.
    fn exactly(&self, at: usize) -> Vec<Called<'a>> {
        for (end, words) in self.grams(at) {
            let joined = plain(&words.concat());
            let called = |fits: &dyn Fn(&Named<'a>) -> bool| -> Vec<Called<'a>> {
                let named = self.columns.iter().filter(|named| fits(named));
                let called = named.map(|named| Called {
                    column: named.column,
                    end,
                    nearly: false,
                });
                called.collect()
            };
            let whole = called(&|named| named.is(&words, &joined, self.lexicon));
            if !whole.is_empty() {
                return whole;
            }
            let core = called(&|named| named.is_core(&words, self.lexicon));
            if !core.is_empty() {
                return core;
            }
        }
        Vec::new()
    }

    /// Columns of which the word is a part, or nearly the name, or another word for it.
    fn nearly(&self, at: usize) -> Vec<Called<'a>> {
        let Some(token) = self.token(at).filter(|token| token.kind == TokenKind::Word) else {
            return Vec::new();
        };
        // What the file is called is what its rows are called, not a part of a column's name.
        let is_rows = self.tables.contains(&token.lower);
        if token.idle || is_rows || token.lower.chars().count() < TELLING {
            return Vec::new();
        }
        let near = self
            .columns
            .iter()
            .filter(|named| named.is_nearly(&token.lower, self.lexicon));
        near.map(|named| Called {
            column: named.column,
            end: at + 1,
            nearly: true,
        })
        .collect()
    }

    fn has_tail(&self, end: usize) -> bool {
        let tails = &self.lexicon.words.column_tails;
        self.token(end)
            .is_some_and(|token| tails.contains(&token.lower))
    }

    /// Cells of the tables. A word that says something by itself is one only beside its column.
    pub(super) fn values(&self, at: usize, beside_column: bool) -> Vec<Filling> {
        for (end, words) in self.grams(at) {
            if !beside_column && (at..end).all(|at| self.says_itself(at)) {
                continue;
            }
            let joined = plain(&words.concat());
            let one = self
                .values
                .get(&joined)
                .or_else(|| self.one_of_many(&joined));
            let Some(known) = one else {
                continue;
            };
            let several = known.len() > 1;
            let filling = |(column, value): &(&Column, &str)| Filling {
                end,
                value: json!({"column": column.name, "value": value}),
                note: several
                    .then(|| format!("`{value}` was looked for in the column `{}`", column.name)),
            };
            return known.iter().map(filling).collect();
        }
        Vec::new()
    }

    /// `toy` for the value `toys`, and the other way round.
    pub(super) fn one_of_many(&self, word: &str) -> Option<&Vec<(&Column, &str)>> {
        let plurals = self.lexicon.words.plurals.iter();
        let mut forms = plurals.flat_map(|ending| {
            let shorter = word.strip_suffix(ending.as_str()).map(str::to_owned);
            shorter.into_iter().chain([format!("{word}{ending}")])
        });
        if word.chars().count() <= TELLING {
            return None;
        }
        forms.find_map(|form| self.values.get(&form))
    }

    fn says_itself(&self, at: usize) -> bool {
        let words = &self.lexicon.words;
        let Some(token) = self.token(at) else {
            return true;
        };
        let is_number =
            token.lower.parse::<f64>().is_ok() || words.numbers.contains_key(&token.lower);
        // `ok` is a word although a cell has it; `IT` is a cell although it is a word.
        let is_word =
            token.idle || token.text == token.lower && self.lexicon.is_filler(&token.lower);
        is_number || is_word || words.negations.contains(&token.lower)
    }

    /// Words of the language that carry nothing by themselves do so where the tables have no
    /// column and, as written, no cell of that name.
    pub(in crate::read) fn is_idle(&self, token: &Token) -> bool {
        let is_cell = self.is_cell(token);
        self.lexicon.is_filler(&token.lower)
            && !is_cell
            && !self
                .columns
                .iter()
                .any(|named| named.column.name.to_lowercase() == token.lower)
    }

    /// A word of the language that some table has as a cell, letter by letter.
    fn is_cell(&self, token: &Token) -> bool {
        let cell = self.values.get(&plain(&token.text));
        cell.is_some_and(|cells| cells.iter().any(|(_, value)| *value == token.text))
    }

    /// A word that carries little, written with capitals as a cell is: "IT".
    pub(in crate::read) fn is_cell_as_written(&self, token: &Token) -> bool {
        token.text != token.lower && self.lexicon.is_filler(&token.lower) && self.is_cell(token)
    }

    /// Columns with figures. A part of a key's name is no name for it: "order" is not `order_id`.
    pub(super) fn figures(&self, at: usize, fits: impl Fn(&Column) -> bool) -> Vec<Filling> {
        let mut found = self.columns(at, |column| column.holds == Holds::Numbers && fits(column));
        found.retain(|filling| {
            let name = filling.value.as_str().unwrap_or_default();
            filling.note.is_none() || !names_rows(name)
        });
        found
    }
}

/// Whether a column only tells rows apart, by its name: `order_id`, `Invoice No`.
pub(in crate::read) fn names_rows(name: &str) -> bool {
    let words = name_words(name);
    let keys = &Acts::table().figures.keys;
    words.last().is_some_and(|last| keys.contains(last))
}

/// The words of which a name consists: `order_date`, `orderDate`, `Order date`.
pub(in crate::read) fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut last = ' ';
    for c in name.chars() {
        let breaks = !c.is_alphanumeric() || last.is_lowercase() && c.is_uppercase();
        if breaks && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        last = c;
    }
    words.retain(|word| !word.is_empty());
    words
}
