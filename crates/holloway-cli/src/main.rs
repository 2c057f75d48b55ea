//! The binary: arguments in, a command carried out, one exit code. Everything it
//! decides is decided in the crates below; this one wires, asks and prints.

mod arguments;
mod commands;

mod config;
mod error;
mod session;

mod bench;
mod input;
mod plan_library;
mod plan_text;
mod run_name;
mod schema_check;
mod standing;

mod carry;
mod screen;

mod print;

use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::Arguments;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let json = arguments.json;
    let exit = commands::dispatch(arguments).unwrap_or_else(|error| print::error(&error, json));
    exit.code()
}
