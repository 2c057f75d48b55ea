//! `holloway trust`: may this project's file loosen what is configured? Shows what would change,
//! asks at a terminal, and remembers the exact text that was shown.

mod change;

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use self::change::Change;
use crate::carry::keys;
use crate::config::trust::{ProjectFile, TrustStore, Trusted};
use crate::config::{FILE, Project};
use crate::error::{CliError, Exit};
use crate::from_here::from_here;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::units;
use crate::print::{self, visible};
use crate::session::{Session, now_ms};

/// How often it is looked whether something was typed.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Review a project's holloway.toml and let it loosen approvals, grants and limits
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file or its folder; without it, the project's file here
    path: Option<PathBuf>,
    /// Do not ask: trust the file if its text has this digest, which `--json` shows
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Take the trust back
    #[arg(long, conflicts_with = "digest")]
    revoke: bool,
    /// List the trusted files
    #[arg(long, conflicts_with_all = ["path", "digest", "revoke"])]
    list: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    if arguments.list {
        return list(session);
    }
    if arguments.revoke {
        return revoke(arguments, session);
    }
    let file = ProjectFile::read(&existing(arguments, session)?)?;
    let mut store = TrustStore::open()?;
    let change = Change::of(&file, &store, &session.folder, now_ms())?;
    if store.trusts(&file) {
        return tell(&change, "is trusted already", session);
    }
    if let Some(digest) = &arguments.digest {
        refuse_other(digest, &file)?;
    } else if session.json {
        let mut shown = change.data(false);
        if let Value::Object(fields) = &mut shown {
            fields.insert("error".to_owned(), print::error_data(&unattended(&file)));
        }
        print::object(&shown)?;
        return Ok(Exit::Usage);
    } else if !is_yes(&change, &file)? {
        print::note(&format!("{} stays untrusted", file.path.display()));
        return Ok(Exit::Failed);
    }
    store.trust(&file.path, change.looked_at().clone())?;
    tell(&change, "is trusted as it is now", session)
}

/// Shows the change and asks; where nobody can be asked, that is an error.
fn is_yes(change: &Change, file: &ProjectFile) -> Result<bool, CliError> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(unattended(file));
    }
    print::note(&change.text(Paint::stderr()));
    let mut terminal = std::io::stderr();
    let _ =
        write!(terminal, "trust this file as it is now? [y/N] ").and_then(|()| terminal.flush());
    let typed = keys::line(LOOK_EVERY, || true).unwrap_or_default();
    Ok(matches!(typed.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn unattended(file: &ProjectFile) -> CliError {
    let message = format!(
        "{} was not trusted: only a person at a terminal can be asked",
        file.path.display()
    );
    CliError::usage("trust-unattended", message).hint(
        "run `holloway trust` at a terminal, or confirm this exact text with `--digest DIGEST`; \
         `holloway trust --json` shows the change and the digest",
    )
}

fn refuse_other(digest: &str, file: &ProjectFile) -> Result<(), CliError> {
    let found = file.digest();
    if digest == found {
        return Ok(());
    }
    let message = format!(
        "{} has the digest {found}, not `{}`: it is not the text that was looked at",
        file.path.display(),
        visible(digest)
    );
    Err(CliError::usage("trust-digest", message)
        .hint("look at the file again with `holloway trust --json`"))
}

fn tell(change: &Change, word: &str, session: &Session) -> Result<Exit, CliError> {
    if session.json {
        print::object(&change.data(true))?;
    } else {
        print::result(&format!("{} {word}", change.file().display()))?;
    }
    Ok(Exit::Done)
}

/// The file that is meant, whether it is there or not.
fn meant(arguments: &Arguments, session: &Session) -> Result<PathBuf, CliError> {
    let Some(path) = &arguments.path else {
        return Project::around(&session.folder).file.ok_or_else(|| {
            no_file("there is no holloway.toml in this project".to_owned())
                .hint("change to the folder of the project, or name the file")
        });
    };
    let path = from_here(&session.folder, path);
    let folder = match path.file_name() {
        _ if path.is_dir() => Some(path.as_path()),
        Some(name) if name == FILE => path.parent(),
        _ => None,
    };
    if let Some(folder) = folder {
        // One way to write it, with which it is also found again.
        let real = folder.canonicalize();
        return Ok(real.unwrap_or_else(|_| folder.to_owned()).join(FILE));
    }
    let message = format!("{} is neither a {FILE} nor a folder", path.display());
    Err(no_file(message).hint("name a holloway.toml, or the folder it is in"))
}

fn existing(arguments: &Arguments, session: &Session) -> Result<PathBuf, CliError> {
    let file = meant(arguments, session)?;
    if file.is_file() {
        return Ok(file);
    }
    let message = format!("there is no file {}", file.display());
    Err(no_file(message).hint("name a holloway.toml, or the folder it is in"))
}

fn no_file(message: String) -> CliError {
    CliError::usage("trust-no-file", message)
}

fn revoke(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let file = meant(arguments, session)?;
    let was_trusted = TrustStore::open()?.revoke(&file)?;
    if session.json {
        print::object(&json!({"file": file, "trusted": false, "was_trusted": was_trusted}))?;
        return Ok(Exit::Done);
    }
    let word = if was_trusted {
        "is not trusted any more"
    } else {
        "was not trusted"
    };
    print::result(&format!("{} {word}", file.display()))?;
    Ok(Exit::Done)
}

fn list(session: &Session) -> Result<Exit, CliError> {
    let store = TrustStore::open()?;
    if session.json {
        let files = store.files().map(|(path, trusted)| {
            let state = state(&path, trusted);
            json!({"file": path.to_string_lossy(), "digest": trusted.digest, "trusted_ms": trusted.at_ms, "state": state})
        });
        print::object(&json!({"trusted": files.collect::<Vec<_>>()}))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<[String; 4]> = store
        .files()
        .map(|(path, trusted)| {
            let state = state(&path, trusted);
            let since = units::moment(trusted.at_ms);
            [
                visible(&path.display().to_string()),
                trusted.digest.clone(),
                since,
                state.to_owned(),
            ]
        })
        .collect();
    if rows.is_empty() {
        print::note("no file is trusted");
        return Ok(Exit::Done);
    }
    let heading = ["FILE", "DIGEST", "SINCE", "STATE"];
    print::result(&table(heading, &rows, Paint::stdout()))?;
    Ok(Exit::Done)
}

/// What became of a file since it was trusted.
fn state(file: &Path, trusted: &Trusted) -> &'static str {
    match ProjectFile::read(file) {
        Ok(found) if trusted.is_as_now(&found) => "trusted",
        Ok(_) => "changed, not trusted",
        Err(_) => "gone",
    }
}
