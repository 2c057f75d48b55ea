//! `holloway doctor`: is everything in order here? Looks, repairs nothing.

use std::io::IsTerminal as _;
use std::path::Path;

use clap::Args;
use holloway_engine::entry::RunId;
use holloway_store::{RunFilter, Store};
use holloway_tools::Grants;
use serde::Serialize;
use serde_json::json;

use super::store::told;
use crate::config::data_folder;
use crate::error::{CliError, Exit};
use crate::outside::Outside;
use crate::print;
use crate::print::paint::Paint;
use crate::session::Session;

/// Less than this, and runs may not find room for their results.
const LITTLE_SPACE: u64 = 200 << 20;
/// Damaged runs that are named; `store check` has all of them.
const RUNS: usize = 3;

/// Check the data folder, the configuration and the surroundings
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

/// What was found about one thing.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    grade: Grade,
    found: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Grade {
    Good,
    Warning,
    Bad,
    /// Good to know, needed by nothing here.
    Info,
}

pub(super) fn run(_arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let findings = look(session);
    let healthy = !findings.iter().any(|finding| finding.grade == Grade::Bad);
    if session.json {
        print::object(&json!({"ok": healthy, "findings": findings}))?;
    } else {
        for finding in &findings {
            print::result(&line(finding, Paint::stdout()))?;
        }
    }
    Ok(if healthy { Exit::Done } else { Exit::Failed })
}

fn look(session: &Session) -> Vec<Finding> {
    let mut findings = vec![configuration(session)];
    match data_folder() {
        Ok(folder) => findings.extend(data(&folder, session)),
        Err(error) => findings.push(bad("data folder", &error)),
    }
    findings.extend([
        sandbox(session),
        terminal(),
        program("node"),
        program("npm"),
        program("python3"),
    ]);
    findings
}

fn finding(what: &'static str, grade: Grade, found: impl Into<String>) -> Finding {
    Finding {
        what,
        grade,
        found: found.into(),
    }
}

fn bad(what: &'static str, error: &CliError) -> Finding {
    let found = match error {
        CliError::Told(told) => told.message.clone(),
        CliError::Plan(_) | CliError::Closed | CliError::Interrupted => "unusable".to_owned(),
    };
    finding(what, Grade::Bad, found)
}

fn configuration(session: &Session) -> Finding {
    match session.config() {
        Ok(config) if config.files.is_empty() => finding(
            "configuration",
            Grade::Good,
            "no holloway.toml; defaults hold",
        ),
        Ok(config) => {
            let files: Vec<String> = config
                .files
                .iter()
                .map(|file| file.display().to_string())
                .collect();
            let files = files.join(", ");
            if config.passed_over.untrusted.is_empty() {
                return finding("configuration", Grade::Good, files);
            }
            let waiting = config.passed_over.untrusted.join(", ");
            let found =
                format!("{files}; not trusted, so without effect: {waiting} (`holloway trust`)");
            finding("configuration", Grade::Warning, found)
        }
        Err(error) => bad("configuration", &error),
    }
}

fn data(folder: &Path, session: &Session) -> Vec<Finding> {
    let place = finding("data folder", Grade::Good, folder.display().to_string());
    // Before it is opened: opening may already fail of what is damaged.
    let damage = damage(folder);
    let store = match (session.store(), damage) {
        (_, Some(damage)) => return vec![place, damage, space(folder)],
        (Ok(store), None) => store,
        (Err(error), None) => return vec![bad("data folder", &error)],
    };
    vec![place, writing(store), space(folder), locks(folder, store)]
}

/// What of the store is damaged, and how to save the rest.
fn damage(folder: &Path) -> Option<Finding> {
    let report = match holloway_store::check(folder) {
        Ok(report) if report.is_whole() => return None,
        Ok(report) => report,
        // No damage; opening it says what it is.
        Err(_) => return None,
    };
    let file = report.file.display();
    let runs: Vec<String> = report
        .damaged_runs()
        .take(RUNS)
        .map(|(run, damage)| format!("run {}: {}", run.run, told(damage)))
        .collect();
    let count = report.damaged_runs().count();
    let what = match (&report.unreadable, count) {
        (Some(reason), _) => reason.clone(),
        (None, 0) => "no run is affected".to_owned(),
        (None, count) => format!("{count} of {} runs: {}", report.runs.len(), runs.join("; ")),
    };
    let found = format!(
        "{file} is damaged ({what}); `holloway store check` lists it, \
         `holloway store repair` saves what is whole"
    );
    Some(finding("database", Grade::Bad, found))
}

/// An empty change still has to reach the disk.
fn writing(store: &Store) -> Finding {
    let counted = store
        .flush()
        .and_then(|()| store.runs(&RunFilter::default()));
    match counted {
        Ok(_) => finding("database", Grade::Good, "whole; can be read and written"),
        Err(error) => bad("database", &error.into()),
    }
}

fn space(folder: &Path) -> Finding {
    match rustix::fs::statvfs(folder) {
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let grade = if free < LITTLE_SPACE {
                Grade::Warning
            } else {
                Grade::Good
            };
            finding("free space", grade, format!("{} MiB", free >> 20))
        }
        Err(error) => finding("free space", Grade::Warning, error.to_string()),
    }
}

/// Locks of processes that were killed; the next owner takes them over.
fn locks(folder: &Path, store: &Store) -> Finding {
    let files = std::fs::read_dir(folder.join("locks"))
        .into_iter()
        .flatten()
        .flatten();
    let runs = files.filter_map(|file| {
        let name = file.file_name().into_string().ok()?;
        name.strip_suffix(".lock").map(RunId::new)
    });
    let (mut held, mut stale) = (0, Vec::new());
    for run in runs {
        match store.owner(&run) {
            Ok(Some(_)) => held += 1,
            _ => stale.push(run.to_string()),
        }
    }
    let found = match stale.len() {
        0 => format!("{held} held, none left behind"),
        _ => format!(
            "{held} held; left behind by killed processes: {}",
            stale.join(", ")
        ),
    };
    finding("locks", Grade::Info, found)
}

/// Tried for real: user namespaces may be switched off where bubblewrap is installed.
fn sandbox(session: &Session) -> Finding {
    let outside = match Outside::open(session, &Grants::default()) {
        Ok(outside) => outside,
        Err(error) => return bad("sandbox", &error),
    };
    match outside.around().sandbox() {
        Ok(sandbox) => finding("sandbox", Grade::Good, sandbox.describe()),
        Err(error) => finding("sandbox", Grade::Warning, error.message),
    }
}

fn terminal() -> Finding {
    let place = |terminal: bool| {
        if terminal {
            "a terminal"
        } else {
            "no terminal"
        }
    };
    let found = format!(
        "stdin {}, stderr {}",
        place(std::io::stdin().is_terminal()),
        place(std::io::stderr().is_terminal())
    );
    finding("terminal", Grade::Info, found)
}

fn program(name: &'static str) -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file());
    let found = found.map_or_else(|| "not found".to_owned(), |file| file.display().to_string());
    finding(name, Grade::Info, found)
}

fn line(finding: &Finding, paint: Paint) -> String {
    let mark = match finding.grade {
        Grade::Good => paint.green("✓"),
        Grade::Warning => paint.yellow("!"),
        Grade::Bad => paint.red("✗"),
        Grade::Info => paint.dim("·"),
    };
    format!(
        "{mark} {:<14} {}",
        finding.what,
        print::visible(&finding.found)
    )
}
