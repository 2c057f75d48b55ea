//! `holloway eval`: how good is a part of Holloway, on data whose answers are known?

mod plans;
mod retrieval;

use clap::{Args, Subcommand};

use crate::error::{CliError, Exit};
use crate::session::Session;

/// Measure how good search and plans are, on data of your own
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Retrieval(retrieval::Arguments),
    Plans(plans::Arguments),
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    match &arguments.command {
        Action::Retrieval(arguments) => retrieval::run(arguments, session),
        Action::Plans(arguments) => plans::run(arguments, session),
    }
}
