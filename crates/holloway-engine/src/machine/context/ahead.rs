//! Which tools does the plan lead to from here, how surely, and in how many steps? Followed through
//! the lists of the plan: into inner steps, and out again where a list ends.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use holloway_plan::dag::{BodyId, Flow, Node, Work};
use holloway_plan::tool::{ToolId, ToolSpec};

use super::super::Machine;
use super::{purpose, tool_of_node};
use crate::context::next::{Signs, fits, named};

/// How many steps are looked at.
const MOST: usize = 24;
/// And how far.
const FARTHEST: u32 = 4;
/// How surely a step runs whose condition nobody knows yet, and one of two branches.
const CONDITION: f64 = 0.6;
const BRANCH: f64 = 0.5;

/// A step that comes after.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    pub(super) step: String,
    purpose: String,
    pub(super) tool: Arc<ToolSpec>,
    structure: f64,
    distance: u32,
    pub(super) chance: f64,
}

/// Where the search stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    body: BodyId,
    node: u32,
    /// The frame around, as far as there is one.
    frame: Option<u32>,
    sure: f64,
    distance: u32,
}

impl Ahead {
    pub(super) fn line(&self) -> String {
        format!(
            "- then {} ({}){}",
            self.step,
            self.tool.id.name(),
            self.purpose
        )
    }

    pub(super) fn weigh(
        &mut self,
        current: &ToolSpec,
        followed: Option<&BTreeMap<ToolId, f64>>,
        objective: &str,
    ) {
        let signs = Signs {
            structure: self.structure,
            distance: f64::from(self.distance),
            followed: followed.map(|after| after.get(&self.tool.id).copied().unwrap_or(0.0)),
            fits: fits(&self.tool, &current.output_schema),
            goal: named(&self.tool, objective),
        };
        self.chance = signs.probability();
    }
}

impl Machine {
    /// The steps with a tool that come after an instance, each tool once, the nearest first.
    pub(super) fn ahead_of(&self, n: u32) -> Vec<Ahead> {
        let instance = self.instance(n);
        let mut found: Vec<Ahead> = Vec::new();
        let mut waiting = VecDeque::new();
        let here = Place {
            body: self.frame(instance.frame).body,
            node: instance.node,
            frame: Some(instance.frame),
            sure: 1.0,
            distance: 0,
        };
        self.followers(here, &mut waiting);
        let mut looked_at = 0;
        while let Some(place) = waiting.pop_front() {
            looked_at += 1;
            if looked_at > MOST || place.distance > FARTHEST {
                break;
            }
            self.look(place, &mut found, &mut waiting);
        }
        found
    }

    fn look(&self, place: Place, found: &mut Vec<Ahead>, waiting: &mut VecDeque<Place>) {
        let body = self.dag.body(place.body);
        let Some(node) = body.and_then(|body| body.nodes.get(place.node as usize)) else {
            return;
        };
        let sure = match node.when {
            Some(_) => place.sure * CONDITION,
            None => place.sure,
        };
        let place = Place { sure, ..place };
        if let Some(tool) = tool_of_node(self, node) {
            let is_new = found.iter().all(|known| known.tool.id != tool.id);
            if is_new {
                found.push(Ahead {
                    step: node.step.to_string(),
                    purpose: purpose(node),
                    tool: Arc::clone(tool),
                    structure: sure,
                    distance: place.distance,
                    chance: 0.0,
                });
            }
            let next = Place {
                distance: place.distance + 1,
                ..place
            };
            return self.followers(next, waiting);
        }
        self.inner(place, node, waiting);
    }

    /// The first steps inside a step.
    fn inner(&self, place: Place, node: &Node, waiting: &mut VecDeque<Place>) {
        let bodies: Vec<(BodyId, f64)> = match &node.work {
            Work::Each { body, .. } | Work::Group { body, .. } | Work::Plan { body, .. } => {
                vec![(*body, 1.0)]
            }
            Work::Branch {
                then, otherwise, ..
            } => vec![(*then, BRANCH), (*otherwise, BRANCH)],
            Work::Phase(guided) => vec![(guided.body, BRANCH)],
            Work::Call { .. } | Work::Approve { .. } => Vec::new(),
        };
        if bodies.is_empty() {
            return self.followers(place, waiting);
        }
        for (id, share) in bodies {
            let Some(body) = self.dag.body(id) else {
                continue;
            };
            let first = body
                .nodes
                .iter()
                .enumerate()
                .filter(|(at, node)| match body.flow {
                    Flow::Waiting => node.parents.is_empty(),
                    Flow::Edges => *at == 0,
                    Flow::Guided => true,
                });
            waiting.extend(first.map(|(node, _)| Place {
                body: id,
                node: node as u32,
                frame: None,
                sure: place.sure * share,
                distance: place.distance,
            }));
        }
    }

    /// What comes after a node: its children, or what follows the step around it.
    fn followers(&self, place: Place, waiting: &mut VecDeque<Place>) {
        let Some(body) = self.dag.body(place.body) else {
            return;
        };
        let Some(node) = body.nodes.get(place.node as usize) else {
            return;
        };
        let next = |node: u32, share: f64| Place {
            node,
            sure: place.sure * share,
            ..place
        };
        match body.flow {
            Flow::Waiting => waiting.extend(node.children.iter().map(|child| next(*child, 1.0))),
            Flow::Edges => {
                let share = 1.0 / node.edges.len().max(1) as f64;
                waiting.extend(node.edges.iter().map(|edge| next(edge.to, share)));
            }
            Flow::Guided => {}
        }
        let is_last = match body.flow {
            Flow::Waiting => node.children.is_empty(),
            Flow::Edges => node.edges.is_empty(),
            Flow::Guided => true,
        };
        if is_last && let Some(owner) = place.frame.and_then(|frame| self.frame(frame).owner) {
            let around = self.instance(owner);
            let outside = Place {
                body: self.frame(around.frame).body,
                node: around.node,
                frame: Some(around.frame),
                ..place
            };
            self.followers(outside, waiting);
        }
    }
}
