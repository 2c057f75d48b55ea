//! Which words do texts share? The cosine of their counts, where rare words count more.

use rustc_hash::FxHashMap;

use super::sparse::{Sparse, Vector, of_length_one};
use super::text::Grams;

/// Remembered texts by what stands in them.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: FxHashMap<String, u32>,
    /// In how many texts each gram occurs.
    spread: Vec<u32>,
    /// By how many texts, and in how many of them each gram occurred.
    rated: (usize, Vec<u32>),
    texts: Sparse,
}

impl Words {
    /// How many texts there were when rarity was worked out.
    pub(super) fn rated(&self) -> usize {
        self.rated.0
    }

    /// Adds a text without looking at rarity; [`Words::settle`] does.
    pub(super) fn push(&mut self, grams: &Grams) {
        for (gram, _) in grams {
            let next = self.spread.len() as u32;
            let number = *self.numbers.entry(gram.clone()).or_insert(next);
            match self.spread.get_mut(number as usize) {
                Some(spread) => *spread += 1,
                None => self.spread.push(1),
            }
        }
        self.texts.push(&self.vector(grams));
    }

    /// Works out rarity anew by all texts. What was compared before has to be compared again.
    pub(super) fn settle<'a>(&mut self, texts: impl ExactSizeIterator<Item = &'a Grams>) {
        self.rated = (texts.len(), self.spread.clone());
        self.texts = Sparse::default();
        for grams in texts {
            self.texts.push(&self.vector(grams));
        }
    }

    /// The cosines with the first so many texts.
    pub(super) fn cosines(&self, grams: &Grams, first: usize) -> Vec<f32> {
        self.texts.cosines(&self.vector(grams), first)
    }

    /// What is known of a text, by rarity.
    fn vector(&self, grams: &Grams) -> Vector {
        let (texts, spread) = &self.rated;
        let weighed = grams.iter().filter_map(|(gram, count)| {
            let number = *self.numbers.get(gram)?;
            let spread = spread.get(number as usize).copied().unwrap_or_default();
            let rarity = 1.0 + (*texts).max(1) as f32 / (spread as f32 + 0.5);
            Some((number, count * rarity.ln().sqrt()))
        });
        of_length_one(weighed.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(words: &str) -> Grams {
        let each = words.split(' ').map(|word| (word.to_owned(), 1.0));
        each.collect()
    }

    fn alike(text: &str) -> Vec<f32> {
        let mut words = Words::default();
        let texts = ["pay bill", "pay rent", "book train"].map(grams);
        for text in &texts {
            words.push(text);
        }
        words.settle(texts.iter());
        words.cosines(&grams(text), 3)
    }

    #[track_caller]
    fn check(text: &str, expected: [bool; 3]) {
        let alike = alike(text);
        let shares: Vec<bool> = alike.iter().map(|cosine| *cosine > 0.0).collect();
        assert_eq!(shares, expected, "{alike:?}");
    }

    #[test]
    fn texts_that_share_words_are_alike() {
        check("pay", [true, true, false]);
        check("train fare", [false, false, true]);
        check("weather", [false; 3]);
        assert!((alike("pay rent")[1] - 1.0).abs() < 1e-5);
    }

    #[test]
    fn what_is_rare_counts_more() {
        let alike = alike("pay train");
        assert!(alike[2] > alike[0], "{alike:?}");
    }
}
