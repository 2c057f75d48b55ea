//! Are large results kept whole, once, and never handed out changed?

use std::io::Read as _;
use std::path::{Path, PathBuf};

use holloway_engine::ports::{BlobStore, JournalError};

use super::super::Store;
use super::fresh;

fn file_of(folder: &Path, digest: &str) -> PathBuf {
    folder.join("blobs").join(&digest[..2]).join(&digest[2..])
}

fn put(store: &Store, bytes: &[u8]) -> Result<String, JournalError> {
    let blob = store.put(&mut |out| out.write_all(bytes))?;
    assert_eq!(blob.bytes, bytes.len() as u64);
    Ok(blob.blob)
}

fn get(store: &Store, digest: &str) -> Result<Vec<u8>, JournalError> {
    let mut bytes = Vec::new();
    let read = store.open(digest)?.read_to_end(&mut bytes);
    read.map_err(|error| JournalError::Corrupt(error.to_string()))?;
    Ok(bytes)
}

fn files(folder: &Path) -> usize {
    let count = |path: PathBuf| std::fs::read_dir(path).unwrap().count();
    let folders = std::fs::read_dir(folder.join("blobs")).unwrap();
    folders.map(|folder| count(folder.unwrap().path())).sum()
}

#[test]
fn bytes_come_back_and_equal_ones_are_kept_once() {
    let (folder, store) = fresh();
    let (large, empty) = (vec![7; 100_000], vec![]);
    for bytes in [&large, &empty] {
        let digest = put(&store, bytes).unwrap();
        assert_eq!(put(&store, bytes).unwrap(), digest);
        assert_eq!(&get(&store, &digest).unwrap(), bytes);
        assert_eq!(digest, blake3::hash(bytes).to_hex().as_str());
    }
    assert_eq!(files(folder.path()), 2);
}

#[test]
fn changed_bytes_are_noticed_and_replaced() {
    let (folder, store) = fresh();
    let digest = put(&store, b"all of it").unwrap();
    let file = file_of(folder.path(), &digest);
    for damage in ["all of", "all of iT"] {
        std::fs::write(&file, damage).unwrap();
        let error = get(&store, &digest).unwrap_err();
        assert!(matches!(error, JournalError::Corrupt(_)), "{error}");
        put(&store, b"all of it").unwrap();
        assert_eq!(get(&store, &digest).unwrap(), b"all of it");
    }
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(
        get(&store, &digest),
        Err(JournalError::Corrupt(_))
    ));
}

#[test]
fn only_a_digest_leads_to_a_file() {
    let (folder, store) = fresh();
    std::fs::write(folder.path().join("secret"), "s").unwrap();
    let long = "A".repeat(64);
    for digest in ["", "../secret", "ab/../../secret", "ü", &long] {
        assert!(matches!(get(&store, digest), Err(JournalError::Corrupt(_))));
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_a_storage_error() {
    let (folder, store) = fresh();
    std::fs::remove_dir(folder.path().join("blobs")).unwrap();
    std::fs::write(folder.path().join("blobs"), "a file").unwrap();
    let error = put(&store, b"bytes").unwrap_err();
    assert!(matches!(error, JournalError::Storage(_)), "{error}");
    std::fs::remove_file(folder.path().join("blobs")).unwrap();
    put(&store, b"bytes").unwrap();
}

#[test]
fn opening_removes_what_was_left_unfinished_long_ago() {
    let (folder, store) = fresh();
    drop(store);
    let unfinished = folder.path().join("blobs/unfinished");
    std::fs::create_dir(&unfinished).unwrap();
    for name in ["old", "new"] {
        std::fs::write(unfinished.join(name), "half").unwrap();
    }
    let old = std::fs::File::options()
        .write(true)
        .open(unfinished.join("old"));
    old.unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    Store::open(folder.path()).unwrap();
    assert!(!unfinished.join("old").exists());
    assert!(unfinished.join("new").exists());
}
