//! `file-write`: make this file hold exactly this. The new contents appear at once
//! or not at all, and a repeat leaves the same file.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use cap_std::fs::Dir;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::{Access, Place, locate};

pub(crate) struct Write {
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl Write {
    pub(crate) fn new(grants: &Arc<Grants>, made: &Arc<Made>) -> Self {
        Self {
            grants: Arc::clone(grants),
            made: Arc::clone(made),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    content: String,
    #[serde(default)]
    encoding: Encoding,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    #[default]
    Text,
    Base64,
}

#[async_trait]
impl Tool for Write {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-write",
            title: "Write a file",
            category: "files",
            description: "Writes a whole file in a granted, writable folder, replacing what was there, and creates missing \
                folders on the way. Use it to save results. The file changes at once or not at all. Returns the path \
                and the number of bytes written.",
            effect: Effect::Idempotent,
            latency_ms: 20,
            input: input(
                &["path", "content"],
                json!({
                    "path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"},
                    "content": {"type": "string", "description": "The complete new contents"},
                    "encoding": {"type": "string", "enum": ["text", "base64"], "default": "text", "description": "How `content` is given"}
                }),
            ),
            output: output(
                &["path", "bytes"],
                json!({
                    "path": {"type": "string"},
                    "bytes": {"type": "integer", "description": "Size of the file now"}
                }),
            ),
            example: json!({"path": "a.txt", "content": "text"}),
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let call = call.clone();
        blocking(move || {
            let saving = Saving {
                grants: &grants,
                made: &made,
                call: &call,
            };
            write(&saving, arguments).map(CallOutput::from)
        })
        .await
    }

    fn file_made<'a>(&self, arguments: &'a Value) -> Option<&'a str> {
        arguments.get("path")?.as_str()
    }
}

fn write(saving: &Saving<'_>, arguments: Arguments) -> Result<Value, ToolFailure> {
    let bytes = match arguments.encoding {
        Encoding::Text => arguments.content.into_bytes(),
        Encoding::Base64 => BASE64_STANDARD
            .decode(&arguments.content)
            .map_err(|error| ToolFailure::invalid(format!("`content` is not base64: {error}")))?,
    };
    saving.save(&arguments.path, &bytes)?;
    Ok(json!({ "path": arguments.path, "bytes": bytes.len() }))
}

/// All that a call needs to make files; whatever writes a whole file goes through here.
pub(crate) struct Saving<'a> {
    pub(crate) grants: &'a Grants,
    pub(crate) made: &'a Made,
    pub(crate) call: &'a CallRequest,
}

impl Saving<'_> {
    /// Makes the file at `path` hold these bytes, at once or not at all. What the run did not
    /// make is written over only where that was allowed.
    pub(crate) fn save(&self, path: &str, bytes: &[u8]) -> Result<(), ToolFailure> {
        require_size(self.grants, bytes.len())?;
        let place = locate(self.grants, path, Access::Write)?;
        let target = target(&place)?;
        let run = &self.call.run;
        if !self.call.may_replace
            && holds_other(&place.directory, &target, bytes)
            && !self.made.has(run, &place)
        {
            return Err(ToolFailure::would_replace(path)
                .with_hint("--yes allows it, or `replace = \"allow\"` under [approvals]"));
        }
        place.create_parents()?;
        let key = &self.call.key;
        replace(&place, &target, bytes, key).map_err(|error| place.failure(&error))?;
        self.made.note(run, &place);
        Ok(())
    }
}

/// Whether something else is there. The very same is no loss: a call that is repeated after a
/// crash finds what it has written itself.
fn holds_other(directory: &Dir, target: &Path, bytes: &[u8]) -> bool {
    match directory.metadata(target) {
        Ok(metadata) if metadata.is_file() && metadata.len() == bytes.len() as u64 => {
            directory.read(target).map_or(true, |found| found != bytes)
        }
        Ok(_) => true,
        Err(_) => false,
    }
}

