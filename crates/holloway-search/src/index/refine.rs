//! Which of the best tools are meant? They are compared with the request word by word,
//! and every part of a request puts its best one forward. None loses by it, so that
//! the tools not looked at stay behind.

use super::{Index, Query};
use crate::fusion::{add_spread, top};
use crate::lexical::Term;
use crate::vectors::Vector;

/// How many of the best are looked at.
const LOOKED_AT: usize = 30;
/// How much the whole request counts beside one of its parts.
const WHOLE: f32 = 0.5;

impl Index {
    pub(super) fn refine(&self, query: &Query, scores: &mut [f32]) {
        let best = top(scores, LOOKED_AT);
        let score = |place: &usize| scores.get(*place).copied().unwrap_or_default();
        let mut refined: Vec<f32> = best.iter().map(score).collect();
        let covers = self.wording.covers(&self.lexical, &query.asked, &best);
        for (score, cover) in refined.iter_mut().zip(&covers) {
            *score += self.blend.covered(cover);
        }
        for at in self.foremost(query, &best, &refined) {
            if let Some(score) = refined.get_mut(at) {
                *score += self.blend.foremost;
            }
        }
        for (place, refined) in best.into_iter().zip(refined) {
            if let Some(score) = scores.get_mut(place) {
                *score = refined;
            }
        }
    }

    /// The best tool for each part of a request, by its place among these; each but once.
    fn foremost(&self, query: &Query, tools: &[usize], whole: &[f32]) -> Vec<usize> {
        let clauses = query.clause_terms.iter().zip(&query.clause_meanings);
        let best = clauses.filter_map(|(terms, meaning)| {
            let scores = self.of_clause(terms, meaning, tools, whole);
            top(&scores, 1).first().copied()
        });
        let mut foremost: Vec<usize> = best.collect();
        foremost.sort_unstable();
        foremost.dedup();
        foremost
    }

    fn of_clause(
        &self,
        terms: &[Term],
        meaning: &Vector,
        tools: &[usize],
        whole: &[f32],
    ) -> Vec<f32> {
        let each = |score: &dyn Fn(usize) -> f32| -> Vec<f32> {
            tools.iter().map(|tool| score(*tool)).collect()
        };
        let words = each(&|tool| self.lexical.score(terms, tool));
        let meaning = each(&|tool| self.vectors.near(meaning, tool));
        let mut sum = vec![0.0; tools.len()];
        add_spread(&words, self.blend.words, &mut sum);
        add_spread(&meaning, 1.0 - self.blend.words, &mut sum);
        add_spread(whole, WHOLE, &mut sum);
        sum
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::entry::Entry;
    use crate::fusion::Blend;
    use crate::index::Index;
    use crate::table::tests::small_table;

    fn index(blend: Blend) -> Index {
        let table = small_table(&[
            ("rain", [127, 0, 0, 0]),
            ("snow", [100, 78, 0, 0]),
            ("alarm", [0, 127, 0, 0]),
            ("mail", [0, 0, 127, 0]),
            ("stocks", [0, 0, 0, 127]),
        ]);
        let names = ["rain_alarm", "snow_alarm", "mail_sender", "stocks"];
        let entries = names.map(|name| Entry {
            id: name.to_owned(),
            ..Entry::default()
        });
        Index::with_table(entries, Arc::new(table)).with_blend(blend)
    }

    #[track_caller]
    fn check(request: &str, blend: Blend, expected: [usize; 4]) {
        assert_eq!(index(blend).search(request, 4), expected);
    }

    #[test]
    fn a_name_that_the_request_covers_comes_first() {
        let plain = Blend {
            name: 0.0,
            ..Blend::default()
        };
        let by_name = Blend {
            name: 20.0,
            ..Blend::default()
        };
        check("rain or stocks or rain", plain, [0, 3, 1, 2]);
        check("rain or stocks or rain", by_name, [3, 0, 1, 2]);
    }

    #[test]
    fn every_part_puts_its_best_tool_forward() {
        let request = "rain or snow or rain, send a mail to Ann";
        let none = Blend {
            foremost: 0.0,
            ..Blend::default()
        };
        let query = index(none).read(request);
        assert_eq!(query.clauses.len(), 2);
        let before = index(none).scores(&query).fused;
        let after = index(Blend::default()).scores(&query).fused;
        let gained: Vec<bool> = before.iter().zip(&after).map(|(a, b)| b > a).collect();
        assert_eq!(gained, [true, false, true, false]);
    }

    #[test]
    fn nobody_loses() {
        let plain = Blend {
            name: 0.0,
            description: 0.0,
            request: 0.0,
            foremost: 0.0,
            ..Blend::default()
        };
        for request in [
            "",
            "rain",
            "snow mail, then all of the stocks",
            "unheard of",
        ] {
            let query = index(plain).read(request);
            let before = index(plain).scores(&query).fused;
            let after = index(Blend::default()).scores(&query).fused;
            let lost = before.iter().zip(&after).any(|(a, b)| b < a);
            assert!(!lost, "{request}: {before:?} {after:?}");
        }
    }
}
