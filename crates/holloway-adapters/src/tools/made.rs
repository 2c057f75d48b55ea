//! Which files has a run made? Those it may change without a question; everything else
//! that is there belongs to somebody.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::OpenOptions;
use holloway_engine::entry::{Entry, EntryKind, Origin, RunId};
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::Value;

use super::Grants;
use super::files::{Access, Last, Place, locate, locate_last};
use super::ungranted::path_of;

/// A file that a call would change although it may belong to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The path as it is given to the tool.
    pub path: String,
    /// The resolved path.
    pub file: String,
    /// It is in a sensitive place: a person is asked even if nothing is there.
    pub sensitive: bool,
}

impl Changed {
    /// The resolved path, with what a person should know about it.
    pub fn shown(&self) -> String {
        if self.sensitive {
            format!("{}, which is in a sensitive place", self.file)
        } else {
            self.file.clone()
        }
    }
}

/// Files by the run that made them, under their resolved paths.
#[derive(Debug, Default)]
pub(crate) struct Made(Mutex<BTreeMap<RunId, BTreeSet<PathBuf>>>);

impl Made {
    /// A thread that broke while writing left the map whole: inserting is all it does.
    fn files(&self) -> MutexGuard<'_, BTreeMap<RunId, BTreeSet<PathBuf>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file that the run has just made.
    pub(crate) fn note(&self, run: &RunId, place: &Place) {
        let mut files = self.files();
        files
            .entry(run.clone())
            .or_default()
            .insert(place.real.clone());
    }

    /// A file that is not the run's any more.
    pub(crate) fn forget(&self, run: &RunId, place: &Place) {
        if let Some(files) = self.files().get_mut(run) {
            files.remove(&place.real);
        }
    }

    /// Whether the run made what is there.
    pub(crate) fn has(&self, run: &RunId, place: &Place) -> bool {
        let files = self.files();
        files
            .get(run)
            .is_some_and(|files| files.contains(&place.real))
    }

    /// Makes an empty file for the run, with the folders above it; says whether there was none.
    /// Another call of the run sees the file only once it is noted.
    pub(crate) fn create(&self, run: &RunId, place: &Place) -> Result<bool, ToolFailure> {
        place.create_parents()?;
        let mut files = self.files();
        let created = place.open(OpenOptions::new().write(true).create_new(true));
        match created {
            Ok(_) => {
                let own = files.entry(run.clone()).or_default();
                own.insert(place.real.clone());
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(place.failure(&error)),
        }
    }

    /// What the journal of a run says it has made. A call without an end may not have come to
    /// writing, so what is there may still be somebody else's.
    pub(crate) fn recall(&self, run: &RunId, entries: &[Entry], grants: &Grants) {
        let mut making: BTreeMap<u32, Option<String>> = BTreeMap::new();
        for entry in entries {
            match &entry.kind {
                EntryKind::StepStart {
                    node,
                    call: Some(call),
                } if call.tool.source() == "builtin"
                    && matches!(call.effect, Effect::Idempotent | Effect::Write) =>
                {
                    making.insert(node.n, path_in(call.input.value()));
                }
                EntryKind::StepComplete {
                    node,
                    output,
                    origin: Origin::Call,
                    ..
                } => {
                    let Some(given) = making.remove(&node.n) else {
                        continue;
                    };
                    let path = path_in(output.value()).or(given);
                    let place = path.and_then(|path| locate(grants, &path, Access::Write).ok());
                    // Where a link leads now is not where it led then.
                    if let Some(place) = place.filter(|place| !place.has_links()) {
                        self.note(run, &place);
                    }
                }
                _ => {}
            }
        }
    }
}

fn path_in(value: Option<&Arc<Value>>) -> Option<String> {
    Some(value?.get("path")?.as_str()?.to_owned())
}

/// What a call of a tool that changes files would change, if a person may be asked about it.
pub(crate) fn changed(grants: &Grants, tool: &ToolSpec, arguments: &Value) -> Option<Changed> {
    if tool.effect == Effect::Read {
        return None;
    }
    let path = path_of(tool, arguments)?;
    // What is deleted is the link itself.
    let last = match tool.effect {
        Effect::Destructive => Last::Keep,
        _ => Last::Follow,
    };
    let place = locate_last(grants, path, Access::Write, last).ok()?;
    let sensitive = place.is_sensitive();
    (sensitive || place.exists()).then(|| Changed {
        path: path.to_owned(),
        file: place.file(),
        sensitive,
    })
}

#[cfg(test)]
mod tests {
    use holloway_engine::entry::{Intent, NodeRef, Stored};
    use holloway_engine::failure::FailureName;
    use holloway_engine::ports::{CallRequest, MayReplace, ToolCaller as _};
    use holloway_plan::tool::ToolId;
    use serde_json::json;

    use super::super::Toolbox;
    use super::super::testing::{folder_grants, request, with_folder};
    use super::*;

    /// Every tool that changes a file, with arguments that do.
    fn makers() -> [(&'static str, Value); 11] {
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
            ("file-append", json!({"path": "kept", "content": "more"})),
            ("jsonl-append", json!({"path": "kept", "record": {"a": 1}})),
            (
                "sqlite-execute",
                json!({"path": "kept", "sql": "create table t(a)"}),
            ),
            ("file-delete", json!({"path": "kept"})),
        ]
    }

