//! How alike are two requests? The cosine of what they say (rare words count more) plus
//! the square of the cosine of what they mean. Remembered requests are compared at once.

use std::sync::Arc;

use holloway_search::table::Table;
use rustc_hash::FxHashMap;

use super::ridge::dot;
use super::text::{grams, masked};

/// Rarity is worked out anew when the number of texts has doubled, up to here; by then
/// another text hardly changes it, and working it out anew means comparing all again.
const SETTLED: usize = 1_024;
const FIRST: usize = 8;

/// Remembered texts, ready to be compared with others.
#[derive(Debug)]
pub(super) struct Kernel {
    table: Arc<Table>,
    numbers: FxHashMap<Box<str>, u32>,
    /// In how many texts each gram occurs.
    spread: Vec<u32>,
    rarity: Vec<f32>,
    /// How many texts there were when rarity was worked out.
    rated: usize,
    counts: Vec<Vec<(u32, f32)>>,
    /// Which texts have each gram, and its share of their length.
    postings: Vec<Vec<(u32, f32)>>,
    meanings: Vec<f32>,
}

/// A text, taken apart to be compared.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    grams: Vec<(String, f32)>,
    meaning: Vec<f32>,
}

impl Kernel {
    pub(super) fn new(table: &Arc<Table>) -> Self {
        Self {
            table: Arc::clone(table),
            numbers: FxHashMap::default(),
            spread: Vec::new(),
            rarity: Vec::new(),
            rated: 0,
            counts: Vec::new(),
            postings: Vec::new(),
            meanings: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn probe(&self, text: &str) -> Probe {
        let text = masked(text);
        Probe {
            grams: grams(&text),
            meaning: self.table.meaning(&text),
        }
    }

    /// Adds a text without looking at rarity; [`Kernel::settle`] does.
    pub(super) fn push(&mut self, probe: &Probe) {
        let mut counts = Vec::with_capacity(probe.grams.len());
        for (gram, count) in &probe.grams {
            let next = self.spread.len() as u32;
            let number = *self.numbers.entry(gram.as_str().into()).or_insert(next);
            if number == next {
                self.spread.push(0);
                self.rarity.push(rarity(self.rated, 0));
                self.postings.push(Vec::new());
            }
            if let Some(spread) = self.spread.get_mut(number as usize) {
                *spread += 1;
            }
            counts.push((number, *count));
        }
        let text = self.len() as u32;
        self.post(text, &counts);
        self.counts.push(counts);
        self.meanings.extend_from_slice(&probe.meaning);
    }

    /// Whether so many more texts came that rarity should be worked out anew.
    pub(super) fn is_stale(&self) -> bool {
        let due = self.rated.saturating_mul(2).max(FIRST);
        self.len() >= due && self.rated < SETTLED
    }

    /// Works out rarity anew. What was compared before has to be compared again.
    pub(super) fn settle(&mut self) {
        self.rated = self.len();
        let rated = self.rated;
        self.rarity = self
            .spread
            .iter()
            .map(|spread| rarity(rated, *spread))
            .collect();
        self.postings.iter_mut().for_each(Vec::clear);
        let counts = std::mem::take(&mut self.counts);
        for (text, counts) in counts.iter().enumerate() {
            self.post(text as u32, counts);
        }
        self.counts = counts;
    }

    /// How alike a text is to each of the first so many that are remembered.
    pub(super) fn alike(&self, probe: &Probe, first: usize) -> Vec<f32> {
        let known: Vec<(u32, f32)> = probe
            .grams
            .iter()
            .filter_map(|(gram, count)| Some((*self.numbers.get(gram.as_str())?, *count)))
            .collect();
        self.compare(&known, &probe.meaning, first)
    }

    /// How alike a remembered text is to each one before it.
    pub(super) fn row(&self, text: usize) -> Vec<f32> {
        let dimensions = self.table.dimensions();
        let meaning = self
            .meanings
            .get(text * dimensions..(text + 1) * dimensions);
        let counts = self.counts.get(text).map(Vec::as_slice);
        self.compare(
            counts.unwrap_or_default(),
            meaning.unwrap_or_default(),
            text,
        )
    }

    /// How alike a text is to itself.
    pub(super) fn own(&self, text: usize) -> f32 {
        let dimensions = self.table.dimensions();
        let meaning = self
            .meanings
            .get(text * dimensions..(text + 1) * dimensions);
        let meaning = meaning.unwrap_or_default();
        let counts = self
            .counts
            .get(text)
            .is_some_and(|counts| !counts.is_empty());
        f32::from(u8::from(counts)) + dot(meaning, meaning).max(0.0).powi(2)
    }

    fn compare(&self, counts: &[(u32, f32)], meaning: &[f32], first: usize) -> Vec<f32> {
        let mut alike = vec![0.0; first.min(self.len())];
        for (gram, share) in self.shares(counts) {
            let postings = self.postings.get(gram as usize).into_iter().flatten();
            for (text, other) in postings {
                let Some(alike) = alike.get_mut(*text as usize) else {
                    // Texts stand in their order.
                    break;
                };
                *alike += share * other;
            }
        }
        let dimensions = self.table.dimensions().max(1);
        for (alike, other) in alike.iter_mut().zip(self.meanings.chunks_exact(dimensions)) {
            *alike += dot(meaning, other).max(0.0).powi(2);
        }
        alike
    }

    fn post(&mut self, text: u32, counts: &[(u32, f32)]) {
        for (gram, share) in self.shares(counts) {
            if let Some(postings) = self.postings.get_mut(gram as usize) {
                postings.push((text, share));
            }
        }
    }

    /// Counts by rarity, of length one.
    fn shares(&self, counts: &[(u32, f32)]) -> Vec<(u32, f32)> {
        let rarity = |gram: u32| self.rarity.get(gram as usize).copied().unwrap_or_default();
        let mut shares: Vec<(u32, f32)> = counts
            .iter()
            .map(|(gram, count)| (*gram, count * rarity(*gram)))
            .collect();
        let length = shares
            .iter()
            .map(|(_, share)| share * share)
            .sum::<f32>()
            .sqrt();
        for (_, share) in &mut shares {
            *share /= length.max(1e-9);
        }
        shares
    }
}

fn rarity(texts: usize, spread: u32) -> f32 {
    (1.0 + texts.max(1) as f32 / (spread as f32 + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(texts: &[&str]) -> Kernel {
        let mut kernel = Kernel::new(&Table::shipped());
        for text in texts {
            let probe = kernel.probe(text);
            kernel.push(&probe);
        }
        kernel.settle();
        kernel
    }

    #[test]
    fn the_same_text_is_as_alike_as_can_be() {
        let kernel = kernel(&["book a train to the coast", "pay my phone bill"]);
        let probe = kernel.probe("pay my phone bill");
        let alike = kernel.alike(&probe, 2);
        assert!((alike[1] - kernel.own(1)).abs() < 1e-4, "{alike:?}");
        assert!((alike[1] - 2.0).abs() < 1e-2 && alike[0] < 0.5, "{alike:?}");
        assert!((kernel.row(1)[0] - alike[0]).abs() < 1e-5);
    }

    #[test]
    fn texts_without_words_are_like_nothing() {
        let kernel = kernel(&["", "pay my phone bill"]);
        assert_eq!(kernel.own(0), 0.0);
        assert_eq!(kernel.row(1), [0.0]);
        assert_eq!(kernel.alike(&kernel.probe("…"), 2), [0.0, 0.0]);
    }
}
