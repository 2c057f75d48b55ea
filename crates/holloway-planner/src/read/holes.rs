//! What can stand in a hole of a phrase? Typed recognisers: each knows one kind of thing and
//! looks it up in the request, the lexicon or the scene.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::dates::date;
use super::tokens::{Token, TokenKind, number_of};
use crate::frame::scene::{Column, File, Holds, Scene, ending, plain, stem};
use crate::lexicon::Lexicon;

/// Words that one thing may have.
const LONGEST: usize = 6;
/// Letters from which on one wrong letter is forgiven.
const FORGIVING: usize = 5;

/// What fills a hole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filling {
    /// Behind the last token.
    pub(super) end: usize,
    pub(super) value: Value,
    /// What was taken for granted.
    pub(super) note: Option<String>,
}

/// The recognisers over one request.
pub(super) struct Holes<'a> {
    request: &'a str,
    tokens: &'a [Token],
    scene: &'a Scene,
    lexicon: &'a Lexicon,
    /// Cells of text columns, without case and marks, with the columns they stand in.
    values: FxHashMap<String, Vec<(&'a Column, &'a str)>>,
    known: FxHashMap<(String, usize), Rc<Vec<Filling>>>,
}

impl<'a> Holes<'a> {
    pub(super) fn new(
        request: &'a str,
        tokens: &'a [Token],
        scene: &'a Scene,
        lexicon: &'a Lexicon,
    ) -> Self {
        let mut values: FxHashMap<String, Vec<(&Column, &str)>> = FxHashMap::default();
        let columns = scene.files.iter().flat_map(|file| &file.columns);
        for column in columns.filter(|column| column.holds != Holds::Numbers) {
            for value in &column.values {
                let known = values.entry(plain(value)).or_default();
                if !known.iter().any(|(other, _)| other.name == column.name) {
                    known.push((column, value));
                }
            }
        }
        Self {
            request,
            tokens,
            scene,
            lexicon,
            values,
            known: FxHashMap::default(),
        }
    }

