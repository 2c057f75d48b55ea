//! What did the steps of a run see? Its journal is followed up to each step, and the context is put
//! together once more from the state of that moment.

use std::sync::Arc;

use holloway_engine::context::{Context, Loaded};
use holloway_engine::entry::{EntryKind, NodeRef, RunId};
use holloway_engine::replay::Replay;
use holloway_engine::tokens::Counter;
use holloway_plan::compile::compile;
use holloway_plan::digest;
use holloway_plan::limits::Limits;
use holloway_plan::tool::ToolTable;

use crate::prepare::PrepareError;
use crate::run_store::RunStore;
use crate::stored_plan::StoredPlan;

/// What a step saw.
#[derive(Clone, Debug)]
pub struct Seen {
    pub node: NodeRef,
    pub context: Context,
    pub loaded: Loaded,
    /// Whether it is what the journal has the digest of.
    pub is_same: bool,
}

/// The contexts of the steps with this id or label, in the order of the journal; of all steps where
/// none is named.
pub fn contexts(
    run: &RunId,
    store: &Arc<dyn RunStore>,
    (tools, limits): (&ToolTable, &Limits),
    step: Option<&str>,
    counter: &Counter,
) -> Result<Vec<Seen>, PrepareError> {
    let (plan, stored) = StoredPlan::restore(store.plan_of(run)?, tools, limits)?;
    let names: Vec<&str> = stored.context.iter().map(String::as_str).collect();
    let dag = Arc::new(compile(&plan, &names, limits)?);
    let mut replay = Replay::new(dag, Some(Arc::clone(store) as _))?
        .knowing(stored.knowledge)
        .counting(counter.clone());
    let mut seen = Vec::new();
    for entry in store.entries(run)? {
        replay.take(&entry)?;
        let EntryKind::ContextLoaded { node, loaded } = entry.kind else {
            continue;
        };
        let is_wanted = step.is_none_or(|step| *node.node == *step || *node.step == *step);
        if is_wanted {
            let context = replay.machine().context_of(node.n);
            seen.push(Seen {
                is_same: digest::of_json(&context.text()) == loaded.digest,
                context,
                node,
                loaded: *loaded,
            });
        }
    }
    Ok(seen)
}
