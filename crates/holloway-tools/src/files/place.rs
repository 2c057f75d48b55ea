//! What is at the place that a path leads to, and may this call change it? Every tool that
//! changes a file asks here first.
//! Invariant: what the run did not make is changed only where somebody has allowed it, and in a
//! sensitive place nothing is.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt as _};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallRequest, Changed};
use rustix::fs::OFlags;

use super::super::made::Made;
use super::failure;

/// How a person allows a call to change what the run did not make.
pub(super) const ALLOWS_REPLACING: &str =
    "--yes allows it, or `replace = \"allow\"` under [approvals]";
/// The same in a sensitive place.
pub(super) const ALLOWS_SENSITIVE: &str =
    "a person has to allow it; --yes does so for a place granted by name";

/// A file or folder inside an opened folder; no link is on the way to it.
pub(crate) struct Place {
    pub(crate) directory: Dir,
    pub(crate) relative: PathBuf,
    /// The whole path, resolved.
    pub(crate) real: PathBuf,
    /// The path as people know it.
    pub(super) shown: String,
    pub(super) has_links: bool,
    /// What is there, if it is a sensitive place.
    pub(super) sensitive: Option<&'static str>,
}

impl Place {
    /// The path as people know it.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// The resolved path as questions show it and answers repeat it.
    pub(crate) fn file(&self) -> String {
        self.real.display().to_string()
    }

    /// Whether a link was followed on the way.
    pub(crate) fn has_links(&self) -> bool {
        self.has_links
    }

    pub(crate) fn is_sensitive(&self) -> bool {
        self.sensitive.is_some()
    }

    pub(crate) fn exists(&self) -> bool {
        self.directory.symlink_metadata(&self.relative).is_ok()
    }

    pub(crate) fn is_folder(&self) -> bool {
        let found = self.directory.symlink_metadata(&self.relative);
        found.is_ok_and(|found| found.is_dir())
    }

    /// A folder cannot be written as a file.
    pub(crate) fn refuse_folder(&self) -> Result<(), ToolFailure> {
        if self.is_folder() {
            let message = format!("`{}` is a folder", self.shown());
            return Err(ToolFailure::permanent(message));
        }
        Ok(())
    }

    /// What an error while using this place means.
    pub(crate) fn failure(&self, error: &io::Error) -> ToolFailure {
        failure(self.shown(), error)
    }

    /// Refuses what nobody has allowed this call. `loses` says that something is there which
    /// would be changed.
    pub(crate) fn may_change(
        &self,
        call: &CallRequest,
        made: &Made,
        loses: bool,
    ) -> Result<(), ToolFailure> {
        let may_replace = &call.may_replace;
        if let Some(what) = self.sensitive {
            if may_replace.covers(&self.file(), true) {
                return Ok(());
            }
            return Err(
                ToolFailure::would_touch_sensitive(self.file(), what).with_hint(ALLOWS_SENSITIVE)
            );
        }
        if !loses || may_replace.covers(&self.file(), false) || made.has(&call.run, self) {
            return Ok(());
        }
        Err(self.would_replace())
    }

    /// What a question is about that names this place.
    pub(crate) fn changed(&self, path: &str) -> Changed {
        Changed {
            path: path.to_owned(),
            file: self.file(),
            sensitive: self.is_sensitive(),
        }
    }

    /// What is there belongs to somebody, and nobody has allowed to change it.
    pub(crate) fn would_replace(&self) -> ToolFailure {
        ToolFailure::would_replace(self.file()).with_hint(ALLOWS_REPLACING)
    }

    /// Opens the file itself; a link that has just taken its place is refused.
    pub(crate) fn open(&self, options: &mut OpenOptions) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
        self.directory.open_with(&self.relative, options)
    }

    pub(crate) fn require_file(&self) -> Result<(), ToolFailure> {
        let metadata = self.directory.symlink_metadata(&self.relative);
        // A pipe or a device would block or never end.
        match metadata {
            Ok(metadata) if metadata.is_file() => Ok(()),
            Ok(_) => Err(ToolFailure::permanent(format!(
                "`{}` is no regular file",
                self.shown()
            ))),
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Creates the folders above.
    pub(crate) fn create_parents(&self) -> Result<(), ToolFailure> {
        self.make_parents().map_err(|error| self.failure(&error))
    }

    pub(super) fn make_parents(&self) -> io::Result<()> {
        let parent = self.relative.parent();
        match parent.filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => self.directory.create_dir_all(parent),
            None => Ok(()),
        }
    }

    /// Makes a created or renamed name survive a power cut.
    pub(crate) fn sync_parent(&self) -> io::Result<()> {
        let parent = self
            .relative
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        // Opened as a file: a `Dir` handle cannot be synchronised.
        self.directory
            .open(parent.unwrap_or(Path::new(".")))?
            .sync_all()
    }
}
