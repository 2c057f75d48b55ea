//! Is a file that was moved whole and in one place, and was everybody asked who had to be?

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};

use holloway_engine::failure::FailureName;
use holloway_engine::ports::ToolCaller as _;
use holloway_plan::tool::ToolId;

use super::super::super::testing::{folder_grants, request, run, with_folder};
use super::super::super::{Folder, Toolbox};
use super::*;

const TOOL: &str = "builtin/file-move";

fn asking(from: &str, to: &str) -> CallRequest {
    CallRequest {
        may_replace: MayReplace::default(),
        ..request(TOOL, json!({"from": from, "to": to}), "key")
    }
}

fn allowed(from: &str, to: &str, file: &str) -> CallRequest {
    CallRequest {
        may_replace: MayReplace::only(file),
        ..asking(from, to)
    }
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_file_is_renamed_or_moved_into_a_folder() {
    let (folder, toolbox) = with_folder();
    fs::write(folder.path().join("a.txt"), "abc").unwrap();
    let mut from = "a.txt".to_owned();
    for (to, path) in [
        ("b.txt", "b.txt"),
        ("new/folder/", "new/folder/b.txt"),
        ("new", "new/b.txt"),
        ("c.txt", "c.txt"),
    ] {
        let moved = run(&toolbox, TOOL, json!({"from": from, "to": to})).await;
        assert_eq!(
            moved.unwrap(),
            json!({"path": path, "from": from, "bytes": 3})
        );
        assert_eq!(text(folder.path().join(path)), "abc");
        assert!(!folder.path().join(&from).exists());
        from = path.to_owned();
    }
    assert_eq!(names(folder.path()), ["c.txt", "new"]);
}

#[tokio::test]
async fn somebodys_file_goes_only_if_that_was_allowed_and_stays_theirs() {
    let (folder, toolbox) = with_folder();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("a.txt"), "mine").unwrap();
    let shown = root.join("a.txt").display().to_string();
    let arguments = json!({"from": "a.txt", "to": "b.txt"});
    let foreseen = toolbox.would_change(&ToolId::new(TOOL), &arguments);
    assert_eq!(foreseen.unwrap().file, shown);
    let asked = toolbox.call(asking("a.txt", "b.txt")).await.unwrap_err();
    assert_eq!(
        (asked.name, asked.replaces.as_ref()),
        (FailureName::Denied, Some(&shown))
    );
    assert_eq!(names(&root), ["a.txt"]);
    toolbox
        .call(allowed("a.txt", "b.txt", &shown))
        .await
        .unwrap();
    assert_eq!(names(&root), ["b.txt"]);
    // The run has moved it, and has not made it.
    for tool in ["file-write", "file-delete"] {
        let mut arguments = json!({"path": "b.txt"});
        if tool == "file-write" {
            arguments["content"] = json!("new");
        }
        let call = CallRequest {
            may_replace: MayReplace::default(),
            ..request(&format!("builtin/{tool}"), arguments, "key")
        };
        let asked = toolbox.call(call).await.unwrap_err();
        assert!(asked.replaces.is_some(), "{tool}: {asked}");
    }
    assert_eq!(text(root.join("b.txt")), "mine");
}

#[tokio::test]
async fn a_file_of_the_run_moves_unasked_and_stays_its_own() {
    let (folder, toolbox) = with_folder();
    let write = |path: &str, content: &str| CallRequest {
        may_replace: MayReplace::default(),
        ..request(
            "builtin/file-write",
            json!({"path": path, "content": content}),
            "key",
        )
    };
    toolbox.call(write("a.txt", "one")).await.unwrap();
    toolbox.call(asking("a.txt", "b.txt")).await.unwrap();
    toolbox.call(write("b.txt", "two")).await.unwrap();
    toolbox.call(write("c.txt", "three")).await.unwrap();
    toolbox.call(asking("b.txt", "c.txt")).await.unwrap();
    assert_eq!(text(folder.path().join("c.txt")), "two");
    // What appears at the old path is somebody else's.
    fs::write(folder.path().join("a.txt"), "mine").unwrap();
    assert!(toolbox.call(write("a.txt", "x")).await.is_err());
}

