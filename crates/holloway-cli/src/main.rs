//! The binary: arguments in, a command carried out, one exit code. Everything it
//! decides is decided in the crates below; this one wires, asks and prints.

mod arguments;
mod commands;

mod config;
mod error;
mod session;

mod bench;
mod foresight;
mod glance;
mod input;
mod model;
mod outside;
mod plan_library;
mod plan_text;
mod run_name;
mod runtime;
mod schema_check;
mod secret_file;
mod skill_library;
mod standing;

mod carry;
mod screen;

mod print;

use std::process::ExitCode;

use clap::Parser as _;

use crate::arguments::Arguments;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == "confined") {
        // Not a command for people: how a program is started inside the sandbox.
        return holloway_adapters::sandbox::confined_main(words);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misunderstood(&error),
    };
    let json = arguments.json;
    let exit = commands::dispatch(arguments).unwrap_or_else(|error| print::error(&error, json));
    exit.code()
}

/// Whoever asked for JSON gets the usage error as JSON too; help stays text.
fn misunderstood(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|word| word == "--json");
    if !error.use_stderr() {
        error.exit();
    }
    let text = error.to_string();
    if !wants_json {
        // It repeats what was typed, which may come from elsewhere.
        let painted = error.render().ansi().to_string();
        let shown = if Paint::stderr().is_on() {
            &painted
        } else {
            &text
        };
        print::note(shown.trim_end());
        return Exit::Usage.code();
    }
    let said = text.lines().take_while(|line| !line.starts_with("Usage:"));
    let words: Vec<&str> = said.flat_map(str::split_whitespace).collect();
    let sentence = words.join(" ").trim_start_matches("error: ").to_owned();
    let usage = CliError::usage("usage", sentence).hint("`holloway --help` shows the commands");
    print::error(&usage, true).code()
}
