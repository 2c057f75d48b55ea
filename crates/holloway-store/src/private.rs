//! Who can look into the data folder? Only its owner: files are made with mode 0600 and folders
//! with 0700, whatever the umask says, and what an older version made is mended.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// All that others may do.
const OTHERS: u32 = 0o077;
const OWNER: u32 = 0o700;
/// What Holloway keeps in its folder. A folder that holds something else was not made for it,
/// and others may need to look into it.
const OURS: [&str; 10] = [
    "blobs",
    "in-use.lock",
    "locks",
    "opening.lock",
    "packages",
    "plans",
    "secrets.json",
    "skills",
    "sources",
    "trusted.json",
];
/// How the database and its companions begin.
const DATABASE: &str = "holloway.db";

/// Opens a file to read and write, made for its owner alone if it is not there.
pub(super) fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.mode(0o600).open(path)
}

/// Makes a file that only its owner can read hold these bytes; one that is there is replaced at
/// once or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) {
        super::make_folder(folder).map_err(io::Error::other)?;
    }
    let beside = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = options.mode(0o600).open(&beside)?;
    // One that an older version has left may have been laxer.
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

/// Takes from others what an older version or a copy has left them. What belongs to somebody
/// else cannot be changed, and stays.
pub(super) fn mend(folder: &Path, database: &Path) {
    let entries = || fs::read_dir(folder).into_iter().flatten().flatten();
    let is_ours = |name: &str| OURS.contains(&name) || name.starts_with(DATABASE);
    let mut others = entries().filter(|entry| !entry.file_name().to_str().is_some_and(is_ours));
    if others.next().is_none() {
        close(folder);
    }
    // The parts are looked through only once: whatever is made later is closed from the start.
    let was_open = is_open(database) || is_open(&folder.join("blobs"));
    for entry in entries() {
        let is_named = entry.file_name().to_str().is_some_and(is_ours);
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_named && is_file {
            close(&entry.path());
        }
    }
    if was_open {
        close_all(&folder.join("blobs"));
        close_all(&folder.join("locks"));
    }
}

fn close_all(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => close_all(&entry.path()),
            Ok(kind) if kind.is_file() => close(&entry.path()),
            _ => {}
        }
    }
    close(folder);
}

fn is_open(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_symlink() && found.mode() & OTHERS != 0)
}

fn close(path: &Path) {
    if is_open(path)
        && let Ok(found) = fs::symlink_metadata(path)
    {
        let mode = found.mode() & OWNER;
        fs::set_permissions(path, Permissions::from_mode(mode)).ok();
    }
}
