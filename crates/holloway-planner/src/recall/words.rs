//! Which words do texts share? The cosine of their counts, where rare words count more.
//! Remembered texts are compared at once.

use rustc_hash::FxHashMap;

/// Remembered texts by what stands in them.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: FxHashMap<Box<str>, u32>,
    /// In how many texts each gram occurs.
    spread: Vec<u32>,
    rarity: Vec<f32>,
    /// How many texts there were when rarity was worked out.
    pub(super) rated: usize,
    counts: Vec<Vec<(u32, f32)>>,
    /// Which texts have each gram, and its share of their length.
    postings: Vec<Vec<(u32, f32)>>,
}

impl Words {
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Adds a text without looking at rarity; [`Words::settle`] does.
    pub(super) fn push(&mut self, grams: &[(String, f32)]) {
        let mut counts = Vec::with_capacity(grams.len());
        for (gram, count) in grams {
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
        self.post(self.len() as u32, &counts);
        self.counts.push(counts);
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

    /// Adds the cosine with each of the first texts.
    pub(super) fn add(&self, grams: &[(String, f32)], alike: &mut [f32]) {
        let number = |gram: &str| self.numbers.get(gram).copied();
        let known = grams
            .iter()
            .filter_map(|(gram, count)| Some((number(gram)?, *count)));
        self.add_known(&known.collect::<Vec<_>>(), alike);
    }

    /// The same for a remembered text.
    pub(super) fn add_own(&self, text: usize, alike: &mut [f32]) {
        let counts = self.counts.get(text).map(Vec::as_slice);
        self.add_known(counts.unwrap_or_default(), alike);
    }

    fn add_known(&self, counts: &[(u32, f32)], alike: &mut [f32]) {
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
        let squares = shares.iter().map(|(_, share)| share * share);
        let length = squares.sum::<f32>().sqrt();
        for (_, share) in &mut shares {
            *share /= length.max(1e-9);
        }
        shares
    }
}

fn rarity(texts: usize, spread: u32) -> f32 {
    (1.0 + texts.max(1) as f32 / (spread as f32 + 0.5))
        .ln()
        .sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(words: &str) -> Vec<(String, f32)> {
        let each = words.split(' ').map(|word| (word.to_owned(), 1.0));
        each.collect()
    }

    fn words() -> Words {
        let mut words = Words::default();
        for text in ["pay bill", "pay rent", "book train"] {
            words.push(&grams(text));
        }
        words.settle();
        words
    }

    #[track_caller]
    fn check(text: &str, expected: [bool; 3]) {
        let mut alike = [0.0; 3];
        words().add(&grams(text), &mut alike);
        assert_eq!(alike.map(|cosine| cosine > 0.0), expected, "{alike:?}");
    }

    #[test]
    fn texts_that_share_words_are_alike() {
        check("pay", [true, true, false]);
        check("train fare", [false, false, true]);
        check("weather", [false; 3]);
    }

    #[test]
    fn what_is_rare_counts_more() {
        let mut alike = [0.0; 3];
        words().add(&grams("pay train"), &mut alike);
        assert!(alike[2] > alike[0], "{alike:?}");
    }

    #[test]
    fn a_remembered_text_is_itself() {
        let mut alike = [0.0; 3];
        words().add_own(1, &mut alike);
        assert!(
            (alike[1] - 1.0).abs() < 1e-5 && alike[2] == 0.0,
            "{alike:?}"
        );
    }
}
