//! `file-list`: what is in this folder?

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::{Dir, DirEntry, Metadata};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::{Grants, Tool, arguments};
use super::way::{identity, open_folder};
use super::{Access, locate, may_descend};

const MAX_ENTRIES: usize = 100_000;

pub(crate) struct List(pub(crate) Arc<Grants>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default = "here")]
    path: String,
    #[serde(default)]
    recursive: bool,
    #[serde(default = "default_limit")]
    limit: usize,
}

fn here() -> String {
    ".".to_owned()
}

fn default_limit() -> usize {
    1000
}

#[async_trait]
impl Tool for List {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-list",
            title: "List a folder",
            category: "files",
            description: "Lists the files and folders in a granted folder, or in everything below it with `recursive`. Use it to \
                find out what can be read. Returns entries with path (as the other file tools take it), kind and size, \
                ordered by path; links are listed but not followed. `truncated` says that there are more.",
            effect: Effect::Read,
            latency_ms: 20,
            input: input(
                &[],
                json!({
                    "path": {"type": "string", "minLength": 1, "default": ".", "description": "Relative to a granted folder, or absolute inside one"},
                    "recursive": {"type": "boolean", "default": false},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_ENTRIES, "default": 1000, "description": "The most entries returned"}
                }),
            ),
            output: output(
                &["path", "entries", "truncated"],
                json!({
                    "path": {"type": "string"},
                    "entries": {"type": "array", "items": {
                        "type": "object",
                        "required": ["path", "kind", "size"],
                        "properties": {
                            "path": {"type": "string"},
                            "kind": {"type": "string", "enum": ["file", "folder", "link", "other"]},
                            "size": {"type": "integer"}
                        }
                    }},
                    "truncated": {"type": "boolean"}
                }),
            ),
            example: json!({}),
            does: &[
                "open folder:path -> file[]:entries[].path with recursive=recursive",
                "list folder:path -> table:entries with recursive=recursive",
                "list folder:path -> table:entries with recursive=recursive unit is files",
            ],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let mut arguments: Arguments = arguments::parse(arguments)?;
        arguments.limit = arguments.limit.min(MAX_ENTRIES);
        let grants = Arc::clone(&self.0);
        blocking(move || list(&grants, &arguments).map(CallOutput::from)).await
    }
}

fn list(grants: &Grants, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let place = locate(grants, &arguments.path, Access::Read)?;
    let start = place
        .directory
        .open_dir(&place.relative)
        .map_err(|error| place.failure(&error))?;
    let mut found = BTreeMap::new();
    let start = Open {
        directory: start,
        path: PathBuf::from(&arguments.path),
        real: place.real.clone(),
    };
    let mut waiting = vec![start];
    // One more than asked for, to know whether there is more.
    while let Some(folder) = waiting.pop()
        && found.len() <= arguments.limit
    {
        let room = arguments.limit + 1 - found.len();
        let below = visit(&folder, room, &mut found);
        let below = below.map_err(|error| place.failure(&error))?;
        let below = below.into_iter().filter(|_| arguments.recursive);
        waiting.extend(below.filter(|folder| folder.may_be_entered(grants)));
    }
    let truncated = found.len() > arguments.limit;
    let entries: Vec<_> = found.into_values().take(arguments.limit).collect();
    Ok(json!({ "path": arguments.path, "entries": entries, "truncated": truncated }))
}

/// A folder that is being listed.
struct Open {
    directory: Dir,
    /// As it was given.
    path: PathBuf,
    /// As it is.
    real: PathBuf,
}

impl Open {
    /// Whether its contents may be listed too.
    fn may_be_entered(&self, grants: &Grants) -> bool {
        let identity = identity(&self.directory);
        identity.is_ok_and(|identity| may_descend(grants, &self.real, &[identity]))
    }
}

/// Notes the entries of one folder and returns the folders among them.
fn visit(
    folder: &Open,
    room: usize,
    found: &mut BTreeMap<PathBuf, Value>,
) -> io::Result<Vec<Open>> {
    let mut below = Vec::new();
    for entry in folder.directory.read_dir(".")?.take(room) {
        let entry = entry?;
        let entry_path = join(&folder.path, &entry);
        // An entry may vanish between being listed and being looked at.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        if metadata.is_dir()
            && let Ok(directory) = open_folder(&folder.directory, entry.file_name())
        {
            below.push(Open {
                directory,
                path: entry_path.clone(),
                real: folder.real.join(entry.file_name()),
            });
        }
        let shown = entry_path.display().to_string();
        let description = json!({ "path": shown, "kind": kind(&metadata), "size": metadata.len() });
        found.insert(entry_path, description);
    }
    Ok(below)
}

fn join(path: &Path, entry: &DirEntry) -> PathBuf {
    if path == Path::new(".") {
        PathBuf::from(entry.file_name())
    } else {
        path.join(entry.file_name())
    }
}

pub(crate) fn kind(metadata: &Metadata) -> &'static str {
    match metadata {
        _ if metadata.is_symlink() => "link",
        _ if metadata.is_dir() => "folder",
        _ if metadata.is_file() => "file",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{run, with_folder};
    use super::*;

    async fn paths(arguments: Value) -> (Vec<String>, bool) {
        let (folder, toolbox) = with_folder();
        std::fs::create_dir_all(folder.path().join("sub/deep")).unwrap();
        for name in ["b.txt", "a.txt", "sub/c.txt", "sub/deep/d.txt"] {
            std::fs::write(folder.path().join(name), "12345").unwrap();
        }
        std::os::unix::fs::symlink("/etc", folder.path().join("sub/link")).unwrap();
        let result = run(&toolbox, "builtin/file-list", arguments).await.unwrap();
        let entries = result["entries"].as_array().unwrap();
        let paths = entries
            .iter()
            .map(|entry| entry["path"].as_str().unwrap().to_owned());
        (paths.collect(), result["truncated"].as_bool().unwrap())
    }

    #[tokio::test]
    async fn one_folder_or_all_below() {
        let (flat, _) = paths(json!({})).await;
        assert_eq!(flat, ["a.txt", "b.txt", "sub"]);
        let (all, truncated) = paths(json!({"path": "sub", "recursive": true})).await;
        assert_eq!(all, ["sub/c.txt", "sub/deep", "sub/deep/d.txt", "sub/link"]);
        assert!(!truncated);
    }

    #[tokio::test]
    async fn a_limit_is_kept_and_told() {
        let (some, truncated) = paths(json!({"recursive": true, "limit": 2})).await;
        assert_eq!((some.len(), truncated), (2, true));
        let (_, truncated) = paths(json!({"limit": 3})).await;
        assert!(!truncated);
    }
}
