//! `holloway runs fork`: another run of the same plan that takes over results,
//! with a changed input or from a chosen step on. It is a new run: what it may do is what
//! configuration and flags say now, whatever the other one was allowed.

use std::collections::BTreeMap;

use clap::Args;
use holloway_engine::options::RunOptions;
use holloway_flow::prepare::Order;
use holloway_flow::stored_plan::StoredPlan;
use serde_json::{Value, json};

use super::history::{self, History};
use crate::arguments::{Given, Manner, Reach};
use crate::carry::Ending;
use crate::commands::ask::inputs;
use crate::commands::run::begin;
use crate::error::{CliError, Exit};
use crate::session::{Session, now_ms};
use crate::terms::{self, Terms};
use crate::{input, run_name};

/// Start a new run from the results of another
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
    /// Do this step and all that come after it anew; without it, only what has no result
    #[arg(long, value_name = "STEP")]
    from: Option<String>,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let store = session.store()?;
    let original = run_name::find(&arguments.run, session)?.run;
    let workbench = history::workbench_for(&original, &arguments.reach, session)?;
    let stored = store.plan_of(&original)?;
    let terms = Terms::of_stored(&stored).without_flags();
    let plan = StoredPlan::restore_anew(stored, &workbench.table, &session.limits)?;
    let history = History::read(&original, store)?;
    let Some(start) = history.start() else {
        return Err(
            CliError::usage("run-empty", format!("run {original} never began"))
                .hint("start the plan anew"),
        );
    };
    let mut context = Value::clone(&start.context);
    let before = context.get("input").cloned().unwrap_or_else(|| json!({}));
    let known = before.clone();
    let input = input::read(&arguments.given, before, &session.folder, &session.limits)?;
    inputs::refuse_untaken(&plan, &input, &known)?;
    if let Some(fields) = context.as_object_mut() {
        fields.insert("input".to_owned(), input);
    }
    let configured = &session.config()?.settings;
    let (_, lost) = terms.held(&configured.grants);
    terms::tell(&original, &lost, &workbench, session);
    let options = RunOptions {
        seed: run_name::random()?,
        approvals: arguments.manner.policy(configured.approvals),
        ..start.options.clone()
    };
    // With another input and no step to start from, no earlier result can be trusted.
    let is_anew = arguments.from.is_none() && !arguments.given.is_empty();
    let order = Order {
        run: run_name::new(now_ms())?,
        context,
        marks: start.marks.clone(),
        options,
        reuse: if is_anew {
            BTreeMap::new()
        } else {
            history.results_before(&plan, arguments.from.as_deref(), session)?
        },
        forked_from: Some(original),
        terms: workbench.terms(arguments.manner.yes),
        asked: None,
        knowledge: None,
    };
    let ended = begin(
        plan,
        order,
        &workbench,
        &arguments.manner,
        Ending::Result,
        session,
    )?;
    Ok(ended.exit)
}
