//! What did the runs do, each by how much it counts for a request? Which tools, how many of
//! them, and in which order.

use rustc_hash::FxHashMap;

use super::counts::Run;
use crate::catalogue::Place;

/// Longer runs count as this long.
const LENGTHS: usize = 8;

/// How far each tool is wanted, about 0 to 1.
pub(super) type Wanted = FxHashMap<Place, f32>;

/// By runs that count so much each; one that is left out counts nothing. A tool that was called
/// twice was wanted once.
pub(super) fn wanted(runs: &[Run], weights: &[f32]) -> Wanted {
    let mut wanted = Wanted::default();
    let counting = runs
        .iter()
        .zip(weights)
        .filter(|(_, weight)| **weight != 0.0);
    for (run, weight) in counting {
        for tool in &run.set {
            *wanted.entry(*tool).or_default() += weight;
        }
    }
    wanted
}

#[derive(Debug, Default)]
pub(super) struct Tally<'a> {
    pub(super) tools: Wanted,
    lengths: [f32; LENGTHS],
    /// One tool directly after the other; one anywhere after the other.
    pairs: FxHashMap<(Place, Place), (f32, f32)>,
    sequences: FxHashMap<&'a [Place], f32>,
    sets: FxHashMap<&'a [Place], f32>,
}

impl<'a> Tally<'a> {
    pub(super) fn of(runs: &'a [Run], weights: &[f32]) -> Self {
        let mut tally = Self {
            tools: wanted(runs, weights),
            ..Self::default()
        };
        for (run, weight) in runs.iter().zip(weights) {
            tally.add(run, *weight);
        }
        tally
    }

    fn add(&mut self, run: &'a Run, weight: f32) {
        *self.sequences.entry(run.tools.as_slice()).or_default() += weight;
        *self.sets.entry(run.set.as_slice()).or_default() += weight;
        if let Some(length) = self.lengths.get_mut(run.tools.len().min(LENGTHS - 1)) {
            *length += weight;
        }
        for pair in run.pairs() {
            self.pairs.entry(pair).or_default().0 += weight;
        }
        for (later, tool) in run.tools.iter().enumerate() {
            for before in run.tools.iter().take(later) {
                self.pairs.entry((*before, *tool)).or_default().1 += weight;
            }
        }
    }

    pub(super) fn tool(&self, tool: Place) -> f32 {
        self.tools.get(&tool).copied().unwrap_or_default()
    }

    /// How many tools are wanted, by how far each one is.
    pub(super) fn number(&self) -> f32 {
        self.tools
            .values()
            .map(|wanted| wanted.clamp(0.0, 1.0))
            .sum()
    }

    /// How likely so many tools are.
    pub(super) fn length(&self, tools: usize) -> f32 {
        let likely = self.lengths.get(tools.min(LENGTHS - 1));
        likely.copied().unwrap_or_default()
    }

    pub(super) fn pair(&self, first: Place, second: Place) -> (f32, f32) {
        let pair = self.pairs.get(&(first, second));
        pair.copied().unwrap_or_default()
    }

    pub(super) fn sequence(&self, tools: &[Place]) -> f32 {
        self.sequences.get(tools).copied().unwrap_or_default()
    }

    /// The same in whatever order; tools stand sorted.
    pub(super) fn set(&self, set: &[Place]) -> f32 {
        self.sets.get(set).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up_by_how_much_they_count() {
        let run = |tools: &[Place]| Run::new(String::new(), tools.to_vec(), Vec::new());
        let runs = [run(&[1, 2]), run(&[2, 1]), run(&[1, 3, 1])];
        let tally = Tally::of(&runs, &[0.5, 0.25, 0.125]);
        assert_eq!(
            (tally.tool(1), tally.tool(3), tally.tool(9)),
            (0.875, 0.125, 0.0)
        );
        assert_eq!(tally.number(), 0.875 + 0.75 + 0.125);
        assert_eq!((tally.length(2), tally.length(3)), (0.75, 0.125));
        assert_eq!((tally.sequence(&[2, 1]), tally.set(&[1, 2])), (0.25, 0.75));
        assert_eq!(
            (tally.pair(1, 2), tally.pair(1, 1)),
            ((0.5, 0.5), (0.0, 0.125))
        );
    }

    #[test]
    fn very_long_runs_are_all_as_long() {
        let runs = [Run::new(String::new(), vec![4; 12], Vec::new())];
        let tally = Tally::of(&runs, &[1.0]);
        assert_eq!((tally.length(12), tally.length(7)), (1.0, 1.0));
    }
}
