//! Which results can a new run take over from an old one? Those of the plan's
//! own steps that do not come after the step to start from.

use std::collections::BTreeMap;

use holloway_engine::entry::{Entry, EntryKind, Origin, Stored};
use holloway_plan::dag::{BodyId, Dag};
use holloway_plan::draft::Execution;

/// Why a run cannot be forked at a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReuseError {
    #[error("the plan has no step `{wanted}` of its own; it has {known}")]
    NoSuchStep { wanted: String, known: String },
    #[error("a graph plan has no fixed order, so it cannot be forked at a step")]
    Graph,
    #[error("the run was a dry run; its results are made up")]
    DryRun,
}

/// The results to take over when starting from `step`; all of them without one.
pub fn results_before(
    dag: &Dag,
    entries: &[Entry],
    step: Option<&str>,
) -> Result<BTreeMap<String, Stored>, ReuseError> {
    let again = match step {
        Some(step) => steps_from(dag, step)?,
        None => Vec::new(),
    };
    let mut results = BTreeMap::new();
    for entry in entries {
        match &entry.kind {
            EntryKind::ExecutionStart(start) if start.options.dry_run => {
                return Err(ReuseError::DryRun);
            }
            EntryKind::ExecutionStart(start) => results.extend(start.reuse.clone()),
            // What a person said was said about that run; this one asks again.
            EntryKind::StepComplete {
                origin: Origin::Person,
                ..
            } => {}
            EntryKind::StepComplete { node, output, .. } => {
                results.insert(node.node.to_string(), output.clone());
            }
            _ => {}
        }
    }
    let own = dag
        .body(BodyId::TOP)
        .map(|body| body.nodes.as_slice())
        .unwrap_or_default();
    let kept = |name: &str| {
        own.iter().any(|node| &*node.step == name) && !again.iter().any(|step| step == name)
    };
    results.retain(|name, _| kept(name));
    Ok(results)
}

/// The step and all that come after it.
fn steps_from(dag: &Dag, step: &str) -> Result<Vec<String>, ReuseError> {
    if dag.execution() == Execution::Graph {
        return Err(ReuseError::Graph);
    }
    let nodes = dag
        .body(BodyId::TOP)
        .map(|body| body.nodes.as_slice())
        .unwrap_or_default();
    let Some(first) = nodes.iter().position(|node| &*node.step == step) else {
        let known: Vec<&str> = nodes.iter().take(20).map(|node| &*node.step).collect();
        return Err(ReuseError::NoSuchStep {
            wanted: step.to_owned(),
            known: known.join(", "),
        });
    };
    let mut reached = vec![false; nodes.len()];
    let mut open = vec![first];
    while let Some(index) = open.pop() {
        let Some(seen) = reached.get_mut(index) else {
            continue;
        };
        if std::mem::replace(seen, true) {
            continue;
        }
        open.extend(
            nodes
                .get(index)
                .into_iter()
                .flat_map(|node| node.children.iter().map(|child| *child as usize)),
        );
    }
    Ok(nodes
        .iter()
        .zip(reached)
        .filter(|(_, reached)| *reached)
        .map(|(node, _)| node.step.to_string())
        .collect())
}
