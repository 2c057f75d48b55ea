//! What is there to draw? A DAG as boxes inside boxes with arrows between them,
//! under names that are safe in any drawing language; labels are escaped there.

use super::clip;
use super::order::bodies_of;
use crate::dag::{Body, BodyId, BoundEdge, Dag, Flow, Node, Work};

/// A drawing of a DAG.
pub(super) struct Picture {
    pub(super) boxes: Vec<Drawn>,
    pub(super) arrows: Vec<Arrow>,
}

/// A step, or a list of steps inside one.
pub(super) struct Drawn {
    /// `n` and numbers, whatever the step is called.
    pub(super) name: String,
    /// Lines of text.
    pub(super) label: Vec<String>,
    pub(super) shape: Shape,
    pub(super) inside: Vec<Drawn>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Call,
    Question,
    Phase,
    /// Holds other boxes.
    Frame,
}

pub(super) struct Arrow {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) label: Option<String>,
    /// Data flows along it; otherwise it only says what comes first.
    pub(super) data: bool,
}

pub(super) fn of_dag(dag: &Dag) -> Picture {
    let mut arrows = Vec::new();
    let boxes = body(dag, BodyId::TOP, "n", &mut arrows);
    Picture { boxes, arrows }
}

fn body(dag: &Dag, id: BodyId, before: &str, arrows: &mut Vec<Arrow>) -> Vec<Drawn> {
    let Some(body) = dag.body(id) else {
        return Vec::new();
    };
    let name = |index: usize| format!("{before}{index}");
    for (index, node) in body.nodes.iter().enumerate() {
        arrows.extend(arrows_of(body, node, &name, index));
    }
    body.nodes
        .iter()
        .enumerate()
        .map(|(index, node)| drawn(dag, node, name(index), arrows))
        .collect()
}

fn arrows_of(body: &Body, node: &Node, name: &dyn Fn(usize) -> String, index: usize) -> Vec<Arrow> {
    let waits = node.parents.iter().map(|parent| Arrow {
        from: name(parent.node as usize),
        to: name(index),
        label: None,
        data: parent.data,
    });
    let turns = node.edges.iter().map(|edge| Arrow {
        from: name(index),
        to: name(edge.to as usize),
        label: Some(turn_label(edge)),
        data: true,
    });
    match body.flow {
        Flow::Waiting => waits.collect(),
        Flow::Edges => turns.collect(),
        Flow::Guided => Vec::new(),
    }
}

fn turn_label(edge: &BoundEdge) -> String {
    edge.when.as_ref().map_or_else(
        || "otherwise".to_owned(),
        |when| clip::line(when.form.text()),
    )
}

fn drawn(dag: &Dag, node: &Node, name: String, arrows: &mut Vec<Arrow>) -> Drawn {
    let mut inside = Vec::new();
    for (number, (branch, id)) in bodies_of(&node.work).into_iter().enumerate() {
        let boxes = body(dag, id, &format!("{name}_{number}_"), arrows);
        match branch {
            _ if boxes.is_empty() => {}
            None => inside.extend(boxes),
            Some(branch) => inside.push(Drawn {
                name: format!("{name}_{number}"),
                label: vec![branch.to_owned()],
                shape: Shape::Frame,
                inside: boxes,
            }),
        }
    }
    Drawn {
        name,
        label: label(dag, node),
        shape: shape(&node.work),
        inside,
    }
}

fn shape(work: &Work) -> Shape {
    match work {
        Work::Call { .. } => Shape::Call,
        Work::Approve { .. } => Shape::Question,
        Work::Phase(_) => Shape::Phase,
        Work::Each { .. } | Work::Group { .. } | Work::Branch { .. } | Work::Plan { .. } => {
            Shape::Frame
        }
    }
}

fn label(dag: &Dag, node: &Node) -> Vec<String> {
    let more = match &node.work {
        Work::Call { tools, .. } => {
            let tool = tools
                .first()
                .and_then(|index| dag.tools().get(index.0 as usize));
            tool.map(|tool| tool.id.to_string())
        }
        Work::Each {
            variable,
            fold: None,
            ..
        } => Some(format!("for each {variable}")),
        Work::Each {
            variable,
            fold: Some(fold),
            ..
        } => Some(format!("fold {variable} into {}", fold.variable)),
        Work::Group { .. } => Some("together".to_owned()),
        Work::Branch { condition, .. } => Some(format!("if {}", clip::line(condition.form.text()))),
        Work::Plan { .. } => Some("another plan".to_owned()),
        Work::Approve { .. } => Some("ask a person".to_owned()),
        Work::Phase(_) => Some("phase".to_owned()),
    };
    let when = node
        .when
        .as_ref()
        .map(|when| format!("when {}", clip::line(when.form.text())));
    std::iter::once(node.step.to_string())
        .chain(more)
        .chain(when)
        .collect()
}
