//! Which tools have the words of a request? BM25F: the fields of a tool are weighed
//! into one count per term, and what a term is worth in a tool is worked out beforehand.

use rustc_hash::FxHashMap;

use crate::entry::{Entry, Field};
use crate::words::{each_word, is_empty_word, stem};

/// How soon more of the same word stops adding.
const SATURATION: f32 = 1.5;
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

/// A term of the catalogue, by number.
pub type Term = u32;

/// Which tools have which term, and what it is worth there.
#[derive(Debug, Default)]
pub struct Lexical {
    terms: FxHashMap<Box<str>, Term>,
    /// Where the tools of each term begin; one more at the end.
    begins: Vec<u32>,
    tools: Vec<u32>,
    worth: Vec<f32>,
    rarity: Vec<f32>,
    size: usize,
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
        let rarest = rarity(self.size, 0);
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
            let term = self.terms.get(stem.as_str()).map(|term| *term as usize);
            sum += term
                .and_then(|term| self.rarity.get(term))
                .unwrap_or(&rarest);
            seen.push(stem);
        });
        sum * (SATURATION + 1.0)
    }

    /// How rare a word is in the catalogue; nothing if no tool has it.
    pub fn rarity_of(&self, word: &str) -> Option<f32> {
        let term = self.terms.get(stem(word).as_str())?;
        self.rarity.get(*term as usize).copied()
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

/// The terms of each tool, before they are turned round.
#[derive(Default)]
struct Counted {
    /// By word as it stands in texts; none for words that say nothing.
    words: FxHashMap<Box<str>, Option<Term>>,
    terms: FxHashMap<Box<str>, Term>,
    /// How many tools have each term.
    spread: Vec<u32>,
    /// Terms and counts of all tools, one tool after the other.
    counts: Vec<(Term, f32)>,
    /// Where the terms of each tool end.
    ends: Vec<usize>,
    lengths: Vec<f32>,
}

impl Counted {
    fn count(&mut self, entry: &Entry) {
        let mut own: Vec<(Term, f32)> = Vec::new();
        for field in Field::ALL {
            let weight = weight(field);
            each_word(&entry.text(field), |word| {
                if let Some(term) = self.term(word) {
                    own.push((term, weight));
                }
            });
        }
        own.sort_unstable_by_key(|(term, _)| *term);
        own.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += later.1;
            }
            same
        });
        for (term, _) in &own {
            if let Some(spread) = self.spread.get_mut(*term as usize) {
                *spread += 1;
            }
        }
        self.lengths.push(own.iter().map(|(_, count)| count).sum());
        self.counts.append(&mut own);
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
            }
            term
        });
        self.words.insert(Box::from(word), term);
        term
    }

    fn invert(self) -> Lexical {
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
        let mut counts = self.counts.iter();
        let mut begin = 0;
        for (tool, (end, length)) in self.ends.iter().zip(&self.lengths).enumerate() {
            let held_back = SATURATION * (1.0 - LENGTH + LENGTH * length / mean.max(1e-6));
            for (term, count) in counts.by_ref().take(end - begin) {
                let term = *term as usize;
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
            begins,
            tools,
            worth,
            rarity,
            size,
        }
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
