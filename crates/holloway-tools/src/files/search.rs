//! `file-search`: in which lines of which files does a text stand?

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::Dir;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::text::pattern::compile;
use super::super::{Grants, Tool, arguments};
use super::way::{identity, open_folder};
use super::{Access, Place, locate, may_descend};

/// More files than this are not looked at, nor more of one file, nor more of all.
const MAX_FILES: usize = 20_000;
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
const MAX_BYTES: u64 = 256 * 1024 * 1024;
const MAX_MATCHES: usize = 10_000;
/// So much of a line is shown.
const LINE: usize = 300;

pub(crate) struct Search(pub(crate) Arc<Grants>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    query: String,
    #[serde(default = "here")]
    path: String,
    #[serde(default)]
    pattern: bool,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    endings: Vec<String>,
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
impl Tool for Search {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-search",
            title: "Search in files",
            category: "files",
            description: "Finds the lines of files in a granted folder, and in everything below it, that hold a text or, with `pattern`, match a \
                regular expression. Use it to find comments, mentions of a name, or where something is set. Files that are no text, folders \
                whose name begins with a dot, and links are passed over. Returns matches with path, line (from 1) and text, their count, how many \
                files hold one, and how many were looked at; `truncated` says that there is more than was looked at or returned.",
            effect: Effect::Read,
            latency_ms: 50,
            input: input(
                &["query"],
                json!({
                    "query": {"type": "string", "minLength": 1, "description": "The text to find"},
                    "path": {"type": "string", "minLength": 1, "default": ".", "description": "The folder, or one file; relative to a granted folder, or absolute inside one"},
                    "pattern": {"type": "boolean", "default": false, "description": "`query` is a regular expression (Rust syntax, no look-around)"},
                    "ignore_case": {"type": "boolean", "default": false},
                    "endings": {"type": "array", "items": {"type": "string"}, "description": "Only files whose names end so, such as rs or py"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_MATCHES, "default": 1000, "description": "The most matches returned"}
                }),
            ),
            output: output(
                &["matches", "count", "files", "searched", "truncated"],
                json!({
                    "matches": {"type": "array", "items": {
                        "type": "object",
                        "required": ["path", "line", "text"],
                        "properties": {"path": {"type": "string"}, "line": {"type": "integer"}, "text": {"type": "string"}}
                    }},
                    "count": {"type": "integer"},
                    "files": {"type": "integer", "description": "Files with a match"},
                    "searched": {"type": "integer", "description": "Files that were looked at"},
                    "truncated": {"type": "boolean"}
                }),
            ),
            example: json!({"query": "note"}),
            does: &[
                "find folder|file:path -> table:matches with query=pattern ignore_case:=true ignore_case=case",
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
        blocking(move || search(&grants, &arguments).map(CallOutput::from)).await
    }
}

fn search(grants: &Grants, arguments: &Arguments) -> Result<Value, ToolFailure> {
    let pattern = compile(&arguments.query, arguments.ignore_case, !arguments.pattern)?;
    let place = locate(grants, &arguments.path, Access::Read)?;
    let metadata = place.directory.metadata(&place.relative);
    let metadata = metadata.map_err(|error| place.failure(&error))?;
    let mut found = Found::new(&pattern, arguments.limit.min(MAX_MATCHES));
    if metadata.is_dir() {
        walk(grants, &place, arguments, &mut found)?;
    } else {
        place.require_file()?;
        found.look(
            &place.directory,
            &place.relative,
            Path::new(&arguments.path),
        );
    }
    Ok(found.told())
}

/// Folder by folder, each in the order of its names.
fn walk(
    grants: &Grants,
    place: &Place,
    arguments: &Arguments,
    found: &mut Found<'_>,
) -> Result<(), ToolFailure> {
    let start = place.directory.open_dir(&place.relative);
    let start = start.map_err(|error| place.failure(&error))?;
    let mut waiting = vec![(start, PathBuf::from(&arguments.path), place.real.clone())];
    while let Some((directory, path, real)) = waiting.pop() {
        // Names alone do not tell: a mount may lead to a folder that is out of reach.
        let Ok(identity) = identity(&directory) else {
            continue;
        };
        if !may_descend(grants, &real, &[identity]) {
            continue;
        }
        let entries = directory
            .read_dir(".")
            .map_err(|error| place.failure(&error))?;
        let mut below: BTreeMap<PathBuf, Dir> = BTreeMap::new();
        let mut files: Vec<PathBuf> = Vec::new();
        // What vanishes between being listed and being looked at is passed over.
        for entry in entries.take(MAX_FILES).flatten() {
            let (Ok(metadata), name) = (entry.metadata(), PathBuf::from(entry.file_name())) else {
                continue;
            };
            let is_hidden = name.to_string_lossy().starts_with('.');
            if metadata.is_file() && ends_so(&name, &arguments.endings) {
                files.push(name);
            } else if metadata.is_dir()
                && !is_hidden
                && let Ok(inner) = open_folder(&directory, &name)
            {
                below.insert(name, inner);
            }
        }
        files.sort();
        for name in files {
            if found.is_full() {
                return Ok(());
            }
            if may_descend(grants, &real.join(&name), &[]) {
                found.look(&directory, &name, &joined(&path, &name));
            }
        }
        for (name, inner) in below.into_iter().rev() {
            waiting.push((inner, joined(&path, &name), real.join(&name)));
        }
    }
    Ok(())
}

fn joined(path: &Path, name: &Path) -> PathBuf {
    if path == Path::new(".") {
        name.to_owned()
    } else {
        path.join(name)
    }
}

pub(super) fn ends_so(name: &Path, endings: &[String]) -> bool {
    let name = name.to_string_lossy().to_lowercase();
    let ends = |ending: &String| {
        name.ends_with(&format!(
            ".{}",
            ending.trim_start_matches(['*', '.']).to_lowercase()
        ))
    };
    endings.is_empty() || endings.iter().any(ends)
}

struct Found<'a> {
    pattern: &'a Regex,
    limit: usize,
    matches: Vec<Value>,
    files: usize,
    searched: usize,
    bytes: u64,
    truncated: bool,
}

