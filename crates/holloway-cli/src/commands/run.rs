//! `holloway run`: a plan becomes a durable run. Read, check, enter into the
//! store, claim, carry out.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use holloway_engine::checks::{misfit, with_defaults};
use holloway_engine::context::Knowledge;
use holloway_engine::entry::{ExecutionStart, RunId, Stored};
use holloway_engine::mark::Issued;
use holloway_engine::options::RunOptions;
use holloway_flow::discreet;
use holloway_flow::knowledge::{Surroundings, knowledge};
use holloway_flow::prepare::{Order, new_run};
use holloway_flow::reuse::refuse_changed;
use holloway_plan::plan::Plan;
use holloway_plan::rewrite;
use holloway_plan::tool::{ToolSpec, full_schema};
use holloway_store::{RunFilter, RunSummary};
use holloway_tools::secrets::given::GivenSecrets;
use serde_json::{Value, json};

use super::ask::{cancelled, inputs};
use super::memory::past_runs;
use super::runs::history::History;
use crate::arguments::{Given, Manner, Reach};
use crate::carry::interrupts::Interrupts;
use crate::carry::{Carrier, Ended, Ending};
use crate::error::{CliError, Exit};
use crate::model::counter;
use crate::plan_text::PlanText;
use crate::schema_check::complaint;
use crate::session::{Session, now_ms};
use crate::skill_library::skills;
use crate::workbench::Workbench;
use crate::{input, print, removal, run_name, secret_inputs};

/// Run a plan
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A file, `-`, or the name of a saved plan or template
    plan: String,
    #[command(flatten)]
    given: Given,
    /// Call nothing that writes; show what would be called
    #[arg(long)]
    dry_run: bool,
    /// Start at this step, with earlier results from the newest run of the same plan
    #[arg(long, value_name = "STEP")]
    from: Option<String>,
    /// Apply the rewrite rules first
    #[arg(long)]
    optimize: bool,
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    reach: Reach,
}

