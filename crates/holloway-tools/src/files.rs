//! Which file does a path mean, and may it be touched? A path is looked up inside a
//! granted folder that is opened as a capability: nothing above it can be named,
//! neither by `..` nor through a link. The one gate for every tool that takes a path.

use std::ffi::OsStr;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use holloway_engine::failure::ToolFailure;

use super::made::Made;
use super::protected::plain;
use super::{Folder, Grants, Tool, deciding};

mod append;
pub(crate) mod copy;
mod delete;
mod gate;
mod home;
mod jsonl;
mod list;
pub(crate) mod moving;
mod place;
pub(crate) mod read;
mod refused;
pub(crate) mod replacement;
mod search;
mod stat;
mod way;
pub(crate) mod write;

#[cfg(test)]
mod escape_tests;
#[cfg(test)]
mod gate_tests;

pub(crate) use gate::may_descend;
use home::from_home;
pub(crate) use place::Place;
use refused::{failure, moved, outside, read_only};
pub(crate) use way::Last;

pub(crate) fn tools(grants: &Arc<Grants>, made: &Arc<Made>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(read::Read(Arc::clone(grants))),
        Arc::new(write::Write::new(grants, made)),
        Arc::new(append::Append::new(grants, made)),
        Arc::new(jsonl::JsonlAppend::new(grants, made)),
        Arc::new(copy::Copy::new(grants, made)),
        Arc::new(moving::Move::new(grants, made)),
        Arc::new(list::List(Arc::clone(grants))),
        Arc::new(search::Search(Arc::clone(grants))),
        Arc::new(stat::Stat(Arc::clone(grants))),
        Arc::new(delete::Delete::new(grants, made)),
    ]
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// Finds the first granted folder that the path fits, and what it leads to there.
pub(crate) fn locate(grants: &Grants, path: &str, access: Access) -> Result<Place, ToolFailure> {
    locate_last(grants, path, access, Last::Follow)
}

/// The same; a link at the end of the path may be meant itself.
pub(crate) fn locate_last(
    grants: &Grants,
    path: &str,
    access: Access,
    last: Last,
) -> Result<Place, ToolFailure> {
    first_fitting(grants, path, access, |folder, relative| {
        let place = open(grants, folder, relative, access, last)?;
        let is_there = place.exists();
        Ok((place, is_there))
    })
}

/// Where a file goes that is copied or moved.
pub(crate) struct Target {
    pub(crate) place: Place,
    /// The path as tools are given it.
    pub(crate) path: String,
}

/// Where a file of this name goes if it is put `to` a path: into a folder that is there, or that
/// is written with `/` at its end; otherwise it gets that path.
pub(crate) fn locate_target(
    grants: &Grants,
    to: &str,
    name: Option<&OsStr>,
) -> Result<Target, ToolFailure> {
    first_fitting(grants, to, Access::Write, |folder, relative| {
        let open = |relative: &Path| open(grants, folder, relative, Access::Write, Last::Follow);
        let place = open(relative)?;
        let is_there = place.exists();
        let is_folder = place.is_folder() || (!is_there && to.ends_with('/'));
        let target = match name.filter(|_| is_folder) {
            Some(name) => Target {
                place: open(&relative.join(name))?,
                path: Path::new(to).join(name).display().to_string(),
            },
            None => Target {
                place,
                path: to.to_owned(),
            },
        };
        Ok((target, is_there))
    })
}

/// What `find` says is there, in the first folder where it is; else what it finds in the first.
fn first_fitting<T>(
    grants: &Grants,
    path: &str,
    access: Access,
    find: impl Fn(&Folder, &Path) -> Result<(T, bool), ToolFailure>,
) -> Result<T, ToolFailure> {
    if path.is_empty() || path.contains('\0') {
        return Err(ToolFailure::invalid(
            "a path must not be empty or contain NUL",
        ));
    }
    let path = &*from_home(grants, path);
    let candidates = candidates(grants, Path::new(path), access)?;
    let mut first = None;
    for (folder, relative) in candidates {
        if climbs_out(&relative) {
            return Err(outside(grants, path));
        }
        match find(folder, &relative) {
            Ok((found, true)) => return Ok(found),
            other => first.get_or_insert(other.map(|(found, _)| found)),
        };
    }
    first.unwrap_or_else(|| Err(outside(grants, path)))
}

/// Whether a path fits a granted folder; there it may be refused for what it is.
pub(crate) fn is_granted(grants: &Grants, path: &str, access: Access) -> bool {
    let path = from_home(grants, path);
    let candidates = candidates(grants, Path::new(&*path), access);
    candidates.is_ok_and(|fitting| fitting.iter().any(|(_, relative)| !climbs_out(relative)))
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
    let (usable, readable): (Vec<_>, Vec<_>) =
        fitting.partition(|(folder, _)| access == Access::Read || folder.writable);
    if usable.is_empty() && !readable.is_empty() {
        return Err(read_only(path));
    }
    Ok(usable)
}

