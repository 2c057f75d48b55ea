//! Which results can a new run take over from an old one? Those of the plan's
//! own steps that do not come after the step to start from, and that are still
//! what they were. What somebody was asked, the new run asks again.

use std::collections::{BTreeMap, BTreeSet};

use holloway_engine::entry::{Entry, EntryKind, Origin, RunId, Stored};
use holloway_plan::dag::{BodyId, Dag, Work};
use holloway_plan::draft::Execution;
use holloway_plan::plan::Plan;
use holloway_plan::tool::Effect;
use serde_json::Value;

use crate::stored_plan::StoredPlan;

/// Why a run cannot be forked at a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReuseError {
    #[error("the plan has no step `{wanted}` of its own; it has {known}")]
    NoSuchStep { wanted: String, known: String },
    #[error("a graph plan has no fixed order, so it cannot be forked at a step")]
    Graph,
    #[error("the run was a dry run; its results are made up")]
    DryRun,
    #[error("{} of the plan {} not what it was in run {run}, so its result does not count", steps(.changed), if .changed.len() == 1 { "is" } else { "are" })]
    Changed { run: RunId, changed: Vec<String> },
}

fn steps(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let word = if names.len() == 1 { "step" } else { "steps" };
    format!("{word} {}", names.join(", "))
}

/// Refuses results of steps that another plan of the same name had.
pub fn refuse_changed(
    plan: &Plan,
    run: &RunId,
    stored: &Value,
    results: &BTreeMap<String, Stored>,
) -> Result<(), ReuseError> {
    let now = StoredPlan::of(plan, &[], Value::Null).to_value();
    let mut changed: Vec<String> = results.keys().cloned().collect();
    changed.retain(|name| step_of(&now, name) != step_of(stored, name));
    if changed.is_empty() {
        return Ok(());
    }
    let run = run.clone();
    Err(ReuseError::Changed { run, changed })
}

/// A step of a stored plan, with every plan that it may carry out.
fn step_of<'a>(stored: &'a Value, name: &str) -> Option<(&'a Value, Vec<Option<&'a Value>>)> {
    let steps = stored.pointer("/plan/steps")?.as_array()?;
    let step = steps
        .iter()
        .find(|step| step.get("id").and_then(Value::as_str) == Some(name))?;
    let plans = stored.get("plans");
    let mut found = Vec::new();
    let mut open = vec![step];
    let mut seen = BTreeSet::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(name) = fields.get("plan").and_then(Value::as_str)
                    && seen.insert(name)
                {
                    let inner = plans.and_then(|plans| plans.get(name));
                    found.push(inner);
                    open.extend(inner);
                }
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    Some((step, found))
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
        let node = own.iter().find(|node| &*node.step == name);
        node.is_some_and(|node| !only_asks(dag, &node.work))
            && !again.iter().any(|step| step == name)
    };
    results.retain(|name, _| kept(name));
    Ok(results)
}

/// Whether a step asks a person and changes nothing: it can be done again, and is.
fn only_asks(dag: &Dag, work: &Work) -> bool {
    let mut asks = false;
    let changes = changes(dag, work, &mut asks);
    asks && !changes
}

/// Whether a step calls something that changes the world; notes whether it asks a person.
fn changes(dag: &Dag, work: &Work, asks: &mut bool) -> bool {
    let mut inside = |body: BodyId| {
        let nodes = dag.body(body).map(|body| body.nodes.as_slice());
        let nodes = nodes.unwrap_or_default().iter();
        nodes.fold(false, |found, node| changes(dag, &node.work, asks) | found)
    };
    match work {
        Work::Call { tools, .. } => tools.iter().any(|tool| {
            let tool = dag.tools().get(tool.0 as usize);
            tool.is_none_or(|tool| tool.effect != Effect::Read)
        }),
        Work::Each { body, .. } | Work::Group { body, .. } | Work::Plan { body, .. } => {
            inside(*body)
        }
        Work::Branch {
            then, otherwise, ..
        } => inside(*then) | inside(*otherwise),
        Work::Approve { .. } => {
            *asks = true;
            false
        }
        Work::Phase(_) => false,
    }
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
