//! How do tests call a tool? As the engine would, through a request.

use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallLine, CallRequest, MayReplace, ToolCaller};
use holloway_plan::tool::{Effect, ToolId};
use serde_json::Value;

use super::{Folder, Grants, Tool, Toolbox};

pub(crate) fn request(tool: &str, arguments: Value, key: &str) -> CallRequest {
    CallRequest {
        tool: ToolId::new(tool),
        arguments: Arc::new(arguments),
        effect: Effect::Read,
        key: key.into(),
        run: RunId::new("run-1"),
        node: "node".into(),
        attempt: 1,
        may_replace: MayReplace::everything(),
        expected: holloway_engine::expected::Expected::default(),
        line: CallLine::default(),
    }
}

pub(crate) async fn call(tool: &dyn Tool, arguments: Value) -> Result<Value, ToolFailure> {
    let request = request(tool.spec().id.as_str(), arguments, "key-1");
    let output = tool.call(&request.arguments, &request).await?;
    Ok(output.value)
}

pub(crate) async fn run(
    toolbox: &Toolbox,
    tool: &str,
    arguments: Value,
) -> Result<Value, ToolFailure> {
    run_keyed(toolbox, tool, arguments, "key-1").await
}

pub(crate) async fn run_keyed(
    toolbox: &Toolbox,
    tool: &str,
    arguments: Value,
    key: &str,
) -> Result<Value, ToolFailure> {
    let output = toolbox.call(request(tool, arguments, key)).await?;
    Ok(output.value)
}

/// All built-in tools without any grant.
pub(crate) async fn builtin(tool: &str, arguments: Value) -> Result<Value, ToolFailure> {
    let toolbox = Toolbox::builtin(Grants::default());
    run(&toolbox, &format!("builtin/{tool}"), arguments).await
}

/// A new folder and the built-in tools that may read and write in it.
pub(crate) fn with_folder() -> (tempfile::TempDir, Toolbox) {
    let folder = tempfile::tempdir().unwrap();
    let toolbox = Toolbox::builtin(folder_grants(folder.path()));
    (folder, toolbox)
}

pub(crate) fn folder_grants(path: &std::path::Path) -> Grants {
    Grants {
        folders: vec![Folder {
            path: path.to_owned(),
            writable: true,
        }],
        ..Grants::default()
    }
}