#[tokio::test]
async fn one_question_asks_about_the_file_and_what_it_would_replace() {
    let (folder, toolbox) = with_folder();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("a.txt"), "new").unwrap();
    fs::write(root.join("b.txt"), "mine").unwrap();
    let shown = |name: &str| root.join(name).display().to_string();
    let both = format!("{} and {}", shown("a.txt"), shown("b.txt"));
    let arguments = json!({"from": "a.txt", "to": "b.txt"});
    let foreseen = toolbox.would_change(&ToolId::new(TOOL), &arguments);
    assert_eq!(
        foreseen,
        Some(Changed {
            path: "a.txt and b.txt".to_owned(),
            file: both.clone(),
            sensitive: false,
        })
    );
    // A yes about one of the two is not enough.
    for file in ["/elsewhere".to_owned(), shown("a.txt"), shown("b.txt")] {
        let call = allowed("a.txt", "b.txt", &file);
        let asked = toolbox.call(call).await.unwrap_err();
        assert_eq!(asked.replaces.as_ref(), Some(&both), "{file}");
        let said = &asked.message;
        assert!(
            said.contains("would be gone") && said.contains("replaced"),
            "{said}"
        );
        assert_eq!(
            (text(root.join("a.txt")), text(root.join("b.txt"))),
            ("new".to_owned(), "mine".to_owned())
        );
    }
    toolbox
        .call(allowed("a.txt", "b.txt", &both))
        .await
        .unwrap();
    assert_eq!(text(root.join("b.txt")), "new");
    assert_eq!(names(&root), ["b.txt"]);
}

#[tokio::test]
async fn a_target_that_appears_after_the_yes_is_asked_about() {
    let (folder, toolbox) = with_folder();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("a.txt"), "new").unwrap();
    let source = root.join("a.txt").display().to_string();
    fs::write(root.join("b.txt"), "mine").unwrap();
    let call = allowed("a.txt", "b.txt", &source);
    let asked = toolbox.call(call).await.unwrap_err();
    assert!(asked.replaces.unwrap().ends_with("/b.txt"));
    assert_eq!(text(root.join("b.txt")), "mine");
}

#[tokio::test]
async fn a_link_that_is_in_the_way_stays_and_is_written_through() {
    let (folder, toolbox) = with_folder();
    let root = folder.path();
    fs::write(root.join("a.txt"), "new").unwrap();
    fs::write(root.join("real.txt"), "old").unwrap();
    symlink("real.txt", root.join("link.txt")).unwrap();
    let arguments = json!({"from": "a.txt", "to": "link.txt"});
    run(&toolbox, TOOL, arguments).await.unwrap();
    assert!(root.join("link.txt").is_symlink());
    assert_eq!(text(root.join("real.txt")), "new");
}

#[tokio::test]
async fn what_cannot_be_moved_is_told() {
    let (folder, toolbox) = with_folder();
    let root = folder.path();
    fs::create_dir_all(root.join("sub/a.txt")).unwrap();
    fs::write(root.join("a.txt"), "a").unwrap();
    fs::hard_link(root.join("a.txt"), root.join("second.txt")).unwrap();
    symlink("a.txt", root.join("link.txt")).unwrap();
    symlink("/etc/hostname", root.join("out")).unwrap();
    let before = names(root);
    for (from, to, expected) in [
        ("none.txt", "b.txt", "none.txt` does not exist"),
        ("sub", "b", "sub` is a folder, and only files are moved"),
        (
            "link.txt",
            "b",
            "link.txt` is a link, and only files are moved",
        ),
        ("out", "b", "out` is a link, and only files are moved"),
        ("a.txt", "sub", "sub/a.txt` is a folder"),
        ("a.txt", "a.txt", "are the same file"),
        ("a.txt", ".", "are the same file"),
        ("a.txt", "link.txt", "are the same file"),
        ("a.txt", "second.txt", "are the same file"),
        ("a.txt", "out", "leads outside its granted folder"),
        ("a.txt", "../b.txt", "outside the granted folders"),
        ("/etc/hostname", "b.txt", "outside the granted folders"),
        ("a.txt", ".env", "sensitive place"),
        ("a.txt", ".git/hooks/pre-commit", "sensitive place"),
        ("a.txt", ".git/hooks/", "sensitive place"),
    ] {
        let arguments = json!({"from": from, "to": to});
        let failure = run(&toolbox, TOOL, arguments).await.unwrap_err();
        let message = &failure.message;
        assert!(message.contains(expected), "{from} to {to}: {message}");
        assert_eq!(names(root), before, "{from} to {to}");
    }
    assert_eq!(text(root.join("a.txt")), "a");
}

