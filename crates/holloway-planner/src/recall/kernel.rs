//! How alike are two requests? The cosine of what they say (rare words count more), plus
//! a power of the cosine of what they mean, plus one of the tools they lean to, plus how
//! alike they are built. A second likeness hears what they speak of first, then and last.

use std::sync::Arc;

use holloway_search::fusion::top;
use holloway_search::index::Index;
use holloway_search::table::Table;

use super::sparse::{Sparse, Vector, of_length_one};
use super::text::{Grams, grams, masked};
use super::verbs;
use super::words::Words;
use crate::regression::factor::dot;

/// Rarity is worked out anew when the number of texts has doubled, which means comparing all
/// again. From here on only where many texts come at once: one more must not take long.
const SETTLED: usize = 256;
const FIRST: usize = 8;
/// What meaning counts beside words.
const MEANING: f32 = 1.5;
/// And what the tools count that both lean to.
const LEANING: f32 = 2.0;
/// And that both are built alike, which tells how many tools they need.
const SHAPE: f32 = 0.5;
/// What the same course counts, and all else beside it: little, as another opinion is asked for.
const COURSE: f32 = 2.0;
const ELSE: f32 = 0.3;
/// The first half of a text, the middle and the last half.
const WINDOWS: usize = 3;
/// The tools beyond these say nothing.
const TOOLS: usize = 40;
/// How fast a tool counts less that falls behind the best one, per unit of spread.
const FALL: f32 = 0.5;

/// Remembered texts, ready to be compared with others.
#[derive(Debug)]
pub(super) struct Kernel {
    index: Arc<Index>,
    words: Words,
    leanings: Sparse,
    probes: Vec<Probe>,
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
    grams: Grams,
    meaning: Vec<f32>,
    leaning: Vector,
    shape: Option<Shape>,
    /// Nothing for a clause by itself.
    course: Vec<f32>,
}

impl Kernel {
    pub(super) fn new(index: &Arc<Index>) -> Self {
        Self {
            index: Arc::clone(index),
            words: Words::default(),
            leanings: Sparse::default(),
            probes: Vec::new(),
        }
    }

    /// A whole request.
    pub(super) fn probe(&self, text: &str) -> Probe {
        let query = self.index.read(text);
        let scores = self.index.scores(&query);
        let deeds = verbs::deeds(&query.clauses);
        let shape = shape(query.clauses.len(), deeds, text);
        self.probe_with(text, &scores.fused, Some(shape))
    }

    /// A text with the score of every tool for it.
    pub(super) fn probe_with(&self, text: &str, scores: &[f32], shape: Option<Shape>) -> Probe {
        let text = masked(text);
        let grams = grams(&text);
        let table = self.index.table();
        Probe {
            meaning: table.meaning(&text),
            leaning: leaning(scores),
            course: shape.map(|_| course(&text, table)).unwrap_or_default(),
            // A text that says nothing is built like no other.
            shape: shape.filter(|_| !grams.is_empty()),
            grams,
        }
    }

    /// Remembers texts; tells whether all have to be compared again.
    pub(super) fn extend(&mut self, probes: Vec<Probe>) -> bool {
        let added = probes.len();
        for probe in probes {
            self.words.push(&probe.grams);
            self.leanings.push(&probe.leaning);
            self.probes.push(probe);
        }
        let count = self.probes.len();
        let due = self.words.rated().saturating_mul(2).max(FIRST);
        let is_stale = count >= due && (added > 1 || count <= SETTLED);
        if is_stale {
            self.words
                .settle(self.probes.iter().map(|probe| &probe.grams));
        }
        is_stale
    }

    /// How alike a text is to each that is remembered, and how alike by its course.
    pub(super) fn alike(&self, probe: &Probe) -> [Vec<f32>; 2] {
        self.compared(probe, self.probes.len())
    }

    /// The same for a remembered text and those up to it.
    pub(super) fn row(&self, text: usize) -> [Vec<f32>; 2] {
        let own = self.probes.get(text);
        own.map(|own| self.compared(own, text + 1))
            .unwrap_or_default()
    }

