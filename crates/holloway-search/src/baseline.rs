//! What would simpler ways find? Words alone, meaning alone, and the ranks of both
//! added up, so that a figure has something to stand beside.

use serde::Serialize;

use crate::fusion::top;
use crate::index::Scores;

/// What a rank is worth in rank fusion: `1 / (60 + rank)`, as usual.
const RANK_OFFSET: f32 = 60.0;

/// A way to order tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    Words,
    Meaning,
    Ranks,
    Ours,
}

impl Method {
    pub const ALL: [Self; 4] = [Self::Words, Self::Meaning, Self::Ranks, Self::Ours];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Words => "words alone (BM25F)",
            Self::Meaning => "meaning alone (embedding)",
            Self::Ranks => "reciprocal-rank fusion",
            Self::Ours => "ours",
        }
    }

    /// The best tools by this method.
    pub fn top(self, scores: &Scores, count: usize) -> Vec<usize> {
        match self {
            Self::Words => top(&scores.parts.words, count),
            Self::Meaning => top(&scores.parts.meaning, count),
            Self::Ranks => top(&ranks_added(scores), count),
            Self::Ours => scores.top(count),
        }
    }
}

fn ranks_added(scores: &Scores) -> Vec<f32> {
    let mut sum = vec![0.0; scores.fused.len()];
    for list in [&scores.parts.words, &scores.parts.meaning] {
        for (rank, place) in top(list, list.len()).into_iter().enumerate() {
            if let Some(sum) = sum.get_mut(place) {
                *sum += 1.0 / (RANK_OFFSET + 1.0 + rank as f32);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use crate::fusion::Parts;

    use super::*;

    #[test]
    fn each_method_has_its_own_order() {
        let scores = Scores {
            parts: Parts {
                words: vec![3.0, 2.0, 1.0],
                meaning: vec![0.1, 0.3, 0.2],
                ..Parts::default()
            },
            fused: vec![0.0, 0.0, 1.0],
            ..Scores::default()
        };
        let first = Method::ALL.map(|method| method.top(&scores, 1));
        assert_eq!(first, [[0], [1], [1], [2]]);
    }
}
