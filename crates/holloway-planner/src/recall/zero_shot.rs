//! How well does each tool fit a request, by what both say alone? A handful of numbers
//! per tool, each in a unit that means the same in any catalogue.

use holloway_search::fusion::{add_spread, top};
use holloway_search::index::Index;

use super::kernel::{Probe, shape};
use super::memory::Memory;
use super::verbs;
use crate::catalogue::Place;

/// Words against meaning within a clause.
const WORDS: f32 = 0.3;
const SHORTLIST: usize = 40;
const PER_CLAUSE: usize = 4;

/// A request as the words of the catalogue see it.
#[derive(Debug)]
pub(super) struct Reading {
    /// At least one.
    pub(super) clauses: Vec<String>,
    /// How many clauses ask for something to be done; at least one.
    pub(super) deeds: usize,
    /// How many clauses lead with a verb, how many words join two things or lead to the next,
    /// and how many questions are asked.
    pub(super) led: usize,
    pub(super) joints: usize,
    pub(super) questions: usize,
    fused: Vec<f32>,
    words: Vec<f32>,
    /// For every clause, words and meaning together in units of their spread.
    by_clause: Vec<Vec<f32>>,
}

/// What is seen of one tool.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// How far it falls behind the best tool, and behind that of its best clause, and its words.
    pub(super) features: [f32; 3],
    /// How far it falls behind the best tool of each clause, in units of spread.
    pub(super) behind: Vec<f32>,
    /// Where in the request its clause stands, 0 to 1.
    pub(super) clause_at: f32,
}

impl Reading {
    pub(super) fn of(text: &str, index: &Index) -> Self {
        let query = index.read(text);
        let scores = index.scores(&query);
        let mut clauses = query.clauses.clone();
        let mut lists = index.by_clause(&query);
        if clauses.is_empty() {
            clauses.push(query.text.clone());
            lists = vec![(scores.parts.words.clone(), scores.parts.meaning.clone())];
        }
        let blended = |(words, meaning): &(Vec<f32>, Vec<f32>)| {
            let mut sum = vec![0.0; words.len()];
            add_spread(words, WORDS, &mut sum);
            add_spread(meaning, 1.0 - WORDS, &mut sum);
            sum
        };
        let mut words = vec![0.0; index.len()];
        add_spread(&scores.parts.words, 1.0, &mut words);
        Self {
            deeds: verbs::deeds(&clauses),
            led: verbs::led(&clauses),
            joints: verbs::joints(&query.text),
            questions: query.text.matches('?').count(),
            by_clause: lists.iter().map(blended).collect(),
            fused: scores.fused,
            words,
            clauses,
        }
    }

    /// The request and its clauses, ready to be compared with what is remembered.
    pub(super) fn probes(&self, text: &str, memory: &Memory) -> (Probe, Vec<Probe>) {
        let clauses = self.clauses.iter().zip(&self.by_clause);
        let shape = shape(self.clauses.len(), self.deeds, text);
        (
            memory.probe(text, &self.fused, Some(shape)),
            clauses
                .map(|(clause, scores)| memory.probe(clause, scores, None))
                .collect(),
        )
    }

    /// The tools worth a closer look.
    pub(super) fn shortlist(&self) -> Vec<Place> {
        let mut places = top(&self.fused, SHORTLIST);
        for clause in &self.by_clause {
            places.extend(top(clause, PER_CLAUSE));
        }
        places
    }

    /// What is seen of a tool.
    pub(super) fn sight(&self, place: Place) -> Sight {
        let at = |list: &[f32]| list.get(place).copied().unwrap_or_default();
        let most = |list: &[f32]| list.iter().copied().fold(f32::MIN, f32::max);
        let clauses: Vec<f32> = self.by_clause.iter().map(|list| at(list)).collect();
        let lists = self.by_clause.iter().zip(&clauses);
        let behind: Vec<f32> = lists.map(|(list, own)| own - most(list)).collect();
        let features = [
            at(&self.fused) - most(&self.fused),
            most(&behind),
            at(&self.words),
        ];
        Sight {
            features,
            behind,
            clause_at: place_of(&clauses),
        }
    }
}

/// Where among the clauses the loudest ones stand, 0 to 1.
pub(super) fn place_of(voices: &[f32]) -> f32 {
    if voices.len() < 2 {
        return 0.5;
    }
    let most = voices.iter().copied().fold(f32::MIN, f32::max);
    let (mut sum, mut at) = (0.0, 0.0);
    for (clause, voice) in voices.iter().enumerate() {
        let loud = (2.0 * (voice - most)).exp();
        sum += loud;
        at += loud * clause as f32;
    }
    at / sum / (voices.len() - 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_where_it_is_loudest() {
        assert_eq!(place_of(&[]), 0.5);
        assert_eq!(place_of(&[3.0]), 0.5);
        assert!(place_of(&[9.0, 0.0, 0.0]) < 0.01);
        assert!(place_of(&[0.0, 0.0, 9.0]) > 0.99);
        assert!((place_of(&[4.0, 0.0, 4.0]) - 0.5).abs() < 1e-3);
    }
}
