//! Which files has a run made? Those it may write over without a question; everything else
//! that is there belongs to somebody.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use holloway_engine::entry::{Entry, EntryKind, Origin, RunId};
use holloway_plan::tool::Effect;
use serde_json::Value;

use super::Grants;
use super::files::{Access, Place, locate};

/// Files by the run that made them.
#[derive(Debug, Default)]
pub(crate) struct Made(Mutex<BTreeMap<RunId, BTreeSet<PathBuf>>>);

impl Made {
    /// A thread that broke while writing left the map whole: inserting is all it does.
    fn files(&self) -> MutexGuard<'_, BTreeMap<RunId, BTreeSet<PathBuf>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file that the run has just made.
    pub(crate) fn note(&self, run: &RunId, place: &Place) {
        if let Some(file) = file_at(place) {
            self.files().entry(run.clone()).or_default().insert(file);
        }
    }

    /// Whether the run made what is there.
    pub(crate) fn has(&self, run: &RunId, place: &Place) -> bool {
        let files = self.files();
        let made = files.get(run).zip(file_at(place));
        made.is_some_and(|(files, file)| files.contains(&file))
    }

    /// What the journal of a run says it has made. A call without an end may not have come to
    /// writing, so what is there may still be somebody else's.
    pub(crate) fn recall(&self, run: &RunId, entries: &[Entry], grants: &Grants) {
        let mut making: BTreeSet<u32> = BTreeSet::new();
        for entry in entries {
            match &entry.kind {
                EntryKind::StepStart {
                    node,
                    call: Some(call),
                } if call.tool.source() == "builtin" && call.effect == Effect::Idempotent => {
                    making.insert(node.n);
                }
                EntryKind::StepComplete {
                    node,
                    output,
                    origin: Origin::Call,
                    ..
                } if making.remove(&node.n) => {
                    let output = output.value();
                    let path = output.and_then(|output| output.get("path"));
                    if let Some(place) = path
                        .and_then(Value::as_str)
                        .and_then(|path| locate(grants, path, Access::Write).ok())
                    {
                        self.note(run, &place);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The file itself, however it was spelled; nothing where there is none.
fn file_at(place: &Place) -> Option<PathBuf> {
    let found = place.resolved().ok()?;
    Some(place.folder.join(found))
}

/// Whether a file is there where a call would make one.
pub(crate) fn is_there(grants: &Grants, path: &str) -> bool {
    let place = locate(grants, path, Access::Write);
    place.is_ok_and(|place| {
        let metadata = place.directory.metadata(&place.relative);
        metadata.is_ok_and(|metadata| metadata.is_file())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use holloway_engine::entry::{Intent, NodeRef, Stored};
    use holloway_engine::failure::FailureName;
    use holloway_engine::ports::{CallRequest, ToolCaller as _};
    use holloway_plan::tool::ToolId;
    use serde_json::json;

    use super::super::Toolbox;
    use super::super::testing::{folder_grants, request, with_folder};
    use super::*;

    /// Every tool that makes a whole file, with arguments that do.
    fn makers() -> [(&'static str, Value); 7] {
        let rows = json!([{"month": "May", "sales": 3}, {"month": "June", "sales": 5}]);
        let report = json!({"title": "Sales", "blocks": []});
        [
            ("file-write", json!({"path": "kept", "content": "new"})),
            ("csv-write", json!({"path": "kept", "rows": rows})),
            ("xlsx-write", json!({"path": "kept", "rows": rows})),
            (
                "report-write",
                json!({"path": "kept", "report": report, "format": "html"}),
            ),
            ("html-write", json!({"path": "kept", "markdown": "# Sales"})),
            ("pdf-write", json!({"path": "kept", "markdown": "# Sales"})),
            (
                "chart-draw",
                json!({"path": "kept", "rows": rows, "x": "month", "y": "sales"}),
            ),
        ]
    }

    fn asking(tool: &str, arguments: &Value) -> CallRequest {
        CallRequest {
            may_replace: false,
            ..request(&format!("builtin/{tool}"), arguments.clone(), "key")
        }
    }

    #[tokio::test]
    async fn no_tool_writes_over_what_the_run_did_not_make() {
        let (folder, toolbox) = with_folder();
        let file = folder.path().join("kept");
        for (tool, arguments) in makers() {
            std::fs::write(&file, "mine").unwrap();
            let id = ToolId::new(format!("builtin/{tool}"));
            let foreseen = toolbox.would_replace(&id, &arguments);
            assert_eq!(foreseen.as_deref(), Some("kept"), "{tool}");
            let asked = toolbox.call(asking(tool, &arguments)).await.unwrap_err();
            assert_eq!(asked.replaces.as_deref(), Some("kept"), "{tool}: {asked}");
            assert_eq!(asked.name, FailureName::Denied);
            assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine", "{tool}");
        }
        let all = toolbox.specs().into_iter();
        let all = all.filter(|spec| {
            toolbox
                .would_replace(&spec.id, &json!({"path": "kept"}))
                .is_some()
        });
        assert_eq!(
            all.count(),
            makers().len(),
            "a tool that makes files is not tried here"
        );
    }

    #[tokio::test]
    async fn what_is_allowed_made_by_the_run_or_the_same_is_written() {
        let (folder, toolbox) = with_folder();
        let file = folder.path().join("kept");
        let write =
            |content: &str| asking("file-write", &json!({"path": "kept", "content": content}));
        std::fs::write(&file, "mine").unwrap();
        assert!(
            toolbox.call(write("mine")).await.is_ok(),
            "nothing would be lost"
        );
        let other = CallRequest {
            run: RunId::new("another"),
            ..write("new")
        };
        assert!(toolbox.call(other.clone()).await.is_err());
        let allowed = CallRequest {
            may_replace: true,
            ..other.clone()
        };
        assert!(toolbox.call(allowed).await.is_ok());
        let again = CallRequest {
            arguments: Arc::new(json!({"path": "kept", "content": "newer"})),
            ..other
        };
        assert!(toolbox.call(again).await.is_ok(), "the run made it itself");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "newer");
    }

    #[tokio::test]
    async fn a_journal_tells_what_an_earlier_process_made() {
        let (folder, _) = with_folder();
        std::fs::write(folder.path().join("kept"), "first").unwrap();
        std::fs::write(folder.path().join("begun"), "mine").unwrap();
        let toolbox = Toolbox::builtin(folder_grants(folder.path()));
        let run = RunId::new("run-1");
        toolbox.recall(&run, &journal());
        let write = |path: &str| asking("file-write", &json!({"path": path, "content": "second"}));
        assert!(toolbox.call(write("kept")).await.is_ok());
        assert!(toolbox.call(write("begun")).await.is_err());
    }

    /// One file was made; another call had begun.
    fn journal() -> Vec<Entry> {
        let node = |n: u32| NodeRef {
            node: format!("s{n}").into(),
            step: format!("s{n}").into(),
            n,
        };
        let start = |n: u32, path: &str| EntryKind::StepStart {
            node: node(n),
            call: Some(Intent {
                tool: ToolId::new("builtin/file-write"),
                attempt: 1,
                effect: Effect::Idempotent,
                input: Stored::of(&Arc::new(json!({"path": path}))),
                key: "key".into(),
            }),
        };
        let complete = EntryKind::StepComplete {
            node: node(1),
            attempt: Some(1),
            output: Stored::of(&Arc::new(json!({"path": "kept", "bytes": 5}))),
            duration_ms: 1,
            usage: holloway_engine::ports::Usage::default(),
            origin: Origin::Call,
        };
        let kinds = [start(1, "kept"), start(2, "begun"), complete];
        let entries = kinds.into_iter().zip(1..);
        entries
            .map(|(kind, seq)| Entry { seq, at: seq, kind })
            .collect()
    }
}