impl<'a> Found<'a> {
    fn new(pattern: &'a Regex, limit: usize) -> Self {
        Self {
            pattern,
            limit,
            matches: Vec::new(),
            files: 0,
            searched: 0,
            bytes: 0,
            truncated: false,
        }
    }

    fn is_full(&mut self) -> bool {
        let is_full = self.searched >= MAX_FILES
            || self.bytes >= MAX_BYTES
            || self.matches.len() >= self.limit;
        self.truncated |= is_full;
        is_full
    }

    /// Notes the lines of one file; what cannot be read as text has none.
    fn look(&mut self, directory: &Dir, name: &Path, shown: &Path) {
        let mut bytes = Vec::new();
        let read = directory
            .open(name)
            .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
        if read.is_err() || bytes.contains(&0) {
            return;
        }
        self.searched += 1;
        self.bytes += bytes.len() as u64;
        self.truncated |= bytes.len() as u64 > MAX_FILE_BYTES;
        let text = String::from_utf8_lossy(&bytes);
        let before = self.matches.len();
        for (at, line) in text.lines().enumerate() {
            if !self.pattern.is_match(line) {
                continue;
            }
            if self.matches.len() >= self.limit {
                self.truncated = true;
                break;
            }
            let text: String = line.trim().chars().take(LINE).collect();
            let path = shown.display().to_string();
            self.matches
                .push(json!({"path": path, "line": at + 1, "text": text}));
        }
        self.files += usize::from(self.matches.len() > before);
    }

    fn told(self) -> Value {
        json!({
            "matches": self.matches,
            "count": self.matches.len(),
            "files": self.files,
            "searched": self.searched,
            "truncated": self.truncated,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{run, with_folder};
    use super::*;

    async fn found(arguments: Value) -> Value {
        let (folder, toolbox) = with_folder();
        std::fs::create_dir_all(folder.path().join("src/.git")).unwrap();
        for (name, text) in [
            ("src/b.py", "x = 1\n# NOTE later\n"),
            ("src/a.rs", "// NOTE one\n// note two\n"),
            ("src/.git/c", "NOTE hidden\n"),
            ("src/binary", "NOTE\u{0}\n"),
            ("other.txt", "NOTE elsewhere\n"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("/etc", folder.path().join("src/link")).unwrap();
        let result = run(&toolbox, "builtin/file-search", arguments).await;
        result.unwrap_or_else(|failure| json!(failure.message))
    }

    #[tokio::test]
    async fn lines_are_found_below_a_folder() {
        let result = found(json!({"query": "NOTE", "path": "src"})).await;
        let expected = json!([
            {"path": "src/a.rs", "line": 1, "text": "// NOTE one"},
            {"path": "src/b.py", "line": 2, "text": "# NOTE later"},
        ]);
        assert_eq!(result["matches"], expected);
        assert_eq!(
            (&result["files"], &result["searched"]),
            (&json!(2), &json!(2))
        );
        assert_eq!(result["truncated"], false);
    }

    #[tokio::test]
    async fn what_is_looked_for_can_be_narrowed() {
        for (arguments, count) in [
            (
                json!({"query": "note", "ignore_case": true, "endings": ["rs"]}),
                2,
            ),
            (json!({"query": "N.TE", "path": "src"}), 0),
            (json!({"query": "N.TE", "path": "src", "pattern": true}), 2),
            (json!({"query": "NOTE", "path": "other.txt"}), 1),
        ] {
            assert_eq!(
                found(arguments.clone()).await["count"],
                count,
                "{arguments}"
            );
        }
        let some = found(json!({"query": "NOTE", "limit": 1})).await;
        assert_eq!(
            (&some["count"], &some["truncated"]),
            (&json!(1), &json!(true))
        );
    }

    #[tokio::test]
    async fn mistakes_are_told() {
        let wrong = found(json!({"query": "(", "pattern": true})).await;
        assert!(
            wrong
                .as_str()
                .unwrap()
                .contains("the pattern does not work"),
            "{wrong}"
        );
        let outside = found(json!({"query": "x", "path": "../.."})).await;
        assert!(outside.is_string(), "{outside}");
    }
}
