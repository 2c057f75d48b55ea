//! `holloway tools`: what can plans call, where does it come from, does it work?

mod add;
mod admission;
mod call;
mod health;
mod known;
mod list;
mod pin;
pub(crate) mod refresh;
mod remove;
mod reread;
mod search;
mod show;
mod sources;

pub(super) use search::could_be_added;

use clap::{Args, Subcommand};

use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::session::Session;

/// Look at tools, try them, add others
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
    Search(search::Arguments),
    Show(show::Arguments),
    Call(call::Arguments),
    Add(add::Arguments),
    Remove(remove::Arguments),
    Sources(sources::Arguments),
    Refresh(refresh::Arguments),
    Health(health::Arguments),
    Pin(pin::Arguments),
    Known(known::Arguments),
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
        Action::Search(arguments) => search::run(&arguments, session),
        Action::Show(arguments) => show::run(&arguments, session),
        Action::Call(arguments) => call::run(&arguments, session),
        Action::Add(arguments) => add::run(&arguments, session),
        Action::Remove(arguments) => remove::run(&arguments, session),
        Action::Sources(arguments) => sources::run(&arguments, session),
        Action::Refresh(arguments) => refresh::run(&arguments, session),
        Action::Health(arguments) => health::run(&arguments, session),
        Action::Pin(arguments) => pin::run(&arguments, session),
        Action::Known(arguments) => known::run(arguments, session),
    }
}
