//! How long do the nodes of a DAG take, one after the other and along the longest
//! chain? A branch counts as its slower side, a cycle as one round.

use serde::Serialize;

use super::{Lasts, UNKNOWN_LATENCY_MS, USUAL_CONCURRENCY};
use crate::dag::{Body, BodyId, Dag, Flow, Node, ToolIndex, Work};
use crate::template::Template;

/// A step on the critical path, with the critical path inside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriticalStep {
    pub step: String,
    pub ms: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<CriticalStep>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) calls: u64,
    pub(super) sum_ms: u64,
    pub(super) critical_ms: u64,
    pub(super) price: f64,
}

#[derive(Debug, Default)]
pub(super) struct Timed {
    pub(super) cost: Cost,
    pub(super) path: Vec<CriticalStep>,
    pub(super) assumed_latency: Vec<String>,
    pub(super) assumed_items: Vec<String>,
}

pub(super) fn of_dag(dag: &Dag, lasts: &Lasts<'_>) -> Timed {
    let mut clock = Clock {
        dag,
        lasts,
        latency: Vec::new(),
        items: Vec::new(),
    };
    let (cost, path) = clock.body(BodyId::TOP);
    Timed {
        cost,
        path,
        assumed_latency: clock.latency,
        assumed_items: clock.items,
    }
}

/// Adds up figures and keeps what it had to assume.
struct Clock<'a> {
    dag: &'a Dag,
    lasts: &'a Lasts<'a>,
    latency: Vec<String>,
    items: Vec<String>,
}

type Measured = (Cost, Vec<CriticalStep>);

impl Clock<'_> {
    fn body(&mut self, id: BodyId) -> Measured {
        let Some(body) = self.dag.body(id) else {
            return Measured::default();
        };
        let nodes: Vec<Measured> = body.nodes.iter().map(|node| self.node(node)).collect();
        let mut cost = Cost::default();
        for (own, _) in &nodes {
            cost.calls += own.calls;
            cost.sum_ms = cost.sum_ms.saturating_add(own.sum_ms);
            cost.price += own.price;
        }
        let lengths: Vec<u64> = nodes.iter().map(|(own, _)| own.critical_ms).collect();
        let (critical_ms, path) = longest(body, &lengths);
        cost.critical_ms = critical_ms;
        let step = |index: usize| {
            let (own, inside) = nodes.get(index)?;
            let step = body.nodes.get(index)?.step.to_string();
            Some(CriticalStep {
                step,
                ms: own.critical_ms,
                inside: inside.clone(),
            })
        };
        (cost, path.into_iter().filter_map(step).collect())
    }

    fn node(&mut self, node: &Node) -> Measured {
        match &node.work {
            Work::Call { tools, .. } => (self.call(tools.first().copied()), Vec::new()),
            Work::Each {
                over,
                body,
                concurrency,
                ..
            } => {
                let items = self.items(node, &over.form);
                let (one, path) = self.body(*body);
                (
                    repeated(one, items, concurrency.unwrap_or(USUAL_CONCURRENCY)),
                    path,
                )
            }
            Work::Group { body, concurrency } => {
                let (mut cost, path) = self.body(*body);
                let at_once = concurrency.map_or(u64::MAX, |limit| limit.max(1) as u64);
                // Fewer hands than work: the critical path alone would promise too much.
                cost.critical_ms = cost.critical_ms.max(cost.sum_ms / at_once);
                (cost, path)
            }
            Work::Branch {
                then, otherwise, ..
            } => {
                let (then, otherwise) = (self.body(*then), self.body(*otherwise));
                if otherwise.0.critical_ms > then.0.critical_ms {
                    otherwise
                } else {
                    then
                }
            }
            Work::Plan { body, .. } => self.body(*body),
            // How long a person takes is no property of the plan.
            Work::Approve { .. } => Measured::default(),
            Work::Phase(_) => (self.call(None), Vec::new()),
        }
    }

    fn call(&mut self, tool: Option<ToolIndex>) -> Cost {
        let tool = tool.and_then(|index| self.dag.tools().get(index.0 as usize));
        let declared = tool.and_then(|tool| (self.lasts)(tool));
        if let (Some(tool), None) = (tool, declared) {
            note(&mut self.latency, tool.id.as_str());
        }
        let ms = declared.unwrap_or(UNKNOWN_LATENCY_MS);
        let price = tool.and_then(|tool| tool.price).unwrap_or_default();
        Cost {
            calls: 1,
            sum_ms: ms,
            critical_ms: ms,
            price,
        }
    }

    fn items(&mut self, node: &Node, over: &Template) -> u64 {
        let known = match over {
            Template::Literal(value) => value.as_array().map(Vec::len),
            Template::List(items) => Some(items.len()),
            _ => None,
        };
        if known.is_none() {
            note(&mut self.items, &node.step);
        }
        known.unwrap_or(1) as u64
    }
}

