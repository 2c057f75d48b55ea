//! How are columns, values, comparisons and directions said? The reader goes from word to
//! word, notes what was understood, and knows which words were left over.

use serde_json::{Value, json};

use super::super::surroundings::Surroundings;
use super::super::verbs::is_verb;
use super::known::Known;
use super::tokens::{Kind, Token};
use super::{Condition, Said};

/// What a row of a table is called.
pub(super) const ROWS: [&str; 13] = [
    "row", "rows", "line", "lines", "record", "records", "entry", "entries", "item", "items",
    "result", "results", "ones",
];
/// Rows about people are called so whatever the file is called.
pub(super) const PEOPLE: [&str; 8] = [
    "people",
    "person",
    "persons",
    "employees",
    "users",
    "members",
    "students",
    "transactions",
];
pub(super) const ARTICLES: [&str; 12] = [
    "the", "a", "an", "all", "its", "their", "each", "every", "my", "our", "those", "any",
];
/// Words that no name of a column goes on with.
#[rustfmt::skip]
const ENDS: [&str; 95] = [
    "and", "or", "then", "by", "in", "from", "of", "per", "for", "with", "where", "whose", "having",
    "have", "has", "is", "are", "was", "were", "isn't", "as", "to", "into", "on", "over", "under",
    "above", "below", "more", "less", "greater", "larger", "higher", "lower", "smaller", "bigger",
    "at", "between", "equals", "equal", "contains", "containing", "contain", "includes",
    "including", "starts", "starting", "begins", "ends", "ending", "ascending", "descending",
    "asc", "desc", "please", "it", "them", "that", "which", "who", "but", "not", "no", "the", "a",
    "an", "each", "every", "grouped", "sorted", "ordered", "using", "via", "within", "against",
    "vs", "versus", "across", "exceeds", "exceeding", "after", "before", "like", "if", "when",
    "only", "first", "last", "up", "one", "so", "also", "now", "must", "should",
];
const UNITS: [&str; 17] = [
    "degrees",
    "celsius",
    "fahrenheit",
    "kg",
    "km",
    "dollars",
    "dollar",
    "euros",
    "euro",
    "eur",
    "usd",
    "pounds",
    "percent",
    "cents",
    "bucks",
    "gbp",
    "chf",
];
const WORDS_OF_NAME: usize = 3;
/// How far after its verb something may be said.
const NEAR: usize = 12;

