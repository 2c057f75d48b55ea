//! Where do results go that are too large for a journal line? Into files named
//! after the digest of what they hold, so that equal results are kept once.
//!
//! Invariant: a file under its final name is complete, and both its bytes and
//! its name have reached the disk before the digest is given out.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use holloway_engine::ports::{Blob, BlobStore, JournalError, WriteBlob};

use super::header::open_file;
use super::remove::{Collected, remove_unneeded};
use super::{Store, StoreError, make_folder, private, sync_folder};

/// Unfinished files older than this belong to nobody.
const STALE: Duration = Duration::from_hours(1);
pub(super) const DIGEST_LENGTH: usize = 64;

static UNFINISHED: AtomicU64 = AtomicU64::new(0);

impl BlobStore for Store {
    fn put(&self, write: &mut WriteBlob<'_>) -> Result<Blob, JournalError> {
        let draft = self.draft()?;
        let kept = self.write_draft(&draft, write);
        if kept.is_err() {
            let _ = fs::remove_file(&draft);
        }
        Ok(kept?)
    }

    fn open(&self, digest: &str) -> Result<Box<dyn Read + '_>, JournalError> {
        let path = self.blob_path(digest)?;
        let file = open_file(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => damaged(&path, "it is missing"),
            io::ErrorKind::InvalidData => damaged(&path, &error.to_string()),
            _ => StoreError::from_io(&path, &error),
        })?;
        Ok(Box::new(Checked {
            file,
            hasher: blake3::Hasher::new(),
            digest: digest.to_owned(),
        }))
    }
}

/// Reads a blob, and fails at its end if the bytes are not those it is named after.
struct Checked {
    file: File,
    hasher: blake3::Hasher,
    digest: String,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.hasher.update(buffer.get(..count).unwrap_or_default());
        let is_end = count == 0 && !buffer.is_empty();
        if is_end && self.hasher.finalize().to_hex().as_str() != self.digest {
            let reason = "its bytes are not those it is named after";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        Ok(count)
    }
}

/// Writes a blob and works out its digest on the way.
struct Hashed {
    file: BufWriter<File>,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all(bytes)?;
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
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

    /// A file of our own to write to.
    fn draft(&self) -> Result<PathBuf, StoreError> {
        let unfinished = self.folder().join("blobs").join("unfinished");
        make_folder(&unfinished)?;
        let number = UNFINISHED.fetch_add(1, Ordering::Relaxed);
        Ok(unfinished.join(format!("{}-{number}", std::process::id())))
    }

    fn write_draft(&self, draft: &Path, write: &mut WriteBlob<'_>) -> Result<Blob, StoreError> {
        let failed = |error: io::Error| StoreError::from_io(draft, &error);
        let mut hashed = Hashed {
            file: BufWriter::new(private::create(draft).map_err(failed)?),
            hasher: blake3::Hasher::new(),
            bytes: 0,
        };
        write(&mut hashed).map_err(failed)?;
        hashed.flush().map_err(failed)?;
        hashed.file.get_ref().sync_data().map_err(failed)?;
        let digest = hashed.hasher.finalize().to_hex().to_string();
        let path = self.blob_path(&digest)?;
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        // A damaged file is replaced; one that is whole stays.
        if self.is_whole(&digest) {
            let _ = fs::remove_file(draft);
        } else {
            fs::rename(draft, &path).map_err(|error| match error.kind() {
                io::ErrorKind::IsADirectory => damaged(&path, "it is not a file"),
                _ => StoreError::from_io(&path, &error),
            })?;
        }
        // Also for a file that was there: its writer may not have come this far.
        for folder in path.ancestors().skip(1).take(2) {
            sync_folder(folder).map_err(|error| StoreError::from_io(folder, &error))?;
        }
        Ok(Blob {
            blob: digest,
            bytes: hashed.bytes,
        })
    }

    fn is_whole(&self, digest: &str) -> bool {
        let read = self.open(digest);
        read.is_ok_and(|mut bytes| io::copy(&mut bytes, &mut io::sink()).is_ok())
    }
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

/// Removes every large result but those that are needed; a folder that is not there has none.
pub(super) fn remove_others(folder: &Path, needed: &BTreeSet<String>) -> io::Result<Collected> {
    let mut collected = Collected::default();
    let starts = match fs::read_dir(folder.join("blobs")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(collected),
        other => other?,
    };
    for start in starts {
        let start = start?;
        let name = start.file_name();
        let Some(name) = name.to_str().filter(|name| name.len() == 2) else {
            continue;
        };
        let removed = remove_unneeded(&start.path(), |rest| {
            needed.contains(&format!("{name}{rest}"))
        })?;
        collected.files += removed.files;
        collected.bytes += removed.bytes;
    }
    Ok(collected)
}

fn damaged(file: &Path, reason: &str) -> StoreError {
    StoreError::Damaged {
        file: file.to_owned(),
        reason: reason.to_owned(),
    }
}
