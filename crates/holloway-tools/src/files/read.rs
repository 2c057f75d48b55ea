//! `file-read`: what is in this file?

use std::io::Read as _;
use std::sync::Arc;

use async_trait::async_trait;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use cap_std::fs::OpenOptions;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::{Grants, Tool, arguments};
use super::{Access, locate};

pub(crate) struct Read(pub(crate) Arc<Grants>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    #[serde(default)]
    encoding: Encoding,
    max_bytes: Option<u64>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    #[default]
    Text,
    Base64,
}

#[async_trait]
impl Tool for Read {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-read",
            title: "Read a file",
            category: "files",
            description: "Reads a file in a granted folder and returns its contents as UTF-8 text or as base64. Use it for \
                documents, data files and configuration. `truncated` says that the file is longer than what was read. \
                Fails for a file that is not text unless `encoding` is base64.",
            effect: Effect::Read,
            latency_ms: 5,
            input: input(
                &["path"],
                json!({
                    "path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"},
                    "encoding": {"type": "string", "enum": ["text", "base64"], "default": "text"},
                    "max_bytes": {"type": "integer", "minimum": 1, "description": "Stop reading here; the grant's limit if left out"}
                }),
            ),
            output: output(
                &["path", "content", "encoding", "bytes", "truncated"],
                json!({
                    "path": {"type": "string"},
                    "content": {"type": "string"},
                    "encoding": {"type": "string", "enum": ["text", "base64"]},
                    "bytes": {"type": "integer", "description": "Bytes read"},
                    "truncated": {"type": "boolean"}
                }),
            ),
            example: json!({"path": "a.txt"}),
            does: &[
                "read file.*:path -> text.*:content",
            ],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let grants = Arc::clone(&self.0);
        blocking(move || read(&grants, &arguments).map(CallOutput::from)).await
    }
}

/// At most one byte more than `limit`, which tells that there is more.
pub(crate) fn contents(grants: &Grants, path: &str, limit: u64) -> Result<Vec<u8>, ToolFailure> {
    let place = locate(grants, path, Access::Read)?;
    place.require_file()?;
    let mut bytes = Vec::new();
    place
        .open(OpenOptions::new().read(true))
        .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(|error| place.failure(&error))?;
    Ok(bytes)
}

fn read(grants: &Grants, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let limit = grants.byte_limit(arguments.max_bytes);
    let mut bytes = contents(grants, &arguments.path, limit)?;
    let truncated = bytes.len() as u64 > limit;
    bytes.truncate(limit as usize);
    let count = bytes.len();
    let (content, encoding) = match arguments.encoding {
        Encoding::Base64 => (BASE64_STANDARD.encode(&bytes), "base64"),
        Encoding::Text => (text(bytes, truncated, &arguments.path)?, "text"),
    };
    Ok(json!({
        "path": arguments.path,
        "content": content,
        "encoding": encoding,
        "bytes": count,
        "truncated": truncated,
    }))
}

fn text(bytes: Vec<u8>, truncated: bool, path: &str) -> Result<String, ToolFailure> {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let problem = error.utf8_error();
    if truncated && problem.error_len().is_none() {
        // The limit fell inside a character: leave that one out.
        let mut bytes = error.into_bytes();
        bytes.truncate(problem.valid_up_to());
        return Ok(String::from_utf8(bytes).unwrap_or_default());
    }
    let message = format!(
        "`{path}` is not UTF-8 text (byte {})",
        problem.valid_up_to()
    );
    Err(ToolFailure::permanent(message).with_hint("read it with `encoding: base64`"))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{run, with_folder};
    use super::*;

    #[tokio::test]
    async fn text_and_bytes_are_read() {
        let (folder, toolbox) = with_folder();
        std::fs::write(folder.path().join("a.txt"), "grün").unwrap();
        let read = |arguments| run(&toolbox, "builtin/file-read", arguments);
        let whole = read(json!({"path": "a.txt"})).await.unwrap();
        assert_eq!(
            whole,
            json!({"path": "a.txt", "content": "grün", "encoding": "text", "bytes": 5, "truncated": false})
        );
        let cut = read(json!({"path": "a.txt", "max_bytes": 3}))
            .await
            .unwrap();
        assert_eq!(
            (&cut["content"], &cut["truncated"]),
            (&json!("gr"), &json!(true))
        );
        let bytes = read(json!({"path": "a.txt", "encoding": "base64"}))
            .await
            .unwrap();
        assert_eq!(bytes["content"], "Z3LDvG4=");
    }

    #[tokio::test]
    async fn what_is_no_text_file_is_told_apart() {
        let (folder, toolbox) = with_folder();
        std::fs::write(folder.path().join("image"), b"\x89PNG").unwrap();
        let read = |path: &str| run(&toolbox, "builtin/file-read", json!({"path": path}));
        let image = read("image").await.unwrap_err();
        assert_eq!(image.message, "`image` is not UTF-8 text (byte 0)");
        assert!(
            read(".")
                .await
                .unwrap_err()
                .message
                .ends_with("is no regular file")
        );
        assert!(
            read("none")
                .await
                .unwrap_err()
                .message
                .ends_with("does not exist")
        );
    }
}
