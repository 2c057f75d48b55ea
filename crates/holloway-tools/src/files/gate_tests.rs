//! What is out of reach although a folder above it is granted? Own places for good, sensitive
//! ones until a grant names them; tried with every tool that takes a path.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::ports::{CallRequest, MayReplace, ToolCaller as _};
use holloway_plan::tool::Effect;
use serde_json::{Value, json};

use super::super::testing::{request, run};
use super::super::ungranted::Given;
use super::super::{Folder, Grants, Protected, Toolbox};

const SECRET: &str = "the key";

/// A home folder that is granted as a whole, with Holloway's data and settings in it.
struct Home {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (name, text) in [
            ("data/secrets.json", SECRET),
            ("data/holloway.db", SECRET),
            ("data/blobs/aa/bb", SECRET),
            (".ssh/id_ed25519", SECRET),
            (".bashrc", SECRET),
            ("work/.git/config", SECRET),
            ("work/.git/hooks/pre-commit", SECRET),
            ("work/.env", SECRET),
            ("work/notes.txt", "notes"),
        ] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), text).unwrap();
        }
        symlink("data", root.join("link")).unwrap();
        symlink("../data/secrets.json", root.join("work/link.json")).unwrap();
        symlink("../.ssh", root.join("work/keys")).unwrap();
        symlink("../.ssh/new_key", root.join("work/dangling")).unwrap();
        symlink("../config/holloway/new.toml", root.join("work/settings")).unwrap();
        fs::hard_link(root.join("data/secrets.json"), root.join("work/hard.json")).unwrap();
        Self { folder, root }
    }

    fn grants(&self, more: &[(&str, bool)]) -> Grants {
        let whole = [("", true)];
        let folders = whole.iter().chain(more).map(|(name, writable)| Folder {
            path: self.folder.path().canonicalize().unwrap().join(name),
            writable: *writable,
        });
        Grants {
            folders: folders.collect(),
            protected: Protected::new([self.root.join("data"), self.root.join("config/holloway")]),
            ..Grants::default()
        }
    }

    fn toolbox(&self, more: &[(&str, bool)]) -> Toolbox {
        Toolbox::builtin(self.grants(more))
    }

    /// Everything that must stay as it is.
    fn kept(&self) -> Vec<(&'static str, Option<String>)> {
        let names = [
            "data/secrets.json",
            "data/holloway.db",
            "data/new.txt",
            "config/holloway/holloway.toml",
            "config/holloway/new.toml",
            ".ssh/id_ed25519",
            ".ssh/new_key",
            ".bashrc",
            "work/.git/config",
            "work/.git/hooks/post-commit",
            "work/.env",
        ];
        let read = |name| (name, fs::read_to_string(self.root.join(name)).ok());
        names.into_iter().map(read).collect()
    }
}

/// Every built-in tool that takes the path of a file or folder, with arguments that are enough
/// to come as far as opening it.
async fn every_tool(
    home: &Home,
    toolbox: &Toolbox,
    path: &str,
) -> Vec<(String, Result<Value, ToolFailure>)> {
    let mut results = Vec::new();
    for spec in toolbox.specs() {
        // Of a link, only the link itself is deleted; none is moved.
        let is_harmless = spec.effect == Effect::Destructive && home.root.join(path).is_symlink();
        let all = json!({"path": path, "from": path, "to": path});
        let given = Given::of(&spec, &all);
        for arguments in [
            json!({"from": path, "to": "work/new.txt"}),
            json!({"from": "work/notes.txt", "to": path}),
        ] {
            let is_link = is_harmless && arguments["from"] == path;
            if given.from.is_some() && !is_link {
                let id = spec.id.to_string();
                let result = run(toolbox, &id, arguments).await;
                results.push((id, result));
            }
        }
        if is_harmless || given.path.is_none() {
            continue;
        }
        let example = spec.input_schema.pointer("/examples/0").cloned();
        let mut arguments = example.unwrap_or_else(|| json!({}));
        for (name, value) in [
            ("content", json!("x")),
            ("record", json!({"a": 1})),
            ("sql", json!("select 1")),
            ("rows", json!([{"a": 1, "b": 2}])),
            ("markdown", json!("# x")),
            ("report", json!({"title": "x", "blocks": []})),
            ("query", json!("key")),
            ("format", json!("html")),
            ("x", json!("a")),
            ("y", json!("b")),
        ] {
            let is_asked = spec.input_schema.pointer(&format!("/properties/{name}"));
            if is_asked.is_some_and(|schema| fits(schema, &value)) && arguments.get(name).is_none()
            {
                arguments[name] = value;
            }
        }
        arguments["path"] = json!(path);
        let id = spec.id.to_string();
        let result = run(toolbox, &id, arguments).await;
        results.push((id, result));
    }
    assert!(results.len() >= 18, "{}", results.len());
    assert!(!home.root.join("work/new.txt").exists());
    results
}