pub(crate) fn require_size(grants: &Grants, bytes: usize) -> Result<(), ToolFailure> {
    if bytes as u64 <= grants.max_bytes {
        return Ok(());
    }
    let message = format!(
        "{bytes} bytes are more than the granted {}",
        grants.max_bytes
    );
    Err(ToolFailure::limit(message).with_hint("raise `[grants] max_bytes`"))
}

/// The file itself when the path is a link to it; a folder cannot be written.
fn target(place: &Place) -> Result<PathBuf, ToolFailure> {
    match place.directory.symlink_metadata(&place.relative) {
        Ok(metadata) if metadata.is_symlink() => place.resolved(),
        Ok(metadata) if metadata.is_dir() => {
            let message = format!("`{}` is a folder", place.shown());
            Err(ToolFailure::permanent(message))
        }
        _ => Ok(place.relative.clone()),
    }
}

/// Writes beside the target and renames. The name of the temporary file comes from
/// the call's key: a repeat after a crash takes it over instead of leaving litter.
fn replace(place: &Place, target: &Path, bytes: &[u8], key: &str) -> io::Result<()> {
    let digest = blake3::hash(format!("{key}\0{}", target.display()).as_bytes()).to_hex();
    let short: String = digest.chars().take(16).collect();
    let temporary = target.with_file_name(format!(".holloway-{short}.tmp"));
    let outcome = write_and_rename(&place.directory, &temporary, target, bytes);
    match outcome {
        Ok(()) => place.sync_parent(target),
        Err(error) => {
            // Best effort: the first error is the one that matters.
            place.directory.remove_file(&temporary).ok();
            Err(error)
        }
    }
}

fn write_and_rename(
    directory: &Dir,
    temporary: &Path,
    target: &Path,
    bytes: &[u8],
) -> io::Result<()> {
    let mut file = directory.create(temporary)?;
    file.write_all(bytes)?;
    if let Ok(metadata) = directory.metadata(target) {
        file.set_permissions(metadata.permissions())?;
    }
    file.sync_all()?;
    directory.rename(temporary, directory, target)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{run, with_folder};
    use super::*;

    #[tokio::test]
    async fn a_file_is_written_whole_and_again_without_a_trace() {
        let (folder, toolbox) = with_folder();
        let arguments = json!({"path": "reports/2024/a.txt", "content": "grün"});
        for _ in 0..2 {
            let written = run(&toolbox, "builtin/file-write", arguments.clone())
                .await
                .unwrap();
            assert_eq!(written, json!({"path": "reports/2024/a.txt", "bytes": 5}));
        }
        let parent = folder.path().join("reports/2024");
        assert_eq!(
            std::fs::read_to_string(parent.join("a.txt")).unwrap(),
            "grün"
        );
        assert_eq!(std::fs::read_dir(parent).unwrap().count(), 1);
    }

    #[tokio::test]
    async fn a_link_inside_is_written_through_and_stays_a_link() {
        let (folder, toolbox) = with_folder();
        std::fs::write(folder.path().join("real.txt"), "old").unwrap();
        std::os::unix::fs::symlink("real.txt", folder.path().join("link.txt")).unwrap();
        let arguments = json!({"path": "link.txt", "content": "bmV3", "encoding": "base64"});
        run(&toolbox, "builtin/file-write", arguments)
            .await
            .unwrap();
        assert_eq!(
            std::fs::read_to_string(folder.path().join("real.txt")).unwrap(),
            "new"
        );
        assert!(folder.path().join("link.txt").is_symlink());
    }

    #[tokio::test]
    async fn too_much_and_wrong_places_are_refused() {
        let (folder, toolbox) = with_folder();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        let write = |arguments| run(&toolbox, "builtin/file-write", arguments);
        let large = write(json!({"path": "a", "content": "x".repeat(11_000_000)})).await;
        assert!(large.unwrap_err().hint.unwrap().contains("max_bytes"));
        let directory = write(json!({"path": "sub", "content": ""}))
            .await
            .unwrap_err();
        assert!(directory.message.ends_with("is a folder"));
    }
}