pub(super) struct Reader<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
    pub(super) found: Vec<Said>,
    pub(super) unclear: bool,
    pub(super) known: Known<'t>,
    /// Sorts of which no direction was said.
    pub(super) undirected: Vec<usize>,
    /// Which words were understood.
    read: Vec<bool>,
    /// Which were passed over on the way to a word further on.
    skipped: Vec<bool>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(tokens: &'t [Token], surroundings: &'t Surroundings) -> Self {
        Self {
            tokens,
            at: 0,
            found: Vec::new(),
            unclear: false,
            known: Known::of(surroundings),
            undirected: Vec::new(),
            read: vec![false; tokens.len()],
            skipped: vec![false; tokens.len()],
        }
    }

    pub(super) fn names_table(&self) -> bool {
        self.tables() > 0
    }

    /// How many different tables are named.
    pub(super) fn tables(&self) -> usize {
        let is_table = |token: &&Token| token.is_table();
        let mut names: Vec<&str> = Vec::new();
        for token in self.tokens.iter().filter(is_table) {
            if !names.contains(&token.word.as_str()) {
                names.push(&token.word);
            }
        }
        names.len()
    }

    /// The file that is meant, where only one is named.
    pub(super) fn only_file(&self) -> Option<&'t Token> {
        let mut files = self.tokens.iter().filter(|token| token.kind == Kind::File);
        files.next().filter(|_| files.next().is_none())
    }

    /// Whether nothing more is said here.
    pub(super) fn ends_here(&self) -> bool {
        self.now().is_none_or(|token| {
            matches!(token.kind, Kind::Stop | Kind::Comma) || token.is(&["and", "then", "please"])
        })
    }

    pub(super) fn token(&self, at: usize) -> Option<&'t Token> {
        self.tokens.get(at)
    }

    pub(super) fn now(&self) -> Option<&'t Token> {
        self.token(self.at)
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        self.token(at).is_some_and(|token| token.is(words))
    }

    pub(super) fn is_file(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.kind == Kind::File)
    }

    /// Goes on past one of these words.
    pub(super) fn eat(&mut self, words: &[&str]) -> bool {
        let is = self.is(self.at, words);
        self.at += usize::from(is);
        is
    }

    /// Goes on past these words, one after the other.
    pub(super) fn eat_all(&mut self, words: &[&str]) -> bool {
        let mut places = words.iter().enumerate();
        let are = places.all(|(offset, word)| self.is(self.at + offset, &[word]));
        self.at += if are { words.len() } else { 0 };
        are
    }

    pub(super) fn eat_any(&mut self, words: &[&str]) {
        while self.eat(words) {}
    }

    /// Goes on past all of these words, and says whether there were any.
    pub(super) fn eat_any_of(&mut self, words: &[&str]) -> bool {
        let before = self.at;
        self.eat_any(words);
        self.at > before
    }

    pub(super) fn eat_file(&mut self) -> bool {
        let is = self.is_file(self.at);
        self.at += usize::from(is);
        is
    }

    /// "in sales.csv", "of the file sales.csv", "the orders in orders.csv".
    pub(super) fn eat_place(&mut self) -> bool {
        let before = self.at;
        self.eat(&["in", "of", "from", "for", "within", "inside", "on", "at"]);
        self.eat_any(&ARTICLES);
        self.eat_any(&["file", "table", "rows", "data", "spreadsheet", "csv"]);
        self.eat(&["in", "of", "from"]);
        if self.eat_file() {
            return true;
        }
        self.at = before;
        false
    }

    /// Notes what was said from a place up to here.
    pub(super) fn say(&mut self, condition: Condition, from: usize) {
        let start = self.token(from).map_or(0, |token| token.place.start);
        let last = self.token(self.at.saturating_sub(1).max(from));
        let end = last.map_or(start, |token| token.place.end);
        if let Some(read) = self.read.get_mut(from..self.at.max(from)) {
            read.fill(true);
        }
        self.found.push(Said {
            condition,
            place: start..end,
        });
    }

    /// Words between two places were understood.
    pub(super) fn mark(&mut self, from: usize, to: usize) {
        if let Some(read) = self.read.get_mut(from..to.max(from)) {
            read.fill(true);
        }
    }

    /// Words between two places were passed over.
    pub(super) fn skip(&mut self, from: usize, to: usize, is_skipped: bool) {
        if let Some(skipped) = self.skipped.get_mut(from..to.max(from)) {
            skipped.fill(is_skipped);
        }
    }

    pub(super) fn was_read(&self, at: usize) -> bool {
        let is = |list: &[bool]| list.get(at).copied().unwrap_or_default();
        is(&self.read) && !is(&self.skipped)
    }

    /// Whether a word is what the rows of a named file are called: orders of `orders.csv`.
    pub(super) fn is_row(&self, word: &str) -> bool {
        let files = self.tokens.iter().filter(|token| token.kind == Kind::File);
        ROWS.contains(&word) || files.map(Token::stem).any(|stem| same(stem, word))
    }

    /// The next of these words in the same part of the sentence.
    pub(super) fn ahead(&self, words: &[&str]) -> Option<usize> {
        for at in self.at..(self.at + NEAR).min(self.tokens.len()) {
            let token = self.token(at)?;
            if token.is(words) {
                return Some(at);
            }
            let goes_on = token.is(&["and", "then"])
                && self.token(at + 1).is_some_and(|next| is_verb(&next.word));
            if token.kind == Kind::Stop || goes_on {
                return None;
            }
        }
        None
    }

    /// The name of a column: one there is, where that is known, or as said.
    pub(super) fn column(&mut self) -> Option<String> {
        if !self.known.is_known() {
            return self.name();
        }
        let figures = self.found.iter().any(|said| {
            matches!(
                said.condition,
                Condition::Group(_) | Condition::Rename { .. }
            )
        });
        self.known_column()
            .or_else(|| if figures { self.name() } else { None })
    }

    /// The name of a column, as said.
    pub(super) fn name(&mut self) -> Option<String> {
        let before = self.at;
        self.eat_any(&ARTICLES);
        self.eat(&["column", "columns", "field", "values", "value"]);
        self.eat(&["of", "called", "named"]);
        self.eat_any(&ARTICLES);
        if let Some(token) = self.now().filter(|token| token.kind == Kind::Quoted) {
            self.at += 1;
            self.eat(&["column", "columns", "field"]);
            return Some(token.raw.clone());
        }
        let mut words: Vec<&str> = Vec::new();
        let mut was_small = false;
        while let Some(token) = self.now().filter(|token| token.kind == Kind::Word) {
            let ends = token.is(&ENDS)
                || !words.is_empty()
                    && (token.word.ends_with("ing") || (was_small && token.is_capital()));
            if ends || words.len() == WORDS_OF_NAME {
                break;
            }
            self.at += 1;
            if !words.is_empty() && token.is(&["column", "columns", "field"]) {
                break;
            }
            was_small = !token.is_capital();
            words.push(&token.raw);
        }
        // "order amount" of orders.csv is its amount.
        if let [first, rest @ ..] = words.as_slice()
            && !rest.is_empty()
            && self.is_row(&first.to_lowercase())
        {
            words = rest.to_vec();
        }
        if words.is_empty() {
            self.at = before;
            return None;
        }
        Some(words.join(" "))
    }

    /// Names of columns: "region, product and year".
    pub(super) fn columns(&mut self, ends: &[&str]) -> Vec<String> {
        let mut columns = Vec::new();
        columns.extend(self.column());
        while !columns.is_empty() {
            let before = self.at;
            let is_next = match self.now() {
                Some(token) if token.kind == Kind::Comma => {
                    self.at += 1;
                    self.eat(&["and", "then"]);
                    true
                }
                Some(token) if token.is(&["and", "then"]) => {
                    self.at += 1;
                    self.eat(&["then"]);
                    true
                }
                _ => false,
            };
            self.eat(&["by"]);
            let goes_on = self.now().is_some_and(|next| {
                let is_name = next.kind == Kind::Quoted || next.kind == Kind::Word;
                let verb = is_verb(&next.word) && self.column_at(self.at).is_none();
                is_name && !next.is(ends) && !verb && !next.is(&["it", "them"])
            });
            if let Some(column) = self.column().filter(|_| is_next && goes_on) {
                columns.push(column)
            } else {
                self.at = before;
                break;
            }
        }
        columns
    }

    /// A value to compare with.
    pub(super) fn value(&mut self) -> Option<Value> {
        // "1 January 2021", and no number
        if let Some((day, _)) = super::dated::day_said(self, &[]) {
            return Some(json!(day));
        }
        let token = self.now()?;
        match &token.kind {
            Kind::Number(number) => {
                self.at += 1;
                let number = &self.times(number);
                self.eat(&UNITS);
                Some(number.clone())
            }
            Kind::Quoted => {
                self.at += 1;
                Some(json!(token.raw))
            }
            Kind::Word if thousands(&token.word).is_some() => {
                self.at += 1;
                self.eat(&UNITS);
                thousands(&token.word)
            }
            Kind::Word => self.words().map(|words| json!(words)),
            _ => None,
        }
    }

    /// "45 thousand", "2 million".
    fn times(&mut self, number: &Value) -> Value {
        let factor = match () {
            () if self.eat(&["thousand"]) => 1e3,
            () if self.eat(&["million"]) => 1e6,
            () => return number.clone(),
        };
        number
            .as_f64()
            .map_or(number.clone(), |number| whole(number * factor))
    }

    fn words(&mut self) -> Option<String> {
        let mut words: Vec<&str> = Vec::new();
        while let Some(token) = self.now().filter(|token| token.kind == Kind::Word) {
            if token.is(&ENDS) || words.len() == WORDS_OF_NAME {
                break;
            }
            self.at += 1;
            words.push(&token.raw);
        }
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// "45k", "$1.5k".
fn thousands(word: &str) -> Option<Value> {
    let bare = word.trim_start_matches(['$', '€', '£']);
    let number = bare.strip_suffix('k')?.parse::<f64>().ok()?;
    number.is_finite().then(|| whole(number * 1e3))
}

/// Without a point where it has none.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// One and many of the same.
pub(super) fn same(one: &str, other: &str) -> bool {
    let bare = |word: &str| {
        let word = word.to_lowercase();
        match word.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => word.strip_suffix('s').unwrap_or(&word).to_owned(),
        }
    };
    !one.is_empty() && bare(one) == bare(other)
}