/// Terms that go over the configured ones.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Terms {
    /// Calls in flight at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Retries for steps that do not say
    #[arg(long, value_name = "N")]
    max_retries: Option<u32>,
    /// Time limit for steps that do not say
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    timeout_ms: Option<u64>,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&arguments.reach)?;
    let plan = checked_plan(arguments, &workbench, session)?;
    let before = before(arguments, &plan, session)?;
    let base = before.input.unwrap_or_else(|| json!({}));
    let known = base.clone();
    let input = input::read(&arguments.given, base, &session.folder, &session.limits)?;
    inputs::refuse_untaken(&plan, &input, &known)?;
    let Some(input) = complete(&plan, input, session)? else {
        return cancelled(session);
    };
    let order = Order {
        run: run_name::new(now_ms())?,
        context: json!({ "input": input }),
        marks: before.marks,
        options: options(
            &arguments.terms,
            &arguments.manner,
            arguments.dry_run,
            session,
        )?,
        reuse: before.results,
        forked_from: before.run,
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

/// What is missing is asked for where somebody can be; nothing when they stop.
fn complete(plan: &Plan, input: Value, session: &Session) -> Result<Option<Value>, CliError> {
    if !inputs::can_ask(session) {
        return Ok(Some(input));
    }
    Ok(inputs::asked_for(plan, input, &Interrupts::listen()?))
}

/// Enters a run into the store and carries it out.
pub(super) fn begin(
    plan: Plan,
    mut order: Order,
    workbench: &Workbench,
    manner: &Manner,
    ending: Ending,
    session: &Session,
) -> Result<Ended, CliError> {
    let secrets = secret_inputs::taken_out(&plan, &mut order.context, &order.marks, session)?;
    order.marks = secrets.issued();
    refuse_misfit(&plan, &order.context, &secrets)?;
    if order.options.memoize || remembers(&plan) {
        order.options.memory_scope = workbench.memory_scope();
    }
    if session.config()?.settings.context.told {
        order.knowledge = Some(Arc::new(known_beside(&plan, workbench, session)?));
    }
    let store = session.store()?;
    let run = order.run.clone();
    // Claimed before it is entered, so that nobody finds it without an owner.
    let claim = store.claim(&run, &command_line())?;
    let ready = new_run(plan, order, store, &session.limits, now_ms())?;
    let carrier = Carrier {
        run,
        store,
        workbench,
        secrets,
        manner,
        json: session.json,
        verbose: session.verbose,
        ending,
        resumed: false,
        claim,
    };
    let run = carrier.run.clone();
    let ended = carrier.carry_out(ready)?;
    keep_to_retention(run, manner.quiet, session);
    Ok(ended)
}

/// A run has ended well or not whatever becomes of older ones.
pub(super) fn keep_to_retention(run: RunId, quiet: bool, session: &Session) {
    if let Err(error) = removal::keep_to_retention(run, session)
        && !quiet
    {
        print::note(&format!(
            "older runs could not be removed: {}",
            error.sentence()
        ));
    }
}

/// What the steps of a plan may be shown besides the plan and its results.
fn known_beside(
    plan: &Plan,
    workbench: &Workbench,
    session: &Session,
) -> Result<Knowledge, CliError> {
    let settings = session.config()?.settings.context;
    let skills = skills(session)?;
    let past = past_runs(session)?;
    let catalogue: Vec<&ToolSpec> = workbench.table.iter().map(|tool| &**tool).collect();
    let around = Surroundings {
        skills: &skills,
        past: &past,
        catalogue: &catalogue,
        threshold: settings.threshold,
        budget: settings.tokens,
    };
    Ok(knowledge(plan, &around, &counter()))
}

/// Whether a step asks for remembered results.
fn remembers(plan: &Plan) -> bool {
    let mut found = false;
    plan.draft().walk(&mut |step| found |= step.cache.is_some());
    found
}

/// An input the plan does not take is a mistake of the command, not of the run.
fn refuse_misfit(plan: &Plan, context: &Value, secrets: &GivenSecrets) -> Result<(), CliError> {
    let Some(schema) = plan.draft().input.clone().map(full_schema) else {
        return Ok(());
    };
    let input = Arc::new(context.get("input").cloned().unwrap_or_default());
    let mut input = with_defaults(&input, Some(&schema));
    let plain = complaint(&schema, &input, &secrets.issued());
    // What is said about secrets does not repeat them.
    let all = plain.or_else(|| {
        secrets.reveal(Arc::make_mut(&mut input));
        misfit(Some(&schema), &input, &Issued::new())
    });
    match all {
        None => Ok(()),
        Some(complaint) => Err(CliError::usage(
            "input-invalid",
            format!("the plan does not take this input: {complaint}"),
        )
        .hint("set fields with `--input name=value`; `holloway explain PLAN` shows what it takes")),
    }
}

/// What others see as the owner of the run; values may be secret, so only the words.
pub(super) fn command_line() -> String {
    let words = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .take_while(|word| !word.starts_with('-'));
    let words: Vec<String> = std::iter::once("holloway".to_owned())
        .chain(words.take(3))
        .collect();
    discreet::briefly(&words.join(" "))
}

fn checked_plan(
    arguments: &Arguments,
    workbench: &Workbench,
    session: &Session,
) -> Result<Plan, CliError> {
    let plan = PlanText::find(&arguments.plan, session)?.check(&workbench.table, session)?;
    if !arguments.optimize {
        return Ok(plan);
    }
    let (plan, changes) = rewrite::optimise(&plan);
    if !session.json && !arguments.manner.quiet {
        for change in changes {
            print::note(&format!("optimized: {}", change.sentence));
        }
    }
    Ok(plan)
}

/// The configured terms with those of the command on top.
pub(super) fn options(
    terms: &Terms,
    manner: &Manner,
    dry_run: bool,
    session: &Session,
) -> Result<RunOptions, CliError> {
    let mut options = session.config()?.settings.options();
    options.concurrency = terms.concurrency.map_or(options.concurrency, usize::from);
    options.max_retries = terms.max_retries.unwrap_or(options.max_retries);
    options.default_timeout_ms = terms.timeout_ms.unwrap_or(options.default_timeout_ms);
    options.dry_run = dry_run;
    options.seed = run_name::random()?;
    options.approvals = manner.policy(options.approvals);
    Ok(options)
}

/// What is taken over from an earlier run.
#[derive(Default)]
struct Before {
    run: Option<RunId>,
    input: Option<Value>,
    /// The marks that may stand in the input.
    marks: Issued,
    results: BTreeMap<String, Stored>,
}

fn before(arguments: &Arguments, plan: &Plan, session: &Session) -> Result<Before, CliError> {
    let Some(step) = &arguments.from else {
        return Ok(Before::default());
    };
    let (summary, history, start) = newest_run(plan, session)?;
    let input = arguments
        .given
        .is_empty()
        .then(|| start.context.get("input").cloned());
    let results = history.results_before(plan, Some(step), session)?;
    let stored = session.store()?.plan_of(&summary.run)?;
    refuse_changed(plan, &summary.run, &stored, &results)?;
    Ok(Before {
        results,
        run: Some(summary.run),
        input: input.flatten(),
        marks: start.marks,
    })
}

/// The newest run of the plan whose results are real.
fn newest_run(
    plan: &Plan,
    session: &Session,
) -> Result<(RunSummary, History, ExecutionStart), CliError> {
    let store = session.store()?;
    let filter = RunFilter {
        plan_id: Some(plan.id()),
        ..RunFilter::default()
    };
    for summary in store.runs(&filter)? {
        let history = History::read(&summary.run, store)?;
        match history.start() {
            Some(start) if !start.options.dry_run => {
                let start = start.clone();
                return Ok((summary, history, start));
            }
            _ => {}
        }
    }
    Err(CliError::usage(
        "run-unknown",
        format!("there is no earlier run of the plan `{}`", plan.id()),
    )
    .hint("run it once without --from; a plan keeps its name by its `id`"))
}
