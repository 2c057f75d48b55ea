//! Where do results go that are too large for a journal line? Into files named
//! after the digest of what they hold, so that equal results are kept once.
//!
//! Invariant: a file under its final name is complete, and both its bytes and
//! its name have reached the disk before the digest is given out.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use holloway_engine::ports::{BlobStore, JournalError};

use super::{Store, StoreError, make_folder, private, sync_folder};

/// Unfinished files older than this belong to nobody.
const STALE: Duration = Duration::from_hours(1);
const DIGEST_LENGTH: usize = 64;

static UNFINISHED: AtomicU64 = AtomicU64::new(0);

impl BlobStore for Store {
    fn put(&self, bytes: &[u8]) -> Result<String, JournalError> {
        let digest = blake3::hash(bytes).to_hex().to_string();
        let path = self.blob_path(&digest)?;
        // A damaged file counts as absent and is replaced.
        if self.get(&digest).is_err() {
            self.write_blob(&path, bytes)?;
        }
        // Also for a file that was there: its writer may not have come this far.
        for folder in path.ancestors().skip(1).take(2) {
            sync_folder(folder).map_err(|error| StoreError::from_io(folder, &error))?;
        }
        Ok(digest)
    }

    fn get(&self, digest: &str) -> Result<Vec<u8>, JournalError> {
        let path = self.blob_path(digest)?;
        let bytes = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => damaged(&path, "it is missing"),
            _ => StoreError::from_io(&path, &error),
        })?;
        if blake3::hash(&bytes).to_hex().as_str() != digest {
            return Err(damaged(&path, "its bytes are not those it is named after").into());
        }
        Ok(bytes)
    }
}

impl Store {
    /// Refuses anything but a digest, since it becomes a path.
    fn blob_path(&self, digest: &str) -> Result<PathBuf, StoreError> {
        let blobs = self.folder().join("blobs");
        let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let parts = digest.split_at_checked(2);
        match parts {
            Some((start, rest)) if digest.len() == DIGEST_LENGTH && digest.bytes().all(plain) => {
                Ok(blobs.join(start).join(rest))
            }
            _ => Err(damaged(&blobs, &format!("`{digest}` is no digest"))),
        }
    }

    fn write_blob(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let unfinished = self.folder().join("blobs").join("unfinished");
        for folder in path.parent().into_iter().chain([unfinished.as_path()]) {
            make_folder(folder)?;
        }
        let number = UNFINISHED.fetch_add(1, Ordering::Relaxed);
        let draft = unfinished.join(format!("{}-{number}", std::process::id()));
        write_through(&draft, path, bytes).map_err(|error| {
            let _ = fs::remove_file(&draft);
            StoreError::from_io(path, &error)
        })
    }
}

fn write_through(draft: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private::create(draft)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(draft, path)
}

/// Removes what processes that were killed have left unfinished.
pub(super) fn sweep(folder: &Path) {
    let Ok(drafts) = fs::read_dir(folder.join("blobs").join("unfinished")) else {
        return;
    };
    for draft in drafts.flatten() {
        let age = draft.metadata().and_then(|data| data.modified());
        if age.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE)) {
            let _ = fs::remove_file(draft.path());
        }
    }
}

fn damaged(file: &Path, reason: &str) -> StoreError {
    StoreError::Damaged {
        file: file.to_owned(),
        reason: reason.to_owned(),
    }
}
