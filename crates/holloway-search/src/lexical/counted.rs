//! How often does each tool have each term? Counted tool by tool, then turned
//! round, so that a term leads to its tools.

use rustc_hash::FxHashMap;

use super::{Held, Lexical, SATURATION, Term, rarity};
use crate::entry::{Entry, Field};
use crate::words::{each_word, is_empty_word, stem};

/// How much a long text is held against a tool.
const LENGTH: f32 = 0.6;

/// What one occurrence in a field counts.
fn weight(field: Field) -> f32 {
    match field {
        Field::Name => 2.0,
        Field::Server | Field::Description => 1.0,
        Field::Parameters => 0.5,
        Field::ParameterDescriptions => 0.25,
    }
}

/// The terms of each tool, before they are turned round.
#[derive(Default)]
pub(super) struct Counted {
    /// By word as it stands in texts; none for words that say nothing.
    words: FxHashMap<Box<str>, Option<Term>>,
    terms: FxHashMap<Box<str>, Term>,
    /// A word of which each term is the stem.
    forms: Vec<Box<str>>,
    /// How many tools have each term.
    spread: Vec<u32>,
    /// The terms of all tools, one tool after the other.
    held: Vec<Held>,
    /// How often, weighed by field.
    counts: Vec<f32>,
    /// Where the terms of each tool end.
    ends: Vec<usize>,
    lengths: Vec<f32>,
}

impl Counted {
    pub(super) fn count(&mut self, entry: &Entry) {
        let mut own: Vec<(Held, f32)> = Vec::new();
        for field in Field::ALL {
            let weight = weight(field);
            each_word(&entry.text(field), |word| {
                if let Some(term) = self.term(word) {
                    let held = Held {
                        term,
                        in_name: field == Field::Name,
                        in_description: field == Field::Description,
                    };
                    own.push((held, weight));
                }
            });
        }
        own.sort_unstable_by_key(|(held, _)| held.term);
        own.dedup_by(|(later, count), (first, sum)| {
            let same = later.term == first.term;
            if same {
                first.in_name |= later.in_name;
                first.in_description |= later.in_description;
                *sum += *count;
            }
            same
        });
        for (held, _) in &own {
            if let Some(spread) = self.spread.get_mut(held.term as usize) {
                *spread += 1;
            }
        }
        self.lengths.push(own.iter().map(|(_, count)| count).sum());
        self.held.extend(own.iter().map(|(held, _)| *held));
        self.counts.extend(own.iter().map(|(_, count)| *count));
        self.ends.push(self.counts.len());
    }

    fn term(&mut self, word: &str) -> Option<Term> {
        if let Some(term) = self.words.get(word) {
            return *term;
        }
        let term = (!is_empty_word(word)).then(|| {
            let next = self.spread.len() as Term;
            let term = *self
                .terms
                .entry(stem(word).into_boxed_str())
                .or_insert(next);
            if term == next {
                self.spread.push(0);
                self.forms.push(Box::from(word));
            }
            term
        });
        self.words.insert(Box::from(word), term);
        term
    }

    pub(super) fn invert(self) -> Lexical {
        let size = self.lengths.len();
        let mean = self.lengths.iter().sum::<f32>() / size.max(1) as f32;
        let rarity: Vec<f32> = self
            .spread
            .iter()
            .map(|spread| rarity(size, *spread))
            .collect();
        let mut begins = vec![0u32];
        let mut sum = 0;
        for spread in &self.spread {
            sum += spread;
            begins.push(sum);
        }
        let mut next = begins.clone();
        let mut tools = vec![0; self.counts.len()];
        let mut worth = vec![0.0; self.counts.len()];
        let mut counts = self.held.iter().zip(&self.counts);
        let mut begin = 0;
        for (tool, (end, length)) in self.ends.iter().zip(&self.lengths).enumerate() {
            let held_back = SATURATION * (1.0 - LENGTH + LENGTH * length / mean.max(1e-6));
            for (held, count) in counts.by_ref().take(end - begin) {
                let term = held.term as usize;
                let Some(place) = next.get_mut(term) else {
                    continue;
                };
                let at = *place as usize;
                *place += 1;
                let rarity = rarity.get(term).copied().unwrap_or_default();
                if let (Some(tool_at), Some(worth_at)) = (tools.get_mut(at), worth.get_mut(at)) {
                    *tool_at = tool as u32;
                    *worth_at = rarity * count * (SATURATION + 1.0) / (count + held_back);
                }
            }
            begin = *end;
        }
        Lexical {
            terms: self.terms,
            forms: self.forms,
            begins,
            tools,
            worth,
            rarity,
            held: self.held,
            ends: self.ends,
        }
    }
}