    fn compared(&self, probe: &Probe, first: usize) -> [Vec<f32>; 2] {
        let words = self.words.cosines(&probe.grams, first);
        let leanings = self.leanings.cosines(&probe.leaning, first);
        let alike = words.into_iter().zip(leanings).zip(&self.probes);
        let both = alike.map(|((words, leaning), other)| {
            let meaning = dot(&probe.meaning, &other.meaning).max(0.0).powi(3);
            let shape = probe.shape.zip(other.shape);
            let shape = shape.map_or(0.0, |(one, other)| by_shape(&one, &other));
            let alike = words + MEANING * meaning + LEANING * leaning.powi(4) + SHAPE * shape;
            let course = dot(&probe.course, &other.course).max(0.0).powi(3);
            (alike, ELSE * alike + COURSE * course)
        });
        let (alike, coursed) = both.unzip();
        [alike, coursed]
    }
}

/// Two texts by how they are built, 0 to 1.
fn by_shape(one: &Shape, other: &Shape) -> f32 {
    let both = one.iter().zip(other);
    let apart: f32 = both.map(|(one, other)| (one - other).powi(2)).sum();
    (-apart).exp()
}

/// The likeliest tools and how far a text leans to each; nothing where no tool stands out.
fn leaning(scores: &[f32]) -> Vector {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let least = scores.iter().copied().fold(f32::MAX, f32::min);
    if most - least < 1e-6 {
        return Vec::new();
    }
    let best = top(scores, TOOLS).into_iter().filter_map(|place| {
        let score = scores.get(place)?;
        Some((place as u32, ((score - most) * FALL).exp()))
    });
    of_length_one(best.collect())
}

/// What each window of a text means, one after the other, of length one together.
fn course(text: &str, table: &Table) -> Vec<f32> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let quarter = |quarters: usize| words.len() * quarters / (WINDOWS + 1);
    let share = (WINDOWS as f32).sqrt().recip();
    let windows = (0..WINDOWS).flat_map(|window| {
        // Of a word or two every window has at least one.
        let end = quarter(window + 2).max(window + 1).min(words.len());
        let begin = quarter(window).min(end.saturating_sub(1));
        let part = words.get(begin..end).unwrap_or_default().join(" ");
        table
            .meaning(&part)
            .into_iter()
            .map(move |cell| cell * share)
    });
    windows.collect()
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
        let probes = texts.iter().map(|text| kernel.probe(text)).collect();
        kernel.extend(probes);
        kernel
    }

    #[test]
    fn the_same_text_is_as_alike_as_can_be() {
        let kernel = kernel(&["book a train to the coast", "pay my phone bill"]);
        let [alike, _] = kernel.alike(&kernel.probe("pay my phone bill"));
        assert!((alike[1] - 5.0).abs() < 1e-2 && alike[0] < 1.0, "{alike:?}");
        assert_eq!(kernel.row(1)[0], alike);
        assert_eq!(kernel.row(0)[0].len(), 1);
    }

    #[test]
    fn texts_without_words_are_like_nothing() {
        let kernel = kernel(&["", "pay my phone bill"]);
        assert_eq!(kernel.row(1)[0][0], 0.0);
        assert_eq!(kernel.alike(&kernel.probe("…"))[0], [0.0; 2]);
    }

    fn by_course(one: &str, other: &str) -> f32 {
        let table = Table::shipped();
        dot(&course(one, &table), &course(other, &table))
    }

    #[test]
    fn the_same_words_in_another_order_are_another_course() {
        let booked = "book a flight to the coast then check the weather";
        assert!((by_course(booked, booked) - 1.0).abs() < 1e-4);
        let turned = "check the weather then book a flight to the coast";
        let retold = "reserve a plane ticket then look up the forecast";
        assert!(by_course(booked, turned) < 0.9);
        assert!(by_course(booked, retold) > by_course(turned, retold));
    }

    #[test]
    fn short_texts_have_a_course_too() {
        assert!((by_course("weather", "weather") - 1.0).abs() < 1e-4);
        assert!((by_course("the weather", "the weather") - 1.0).abs() < 1e-4);
        assert_eq!(by_course("", "weather"), 0.0);
    }

    #[test]
    fn texts_that_lean_to_the_same_tools_are_alike() {
        let mut leanings = Sparse::default();
        for scores in [[9.0, 1.0, 0.0], [8.0, 2.0, 0.0], [0.0, 0.0, 9.0]] {
            leanings.push(&leaning(&scores));
        }
        let cosines = leanings.cosines(&leaning(&[9.0, 1.0, 0.0]), 3);
        assert!(cosines[1] > 0.9 && cosines[2] < 0.1, "{cosines:?}");
        assert_eq!((leaning(&[]), leaning(&[0.5, 0.5])), (vec![], vec![]));
    }
}
