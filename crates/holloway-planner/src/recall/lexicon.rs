//! How well do single words of a request match the words of a tool? Every word of its
//! name looks for the word that is nearest in meaning: "trip" finds `travel_plan`.

use holloway_search::entry::{Entry, Field};
use holloway_search::table::{Table, to_length_one};
use holloway_search::words::{each_word, is_empty_word, spaced, stem};
use rustc_hash::FxHashMap;

use super::ridge::dot;
use super::verbs::{self, Kind};
use crate::catalogue::Place;

const WORDS_OF_TOOL: usize = 24;
const WORDS_OF_REQUEST: usize = 200;

/// The words of the tools of a catalogue and what they mean.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    words: Vec<Word>,
    /// What all words have in common says nothing.
    mean: Vec<f32>,
    tools: Vec<Tool>,
}

#[derive(Debug)]
struct Word {
    stem: String,
    vector: Vec<f32>,
    rarity: f32,
}

#[derive(Debug, Default)]
struct Tool {
    name: Vec<u32>,
    text: Vec<u32>,
    object: Vec<u32>,
    kinds: u8,
    kind: Option<Kind>,
}

/// A word of a request.
#[derive(Clone, Debug)]
pub(super) struct Said {
    stem: String,
    vector: Vec<f32>,
    clause: usize,
    /// Where it stands, 0 to 1.
    at: f32,
}

/// How well the words of a tool are matched; 0 to 1 each, lists by clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Match {
    pub(super) name: f32,
    pub(super) names: Vec<f32>,
    pub(super) texts: Vec<f32>,
    pub(super) objects: Vec<f32>,
    /// Where in the request its name is spoken of, 0 to 1.
    pub(super) at: f32,
}

impl Lexicon {
    pub(super) fn new(entries: &[Entry], table: &Table) -> Self {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut plain: Vec<String> = Vec::new();
        let mut spread: Vec<u32> = Vec::new();
        let mut tools = Vec::with_capacity(entries.len());
        for entry in entries {
            let mut take = |text: &str| {
                let mut own: Vec<u32> = Vec::new();
                each_word(text, |word| {
                    if is_empty_word(word) || word.len() < 2 || own.len() >= WORDS_OF_TOOL {
                        return;
                    }
                    let number = *numbers.entry(word.to_owned()).or_insert_with(|| {
                        plain.push(word.to_owned());
                        spread.push(0);
                        plain.len() as u32 - 1
                    });
                    if !own.contains(&number) {
                        own.push(number);
                    }
                });
                own
            };
            let name = entry.text(Field::Name);
            let own_name = take(&name);
            let text = take(&format!("{} {}", spaced(&name), entry.description));
            for word in &text {
                if let Some(spread) = spread.get_mut(*word as usize) {
                    *spread += 1;
                }
            }
            let is_object = |word: &&u32| {
                let word = plain.get(**word as usize);
                word.is_some_and(|word| !verbs::is_no_object(word))
            };
            tools.push(Tool {
                object: own_name.iter().filter(is_object).copied().collect(),
                kinds: verbs::kinds(&name),
                kind: verbs::kind(&name),
                name: own_name,
                text,
            });
        }
        let mut lexicon = Self {
            words: Vec::with_capacity(plain.len()),
            mean: vec![0.0; table.dimensions()],
            tools,
        };
        let vectors: Vec<Vec<f32>> = plain.iter().map(|word| table.meaning(word)).collect();
        for vector in &vectors {
            for (mean, part) in lexicon.mean.iter_mut().zip(vector) {
                *mean += part / vectors.len() as f32;
            }
        }
        for ((word, vector), spread) in plain.into_iter().zip(vectors).zip(spread) {
            let count = entries.len() as f32;
            let word = Word {
                stem: stem(&word),
                vector: lexicon.centred(vector),
                rarity: (1.0 + count / (spread as f32 + 0.5)).ln(),
            };
            lexicon.words.push(word);
        }
        lexicon
    }

    fn centred(&self, mut vector: Vec<f32>) -> Vec<f32> {
        for (part, mean) in vector.iter_mut().zip(&self.mean) {
            *part -= mean;
        }
        to_length_one(&mut vector);
        vector
    }

    pub(super) fn read(&self, clauses: &[String], table: &Table) -> Vec<Said> {
        let mut said: Vec<Said> = Vec::new();
        for (clause, text) in clauses.iter().enumerate() {
            each_word(text, |word| {
                let is_word = word.len() > 1 && !word.starts_with(|one: char| one.is_numeric());
                if is_empty_word(word) || !is_word || said.len() >= WORDS_OF_REQUEST {
                    return;
                }
                said.push(Said {
                    stem: stem(word),
                    vector: self.centred(table.meaning(word)),
                    clause,
                    at: 0.0,
                });
            });
        }
        let last = said.len().saturating_sub(1).max(1) as f32;
        for (at, word) in said.iter_mut().enumerate() {
            word.at = at as f32 / last;
        }
        said
    }

