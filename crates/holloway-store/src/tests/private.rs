//! Is what the store keeps closed to others, also what an older version has left open?

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use holloway_engine::entry::RunId;
use holloway_engine::ports::BlobStore as _;

use super::super::Store;

/// Everything in a folder, with its mode.
fn modes(folder: &Path) -> Vec<(PathBuf, u32)> {
    let mut found = vec![(folder.to_owned(), mode(folder))];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(modes(&path));
        } else {
            found.push((path.clone(), mode(&path)));
        }
    }
    found
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn used(folder: &Path) -> Store {
    let store = Store::open(folder).unwrap();
    store
        .put(&mut |to| to.write_all(b"a large result"))
        .unwrap();
    store
}

#[track_caller]
fn assert_closed(folder: &Path) {
    let found = modes(folder);
    let open: Vec<_> = found.iter().filter(|(_, mode)| mode & 0o077 != 0).collect();
    assert!(open.is_empty(), "{open:?}");
    let names = |name: &str| found.iter().any(|(path, _)| path.ends_with(name));
    assert!(names("holloway.db") && names("holloway.db-wal") && names("holloway.db-shm"));
}

#[test]
fn what_is_made_is_for_its_owner_alone() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("data");
    let store = used(&folder);
    let _claim = store.claim(&RunId::new("run-1"), "test").unwrap();
    super::super::write_private(&folder.join("trusted.json"), b"{}").unwrap();
    assert_closed(&folder);
}

#[test]
fn what_was_left_open_is_closed() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("data");
    drop(used(&folder));
    fs::write(folder.join("secrets.json"), "{}").unwrap();
    for (path, _) in modes(&folder) {
        let mode = if path.is_dir() { 0o777 } else { 0o666 };
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    }
    let _store = used(&folder);
    assert_closed(&folder);
}

#[test]
fn a_folder_with_other_things_in_it_keeps_its_mode() {
    let root = tempfile::tempdir().unwrap();
    fs::set_permissions(root.path(), Permissions::from_mode(0o755)).unwrap();
    fs::write(root.path().join("notes.txt"), "").unwrap();
    fs::set_permissions(root.path().join("notes.txt"), Permissions::from_mode(0o644)).unwrap();
    let _store = used(root.path());
    assert_eq!(mode(root.path()), 0o755);
    assert_eq!(mode(&root.path().join("notes.txt")), 0o644);
    assert_eq!(mode(&root.path().join("holloway.db")), 0o600);
}
