//! `holloway runs`: what was run, and what is to become of it?

mod answer;
mod context;
mod control;
mod delete;
mod diff;
mod fork;
pub(super) mod history;
mod list;
mod meter;
mod prune;
mod resume;
mod show;
mod trace;
mod tree;
mod watch;

use clap::{Args, Subcommand};

use crate::error::{CliError, Exit};
use crate::session::Session;

/// Look at runs and steer them
#[derive(Debug, Args)]
#[group(skip)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "RUN is the name of a run, the beginning of it, or `last`.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
    #[command(flatten)]
    list: list::Arguments,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(list::Arguments),
    Show(show::Arguments),
    Trace(trace::Arguments),
    Context(context::Arguments),
    Meter(meter::Arguments),
    Watch(watch::Arguments),
    /// Ask the process that carries out a run to pause it
    Pause(control::Arguments),
    /// End a run without finishing it
    Cancel(control::Arguments),
    Resume(resume::Arguments),
    Fork(fork::Arguments),
    Diff(diff::Arguments),
    Approve(answer::Approve),
    Deny(answer::Deny),
    Delete(delete::Arguments),
    Prune(prune::Arguments),
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command.unwrap_or(Action::List(arguments.list)) {
        Action::List(arguments) => list::run(&arguments, session),
        Action::Show(arguments) => show::run(&arguments, session),
        Action::Trace(arguments) => trace::run(&arguments, session),
        Action::Context(arguments) => context::run(&arguments, session),
        Action::Meter(arguments) => meter::run(&arguments, session),
        Action::Watch(arguments) => watch::run(&arguments, session),
        Action::Pause(arguments) => control::pause(&arguments, session),
        Action::Cancel(arguments) => control::cancel(&arguments, session),
        Action::Resume(arguments) => resume::run(&arguments, session),
        Action::Fork(arguments) => fork::run(&arguments, session),
        Action::Diff(arguments) => diff::run(&arguments, session),
        Action::Approve(arguments) => answer::approve(&arguments, session),
        Action::Deny(arguments) => answer::deny(&arguments, session),
        Action::Delete(arguments) => delete::run(&arguments, session),
        Action::Prune(arguments) => prune::run(&arguments, session),
    }
}
