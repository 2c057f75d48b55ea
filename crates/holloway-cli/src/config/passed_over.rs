//! What is written in files and has no effect? Told once per command, with the keys, the reason
//! and what to do about it; to programs as events.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};

use super::project::NotRead;

/// What a project's file says in vain, and a file that is left alone.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PassedOver {
    /// The project's file.
    pub(crate) file: Option<PathBuf>,
    /// Keys that loosen something and wait for trust.
    pub(crate) untrusted: Vec<String>,
    /// Keys that the user has set to `deny`.
    pub(crate) denied: Vec<String>,
    /// A file above the project.
    pub(crate) not_read: Option<NotRead>,
}

impl PassedOver {
    /// One line for each reason.
    pub(crate) fn notes(&self) -> Vec<String> {
        let file = self.file_name();
        let mut notes = Vec::new();
        if !self.untrusted.is_empty() {
            notes.push(format!(
                "{file} is not trusted, so what it loosens has no effect: {}; review it with `holloway trust`",
                self.untrusted.join(", ")
            ));
        }
        if !self.denied.is_empty() {
            notes.push(format!(
                "{file} cannot loosen what your own configuration denies: {}",
                self.denied.join(", ")
            ));
        }
        if let Some(NotRead { file, reason }) = &self.not_read {
            notes.push(format!("{} is not read: {reason}", file.display()));
        }
        notes
    }

    /// The same for programs.
    pub(crate) fn events(&self) -> Vec<Value> {
        let mut events = Vec::new();
        let keys = [
            ("untrusted", &self.untrusted, "holloway trust"),
            ("denied", &self.denied, "holloway config show"),
        ];
        for (reason, keys, command) in keys {
            if !keys.is_empty() {
                events.push(json!({
                    "event": "config_passed_over",
                    "file": self.file,
                    "keys": keys,
                    "reason": reason,
                    "command": command,
                }));
            }
        }
        if let Some(not_read) = &self.not_read {
            events.push(json!({
                "event": "config_not_read",
                "file": not_read.file,
                "reason": not_read.reason,
            }));
        }
        events
    }

    fn file_name(&self) -> String {
        let file = self.file.as_ref();
        file.map(|file| file.display().to_string())
            .unwrap_or_default()
    }
}
