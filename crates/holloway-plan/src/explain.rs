//! What will this plan do? The same answer in four forms: text for a terminal,
//! data for a program, a Mermaid flowchart and a Graphviz drawing.

use serde::Serialize;

use crate::dag::Dag;
use crate::draft::{Budget, Execution, Mode};
use crate::estimate::{Estimate, estimate};
use crate::plan::Plan;
use crate::rewrite::{self, Change};

mod clip;
mod dot;
mod mermaid;
mod order;
mod picture;
mod steps;
mod text;

pub use dot::dot;
pub use mermaid::mermaid;
pub use order::{ListOrder, Route, Waiting, Wave};
pub use steps::{Detail, Inside, StepView};

/// Everything there is to say about a plan before it runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    pub plan: Header,
    pub steps: Vec<StepView>,
    /// In which order the steps of each list run.
    pub order: Vec<ListOrder>,
    pub estimate: Estimate,
    /// What the rewrite rules would change.
    pub rewrites: Vec<Change>,
}

/// What the plan says about itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Header {
    pub id: String,
    pub version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    pub execution: Execution,
    pub mode: Mode,
    /// The fields of the plan's input, each with its type.
    pub input: Vec<String>,
    pub budget: Budget,
}

/// The explanation as data.
pub fn json(plan: &Plan, dag: &Dag) -> Explanation {
    Explanation {
        plan: header(plan),
        steps: steps::of_list(plan, plan.steps(), ""),
        order: order::of_dag(dag),
        estimate: estimate(plan, dag),
        rewrites: rewrite::optimise(plan).1,
    }
}

/// The explanation as text for people.
pub fn text(plan: &Plan, dag: &Dag) -> String {
    text::render(&json(plan, dag))
}

fn header(plan: &Plan) -> Header {
    let draft = plan.draft();
    Header {
        id: plan.id(),
        version: plan.version().to_owned(),
        objective: draft.objective.clone(),
        execution: draft.execution,
        mode: draft.mode,
        input: draft
            .input
            .as_ref()
            .map(clip::fields_of_schema)
            .unwrap_or_default(),
        budget: draft.budget,
    }
}
