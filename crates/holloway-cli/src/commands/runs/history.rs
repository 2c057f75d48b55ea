//! What is known of a run that this process does not carry out? Its entries, and what follows
//! from them. Large values are not fetched: entries have their size and their beginning.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::entry::{Entry, EntryKind, ExecutionStart, RunId, Stored};
use holloway_engine::machine::Machine;
use holloway_engine::trace::{ExecTrace, Tracer};
use holloway_flow::prepare::replayed;
use holloway_flow::reuse::results_before;
use holloway_flow::run_store::RunStore;
use holloway_plan::compile::compile;
use holloway_plan::plan::Plan;
use holloway_store::Store;
use serde_json::Value;

use crate::arguments::Reach;
use crate::error::CliError;
use crate::print::units;
use crate::session::Session;
use crate::workbench::Workbench;

/// The entries of a run.
pub(crate) struct History {
    pub(crate) entries: Vec<Entry>,
}

impl History {
    pub(crate) fn read(run: &RunId, store: &Store) -> Result<Self, CliError> {
        let entries = store.entries(run, 0)?;
        Ok(Self { entries })
    }

    /// How many bytes of results are kept outside of the entries.
    pub(crate) fn kept_bytes(&self) -> u64 {
        let kept = self.entries.iter().map(|entry| match &entry.kind {
            EntryKind::StepComplete {
                output: Stored::Blob { bytes, .. },
                ..
            } => *bytes,
            _ => 0,
        });
        kept.sum()
    }

    pub(crate) fn start(&self) -> Option<&ExecutionStart> {
        match self.entries.first().map(|entry| &entry.kind) {
            Some(EntryKind::ExecutionStart(start)) => Some(start),
            _ => None,
        }
    }

    /// What each node did.
    pub(crate) fn trace(&self, run: &RunId, store: &Store) -> Result<ExecTrace, CliError> {
        let plan = store.plan_of(run)?;
        let mode = plan
            .pointer("/plan/execution")
            .and_then(Value::as_str)
            .unwrap_or("dag");
        Ok(Tracer::of(mode, &self.entries))
    }

    /// Results a new run of `plan` can take over.
    pub(crate) fn results_before(
        &self,
        plan: &Plan,
        step: Option<&str>,
        session: &Session,
    ) -> Result<BTreeMap<String, Stored>, CliError> {
        let dag = compile(plan, &[], &session.limits).map_err(|error| {
            CliError::failed("internal", error.to_string())
                .hint("this is a mistake in Holloway; please report it with the plan")
        })?;
        Ok(results_before(&dag, &self.entries, step)?)
    }
}

/// A value in a trace, as people read it: of a large one the beginning and the size.
pub(super) fn brief(value: &Value) -> String {
    let kept = serde_json::from_value::<Stored>(value.clone());
    match kept {
        Ok(Stored::Blob { bytes, preview, .. }) => {
            format!("({}) {preview}…", units::bytes(bytes))
        }
        _ => value.to_string(),
    }
}

/// The tools a stored run needs, reaching what configuration and flags grant now.
pub(super) fn workbench_for(
    run: &RunId,
    reach: &Reach,
    session: &Session,
) -> Result<Workbench, CliError> {
    let stored = session.store()?.plan_of(run)?;
    let granted = &session.config()?.settings.grants;
    Workbench::for_stored_plan(&stored, granted, reach, session)
}

/// The run as a machine again.
pub(crate) fn machine(
    run: &RunId,
    workbench: &Workbench,
    session: &Session,
) -> Result<(Machine, Plan), CliError> {
    let store = session.store()?;
    if store.entries(run, 0)?.is_empty() {
        return Err(CliError::usage(
            "run-empty",
            format!("run {run} never began: its process stopped before the first step"),
        )
        .hint("start the plan anew"));
    }
    let shared: Arc<dyn RunStore> = Arc::new(store.clone());
    Ok(replayed(run, &shared, &workbench.table, &session.limits)?)
}
