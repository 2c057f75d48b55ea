//! How alike are two requests? The cosine of what they say (rare words count more), plus
//! a power of the cosine of what they mean, plus one of the tools they lean to, plus how
//! alike they are built. Remembered requests are compared at once.

use std::sync::Arc;

use holloway_search::index::Index;
use rustc_hash::FxHashMap;

use super::profile::{Profile, Profiles};
use super::ridge::dot;
use super::text::{grams, masked};
use super::verbs;

/// Rarity is worked out anew when the number of texts has doubled, which means comparing all
/// again. From here on only where many texts come at once: one more must not take long.
const SETTLED: usize = 256;
const FIRST: usize = 8;
/// What meaning counts beside words.
const MEANING: f32 = 1.5;
/// And what the tools count that both lean to.
const PROFILE: f32 = 2.0;
/// And that both are built alike, which tells how many tools they need.
const SHAPE: f32 = 0.5;

/// Remembered texts, ready to be compared with others.
#[derive(Debug)]
pub(super) struct Kernel {
    index: Arc<Index>,
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
    profiles: Profiles,
    shapes: Vec<Option<Shape>>,
}

/// How a request is built: its clauses, those of them that ask for something to be done, and its
/// words, each as a logarithm. A clause by itself has none.
pub(super) type Shape = [f32; 3];

/// By how many clauses, deeds and words there are.
pub(super) fn shape(clauses: usize, deeds: usize, text: &str) -> Shape {
    let words = text.split_whitespace().count();
    [clauses.max(1), deeds.max(1), words + 1].map(|count| (count as f32).ln())
}

/// A text, taken apart to be compared.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    grams: Vec<(String, f32)>,
    meaning: Vec<f32>,
    profile: Profile,
    shape: Option<Shape>,
}

impl Kernel {
    pub(super) fn new(index: &Arc<Index>) -> Self {
        Self {
            index: Arc::clone(index),
            numbers: FxHashMap::default(),
            spread: Vec::new(),
            rarity: Vec::new(),
            rated: 0,
            counts: Vec::new(),
            postings: Vec::new(),
            meanings: Vec::new(),
            profiles: Profiles::default(),
            shapes: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn probe(&self, text: &str) -> Probe {
        let query = self.index.read(text);
        let scores = self.index.scores(&query);
        let deeds = verbs::deeds(&query.clauses);
        let shape = shape(query.clauses.len(), deeds, text);
        self.probe_with(text, Profile::of(&scores.fused), Some(shape))
    }

    /// A text whose profile and shape are known.
    pub(super) fn probe_with(&self, text: &str, profile: Profile, shape: Option<Shape>) -> Probe {
        let text = masked(text);
        let grams = grams(&text);
        // A text that says nothing is built like no other.
        let shape = shape.filter(|_| !grams.is_empty());
        Probe {
            grams,
            meaning: self.index.table().meaning(&text),
            profile,
            shape,
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
        self.profiles.push(probe.profile.clone());
        self.shapes.push(probe.shape);
    }

    /// Whether rarity should be worked out anew, now that the last so many texts came.
    pub(super) fn is_stale(&self, added: usize) -> bool {
        let due = self.rated.saturating_mul(2).max(FIRST);
        self.len() >= due && (added > 1 || self.len() <= SETTLED)
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
        self.compare(&known, &probe.meaning, &probe.profile, probe.shape, first)
    }

    /// How alike a remembered text is to each one before it.
    pub(super) fn row(&self, text: usize) -> Vec<f32> {
        let counts = self.counts.get(text).map(Vec::as_slice);
        let none = Profile::default();
        self.compare(
            counts.unwrap_or_default(),
            self.meaning(text),
            self.profiles.get(text).unwrap_or(&none),
            self.shapes.get(text).copied().flatten(),
            text,
        )
    }

    /// How alike a text is to itself.
    pub(super) fn own(&self, text: usize) -> f32 {
        let counts = self.counts.get(text);
        let profile = self.profiles.get(text);
        let is = |condition: bool| f32::from(u8::from(condition));
        let meaning = self.meaning(text);
        is(counts.is_some_and(|counts| !counts.is_empty()))
            + by_meaning(dot(meaning, meaning))
            + by_profile(is(profile.is_some_and(|profile| !profile.is_empty())))
            + SHAPE * is(self.shapes.get(text).is_some_and(Option::is_some))
    }

    fn meaning(&self, text: usize) -> &[f32] {
        let dimensions = self.index.table().dimensions();
        let begin = text * dimensions;
        let meaning = self.meanings.get(begin..begin + dimensions);
        meaning.unwrap_or_default()
    }

    fn compare(
        &self,
        counts: &[(u32, f32)],
        meaning: &[f32],
        profile: &Profile,
        shape: Option<Shape>,
        first: usize,
    ) -> Vec<f32> {
        let leanings = self.profiles.compare(profile, first.min(self.len()));
        let mut alike: Vec<f32> = leanings.into_iter().map(by_profile).collect();
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
        let dimensions = self.index.table().dimensions().max(1);
        for (alike, other) in alike.iter_mut().zip(self.meanings.chunks_exact(dimensions)) {
            *alike += by_meaning(dot(meaning, other));
        }
        if let Some(shape) = shape {
            for (alike, other) in alike.iter_mut().zip(&self.shapes) {
                *alike += other.map_or(0.0, |other| by_shape(&shape, &other));
            }
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
    (1.0 + texts.max(1) as f32 / (spread as f32 + 0.5))
        .ln()
        .sqrt()
}

/// How much texts are alike by the cosine of what they mean: all have something in common,
/// so that only much counts.
fn by_meaning(cosine: f32) -> f32 {
    MEANING * cosine.max(0.0).powi(3)
}

/// The same by how they are built.
fn by_shape(one: &Shape, other: &Shape) -> f32 {
    let apart = one
        .iter()
        .zip(other)
        .map(|(one, other)| (one - other).powi(2));
    SHAPE * (-apart.sum::<f32>()).exp()
}

/// The same by the cosine of the tools they lean to.
fn by_profile(cosine: f32) -> f32 {
    PROFILE * cosine.powi(4)
}

#[cfg(test)]
mod tests {
    use holloway_search::entry::Entry;

    use super::*;

    fn kernel(texts: &[&str]) -> Kernel {
        let entry = |id: &str| Entry {
            id: id.to_owned(),
            ..Entry::default()
        };
        let index = Index::new(["train_booking", "pay_bill", "weather"].map(entry));
        let mut kernel = Kernel::new(&Arc::new(index));
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
        assert!((alike[1] - 5.0).abs() < 1e-2 && alike[0] < 1.0, "{alike:?}");
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
