//! Which file does a path mean, and may it be touched? A path is looked up inside a
//! granted folder that is opened as a capability: nothing above it can be named,
//! neither by `..` nor through a link.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use holloway_engine::failure::ToolFailure;

use super::made::Made;
use super::{Folder, Grants, Tool};

mod append;
mod delete;
mod jsonl;
mod list;
pub(crate) mod read;
mod search;
mod stat;
pub(crate) mod write;

#[cfg(test)]
mod escape_tests;

pub(crate) fn tools(grants: &Arc<Grants>, made: &Arc<Made>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(read::Read(Arc::clone(grants))),
        Arc::new(write::Write::new(grants, made)),
        Arc::new(append::Append(Arc::clone(grants))),
        Arc::new(jsonl::JsonlAppend(Arc::clone(grants))),
        Arc::new(list::List(Arc::clone(grants))),
        Arc::new(search::Search(Arc::clone(grants))),
        Arc::new(stat::Stat(Arc::clone(grants))),
        Arc::new(delete::Delete(Arc::clone(grants))),
    ]
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A path inside an opened folder.
pub(crate) struct Place {
    pub(crate) directory: Dir,
    pub(crate) folder: PathBuf,
    pub(crate) relative: PathBuf,
}

impl Place {
    /// The path as people know it.
    pub(crate) fn shown(&self) -> String {
        self.folder.join(&self.relative).display().to_string()
    }

    /// What an error while using this place means.
    pub(crate) fn failure(&self, error: &io::Error) -> ToolFailure {
        failure(&self.shown(), error)
    }

    /// The same place without links on the way; refused when one leads out.
    pub(crate) fn resolved(&self) -> Result<PathBuf, ToolFailure> {
        let resolved = self.directory.canonicalize(&self.relative);
        resolved.map_err(|error| self.failure(&error))
    }

    pub(crate) fn require_file(&self) -> Result<(), ToolFailure> {
        let metadata = self.directory.metadata(&self.relative);
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
        let parent = self.relative.parent();
        let Some(parent) = parent.filter(|parent| !parent.as_os_str().is_empty()) else {
            return Ok(());
        };
        // Looked at first: creating would hide that a link on the way leads out.
        let created = match self.directory.metadata(parent) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.directory.create_dir_all(parent)
            }
            other => other.map(|_| ()),
        };
        created.map_err(|error| self.failure(&error))
    }

    /// Makes a created or renamed name survive a power cut.
    pub(crate) fn sync_parent(&self, path: &Path) -> io::Result<()> {
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        // Opened as a file: a `Dir` handle cannot be synchronised.
        self.directory
            .open(parent.unwrap_or(Path::new(".")))?
            .sync_all()
    }
}

/// Finds the first granted folder that the path fits.
pub(crate) fn locate(grants: &Grants, path: &str, access: Access) -> Result<Place, ToolFailure> {
    if path.is_empty() || path.contains('\0') {
        return Err(ToolFailure::invalid(
            "a path must not be empty or contain NUL",
        ));
    }
    let candidates = candidates(grants, Path::new(path), access)?;
    let mut first = None;
    for (folder, relative) in candidates {
        if climbs_out(&relative) {
            return Err(outside(grants, path));
        }
        let place = open(folder, relative)?;
        if place.directory.symlink_metadata(&place.relative).is_ok() {
            return Ok(place);
        }
        first.get_or_insert(place);
    }
    first.ok_or_else(|| outside(grants, path))
}

fn candidates<'a>(
    grants: &'a Grants,
    path: &Path,
    access: Access,
) -> Result<Vec<(&'a Folder, PathBuf)>, ToolFailure> {
    let fitting = grants
        .folders
        .iter()
        .filter_map(|folder| Some((folder, inside(folder, path)?)));
    let (usable, read_only): (Vec<_>, Vec<_>) =
        fitting.partition(|(folder, _)| access == Access::Read || folder.writable);
    if usable.is_empty() && !read_only.is_empty() {
        let message = format!("`{}` is granted for reading only", path.display());
        return Err(ToolFailure::denied(message)
            .with_hint("set `writable = true` for its folder in `[[grants.folders]]`"));
    }
    Ok(usable)
}

