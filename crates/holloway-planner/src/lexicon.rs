//! What do words mean? A language as data: phrases with holes, words that say nothing, words
//! for numbers, kinds of files and directions. Nothing of it is in code; a second language is a
//! second folder.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

pub mod pattern;

use pattern::{Pattern, read};

static SHIPPED: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    let files = [
        include_str!("../data/en/words.toml"),
        include_str!("../data/en/phrases.toml"),
        include_str!("../data/de/words.toml"),
        include_str!("../data/de/phrases.toml"),
    ];
    files
        .chunks(2)
        .filter_map(|pair| Lexicon::read(pair.first()?, pair.get(1)?).ok())
        .collect()
});

/// A language, ready to be matched.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    pub language: String,
    pub words: Words,
    pub phrases: Vec<Phrase>,
}

/// The file `words.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    pub language: String,
    /// Words by which the language is known.
    pub known_by: Vec<String>,
    /// Words that carry nothing by themselves.
    pub fillers: Vec<String>,
    /// Words that turn a meaning round. One that no phrase takes in makes a frame refused.
    pub negations: Vec<String>,
    /// Endings that a word may have or lack.
    pub endings: Vec<String>,
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

/// "cheapest": the low end of a column that is called like a price.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Superlative {
    pub descending: bool,
    /// Words in the names of columns that it may be about; any number column if empty.
    #[serde(default)]
    pub columns: Vec<String>,
}

/// Words with holes, and what they say.
#[derive(Clone, Debug)]
pub struct Phrase {
    pub patterns: Vec<Pattern>,
    /// The goal that they begin.
    pub act: Option<String>,
    /// Slots with what is filled in.
    pub parts: Vec<(String, Value)>,
    /// More counts first where two phrases take in as much.
    pub weight: f64,
    /// Says nothing, and may be passed over: "please", "thanks in advance".
    pub idle: bool,
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

    pub fn read(words: &str, phrases: &str) -> Result<Self, BadLexicon> {
        let toml = |error: toml::de::Error| BadLexicon::Toml(error.to_string());
        let words: Words = toml::from_str(words).map_err(toml)?;
        let file: PhraseFile = toml::from_str(phrases).map_err(toml)?;
        let mut phrases = Vec::with_capacity(file.phrase.len());
        for written in file.phrase {
            let mut patterns = Vec::with_capacity(written.say.len());
            for text in &written.say {
                patterns.push(read(text).map_err(|reason| BadLexicon::Pattern {
                    pattern: text.clone(),
                    reason,
                })?);
            }
            phrases.push(Phrase {
                patterns,
                act: written.act,
                parts: written.parts.into_iter().flatten().collect(),
                weight: written.weight,
                idle: written.idle,
            });
        }
        Ok(Self {
            language: words.language.clone(),
            words,
            phrases,
        })
    }

    pub fn is_filler(&self, word: &str) -> bool {
        self.words.fillers.iter().any(|filler| filler == word)
    }

    /// The word without the ending that makes it a form of another.
    pub fn stem<'a>(&self, word: &'a str) -> &'a str {
        const STEM_AT_LEAST: usize = 3;
        let endings = self.words.endings.iter();
        let stems = endings.filter_map(|ending| word.strip_suffix(ending.as_str()));
        let stems = stems.filter(|stem| stem.chars().count() >= STEM_AT_LEAST);
        stems.min_by_key(|stem| stem.len()).unwrap_or(word)
    }

    /// Whether two words are forms of the same one.
    pub fn same(&self, one: &str, other: &str) -> bool {
        one == other || self.stem(one) == self.stem(other)
    }
}
