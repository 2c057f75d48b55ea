//! What can stand in a hole of a phrase? Typed recognisers: each knows one kind of thing and
//! looks it up in the request, the lexicon or the scene.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::dates::{coming, date};
use super::tokens::{Token, TokenKind};
use crate::frame::scene::{Column, Holds, Scene, plain, stem};
use crate::lexicon::Lexicon;

mod columns;
mod files;
mod formulas;
mod kind;
mod lists;
mod names;
mod numbers;
mod rows;

use columns::{Called, Named};
pub(super) use columns::{name_words, names_rows};
use kind::Hole;
pub use kind::is_hole;

/// Words that one thing may have.
const LONGEST: usize = 6;

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
    known: FxHashMap<(Hole, usize), Rc<Vec<Filling>>>,
}

impl<'a> Holes<'a> {
    pub(super) fn new(
        request: &'a str,
        tokens: &'a [Token],
        scene: &'a Scene,
        lexicon: &'a Lexicon,
    ) -> Self {
        let mut values: FxHashMap<String, Vec<(&Column, &str)>> = FxHashMap::default();
        let columns = scene.columns();
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
            columns: Named::all(scene, lexicon),
            tables: tables
                .flat_map(|file| name_words(stem(&file.name)))
                .collect(),
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
        let Some(kind) = Hole::named(kind) else {
            return Rc::default();
        };
        let key = (kind, at);
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

    fn find(&self, kind: Hole, at: usize) -> Vec<Filling> {
        let words = &self.lexicon.words;
        match kind {
            Hole::Number => self.numbers(at),
            Hole::Count => self.count(at).into_iter().collect(),
            Hole::Date => date(self.tokens, at, words, self.scene)
                .into_iter()
                .map(|(end, value)| plainly(end, value))
                .collect(),
            Hole::Coming => date(self.tokens, at, words, self.scene)
                .into_iter()
                .chain(coming(self.tokens, at, words, self.scene))
                .map(|(end, value)| plainly(end, value))
                .collect(),
            Hole::Column => self.columns(at, |_| true),
            Hole::Measure => self.figures(at, |_| true),
            Hole::Amount => self.figures(at, |column| self.is_added_up(column)),
            Hole::Label => self.columns(at, |column| column.holds != Holds::Numbers),
            Hole::Day => self.columns(at, |column| column.holds == Holds::Dates),
            Hole::Value => self.values(at, false),
            Hole::Cell => self.values(at, true),
            Hole::Rows => self.rows(at),
            Hole::Ending => self.ending(at).into_iter().collect(),
            Hole::Flag => self.flags(at),
            Hole::Formula => self.formula(at).into_iter().collect(),
            Hole::Other => self.other(at).into_iter().collect(),
            Hole::Source => self.sources(at),
            Hole::Table => self.only(at, |found| self.is_table(&found.value)),
            Hole::Document => self.only(at, |found| !self.is_table(&found.value)),
            Hole::New => self.new_files(at),
            Hole::Output => self.outputs(at),
            Hole::Place => self.places(at),
            Hole::Folder => self.folders(at),
            Hole::Url => self.urls(at),
            Hole::Duration => self.duration(at).into_iter().collect(),
            Hole::Pause => self.pause(at).into_iter().collect(),
            Hole::Money => self.money(at).into_iter().collect(),
            Hole::Percent => self.percent(at).into_iter().collect(),
            Hole::Columns => self.list(at, Hole::Column),
            Hole::Labels => self.list(at, Hole::Label),
            Hole::Measures => self.list(at, Hole::Measure),
            Hole::Tables => self.list(at, Hole::Table),
            Hole::Documents => self.list(at, Hole::Document),
            Hole::Domains => self.list(at, Hole::Domain),
            Hole::Units => self.list(at, Hole::Unit),
            Hole::Values => self.list(at, Hole::Value).into_iter().filter_map(lists::of_one_column).collect(),
            Hole::Email => self.of_kind(at, TokenKind::Email, |token| json!(token.text)),
            Hole::Quoted => self.of_kind(at, TokenKind::Quoted, |token| json!(token.text)),
            Hole::Word => self.word(at).into_iter().collect(),
            Hole::Name => self.name(at),
            Hole::Sample => self.sample(at).into_iter().collect(),
            Hole::Form => self.listed(at, &words.forms, |form| json!(form)),
            Hole::Unit => self.listed(at, &words.units, |unit| json!(unit)),
            Hole::Domain => self.listed(at, &words.domains, |domain| json!(domain)),
            Hole::Chart => self.listed(at, &words.charts, |chart| json!(chart)),
            Hole::Period => self.listed(at, &words.periods, |period| json!(period)),
            Hole::Superlative => self.listed(at, &words.superlatives, |one| {
                json!({"descending": one.descending, "like": one.columns, "dates": one.dates})
            }),
            Hole::Function => self.listed(at, &words.functions, |function| json!(function)),
        }
    }

    fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    /// Words from here on, the most first, with what they are as written.
    fn grams(&self, at: usize) -> impl Iterator<Item = (usize, Vec<&'a str>)> + '_ {
        let fits = |token: &&Token| match token.kind {
            TokenKind::Mark => token.text == "&",
            kind => kind != TokenKind::Url && token.text.contains(char::is_alphanumeric),
        };
        let rest = self.tokens.get(at..).unwrap_or_default();
        let most = rest.iter().take_while(fits).count().min(LONGEST);
        (1..=most).rev().map(move |count| {
            let words = self.tokens.get(at..at + count).unwrap_or_default();
            (
                at + count,
                words.iter().map(|token| token.lower.as_str()).collect(),
            )
        })
    }

    fn of_kind(&self, at: usize, kind: TokenKind, value: impl Fn(&Token) -> Value) -> Vec<Filling> {
        let token = self.token(at).filter(|token| token.kind == kind);
        token
            .map(|token| plainly(at + 1, value(token)))
            .into_iter()
            .collect()
    }

    fn only(&self, at: usize, fits: impl Fn(&Filling) -> bool) -> Vec<Filling> {
        let mut found = self.sources(at);
        found.retain(fits);
        found
    }

    fn is_added_up(&self, column: &Column) -> bool {
        let words = name_words(&column.name);
        words
            .iter()
            .any(|word| self.lexicon.words.added_up.contains(word))
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

fn plainly(end: usize, value: Value) -> Filling {
    Filling {
        end,
        value,
        note: None,
    }
}
