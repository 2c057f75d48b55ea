//! What do words mean? A language as data: phrases with holes, words that say nothing, words
//! for numbers, kinds of files and directions. Nothing of it is in code; a second language is a
//! second folder.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use serde::Deserialize;
use serde_json::Value;

pub mod lists;
pub mod pattern;
pub mod sorts;

pub(crate) mod index;

use index::Index;
use pattern::{PhrasePattern, expand, read};

static SHIPPED: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    // A test reads them; a language that is broken is not there.
    let languages = [(EN_WORDS, EN_PHRASES), (DE_WORDS, DE_PHRASES)].into_iter();
    languages
        .filter_map(|(words, phrases)| Lexicon::read(words, &phrases).ok())
        .collect()
});

/// The files of English.
pub const EN_WORDS: &str = include_str!("../data/en/words.toml");
pub const EN_PHRASES: [&str; 5] = [
    include_str!("../data/en/general.toml"),
    include_str!("../data/en/tables.toml"),
    include_str!("../data/en/texts.toml"),
    include_str!("../data/en/pages.toml"),
    include_str!("../data/en/limits.toml"),
];
/// The files of German.
pub const DE_WORDS: &str = include_str!("../data/de/words.toml");
pub const DE_PHRASES: [&str; 5] = [
    include_str!("../data/de/general.toml"),
    include_str!("../data/de/tables.toml"),
    include_str!("../data/de/texts.toml"),
    include_str!("../data/de/pages.toml"),
    include_str!("../data/de/limits.toml"),
];

/// A language, ready to be matched.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    pub language: String,
    pub words: Words,
    pub phrases: Vec<Phrase>,
    fillers: FxHashSet<String>,
    negations: FxHashSet<String>,
    index: Index,
}

/// The file `words.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    pub language: String,
    /// Lists of words that phrases name with `@`.
    pub ways: BTreeMap<String, String>,
    /// Words by which the language is known.
    pub known_by: Vec<String>,
    /// Words that carry nothing by themselves.
    pub fillers: Vec<String>,
    /// Words that turn a meaning round. One that no phrase takes in makes a frame refused.
    pub negations: Vec<String>,
    /// Endings that a word may have or lack.
    pub endings: Vec<String>,
    /// The mark before decimals: a comma, or a point if it is empty.
    pub decimal: String,
    /// Other ways to write a word: "pls" is "please".
    pub spellings: BTreeMap<String, String>,
    /// Words that join the items of a list.
    pub joins: Vec<String>,
    /// Words between things of which any will do.
    pub options: Vec<String>,
    /// Words in names of columns whose numbers are added up where nothing else is said.
    pub added_up: Vec<String>,
    /// Words by which a sentence begins that only says how things are.
    pub asides: Vec<String>,
    /// Words by which a clause begins that only says why: "because we".
    pub reasons: Vec<String>,
    /// Words by which a clause begins that says when, why or what for: "before".
    pub leads: Vec<String>,
    /// Words for the person who speaks.
    pub speakers: Vec<String>,
    /// Verbs of statements: "is", "asked".
    pub finite: Vec<String>,
    /// Words before something that belongs to what was said: "of", "from".
    pub binding: Vec<String>,
    /// Words before a purpose: "for".
    pub purpose: Vec<String>,
    /// Words by which a letter ends; names may follow.
    pub closings: Vec<String>,
    /// Words by which a sentence orders something, whatever it begins with.
    pub orders: Vec<String>,
    /// Words that may stand in such a sentence although phrases know them.
    pub everyday: Vec<String>,
    /// Words for kinds of things, which are no texts to be looked for unless they are quoted.
    pub kinds: Vec<String>,
    /// Words behind an amount of money.
    pub money: Vec<String>,
    /// Words for amounts of money that are parts of a whole one: "cents" are 0.01.
    pub small_money: BTreeMap<String, f64>,
    /// Seconds that a word for a time takes: "minutes" are 60.
    pub durations: BTreeMap<String, f64>,
    /// Units behind a number: "35 metres".
    pub measured_in: Vec<String>,
    /// Words at the end of a column's name that say a unit: `weight_kg`.
    pub name_tails: Vec<String>,
    /// Words for some of the rows, which are no name for all of them: "women".
    pub picking: Vec<String>,
    /// Words right before an unknown word by which rows are called: "how many", "the".
    pub before_rows: Vec<String>,
    /// Endings of words for one that look like words for many: "gross".
    pub singulars: Vec<String>,
    /// Nouns are written with a capital.
    pub capital_nouns: bool,
    /// What cells say that hold for a row, and that do not.
    pub yes: Vec<String>,
    pub no: Vec<String>,
    /// Words between two numbers: "times" is `*`.
    pub operators: BTreeMap<String, String>,
    /// Words before two numbers: "multiply" is `*`.
    pub operations: BTreeMap<String, String>,
    /// Words between the two numbers of an operation: "by".
    pub operands: Vec<String>,
    /// Words for half a year.
    pub halves: Vec<String>,
    /// Words for the one at the end: "the last quarter of 2024".
    pub last: Vec<String>,
    /// Words behind a number of hundredths.
    pub percent: Vec<String>,
    /// Endings of the names of web sites.
    pub hosts: Vec<String>,
    /// Days by their distance from today: "last month".
    pub relative: BTreeMap<String, Relative>,
    /// Words before the name of a file that is read: "in", "of".
    pub within: Vec<String>,
    /// Words before a number of days that have just passed: "the last 30 days".
    pub rolling: Vec<String>,
    /// Words behind or before a number of days that lie back: "3 days ago".
    pub ago: Vec<String>,
    /// Endings that make many of one.
    pub plurals: Vec<String>,
    pub numbers: BTreeMap<String, f64>,
    pub ordinals: BTreeMap<String, f64>,
    /// Words for numbers behind a number: `k`, `million`.
    pub scales: BTreeMap<String, f64>,
    pub months: BTreeMap<String, u32>,
    pub weekdays: BTreeMap<String, u32>,
    /// Words for `day`, `week`, `month`, `quarter`, `year`.
    pub periods: BTreeMap<String, String>,
    /// Words for rows of a table, whatever it is about.
    pub rows: Vec<String>,
    /// Words that may follow the name of a column: "phone number".
    pub column_tails: Vec<String>,
    /// First parts of compound words that are words of their own: "Durchschnittspreis".
    pub compounds: BTreeMap<String, String>,
    /// Words for figures of rows: "average" is `mean`.
    pub functions: BTreeMap<String, String>,
    /// Words for kinds of files: "spreadsheet" is `xlsx`.
    pub forms: BTreeMap<String, String>,
    /// Words for what stands in texts and pages: "words" are `words`.
    pub units: BTreeMap<String, String>,
    /// What is looked at in an audit: "search engines" are `seo`.
    pub domains: BTreeMap<String, String>,
    /// Words that say which end of which column: "cheapest".
    pub superlatives: BTreeMap<String, Superlative>,
    /// Words for charts: "bars" are `bar`.
    pub charts: BTreeMap<String, String>,
    /// Other names of columns: a word, and words that stand in names of columns.
    pub column_words: BTreeMap<String, Vec<String>>,
}

