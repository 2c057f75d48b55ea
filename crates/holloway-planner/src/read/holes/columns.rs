//! Which columns, cells and rows of the tables do words name?

use serde_json::json;

use super::{Filling, Holes, plainly};
use crate::frame::scene::{Column, plain, stem};
use crate::read::tokens::{Token, TokenKind};

/// Letters from which on one wrong letter is forgiven.
const FORGIVING: usize = 5;
/// Letters that a word has at least that is looked for inside names.
const TELLING: usize = 3;

impl Holes<'_> {
    pub(super) fn columns(&self, at: usize, fits: impl Fn(&Column) -> bool) -> Vec<Filling> {
        let columns: Vec<&Column> = self.scene.files.iter().flat_map(|file| &file.columns).collect();
        for (end, words) in self.grams(at) {
            let called = columns.iter().filter(|column| self.is_called(column, &words));
            let called: Vec<&Column> = called.copied().collect();
            if called.is_empty() {
                continue;
            }
            // A word that is the whole name of a column means no other one.
            let mut found: Vec<Filling> = Vec::new();
            for column in called.into_iter().filter(|column| fits(column)) {
                found.push(plainly(end, json!(column.name)));
                if self.has_tail(end) {
                    found.push(plainly(end + 1, json!(column.name)));
                }
            }
            found.dedup();
            return found;
        }
        self.nearly(at, &columns, fits)
    }

    fn has_tail(&self, end: usize) -> bool {
        let tails = &self.lexicon.words.column_tails;
        self.token(end).is_some_and(|token| tails.contains(&token.lower))
    }

    /// Columns of which the word is a part, or nearly the name, or another word for it.
    fn nearly(&self, at: usize, columns: &[&Column], fits: impl Fn(&Column) -> bool) -> Vec<Filling> {
        let Some(token) = self.token(at).filter(|token| token.kind == TokenKind::Word) else {
            return Vec::new();
        };
        let word = token.lower.as_str();
        if token.idle || word.chars().count() < TELLING {
            return Vec::new();
        }
        let mut names: Vec<&str> = Vec::new();
        let near = columns.iter().filter(|column| self.is_nearly_called(column, word));
        for column in near.filter(|column| fits(column)) {
            if !names.contains(&column.name.as_str()) {
                names.push(&column.name);
            }
        }
        let ends = [at + 1, at + 2].into_iter().take(1 + usize::from(self.has_tail(at + 1)));
        let filling = |name: &str, end| Filling {
            end,
            value: json!(name),
            note: Some(format!("`{}` was read as the column `{name}`", token.text)),
        };
        ends.flat_map(|end| names.iter().map(move |name| filling(name, end))).collect()
    }

    fn is_nearly_called(&self, column: &Column, word: &str) -> bool {
        let name = name_words(&column.name);
        let column_words = &self.lexicon.words.column_words;
        let others = self.lexicon.stems(word).find_map(|stem| column_words.get(stem));
        let is_part = name.len() > 1 && name.iter().any(|part| self.lexicon.same(part, word));
        let is_other = others.is_some_and(|others| name.iter().any(|part| others.contains(part)));
        let is_known = self.lexicon.index().knows(word, self.lexicon);
        let is_misspelt = !is_known
            && word.chars().count() >= FORGIVING
            && strsim::damerau_levenshtein(word, &plain(&column.name)) == 1;
        is_part || is_other || is_misspelt
    }

    pub(super) fn is_called(&self, column: &Column, words: &[&str]) -> bool {
        let name = name_words(&column.name);
        let same = name.len() == words.len()
            && name.iter().zip(words).all(|(part, word)| self.lexicon.same(part, word));
        same || plain(&column.name) == plain(&words.concat())
    }

    /// Cells of the tables. A word that says something by itself is one only beside its column.
    pub(super) fn values(&self, at: usize, beside_column: bool) -> Vec<Filling> {
        for (end, words) in self.grams(at) {
            if !beside_column && (at..end).all(|at| self.says_itself(at)) {
                continue;
            }
            let joined = plain(&words.concat());
            let one = self.values.get(&joined).or_else(|| self.one_of_many(&joined));
            let Some(known) = one else {
                continue;
            };
            let several = known.len() > 1;
            let filling = |(column, value): &(&Column, &str)| Filling {
                end,
                value: json!({"column": column.name, "value": value}),
                note: several.then(|| format!("`{value}` was looked for in the column `{}`", column.name)),
            };
            return known.iter().map(filling).collect();
        }
        Vec::new()
    }

    /// `toy` for the value `toys`, and the other way round.
    fn one_of_many(&self, word: &str) -> Option<&Vec<(&Column, &str)>> {
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
        let is_number = token.lower.parse::<f64>().is_ok() || words.numbers.contains_key(&token.lower);
        is_number || token.idle || words.negations.contains(&token.lower)
    }

    /// Words of the language that carry nothing by themselves do so where the tables have no
    /// column and, as written, no cell of that name.
    pub(in crate::read) fn is_idle(&self, token: &Token) -> bool {
        let cell = self.values.get(&plain(&token.text));
        let is_cell = cell.is_some_and(|cells| cells.iter().any(|(_, value)| *value == token.text));
        let mut columns = self.scene.files.iter().flat_map(|file| &file.columns);
        self.lexicon.is_filler(&token.lower)
            && !is_cell
            && !columns.any(|column| column.name.to_lowercase() == token.lower)
    }

    /// What the rows of a table are called: like its file, or by a general word that names
    /// nothing else in the tables.
    pub(super) fn rows(&self, at: usize) -> Vec<Filling> {
        let Some(token) = self.token(at).filter(|token| token.kind == TokenKind::Word) else {
            return Vec::new();
        };
        let same = |word: &str| self.lexicon.same(word, &token.lower);
        let mut tables = self.scene.files.iter().filter(|file| !file.columns.is_empty());
        let like_file = tables.any(|file| name_words(stem(&file.name)).iter().any(|part| same(part)));
        let general = || self.lexicon.words.rows.iter().any(|word| same(word));
        let known = like_file || general() && !self.is_in_tables(&token.lower);
        known.then(|| plainly(at + 1, json!(token.lower))).into_iter().collect()
    }

    fn is_in_tables(&self, word: &str) -> bool {
        let mut columns = self.scene.files.iter().flat_map(|file| &file.columns);
        columns.any(|column| self.is_called(column, &[word]))
            || self.values.contains_key(word)
            || self.one_of_many(word).is_some()
    }
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
