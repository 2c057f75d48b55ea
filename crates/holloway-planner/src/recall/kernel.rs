//! How alike are two requests? The cosine of what they say (rare words count more), plus
//! a power of the cosine of what they mean, plus one of the tools they lean to, plus how
//! alike they are built. Remembered requests are compared at once.

use std::sync::Arc;

use holloway_search::index::Index;
use ndarray::Array2;

use super::course::Course;
use super::profile::{Profile, Profiles};
use super::text::{grams, masked};
use super::vectors::Vectors;
use super::verbs;
use super::words::Words;

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
    words: Words,
    meanings: Vectors,
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
    /// Nothing for a clause by itself.
    pub(super) course: Course,
}

impl Kernel {
    pub(super) fn new(index: &Arc<Index>) -> Self {
        Self {
            index: Arc::clone(index),
            words: Words::default(),
            meanings: Vectors::new(index.table().dimensions()),
            profiles: Profiles::default(),
            shapes: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
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
        let table = self.index.table();
        Probe {
            meaning: table.meaning(&text),
            profile,
            course: shape.map_or_else(Course::default, |_| Course::of(&text, table)),
            // A text that says nothing is built like no other.
            shape: shape.filter(|_| !grams.is_empty()),
            grams,
        }
    }

    /// Adds a text without looking at rarity; [`Kernel::settle`] does.
    pub(super) fn push(&mut self, probe: &Probe) {
        self.words.push(&probe.grams);
        self.meanings.push(&probe.meaning);
        self.profiles.push(probe.profile.clone());
        self.shapes.push(probe.shape);
    }

    /// Whether rarity should be worked out anew, now that the last so many texts came.
    pub(super) fn is_stale(&self, added: usize) -> bool {
        let due = self.words.rated.saturating_mul(2).max(FIRST);
        self.len() >= due && (added > 1 || self.len() <= SETTLED)
    }

    /// Works out rarity anew. What was compared before has to be compared again.
    pub(super) fn settle(&mut self) {
        self.words.settle();
    }

    /// How alike a text is to each that is remembered.
    pub(super) fn alike(&self, probe: &Probe) -> Vec<f32> {
        let meanings = self.meanings.products(&probe.meaning);
        let mut alike: Vec<f32> = meanings.map(by_meaning).collect();
        self.words.add(&probe.grams, &mut alike);
        self.add(&probe.profile, probe.shape, &mut alike);
        alike
    }

    /// How alike the last text is to each, itself too.
    pub(super) fn last(&self) -> Vec<f32> {
        let last = self.len().saturating_sub(1);
        let meanings = self.meanings.products(self.meanings.get(last));
        let mut alike: Vec<f32> = meanings.map(by_meaning).collect();
        self.add_own(last, &mut alike);
        alike
    }

    /// How alike all texts are to each other.
    pub(super) fn square(&self) -> Array2<f32> {
        let mut square = self.meanings.square(0..self.len());
        square.mapv_inplace(by_meaning);
        for (text, row) in square.rows_mut().into_iter().enumerate() {
            if let Some(row) = row.into_slice() {
                self.add_own(text, row);
            }
        }
        square
    }

    /// Adds how alike a remembered text is to others but for what they mean.
    fn add_own(&self, text: usize, alike: &mut [f32]) {
        self.words.add_own(text, alike);
        if let Some(profile) = self.profiles.get(text) {
            let shape = self.shapes.get(text).copied().flatten();
            self.add(profile, shape, alike);
        }
    }

    /// Adds how alike texts are by the tools they lean to and by how they are built.
    fn add(&self, profile: &Profile, shape: Option<Shape>, alike: &mut [f32]) {
        let leanings = self.profiles.compare(profile, alike.len());
        for (alike, leaning) in alike.iter_mut().zip(leanings) {
            *alike += by_profile(leaning);
        }
        if let Some(shape) = shape {
            for (alike, other) in alike.iter_mut().zip(&self.shapes) {
                *alike += other.map_or(0.0, |other| by_shape(&shape, &other));
            }
        }
    }
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
        let alike = kernel.alike(&probe);
        let square = kernel.square();
        assert!((alike[1] - square[(1, 1)]).abs() < 1e-4, "{alike:?}");
        assert!((alike[1] - 5.0).abs() < 1e-2 && alike[0] < 1.0, "{alike:?}");
        assert!((square[(1, 0)] - alike[0]).abs() < 1e-5);
        assert!((kernel.last()[0] - alike[0]).abs() < 1e-5);
    }

    #[test]
    fn texts_without_words_are_like_nothing() {
        let kernel = kernel(&["", "pay my phone bill"]);
        let square = kernel.square();
        assert_eq!((square[(0, 0)], square[(1, 0)]), (0.0, 0.0));
        assert_eq!(kernel.alike(&kernel.probe("…")), [0.0, 0.0]);
    }
}
