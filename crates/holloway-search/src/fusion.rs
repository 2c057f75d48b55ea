//! How do words and meaning become one score? Each list of scores is measured by its
//! own spread over the catalogue, for the whole request and for its best part.

use serde::{Deserialize, Serialize};

use crate::alignment::Cover;

/// Scores of one tool list, by what they rest on. A list that does not apply is empty.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub words: Vec<f32>,
    pub words_of_clause: Vec<f32>,
    pub meaning: Vec<f32>,
    pub meaning_of_clause: Vec<f32>,
}

/// How much each part counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Blend {
    /// Words against meaning.
    pub words: f32,
    /// The best clause against the whole request.
    pub clauses: f32,
    /// How much of the whole request each clause keeps in its meaning.
    pub context: f32,
    /// What a server lends to its tools when it is near in meaning as a whole.
    pub server: f32,
    /// What the best tool of a server lends to the others there.
    pub best_of_server: f32,
    /// How far the tools of a family share what the family is about.
    pub family: f32,
    /// How far they come up to the best of them.
    pub best_of_family: f32,
    /// Given to a tool whose name the request covers word by word.
    pub name: f32,
    /// Given to a tool whose description the request covers.
    pub description: f32,
    /// Given to a tool that covers the request.
    pub request: f32,
    /// Given to the best tool for a part of the request.
    pub foremost: f32,
}

impl Default for Blend {
    fn default() -> Self {
        Self {
            words: 0.3,
            clauses: 0.5,
            context: 0.5,
            server: 0.45,
            best_of_server: 0.15,
            family: 0.2,
            best_of_family: 0.3,
            name: 1.0,
            description: 0.7,
            request: 3.0,
            foremost: 0.4,
        }
    }
}

impl Blend {
    /// One score per tool. Meaning counts as far as the request was understood, 0 to 1.
    pub fn fuse(&self, parts: &Parts, understood: f32) -> Vec<f32> {
        let mut fused = vec![0.0; parts.words.len()];
        let meaning = (1.0 - self.words) * understood;
        let sides = [
            (1.0 - meaning, &parts.words, &parts.words_of_clause),
            (meaning, &parts.meaning, &parts.meaning_of_clause),
        ];
        for (share, whole, clause) in sides {
            let clauses = if clause.is_empty() { 0.0 } else { self.clauses };
            add_spread(whole, share * (1.0 - clauses), &mut fused);
            add_spread(clause, share * clauses, &mut fused);
        }
        fused
    }

    /// Tools of a server that fits well come nearer to the top; one without is its own server.
    pub fn lend(&self, servers: &Servers<'_>, meaning: &[f32], scores: &mut [f32]) {
        let mut best = vec![f32::MIN; servers.near.len()];
        for (server, score) in servers.of_tool.iter().zip(&*scores) {
            if let Some(best) = best.get_mut(*server as usize) {
                *best = best.max(*score);
            }
        }
        let near =
            |server: u32, own: f32| servers.near.get(server as usize).copied().unwrap_or(own);
        let tools = || servers.of_tool.iter().zip(meaning);
        let sum: f32 = tools().map(|(server, own)| near(*server, *own)).sum();
        let mean = sum / meaning.len().max(1) as f32;
        // In units of the tools' own spread: a catalogue of like servers has hardly any.
        let unit = self.server / (spread(meaning).1 + 1e-6);
        for ((server, own), score) in tools().zip(scores) {
            let best = best.get(*server as usize).copied().unwrap_or(*score);
            *score += unit * (near(*server, *own) - mean) + self.best_of_server * best;
        }
    }

    /// Tools of one family share what fits one of them; who has none keeps what it has.
    pub fn share(
        &self,
        families: &[Vec<usize>],
        near: &[f32],
        meaning: &[f32],
        scores: &mut [f32],
    ) {
        let unit = self.family / (spread(meaning).1 + 1e-6);
        for (tools, near) in families.iter().zip(near) {
            let of_tools = tools.iter().filter_map(|tool| scores.get(*tool));
            let best = of_tools.copied().fold(f32::MIN, f32::max);
            for tool in tools {
                if let (Some(score), Some(own)) = (scores.get_mut(*tool), meaning.get(*tool)) {
                    *score += unit * (near - own) + self.best_of_family * (best - *score);
                }
            }
        }
    }

    /// What it is worth that a request and a tool cover each other.
    pub fn covered(&self, cover: &Cover) -> f32 {
        self.name * cover.name + self.description * cover.description + self.request * cover.request
    }
}

/// A tool without a server.
pub const ALONE: u32 = u32::MAX;

/// Which tools are on which server, and how near each server is to the request.
#[derive(Clone, Copy, Debug)]
pub struct Servers<'a> {
    /// The number of its server, for every tool, or [`ALONE`].
    pub of_tool: &'a [u32],
    /// For every server.
    pub near: &'a [f32],
}

/// Adds the scores in units of their own spread; equal scores add nothing.
pub fn add_spread(scores: &[f32], share: f32, sum: &mut [f32]) {
    if scores.is_empty() || share == 0.0 {
        return;
    }
    let (mean, deviation) = spread(scores);
    let unit = share / (deviation + 1e-6);
    for (sum, score) in sum.iter_mut().zip(scores) {
        *sum += (score - mean) * unit;
    }
}

