//! `holloway runs resume`: go on with a run where its journal ends.

use clap::Args;
use holloway_engine::entry::RunId;
use holloway_engine::event::Event;
use holloway_flow::prepare::Ready;
use holloway_flow::stored_plan::StoredPlan;
use holloway_store::{Message, Store};

use super::control::refuse_ended;
use super::history::{self, History};
use crate::arguments::{Manner, Reach};
use crate::carry::{Carrier, Ending};
use crate::commands::ask::lesson::Lesson;
use crate::commands::run::{command_line, keep_to_retention};
use crate::config::{Config, Settings};
use crate::error::{CliError, Exit};
use crate::session::Session;
use crate::terms::{self, Terms};
use crate::workbench::Workbench;
use crate::{run_name, secret_inputs};

/// Go on with a paused or interrupted run
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
    /// Allow what is open and every call to come; nothing more is asked but what a plan always asks,
    /// sensitive places, and calls that may have happened
    #[arg(long, short)]
    yes: bool,
    /// When only approvals are left to wait for, pause and exit; so it is where nobody can be
    /// asked, without a terminal or with --json
    #[arg(long)]
    no_wait: bool,
    /// Wait for approvals that somebody gives elsewhere
    #[arg(long, conflicts_with = "no_wait")]
    wait: bool,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let summary = run_name::find(&arguments.run, session)?;
    refuse_ended(&summary)?;
    let run = summary.run;
    let store = session.store()?;
    let stored = store.plan_of(&run)?;
    let terms = Terms::of_stored(&stored);
    let configured = configured(&terms, session)?;
    let (granted, mut lost) = terms.held(&configured.grants);
    let workbench = Workbench::for_stored_plan(&stored, &granted, &arguments.reach, session)?;
    let claim = store.claim(&run, &command_line())?;
    let (machine, plan) = history::machine(&run, &workbench, session)?;
    let secrets = secret_inputs::recalled(&run, &plan, &workbench.table, session)?;
    forget_pauses(&run, store)?;
    let asked = StoredPlan::asked_in(&stored);
    let began_with = History::read(&run, store)?;
    let began_with = began_with.start().map(|start| start.options.approvals);
    let (approvals, stricter) =
        terms.approvals(began_with.unwrap_or_default(), configured.approvals);
    lost.extend(stricter);
    terms::tell(&run, &lost, &workbench, session);
    let lesson = asked
        .as_ref()
        .map(|asked| Lesson::of(&run, asked, &plan, machine.state().options.dry_run))
        .transpose()?;
    let carrier = Carrier {
        run: run.clone(),
        store,
        workbench: &workbench,
        secrets,
        manner: &Manner {
            yes: arguments.yes,
            no_wait: arguments.no_wait,
            wait: arguments.wait,
            quiet: arguments.quiet,
        },
        json: session.json,
        verbose: session.verbose,
        ending: match asked {
            Some(_) => Ending::Answer,
            None => Ending::Result,
        },
        resumed: true,
        claim,
    };
    let first = Event::Resume {
        by: "user".to_owned(),
        fresh: true,
        approvals: (approvals != machine.state().options.approvals).then_some(approvals),
        all_allowed: arguments.yes && !machine.state().all_allowed,
    };
    let ended = carrier.carry_out(Ready {
        machine,
        first,
        plan,
    })?;
    keep_to_retention(run, arguments.quiet, session);
    if let Some(lesson) = lesson {
        lesson.learn(ended, arguments.quiet, None, session)?;
    }
    Ok(ended.exit)
}

/// What is configured now where the run began; here, if that is not known or gone.
fn configured(terms: &Terms, session: &Session) -> Result<Settings, CliError> {
    let here = &session.config()?.settings;
    match terms.folder().filter(|folder| *folder != session.folder) {
        Some(folder) => Ok(Config::load(folder)?.settings),
        None => Ok(here.clone()),
    }
}

/// A wish to pause that came too late must not stop the run again.
fn forget_pauses(run: &RunId, store: &Store) -> Result<(), CliError> {
    let messages = store.take(run, 0)?;
    let pauses: Vec<i64> = messages
        .into_iter()
        .filter(|(_, message)| matches!(message, Message::Pause { .. }))
        .map(|(id, _)| id)
        .collect();
    Ok(store.mark_taken(&pauses)?)
}
