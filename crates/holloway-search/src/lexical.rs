//! Which tools have the words of a request? BM25F: the fields of a tool are weighed
//! into one count per term, and what a term is worth in a tool is worked out beforehand.

use rustc_hash::FxHashMap;

use crate::entry::Entry;
use crate::words::{each_word, is_empty_word, stem};

mod counted;

use counted::Counted;

/// How soon more of the same word stops adding.
const SATURATION: f32 = 1.5;

/// A term of the catalogue, by number.
pub type Term = u32;

/// A term that a tool has, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub term: Term,
    pub in_name: bool,
    pub in_description: bool,
}

/// Which tools have which term, and what it is worth there.
#[derive(Debug, Default)]
pub struct Lexical {
    terms: FxHashMap<Box<str>, Term>,
    /// A word of which each term is the stem.
    forms: Vec<Box<str>>,
    /// Where the tools of each term begin; one more at the end.
    begins: Vec<u32>,
    tools: Vec<u32>,
    worth: Vec<f32>,
    rarity: Vec<f32>,
    /// The terms of all tools, one tool after the other.
    held: Vec<Held>,
    /// Where the terms of each tool end.
    ends: Vec<usize>,
}

impl Lexical {
    pub fn build(entries: &[Entry]) -> Self {
        let mut counted = Counted::default();
        for entry in entries {
            counted.count(entry);
        }
        counted.invert()
    }

    /// The distinct terms of a text that occur in the catalogue.
    pub fn terms(&self, text: &str) -> Vec<Term> {
        let mut found = Vec::new();
        each_word(text, |word| {
            if !is_empty_word(word)
                && let Some(term) = self.terms.get(stem(word).as_str())
                && !found.contains(term)
            {
                found.push(*term);
            }
        });
        found
    }

    /// Adds what each term is worth to the tools that have it.
    pub fn add(&self, terms: &[Term], scores: &mut [f32]) {
        for term in terms {
            let (tools, worth) = self.postings(*term);
            for (tool, worth) in tools.iter().zip(worth) {
                if let Some(score) = scores.get_mut(*tool as usize) {
                    *score += worth;
                }
            }
        }
    }

    /// For every tool the best that one list of terms gives; `scratch` is zero before and after.
    pub fn best(&self, lists: &[Vec<Term>], scratch: &mut [f32], best: &mut [f32]) {
        for terms in lists {
            self.add(terms, scratch);
            for tool in terms.iter().flat_map(|term| self.postings(*term).0) {
                let tool = *tool as usize;
                if let (Some(score), Some(best)) = (scratch.get_mut(tool), best.get_mut(tool)) {
                    *best = best.max(*score);
                    *score = 0.0;
                }
            }
        }
    }

    /// What a tool gets for a list of terms.
    pub fn score(&self, terms: &[Term], tool: usize) -> f32 {
        let worth = |term: &Term| {
            let (tools, worth) = self.postings(*term);
            let at = tools.binary_search(&(tool as u32)).ok()?;
            worth.get(at).copied()
        };
        terms.iter().filter_map(worth).sum()
    }

    /// The most that any tool could get for a text; words nobody has count as the rarest.
    pub fn ceiling(&self, text: &str) -> f32 {
        let mut seen: Vec<String> = Vec::new();
        let mut sum = 0.0;
        each_word(text, |word| {
            if is_empty_word(word) {
                return;
            }
            let stem = stem(word);
            if seen.contains(&stem) {
                return;
            }
            sum += self.rarity(self.term(&stem));
            seen.push(stem);
        });
        sum * (SATURATION + 1.0)
    }

    /// How rare a word is in the catalogue; nothing if no tool has it.
    pub fn rarity_of(&self, word: &str) -> Option<f32> {
        let term = self.term(&stem(word))?;
        self.rarity.get(term as usize).copied()
    }

    /// How rare a term is; what no tool has is the rarest.
    pub fn rarity(&self, term: Option<Term>) -> f32 {
        let known = term.and_then(|term| self.rarity.get(term as usize));
        known.copied().unwrap_or_else(|| rarity(self.ends.len(), 0))
    }

    /// The number of a stem.
    pub fn term(&self, stem: &str) -> Option<Term> {
        self.terms.get(stem).copied()
    }

    /// For each term a word of which it is the stem.
    pub fn forms(&self) -> &[Box<str>] {
        &self.forms
    }

