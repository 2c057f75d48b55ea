//! How does a run begin, or begin again? A checked plan and an input become a
//! machine with its first event; so does a journal.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::checks::BadSchema;
use holloway_engine::context::Knowledge;
use holloway_engine::entry::{Entry, EntryKind, ExecutionStart, RunId, Stored};
use holloway_engine::event::Event;
use holloway_engine::machine::Machine;
use holloway_engine::mark::Issued;
use holloway_engine::options::RunOptions;
use holloway_engine::replay::{ReplayError, replay_kept};
use holloway_plan::compile::{CompileError, compile};
use holloway_plan::limits::Limits;
use holloway_plan::needs::needed_inputs;
use holloway_plan::plan::Plan;
use holloway_plan::tool::ToolTable;
use serde_json::Value;

use crate::run_store::{NewRun, RunStore, StoreFailure};
use crate::stored_plan::{Asked, StoredPlan, StoredPlanError};

/// What a new run is made of.
#[derive(Clone, Debug)]
pub struct Order {
    pub run: RunId,
    /// What the plan is given; `input` is its usual only member.
    pub context: Value,
    /// The marks that stand for secrets in the context.
    pub marks: Issued,
    pub options: RunOptions,
    /// Results taken over from another run, by node.
    pub reuse: BTreeMap<String, Stored>,
    pub forked_from: Option<RunId>,
    /// What the tools may reach, in the words of whoever set them up; kept with the plan.
    pub terms: Value,
    /// What it answers, where somebody asked for it in plain words.
    pub asked: Option<Asked>,
    /// What its steps may be shown besides the plan and its results; none to tell no contexts.
    pub knowledge: Option<Arc<Knowledge>>,
}

/// A run that can be carried out.
pub struct Ready {
    pub machine: Machine,
    pub first: Event,
    pub plan: Plan,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Schema(#[from] BadSchema),
    #[error("the plan needs the input {}", .0.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    MissingInput(Vec<String>),
    #[error(transparent)]
    Store(#[from] StoreFailure),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("the plan or a tool it calls is not what it was when the run began")]
    PlanChanged,
    #[error(transparent)]
    Plan(#[from] StoredPlanError),
}

/// Enters a new run into the store.
pub fn new_run(
    plan: Plan,
    order: Order,
    store: &dyn RunStore,
    limits: &Limits,
    now_ms: u64,
) -> Result<Ready, PrepareError> {
    require_inputs(&plan, &order.context)?;
    let given = order.context.as_object();
    let names: Vec<&str> = given
        .into_iter()
        .flat_map(|fields| fields.keys())
        .map(String::as_str)
        .collect();
    let names: Vec<&str> = names.into_iter().filter(|name| *name != "input").collect();
    let dag = Arc::new(compile(&plan, &names, limits)?);
    let mut machine = Machine::new(dag)?;
    machine.know(order.knowledge.clone());
    store.create(NewRun {
        run: order.run.clone(),
        plan_id: plan.id(),
        plan_version: plan.version().to_owned(),
        objective: plan.draft().objective.clone(),
        plan: StoredPlan {
            asked: order.asked,
            knowledge: order.knowledge,
            ..StoredPlan::of(&plan, &names, order.terms)
        }
        .to_value(),
        created_ms: now_ms,
        forked_from: order.forked_from,
    })?;
    let start = ExecutionStart {
        run: order.run,
        plan_id: plan.id(),
        plan_version: plan.version().to_owned(),
        context: Arc::new(order.context),
        options: order.options,
        reuse: order.reuse,
        marks: order.marks,
    };
    Ok(Ready {
        machine,
        first: Event::Start(Box::new(start)),
        plan,
    })
}

/// Refuses to start a run that would fail for want of an input.
fn require_inputs(plan: &Plan, context: &Value) -> Result<(), PrepareError> {
    let given = context.get("input");
    let is_missing = |name: &String| given.is_none_or(|input| input.get(name).is_none());
    let missing: Vec<String> = needed_inputs(plan.draft())
        .into_keys()
        .filter(is_missing)
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(PrepareError::MissingInput(missing))
    }
}

/// Brings a run back to where its journal ends.
pub fn replayed(
    run: &RunId,
    store: &Arc<dyn RunStore>,
    tools: &ToolTable,
    limits: &Limits,
) -> Result<(Machine, Plan), PrepareError> {
    let (plan, stored) = StoredPlan::restore(store.plan_of(run)?, tools, limits)?;
    let names: Vec<&str> = stored.context.iter().map(String::as_str).collect();
    let dag = Arc::new(compile(&plan, &names, limits)?);
    let entries = store.entries(run)?;
    refuse_changed(&plan, &entries)?;
    Ok((
        replay_kept(dag, stored.knowledge, &entries, Arc::clone(store) as _)?,
        plan,
    ))
}

/// Approvals and results belong to one version of the plan and its tools.
fn refuse_changed(plan: &Plan, entries: &[Entry]) -> Result<(), PrepareError> {
    match entries.first().map(|entry| &entry.kind) {
        Some(EntryKind::ExecutionStart(start)) if start.plan_version != plan.version() => {
            Err(PrepareError::PlanChanged)
        }
        _ => Ok(()),
    }
}
