//! `holloway store`: is what was written still there, and how is a damaged store used again?

mod check;
mod repair;

use clap::{Args, Subcommand};

use crate::error::{CliError, Exit};
use crate::session::Session;

pub(super) use check::told;

/// Check the data folder for damage and save what is whole
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Check(check::Arguments),
    Repair(repair::Arguments),
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command {
        Action::Check(arguments) => check::run(&arguments, session),
        Action::Repair(arguments) => repair::run(&arguments, session),
    }
}
