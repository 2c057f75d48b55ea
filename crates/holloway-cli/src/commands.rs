//! Which commands are there? One file each; this one only leads to them.

mod ask;
mod check;
mod completions;
mod config;
mod doctor;
mod eval;
mod explain;
mod memory;
mod plan;
mod planning;
mod plans;
mod run;
mod runs;
mod schema;
mod secrets;
mod skills;
mod store;
mod templates;
mod tools;
mod trust;

use clap::Subcommand;

use crate::arguments::Arguments;
use crate::error::{CliError, Exit};
use crate::session::Session;

pub(crate) use runs::history::History;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ask(ask::Arguments),
    Plan(plan::Arguments),
    Run(run::Arguments),
    Check(check::Arguments),
    Explain(explain::Arguments),
    Runs(runs::Arguments),
    Tools(tools::Arguments),
    Plans(plans::Arguments),
    Memory(memory::Arguments),
    Templates(templates::Arguments),
    Skills(skills::Arguments),
    Secrets(secrets::Arguments),
    Eval(eval::Arguments),
    Config(config::Arguments),
    Trust(trust::Arguments),
    Store(store::Arguments),
    Doctor(doctor::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
}

pub(crate) fn dispatch(arguments: Arguments) -> Result<Exit, CliError> {
    let session = Session::begin(arguments.json, arguments.verbose)?;
    match arguments.command {
        Command::Ask(arguments) => ask::run(&arguments, &session),
        Command::Plan(arguments) => plan::run(&arguments, &session),
        Command::Run(arguments) => run::run(&arguments, &session),
        Command::Check(arguments) => check::run(&arguments, &session),
        Command::Explain(arguments) => explain::run(&arguments, &session),
        Command::Runs(arguments) => runs::run(arguments, &session),
        Command::Tools(arguments) => tools::run(arguments, &session),
        Command::Plans(arguments) => plans::run(arguments, &session),
        Command::Memory(arguments) => memory::run(arguments, &session),
        Command::Templates(arguments) => templates::run(arguments, &session),
        Command::Skills(arguments) => skills::run(arguments, &session),
        Command::Secrets(arguments) => secrets::run(arguments, &session),
        Command::Eval(arguments) => eval::run(&arguments, &session),
        Command::Config(arguments) => config::run(&arguments, &session),
        Command::Trust(arguments) => trust::run(&arguments, &session),
        Command::Store(arguments) => store::run(arguments, &session),
        Command::Doctor(arguments) => doctor::run(&arguments, &session),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
