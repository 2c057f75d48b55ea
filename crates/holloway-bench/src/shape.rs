//! Which graphs are run? The three shapes that peers are measured with too.

use clap::ValueEnum;
use holloway_testkit::chance::Chance;
use serde_json::{Value, json};

/// A family of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shape {
    /// One after the other.
    Chain,
    /// One, then all others but one at once, then one.
    Fan,
    /// Ten layers, each node with three parents in the layer before.
    Layered,
}

impl Shape {
    pub(crate) const ALL: [Self; 3] = [Self::Chain, Self::Fan, Self::Layered];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Fan => "fan",
            Self::Layered => "layered",
        }
    }

    /// For each node, the nodes it waits for.
    pub(crate) fn parents(self, nodes: usize) -> Vec<Vec<usize>> {
        match self {
            Self::Chain => (0..nodes)
                .map(|i| i.checked_sub(1).into_iter().collect())
                .collect(),
            Self::Fan => fan(nodes),
            Self::Layered => layered(10, nodes / 10),
        }
    }

    /// The same graph as a plan of steps that do nothing.
    pub(crate) fn plan(self, nodes: usize) -> Value {
        let step = |(index, parents): (usize, Vec<usize>)| {
            let parents: Vec<String> = parents.iter().map(|parent| format!("s{parent}")).collect();
            json!({ "id": format!("s{index}"), "tool": "bench/nothing", "depends_on": parents })
        };
        let steps: Vec<Value> = self
            .parents(nodes)
            .into_iter()
            .enumerate()
            .map(step)
            .collect();
        json!({ "version": "1.0", "id": "bench", "execution": "dag", "steps": steps })
    }
}

fn fan(nodes: usize) -> Vec<Vec<usize>> {
    let mut parents = vec![Vec::new()];
    parents.extend((0..nodes).map(|_| vec![0]));
    parents.push((1..=nodes).collect());
    parents
}

fn layered(layers: usize, width: usize) -> Vec<Vec<usize>> {
    let mut chance = Chance::new(7);
    let mut parents = Vec::with_capacity(layers * width);
    for layer in 0..layers {
        for _ in 0..width {
            let mut chosen: Vec<usize> = Vec::new();
            while layer > 0 && chosen.len() < 3.min(width) {
                let parent = (layer - 1) * width + chance.below(width);
                if !chosen.contains(&parent) {
                    chosen.push(parent);
                }
            }
            parents.push(chosen);
        }
    }
    parents
}