    fn asking(tool: &str, arguments: &Value) -> CallRequest {
        CallRequest {
            may_replace: MayReplace::default(),
            ..request(&format!("builtin/{tool}"), arguments.clone(), "key")
        }
    }

    /// The built-in tools that change the file at their `path`, as their definitions say.
    fn changers(toolbox: &Toolbox) -> Vec<String> {
        let specs = toolbox.specs().into_iter();
        let arguments = json!({"path": "kept"});
        specs
            .filter(|spec| spec.effect != Effect::Read && path_of(spec, &arguments).is_some())
            .map(|spec| spec.id.name().to_owned())
            .collect()
    }

    #[tokio::test]
    async fn no_tool_changes_what_the_run_did_not_make() {
        let (folder, toolbox) = with_folder();
        let file = folder.path().canonicalize().unwrap().join("kept");
        let shown = file.display().to_string();
        for (tool, arguments) in makers() {
            std::fs::write(&file, "mine").unwrap();
            let id = ToolId::new(format!("builtin/{tool}"));
            let foreseen = toolbox.would_change(&id, &arguments).unwrap();
            let expected = Changed {
                path: "kept".to_owned(),
                file: shown.clone(),
                sensitive: false,
            };
            assert_eq!(foreseen, expected, "{tool}");
            let asked = toolbox.call(asking(tool, &arguments)).await.unwrap_err();
            assert_eq!(asked.replaces.as_ref(), Some(&shown), "{tool}: {asked}");
            assert_eq!(asked.name, FailureName::Denied);
            assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine", "{tool}");
            // A yes about another file does not count, one about this file does.
            for (allowed, is_enough) in [("/elsewhere", false), (shown.as_str(), true)] {
                let allowed = CallRequest {
                    may_replace: MayReplace::only(allowed),
                    ..asking(tool, &arguments)
                };
                let failure = toolbox.call(allowed).await.err();
                let is_asked = failure.is_some_and(|failure| failure.replaces.is_some());
                assert_eq!(is_asked, !is_enough, "{tool}");
            }
            // A file that somebody else puts there is not the run's.
            toolbox
                .call(request(
                    "builtin/file-delete",
                    json!({"path": "kept"}),
                    "key",
                ))
                .await
                .ok();
        }
        let mut tried: Vec<String> = makers()
            .iter()
            .map(|(tool, _)| (*tool).to_owned())
            .collect();
        tried.sort();
        assert_eq!(
            changers(&toolbox),
            tried,
            "a tool that changes files is not tried here"
        );
    }

    #[tokio::test]
    async fn a_link_that_leads_elsewhere_after_the_yes_is_asked_about_again() {
        let (folder, toolbox) = with_folder();
        let root = folder.path().canonicalize().unwrap();
        let link = root.join("kept");
        for (tool, arguments) in makers() {
            if tool == "file-delete" {
                continue; // the link itself is deleted
            }
            for name in ["first", "second"] {
                std::fs::write(root.join(name), "mine").unwrap();
            }
            std::os::unix::fs::symlink("first", &link).unwrap();
            let asked = toolbox.call(asking(tool, &arguments)).await.unwrap_err();
            let first = root.join("first").display().to_string();
            assert_eq!(asked.replaces.as_ref(), Some(&first), "{tool}");
            std::fs::remove_file(&link).unwrap();
            std::os::unix::fs::symlink("second", &link).unwrap();
            let allowed = CallRequest {
                may_replace: MayReplace::only(first),
                ..asking(tool, &arguments)
            };
            let again = toolbox.call(allowed).await.unwrap_err();
            let second = root.join("second").display().to_string();
            assert_eq!(again.replaces, Some(second), "{tool}");
            assert_eq!(
                std::fs::read_to_string(root.join("second")).unwrap(),
                "mine"
            );
            std::fs::remove_file(&link).unwrap();
        }
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
            may_replace: MayReplace::everything(),
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

    #[tokio::test]
    async fn a_journal_does_not_tell_where_a_link_led() {
        let (folder, _) = with_folder();
        std::fs::write(folder.path().join("mine"), "first").unwrap();
        std::os::unix::fs::symlink("mine", folder.path().join("kept")).unwrap();
        let toolbox = Toolbox::builtin(folder_grants(folder.path()));
        toolbox.recall(&RunId::new("run-1"), &journal());
        let write = asking("file-write", &json!({"path": "kept", "content": "second"}));
        assert!(toolbox.call(write).await.is_err());
    }

    #[tokio::test]
    async fn what_a_killed_call_of_the_run_has_written_is_its_own() {
        let (folder, toolbox) = with_folder();
        let file = folder.path().join("out.jsonl");
        let append = || {
            let arguments = json!({"path": "out.jsonl", "record": {"a": 1}});
            let mut call = asking("jsonl-append", &arguments);
            call.key = "run-1:step:0".into();
            toolbox.call(call)
        };
        for own in ["", "{\"ke", "{\"key\":\"run-1:other:0\",\"a\":0}\n"] {
            std::fs::write(&file, own).unwrap();
            assert!(append().await.is_ok(), "{own}");
            let forget = request("builtin/file-delete", json!({"path": "out.jsonl"}), "key");
            toolbox.call(forget).await.unwrap();
        }
        for other in ["alias x=y\n", "{\"key\":\"run-2:step:0\",\"a\":0}\n"] {
            std::fs::write(&file, other).unwrap();
            assert!(append().await.unwrap_err().replaces.is_some(), "{other}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), other);
        }
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