    /// How well each of these tools is matched by the words of so many clauses.
    pub(super) fn matches(&self, tools: &[Place], said: &[Said], clauses: usize) -> Vec<Match> {
        let mut nearness: FxHashMap<u32, Vec<f32>> = FxHashMap::default();
        for tool in tools.iter().filter_map(|tool| self.tools.get(*tool)) {
            for word in tool.name.iter().chain(&tool.text) {
                nearness
                    .entry(*word)
                    .or_insert_with(|| self.nearness(*word, said));
            }
        }
        let each = |tool: &Place| match self.tools.get(*tool) {
            Some(tool) => self.one(tool, said, clauses, &nearness),
            None => Match::default(),
        };
        tools.iter().map(each).collect()
    }

    fn nearness(&self, word: u32, said: &[Said]) -> Vec<f32> {
        let Some(word) = self.words.get(word as usize) else {
            return Vec::new();
        };
        let near = |said: &Said| {
            if said.stem == word.stem {
                return 1.0;
            }
            dot(&said.vector, &word.vector).max(0.0).powi(3)
        };
        said.iter().map(near).collect()
    }

    fn one(
        &self,
        tool: &Tool,
        said: &[Said],
        clauses: usize,
        nearness: &FxHashMap<u32, Vec<f32>>,
    ) -> Match {
        let object = if tool.object.is_empty() {
            &tool.name
        } else {
            &tool.object
        };
        let (name, names) = self.share(&tool.name, said, clauses, nearness);
        let mut heard = 1e-6;
        let mut at = 0.5e-6;
        for word in &tool.name {
            let near = nearness.get(word).into_iter().flatten();
            for (near, said) in near.zip(said) {
                let loud = self.rarity(*word) * near * near;
                heard += loud;
                at += loud * said.at;
            }
        }
        Match {
            name,
            names,
            texts: self.share(&tool.text, said, clauses, nearness).1,
            objects: self.share(object, said, clauses, nearness).1,
            at: at / heard,
        }
    }

    /// The share of words that is matched, rare ones counting more: by all, and by each clause.
    fn share(
        &self,
        words: &[u32],
        said: &[Said],
        clauses: usize,
        nearness: &FxHashMap<u32, Vec<f32>>,
    ) -> (f32, Vec<f32>) {
        let mut whole = 0.0;
        let mut parts = vec![0.0; clauses];
        let mut sum = 1e-6;
        let mut best = vec![0.0f32; clauses];
        for word in words {
            best.fill(0.0);
            let near = nearness.get(word).into_iter().flatten();
            for (near, said) in near.zip(said) {
                if let Some(best) = best.get_mut(said.clause) {
                    *best = best.max(*near);
                }
            }
            let rarity = self.rarity(*word);
            sum += rarity;
            whole += rarity * best.iter().copied().fold(0.0, f32::max);
            for (part, best) in parts.iter_mut().zip(&best) {
                *part += rarity * best;
            }
        }
        for part in &mut parts {
            *part /= sum;
        }
        (whole / sum, parts)
    }

    fn rarity(&self, word: u32) -> f32 {
        self.words
            .get(word as usize)
            .map_or(0.0, |word| word.rarity)
    }

    pub(super) fn kinds(&self, tool: Place) -> u8 {
        self.tools.get(tool).map_or(0, |tool| tool.kinds)
    }

    pub(super) fn kind(&self, tool: Place) -> Option<Kind> {
        self.tools.get(tool).and_then(|tool| tool.kind)
    }

    /// How far two tools are about the same thing, 0 to 1.
    pub(super) fn kinship(&self, one: Place, other: Place) -> f32 {
        let (Some(one), Some(other)) = (self.tools.get(one), self.tools.get(other)) else {
            return 0.0;
        };
        let weight = |words: &[u32]| -> f32 {
            let square = |word: &u32| self.rarity(*word).powi(2);
            words.iter().map(square).sum()
        };
        let is_shared = |word: &&u32| other.object.contains(word);
        let shared: Vec<u32> = one.object.iter().filter(is_shared).copied().collect();
        let most = (weight(&one.object) * weight(&other.object)).sqrt();
        weight(&shared) / most.max(1e-6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        let entry = |id: &str| Entry {
            id: id.to_owned(),
            ..Entry::default()
        };
        let entries = ["flight_search", "book_flight", "send_sms"].map(entry);
        Lexicon::new(&entries, &Table::shipped())
    }

    #[test]
    fn a_name_is_matched_where_it_is_spoken_of() {
        let lexicon = lexicon();
        let clauses = ["look for flights", "tell my sister by sms"].map(str::to_owned);
        let said = lexicon.read(&clauses, &Table::shipped());
        let found = lexicon.matches(&[0, 2], &said, 2);
        assert!(
            found[0].names[0] > 0.4 && found[0].names[1] < 0.1,
            "{found:?}"
        );
        assert!(found[1].names[1] > found[1].names[0], "{found:?}");
        assert!(found[0].at < 0.4 && found[1].at > 0.6, "{found:?}");
    }

    #[test]
    fn tools_about_the_same_thing_are_kin() {
        let lexicon = lexicon();
        assert_eq!(lexicon.kinship(0, 1), 1.0);
        assert_eq!(lexicon.kinship(0, 2), 0.0);
        assert_eq!(lexicon.kind(2), Some(Kind::Tell));
    }
}
