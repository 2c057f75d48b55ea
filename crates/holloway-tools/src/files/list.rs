//! `file-list`: what is in this folder?

use std::cmp::Ordering;
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::Metadata;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::{Grants, Tool, arguments};
use super::{Access, locate};

mod walk;

use walk::{Found, Walk};

const MAX_ENTRIES: usize = 100_000;
/// More entries than this are not looked at, whatever is wanted of them.
const MAX_VISITED: usize = 200_000;

pub(crate) struct List(pub(crate) Arc<Grants>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default = "here")]
    path: String,
    #[serde(default)]
    recursive: bool,
    #[serde(default)]
    endings: Vec<String>,
    #[serde(default)]
    files_only: bool,
    #[serde(default)]
    sort: Sort,
    #[serde(default)]
    descending: bool,
    #[serde(default = "default_limit")]
    limit: usize,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sort {
    #[default]
    Name,
    Size,
    Modified,
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
                find out what can be read. Returns entries with path (as the other file tools take it), kind, size in bytes \
                and the time of the last change, ordered by path, size or that time; links are listed but not followed. \
                `truncated` says that there are more; no more than 200,000 entries are looked at.",
            effect: Effect::Read,
            latency_ms: 20,
            input: input(
                &[],
                json!({
                    "path": {"type": "string", "minLength": 1, "default": ".", "description": "Relative to a granted folder, or absolute inside one"},
                    "recursive": {"type": "boolean", "default": false},
                    "endings": {"type": "array", "items": {"type": "string", "minLength": 1}, "description": "Only files whose names end so, such as csv or json; everything if left out"},
                    "files_only": {"type": "boolean", "default": false, "description": "Leave folders and links out"},
                    "sort": {"type": "string", "enum": ["name", "size", "modified"], "default": "name", "description": "What the entries are ordered by; `name` is the whole path"},
                    "descending": {"type": "boolean", "default": false, "description": "From Z to A, the largest or the newest first"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_ENTRIES, "default": 1000, "description": "The most entries returned"}
                }),
            ),
            output: output(
                &["path", "entries", "files", "truncated"],
                json!({
                    "path": {"type": "string"},
                    "entries": {"type": "array", "items": {
                        "type": "object",
                        "required": ["path", "kind", "size"],
                        "properties": {
                            "path": {"type": "string"},
                            "kind": {"type": "string", "enum": ["file", "folder", "link", "other"]},
                            "size": {"type": "integer"},
                            "modified": {"type": "string", "format": "date-time", "description": "In UTC, in whole seconds"}
                        }
                    }},
                    "files": {"type": "integer", "description": "How many of the entries are files"},
                    "truncated": {"type": "boolean"}
                }),
            ),
            example: json!({}),
            does: &[
                "open folder:path -> file[]:entries[].path with recursive=recursive files_only:=true",
                "list folder:path -> table:entries with recursive=recursive sort=order.by descending=order.descending limit=limit.rows",
                "list folder:path -> table:entries with recursive=recursive sort=order.by descending=order.descending limit=limit.rows unit is files files_only:=true",
                r#"list folder:path -> table:entries with recursive=recursive sort=order.by descending=order.descending limit=limit.rows unit is pictures endings:=["jpg","jpeg","png","gif","webp","heic","bmp","tif","tiff","svg","avif"]"#,
                "count folder:path -> number:files with recursive=recursive unit is files",
                r#"count folder:path -> number:files with recursive=recursive unit is pictures endings:=["jpg","jpeg","png","gif","webp","heic","bmp","tif","tiff","svg","avif"]"#,
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
    list_within(grants, arguments, MAX_VISITED)
}

fn list_within(grants: &Grants, arguments: &Arguments, room: usize) -> Result<Value, ToolFailure> {
    let place = locate(grants, &arguments.path, Access::Read)?;
    let mut walk = Walk {
        grants,
        recursive: arguments.recursive,
        endings: &arguments.endings,
        room,
        found: Vec::new(),
    };
    let is_cut = walk.run(&place, &arguments.path);
    let is_cut = is_cut.map_err(|error| place.failure(&error))?;
    let mut found = walk.found;
    found.retain(|found| found.is_file() || !arguments.files_only);
    found.sort_by(|one, other| {
        let by_key = match arguments.sort {
            Sort::Name => Ordering::Equal,
            Sort::Size => one.size.cmp(&other.size),
            Sort::Modified => one.modified.cmp(&other.modified),
        };
        let ordered = by_key.then_with(|| one.path.cmp(&other.path));
        if arguments.descending {
            ordered.reverse()
        } else {
            ordered
        }
    });
    let truncated = is_cut || found.len() > arguments.limit;
    let entries: Vec<_> = found
        .iter()
        .take(arguments.limit)
        .map(Found::told)
        .collect();
    let files = found.iter().take(arguments.limit);
    let files = files.filter(|found| found.is_file()).count();
    Ok(
        json!({ "path": arguments.path, "entries": entries, "files": files, "truncated": truncated }),
    )
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
    use std::time::{Duration, SystemTime};

    use super::super::super::testing::{folder_grants, run, with_folder};
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
    async fn files_are_picked_by_their_endings_and_ordered() {
        let (folder, toolbox) = with_folder();
        std::fs::create_dir_all(folder.path().join("sub.csv")).unwrap();
        let since = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        for (name, size, seconds) in [
            ("b.csv", 1, 30),
            ("a.CSV", 3, 20),
            ("sub.csv/c.csv", 2, 10),
            ("sub.csv/d.json", 9, 40),
            ("notes", 5, 50),
        ] {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_len(size).unwrap();
            file.set_modified(since(seconds)).unwrap();
        }
        for (arguments, expected) in [
            (json!({}), ["a.CSV", "b.csv", "sub.csv/c.csv"]),
            (
                json!({"sort": "size", "descending": true}),
                ["a.CSV", "sub.csv/c.csv", "b.csv"],
            ),
            (
                json!({"sort": "modified"}),
                ["sub.csv/c.csv", "a.CSV", "b.csv"],
            ),
        ] {
            let mut arguments = arguments;
            arguments["recursive"] = json!(true);
            arguments["endings"] = json!([".csv"]);
            let listed = run(&toolbox, "builtin/file-list", arguments.clone()).await;
            let listed = listed.unwrap();
            let entries = listed["entries"].as_array().unwrap();
            let paths = entries.iter().map(|entry| entry["path"].as_str().unwrap());
            assert_eq!(paths.collect::<Vec<_>>(), expected, "{arguments}");
        }
        let newest = json!({"sort": "modified", "descending": true, "recursive": true, "limit": 2, "endings": ["csv", "json"]});
        let listed = run(&toolbox, "builtin/file-list", newest).await.unwrap();
        assert_eq!(
            listed["entries"],
            json!([
                {"path": "sub.csv/d.json", "kind": "file", "size": 9, "modified": "1970-01-01T00:00:40Z"},
                {"path": "b.csv", "kind": "file", "size": 1, "modified": "1970-01-01T00:00:30Z"},
            ])
        );
        assert_eq!(listed["truncated"], true);
    }

    #[test]
    fn no_more_is_looked_at_than_there_is_room_for() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..10 {
            std::fs::write(folder.path().join(format!("{number}.txt")), "").unwrap();
        }
        let grants = folder_grants(folder.path());
        let arguments = json!({"endings": ["csv"]});
        let arguments: Arguments = arguments::parse(&arguments).unwrap();
        for (room, is_cut) in [(9, true), (10, false)] {
            let listed = list_within(&grants, &arguments, room).unwrap();
            assert_eq!(listed["truncated"], is_cut, "{room}");
            assert_eq!(listed["entries"], json!([]));
        }
    }

    #[tokio::test]
    async fn a_limit_is_kept_and_told() {
        let (some, truncated) = paths(json!({"recursive": true, "limit": 2})).await;
        assert_eq!((some.len(), truncated), (2, true));
        let (_, truncated) = paths(json!({"limit": 3})).await;
        assert!(!truncated);
    }
}