#[tokio::test]
async fn a_folder_for_reading_gives_nothing_away() {
    let root = tempfile::tempdir().unwrap();
    let folders = ["library", "work"].map(|name| {
        let path = root.path().join(name);
        fs::create_dir(&path).unwrap();
        Folder {
            path,
            writable: name == "work",
        }
    });
    fs::write(root.path().join("library/a.txt"), "a").unwrap();
    let toolbox = Toolbox::builtin(Grants {
        folders: folders.to_vec(),
        ..Grants::default()
    });
    let from = root.path().join("library/a.txt");
    let refused = run(&toolbox, TOOL, json!({"from": from, "to": "b.txt"})).await;
    assert_eq!(refused.unwrap_err().name, FailureName::Denied);
    assert_eq!(text(from), "a");
}

#[tokio::test]
async fn a_sensitive_place_that_is_granted_is_asked_about_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join(".ssh")).unwrap();
    fs::write(root.join("a.txt"), "a").unwrap();
    let mut grants = folder_grants(&root);
    grants.folders.push(Folder {
        path: root.join(".ssh"),
        writable: true,
    });
    let toolbox = Toolbox::builtin(grants);
    let both = format!("{0}/a.txt and {0}/.ssh/a.txt", root.display());
    let arguments = json!({"from": "a.txt", "to": ".ssh/"});
    let foreseen = toolbox.would_change(&ToolId::new(TOOL), &arguments);
    assert!(foreseen.is_some_and(|changed| changed.sensitive && changed.file == both));
    let any = MayReplace {
        any: true,
        ..MayReplace::default()
    };
    let never = MayReplace {
        never_sensitive: true,
        ..MayReplace::only(&both)
    };
    for may_replace in [MayReplace::default(), any, never] {
        let call = CallRequest {
            may_replace,
            ..asking("a.txt", ".ssh/")
        };
        let asked = toolbox.call(call).await.unwrap_err();
        assert!(
            asked.sensitive && asked.message.contains("SSH keys"),
            "{asked}"
        );
        assert!(root.join("a.txt").exists());
    }
    toolbox
        .call(allowed("a.txt", ".ssh/", &both))
        .await
        .unwrap();
    assert_eq!(text(root.join(".ssh/a.txt")), "a");
}

/// The parts of a move, without asking the system whether the file systems differ.
fn carried(root: &Path, limit: u64) -> Result<(), ToolFailure> {
    let grants = folder_grants(root);
    let from = locate_last(&grants, "a.txt", Access::Write, Last::Keep)?;
    let to = locate_target(&grants, "new/b.txt", None)?.place;
    let shifting = Shifting {
        from: &from,
        to: &to,
        made: &Arc::default(),
        call: &request(TOOL, Value::Null, "key"),
    };
    shifting.carry(Over::Nothing, limit)
}

#[test]
fn to_another_file_system_a_file_is_copied_and_then_goes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join("a.txt"), "12345").unwrap();
    let large = carried(root, 4).unwrap_err();
    assert_eq!(large.name, FailureName::LimitExceeded);
    assert_eq!(text(root.join("a.txt")), "12345");
    assert_eq!(names(root), ["a.txt"]);
    carried(root, 5).unwrap();
    assert_eq!(
        (names(root), text(root.join("new/b.txt"))),
        (vec!["new".to_owned()], "12345".to_owned())
    );
    // What is there by then is left alone, and so is the file.
    fs::write(root.join("a.txt"), "other").unwrap();
    assert!(carried(root, 5).is_err());
    assert_eq!(
        (text(root.join("a.txt")), text(root.join("new/b.txt"))),
        ("other".to_owned(), "12345".to_owned())
    );
    assert_eq!(names(&root.join("new")), ["b.txt"]);
}

#[tokio::test]
async fn two_real_file_systems_make_no_difference() {
    let here = tempfile::tempdir().unwrap();
    let Ok(there) = tempfile::tempdir_in("/dev/shm") else {
        return;
    };
    let device = |path: &Path| fs::metadata(path).unwrap().dev();
    if device(here.path()) == device(there.path()) {
        return;
    }
    let mut grants = folder_grants(here.path());
    grants.folders.extend(folder_grants(there.path()).folders);
    let toolbox = Toolbox::builtin(grants);
    fs::write(here.path().join("a.txt"), "abc").unwrap();
    let to = there.path().join("deep/a.txt");
    let moved = run(&toolbox, TOOL, json!({"from": "a.txt", "to": to})).await;
    assert_eq!(moved.unwrap()["bytes"], 3);
    assert_eq!((text(&to), names(here.path())), ("abc".to_owned(), vec![]));
    assert_eq!(names(&there.path().join("deep")), ["a.txt"]);
}