/// The path as seen from the folder; `None` when it is an absolute path elsewhere.
fn inside(folder: &Folder, path: &Path) -> Option<PathBuf> {
    if !path.has_root() {
        return Some(path.to_owned());
    }
    let relative = path
        .strip_prefix(&folder.path)
        .ok()
        .map(Path::to_owned)
        .or_else(|| {
            let folder = folder.path.canonicalize().ok()?;
            Some(path.strip_prefix(folder).ok()?.to_owned())
        })?;
    let is_folder_itself = relative.as_os_str().is_empty();
    Some(if is_folder_itself {
        PathBuf::from(".")
    } else {
        relative
    })
}

fn climbs_out(relative: &Path) -> bool {
    let mut depth = 0_i64;
    relative.components().any(|component| {
        match component {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return true,
        }
        depth < 0
    })
}

fn open(folder: &Folder, relative: PathBuf) -> Result<Place, ToolFailure> {
    let directory = Dir::open_ambient_dir(&folder.path, ambient_authority())
        .map_err(|error| failure(&folder.path.display().to_string(), &error))?;
    Ok(Place {
        directory,
        folder: folder.path.clone(),
        relative,
    })
}

fn outside(grants: &Grants, path: &str) -> ToolFailure {
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
    ToolFailure::denied(format!(
        "`{path}` is outside the granted folders ({granted})"
    ))
    .with_hint("to allow it, add its folder to `[[grants.folders]]`")
}

fn failure(shown: &str, error: &io::Error) -> ToolFailure {
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

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_engine::failure::FailureName;

    fn two_folders() -> (tempfile::TempDir, Grants) {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str, writable| {
            let path = root.path().join(name);
            std::fs::create_dir(&path).unwrap();
            Folder { path, writable }
        };
        let folders = vec![folder("library", false), folder("work", true)];
        (
            root,
            Grants {
                folders,
                ..Grants::default()
            },
        )
    }

    fn folder_of(grants: &Grants, path: &str, access: Access) -> String {
        let place = locate(grants, path, access).unwrap();
        place
            .folder
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    }

    #[test]
    fn a_relative_path_goes_to_the_first_folder_that_fits() {
        let (root, grants) = two_folders();
        std::fs::write(root.path().join("work/only-here.txt"), "").unwrap();
        assert_eq!(folder_of(&grants, "only-here.txt", Access::Read), "work");
        assert_eq!(folder_of(&grants, "nowhere.txt", Access::Read), "library");
        assert_eq!(folder_of(&grants, "nowhere.txt", Access::Write), "work");
    }

    #[test]
    fn an_absolute_path_must_be_inside_a_folder() {
        let (root, grants) = two_folders();
        let inside = root.path().join("work/a.txt");
        assert_eq!(
            folder_of(&grants, inside.to_str().unwrap(), Access::Write),
            "work"
        );
        for path in ["work-not/a.txt", "work/../outside.txt", "library/a.txt"] {
            let path = root.path().join(path);
            let failure = locate(&grants, path.to_str().unwrap(), Access::Write)
                .err()
                .unwrap();
            assert_eq!(failure.name, FailureName::Denied, "{}", path.display());
        }
    }

    #[test]
    fn the_failure_names_the_granted_folders() {
        let (root, grants) = two_folders();
        let failure = locate(&grants, "/etc/passwd", Access::Read).err().unwrap();
        assert!(
            failure
                .message
                .contains(root.path().join("library").to_str().unwrap())
        );
        let failure = locate(&Grants::default(), "a.txt", Access::Read)
            .err()
            .unwrap();
        assert_eq!(
            failure.message,
            "`a.txt` is outside the granted folders (no folder is granted)"
        );
    }
}
