//! `holloway config`: what is configured, and where does each value come from?

use clap::{Args, Subcommand};
use serde_json::{Value, json};

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
        let mut settings = serde_json::to_value(&config.settings).unwrap_or_default();
        let mut values = serde_json::to_value(&config.values).unwrap_or_default();
        print::hide_keys(settings.get_mut("sources").unwrap_or(&mut Value::Null));
        for value in values.as_array_mut().into_iter().flatten() {
            print::hide_keys(value);
        }
        print::object(&json!({
            "settings": settings,
            "values": values,
            "files": config.files,
            "passed_over": config.passed_over,
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
                shown(&origin.value),
                origin.from.clone(),
            ]
        })
        .collect();
    print::result(&table(["KEY", "VALUE", "FROM"], &rows, Paint::stdout()))?;
    print::note(&format!("data folder: {}", folder.display()));
    Ok(Exit::Done)
}

/// The value as it is written, without keys that somebody typed in.
fn shown(value: &toml::Value) -> String {
    let mut data = serde_json::to_value(value).unwrap_or_default();
    let before = data.clone();
    print::hide_keys(&mut data);
    if data == before {
        return value.to_string();
    }
    data.to_string()
}