/// Whether a parameter takes this value, where it lists its values.
fn fits(schema: &Value, value: &Value) -> bool {
    let values = schema.get("enum").and_then(Value::as_array);
    values.is_none_or(|values| values.contains(value))
}

#[track_caller]
fn assert_denied(results: Vec<(String, Result<Value, ToolFailure>)>, path: &str, word: &str) {
    for (tool, result) in results {
        let failure = result.expect_err(&format!("{tool} {path}"));
        assert_eq!(
            failure.name,
            FailureName::Denied,
            "{tool} {path}: {failure}"
        );
        assert!(failure.message.contains(word), "{tool} {path}: {failure}");
    }
}

#[tokio::test]
async fn no_grant_and_no_spelling_opens_what_is_holloways_own() {
    let home = Home::new();
    let before = home.kept();
    // Granted as a whole, by its own name, and through a link.
    let toolbox = home.toolbox(&[("data", true), ("link", true), ("config/holloway", true)]);
    let whole = home.root.join("data/secrets.json").display().to_string();
    for path in [
        "data/secrets.json",
        "./work/../data/secrets.json",
        "data",
        "data/holloway.db",
        "data/new.txt",
        "data/blobs/aa/bb",
        "link/secrets.json",
        "link",
        "work/link.json",
        "work/hard.json",
        "work/settings",
        "config/holloway/holloway.toml",
        whole.as_str(),
    ] {
        assert_denied(
            every_tool(&home, &toolbox, path).await,
            path,
            "belongs to Holloway",
        );
    }
    assert_eq!(home.kept(), before);
    let shell = Toolbox::builtin(Grants {
        shell: true,
        ..home.grants(&[])
    });
    let inside = json!({"command": "cat secrets.json", "cwd": "data"});
    assert!(run(&shell, "builtin/shell-run", inside).await.is_err());
    // What is beside it works as ever.
    let notes = json!({"path": "work/notes.txt"});
    assert!(run(&toolbox, "builtin/file-read", notes).await.is_ok());
}

#[tokio::test]
async fn a_sensitive_place_needs_a_grant_that_names_it() {
    let home = Home::new();
    let before = home.kept();
    let toolbox = home.toolbox(&[("work", true), ("work/keys", true)]);
    for path in [
        ".ssh/id_ed25519",
        ".ssh",
        ".SSH/id_ed25519",
        ".bashrc",
        "work/keys/id_ed25519",
        "work/dangling",
        "work/.git/config",
        "work/.git/hooks/post-commit",
        "work/.env",
    ] {
        let results = every_tool(&home, &toolbox, path).await;
        assert_denied(results, path, "sensitive place");
    }
    assert_eq!(home.kept(), before);
    for (grant, path, is_enough) in [
        (".ssh", ".ssh/id_ed25519", true),
        (".ssh", "work/keys/id_ed25519", true),
        (".ssh/id_ed25519", ".ssh/id_ed25519", true),
        (".bashrc", ".bashrc", true),
        (".ssh", ".bashrc", false),
        ("work/.git", "work/.git/config", false),
        ("work/.git/config", "work/.git/config", true),
        ("work/.env", "work/.env", true),
        ("work/../.ssh", ".ssh/id_ed25519", true),
        (".ssh/..", ".ssh/id_ed25519", false),
    ] {
        let toolbox = home.toolbox(&[(grant, false)]);
        let read = run(&toolbox, "builtin/file-read", json!({"path": path})).await;
        assert_eq!(read.is_ok(), is_enough, "{grant} for {path}: {read:?}");
        // What may be read by name may not be written by it.
        let written = json!({"path": path, "content": "x"});
        let written = run(&toolbox, "builtin/file-write", written).await;
        assert!(written.is_err(), "{grant} for {path}");
    }
}

