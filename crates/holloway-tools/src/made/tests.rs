//! Does a run change only what it has made, and does it know that again?

use holloway_engine::entry::{Intent, NodeRef, Stored};
use holloway_engine::failure::FailureName;
use holloway_engine::ports::{CallRequest, MayReplace, ToolCaller as _};
use holloway_plan::tool::ToolId;
use serde_json::json;

use super::super::Toolbox;
use super::super::testing::{folder_grants, request, with_folder};
use super::*;

/// Every tool that changes a file, with arguments that do. What is downloaded, copied or moved
/// has tests of its own as well, with a server and with two files.
fn makers() -> [(&'static str, Value); 12] {
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
        (
            "http-download",
            json!({"url": "https://example.com/", "path": "kept"}),
        ),
        ("file-delete", json!({"path": "kept"})),
    ]
}

/// Those that need nothing but a folder to make a file.
fn offline() -> impl Iterator<Item = (&'static str, Value)> {
    makers()
        .into_iter()
        .filter(|(tool, _)| *tool != "http-download")
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
        .filter(|spec| spec.effect != Effect::Read && Given::of(spec, &arguments).path.is_some())
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
        if tool == "http-download" {
            continue; // nothing is fetched without a yes, and with one there is no server
        }
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
    let write = |content: &str| asking("file-write", &json!({"path": "kept", "content": content}));
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
async fn writing_what_is_there_already_makes_nobodys_file_the_runs() {
    let (folder, toolbox) = with_folder();
    let file = folder.path().join("kept");
    std::fs::write(&file, "mine").unwrap();
    let write = |content: &str| asking("file-write", &json!({"path": "kept", "content": content}));
    toolbox.call(write("mine")).await.unwrap();
    let asked = toolbox.call(write("gone")).await.unwrap_err();
    assert!(asked.replaces.is_some(), "{asked}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

#[tokio::test]
async fn a_journal_tells_what_an_earlier_process_made() {
    let (folder, _) = with_folder();
    std::fs::write(folder.path().join("kept"), "first").unwrap();
    std::fs::write(folder.path().join("begun"), "mine").unwrap();
    let toolbox = Toolbox::builtin(folder_grants(folder.path()));
    let run = RunId::new("run-1");
    let made = std::fs::metadata(folder.path().join("kept")).unwrap();
    let made = made
        .modified()
        .unwrap()
        .duration_since(std::time::UNIX_EPOCH);
    let made = u64::try_from(made.unwrap().as_millis()).unwrap();
    // A file that was changed after the call was done is somebody else's.
    toolbox.recall(&run, &journal_until(made - 1));
    let changed = asking("file-write", &json!({"path": "kept", "content": "second"}));
    assert!(toolbox.call(changed).await.is_err());
    toolbox.recall(&run, &journal_until(made + 1));
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

#[tokio::test]
async fn what_another_program_put_there_or_changed_is_not_the_runs() {
    type Change = fn(&std::path::Path);
    let changes: [(&str, Change); 4] = [
        ("replaced", |file| {
            let other = file.with_extension("other");
            std::fs::write(&other, "somebody else's").unwrap();
            std::fs::rename(other, file).unwrap();
        }),
        ("deleted and made again", |file| {
            std::fs::remove_file(file).unwrap();
            std::fs::write(file, "somebody else's").unwrap();
        }),
        ("written over", |file| {
            std::fs::write(file, "somebody else's").unwrap();
        }),
        ("added to", |file| {
            let mut text = std::fs::read(file).unwrap();
            text.extend(b"more");
            std::fs::write(file, text).unwrap();
        }),
    ];
    for (tool, arguments) in offline() {
        // Own lines are known by their key, whoever has added others.
        if tool == "file-delete" || tool == "jsonl-append" {
            continue;
        }
        for (what, change) in changes {
            let (folder, toolbox) = with_folder();
            let file = folder.path().canonicalize().unwrap().join("kept");
            let again = |toolbox: &Toolbox| {
                let mut arguments = arguments.clone();
                if tool == "sqlite-execute" {
                    arguments["sql"] = json!("create table if not exists u(b)");
                }
                let call = asking(tool, &arguments);
                let toolbox = toolbox.clone();
                async move { toolbox.call(call).await }
            };
            toolbox.call(asking(tool, &arguments)).await.unwrap();
            let own = again(&toolbox).await;
            assert!(own.is_ok(), "{tool}: its own file: {own:?}");
            change(&file);
            let before = std::fs::read(&file).unwrap();
            let asked = again(&toolbox).await.unwrap_err();
            let shown = file.display().to_string();
            assert_eq!(asked.replaces, Some(shown), "{tool}, {what}: {asked}");
            assert_eq!(std::fs::read(&file).unwrap(), before, "{tool}, {what}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_one_run_share_its_file() {
    for (tool, arguments) in [
        ("file-append", json!({"path": "kept", "content": "more"})),
        ("jsonl-append", json!({"path": "kept", "record": {"a": 1}})),
        (
            "sqlite-execute",
            json!({"path": "kept", "sql": "create table if not exists t(a); insert into t values(1)"}),
        ),
        ("html-write", json!({"path": "kept", "markdown": "# Sales"})),
    ] {
        let (_folder, toolbox) = with_folder();
        let mut calls = tokio::task::JoinSet::new();
        for number in 0..16 {
            let mut arguments = arguments.clone();
            if tool == "html-write" {
                arguments["markdown"] = json!(format!("# Sales {number}"));
            }
            let mut call = asking(tool, &arguments);
            call.key = format!("run-1:step:{number}").into();
            let toolbox = toolbox.clone();
            calls.spawn(async move { toolbox.call(call).await });
        }
        for ended in calls.join_all().await {
            assert!(ended.is_ok(), "{tool}: {ended:?}");
        }
    }
}

/// One file was made; another call had begun.
fn journal() -> Vec<Entry> {
    journal_until(u64::MAX)
}

/// The same, where the call that made the file was done at this time.
fn journal_until(end: u64) -> Vec<Entry> {
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
        .map(|(kind, seq)| Entry { seq, at: end, kind })
        .collect()
}
