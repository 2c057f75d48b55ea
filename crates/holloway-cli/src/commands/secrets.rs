//! `holloway secrets`: which secrets are kept? Values go in, and never come out
//! but to the call or server that names them.

use std::io::IsTerminal as _;

use clap::{Args, Subcommand};
use holloway_tools::secrets::SecretText;
use serde_json::json;

use crate::error::{CliError, Exit};
use crate::print;
use crate::secret_file::{SecretFile, check_name};
use crate::session::Session;

/// Keep keys and tokens that tools need; configuration names them as `${NAME}`
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Keep a secret; its value is read from standard input
    Set { name: String },
    /// List the names
    List,
    /// Forget a secret
    Remove { name: String },
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command.unwrap_or(Action::List) {
        Action::Set { name } => set(&name, session),
        Action::List => list(session),
        Action::Remove { name } => remove(&name, session),
    }
}

fn set(name: &str, session: &Session) -> Result<Exit, CliError> {
    let mut file = SecretFile::open()?;
    // Before anybody types or pipes a value for nothing.
    check_name(name)?;
    let value = asked_for(name)?;
    file.set(name, &value)?;
    if value.reveal().chars().count() < 6 {
        print::note(
            "so short a secret is not taken out of results: too much else would go with it",
        );
    }
    if session.json {
        print::object(&json!({"set": name}))?;
    } else {
        print::note(&format!("kept {name}; name it as ${{{name}}}"));
    }
    Ok(Exit::Done)
}

/// Without echo at a terminal; otherwise all of standard input, less the last line break.
fn asked_for(name: &str) -> Result<SecretText, CliError> {
    let unread = |error: std::io::Error| {
        CliError::usage("input-invalid", format!("no value could be read: {error}"))
            .hint("type it, or pipe it in: `pass show key | holloway secrets set NAME`")
    };
    let value = if std::io::stdin().is_terminal() {
        let terminal = console::Term::stderr();
        print::note(&format!("value of {name} (not shown):"));
        terminal.read_secure_line().map_err(unread)?
    } else {
        std::io::read_to_string(std::io::stdin()).map_err(unread)?
    };
    let value = value.trim_end_matches(['\r', '\n']);
    if value.is_empty() {
        return Err(CliError::usage("input-invalid", "the value is empty")
            .hint("`holloway secrets remove NAME` forgets a secret"));
    }
    Ok(SecretText::new(value))
}

fn list(session: &Session) -> Result<Exit, CliError> {
    let file = SecretFile::open()?;
    let names: Vec<&str> = file.names().collect();
    if session.json {
        print::object(&json!({ "secrets": names }))?;
    } else if names.is_empty() {
        print::note("no secrets are kept; `holloway secrets set NAME` keeps one");
    } else {
        print::result(&names.join("\n"))?;
    }
    Ok(Exit::Done)
}

fn remove(name: &str, session: &Session) -> Result<Exit, CliError> {
    let known = SecretFile::open()?.remove(name)?;
    if !known {
        let message = format!("no secret `{name}` is kept");
        return Err(
            CliError::usage("input-invalid", message).hint("`holloway secrets` lists the names")
        );
    }
    if session.json {
        print::object(&json!({"removed": name}))?;
    } else {
        print::note(&format!("forgot {name}"));
    }
    Ok(Exit::Done)
}
