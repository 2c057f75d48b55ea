//! How are the weights found? From requests whose tools are known: which of the tools that
//! the search finds is meant, and what tells it from the tools of catalogues that have
//! nothing for the request.

use super::super::asked::Asked;
use super::super::says::Says;
use super::DOES;
use super::searched::{Kin, Searched, Whole};
use super::seen::{SEEN, Seen, only_readies};
use super::weights::{Shipped, Weights};
use crate::catalogue::{Catalogue, Place};
use crate::frame::Frame;
use crate::regression::{Choice, Labelled, logistic, softmax};

/// How often what is meant among several right tools is guessed anew.
const ROUNDS: usize = 3;
/// How firmly weights for whether a tool does it are held near nothing.
const HOLD_DOES: f64 = 0.002;

/// What the search found for one part of a request.
#[derive(Clone, Debug)]
pub struct LabelledTools {
    pub text: String,
    /// Each tool, what is seen of it, and whether it is known to be right.
    pub tools: Vec<(Place, Seen, bool)>,
}

impl LabelledTools {
    /// The tool that is most likely meant.
    pub fn best(&self, weights: &Weights) -> Option<&(Place, Seen, bool)> {
        most(self.tools.iter(), weights)
    }

    /// The one of those that are right.
    pub fn best_right(&self, weights: &Weights) -> Option<&(Place, Seen, bool)> {
        most(self.tools.iter().filter(|tool| tool.2), weights)
    }

    fn choice(&self, counts: f32, weights: &Weights) -> Option<Choice<{ SEEN.len() }>> {
        let best = weights.meant(&self.best_right(weights)?.1);
        let chance = |tool: &(Place, Seen, bool)| {
            if tool.2 {
                (weights.meant(&tool.1) - best).exp()
            } else {
                0.0
            }
        };
        let chances: Vec<f32> = self.tools.iter().map(chance).collect();
        let sum: f32 = chances.iter().sum();
        Some(Choice {
            candidates: self.tools.iter().map(|tool| tool.1).collect(),
            targets: chances.iter().map(|chance| chance / sum).collect(),
            counts,
        })
    }
}

fn most<'a>(
    tools: impl Iterator<Item = &'a (Place, Seen, bool)>,
    weights: &Weights,
) -> Option<&'a (Place, Seen, bool)> {
    tools.max_by(|one, other| weights.meant(&one.1).total_cmp(&weights.meant(&other.1)))
}

/// What the search finds for the parts of a request, and which of it is right. Where there
/// are as many parts as steps, each part wants its own step.
pub fn parts(frame: &Frame, catalogue: &Catalogue, steps: &[Vec<Place>]) -> Vec<LabelledTools> {
    let whole = Whole::of(catalogue, frame);
    let weights = &Shipped::of_binary().weights;
    let mut kin = Kin::default();
    let in_turn = frame.goals.len() == steps.len();
    let parts = frame.goals.iter().enumerate().map(|(at, goal)| {
        let own = if in_turn {
            steps.get(at..=at)
        } else {
            Some(steps)
        };
        let own = own.unwrap_or_default();
        let is_right = |place: &Place| own.iter().any(|step| step.contains(place));
        let asked = Asked::of(frame, goal, &goal.clause.before);
        let searched = Searched::of(catalogue, frame, goal, (&whole, &kin));
        let tools = searched.candidates().into_iter().filter_map(|place| {
            let says = Says::of(catalogue, place)?;
            if only_readies(&asked, &says) {
                return None;
            }
            let seen = searched.seen(&asked, catalogue, &says, place)?;
            Some((place, seen, is_right(&place)))
        });
        let tools: Vec<(Place, Seen, bool)> = tools.collect();
        let does = tools.iter().filter(|tool| weights.does(&tool.1) >= DOES);
        let next = Kin::of(catalogue, does.map(|tool| (tool.0, weights.meant(&tool.1))));
        if !next.is_empty() {
            kin = next;
        }
        LabelledTools {
            text: goal.text.clone(),
            tools,
        }
    });
    parts.collect()
}

/// Weights for which tool is meant, held so firmly near those known before. Each group counts as much
/// as every other, however many parts it has.
pub fn meant(groups: &[Vec<LabelledTools>], before: &Weights, hold: f64) -> Weights {
    let mut weights = before.clone();
    for _ in 0..ROUNDS {
        let choices: Vec<Choice<{ SEEN.len() }>> = groups
            .iter()
            .flat_map(|parts| {
                let counts = 1.0 / parts.len().max(1) as f32;
                let weights = &weights;
                parts
                    .iter()
                    .filter_map(move |part| part.choice(counts, weights))
            })
            .collect();
        weights.meant = softmax(&choices, &before.meant, hold);
    }
    weights
}

/// Weights for whether a tool does it at all: the right ones against the best of catalogues
/// that have nothing for the request.
pub fn does(
    right: &[Vec<LabelledTools>],
    foreign: &[Vec<LabelledTools>],
    mut weights: Weights,
) -> Weights {
    let mut rows: Vec<Labelled<{ SEEN.len() }>> = Vec::new();
    for (groups, wanted) in [(right, true), (foreign, false)] {
        for parts in groups {
            let counts = 1.0 / (parts.len().max(1) * groups.len()) as f32;
            for part in parts {
                let tool = if wanted {
                    part.best_right(&weights)
                } else {
                    part.best(&weights)
                };
                rows.extend(tool.map(|tool| Labelled {
                    features: tool.1,
                    wanted,
                    counts,
                }));
            }
        }
    }
    let nothing = [0.0; SEEN.len()];
    (weights.does, weights.bias) = logistic(&rows, (&nothing, 0.0), HOLD_DOES);
    weights
}
