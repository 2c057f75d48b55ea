//! What would simpler ways find? Words alone, meaning alone, and the ranks of both
//! added up, so that a figure has something to stand beside.

use serde::Serialize;

use crate::fusion::top;
use crate::index::Index;

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

    /// The best tools by this method, which works out no more than it needs.
    pub fn search(self, index: &Index, request: &str, count: usize) -> Vec<usize> {
        match self {
            Self::Words => top(&index.words(request), count),
            Self::Meaning => top(&index.meaning(request), count),
            Self::Ranks => top(
                &ranks_added(&index.words(request), &index.meaning(request)),
                count,
            ),
            Self::Ours => index.search(request, count),
        }
    }
}

fn ranks_added(words: &[f32], meaning: &[f32]) -> Vec<f32> {
    let mut sum = vec![0.0; words.len()];
    for list in [words, meaning] {
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
    use super::*;

    #[test]
    fn a_tool_that_is_good_in_both_lists_wins() {
        let sum = ranks_added(&[3.0, 2.0, 1.0], &[0.1, 0.3, 0.2]);
        assert_eq!(top(&sum, 3), [1, 0, 2]);
    }
}