fn note(list: &mut Vec<String>, name: &str) {
    if !list.iter().any(|known| known == name) {
        list.push(name.to_owned());
    }
}

fn repeated(one: Cost, items: u64, at_once: usize) -> Cost {
    Cost {
        calls: one.calls.saturating_mul(items),
        sum_ms: one.sum_ms.saturating_mul(items),
        critical_ms: one
            .critical_ms
            .saturating_mul(items.div_ceil(at_once.max(1) as u64)),
        price: one.price * items as f64,
    }
}

/// The length of the longest chain through a body, and the nodes on it.
fn longest(body: &Body, lengths: &[u64]) -> (u64, Vec<usize>) {
    let after = successors(body);
    let mut best: Vec<Option<(u64, Option<usize>)>> = vec![None; lengths.len()];
    for index in order(&after) {
        let own = lengths.get(index).copied().unwrap_or_default();
        let next = after.get(index).into_iter().flatten();
        let reached = next.filter_map(|next| Some((best.get(*next)?.as_ref()?.0, *next)));
        // Of equal chains the one through the first step is shown.
        let farthest = reached.max_by_key(|(ms, next)| (*ms, std::cmp::Reverse(*next)));
        if let Some(slot) = best.get_mut(index) {
            *slot = Some((
                own.saturating_add(farthest.map_or(0, |(ms, _)| ms)),
                farthest.map(|(_, next)| next),
            ));
        }
    }
    let start = |index: usize| {
        best.get(index)
            .copied()
            .flatten()
            .map(|(ms, _)| (ms, std::cmp::Reverse(index)))
    };
    let first = (0..lengths.len()).filter_map(start).max();
    let mut path = Vec::new();
    let mut at = first.map(|(_, std::cmp::Reverse(index))| index);
    while let Some(index) = at {
        path.push(index);
        at = best
            .get(index)
            .copied()
            .flatten()
            .and_then(|(_, next)| next);
    }
    (first.map_or(0, |(ms, _)| ms), path)
}

/// The nodes that follow each node.
fn successors(body: &Body) -> Vec<Vec<usize>> {
    let of = |node: &Node| match body.flow {
        Flow::Waiting => node.children.iter().map(|child| *child as usize).collect(),
        Flow::Guided => Vec::new(),
        Flow::Edges => node.edges.iter().map(|edge| edge.to as usize).collect(),
    };
    body.nodes.iter().map(of).collect()
}

/// Nodes such that what follows a node comes before it; edges that close a cycle do not count.
fn order(after: &[Vec<usize>]) -> Vec<usize> {
    let mut done = Vec::with_capacity(after.len());
    let mut seen = vec![false; after.len()];
    for start in 0..after.len() {
        let mut stack = vec![(start, 0)];
        if seen.get(start).copied().unwrap_or(true) {
            continue;
        }
        while let Some((index, turn)) = stack.pop() {
            if let Some(flag) = seen.get_mut(index) {
                *flag = true;
            }
            match after.get(index).and_then(|next| next.get(turn)) {
                Some(next) => {
                    stack.push((index, turn + 1));
                    if seen.get(*next) == Some(&false) {
                        stack.push((*next, 0));
                    }
                }
                None => done.push(index),
            }
        }
    }
    done
}
