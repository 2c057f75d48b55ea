//! `file-append`: add this to the end of a file. A repeat adds it again; for records
//! that must be there once, `jsonl-append` is the tool.

use std::io::{self, Write as _};
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::OpenOptions;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::write::require_size;
use super::{Access, Place, locate};

pub(crate) struct Append {
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl Append {
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
}

#[async_trait]
impl Tool for Append {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-append",
            title: "Append to a file",
            category: "files",
            description: "Adds text to the end of a file in a granted, writable folder and creates the file when it is missing. \
                Use it for logs and notes; a repeated call adds the text again. Returns the path, the bytes added and \
                the size of the file now.",
            effect: Effect::Write,
            latency_ms: 10,
            input: input(
                &["path", "content"],
                json!({
                    "path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"},
                    "content": {"type": "string", "description": "Added exactly as given: end it with a line break for a line"}
                }),
            ),
            output: output(
                &["path", "bytes", "size"],
                json!({
                    "path": {"type": "string"},
                    "bytes": {"type": "integer", "description": "Bytes added"},
                    "size": {"type": "integer", "description": "Size of the file now"}
                }),
            ),
            example: json!({"path": "a.txt", "content": " more"}),
            does: &[
                "append text:content -> file:path with path=target.path",
                "append -> file:path with content=text path=target.path",
            ],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let call = call.clone();
        blocking(move || append(&grants, &made, &arguments, &call).map(CallOutput::from)).await
    }
}

fn append(
    grants: &Grants,
    made: &Arc<Made>,
    arguments: &Arguments,
    call: &CallRequest,
) -> Result<Value, ToolFailure> {
    require_size(grants, arguments.content.len())?;
    let place = locate(grants, &arguments.path, Access::Write)?;
    place.may_change(call, made, false)?;
    let created = made.create(&call.run, &place)?;
    let _writing = if let Some(created) = created {
        created
    } else {
        place.require_file()?;
        place.may_change(call, made, true)?;
        made.write(&call.run, &place)
    };
    // Part of the text may have reached the file before an error.
    let size = add(&place, arguments.content.as_bytes())
        .map_err(|error| place.failure(&error).uncertain())?;
    Ok(json!({ "path": arguments.path, "bytes": arguments.content.len(), "size": size }))
}

fn add(place: &Place, bytes: &[u8]) -> io::Result<u64> {
    let mut options = OpenOptions::new();
    options.append(true);
    let mut file = place.open(&mut options)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{run, with_folder};
    use super::*;

    #[tokio::test]
    async fn each_call_adds_to_the_end() {
        let (folder, toolbox) = with_folder();
        let arguments = json!({"path": "logs/day.log", "content": "line\n"});
        run(&toolbox, "builtin/file-append", arguments.clone())
            .await
            .unwrap();
        let second = run(&toolbox, "builtin/file-append", arguments)
            .await
            .unwrap();
        assert_eq!(
            second,
            json!({"path": "logs/day.log", "bytes": 5, "size": 10})
        );
        let text = std::fs::read_to_string(folder.path().join("logs/day.log")).unwrap();
        assert_eq!(text, "line\nline\n");
    }
}
