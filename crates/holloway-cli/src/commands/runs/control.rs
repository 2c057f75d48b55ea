//! `holloway runs pause` and `cancel`: what is to become of a run that another
//! process carries out, or nobody?

use clap::Args;
use holloway_engine::event::Event;
use holloway_flow::prepare::Ready;
use holloway_store::{Message, RunSummary};
use holloway_tools::secrets::given::GivenSecrets;
use serde_json::json;

use super::history;
use crate::arguments::{Manner, Reach};
use crate::carry::{Carrier, Ending};
use crate::commands::run::command_line;
use crate::error::{CliError, Exit};
use crate::session::Session;
use crate::{print, run_name};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
}

pub(super) fn pause(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let summary = run_name::find(&arguments.run, session)?;
    refuse_ended(&summary)?;
    let run = &summary.run;
    let store = session.store()?;
    let Some(owner) = store.owner(run)? else {
        return Err(CliError::usage(
            "run-idle",
            format!("run {run} is not running: no process carries it out"),
        )
        .hint(format!(
            "go on with `holloway runs resume {run}`, or end it with `holloway runs cancel {run}`"
        )));
    };
    store.post(
        run,
        &Message::Pause {
            by: "user".to_owned(),
        },
    )?;
    say(
        "pause",
        &format!("asked process {} to pause run {run}", owner.pid),
        &summary,
        session,
    )
}

pub(super) fn cancel(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let summary = run_name::find(&arguments.run, session)?;
    refuse_ended(&summary)?;
    let run = &summary.run;
    let store = session.store()?;
    if let Some(owner) = store.owner(run)? {
        store.post(
            run,
            &Message::Cancel {
                by: "user".to_owned(),
            },
        )?;
        return say(
            "cancel",
            &format!("asked process {} to cancel run {run}", owner.pid),
            &summary,
            session,
        );
    }
    end_here(&summary, session)?;
    say(
        "cancelled",
        &format!("cancelled run {run}"),
        &summary,
        session,
    )
}

/// Nobody carries the run out, so this process does, only to end it.
fn end_here(summary: &RunSummary, session: &Session) -> Result<(), CliError> {
    let run = summary.run.clone();
    let store = session.store()?;
    let workbench = history::workbench_for(&run, &Reach::default(), session)?;
    let claim = store.claim(&run, &command_line())?;
    let (machine, plan) = history::machine(&run, &workbench, session)?;
    let carrier = Carrier {
        run,
        store,
        workbench: &workbench,
        secrets: GivenSecrets::default(),
        manner: &Manner {
            quiet: true,
            ..Manner::default()
        },
        json: session.json,
        verbose: session.verbose,
        ending: Ending::Result,
        resumed: true,
        claim,
    };
    let first = Event::Cancel {
        by: "user".to_owned(),
    };
    carrier.end(Ready {
        machine,
        first,
        plan,
    })
}

/// A run that is over stays as it is.
pub(super) fn refuse_ended(summary: &RunSummary) -> Result<(), CliError> {
    if !summary.status.is_end() {
        return Ok(());
    }
    let message = format!("run {} is over: {}", summary.run, summary.status.as_str());
    Err(CliError::usage("run-ended", message).hint(format!(
        "`holloway runs fork {}` starts another one from its results",
        summary.run
    )))
}

fn say(
    word: &str,
    sentence: &str,
    summary: &RunSummary,
    session: &Session,
) -> Result<Exit, CliError> {
    if session.json {
        print::object(&json!({"run": summary.run, "done": word}))?;
    } else {
        print::result(sentence)?;
    }
    Ok(Exit::Done)
}
