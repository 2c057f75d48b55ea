//! Is a server given its program, its package and its own folder, and nothing else?

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use holloway_sources::SourceErrorKind;
use holloway_sources::mcp::McpConfig;

use super::place::{PYTHON, World, ask};

const SCRIPT: &str = "data/packages/pypi/local@1/server.py";
const REFUSED: [&str; 2] = ["refused: FileNotFoundError", "refused: PermissionError"];

#[tokio::test]
async fn only_its_own_folder_is_writable() {
    let world = World::new();
    let source = world.open(McpConfig {
        cwd: world.text("project"),
        ..world.config(PYTHON, SCRIPT)
    });
    let own = world.text("data/sources/mcp.local");
    assert_eq!(ask(&*source, "where", "").await, own);
    assert_eq!(ask(&*source, "write", "kept.txt").await, "written");
    assert!(world.path("data/sources/mcp.local/kept.txt").is_file());
    // Inside, a private folder may lie where the others are; outside is what counts.
    for name in ["project/new.txt", "data/new.txt", SCRIPT] {
        ask(&*source, "write", &world.text(name)).await;
        let found = fs::read_to_string(world.path(name)).unwrap_or_default();
        assert_ne!(found, "x", "{name}");
    }
    for name in [
        "project/notes.txt",
        "data/secrets.json",
        "data/packages/pypi/other@1/server.py",
    ] {
        let said = ask(&*source, "read", &world.text(name)).await;
        assert!(REFUSED.contains(&&*said), "{name}: {said}");
    }
    source.close().await;
}

#[tokio::test]
async fn a_granted_folder_can_be_started_in() {
    let world = World::new();
    let source = world.open(McpConfig {
        cwd: world.text("project"),
        readable: vec![world.text("project")],
        ..world.config(PYTHON, "project/server.py")
    });
    assert_eq!(ask(&*source, "where", "").await, world.text("project"));
    assert_eq!(ask(&*source, "read", "notes.txt").await, "notes");
    assert!(
        ask(&*source, "write", "new.txt")
            .await
            .starts_with("refused")
    );
    source.close().await;
}

#[tokio::test]
async fn a_package_of_npm_starts_with_what_it_needs() {
    let world = World::new();
    let script = "data/packages/npm/local@1/node_modules/local/index.mjs";
    let source = world.open(world.config("node", script));
    let own = world.text("data/sources/mcp.local");
    assert_eq!(ask(&*source, "where", "").await, own);
    source.close().await;
}

#[tokio::test]
async fn a_virtual_environment_starts_with_its_python() {
    let world = World::new();
    let home = world.path("data/packages/pypi/local@1");
    let venv = ["-m", "venv", "--without-pip"];
    let made = Command::new(PYTHON)
        .args(venv)
        .arg(home.join("venv"))
        .status();
    assert!(made.unwrap().success());
    let source = world.open(world.config(home.join("venv/bin/python"), SCRIPT));
    ask(&*source, "where", "").await;
    source.close().await;
}

#[tokio::test]
async fn a_linked_program_brings_its_file_and_not_its_neighbours() {
    let world = World::new();
    let bin = world.path("home/bin");
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir(world.path("home/kept")).unwrap();
    let snake = world.path("home/kept/snake");
    fs::write(&snake, "#!/bin/sh\nexec python3 \"$@\"\n").unwrap();
    fs::set_permissions(&snake, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(bin.join("neighbour"), "x").unwrap();
    fs::write(world.path("home/private"), "x").unwrap();
    symlink("../kept/snake", bin.join("python")).unwrap();
    let source = world.open(world.config(bin.join("python"), SCRIPT));
    for name in ["home/bin/neighbour", "home/private"] {
        let said = ask(&*source, "read", &world.text(name)).await;
        assert!(REFUSED.contains(&&*said), "{name}: {said}");
    }
    source.close().await;
}

#[tokio::test]
async fn what_was_not_granted_is_asked_for_in_the_hint() {
    let world = World::new();
    let source = world.open(world.config(PYTHON, "project/server.py"));
    let error = source.offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Start, "{error}");
    assert!(error.hint.contains("--read"), "{}", error.hint);
}

#[tokio::test]
async fn keys_and_journals_cannot_be_granted() {
    let world = World::new();
    symlink(world.path("data"), world.path("link")).unwrap();
    let check = async |readable: &[&str], writable: &[&str], refused: bool| {
        let texts = |names: &[&str]| names.iter().map(|name| world.text(name)).collect();
        let source = world.open(McpConfig {
            readable: texts(readable),
            writable: texts(writable),
            ..world.config(PYTHON, SCRIPT)
        });
        let said = source.offers().await;
        let is_refused = said.is_err_and(|error| {
            error.kind == SourceErrorKind::Sandbox
                && error.message.contains("keys, journals and settings")
        });
        assert_eq!(is_refused, refused, "{readable:?} {writable:?}");
        source.close().await;
    };
    check(&["data"], &[], true).await;
    check(&[""], &[], true).await;
    check(&["link"], &[], true).await;
    check(&["data/secrets.json"], &[], true).await;
    check(&[], &["data/packages"], true).await;
    check(&["data/packages"], &["project"], false).await;
}
