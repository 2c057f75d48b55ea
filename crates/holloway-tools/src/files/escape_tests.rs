//! Does any path lead out of a granted folder? Payloads from traversal collections,
//! tried with every file tool against a folder with a secret beside it.

use std::path::PathBuf;

use serde_json::json;

use super::super::Toolbox;
use super::super::testing::{folder_grants, run};

const SECRET: &str = "the secret beside the granted folder";

/// `granted/` may be used; `secret.txt` and `outside/` lie beside it.
struct Yard {
    root: tempfile::TempDir,
    toolbox: Toolbox,
}

impl Yard {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let granted = root.path().join("granted");
        std::fs::create_dir_all(granted.join("sub/deep")).unwrap();
        std::fs::create_dir_all(root.path().join("outside")).unwrap();
        std::fs::create_dir_all(root.path().join("granted-not")).unwrap();
        for secret in ["secret.txt", "outside/secret.txt", "granted-not/secret.txt"] {
            std::fs::write(root.path().join(secret), SECRET).unwrap();
        }
        let link = |target: PathBuf, name: &str| {
            std::os::unix::fs::symlink(target, granted.join(name)).unwrap();
        };
        link(PathBuf::from("../secret.txt"), "link-file");
        link(root.path().join("secret.txt"), "link-absolute");
        link(PathBuf::from(".."), "link-up");
        link(PathBuf::from("../outside"), "link-folder");
        link(PathBuf::from("link-file"), "link-to-link");
        link(PathBuf::from("../../../secret.txt"), "sub/deep/link-deep");
        link(PathBuf::from("/"), "link-root");
        link(PathBuf::from("/proc/self/cwd"), "link-proc");
        link(PathBuf::from("../new-by-link.txt"), "link-dangling");
        let toolbox = Toolbox::builtin(folder_grants(&granted));
        Self { root, toolbox }
    }

    /// Everything outside the granted folder, with contents.
    fn outside(&self) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        for place in [
            self.root.path(),
            &self.root.path().join("outside"),
            &self.root.path().join("granted-not"),
        ] {
            for entry in std::fs::read_dir(place).unwrap() {
                let path = entry.unwrap().path();
                found.push((
                    path.clone(),
                    std::fs::read_to_string(&path).unwrap_or_default(),
                ));
            }
        }
        found.sort();
        found
    }

    fn payloads(&self) -> Vec<String> {
        let root = self.root.path().display().to_string();
        let mut payloads: Vec<String> = LITERAL.iter().map(|&text| text.to_owned()).collect();
        payloads.extend(ABSOLUTE.iter().map(|text| format!("{root}{text}")));
        payloads.extend((1..=12).map(|depth| format!("{}secret.txt", "../".repeat(depth))));
        payloads.extend((1..=12).map(|depth| format!("sub/{}secret.txt", "../".repeat(depth + 1))));
        payloads
    }
}

/// Below the root of the yard, given as absolute paths.
const ABSOLUTE: &[&str] = &[
    "/secret.txt",
    "/outside/secret.txt",
    "/granted-not/secret.txt",
    "/granted/../secret.txt",
    "/granted/./../secret.txt",
    "/granted/sub/../../secret.txt",
    "/granted//..//secret.txt",
    "/granted/link-file",
    "/granted/link-up/secret.txt",
    "//granted/../secret.txt",
    "/./granted/../secret.txt",
    "/granted/../granted/../secret.txt",
];