/// "last month": one month before this one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relative {
    pub period: String,
    pub shift: i64,
}

/// "cheapest": the low end of a column that is called like a price.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Superlative {
    pub descending: bool,
    /// Words in the names of columns that it may be about; any number column if empty.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The direction for dates, where no column is called so: "oldest".
    pub dates: Option<bool>,
}

/// Words with holes, and what they say.
#[derive(Clone, Debug)]
pub struct Phrase {
    pub patterns: Vec<PhrasePattern>,
    /// The goal that they begin.
    pub act: Option<String>,
    /// Slots with what is filled in.
    pub parts: Vec<(String, Value)>,
    /// More counts first where two phrases take in as much.
    pub weight: f64,
    /// Says nothing, and may be passed over: "please", "thanks in advance".
    pub idle: bool,
    /// Nothing is to be done where nothing else is said: "hello", "who are you".
    pub talk: bool,
    /// Says something only where another phrase fills one of these slots: "sort it", "save the".
    pub opens: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhraseFile {
    phrase: Vec<WrittenPhrase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPhrase {
    say: Vec<String>,
    act: Option<String>,
    #[serde(default)]
    parts: Vec<BTreeMap<String, Value>>,
    #[serde(default)]
    weight: f64,
    #[serde(default)]
    idle: bool,
    #[serde(default)]
    talk: bool,
    #[serde(default)]
    opens: Vec<String>,
}

/// A file of a language that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLexicon {
    #[error("{0}")]
    Toml(String),
    #[error("`{pattern}`: {reason}")]
    Pattern { pattern: String, reason: String },
}

impl Lexicon {
    /// The languages that ship.
    pub fn shipped() -> &'static [Self] {
        &SHIPPED
    }

    pub fn read(words: &str, phrases: &[&str]) -> Result<Self, BadLexicon> {
        let toml = |error: toml::de::Error| BadLexicon::Toml(error.to_string());
        let words: Words = toml::from_str(words).map_err(toml)?;
        let mut read = Vec::new();
        for file in phrases {
            let file: PhraseFile = toml::from_str(file).map_err(toml)?;
            for written in file.phrase {
                read.push(written.read(&words.ways)?);
            }
        }
        let mut lexicon = Self {
            language: words.language.clone(),
            fillers: words.fillers.iter().cloned().collect(),
            negations: words.negations.iter().cloned().collect(),
            words,
            phrases: read,
            index: Index::default(),
        };
        lexicon.index = Index::of(&lexicon);
        Ok(lexicon)
    }

    pub fn is_filler(&self, word: &str) -> bool {
        self.fillers.contains(word)
    }

    /// Whether the word turns a meaning round.
    pub fn is_negation(&self, word: &str) -> bool {
        self.negations.contains(word)
    }

    /// Where phrases begin, and which words they have.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// The word, and the word without endings that make it a form of another. A word that turns
    /// a meaning round is a form of no other: `not` is no `note`.
    pub fn stems<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'a str> {
        const STEM_AT_LEAST: usize = 3;
        let endings = self.words.endings.iter();
        let stems = endings.filter_map(move |ending| word.strip_suffix(ending.as_str()));
        let stems = stems.filter(|stem| {
            stem.chars().count() >= STEM_AT_LEAST
                && !self.is_negation(stem)
                && !self.is_negation(word)
        });
        std::iter::once(word).chain(stems)
    }

    /// Whether two words are forms of the same one.
    pub fn same(&self, one: &str, other: &str) -> bool {
        one == other
            || self
                .stems(one)
                .any(|stem| self.stems(other).any(|other| other == stem))
    }
}

impl WrittenPhrase {
    fn read(self, ways: &BTreeMap<String, String>) -> Result<Phrase, BadLexicon> {
        let mut patterns = Vec::with_capacity(self.say.len());
        for text in &self.say {
            let bad = |reason| BadLexicon::Pattern {
                pattern: text.clone(),
                reason,
            };
            patterns.push(
                expand(text, ways)
                    .and_then(|text| read(&text))
                    .map_err(bad)?,
            );
        }
        Ok(Phrase {
            patterns,
            act: self.act,
            parts: self.parts.into_iter().flatten().collect(),
            weight: self.weight,
            idle: self.idle,
            talk: self.talk,
            opens: self.opens,
        })
    }
}
