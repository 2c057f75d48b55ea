//! What did runs of the past do? Their sets of tools and their links, counted.

use rustc_hash::FxHashMap;

use crate::catalogue::Place;

/// A run that reached its goal, by places.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) request: String,
    pub(super) tools: Vec<Place>,
    pub(super) links: Vec<(usize, usize)>,
    /// Its tools, whatever their order.
    pub(super) set: Vec<Place>,
    /// Nobody said whether it brought what was wanted.
    pub(super) unchecked: bool,
}

impl Run {
    pub(super) fn new(text: String, tools: Vec<Place>, links: Vec<(usize, usize)>) -> Self {
        Self {
            set: set_of(&tools),
            links: forward(&tools, links),
            request: text,
            tools,
            unchecked: false,
        }
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (Place, Place)> {
        self.tools
            .iter()
            .copied()
            .zip(self.tools.iter().copied().skip(1))
    }
}

/// A result cannot go back. A link that says so names a tool that was called more than once by
/// its first call, and means those calls that stand next to each other.
fn forward(tools: &[Place], links: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut found = Vec::with_capacity(links.len());
    for (from, to) in links {
        if from < to {
            found.push((from, to));
            continue;
        }
        let (Some(giver), Some(taker)) = (tools.get(from), tools.get(to)) else {
            continue;
        };
        let next = tools.windows(2).enumerate();
        let meant = next.filter(|(_, pair)| *pair == [*giver, *taker]);
        found.extend(meant.map(|(at, _)| (at, at + 1)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

pub(super) fn set_of(tools: &[Place]) -> Vec<Place> {
    let mut set = tools.to_vec();
    set.sort_unstable();
    set.dedup();
    set
}

#[derive(Debug, Default)]
pub(super) struct Counts {
    sets: FxHashMap<Vec<Place>, u32>,
    /// How often a result went into a step, of how often it could: next to each other or not.
    links: FxHashMap<(Place, Place, bool), (u32, u32)>,
}

impl Counts {
    pub(super) fn add(&mut self, run: &Run) {
        for (later, tool) in run.tools.iter().enumerate() {
            for (earlier, before) in run.tools.iter().enumerate().take(later) {
                let counts = self
                    .links
                    .entry((*before, *tool, earlier + 1 == later))
                    .or_default();
                counts.0 += u32::from(run.links.contains(&(earlier, later)));
                counts.1 += 1;
            }
        }
        *self.sets.entry(run.set.clone()).or_default() += 1;
    }

    /// In what share of the runs the result of the one went into the other, directly after it
    /// or later; nothing if no run had both.
    pub(super) fn linked(&self, from: Place, to: Place, is_next: bool) -> Option<f32> {
        let (linked, both) = self.links.get(&(from, to, is_next))?;
        Some(*linked as f32 / (*both).max(1) as f32)
    }

    /// In how many runs exactly these tools were used.
    pub(super) fn times(&self, tools: &[Place]) -> u32 {
        self.sets.get(&set_of(tools)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tools: &[Place], links: &[(usize, usize)], expected: &[(usize, usize)]) {
        let run = Run::new(String::new(), tools.to_vec(), links.to_vec());
        assert_eq!(run.links, expected);
    }

    #[test]
    fn a_link_that_goes_back_means_calls_next_to_each_other() {
        check(&[4, 4, 4], &[(0, 0), (0, 0)], &[(0, 1), (1, 2)]);
        check(&[4, 5, 4], &[(0, 1), (1, 0)], &[(0, 1), (1, 2)]);
        check(&[4, 5, 6], &[(0, 2), (2, 1), (7, 0)], &[(0, 2)]);
    }
}
