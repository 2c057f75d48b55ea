//! `holloway store repair`: makes a new database of everything that is whole. Shows the damage
//! and asks first; the old files are kept.

use std::io::IsTerminal as _;

use clap::Args;
use holloway_store::Repaired;
use serde_json::json;

use super::check;
use crate::config::data_folder;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line, units};
use crate::session::Session;

/// Make a new database of everything that is whole; the old files are kept
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Do it without asking
    #[arg(long, short)]
    yes: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let folder = data_folder()?;
    let report = holloway_store::check(&folder)?;
    if report.is_whole() {
        return tell_whole(session);
    }
    if !session.json {
        print::note(&check::text(&report, Paint::stderr()));
    }
    if !arguments.yes {
        confirm(session)?;
    }
    match holloway_store::repair(&folder)? {
        Some(repaired) => tell(&repaired, session),
        None => tell_whole(session),
    }
}

fn tell_whole(session: &Session) -> Result<Exit, CliError> {
    if session.json {
        print::object(&json!({"ok": true, "repaired": null}))?;
    } else {
        print::result("the store is whole; there is nothing to repair")?;
    }
    Ok(Exit::Done)
}

fn confirm(session: &Session) -> Result<(), CliError> {
    let nobody = || {
        CliError::usage(
            "approval-needed",
            "the store was not repaired: nobody allowed it",
        )
        .hint("`holloway store repair --yes` does it; the old files are kept")
    };
    if session.json || !std::io::stdin().is_terminal() {
        return Err(nobody());
    }
    print::ask("Make a new database of what is whole, and keep the old files? [y/N] ");
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    match (read, line.trim().to_lowercase().as_str()) {
        (Ok(_), "y" | "yes") => Ok(()),
        _ => Err(nobody()),
    }
}

fn tell(repaired: &Repaired, session: &Session) -> Result<Exit, CliError> {
    if session.json {
        print::object(&json!({"ok": true, "repaired": repaired}))?;
        return Ok(Exit::Done);
    }
    let runs = units::count(repaired.runs.len(), "run");
    let records = units::count(repaired.records, "other record");
    let mut lines = vec![format!("saved {runs} and {records}")];
    for left in &repaired.left {
        let copy = left.copy.as_ref().and_then(|copy| copy.file_name());
        let copy = copy.map(|name| format!("; the part that can be read: {}", name.display()));
        lines.push(format!(
            "not saved: {}: {}{}",
            one_line(&left.what, 80),
            one_line(&left.reason, 200),
            copy.unwrap_or_default()
        ));
    }
    lines.push(format!(
        "the old files are in {}",
        repaired.kept_in.display()
    ));
    print::result(&lines.join("\n"))?;
    Ok(Exit::Done)
}
