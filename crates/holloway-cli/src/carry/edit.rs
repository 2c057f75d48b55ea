//! How does a person change arguments or a plan? In their own editor, as text, in a file that
//! only this user can read and that does not outlive the change.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;

use super::interrupts::Interrupts;
use crate::config::data_folder;
use crate::print;
use crate::run_name;

/// Below the data folder.
const FOLDER: &str = "edit";
/// How often is looked whether the editor was closed.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The value after the editor was closed, or why there is none. The editor is closed once
/// nobody wants the value any more.
pub(super) fn edit(value: &Value, is_wanted: impl Fn() -> bool) -> Result<Value, String> {
    let text = edited(&print::pretty(value), "json", is_wanted)?;
    serde_json::from_str(&text).map_err(|error| format!("that is no JSON: {error}"))
}

/// The text after the editor was closed, or why there is none. The ending tells the
/// editor what it is.
pub(crate) fn edit_text(
    text: &str,
    ending: &str,
    interrupts: &Interrupts,
) -> Result<String, String> {
    let text = edited(text, ending, || !interrupts.is_end());
    interrupts.forget_interrupt();
    text
}

fn edited(text: &str, ending: &str, is_wanted: impl Fn() -> bool) -> Result<String, String> {
    let folder = data_folder().map_err(|_| "there is no folder for the text".to_owned())?;
    let folder = folder.join(FOLDER);
    forget_what_was_left(&folder);
    let file = TemporaryFile::holding(text, ending, &folder)?;
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|editor| !editor.is_empty())
        .unwrap_or_else(|| "vi".to_owned());
    // Through the shell, because the variable may hold a command with flags.
    let child = Command::new("sh")
        .args(["-c", &format!("{editor} \"$1\""), "sh"])
        .arg(&file.0)
        .spawn();
    let closed = child.and_then(|child| closed(child, is_wanted));
    let status =
        closed.map_err(|error| format!("the editor `{editor}` cannot be started: {error}"))?;
    match status {
        None => return Err("stopped while the editor was open".to_owned()),
        Some(status) if !status.success() => {
            let how = match status.code() {
                Some(127) => "was not found; set EDITOR to one that is there".to_owned(),
                Some(code) => format!("ended with exit code {code}"),
                None => "was killed".to_owned(),
            };
            return Err(format!("the editor `{editor}` {how}: nothing was changed"));
        }
        Some(_) => {}
    }
    let text = fs::read_to_string(&file.0)
        .map_err(|error| format!("what was saved cannot be read: {error}"))?;
    if text.trim().is_empty() {
        return Err("the file was saved empty: nothing was changed".to_owned());
    }
    Ok(text)
}

/// How the editor ended; nothing if it was not wanted any more before.
fn closed(mut child: Child, is_wanted: impl Fn() -> bool) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if !is_wanted() {
            let _ = kill_process(Pid::from_child(&child), Signal::TERM);
            return Ok(None);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Files of processes that were killed before they could clean up.
pub(crate) fn forget_what_was_left(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name();
        let owner = name.to_str().and_then(|name| name.split_once('-'));
        let owner = owner.and_then(|(process, _)| Pid::from_raw(process.parse().ok()?));
        let is_alive = |owner: Pid| test_kill_process(owner).is_ok();
        if !owner.is_some_and(is_alive) {
            let _ = fs::remove_file(file.path());
        }
    }
}

/// A file only this user can read, gone at the end.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn holding(text: &str, ending: &str, folder: &Path) -> Result<Self, String> {
        let name = run_name::random().map_err(|_| "no random name for a file".to_owned())?;
        let path = folder.join(format!("{}-{name:016x}.{ending}", std::process::id()));
        let complain =
            |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(complain)?;
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path);
        let written = file.and_then(|mut file| writeln!(file, "{text}"));
        // From here on it is removed, also when it could not be written whole.
        let kept = Self(path.clone());
        written.map_err(complain)?;
        Ok(kept)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_dead_processes_go_and_those_of_living_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let mine = folder
            .path()
            .join(format!("{}-aa.yaml", std::process::id()));
        // Above the highest process number of any system.
        let dead = folder.path().join("2000000000-aa.yaml");
        let odd = folder.path().join("odd");
        for file in [&mine, &dead, &odd] {
            fs::write(file, "a").unwrap();
        }
        forget_what_was_left(folder.path());
        assert!(mine.exists() && !dead.exists() && !odd.exists());
    }
}