/// The path as seen from the folder; `None` when it is an absolute path elsewhere. Of a file
/// that is granted by itself, only its own name fits.
fn inside(folder: &Folder, path: &Path) -> Option<PathBuf> {
    let is_file = folder.path.is_file();
    if !path.has_root() {
        let is_meant = !is_file || folder.path.file_name() == Some(path.as_os_str());
        return is_meant.then(|| path.to_owned());
    }
    let relative = path
        .strip_prefix(&folder.path)
        .ok()
        .map(Path::to_owned)
        .or_else(|| {
            let folder = folder.path.canonicalize().ok()?;
            Some(path.strip_prefix(folder).ok()?.to_owned())
        })?;
    let is_itself = relative.as_os_str().is_empty();
    match (is_file, is_itself) {
        (true, true) => folder.path.file_name().map(PathBuf::from),
        (true, false) => None,
        (false, true) => Some(PathBuf::from(".")),
        (false, false) => Some(relative),
    }
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

fn open(
    grants: &Grants,
    folder: &Folder,
    relative: &Path,
    access: Access,
    last: Last,
) -> Result<Place, ToolFailure> {
    if let Some((then, now)) = grants.moved(folder) {
        return Err(moved(folder, then, &now));
    }
    let root = match folder.path.parent() {
        Some(above) if folder.path.is_file() => above,
        _ => &folder.path,
    };
    let shown = root.join(relative).display().to_string();
    let refused = |error: io::Error| failure(&root.display().to_string(), &error);
    let real_root = root.canonicalize().map_err(refused)?;
    let directory = Dir::open_ambient_dir(&real_root, ambient_authority()).map_err(refused)?;
    let arrival =
        way::follow(directory, relative, last).map_err(|error| failure(&shown, &error))?;
    let real = plain(&real_root.join(&arrival.inside).join(&arrival.rest));
    let named = plain(&real_root.join(relative));
    let sensitive = gate::pass(grants, &named, &real, &arrival.passed, access)?;
    let is_kept = || deciding(&grants.folders, &real).is_some_and(|folder| !folder.writable);
    if access == Access::Write && is_kept() {
        return Err(read_only(&real));
    }
    Ok(Place {
        directory: arrival.directory,
        relative: arrival.rest,
        real,
        shown,
        has_links: arrival.has_links,
        sensitive,
    })
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
        let folder = place.real.parent().unwrap();
        folder.file_name().unwrap().to_str().unwrap().to_owned()
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

    #[test]
    fn a_granted_link_that_leads_elsewhere_is_not_followed() {
        let root = tempfile::tempdir().unwrap();
        let link = root.path().join("link");
        let point_at = |name: &str| {
            std::fs::remove_file(&link).ok();
            std::os::unix::fs::symlink(name, &link).unwrap();
        };
        for name in ["first", "second"] {
            std::fs::create_dir(root.path().join(name)).unwrap();
            std::fs::write(root.path().join(name).join("a.txt"), name).unwrap();
        }
        point_at("first");
        let mut grants = Grants {
            folders: vec![Folder {
                path: link.clone(),
                writable: true,
            }],
            ..Grants::default()
        };
        grants.hold();
        let absolute = link.join("a.txt");
        for path in ["a.txt", absolute.to_str().unwrap()] {
            for access in [Access::Read, Access::Write] {
                point_at("first");
                assert_eq!(folder_of(&grants, path, access), "first");
                point_at("second");
                let failure = locate(&grants, path, access).err().unwrap();
                assert_eq!(failure.name, FailureName::Denied);
                assert!(failure.message.contains("/second` now"), "{failure}");
            }
        }
    }

    #[test]
    fn the_innermost_grant_decides_whether_a_file_may_be_written() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("keep/open")).unwrap();
        std::os::unix::fs::symlink("keep", root.path().join("link")).unwrap();
        let folders = [("", true), ("link", false), ("keep/open", true)];
        let folders = folders.map(|(name, writable)| Folder {
            path: root.path().join(name),
            writable,
        });
        let grants = Grants {
            folders: folders.to_vec(),
            ..Grants::default()
        };
        for (path, is_writable) in [
            ("a.txt", true),
            ("keep/a.txt", false),
            ("keep/new/a.txt", false),
            ("keep/open/a.txt", true),
            ("link/a.txt", false),
        ] {
            let path = root.path().join(path);
            let path = path.to_str().unwrap();
            let written = locate(&grants, path, Access::Write);
            assert_eq!(written.is_ok(), is_writable, "{path}");
            assert!(locate(&grants, path, Access::Read).is_ok(), "{path}");
        }
    }
}
