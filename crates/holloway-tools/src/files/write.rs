//! `file-write`: make this file hold exactly this. The new contents appear at once
//! or not at all, and a repeat leaves the same file.

use std::io::{self, Write as _};
use std::sync::Arc;

use async_trait::async_trait;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::replacement::Replacement;
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
            does: &["save table:content|tojson -> file.json:path with path=target.path", "save text.*:content -> file.*:path with path=target.path", "save html:content -> file.html:path with path=target.path", "save -> file:path with content=text path=target.path"],
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
    pub(crate) made: &'a Arc<Made>,
    pub(crate) call: &'a CallRequest,
}

impl Saving<'_> {
    /// Makes the file at `path` hold these bytes, at once or not at all. What the run did not
    /// make is written over only where that was allowed.
    pub(crate) fn save(&self, path: &str, bytes: &[u8]) -> Result<(), ToolFailure> {
        require_size(self.grants, bytes.len())?;
        let place = locate(self.grants, path, Access::Write)?;
        place.refuse_folder()?;
        let (loses, is_same) = compare(&place, bytes);
        // The very same is no loss: a call that is repeated after a crash finds what it has
        // written itself.
        if is_same && !self.made.has(&self.call.run, &place) {
            // It holds that already, and stays whose it was.
            return Ok(());
        }
        if !is_same {
            place.may_change(self.call, self.made, loses)?;
        }
        let written = write_beside(&place, bytes, &self.call.key);
        let written = written.map_err(|error| place.failure(&error))?;
        written.finish(self.made, self.call)
    }
}

fn write_beside<'a>(place: &'a Place, bytes: &[u8], key: &str) -> io::Result<Replacement<'a>> {
    let mut replacement = Replacement::begin(place, key)?;
    replacement.file().write_all(bytes)?;
    Ok(replacement)
}

/// Whether something is there, and whether it is the very same.
fn compare(place: &Place, bytes: &[u8]) -> (bool, bool) {
    let directory = &place.directory;
    match directory.symlink_metadata(&place.relative) {
        Ok(metadata) if metadata.is_file() && metadata.len() == bytes.len() as u64 => {
            let found = directory.read(&place.relative);
            (true, found.is_ok_and(|found| found == bytes))
        }
        Ok(_) => (true, false),
        Err(_) => (false, false),
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
