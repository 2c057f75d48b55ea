//! `holloway runs delete`: these runs are to leave the store.

use clap::Args;
use serde_json::json;

use crate::error::{CliError, Exit};
use crate::removal::{self, Chosen};
use crate::session::Session;
use crate::{print, run_name};

/// Remove runs from the store, with their results
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    how: How,
}

/// How runs are removed.
#[derive(Debug, Args)]
pub(super) struct How {
    /// Also runs that wait, are paused or were interrupted; never one that a process carries out
    #[arg(long)]
    force: bool,
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let store = session.store()?;
    let mut chosen: Vec<Chosen> = Vec::new();
    for word in &arguments.runs {
        let run = Chosen::of(run_name::find(word, session)?, store)?;
        if !chosen.iter().any(|known| known.run == run.run) {
            chosen.push(run);
        }
    }
    carry_out(&chosen, &arguments.how, session)
}

/// Removes the runs, or says what would be removed. All of them may go, or none goes.
pub(super) fn carry_out(chosen: &[Chosen], how: &How, session: &Session) -> Result<Exit, CliError> {
    if !how.force {
        chosen.iter().try_for_each(Chosen::refuse_unended)?;
    }
    if how.dry_run {
        return tell_plan(chosen, session);
    }
    let removed = removal::remove(chosen, session.store()?)?;
    if session.json {
        print::object(&removed)?;
    } else {
        print::result(&removed.sentence())?;
        for note in removed.notes() {
            print::note(&note);
        }
    }
    Ok(if removed.busy.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn tell_plan(chosen: &[Chosen], session: &Session) -> Result<Exit, CliError> {
    if session.json {
        print::object(&json!({ "would_remove": chosen }))?;
        return Ok(Exit::Done);
    }
    let mut lines: Vec<String> = chosen
        .iter()
        .map(|run| {
            let plan = print::one_line(&run.plan_id, 40);
            let last = print::units::moment(run.updated_ms);
            format!("{}  {plan}  {}  {last}", run.run, run.word)
        })
        .collect();
    let runs = print::units::count(chosen.len(), "run");
    lines.push(format!("dry run: {runs} would be removed"));
    print::result(&lines.join("\n"))?;
    Ok(Exit::Done)
}