    /// The terms of a tool.
    pub fn held(&self, tool: usize) -> &[Held] {
        let begin = tool.checked_sub(1).and_then(|before| self.ends.get(before));
        let end = self.ends.get(tool).copied().unwrap_or_default();
        let range = begin.copied().unwrap_or_default()..end;
        self.held.get(range).unwrap_or_default()
    }

    fn postings(&self, term: Term) -> (&[u32], &[f32]) {
        let term = term as usize;
        let bounds = self.begins.get(term).zip(self.begins.get(term + 1));
        let range = bounds.map(|(begin, end)| *begin as usize..*end as usize);
        let range = range.unwrap_or_default();
        (
            self.tools.get(range.clone()).unwrap_or_default(),
            self.worth.get(range).unwrap_or_default(),
        )
    }
}

/// A word that few tools have tells more.
fn rarity(size: usize, spread: u32) -> f32 {
    let (size, spread) = (size as f32, spread as f32);
    (1.0 + (size - spread + 0.5) / (spread + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, description: &str) -> Entry {
        Entry {
            id: name.to_owned(),
            name: name.to_owned(),
            description: description.to_owned(),
            ..Entry::default()
        }
    }

    fn index() -> Lexical {
        Lexical::build(&[
            entry("getWeather", "Forecast for a city"),
            entry("send_mail", "Sends a message about the weather or else"),
            entry("stocks", "Prices of shares"),
        ])
    }

    fn scores(index: &Lexical, text: &str) -> Vec<f32> {
        let mut scores = vec![0.0; 3];
        index.add(&index.terms(text), &mut scores);
        scores
    }

    #[test]
    fn a_name_counts_more_than_a_mention() {
        let index = index();
        let scores = scores(&index, "weather");
        assert!(scores[0] > scores[1] && scores[1] > 0.0, "{scores:?}");
        assert_eq!(scores[2], 0.0);
        assert_eq!(index.score(&index.terms("weather"), 0), scores[0]);
    }

    #[test]
    fn the_formula_is_the_known_one() {
        let one = Lexical::build(&[entry("alpha", ""), entry("beta", "gamma")]);
        let mut scores = vec![0.0; 2];
        one.add(&one.terms("gamma"), &mut scores);
        // Two tools, lengths 2 and 3, one of them has the word once.
        let rarity = (1.0f32 + 1.5 / 1.5).ln();
        let expected = rarity * 2.5 / (1.0 + 1.5 * (0.4 + 0.6 * 3.0 / 2.5));
        assert!((scores[1] - expected).abs() < 1e-6, "{scores:?} {expected}");
    }

    #[test]
    fn of_several_lists_the_best_counts_and_nothing_is_left_behind() {
        let index = index();
        let lists = [index.terms("weather"), index.terms("message, shares")];
        let (mut scratch, mut best) = (vec![0.0; 3], vec![0.0; 3]);
        index.best(&lists, &mut scratch, &mut best);
        let (weather, rest) = (scores(&index, "weather"), scores(&index, "message shares"));
        let expected: Vec<f32> = weather.iter().zip(&rest).map(|(a, b)| a.max(*b)).collect();
        assert_eq!(best, expected);
        assert_eq!(scratch, [0.0; 3]);
    }

    #[test]
    fn a_tool_knows_its_terms_and_where_they_stand() {
        let index = index();
        let word = |held: &Held| index.forms()[held.term as usize].to_string();
        let held = index.held(1).iter();
        let told: Vec<String> = held
            .map(|held| format!("{} {} {}", word(held), held.in_name, held.in_description))
            .collect();
        let expected = [
            "weather false true",
            "send true true",
            "mail true false",
            "message false true",
            "else false true",
        ];
        assert_eq!(told, expected);
        assert_eq!(index.held(3), []);
        assert_eq!(index.rarity(None), rarity(3, 0));
    }

    #[test]
    fn no_tool_gets_more_than_the_ceiling() {
        let index = index();
        for text in ["weather", "send mail message", "weather unheard"] {
            let most = scores(&index, text).into_iter().fold(0.0, f32::max);
            assert!(most < index.ceiling(text), "{text}");
        }
    }

    #[test]
    fn an_empty_catalogue_has_no_terms() {
        let empty = Lexical::build(&[]);
        assert_eq!(empty.terms("weather"), Vec::<Term>::new());
        empty.add(&[0, 7], &mut []);
        assert_eq!(empty.score(&[0, 7], 3), 0.0);
    }
}
