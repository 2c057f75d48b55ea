//! What runs together, and what waits for what? Each list of steps in waves: a
//! step is in the first wave after everything it waits for.

use serde::Serialize;

use super::clip;
use crate::dag::{Body, BodyId, Dag, Flow, Node, Work};

/// The order in one list of steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListOrder {
    /// The steps it stands in, outermost first, `then` or `otherwise` among them; empty for the plan's own.
    pub path: Vec<String>,
    /// Empty in graph execution.
    pub waves: Vec<Wave>,
    /// The edges of graph execution.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Route>,
}

/// Steps that may run at the same time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wave {
    pub steps: Vec<Waiting>,
}

/// A step and what it waits for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiting {
    pub step: String,
    /// Steps whose results it reads.
    pub reads: Vec<String>,
    /// Steps that only have to have ended.
    pub after: Vec<String>,
}

/// An edge of graph execution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Route {
    pub from: String,
    pub to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}

pub(super) fn of_dag(dag: &Dag) -> Vec<ListOrder> {
    let mut orders = Vec::new();
    add(dag, BodyId::TOP, &[], &mut orders);
    orders
}

fn add(dag: &Dag, id: BodyId, path: &[String], orders: &mut Vec<ListOrder>) {
    let Some(body) = dag.body(id).filter(|body| !body.nodes.is_empty()) else {
        return;
    };
    let (waves, turns) = match body.flow {
        Flow::Waiting => (waves(body), Vec::new()),
        Flow::Edges => (Vec::new(), turns(body)),
        Flow::Guided => (Vec::new(), Vec::new()),
    };
    orders.push(ListOrder {
        path: path.to_vec(),
        waves,
        turns,
    });
    for node in &body.nodes {
        for (branch, inner) in bodies_of(&node.work) {
            let names = std::iter::once(node.step.to_string()).chain(branch.map(ToOwned::to_owned));
            let inside: Vec<String> = path.iter().cloned().chain(names).collect();
            add(dag, inner, &inside, orders);
        }
    }
}

/// The bodies inside a node, with the name of the branch where there are two.
pub(super) fn bodies_of(work: &Work) -> Vec<(Option<&'static str>, BodyId)> {
    match work {
        Work::Each { body, .. } | Work::Group { body, .. } | Work::Plan { body, .. } => {
            vec![(None, *body)]
        }
        Work::Branch {
            then, otherwise, ..
        } => vec![(Some("then"), *then), (Some("otherwise"), *otherwise)],
        Work::Call { .. } | Work::Approve { .. } | Work::Phase(_) => Vec::new(),
    }
}

fn waves(body: &Body) -> Vec<Wave> {
    let mut waves: Vec<Wave> = Vec::new();
    for (node, level) in body.nodes.iter().zip(levels(body)) {
        while waves.len() <= level {
            waves.push(Wave { steps: Vec::new() });
        }
        if let Some(wave) = waves.get_mut(level) {
            wave.steps.push(waiting(body, node));
        }
    }
    waves
}

/// For each node the length of the longest chain before it.
fn levels(body: &Body) -> Vec<usize> {
    let mut left: Vec<usize> = body.nodes.iter().map(|node| node.parents.len()).collect();
    let mut levels = vec![0; body.nodes.len()];
    let mut ready: Vec<usize> = (0..left.len())
        .filter(|index| left.get(*index) == Some(&0))
        .collect();
    while let Some(index) = ready.pop() {
        let next = levels.get(index).copied().unwrap_or_default() + 1;
        for child in body
            .nodes
            .get(index)
            .into_iter()
            .flat_map(|node| &node.children)
        {
            let child = *child as usize;
            if let (Some(left), Some(level)) = (left.get_mut(child), levels.get_mut(child)) {
                *left = left.saturating_sub(1);
                *level = next.max(*level);
                if *left == 0 {
                    ready.push(child);
                }
            }
        }
    }
    levels
}

fn waiting(body: &Body, node: &Node) -> Waiting {
    let named = |data: bool| {
        let parents = node
            .parents
            .iter()
            .filter(move |parent| parent.data == data);
        parents
            .filter_map(|parent| body.nodes.get(parent.node as usize))
            .map(|parent| parent.step.to_string())
            .collect()
    };
    Waiting {
        step: node.step.to_string(),
        reads: named(true),
        after: named(false),
    }
}

fn turns(body: &Body) -> Vec<Route> {
    let of = |node: &Node| -> Vec<Route> {
        let turn = |edge: &crate::dag::BoundEdge| {
            let to = body.nodes.get(edge.to as usize)?.step.to_string();
            let when = edge.when.as_ref().map(|when| clip::line(when.form.text()));
            Some(Route {
                from: node.step.to_string(),
                to,
                when,
            })
        };
        node.edges.iter().filter_map(turn).collect()
    };
    body.nodes.iter().flat_map(of).collect()
}
