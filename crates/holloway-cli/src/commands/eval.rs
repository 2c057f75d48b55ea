//! `holloway eval`: how good is a part of Holloway, on data whose answers are known?

mod retrieval;

use clap::{Args, Subcommand};

use crate::error::{CliError, Exit};
use crate::session::Session;

/// Measure how good search is, on data of your own
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Retrieval(retrieval::Arguments),
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    match &arguments.command {
        Action::Retrieval(arguments) => retrieval::run(arguments, session),
    }
}
