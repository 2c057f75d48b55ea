//! `holloway config`: what is configured, and where does each value come from?

use clap::{Args, Subcommand};
use serde_json::json;

use crate::config::data_folder;
use crate::error::{CliError, Exit};
use crate::print;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::session::Session;

/// Look at the configuration
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show every value and where it comes from
    Show,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    match &arguments.command {
        None | Some(Action::Show) => show(session),
    }
}

fn show(session: &Session) -> Result<Exit, CliError> {
    let config = session.config()?;
    let folder = data_folder()?;
    if session.json {
        print::object(&json!({
            "settings": config.settings,
            "values": config.values,
            "files": config.files,
            "data_folder": folder,
        }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<[String; 3]> = config
        .values
        .iter()
        .map(|origin| {
            [
                origin.key.clone(),
                origin.value.to_string(),
                origin.from.clone(),
            ]
        })
        .collect();
    print::result(&table(["KEY", "VALUE", "FROM"], &rows, Paint::stdout()))?;
    print::note(&format!("data folder: {}", folder.display()));
    Ok(Exit::Done)
}
