//! Why does a path lead to no file, and what can be done about it?

use std::io;
use std::path::Path;

use holloway_engine::failure::ToolFailure;

use super::super::{Folder, Grants};

pub(super) fn read_only(path: &Path) -> ToolFailure {
    let message = format!("`{}` is granted for reading only", path.display());
    ToolFailure::denied(message)
        .with_hint("set `writable = true` for its folder in `[[grants.folders]]`")
}

pub(super) fn moved(folder: &Folder, then: &Path, now: &Path) -> ToolFailure {
    let (path, then, now) = (folder.path.display(), then.display(), now.display());
    ToolFailure::denied(format!(
        "the granted folder `{path}` led to `{then}` when it was granted and leads to `{now}` now"
    ))
    .with_hint("start again to grant where it leads now, or grant the folder itself and not a link")
}

pub(super) fn outside(grants: &Grants, path: &str) -> ToolFailure {
    let folders: Vec<_> = grants
        .folders
        .iter()
        .map(|folder| folder.path.display().to_string())
        .collect();
    let granted = if folders.is_empty() {
        "no folder is granted".to_owned()
    } else {
        format!("granted: {}", folders.join(", "))
    };
    let hint = if folders.is_empty() {
        "grant a folder with `--grant-folder DIR` or under `[[grants.folders]]`; the current folder is granted by itself unless it is your home folder, a folder above it, or a sensitive place"
    } else {
        "to allow it, add its folder to `[[grants.folders]]`"
    };
    ToolFailure::denied(format!(
        "`{path}` is outside the granted folders ({granted})"
    ))
    .with_hint(hint)
}

pub(super) fn failure(shown: &str, error: &io::Error) -> ToolFailure {
    // The capability layer refuses by itself, without an error number of the system.
    let escaped = error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none();
    match error.kind() {
        _ if escaped => ToolFailure::denied(format!("`{shown}` leads outside its granted folder")),
        io::ErrorKind::NotFound => ToolFailure::permanent(format!("`{shown}` does not exist")),
        io::ErrorKind::Interrupted | io::ErrorKind::ResourceBusy | io::ErrorKind::TimedOut => {
            ToolFailure::transient(format!("`{shown}`: {error}"))
        }
        _ => ToolFailure::permanent(format!("`{shown}`: {error}")),
    }
}
