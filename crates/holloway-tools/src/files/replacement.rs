//! How do new contents take the place of a file? They are written to a temporary file in the
//! same file system, and renamed when they are whole.
//! Invariant: the target holds the old or the new contents; a replacement that is dropped before
//! it is in place leaves nothing behind.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt as _, Permissions, PermissionsExt as _};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::CallRequest;
use rustix::fs::{RenameFlags, renameat_with};
use rustix::io::Errno;

use super::super::made::{Made, Writing};
use super::Place;

/// What a new file may be used for, before the umask takes its part.
const USUAL_MODE: u32 = 0o666;
/// What may be taken over from another file: nothing that lets a program run as somebody else.
pub(super) const SAFE_MODE: u32 = 0o777;

/// New contents of a file that are not in place yet.
pub(crate) struct Replacement<'a> {
    place: &'a Place,
    /// In the deepest folder on the way that is there already.
    temporary: OsString,
    file: File,
    is_in_place: bool,
}

impl<'a> Replacement<'a> {
    pub(crate) fn begin(place: &'a Place, key: &str) -> io::Result<Self> {
        Self::begin_with_mode(place, key, USUAL_MODE)
    }

    /// The same, where a new file gets this mode, less the umask.
    pub(super) fn begin_with_mode(place: &'a Place, key: &str, mode: u32) -> io::Result<Self> {
        let temporary = temporary_name(place, key);
        // A repeat after a crash takes the name over instead of leaving litter.
        place.directory.remove_file(&temporary).ok();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(mode);
        let file = place.directory.open_with(&temporary, &options)?;
        Ok(Self {
            place,
            temporary,
            file,
            is_in_place: false,
        })
    }

    /// Where to write.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Puts the contents in place, as a file of the run that makes the call. What is there and
    /// not the run's own is replaced only where that was allowed.
    pub(crate) fn finish(
        mut self,
        made: &Arc<Made>,
        call: &CallRequest,
    ) -> Result<(), ToolFailure> {
        let place = self.place;
        let failed = |error: io::Error| place.failure(&error);
        self.keep_permissions().map_err(failed)?;
        self.file.sync_all().map_err(failed)?;
        place.create_parents()?;
        let created = made.put(&call.run, place, || self.rename(Over::Nothing));
        let _writing = match created.map_err(failed)? {
            Some(writing) => writing,
            None => self.replace(made, call)?,
        };
        place.sync_parent().map_err(failed)
    }

    /// Puts the contents in place without making them the run's.
    pub(super) fn settle(mut self, over: Over) -> io::Result<()> {
        self.file.sync_all()?;
        self.rename(over)
    }

    fn replace(&mut self, made: &Arc<Made>, call: &CallRequest) -> Result<Writing, ToolFailure> {
        let place = self.place;
        place.may_change(call, made, true)?;
        let was_own = made.has(&call.run, place);
        let writing = made.write(&call.run, place);
        if let Err(error) = self.rename(Over::Anything) {
            drop(writing);
            if !was_own {
                // What is there is still somebody else's.
                made.forget(&call.run, place);
            }
            return Err(place.failure(&error));
        }
        Ok(writing)
    }

    /// A file that is replaced stays usable by those who could use it.
    fn keep_permissions(&self) -> io::Result<()> {
        let found = self.place.directory.symlink_metadata(&self.place.relative);
        match found {
            Ok(found) if found.is_file() => {
                let mode = found.permissions().mode() & SAFE_MODE;
                self.file.set_permissions(Permissions::from_mode(mode))
            }
            _ => Ok(()),
        }
    }

    fn rename(&mut self, over: Over) -> io::Result<()> {
        rename(&self.place.directory, &self.temporary, self.place, over)?;
        self.is_in_place = true;
        Ok(())
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if !self.is_in_place {
            // Best effort: the first error is the one that matters.
            self.place.directory.remove_file(&self.temporary).ok();
        }
    }
}

