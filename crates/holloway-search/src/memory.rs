//! What helped with similar requests before? Remembered requests lend to their tools,
//! the more the nearer they are, the more they agree, and the more there are.

use std::sync::Arc;

use crate::clauses::bounded;
use crate::fusion::top;
use crate::index::{Query, Scores};
use crate::literals::without_literals;
use crate::table::Table;
use crate::vectors::{Vector, Vectors};

const REMEMBERED_AT_MOST: usize = 100_000;
/// How many similar requests are asked.
const NEIGHBOURS: usize = 50;
/// A request less alike than this says nothing; from the other likeness on it says all it can.
const ALIKE: (f32, f32) = (0.4, 0.9);
/// How fast a neighbour's voice fades beside the nearest one's.
const FADE: f32 = 0.1;
/// What memory can add at most, in units of the spread of scores.
const MOST: f32 = 6.0;
/// With this many remembered requests memory has half its weight.
const HALF: f32 = 15.0;

/// Requests of the past and the tools they were served by.
#[derive(Debug)]
pub struct Memory {
    table: Arc<Table>,
    requests: Vectors,
    /// Places in the catalogue.
    tools: Vec<Vec<usize>>,
}

impl Memory {
    /// With the table of the index that it helps.
    pub fn new(table: &Arc<Table>) -> Self {
        Self {
            table: Arc::clone(table),
            requests: Vectors::new(table.dimensions()),
            tools: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.tools.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Notes that these tools, by their place in the catalogue, served a request.
    pub fn remember(&mut self, request: &str, tools: Vec<usize>) {
        let plain = without_literals(&bounded(request));
        let meaning = Vector::of(&self.table.meaning(&plain));
        if self.len() < REMEMBERED_AT_MOST && !tools.is_empty() && !meaning.is_nothing() {
            self.requests.push(&meaning);
            self.tools.push(tools);
        }
    }

    /// Adds what is remembered to the scores of a request.
    pub fn lend(&self, query: &Query, scores: &mut Scores) {
        let mut remembered = vec![0.0; scores.fused.len()];
        self.recall(&query.meaning, &mut remembered);
        for (score, remembered) in scores.fused.iter_mut().zip(&remembered) {
            *score += MOST * remembered;
        }
        scores.remembered = remembered;
    }

    /// For every tool, 0 to 1: half for how near the nearest request is that it served, half
    /// for the share it has among the nearest ones.
    fn recall(&self, meaning: &Vector, remembered: &mut [f32]) {
        let alike = self.requests.compare(meaning, &[]).0;
        let neighbours = top(&alike, NEIGHBOURS);
        let likeness = |place: &usize| alike.get(*place).copied().unwrap_or_default();
        let Some(nearest) = neighbours.first().map(likeness) else {
            return;
        };
        let voice = |place: &usize| ((likeness(place) - nearest) / FADE).exp();
        let voices: f32 = neighbours.iter().map(voice).sum();
        let enough = self.len() as f32 / (self.len() as f32 + HALF);
        let mut near = vec![0.0f32; remembered.len()];
        for place in &neighbours {
            let share = trust(nearest) * voice(place) / voices;
            for tool in self.tools.get(*place).into_iter().flatten() {
                if let (Some(sum), Some(near)) = (remembered.get_mut(*tool), near.get_mut(*tool)) {
                    *sum += share;
                    *near = near.max(trust(likeness(place)));
                }
            }
        }
        for (sum, near) in remembered.iter_mut().zip(near) {
            *sum = enough * (*sum + near) / 2.0;
        }
    }
}

/// How much a request says that is so much alike, 0 to 1.
fn trust(likeness: f32) -> f32 {
    let (least, most) = ALIKE;
    ((likeness - least) / (most - least))
        .clamp(0.0, 1.0)
        .powi(2)
}

#[cfg(test)]
mod tests {
    use crate::entry::Entry;
    use crate::index::Index;
    use crate::table::tests::small_table;

    use super::*;

    fn index() -> Index {
        let table = small_table(&[
            ("rain", [127, 0, 0, 0]),
            ("umbrella", [120, 40, 0, 0]),
            ("stocks", [0, 0, 127, 0]),
            ("mail", [0, 127, 0, 0]),
        ]);
        let entry = |name: &str| Entry {
            id: name.to_owned(),
            ..Entry::default()
        };
        let entries = ["first", "second", "third"].map(entry);
        Index::with_table(entries, Arc::new(table))
    }

    fn lent(memory: &Memory, index: &Index, request: &str) -> Vec<f32> {
        let query = index.read(request);
        let mut scores = index.scores(&query);
        memory.lend(&query, &mut scores);
        scores.remembered
    }

    #[test]
    fn similar_requests_lend_to_their_tools_and_others_do_not() {
        let index = index();
        let mut memory = Memory::new(index.table());
        memory.remember("rain", vec![1]);
        memory.remember("stocks", vec![2]);
        let found = lent(&memory, &index, "umbrella");
        assert!(found[1] > 0.0, "{found:?}");
        assert!(found[0] < 1e-3 && found[2] < 1e-3, "{found:?}");
        assert_eq!(lent(&memory, &index, "mail"), [0.0; 3]);
    }

    #[test]
    fn weight_grows_with_what_is_remembered() {
        let index = index();
        let mut memory = Memory::new(index.table());
        let mut before = 0.0;
        for _ in 0..5 {
            memory.remember("rain", vec![0]);
            let now = lent(&memory, &index, "rain")[0];
            assert!(now > before && now <= 1.0, "{now} after {before}");
            before = now;
        }
    }

    #[test]
    fn nothing_remembered_lends_nothing() {
        let index = index();
        let mut memory = Memory::new(index.table());
        memory.remember("unheard of", vec![0]);
        memory.remember("rain", vec![]);
        assert!(memory.is_empty());
        assert_eq!(lent(&memory, &index, "rain"), [0.0; 3]);
        memory.remember("rain", vec![99]);
        assert_eq!(lent(&memory, &index, "rain"), [0.0; 3]);
    }
}