#[tokio::test]
async fn writing_to_a_sensitive_place_asks_even_if_all_else_is_allowed() {
    let home = Home::new();
    let toolbox = home.toolbox(&[(".ssh", true)]);
    let file = home.root.join(".ssh/new_key").display().to_string();
    let with = |may_replace: MayReplace| {
        let arguments = json!({"path": ".ssh/new_key", "content": "x"});
        CallRequest {
            may_replace,
            effect: Effect::Idempotent,
            ..request("builtin/file-write", arguments, "key")
        }
    };
    let by_policy = MayReplace {
        any: true,
        ..MayReplace::default()
    };
    let asked = toolbox.call(with(by_policy)).await.unwrap_err();
    assert!(asked.sensitive, "{asked}");
    assert_eq!(asked.replaces, Some(file.clone()));
    assert!(asked.message.contains("SSH keys"), "{asked}");
    assert!(!home.root.join(".ssh/new_key").exists());
    assert!(toolbox.call(with(MayReplace::only(file))).await.is_ok());
    // The run has made it now, and is asked again all the same.
    let arguments = json!({"path": ".ssh/new_key", "content": "y"});
    let again = CallRequest {
        may_replace: MayReplace::default(),
        ..request("builtin/file-write", arguments, "key")
    };
    assert!(toolbox.call(again).await.unwrap_err().sensitive);
}

#[tokio::test]
async fn a_start_up_file_that_is_a_link_is_known_where_it_leads() {
    let home = Home::new();
    fs::create_dir(home.root.join("dotfiles")).unwrap();
    fs::rename(home.root.join(".bashrc"), home.root.join("dotfiles/bashrc")).unwrap();
    symlink("dotfiles/bashrc", home.root.join(".bashrc")).unwrap();
    let with = |more: &[(&str, bool)]| {
        let mut grants = home.grants(more);
        grants.protected = grants.protected.with_home(&home.root);
        Toolbox::builtin(grants)
    };
    for path in ["dotfiles/bashrc", ".bashrc"] {
        let results = every_tool(&home, &with(&[]), path).await;
        assert_denied(results, path, "sensitive place");
        for grant in [".bashrc", "dotfiles/bashrc"] {
            let toolbox = with(&[(grant, false)]);
            let read = run(&toolbox, "builtin/file-read", json!({"path": path})).await;
            assert!(read.is_ok(), "{grant} for {path}: {read:?}");
        }
    }
}

#[tokio::test]
async fn walks_pass_over_what_is_out_of_reach() {
    let home = Home::new();
    let toolbox = home.toolbox(&[]);
    let all = json!({"recursive": true});
    let listed = run(&toolbox, "builtin/file-list", all).await.unwrap();
    let entries = listed["entries"].as_array().unwrap();
    let paths: Vec<&str> = entries
        .iter()
        .filter_map(|entry| entry["path"].as_str())
        .collect();
    assert!(
        paths.contains(&"data") && paths.contains(&"work/notes.txt"),
        "{paths:?}"
    );
    let inside = ["data/", ".ssh/", "work/.git/hooks/"];
    let is_inside = |path: &&&str| inside.iter().any(|start| path.starts_with(start));
    assert_eq!(paths.iter().find(is_inside), None);
    let searched = json!({"query": SECRET});
    let found = run(&toolbox, "builtin/file-search", searched)
        .await
        .unwrap();
    assert_eq!(found["matches"], json!([]));
    let toolbox = home.toolbox(&[(".ssh", false)]);
    let searched = json!({"query": SECRET, "path": ".ssh"});
    let found = run(&toolbox, "builtin/file-search", searched)
        .await
        .unwrap();
    assert_eq!(found["count"], 1);
}