/// The same for every repeat of a call.
fn temporary_name(place: &Place, key: &str) -> OsString {
    let digest = blake3::hash(format!("{key}\0{}", place.file()).as_bytes()).to_hex();
    let short: String = digest.chars().take(16).collect();
    format!(".holloway-{short}.tmp").into()
}

/// What a file is put over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// A file that is there is left alone.
    Nothing,
    /// Whatever is there may go.
    Anything,
}

/// Gives what is called `name` in a folder the name of `place`, whose folders above are there.
pub(super) fn rename(from: &Dir, name: &OsStr, place: &Place, over: Over) -> io::Result<()> {
    let above = place.relative.parent();
    let above = above.filter(|above| !above.as_os_str().is_empty());
    let folder = place.directory.open_dir(above.unwrap_or(Path::new(".")))?;
    let target = place.relative.file_name();
    let target = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    if over == Over::Nothing {
        match renameat_with(from, name, &folder, target, RenameFlags::NOREPLACE) {
            // Not every file system can.
            Err(Errno::INVAL | Errno::NOSYS) if !place.exists() => {}
            Err(Errno::INVAL | Errno::NOSYS) => return Err(io::ErrorKind::AlreadyExists.into()),
            done => return Ok(done?),
        }
    }
    from.rename(name, &folder, target)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use holloway_engine::entry::RunId;
    use holloway_engine::ports::MayReplace;
    use serde_json::Value;

    use super::super::super::testing::{folder_grants, request};
    use super::super::{Access, locate};
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn what_is_broken_off_leaves_nothing_not_even_folders() {
        let folder = tempfile::tempdir().unwrap();
        let grants = folder_grants(folder.path());
        let place = locate(&grants, "new/deep/a.txt", Access::Write).unwrap();
        let mut replacement = Replacement::begin(&place, "key").unwrap();
        replacement.file().write_all(b"half").unwrap();
        assert_eq!(names(folder.path()).len(), 1);
        drop(replacement);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn what_has_appeared_meanwhile_is_asked_about() {
        let folder = tempfile::tempdir().unwrap();
        let grants = folder_grants(folder.path());
        let place = locate(&grants, "a.txt", Access::Write).unwrap();
        let made = Arc::default();
        let finish = |may_replace: MayReplace| {
            let call = CallRequest {
                may_replace,
                ..request("builtin/file-write", Value::Null, "key")
            };
            let replacement = Replacement::begin(&place, "key").unwrap();
            replacement.finish(&made, &call)
        };
        std::fs::write(folder.path().join("a.txt"), "mine").unwrap();
        let asked = finish(MayReplace::default()).unwrap_err();
        assert_eq!(asked.replaces, Some(place.file()));
        assert!(!made.has(&RunId::new("run-1"), &place));
        assert_eq!(names(folder.path()), ["a.txt"]);
        finish(MayReplace::everything()).unwrap();
        assert_eq!(std::fs::read(folder.path().join("a.txt")).unwrap(), b"");
        assert!(made.has(&RunId::new("run-1"), &place));
        // A folder cannot be replaced by a file.
        std::fs::remove_file(folder.path().join("a.txt")).unwrap();
        std::fs::create_dir(folder.path().join("a.txt")).unwrap();
        assert!(finish(MayReplace::everything()).is_err());
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_stale_temporary_file_is_taken_over_and_never_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let grants = folder_grants(folder.path());
        let place = locate(&grants, "a.txt", Access::Write).unwrap();
        let other = folder.path().join("other.txt");
        std::fs::write(&other, "mine").unwrap();
        let temporary = folder.path().join(temporary_name(&place, "key"));
        std::os::unix::fs::symlink(&other, temporary).unwrap();
        let mut replacement = Replacement::begin(&place, "key").unwrap();
        replacement.file().write_all(b"new").unwrap();
        let call = request("builtin/file-write", Value::Null, "key");
        replacement.finish(&Arc::default(), &call).unwrap();
        assert_eq!(std::fs::read(other).unwrap(), b"mine");
        assert_eq!(std::fs::read(folder.path().join("a.txt")).unwrap(), b"new");
    }
}