const LITERAL: &[&str] = &[
    "../secret.txt",
    "./../secret.txt",
    ".//..//secret.txt",
    "..//secret.txt",
    "../../secret.txt",
    "sub/../../secret.txt",
    "sub/deep/../../../secret.txt",
    "sub/./.././../secret.txt",
    "missing/../../secret.txt",
    "sub/deep/../../sub/../../secret.txt",
    "../granted/../secret.txt",
    "../granted-not/secret.txt",
    "../outside/secret.txt",
    "../outside/../secret.txt",
    "..\\secret.txt",
    "..\\..\\secret.txt",
    "..\\/secret.txt",
    "../\\secret.txt",
    "sub\\..\\..\\secret.txt",
    "..%2fsecret.txt",
    "..%2Fsecret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "%252e%252e%252fsecret.txt",
    "..%252fsecret.txt",
    "..%5csecret.txt",
    "..%c0%afsecret.txt",
    "..%c1%9csecret.txt",
    "%c0%ae%c0%ae/secret.txt",
    "..%u2215secret.txt",
    "..%00/secret.txt",
    "../secret.txt%00.png",
    "../secret.txt\0.png",
    "\0../secret.txt",
    "sub\0/../../secret.txt",
    "....//secret.txt",
    "....\\/secret.txt",
    "..../secret.txt",
    ".../secret.txt",
    "..;/secret.txt",
    "..;/..;/secret.txt",
    "..\u{2215}secret.txt",
    "..\u{2044}secret.txt",
    "..\u{ff0f}secret.txt",
    "\u{ff0e}\u{ff0e}/secret.txt",
    "\u{2024}\u{2024}/secret.txt",
    "\u{202e}../secret.txt",
    "..\u{200b}/../secret.txt",
    " ../secret.txt",
    "../secret.txt ",
    ".. /secret.txt",
    "..\t/../secret.txt",
    "..\n/../../secret.txt",
    "~/secret.txt",
    "~root/.bashrc",
    "$HOME/secret.txt",
    "${HOME}/../secret.txt",
    "`pwd`/../secret.txt",
    "file:///etc/passwd",
    "file://../secret.txt",
    "file:../secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "///etc/passwd",
    "/./etc/passwd",
    "/../etc/passwd",
    "/etc/../etc/passwd",
    "/proc/self/environ",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd/Cargo.toml",
    "/dev/stdin",
    "/dev/fd/0",
    "\\\\server\\share\\secret.txt",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "\\..\\secret.txt",
    "link-file",
    "link-absolute",
    "link-to-link",
    "link-up/secret.txt",
    "link-up/granted/../secret.txt",
    "link-folder/secret.txt",
    "link-folder/../secret.txt",
    "sub/deep/link-deep",
    "link-root/etc/passwd",
    "link-proc/Cargo.toml",
    "sub/../link-up/secret.txt",
    "./link-up/./secret.txt",
    "link-up/outside/secret.txt",
];

#[tokio::test]
async fn nothing_outside_can_be_read() {
    let yard = Yard::new();
    let payloads = yard.payloads();
    assert!(payloads.len() >= 80, "{}", payloads.len());
    for path in &payloads {
        let read = run(&yard.toolbox, "builtin/file-read", json!({"path": path})).await;
        assert!(read.is_err(), "{path:?} was read: {read:?}");
        let listed = run(&yard.toolbox, "builtin/file-list", json!({"path": path})).await;
        assert!(listed.is_err(), "{path:?} was listed: {listed:?}");
        let copied = json!({"from": path, "to": "copy.txt"});
        let copied = run(&yard.toolbox, "builtin/file-copy", copied).await;
        assert!(copied.is_err(), "{path:?} was copied: {copied:?}");
        let looked = run(&yard.toolbox, "builtin/file-stat", json!({"path": path})).await;
        let seen = looked.is_ok_and(|looked| looked["exists"] == true);
        assert!(!seen, "{path:?} was seen");
    }
}

#[tokio::test]
async fn nothing_outside_can_be_changed() {
    let yard = Yard::new();
    let before = yard.outside();
    let mut payloads = yard.payloads();
    // A hole found by this test must not cost the machine it runs on.
    payloads.retain(|path| {
        !["etc", "proc", "dev", "root", "Cargo"]
            .iter()
            .any(|name| path.contains(name))
    });
    assert!(payloads.len() >= 80, "{}", payloads.len());
    payloads.extend(
        [
            "link-dangling",
            "link-up/new.txt",
            "../new.txt",
            "link-folder/new.txt",
        ]
        .map(str::to_owned),
    );
    for path in &payloads {
        for (tool, arguments) in [
            (
                "file-write",
                json!({"path": path, "content": "overwritten"}),
            ),
            ("file-append", json!({"path": path, "content": "appended"})),
            ("jsonl-append", json!({"path": path, "record": {"a": 1}})),
            (
                "sqlite-execute",
                json!({"path": path, "sql": "create table t(a)"}),
            ),
            ("file-copy", json!({"from": "inside.txt", "to": path})),
            ("file-move", json!({"from": path, "to": "taken.txt"})),
            ("file-move", json!({"from": "inside.txt", "to": path})),
            (
                "http-download",
                json!({"url": "http://127.0.0.1:1/", "path": path}),
            ),
            ("file-delete", json!({"path": path})),
        ] {
            std::fs::write(yard.root.path().join("granted/inside.txt"), "inside").unwrap();
            // Odd names may well be created inside: only outside counts.
            run(&yard.toolbox, &format!("builtin/{tool}"), arguments)
                .await
                .ok();
            assert_eq!(yard.outside(), before, "{tool} of {path:?}");
        }
    }
}
