//! How well does each tool fit a request, by what both say alone? A handful of numbers
//! per tool, each in a unit that means the same in any catalogue.

use holloway_search::fusion::{add_spread, top};
use holloway_search::index::Index;

use super::flow::Flows;
use super::kernel::{Probe, shape};
use super::lexicon::{Lexicon, Match};
use super::memory::Memory;
use super::verbs;
use crate::catalogue::Place;

pub(super) const COUNT: usize = 18;
/// Words against meaning within a clause.
const WORDS: f32 = 0.3;
const SHORTLIST: usize = 40;
const PER_CLAUSE: usize = 4;
/// How many of the best tools others are compared with.
const LEADERS: usize = 5;

/// A request as the words of the catalogue see it.
#[derive(Debug)]
pub(super) struct Reading {
    /// At least one.
    pub(super) clauses: Vec<String>,
    /// How many clauses ask for something to be done; at least one.
    pub(super) deeds: usize,
    fused: Vec<f32>,
    words: Vec<f32>,
    meaning: Vec<f32>,
    meaning_of_clause: Vec<f32>,
    /// For every clause, words and meaning together in units of their spread.
    by_clause: Vec<Vec<f32>>,
}

/// What is seen of one tool.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    pub(super) features: [f32; COUNT],
    /// How far it falls behind the best tool of each clause, in units of spread.
    pub(super) behind: Vec<f32>,
    /// Where in the request its clause stands, and its words; 0 to 1.
    pub(super) clause_at: f32,
    pub(super) words_at: f32,
    /// Orders tools before anything is learned.
    pub(super) score: f32,
}

impl Reading {
    pub(super) fn of(request: &str, index: &Index) -> Self {
        let query = index.read(request);
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
            by_clause: lists.iter().map(blended).collect(),
            meaning_of_clause: if scores.parts.meaning_of_clause.is_empty() {
                scores.parts.meaning.clone()
            } else {
                scores.parts.meaning_of_clause
            },
            meaning: scores.parts.meaning,
            fused: scores.fused,
            words,
            clauses,
        }
    }

    /// The request and its clauses, ready to be compared with what is remembered.
    pub(super) fn probes(&self, request: &str, memory: &Memory) -> (Probe, Vec<Probe>) {
        let clauses = self.clauses.iter().zip(&self.by_clause);
        let shape = shape(self.clauses.len(), self.deeds, request);
        (
            memory.probe(request, &self.fused, Some(shape)),
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

    /// What is seen of each of these tools.
    pub(super) fn sights(
        &self,
        places: &[Place],
        index: &Index,
        lexicon: &Lexicon,
        flows: &Flows,
    ) -> Vec<Sight> {
        let said = lexicon.read(&self.clauses, index.table());
        let matches = lexicon.matches(places, &said, self.clauses.len());
        let kinds: Vec<u8> = self.clauses.iter().map(|one| verbs::kinds(one)).collect();
        let mut sights: Vec<Sight> = places
            .iter()
            .zip(&matches)
            .map(|(place, found)| self.sight(*place, found, &kinds, lexicon.kinds(*place)))
            .collect();
        rank(&mut sights);
        let leaders = leaders(places, &sights);
        for (place, sight) in places.iter().zip(&mut sights) {
            let kin = leaders.iter().map(|(leader, score)| {
                let other = *leader != *place;
                f32::from(u8::from(other)) * lexicon.kinship(*place, *leader) * score
            });
            let supplied = leaders
                .iter()
                .map(|(leader, score)| flows.strength(*place, *leader) * score);
            sight.set(13, kin.fold(0.0, f32::max));
            sight.set(14, supplied.fold(0.0, f32::max));
        }
        sights
    }

    fn sight(&self, place: Place, found: &Match, kinds: &[u8], own_kinds: u8) -> Sight {
        let at = |list: &[f32]| list.get(place).copied().unwrap_or_default();
        let most = |list: &[f32]| list.iter().copied().fold(f32::MIN, f32::max);
        let clauses: Vec<f32> = self.by_clause.iter().map(|list| at(list)).collect();
        let behind: Vec<f32> = self
            .by_clause
            .iter()
            .zip(&clauses)
            .map(|(list, own)| own - most(list))
            .collect();
        let agrees = |clause: &u8| {
            let shared = (clause & own_kinds).count_ones();
            shared as f32 / own_kinds.count_ones().max(1) as f32
        };
        let deeds: Vec<f32> = kinds
            .iter()
            .zip(&found.objects)
            .map(|(kinds, object)| agrees(kinds) * object)
            .collect();
        let together: Vec<f32> = found
            .names
            .iter()
            .zip(&found.texts)
            .zip(found.objects.iter().zip(&deeds))
            .map(|((name, text), (object, deed))| name + 0.5 * text + 0.5 * object + 0.4 * deed)
            .collect();
        let fused = at(&self.fused);
        let features = [
            fused - most(&self.fused),
            fused,
            most(&clauses),
            most(&behind),
            at(&self.meaning),
            at(&self.meaning_of_clause),
            at(&self.words),
            found.name,
            most(&found.names),
            most(&found.texts),
            // The gap to the best, its rank and what depends on it come when all are seen.
            most(&together),
            0.0,
            0.0,
            0.0,
            0.0,
            most(&deeds),
            (self.clauses.len() as f32).ln(),
            0.0,
        ];
        let voice: Vec<f32> = clauses
            .iter()
            .zip(&together)
            .map(|(clause, words)| 0.7 * clause + 2.0 * words)
            .collect();
        Sight {
            features,
            behind,
            clause_at: place_of(&voice),
            words_at: found.at,
            score: 0.0,
        }
    }
}

impl Sight {
    pub(super) fn get(&self, at: usize) -> f32 {
        self.features.get(at).copied().unwrap_or_default()
    }

    fn set(&mut self, at: usize, value: f32) {
        if let Some(feature) = self.features.get_mut(at) {
            *feature = value;
        }
    }
}

/// The features that depend on how the others fare.
fn rank(sights: &mut [Sight]) {
    let best = sights.iter().map(|sight| sight.get(10)).fold(0.0, f32::max);
    for sight in &mut *sights {
        let gap = sight.get(10) - best;
        sight.set(10, gap);
        sight.score = sight.get(0) / 2.0 + sight.get(3) / 4.0 + gap;
    }
    let scores: Vec<f32> = sights.iter().map(|sight| sight.score).collect();
    for (rank, at) in top(&scores, scores.len()).into_iter().enumerate() {
        if let Some(sight) = sights.get_mut(at) {
            sight.set(11, (rank as f32).ln_1p());
            sight.set(17, 1.0 / (1.0 + rank as f32));
        }
    }
    let clauses = sights.first().map_or(0, |sight| sight.behind.len());
    for clause in 0..clauses {
        let behind = |sight: &Sight| sight.behind.get(clause).copied().unwrap_or(f32::MIN);
        let combined: Vec<f32> = sights
            .iter()
            .map(|sight| behind(sight) + sight.score)
            .collect();
        if let Some(sight) = top(&combined, 1).first().and_then(|at| sights.get_mut(*at)) {
            sight.set(12, 1.0);
        }
    }
}

/// The best tools, and what their place is worth.
fn leaders(places: &[Place], sights: &[Sight]) -> Vec<(Place, f32)> {
    let scores: Vec<f32> = sights.iter().map(|sight| sight.score).collect();
    let best = top(&scores, LEADERS).into_iter().enumerate();
    best.filter_map(|(rank, at)| Some((*places.get(at)?, 1.0 / (1.0 + 0.5 * rank as f32))))
        .collect()
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
