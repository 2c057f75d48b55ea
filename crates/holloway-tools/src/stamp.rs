//! Is a file still the one it was? Told by what the system keeps about it: another file under
//! the same name, and any change of this one, has another stamp.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    /// Set by the system alone, also when a file is renamed.
    changed: (i64, i64),
}

impl Stamp {
    /// Of what is at a path; of a link, the link itself.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        Some(Self {
            device: found.dev(),
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }

    /// Whether it was like this at a time, in milliseconds since 1970.
    pub(crate) fn is_older(&self, at: u64) -> bool {
        let (seconds, nanoseconds) = self.changed;
        let changed = seconds.saturating_mul(1_000) + nanoseconds / 1_000_000;
        u64::try_from(changed).is_ok_and(|changed| changed <= at)
    }
}
