//! `holloway config`: what is configured, and where does each value come from?

use std::path::Path;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::config::{Config, data_folder, project_file, trust};
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
    /// Let the project's holloway.toml, as it is now, decide about sources, effects and the sandbox
    Trust,
    /// Take that back
    Distrust,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    match &arguments.command {
        None | Some(Action::Show) => show(session),
        Some(Action::Trust) => {
            // Nobody can mean to trust a file that cannot be read.
            Config::load(&session.folder)?;
            change_trust(session, trust::trust, "trusted")
        }
        Some(Action::Distrust) => change_trust(session, trust::distrust, "not trusted"),
    }
}

fn change_trust(
    session: &Session,
    change: fn(&Path) -> Result<(), CliError>,
    word: &str,
) -> Result<Exit, CliError> {
    let file = project_file(&session.folder).ok_or_else(|| {
        CliError::usage("config-invalid", "there is no holloway.toml here or above")
            .hint("change to the folder of the project")
    })?;
    change(&file)?;
    if session.json {
        print::object(&json!({"file": file, "is": word}))?;
    } else {
        print::note(&format!("{} is {word}", file.display()));
    }
    Ok(Exit::Done)
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
