//! Why this tool? Which words of the request it has and where, which word comes
//! nearest in meaning, and which part of the request it serves.

use serde::Serialize;

use crate::entry::{Entry, Field};
use crate::index::{Index, Query};
use crate::words::{each_word, is_empty_word, stem};

const WORDS_AT_MOST: usize = 4;
/// Words less alike are not called near.
const NEAR_AT_LEAST: f32 = 0.45;
/// Of a long request and a long description only so many words are compared.
const COMPARED_AT_MOST: usize = 40;

/// What speaks for a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reason {
    /// Words it has, the rarest first.
    pub words: Vec<Shared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<Near>,
    /// The part of the request it fits best, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

/// A word of the request that the tool has too.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shared {
    pub word: String,
    pub fields: Vec<Field>,
}

/// Two words that mean about the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Near {
    pub wanted: String,
    pub has: String,
    /// 0 to 1.
    pub likeness: f32,
}

/// Why the tool at this place fits a request.
pub fn reason(index: &Index, query: &Query, place: usize) -> Reason {
    let Some(entry) = index.entry(place) else {
        return Reason::default();
    };
    let wanted = distinct(&query.plain);
    let mut words = shared(entry, &wanted);
    let rarity = |shared: &Shared| index.lexical().rarity_of(&shared.word).unwrap_or_default();
    words.sort_by(|one, other| rarity(other).total_cmp(&rarity(one)));
    let near = near(index, entry, &wanted, &words);
    words.truncate(WORDS_AT_MOST);
    Reason {
        words,
        near,
        clause: clause(index, query, place),
    }
}

/// A word as it stands in a text, with its stem.
struct Word {
    text: String,
    stem: String,
}

/// The words that say something, each but once.
fn distinct(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    each_word(text, |word| {
        let stem = stem(word);
        if !is_empty_word(word) && !words.iter().any(|known| known.stem == stem) {
            let text = word.to_owned();
            words.push(Word { text, stem });
        }
    });
    words
}

fn shared(entry: &Entry, wanted: &[Word]) -> Vec<Shared> {
    let has: Vec<(Field, Vec<Word>)> = Field::ALL
        .iter()
        .map(|field| (*field, distinct(&entry.text(*field))))
        .collect();
    let fields = |word: &Word| -> Vec<Field> {
        let having = has
            .iter()
            .filter(|(_, words)| words.iter().any(|own| own.stem == word.stem));
        having.map(|(field, _)| *field).collect()
    };
    wanted
        .iter()
        .map(|word| Shared {
            word: word.text.clone(),
            fields: fields(word),
        })
        .filter(|shared| !shared.fields.is_empty())
        .collect()
}

/// The two words nearest in meaning, of which the tool has one and the request the other.
fn near(index: &Index, entry: &Entry, wanted: &[Word], shared: &[Shared]) -> Option<Near> {
    let text = [Field::Name, Field::Description]
        .map(|field| entry.text(field))
        .join(" ");
    let is_shared = |word: &&Word| shared.iter().any(|shared| shared.word == word.text);
    let meaning = |word: &Word| (word.text.clone(), index.table().meaning(&word.text));
    let missing = wanted.iter().filter(|word| !is_shared(word));
    let missing: Vec<_> = missing.take(COMPARED_AT_MOST).map(meaning).collect();
    let own: Vec<_> = distinct(&text)
        .iter()
        .take(COMPARED_AT_MOST)
        .map(meaning)
        .collect();
    let pairs = missing.iter().flat_map(|(wanted, one)| {
        own.iter().map(move |(has, other)| Near {
            wanted: wanted.clone(),
            has: has.clone(),
            likeness: one.iter().zip(other).map(|(one, other)| one * other).sum(),
        })
    });
    pairs
        .filter(|near| near.likeness >= NEAR_AT_LEAST)
        .max_by(|one, other| one.likeness.total_cmp(&other.likeness))
}

fn clause(index: &Index, query: &Query, place: usize) -> Option<String> {
    let parts = query
        .clauses
        .iter()
        .zip(&query.clause_terms)
        .zip(&query.clause_meanings);
    let scored = parts.map(|((clause, terms), meaning)| {
        let words = index.lexical().score(terms, place) / index.lexical().ceiling(clause).max(1e-6);
        (words + index.vectors().near(meaning, place), clause)
    });
    let best = scored.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, clause)| clause.clone())
}

impl Reason {
    /// In a few words, such as `“csv” in name and description; “rows” is near “table”`.
    pub fn sentence(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut last: &[Field] = &[];
        for shared in &self.words {
            let word = format!("“{}”", shared.word);
            match parts.last_mut() {
                // Words found in the same places are told together.
                Some(part) if shared.fields == last => {
                    *part = format!("{word}, {part}");
                }
                _ => parts.push(format!("{word} in {}", places(&shared.fields))),
            }
            last = &shared.fields;
        }
        if let Some(near) = &self.near {
            parts.push(format!("“{}” is near “{}”", near.has, near.wanted));
        }
        if let Some(clause) = &self.clause {
            parts.push(format!("for “{clause}”"));
        }
        parts.join("; ")
    }
}

fn places(fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|field| field.as_str()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::entry::Parameter;
    use crate::table::tests::small_table;

    fn index() -> Index {
        let table = small_table(&[
            ("forecast", [127, 20, 0, 0]),
            ("weather", [120, 0, 0, 0]),
            ("mail", [0, 0, 127, 0]),
        ]);
        let weather = Entry {
            id: "a".to_owned(),
            name: "getForecast".to_owned(),
            description: "Tells the forecast of cities".to_owned(),
            parameters: vec![Parameter {
                name: "city".to_owned(),
                description: "Name of the city".to_owned(),
            }],
            ..Entry::default()
        };
        let mail = Entry {
            id: "send_mail".to_owned(),
            ..Entry::default()
        };
        Index::with_table([weather, mail], Arc::new(table))
    }

    #[track_caller]
    fn check(request: &str, place: usize, expected: &str) {
        let index = index();
        let query = index.read(request);
        assert_eq!(reason(&index, &query, place).sentence(), expected);
    }

    #[test]
    fn words_near_words_and_parts_are_told() {
        check(
            "weather for my city",
            0,
            "“city” in description, parameters and what its parameters mean; “forecast” is near “weather”",
        );
        check(
            "the forecast for my city, then send a mail to Ann",
            1,
            "“mail”, “send” in name; for “send a mail to Ann”",
        );
        check("stocks", 0, "");
        check("stocks", 99, "");
    }
}
