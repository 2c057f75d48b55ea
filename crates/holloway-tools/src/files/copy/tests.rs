//! Is a copy the same, and does nothing else change?

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use holloway_engine::entry::RunId;
use holloway_engine::failure::FailureName;
use holloway_engine::ports::{MayReplace, ToolCaller as _};
use holloway_plan::tool::ToolId;

use super::super::super::testing::{folder_grants, request, run, with_folder};
use super::super::super::{Folder, Toolbox};
use super::*;

const TOOL: &str = "builtin/file-copy";

fn asking(from: &str, to: &str) -> CallRequest {
    CallRequest {
        may_replace: MayReplace::default(),
        ..request(TOOL, json!({"from": from, "to": to}), "key")
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_copy_has_the_same_bytes_and_may_be_used_as_the_file_is() {
    let (folder, toolbox) = with_folder();
    let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
    let source = folder.path().join("tool.bin");
    fs::write(&source, &bytes).unwrap();
    fs::set_permissions(&source, fs::Permissions::from_mode(0o4700)).unwrap();
    let arguments = json!({"from": "tool.bin", "to": "kept/deep/copy.bin"});
    for _ in 0..2 {
        let copied = run(&toolbox, TOOL, arguments.clone()).await.unwrap();
        assert_eq!(
            copied,
            json!({"path": "kept/deep/copy.bin", "from": "tool.bin", "bytes": 200_000})
        );
    }
    let copy = folder.path().join("kept/deep/copy.bin");
    assert_eq!(fs::read(&copy).unwrap(), bytes);
    assert_eq!(fs::read(&source).unwrap(), bytes);
    // Not the bit that lets it run as its owner.
    let mode = fs::metadata(&copy).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
    assert_eq!(names(&folder.path().join("kept/deep")), ["copy.bin"]);
}

#[tokio::test]
async fn in_a_folder_the_name_is_kept() {
    let (folder, toolbox) = with_folder();
    fs::create_dir(folder.path().join("there")).unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/a.txt"), "a").unwrap();
    for (to, path) in [
        ("there", "there/a.txt"),
        ("there/", "there/a.txt"),
        ("new/folder/", "new/folder/a.txt"),
        (".", "./a.txt"),
    ] {
        let copied = run(&toolbox, TOOL, json!({"from": "sub/a.txt", "to": to})).await;
        assert_eq!(copied.unwrap()["path"], path, "{to}");
        assert_eq!(fs::read_to_string(folder.path().join(path)).unwrap(), "a");
    }
}

#[tokio::test]
async fn of_two_granted_folders_the_target_is_in_the_one_with_that_folder() {
    let root = tempfile::tempdir().unwrap();
    for name in ["one/from", "two/into", "one/other"] {
        fs::create_dir_all(root.path().join(name)).unwrap();
    }
    fs::write(root.path().join("one/from/a.txt"), "a").unwrap();
    let folders = ["one", "two"].map(|name| Folder {
        path: root.path().join(name),
        writable: name == "two",
    });
    let toolbox = Toolbox::builtin(Grants {
        folders: folders.to_vec(),
        ..Grants::default()
    });
    let copied = run(&toolbox, TOOL, json!({"from": "from/a.txt", "to": "into"})).await;
    assert_eq!(copied.unwrap()["path"], "into/a.txt");
    assert!(root.path().join("two/into/a.txt").exists());
    // The first is granted for reading only.
    let to = root.path().join("one/other");
    let arguments = json!({"from": "from/a.txt", "to": to});
    let refused = run(&toolbox, TOOL, arguments).await.unwrap_err();
    assert_eq!(refused.name, FailureName::Denied, "{refused}");
}

#[tokio::test]
async fn what_is_there_is_replaced_only_if_that_was_allowed() {
    let (folder, toolbox) = with_folder();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join("sub")).unwrap();
    fs::write(root.join("a.txt"), "new").unwrap();
    fs::write(root.join("real.txt"), "mine").unwrap();
    symlink("real.txt", root.join("link.txt")).unwrap();
    fs::write(root.join("sub/a.txt"), "mine").unwrap();
    for (to, file) in [
        ("real.txt", "real.txt"),
        ("link.txt", "real.txt"),
        ("sub", "sub/a.txt"),
    ] {
        fs::write(root.join(file), "mine").unwrap();
        let shown = root.join(file).display().to_string();
        let arguments = json!({"from": "a.txt", "to": to});
        let foreseen = toolbox.would_change(&ToolId::new(TOOL), &arguments);
        assert_eq!(foreseen.unwrap().file, shown, "{to}");
        let asked = toolbox.call(asking("a.txt", to)).await.unwrap_err();
        assert_eq!(asked.replaces.as_ref(), Some(&shown), "{asked}");
        assert_eq!(fs::read_to_string(root.join(file)).unwrap(), "mine");
        let allowed = CallRequest {
            may_replace: MayReplace::only(&shown),
            run: RunId::new(to),
            ..asking("a.txt", to)
        };
        toolbox.call(allowed).await.unwrap();
        assert_eq!(fs::read_to_string(root.join(file)).unwrap(), "new");
    }
    assert!(root.join("link.txt").is_symlink());
    assert_eq!(names(&root), ["a.txt", "link.txt", "real.txt", "sub"]);
}

#[tokio::test]
async fn a_file_that_holds_the_same_stays_whose_it_was() {
    let (folder, toolbox) = with_folder();
    for name in ["a.txt", "b.txt"] {
        fs::write(folder.path().join(name), "same").unwrap();
    }
    toolbox.call(asking("a.txt", "b.txt")).await.unwrap();
    fs::write(folder.path().join("a.txt"), "diff").unwrap();
    let asked = toolbox.call(asking("a.txt", "b.txt")).await.unwrap_err();
    assert!(asked.replaces.is_some(), "{asked}");
    // What the run has copied is its own.
    toolbox.call(asking("a.txt", "c.txt")).await.unwrap();
    fs::write(folder.path().join("a.txt"), "more").unwrap();
    toolbox.call(asking("a.txt", "c.txt")).await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_copied_is_told() {
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
        ("sub", "b", "sub` is a folder"),
        ("a.txt", "sub", "sub/a.txt` is a folder"),
        ("a.txt", "a.txt", "are the same file"),
        ("a.txt", ".", "are the same file"),
        ("a.txt", "link.txt", "are the same file"),
        ("a.txt", "second.txt", "are the same file"),
        ("a.txt", "out", "leads outside its granted folder"),
        ("out", "b.txt", "leads outside its granted folder"),
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
    assert_eq!(fs::read_to_string(root.join("a.txt")).unwrap(), "a");
}

#[tokio::test]
async fn too_much_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "12345").unwrap();
    for (max_bytes, fits) in [(4, false), (5, true)] {
        let toolbox = Toolbox::builtin(Grants {
            max_bytes,
            ..folder_grants(folder.path())
        });
        let arguments = json!({"from": "a.txt", "to": "new/b.txt"});
        let copied = run(&toolbox, TOOL, arguments).await;
        assert_eq!(copied.is_ok(), fits, "{copied:?}");
        assert_eq!(folder.path().join("new").exists(), fits);
    }
}

#[test]
fn a_copy_that_breaks_off_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let grants = folder_grants(folder.path());
    let file = folder.path().join("a.txt");
    fs::write(&file, "12345").unwrap();
    let from = locate(&grants, "a.txt", Access::Read).unwrap();
    let to = locate(&grants, "new/b.txt", Access::Write).unwrap();
    let source = Source::open(&from, 100).unwrap();
    // Another program writes to it meanwhile.
    fs::write(&file, "123456").unwrap();
    let failure = source.copy_beside(&to, "key").err().unwrap();
    assert!(failure.retryable && failure.message.ends_with("while it was copied"));
    assert_eq!(names(folder.path()), ["a.txt"]);
    // The target cannot be written at all.
    let folder = tempfile::tempdir().unwrap();
    let grants = folder_grants(folder.path());
    fs::write(folder.path().join("x"), "").unwrap();
    let to = locate(&grants, "x/b.txt", Access::Write).unwrap();
    let source = Source::open(&from, 100).unwrap();
    let written = source.copy_beside(&to, "key").unwrap();
    let call = request(TOOL, Value::Null, "key");
    assert!(written.finish(&Arc::default(), &call).is_err());
    assert_eq!(names(folder.path()), ["x"]);
}
