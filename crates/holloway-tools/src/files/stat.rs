//! `file-stat`: is it there, what is it, how large?

use std::io;
use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::{Grants, Tool, arguments};
use super::list::kind;
use super::{Access, locate};

pub(crate) struct Stat(pub(crate) Arc<Grants>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
}

#[async_trait]
impl Tool for Stat {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-stat",
            title: "Look at a file",
            category: "files",
            description: "Looks at a path in a granted folder. Use it before reading or to check that a file was written. Returns \
                whether it exists, its kind and its size in bytes. A missing file is a result (`exists: false`), not a \
                failure. Links are followed inside the folder.",
            effect: Effect::Read,
            latency_ms: 2,
            input: input(
                &["path"],
                json!({"path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"}}),
            ),
            output: output(
                &["path", "exists"],
                json!({
                    "path": {"type": "string"},
                    "exists": {"type": "boolean"},
                    "kind": {"type": "string", "enum": ["file", "folder", "link", "other"]},
                    "size": {"type": "integer"}
                }),
            ),
            example: json!({"path": "a.txt"}),
            does: &[
                "exists file:path -> truth:exists",
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
        blocking(move || stat(&grants, &arguments.path).map(CallOutput::from)).await
    }
}

fn stat(grants: &Grants, path: &str) -> Result<Value, ToolFailure> {
    let place = locate(grants, path, Access::Read)?;
    match place.directory.metadata(&place.relative) {
        Ok(metadata) => Ok(json!({
            "path": path,
            "exists": true,
            "kind": kind(&metadata),
            "size": metadata.len(),
        })),
        Err(error) if is_missing(&error) => Ok(json!({ "path": path, "exists": false })),
        Err(error) => Err(place.failure(&error)),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{run, with_folder};
    use super::*;

    #[tokio::test]
    async fn files_folders_and_nothing_are_told_apart() {
        let (folder, toolbox) = with_folder();
        std::fs::write(folder.path().join("a.txt"), "12345").unwrap();
        let stat = |path: &str| run(&toolbox, "builtin/file-stat", json!({"path": path}));
        assert_eq!(
            stat("a.txt").await.unwrap(),
            json!({"path": "a.txt", "exists": true, "kind": "file", "size": 5})
        );
        assert_eq!(stat(".").await.unwrap()["kind"], "folder");
        for missing in ["b.txt", "a.txt/b.txt"] {
            assert_eq!(
                stat(missing).await.unwrap(),
                json!({"path": missing, "exists": false})
            );
        }
    }
}
