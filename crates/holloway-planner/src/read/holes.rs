//! What can stand in a hole of a phrase? Typed recognisers: each knows one kind of thing and
//! looks it up in the request, the lexicon or the scene.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::dates::date;
use super::tokens::{Token, TokenKind, number_of};
use crate::frame::scene::{Column, Holds, Scene, plain, stem};
use crate::lexicon::Lexicon;

mod columns;
mod files;

pub(super) use columns::name_words;
use columns::{Called, Named};

/// Words that one thing may have.
const LONGEST: usize = 6;
/// Items that one list may have.
const MOST_ITEMS: usize = 8;

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
    /// The columns of all tables, each name and kind once.
    columns: Vec<Named<'a>>,
    /// Words in the names of tables.
    tables: Vec<String>,
    /// Columns that were found at a token.
    called: FxHashMap<usize, Rc<Vec<Called<'a>>>>,
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
        for column in columns.filter(|column| column.holds == Holds::Texts) {
            for value in &column.values {
                let known = values.entry(plain(value)).or_default();
                if !known.iter().any(|(other, _)| other.name == column.name) {
                    known.push((column, value));
                }
            }
        }
        let tables = scene.files.iter().filter(|file| !file.columns.is_empty());
        Self {
            request,
            tokens,
            scene,
            lexicon,
            columns: Named::all(scene),
            tables: tables.flat_map(|file| name_words(stem(&file.name))).collect(),
            called: FxHashMap::default(),
            values,
            known: FxHashMap::default(),
        }
    }

    /// The same over the tokens of the request.
    pub(super) fn over(self, tokens: &'a [Token]) -> Self {
        Self { tokens, ..self }
    }

    /// What fills a hole of this kind from this token on.
    pub(super) fn at(&mut self, kind: &str, at: usize) -> Rc<Vec<Filling>> {
        let key = (kind.to_owned(), at);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        if !self.called.contains_key(&at) {
            let called = Rc::new(self.called_at(at));
            self.called.insert(at, called);
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
            "amount" => self.columns(at, |column| column.holds == Holds::Numbers && self.is_added_up(column)),
            "label" => self.columns(at, |column| column.holds != Holds::Numbers),
            "day" => self.columns(at, |column| column.holds == Holds::Dates),
            "value" => self.values(at, false),
            "cell" => self.values(at, true),
            "rows" => self.rows(at),
            "source" => self.sources(at),
            "table" => self.only(at, |found| self.is_table(&found.value)),
            "document" => self.only(at, |found| !self.is_table(&found.value)),
            "new" => self.new_files(at),
            "folder" => self.folders(at),
            "url" => self.urls(at),
            "percent" => self.percent(at).into_iter().collect(),
            "columns" => self.list(at, "column"),
            "labels" => self.list(at, "label"),
            "measures" => self.list(at, "measure"),
            "tables" => self.list(at, "table"),
            "documents" => self.list(at, "document"),
            "domains" => self.list(at, "domain"),
            "units" => self.list(at, "unit"),
            "values" => self.list(at, "value").into_iter().filter_map(of_one_column).collect(),
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
                json!({"descending": one.descending, "like": one.columns, "dates": one.dates})
            }),
            "function" => self.listed(at, &words.functions, |function| json!(function)),
            _ => Vec::new(),
        }
    }

    fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    /// Words from here on, the most first, with what they are as written.
    fn grams(&self, at: usize) -> impl Iterator<Item = (usize, Vec<&'a str>)> + '_ {
        let fits = |token: &&Token| match token.kind {
            TokenKind::Mark => token.text == "&",
            kind => kind != TokenKind::Url,
        };
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
        let comma = !words.decimal.is_empty();
        let mut number = match token.kind {
            TokenKind::Number => number_of(&token.text, comma)?,
            TokenKind::Word => *words.numbers.get(&token.lower)?,
            _ => return None,
        };
        if let Some(scale) = self.token(end).and_then(|token| words.scales.get(&token.lower)) {
            number *= scale;
            end += 1;
        }
        if self.token(end).is_some_and(|token| words.money.contains(&token.lower)) {
            end += 1;
        }
        Some(plainly(end, json!(tidy(number))))
    }

    /// `20%`, with what it makes more or less of something.
    fn percent(&self, at: usize) -> Option<Filling> {
        const WHOLE: f64 = 100.0;
        let found = self.number(at)?;
        let written = self.token(at).is_some_and(|token| token.text.ends_with('%'));
        let said = self.token(found.end).is_some_and(|token| self.lexicon.words.percent.contains(&token.lower));
        let part = found.value.as_f64()? / WHOLE;
        let value = json!({"of": tidy(part), "more": tidy(1.0 + part), "less": tidy(1.0 - part)});
        (written || said).then(|| plainly(found.end + usize::from(!written && said), value))
    }

    fn only(&self, at: usize, fits: impl Fn(&Filling) -> bool) -> Vec<Filling> {
        let mut found = self.sources(at);
        found.retain(fits);
        found
    }

    /// Two things or more of one kind, divided by commas and words that join; each beginning of
    /// the list is one too.
    fn list(&self, at: usize, kind: &str) -> Vec<Filling> {
        let mut found: Vec<Filling> = Vec::new();
        let mut items: Vec<Value> = Vec::new();
        let mut notes: Vec<String> = Vec::new();
        let mut place = at;
        while let Some(item) = self.find(kind, place).into_iter().next() {
            items.push(item.value);
            notes.extend(item.note);
            found.push(Filling {
                end: item.end,
                value: Value::Array(items.clone()),
                note: (!notes.is_empty()).then(|| notes.join("; ")),
            });
            let next = self.behind_join(item.end, kind == "value");
            if next == item.end || items.len() >= MOST_ITEMS {
                break;
            }
            place = next;
        }
        found.retain(|filling| filling.value.as_array().is_some_and(|items| items.len() > 1));
        found.reverse();
        found
    }

    fn is_added_up(&self, column: &Column) -> bool {
        let words = name_words(&column.name);
        words.iter().any(|word| self.lexicon.words.added_up.contains(word))
    }

    /// Behind commas, joining words and what says nothing between two items.
    fn behind_join(&self, end: usize, any_will_do: bool) -> usize {
        let words = &self.lexicon.words;
        let joins = |token: &&Token| {
            [",", "&"].contains(&token.text.as_str())
                || words.joins.contains(&token.lower)
                || any_will_do && words.options.contains(&token.lower)
        };
        let rest = self.tokens.get(end..).unwrap_or_default();
        let joined = rest.iter().take_while(joins).count();
        let idle = |token: &&Token| token.kind == TokenKind::Word && token.idle;
        let passed = rest.iter().skip(joined).take_while(idle).count();
        if joined == 0 { end } else { end + joined + passed }
    }

    /// A whole number that is not negative.
    fn count(&self, at: usize) -> Option<Filling> {
        let found = self.number(at)?;
        let written = self.token(at).is_some_and(|token| token.text.ends_with(['%', '€', '$', '£']));
        found.value.as_u64().filter(|_| !written).map(|count| plainly(found.end, json!(count)))
    }

    fn word(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let fits = matches!(token.kind, TokenKind::Word | TokenKind::Number | TokenKind::Quoted);
        // "codes" are things of a kind, not a text to look for.
        let words = &self.lexicon.words;
        let is_kind = words.kinds.contains(&token.lower)
            || words.units.contains_key(&token.lower)
            || words.numbers.contains_key(&token.lower);
        let is_kind = token.kind == TokenKind::Word && is_kind;
        (fits && !token.idle && !is_kind).then(|| plainly(at + 1, json!(token.text)))
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
            let known = self.lexicon.stems(&joined).find_map(|form| list.get(form));
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

/// Cells that stand in the same column.
fn of_one_column(list: Filling) -> Option<Filling> {
    let items = list.value.as_array()?;
    let column = items.first()?.get("column")?.clone();
    let same = items.iter().all(|item| item.get("column") == Some(&column));
    let values: Vec<Value> = items.iter().filter_map(|item| item.get("value").cloned()).collect();
    same.then(|| Filling {
        value: json!({"column": column, "value": values}),
        ..list
    })
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

