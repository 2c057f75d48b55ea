//! `file-delete`: remove this file for good.

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
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::{Access, Last, Place, locate_last};

pub(crate) struct Delete {
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl Delete {
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
}

#[async_trait]
impl Tool for Delete {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-delete",
            title: "Delete a file",
            category: "files",
            description: "Deletes one file, link or empty folder in a granted, writable folder. There is no way back. Use it only \
                for what is no longer needed. Returns whether something was deleted: a missing file is a result, not a \
                failure.",
            effect: Effect::Destructive,
            latency_ms: 5,
            input: input(
                &["path"],
                json!({"path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"}}),
            ),
            output: output(
                &["path", "deleted"],
                json!({
                    "path": {"type": "string"},
                    "deleted": {"type": "boolean", "description": "False when there was nothing"}
                }),
            ),
            example: json!({"path": "a.txt"}),
            does: &[
                "delete file:path -> nothing",
            ],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let call = call.clone();
        blocking(move || delete(&grants, &made, &arguments.path, &call).map(CallOutput::from)).await
    }
}

fn delete(
    grants: &Grants,
    made: &Made,
    path: &str,
    call: &CallRequest,
) -> Result<Value, ToolFailure> {
    let place = locate_last(grants, path, Access::Write, Last::Keep)?;
    place.may_change(call, made, place.exists())?;
    let deleted = match remove(&place) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(place.failure(&error)),
    };
    // Whatever is there next is somebody else's.
    made.forget(&call.run, &place);
    Ok(json!({ "path": path, "deleted": deleted }))
}

fn remove(place: &Place) -> io::Result<()> {
    // A link itself is removed, never what it points to.
    if place.directory.symlink_metadata(&place.relative)?.is_dir() {
        place.directory.remove_dir(&place.relative)
    } else {
        place.directory.remove_file(&place.relative)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{run, with_folder};
    use super::*;

    #[tokio::test]
    async fn a_file_is_gone_and_a_full_folder_stays() {
        let (folder, toolbox) = with_folder();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        std::fs::write(folder.path().join("sub/a.txt"), "").unwrap();
        let delete = |path: &str| run(&toolbox, "builtin/file-delete", json!({"path": path}));
        assert!(delete("sub").await.is_err());
        assert_eq!(delete("sub/a.txt").await.unwrap()["deleted"], true);
        assert_eq!(delete("sub/a.txt").await.unwrap()["deleted"], false);
        assert_eq!(delete("sub").await.unwrap()["deleted"], true);
    }

    #[tokio::test]
    async fn a_link_goes_but_not_its_target() {
        let (folder, toolbox) = with_folder();
        let outside = tempfile::NamedTempFile::new().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        let deleted = run(&toolbox, "builtin/file-delete", json!({"path": "link"})).await;
        assert_eq!(deleted.unwrap()["deleted"], true);
        assert!(outside.path().exists());
    }
}
