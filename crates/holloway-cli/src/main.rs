//! The binary: arguments in, a command carried out, one exit code. Everything it
//! decides is decided in the crates below; this one wires, asks and prints.

mod arguments;
mod commands;

mod config;
mod error;
mod session;

mod failure_words;
mod foresight;
mod from_here;
mod glance;
mod input;
mod model;
mod outside;
mod plan_library;
mod plan_name;
mod plan_text;
mod removal;
mod run_name;
mod runtime;
mod schema_check;
mod secret_answers;
mod secret_file;
mod secret_inputs;
mod skill_library;
mod standing;
mod terms;
mod workbench;

mod carry;
mod screen;

mod print;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
use holloway_plan::problem::did_you_mean;

use crate::arguments::Arguments;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;

const JSON: &str = "--json";

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == "confined") {
        // Not a command for people: how a program is started inside the sandbox.
        return holloway_sources::sandbox::confined_main(words);
    }
    std::panic::set_hook(Box::new(broken));
    let arguments = match Arguments::try_parse_from(json_first(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(error) => return misunderstood(&error),
    };
    let json = arguments.json;
    let exit = commands::dispatch(arguments).unwrap_or_else(|error| print::error(&error, json));
    exit.code()
}

/// A mistake of ours is told like any other error: what it repeats may come from elsewhere.
fn broken(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    let place = place.unwrap_or_else(|| "an unknown place".to_owned());
    let said = panic.payload_as_str().unwrap_or("nothing was said");
    let error = CliError::failed("internal", format!("Holloway broke at {place}: {said}"))
        .hint("this is a mistake in Holloway; please report it; resuming a run is safe");
    print::error(&error, false);
}

/// Every command takes `--json`, wherever it is written: it is said before the others, where
/// nothing else can come between.
fn json_first(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let end = words.iter().position(|word| word == "--");
    let rest = words.split_off(end.unwrap_or(words.len()));
    let before = words.len();
    words.retain(|word| word != JSON);
    if words.len() < before {
        words.insert(words.len().min(1), JSON.into());
    }
    words.extend(rest);
    words
}

/// Whoever asked for JSON gets the usage error as JSON too; help stays text.
fn misunderstood(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|word| word == JSON);
    if !error.use_stderr() {
        error.exit();
    }
    let text = error.to_string();
    if !wants_json {
        let said = text.trim_end();
        match said.strip_prefix("error:") {
            Some(said) => print::note(&format!("{}{said}", Paint::stderr().red("error:"))),
            None => print::note(said),
        }
        if let Some(hint) = meant(error) {
            print::note(&format!("hint: {hint}"));
        }
        return Exit::Usage.code();
    }
    let said = text.lines().take_while(|line| !line.starts_with("Usage:"));
    let words: Vec<&str> = said.flat_map(str::split_whitespace).collect();
    let sentence = words.join(" ").trim_start_matches("error: ").to_owned();
    let usage = CliError::usage("usage", sentence).hint("`holloway --help` shows the commands");
    print::error(&usage, true).code()
}

/// What somebody meant who typed no command that there is: one like it, or to ask for something.
fn meant(error: &clap::Error) -> Option<String> {
    let is_told = error.get(ContextKind::SuggestedSubcommand).is_some();
    if error.kind() != ErrorKind::InvalidSubcommand || is_told {
        return None;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    if typed.contains(char::is_whitespace) {
        return Some("a request in plain words follows `ask`: holloway ask \"…\"".to_owned());
    }
    let arguments = Arguments::command();
    let commands = arguments.get_subcommands().map(clap::Command::get_name);
    did_you_mean(typed, commands)
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    #[test]
    fn a_request_without_its_command_is_known() {
        let check = |typed: &[&str], expected: Option<&str>| {
            let error = Arguments::try_parse_from(typed).unwrap_err();
            assert_eq!(meant(&error).as_deref(), expected, "{typed:?}");
        };
        let asks = "a request in plain words follows `ask`: holloway ask \"…\"";
        check(&["holloway", "summarise notes.txt"], Some(asks));
        check(&["holloway", "aks", "hello"], Some("did you mean `ask`?"));
        check(&["holloway", "xyzzy"], None);
        check(&["holloway", "ask"], None);
    }

    fn check(typed: &str, expected: &str) {
        let words = typed.split_whitespace().map(OsString::from);
        let found: Vec<String> = json_first(words)
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn json_may_be_said_anywhere() {
        check("holloway tools --json list", "holloway --json tools list");
        check("holloway tools list --json", "holloway --json tools list");
        check("holloway --json runs --json", "holloway --json runs");
        check("holloway ask -- say --json", "holloway ask -- say --json");
        check("holloway tools list", "holloway tools list");
        check("", "");
    }

    /// Every command with every command below it, as they are typed.
    fn all(command: &Command, typed: &[&str], found: &mut Vec<Vec<String>>) {
        for inner in command
            .get_subcommands()
            .filter(|one| one.get_name() != "help")
        {
            let typed: Vec<&str> = typed.iter().copied().chain([inner.get_name()]).collect();
            found.push(typed.iter().map(|word| (*word).to_owned()).collect());
            all(inner, &typed, found);
        }
    }

    #[test]
    fn every_command_takes_json_at_every_place() {
        let mut commands = Vec::new();
        all(&Arguments::command(), &["holloway"], &mut commands);
        assert!(commands.len() > 40, "{}", commands.len());
        for command in commands {
            for place in 1..=command.len() {
                let mut typed: Vec<OsString> = command.iter().map(OsString::from).collect();
                typed.insert(place, JSON.into());
                // What else it needs may be missing; the flag itself must not be in the way.
                let refused = Arguments::try_parse_from(json_first(typed.into_iter()));
                let said = refused
                    .err()
                    .map(|error| error.to_string())
                    .unwrap_or_default();
                let said = said.split("Usage:").next().unwrap_or_default();
                assert!(!said.contains(JSON), "{command:?} at {place}: {said}");
            }
        }
    }
}
