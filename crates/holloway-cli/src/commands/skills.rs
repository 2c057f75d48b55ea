//! `holloway skills`: what should be known beside tools, where does it come from, which
//! tools is it for?

mod add;
mod check;
mod list;
mod remarks;
mod show;

use clap::{Args, Subcommand};

use crate::error::{CliError, Exit};
use crate::session::Session;

/// Look at skills: domain knowledge for the steps of plans; add and check your own
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the skills in effect
    List,
    Show(show::Arguments),
    Add(add::Arguments),
    Check(check::Arguments),
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command.unwrap_or(Action::List) {
        Action::List => list::run(session),
        Action::Show(arguments) => show::run(&arguments, session),
        Action::Add(arguments) => add::run(&arguments, session),
        Action::Check(arguments) => check::run(&arguments, session),
    }
}
