//! What are the rows of a table called, and which words say something that a row is or is not?

use holloway_search::table::Table;
use serde_json::json;

use super::{Filling, Holes, name_words, plainly};
use crate::frame::scene::{Column, Holds, plain};
use crate::read::tokens::{Token, TokenKind};

/// Letters that an unknown word has at least.
const SHORTEST: usize = 3;
/// Words less alike in meaning speak of different things: "employees" come this near to "staff",
/// "penguins" do not.
const ALIKE: f32 = 0.22;

impl Holes<'_> {
    /// What the rows of a table are called: like its file, by a general word that names nothing
    /// else in the tables, or by an unknown word for many.
    pub(super) fn rows(&self, at: usize) -> Vec<Filling> {
        let Some(token) = self.token(at).filter(|token| token.kind == TokenKind::Word) else {
            return Vec::new();
        };
        let same = |word: &str| self.lexicon.same(word, &token.lower);
        let like_file = self.tables.iter().any(|part| same(part));
        let general = || self.lexicon.words.rows.iter().any(|word| same(word));
        let is_cell = || self.values.contains_key(&token.lower);
        if self.is_each_row(&token.lower) && !is_cell()
            || like_file && !is_cell() && !self.is_column(&token.lower)
            || general() && !self.is_in_tables(&token.lower)
        {
            return vec![plainly(at + 1, json!(token.lower))];
        }
        let unknown = self.has_rows()
            && self.is_many(token)
            && self.may_be_rows(at)
            && self.is_other(at)
            && self.is_like_tables(&token.lower);
        let called = unknown.then(|| Filling {
            note: Some(format!(
                "`{}` was read as the rows of the table",
                token.text
            )),
            ..plainly(at + 1, json!(token.lower))
        });
        called.into_iter().collect()
    }

    /// Many of what a column names, one for each row: "wines" where there is a column `wine`.
    fn is_each_row(&self, word: &str) -> bool {
        self.columns.iter().any(|named| {
            !named.column.repeats
                && !named.column.gaps
                && plain(&named.column.name) != word
                && named.is(&[word], word, self.lexicon)
        })
    }

    /// Whether a column has just this name: "per day and sensor" in `sensors.csv`.
    fn is_column(&self, word: &str) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|named| named.column.repeats && plain(&named.column.name) == word)
    }

    /// Whether a table has more than one row, as far as its texts show.
    fn has_rows(&self) -> bool {
        let is_one = |column: &Column| column.values.len() == 1 && !column.repeats && !column.gaps;
        let tables = self.scene.files.iter();
        let mut tables = tables.filter(|file| !file.columns.is_empty());
        tables.any(|file| {
            let texts = file.columns.iter();
            let is_text =
                |column: &&Column| column.holds == Holds::Texts && !column.values.is_empty();
            let mut texts = texts.filter(is_text).peekable();
            texts.peek().is_none() || !texts.all(is_one)
        })
    }

    /// Whether an unknown word is near in meaning to what the tables are called and hold.
    fn is_like_tables(&self, word: &str) -> bool {
        let vectors = Table::shipped();
        let asked = vectors.meaning(word);
        let columns = self.columns.iter().map(|named| named.column.name.as_str());
        let mut names = self.tables.iter().map(String::as_str).chain(columns);
        names.any(|name| {
            let own = vectors.meaning(name);
            let products = asked.iter().zip(&own).map(|(one, other)| one * other);
            products.sum::<f32>() >= ALIKE
        })
    }

    /// A name is none; what stands before tells that things are counted or pointed at.
    fn may_be_rows(&self, at: usize) -> bool {
        let words = &self.lexicon.words;
        let before = self.tokens.get(..at).unwrap_or_default();
        let Some(last) = before.last() else {
            return true;
        };
        let written = self.token(at).map(|token| token.text.as_str());
        let is_name = written.is_some_and(|text| text.starts_with(char::is_uppercase));
        if is_name != words.capital_nouns {
            return false;
        }
        let ends = |entry: &String| {
            let mut spoken = before.iter().rev().map(|token| token.lower.as_str());
            entry.rsplit(' ').all(|word| spoken.next() == Some(word))
        };
        let is_cell = || self.values.contains_key(&plain(&last.text));
        last.kind == TokenKind::Number
            || words.numbers.contains_key(&last.lower)
            || words.superlatives.contains_key(&last.lower)
            || words.before_rows.iter().any(ends)
            || !last.idle && is_cell()
    }

    fn is_many(&self, token: &Token) -> bool {
        let words = &self.lexicon.words;
        let ends = |endings: &[String]| {
            let mut endings = endings.iter();
            endings.any(|ending| token.lower.ends_with(ending.as_str()))
        };
        ends(&words.plurals) && !ends(&words.singulars)
    }

    fn is_in_tables(&self, word: &str) -> bool {
        self.columns
            .iter()
            .any(|named| named.is(&[word], word, self.lexicon))
            || self.values.contains_key(word)
            || self.one_of_many(word).is_some()
    }

    /// A word that neither the language nor the tables know.
    pub(super) fn other(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        self.is_other(at)
            .then(|| plainly(at + 1, json!(token.text)))
    }

    fn is_other(&self, at: usize) -> bool {
        let Some(token) = self.token(at).filter(|token| token.kind == TokenKind::Word) else {
            return false;
        };
        let words = &self.lexicon.words;
        let forms = || self.lexicon.stems(&token.lower);
        let picks = forms().any(|form| {
            words.picking.iter().any(|known| known == form)
                || words.kinds.iter().any(|known| known == form)
                || words.measured_in.iter().any(|known| known == form)
        });
        let is_word = token
            .lower
            .chars()
            .all(|c| c.is_alphabetic() || c == '-' || c == '\'');
        let called = self.called.get(&at);
        is_word
            && token.lower.chars().count() >= SHORTEST
            && !token.idle
            && !picks
            && !self.lexicon.index().knows(&token.lower, self.lexicon)
            && called.is_none_or(|called| called.is_empty())
            && !self.is_in_tables(&token.lower)
            && !self.is_in_a_value(&token.lower)
    }

    /// Whether a cell has this word among others.
    fn is_in_a_value(&self, word: &str) -> bool {
        let columns = self.scene.files.iter().flat_map(|file| &file.columns);
        let mut values = columns
            .filter(|column| column.holds == Holds::Texts)
            .flat_map(|column| &column.values);
        values.any(|value| {
            name_words(value)
                .iter()
                .any(|part| self.lexicon.same(part, word))
        })
    }

    /// Columns whose cells say yes or no, by their names.
    pub(super) fn flags(&self, at: usize) -> Vec<Filling> {
        let words = &self.lexicon.words;
        let is_one_of = |list: &[String], value: &str| {
            let value = value.to_lowercase();
            list.contains(&value)
        };
        let mut found = Vec::new();
        for called in self
            .called
            .get(&at)
            .into_iter()
            .flat_map(|called| called.iter())
        {
            let values = &called.column.values;
            let says = |value: &String| is_one_of(&words.yes, value) || is_one_of(&words.no, value);
            if values.is_empty() || !values.iter().all(says) {
                continue;
            }
            let written = |list: &[String]| {
                let there = values.iter().find(|value| is_one_of(list, value));
                there.or(list.first()).cloned()
            };
            let value = json!({"column": called.column.name, "yes": written(&words.yes), "no": written(&words.no)});
            found.push(plainly(called.end, value));
        }
        found
    }
}
