//! `holloway store check`: reads everything that is kept and says what is damaged, run by run.
//! Exit code 1 if anything is.

use clap::Args;
use holloway_store::{Damage, StoreReport};
use serde_json::json;

use crate::config::data_folder;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line, units};
use crate::session::Session;

/// How much of a complaint one line shows.
const REASON: usize = 200;

/// Read everything that is kept and list what is damaged
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(super) fn run(_arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let report = holloway_store::check(&data_folder()?)?;
    let is_whole = report.is_whole();
    if session.json {
        print::object(&json!({"ok": is_whole, "store": report}))?;
    } else {
        print::result(&text(&report, Paint::stdout()))?;
        if !is_whole {
            print::note(
                "hint: `holloway store repair` saves what is whole and keeps the old files",
            );
        }
    }
    Ok(if is_whole { Exit::Done } else { Exit::Failed })
}

pub(super) fn text(report: &StoreReport, paint: Paint) -> String {
    let file = report.file.display().to_string();
    let good = |text: &str| format!("{} {text}", paint.green("✓"));
    let bad = |text: &str| format!("{} {text}", paint.red("✗"));
    let mut lines = Vec::new();
    if let Some(reason) = &report.unreadable {
        lines.push(bad(&format!(
            "{file} is damaged: {}",
            one_line(reason, REASON)
        )));
        return lines.join("\n");
    }
    lines.push(if report.is_whole() {
        good(&format!("{file} is whole"))
    } else {
        bad(&format!("{file} is damaged"))
    });
    for run in &report.runs {
        let entries =
            units::count(run.entries as usize, "whole entry").replace("entrys", "entries");
        let name = one_line(&run.run, 64);
        lines.push(match &run.damage {
            None => good(&format!("run {name}  {entries}")),
            Some(damage) => bad(&format!("run {name}  {}; {entries}", told(damage))),
        });
    }
    for records in &report.records {
        if records.damaged.is_empty() {
            if records.whole > 0 {
                lines.push(good(&format!("{}  {} whole", records.kind, records.whole)));
            }
            continue;
        }
        let counts = format!("{} whole, {} damaged", records.whole, records.damaged.len());
        lines.push(bad(&format!("{}  {counts}", records.kind)));
        let damaged = records.damaged.iter();
        lines.extend(damaged.map(|reason| format!("    {}", one_line(reason, REASON))));
    }
    let pages = report.pages.iter();
    lines.extend(pages.map(|page| bad(&format!("pages  {}", one_line(page, REASON)))));
    lines.join("\n")
}

/// The first thing that is wrong with a run.
pub(in super::super) fn told(damage: &Damage) -> String {
    let reason = one_line(&damage.reason, REASON);
    match damage.entry {
        Some(entry) => format!("entry {entry} {reason}"),
        None => reason,
    }
}