    /// What fills a hole of this kind from this token on.
    pub(super) fn at(&mut self, kind: &str, at: usize) -> Rc<Vec<Filling>> {
        let key = (kind.to_owned(), at);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.find(kind, at));
        self.known.insert(key, Rc::clone(&found));
        found
    }

    fn find(&self, kind: &str, at: usize) -> Vec<Filling> {
        let words = &self.lexicon.words;
        match kind {
            "number" => self.number(at).into_iter().collect(),
            "count" => self.count(at).into_iter().collect(),
            "date" => date(self.tokens, at, words, self.scene)
                .into_iter()
                .map(|(end, value)| plainly(end, value))
                .collect(),
            "column" => self.columns(at, |_| true),
            "measure" => self.columns(at, |column| column.holds == Holds::Numbers),
            "label" => self.columns(at, |column| column.holds != Holds::Numbers),
            "day" => self.columns(at, |column| column.holds == Holds::Dates),
            "value" => self.values(at),
            "rows" => self.rows(at),
            "source" => self.sources(at, true),
            "table" => self.sources(at, true)
                .into_iter()
                .filter(|found| self.is_table(&found.value))
                .collect(),
            "document" => self.sources(at, true)
                .into_iter()
                .filter(|found| !self.is_table(&found.value))
                .collect(),
            "new" => self.sources(at, false),
            "folder" => self.folders(at),
            "url" => self.of_kind(at, TokenKind::Url, |token| json!({"url": token.text})),
            "email" => self.of_kind(at, TokenKind::Email, |token| json!(token.text)),
            "quoted" => self.of_kind(at, TokenKind::Quoted, |token| json!(token.text)),
            "word" => self.word(at).into_iter().collect(),
            "name" => self.name(at),
            "sample" => self.sample(at).into_iter().collect(),
            "form" => self.listed(at, &words.forms, |form| json!(form)),
            "unit" => self.listed(at, &words.units, |unit| json!(unit)),
            "domain" => self.listed(at, &words.domains, |domain| json!(domain)),
            "chart" => self.listed(at, &words.charts, |chart| json!(chart)),
            "period" => self.listed(at, &words.periods, |period| json!(period)),
            "superlative" => self.listed(at, &words.superlatives, |one| {
                json!({"descending": one.descending, "like": one.columns})
            }),
            _ => Vec::new(),
        }
    }

    fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    /// Words from here on, the most first, with what they are as written.
    fn grams(&self, at: usize) -> impl Iterator<Item = (usize, Vec<&'a str>)> + '_ {
        let fits = |token: &&Token| !matches!(token.kind, TokenKind::Mark | TokenKind::Url | TokenKind::Email);
        let rest = self.tokens.get(at..).unwrap_or_default();
        let most = rest.iter().take_while(fits).count().min(LONGEST);
        (1..=most).rev().map(move |count| {
            let words = self.tokens.get(at..at + count).unwrap_or_default();
            (at + count, words.iter().map(|token| token.lower.as_str()).collect())
        })
    }

    fn of_kind(&self, at: usize, kind: TokenKind, value: impl Fn(&Token) -> Value) -> Vec<Filling> {
        let token = self.token(at).filter(|token| token.kind == kind);
        token.map(|token| plainly(at + 1, value(token))).into_iter().collect()
    }

    fn number(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let words = &self.lexicon.words;
        let mut end = at + 1;
        let mut number = match token.kind {
            TokenKind::Number => number_of(&token.text)?,
            TokenKind::Word => *words.numbers.get(&token.lower)?,
            _ => return None,
        };
        if let Some(scale) = self.token(end).and_then(|token| words.scales.get(&token.lower)) {
            number *= scale;
            end += 1;
        }
        Some(plainly(end, json!(tidy(number))))
    }

    /// A whole number that is not negative.
    fn count(&self, at: usize) -> Option<Filling> {
        let found = self.number(at)?;
        found.value.as_u64().map(|count| plainly(found.end, json!(count)))
    }

    fn columns(&self, at: usize, fits: impl Fn(&Column) -> bool) -> Vec<Filling> {
        let columns: Vec<&Column> = self.scene.files.iter().flat_map(|file| &file.columns).collect();
        let mut found: Vec<Filling> = Vec::new();
        for (end, words) in self.grams(at) {
            let exact = columns.iter().filter(|column| self.is_called(column, &words));
            for column in exact.filter(|column| fits(column)) {
                found.push(plainly(end, json!(column.name)));
                let has_tail = self.token(end).is_some_and(|token| {
                    self.lexicon.words.column_tails.contains(&token.lower)
                });
                if has_tail {
                    found.push(plainly(end + 1, json!(column.name)));
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        if found.is_empty() {
            found = self.nearly(at, &columns, fits);
        }
        found.dedup();
        found
    }

    /// Columns of which the word is a part, or nearly the name, or another word for it.
    fn nearly(&self, at: usize, columns: &[&Column], fits: impl Fn(&Column) -> bool) -> Vec<Filling> {
        let Some(token) = self.token(at).filter(|token| token.kind == TokenKind::Word) else {
            return Vec::new();
        };
        let word = token.lower.as_str();
        if self.lexicon.is_filler(word) || word.chars().count() < 3 {
            return Vec::new();
        }
        let near = |column: &&&Column| {
            let name = name_words(&column.name);
            let others = self.lexicon.words.column_words.get(self.lexicon.stem(word));
            let others = others.or_else(|| self.lexicon.words.column_words.get(word));
            name.iter().any(|part| self.lexicon.same(part, word))
                || others.is_some_and(|others| name.iter().any(|part| others.contains(part)))
                || word.chars().count() >= FORGIVING && strsim::damerau_levenshtein(word, &plain(&column.name)) == 1
        };
        let mut names: Vec<&str> = Vec::new();
        for column in columns.iter().filter(near).filter(|column| fits(column)) {
            if !names.contains(&column.name.as_str()) {
                names.push(&column.name);
            }
        }
        let filling = |name: &&str| Filling {
            end: at + 1,
            value: json!(name),
            note: Some(format!("`{}` was read as the column `{name}`", token.text)),
        };
        names.iter().map(filling).collect()
    }

    fn is_called(&self, column: &Column, words: &[&str]) -> bool {
        let name = name_words(&column.name);
        let same = name.len() == words.len()
            && name.iter().zip(words).all(|(part, word)| self.lexicon.same(part, word));
        same || plain(&column.name) == plain(&words.concat())
    }

    fn values(&self, at: usize) -> Vec<Filling> {
        let mut found = Vec::new();
        for (end, words) in self.grams(at) {
            if words.iter().all(|word| self.lexicon.is_filler(word)) {
                continue;
            }
            let Some(known) = self.values.get(&plain(&words.concat())) else {
                continue;
            };
            for (column, value) in known {
                let note = (known.len() > 1).then(|| format!("`{value}` was looked for in the column `{}`", column.name));
                found.push(Filling {
                    end,
                    value: json!({"column": column.name, "value": value}),
                    note,
                });
            }
            break;
        }
        found
    }

    /// What the rows of a table are called: by general words, or like its file.
    fn rows(&self, at: usize) -> Vec<Filling> {
        let Some(token) = self.token(at).filter(|token| token.kind == TokenKind::Word) else {
            return Vec::new();
        };
        let general = self.lexicon.words.rows.iter();
        let mut general = general.filter(|word| self.lexicon.same(word, &token.lower));
        let tables = self.scene.files.iter().filter(|file| !file.columns.is_empty());
        let mut tables = tables.filter(|file| {
            name_words(stem(&file.name)).iter().any(|part| self.lexicon.same(part, &token.lower))
        });
        let known = general.next().is_some() || tables.next().is_some();
        known.then(|| plainly(at + 1, json!(token.lower))).into_iter().collect()
    }

    fn is_table(&self, value: &Value) -> bool {
        let path = value.get("path").and_then(Value::as_str);
        let file = path.and_then(|path| self.scene.file(path));
        file.is_some_and(|file| !file.columns.is_empty())
    }

    /// Files that are there, or names of files that are not. Names may have blanks.
    fn sources(&self, at: usize, there: bool) -> Vec<Filling> {
        let Some(first) = self.token(at) else {
            return Vec::new();
        };
        if there {
            for (end, _) in self.grams(at) {
                let last = self.token(end - 1).map_or(first.at.end, |token| token.at.end);
                let written = self.written(first.at.start..last);
                if let Some(file) = self.file(written) {
                    return vec![plainly(end, json!({"path": file.name}))];
                }
            }
            return Vec::new();
        }
        let is_name = match first.kind {
            TokenKind::File => !first.text.ends_with('/') && !first.text.contains('*'),
            TokenKind::Quoted => ending(&first.text).is_some(),
            _ => false,
        };
        if !is_name || self.file(&first.text).is_some() {
            return Vec::new();
        }
        vec![plainly(at + 1, json!({"path": first.text}))]
    }

    fn file(&self, name: &str) -> Option<&'a File> {
        let name = name.trim_matches(['"', '“', '”', '\'', '`']);
        self.scene.file(name).or_else(|| {
            let mut files = self.scene.files.iter();
            files.find(|file| file.name.eq_ignore_ascii_case(name))
        })
    }

    fn folders(&self, at: usize) -> Vec<Filling> {
        let Some(token) = self.token(at) else {
            return Vec::new();
        };
        let fits = matches!(token.kind, TokenKind::Word | TokenKind::File | TokenKind::Quoted);
        let there = fits && self.scene.is_folder(&token.text);
        there.then(|| plainly(at + 1, json!({"folder": token.text.trim_end_matches('/')})))
            .into_iter()
            .collect()
    }

    fn word(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let fits = matches!(token.kind, TokenKind::Word | TokenKind::Number | TokenKind::Quoted);
        (fits && !self.lexicon.is_filler(&token.lower)).then(|| plainly(at + 1, json!(token.text)))
    }

    /// A quoted text, or words that begin with a capital, or one word.
    fn name(&self, at: usize) -> Vec<Filling> {
        let Some(first) = self.token(at) else {
            return Vec::new();
        };
        if first.kind == TokenKind::Quoted {
            return vec![plainly(at + 1, json!(first.text))];
        }
        let capital = |token: &&Token| {
            token.kind == TokenKind::Word && token.text.starts_with(char::is_uppercase)
        };
        let rest = self.tokens.get(at..).unwrap_or_default();
        let count = rest.iter().take_while(capital).count();
        let mut found = Vec::new();
        for end in (1..=count).rev().map(|count| at + count) {
            let last = self.token(end - 1).map_or(first.at.end, |token| token.at.end);
            found.push(plainly(end, json!(self.written(first.at.start..last))));
        }
        if found.is_empty() {
            found.extend(self.word(at));
        }
        found
    }

    /// Something with digits that shows what others look like: `INV-2025-0417`.
    fn sample(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let fits = matches!(token.kind, TokenKind::Word | TokenKind::Number | TokenKind::Quoted | TokenKind::File);
        let has_digit = token.text.chars().any(|c| c.is_ascii_digit());
        let mut pattern = String::from(r"\b");
        for c in token.text.chars() {
            if c.is_ascii_digit() {
                pattern.push_str(r"\d");
            } else {
                pattern.push_str(&regex::escape(&c.to_string()));
            }
        }
        pattern.push_str(r"\b");
        (fits && has_digit).then(|| plainly(at + 1, json!(pattern)))
    }

    fn listed<T>(
        &self,
        at: usize,
        list: &std::collections::BTreeMap<String, T>,
        value: impl Fn(&T) -> Value,
    ) -> Vec<Filling> {
        for (end, words) in self.grams(at) {
            let joined = words.join(" ");
            let singular = words.split_last().map(|(last, before)| {
                let mut words = before.to_vec();
                words.push(self.lexicon.stem(last));
                words.join(" ")
            });
            let known = list.get(&joined).or_else(|| list.get(&singular?));
            if let Some(known) = known {
                return vec![plainly(end, value(known))];
            }
        }
        Vec::new()
    }

    fn written(&self, at: Range<usize>) -> &'a str {
        self.request.get(at).unwrap_or_default()
    }
}

fn plainly(end: usize, value: Value) -> Filling {
    Filling {
        end,
        value,
        note: None,
    }
}

/// Whole numbers stay whole.
pub(super) fn tidy(number: f64) -> Value {
    const WHOLE: f64 = 9e15;
    if number.fract() == 0.0 && number.abs() < WHOLE {
        return json!(number as i64);
    }
    json!(number)
}

/// The words of which a name consists: `order_date`, `orderDate`, `Order date`.
pub(super) fn name_words(name: &str) -> Vec<String> {
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