/// Mean and standard deviation.
pub fn spread(scores: &[f32]) -> (f32, f32) {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().copied().map(f64::from).sum::<f64>() / count;
    let square = |score: &f32| (f64::from(*score) - mean).powi(2);
    let deviation = (scores.iter().map(square).sum::<f64>() / count).sqrt();
    (mean as f32, deviation as f32)
}

/// The places of the highest scores, highest first; equal ones in their order.
pub fn top(scores: &[f32], count: usize) -> Vec<usize> {
    if count == 0 {
        return Vec::new();
    }
    let score = |place: &usize| scores.get(*place).copied().unwrap_or(f32::MIN);
    let order = |one: &usize, other: &usize| {
        score(other)
            .total_cmp(&score(one))
            .then_with(|| one.cmp(other))
    };
    // Twice as many as wanted are held at most: of a large catalogue few are ever ordered.
    let room = count.saturating_mul(2);
    let mut best: Vec<usize> = Vec::with_capacity(room.min(scores.len()));
    let mut least = None;
    for (place, score) in scores.iter().enumerate() {
        if least.is_some_and(|least| score.total_cmp(&least).is_le()) {
            continue;
        }
        best.push(place);
        if best.len() == room {
            best.select_nth_unstable_by(count - 1, order);
            best.truncate(count);
            least = best.last().and_then(|last| scores.get(*last)).copied();
        }
    }
    best.sort_unstable_by(order);
    best.truncate(count);
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_counts_by_its_own_spread() {
        let parts = Parts {
            words: vec![0.0, 100.0],
            meaning: vec![0.2, 0.1],
            ..Parts::default()
        };
        let fused = Blend::default().fuse(&parts, 1.0);
        // One deviation above or below on each side: 0.3 - 0.7 and 0.7 - 0.3 the other way.
        assert!(
            (fused[0] - 0.4).abs() < 1e-3 && (fused[1] + 0.4).abs() < 1e-3,
            "{fused:?}"
        );
        let by_words = Blend::default().fuse(&parts, 0.0);
        assert!(by_words[0] < -0.9 && by_words[1] > 0.9, "{by_words:?}");
    }

    #[test]
    fn equal_scores_say_nothing() {
        let parts = Parts {
            words: vec![3.0; 4],
            meaning: vec![0.5; 4],
            ..Parts::default()
        };
        assert_eq!(Blend::default().fuse(&parts, 1.0), [0.0; 4]);
        assert_eq!(
            Blend::default().fuse(&Parts::default(), 1.0),
            Vec::<f32>::new()
        );
    }

    #[test]
    fn a_family_shares_and_others_keep_what_they_have() {
        let mut scores = vec![2.0, 0.0, 0.5];
        Blend::default().share(&[vec![0, 1]], &[0.8], &[0.9, 0.7, 0.5], &mut scores);
        let unit = 0.2 / (0.08f32 / 3.0).sqrt();
        let expected = [2.0 - unit * 0.1, 0.6 + unit * 0.1, 0.5];
        for (score, expected) in scores.iter().zip(expected) {
            assert!((score - expected).abs() < 1e-3, "{scores:?} {expected}");
        }
    }

    #[test]
    fn a_server_lends_to_its_own_tools() {
        let mut scores = vec![2.0, 0.0, 0.5];
        let servers = Servers {
            of_tool: &[0, 0, ALONE],
            near: &[0.8],
        };
        Blend::default().lend(&servers, &[0.9, 0.7, 0.5], &mut scores);
        // The server is 0.1 above the mean of the tools, the tool without one 0.2 below.
        let unit = 0.45 / (0.08f32 / 3.0).sqrt();
        let expected = [2.3 + unit * 0.1, 0.3 + unit * 0.1, 0.575 - unit * 0.2];
        for (score, expected) in scores.iter().zip(expected) {
            assert!((score - expected).abs() < 1e-3, "{scores:?} {expected}");
        }
    }

    #[test]
    fn the_highest_come_first_and_equals_keep_their_order() {
        let scores = [1.0, 3.0, 3.0, 2.0, f32::NAN];
        assert_eq!(top(&scores[..4], 3), [1, 2, 3]);
        assert_eq!(top(&scores[..4], 9), [1, 2, 3, 0]);
        assert_eq!(top(&scores, 5).len(), 5);
        assert_eq!(top(&scores, 0), Vec::<usize>::new());
        assert_eq!(top(&[], 3), Vec::<usize>::new());
    }

    #[test]
    fn of_many_the_same_come_first_as_if_all_were_ordered() {
        let scores: Vec<f32> = (0..500u32).map(|place| (place * 37 % 101) as f32).collect();
        let all = top(&scores, scores.len());
        assert!(all.is_sorted_by_key(|place| (-scores[*place] as i32, *place)));
        for count in [1, 2, 7, 30, 250, 499] {
            assert_eq!(top(&scores, count), all[..count], "{count}");
        }
    }
}
