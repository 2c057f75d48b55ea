//! `holloway tools`: what can plans call?

mod call;
mod list;
mod show;

use clap::{Args, Subcommand};

use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::session::Session;

/// Look at tools and try them
#[derive(Debug, Args)]
#[group(skip)]
#[command(args_conflicts_with_subcommands = true)]
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
    Call(call::Arguments),
}

/// Tools are described the same whatever they may reach.
#[derive(Clone, Copy, Debug, Args)]
struct Samples {
    /// Offer the offline sample tools that the example plans name
    #[arg(long)]
    sample_tools: bool,
}

impl Samples {
    fn reach(self) -> Reach {
        Reach {
            sample_tools: self.sample_tools,
            ..Reach::default()
        }
    }
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command.unwrap_or(Action::List(arguments.list)) {
        Action::List(arguments) => list::run(&arguments, session),
        Action::Show(arguments) => show::run(&arguments, session),
        Action::Call(arguments) => call::run(&arguments, session),
    }
}
