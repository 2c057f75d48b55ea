//! `holloway tools known`: which packages and servers could be added? The index
//! that ships with Holloway, and names that were added to it.

use clap::{Args, Subcommand};
use holloway_flow::catalog::known::Known;
use serde_json::json;

use super::search::{addable_text, could_be_added};
use crate::error::{CliError, Exit};
use crate::print;
use crate::print::paint::Paint;
use crate::session::Session;

/// List packages and servers that could be added; add names to the list
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List them all
    List,
    /// Put a package or server on the list, so that search can propose it
    Add(Entry),
    /// Take one off that was put on
    Remove { name: String },
}

#[derive(Debug, Args)]
struct Entry {
    /// As `holloway tools add` takes it, such as `npm:@scope/package`
    name: String,
    /// What it does
    #[arg(long)]
    description: String,
    #[arg(long, default_value = "")]
    category: String,
    /// A tool it has
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command.unwrap_or(Action::List) {
        Action::List => list(session),
        Action::Add(entry) => add(entry, session),
        Action::Remove { name } => remove(&name, session),
    }
}

fn list(session: &Session) -> Result<Exit, CliError> {
    let known = could_be_added(session)?;
    if session.json {
        print::object(&json!({ "known": known }))?;
        return Ok(Exit::Done);
    }
    for package in &known {
        print::result(&addable_text(package, Paint::stdout()))?;
    }
    Ok(Exit::Done)
}

fn add(entry: Entry, session: &Session) -> Result<Exit, CliError> {
    super::add::check_what(&entry.name)?;
    let known = Known {
        title: entry.name.clone(),
        add: entry.name,
        description: entry.description,
        category: entry.category,
        tools: entry.tools,
        needs: Vec::new(),
        arguments: Vec::new(),
    };
    session.store()?.add_known(&known)?;
    if session.json {
        print::object(&json!({ "known": known }))?;
    } else {
        print::note(&format!("{} is on the list now", known.add));
    }
    Ok(Exit::Done)
}

fn remove(name: &str, session: &Session) -> Result<Exit, CliError> {
    if !session.store()?.remove_known(name)? {
        let message = format!("`{name}` was not put on the list");
        return Err(CliError::usage("input-invalid", message)
            .hint("names that ship with Holloway stay; `holloway tools known` lists all"));
    }
    if session.json {
        print::object(&json!({"removed": name}))?;
    } else {
        print::note(&format!("{name} is off the list"));
    }
    Ok(Exit::Done)
}
