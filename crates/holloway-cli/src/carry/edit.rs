//! How does a person change arguments or a plan? In their own editor, as text.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::print;
use crate::run_name;

/// The value after the editor was closed, or why there is none.
pub(super) fn edit(value: &Value) -> Result<Value, String> {
    let text = edit_text(&print::pretty(value), "json")?;
    serde_json::from_str(&text).map_err(|error| format!("that is no JSON: {error}"))
}

/// The text after the editor was closed, or why there is none. The ending tells the
/// editor what it is.
pub(crate) fn edit_text(text: &str, ending: &str) -> Result<String, String> {
    let file = TemporaryFile::holding(text, ending)?;
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|editor| !editor.is_empty())
        .unwrap_or_else(|| "vi".to_owned());
    // Through the shell, because the variable may hold a command with flags.
    let status = Command::new("sh")
        .args(["-c", &format!("{editor} \"$1\""), "sh"])
        .arg(&file.0)
        .status()
        .map_err(|error| format!("the editor `{editor}` cannot be started: {error}"))?;
    if !status.success() {
        return Err(format!("the editor `{editor}` gave up"));
    }
    fs::read_to_string(&file.0).map_err(|error| error.to_string())
}

/// A file only this user can read, gone at the end.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn holding(text: &str, ending: &str) -> Result<Self, String> {
        let name = run_name::random().map_err(|_| "no random name for a file".to_owned())?;
        let path = std::env::temp_dir().join(format!("holloway-{name:016x}.{ending}"));
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path);
        file.and_then(|mut file| writeln!(file, "{text}"))
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
