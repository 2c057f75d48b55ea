//! Which `holloway.toml` is the project's? The nearest one from the current folder up to the root
//! of the project. Nothing above that root is read, and on the way up nothing that another user
//! could have put there.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::FILE;

/// What a version control system leaves at the root of a project.
const MARKS: [&str; 3] = [".git", ".hg", ".jj"];
/// Permissions for the group and for everybody to write.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The project around a folder.
#[derive(Debug)]
pub(crate) struct Project {
    /// Where it begins: the nearest folder of a repository, or the folder itself.
    root: PathBuf,
    /// Its configuration, if it has one.
    pub(crate) file: Option<PathBuf>,
    /// A file further up that could be taken for its configuration.
    pub(crate) not_read: Option<NotRead>,
}

/// A file that is left alone, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct NotRead {
    pub(crate) file: PathBuf,
    pub(crate) reason: String,
}

impl Project {
    pub(crate) fn around(folder: &Path) -> Self {
        let is_marked = |folder: &&Path| MARKS.iter().any(|mark| folder.join(mark).exists());
        let root = folder.ancestors().find(is_marked).unwrap_or(folder);
        let mut project = Self {
            root: root.to_owned(),
            file: None,
            not_read: None,
        };
        for place in folder.ancestors() {
            let file = place.join(FILE);
            // Whoever works in a folder has chosen it; what is above it was come upon.
            if place != folder
                && let Some(reason) = danger(place).or_else(|| danger_of_file(&file))
            {
                folder.clone_into(&mut project.root);
                project.leave(place, &reason);
                return project;
            }
            if file.is_file() {
                project.file = Some(file);
                return project;
            }
            if place == root {
                break;
            }
        }
        let reason = format!("it is above the project's root {}", root.display());
        project.leave(root.parent().unwrap_or(root), &reason);
        project
    }

    /// The folder that things of the project stand in: that of its configuration, or its root.
    pub(crate) fn folder(&self) -> &Path {
        let beside = self.file.as_deref().and_then(Path::parent);
        beside.unwrap_or(&self.root)
    }

    /// Notes the nearest file from a folder upwards as one that is not read.
    fn leave(&mut self, from: &Path, reason: &str) {
        let files = from.ancestors().map(|place| place.join(FILE));
        let found = files.into_iter().find(|file| file.is_file());
        self.not_read = found.map(|file| NotRead {
            file,
            reason: reason.to_owned(),
        });
    }
}

/// How another user could change what is there.
fn danger(path: &Path) -> Option<String> {
    let Ok(found) = fs::metadata(path) else {
        return Some(format!("{} cannot be looked at", path.display()));
    };
    if let Some(owner) = stranger(found.uid()) {
        return Some(format!("{} belongs to user {owner}", path.display()));
    }
    let mode = found.mode() & 0o7777;
    (mode & WRITABLE_BY_OTHERS != 0).then(|| {
        let path = path.display();
        format!("others can write to {path} (mode {mode:04o})")
    })
}

fn danger_of_file(file: &Path) -> Option<String> {
    let link = fs::symlink_metadata(file).ok()?;
    if let Some(owner) = stranger(link.uid()) {
        return Some(format!("{} belongs to user {owner}", file.display()));
    }
    danger(file)
}

/// The number of a user who is neither this one nor the system's.
fn stranger(owner: u32) -> Option<u32> {
    let own = rustix::process::geteuid().as_raw();
    (owner != own && owner != 0).then_some(owner)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A tree of files; a name with `/` at its end is a folder.
    fn tree(names: &[&str]) -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        for name in names {
            let path = tree.path().join(name);
            if name.ends_with('/') {
                fs::create_dir_all(&path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, "").unwrap();
            }
            // Whatever the mask of whoever runs the tests.
            let below = path.ancestors().take_while(|path| *path != tree.path());
            for path in below {
                let mode = if path.is_dir() { 0o755 } else { 0o644 };
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        tree
    }

    /// The file that is read from `a/b/c`, or why which one is not.
    #[track_caller]
    fn check(tree: &tempfile::TempDir, expected: &str) {
        let project = Project::around(&tree.path().join("a/b/c"));
        let inside = |file: &Path| file.strip_prefix(tree.path()).unwrap_or(file).to_owned();
        let told = match (&project.file, &project.not_read) {
            (Some(file), _) => inside(file).display().to_string(),
            (None, Some(NotRead { file, reason })) => {
                let reason = reason.replace(&format!("{}/", tree.path().display()), "");
                format!("not {}: {reason}", inside(file).display())
            }
            (None, None) => String::new(),
        };
        assert_eq!(told, expected);
    }

    fn set_mode(tree: &tempfile::TempDir, name: &str, mode: u32) {
        let path = tree.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_nearest_file_up_to_the_root_is_the_projects() {
        check(
            &tree(&["a/.git/", "a/b/c/", "a/holloway.toml"]),
            "a/holloway.toml",
        );
        let nearer = tree(&["a/.git/", "a/holloway.toml", "a/b/holloway.toml", "a/b/c/"]);
        check(&nearer, "a/b/holloway.toml");
        check(&tree(&["a/b/c/holloway.toml"]), "a/b/c/holloway.toml");
    }

    #[test]
    fn nothing_above_the_root_is_read() {
        check(
            &tree(&["holloway.toml", "a/.jj/", "a/b/c/"]),
            "not holloway.toml: it is above the project's root a",
        );
        check(
            &tree(&["a/holloway.toml", "a/b/c/"]),
            "not a/holloway.toml: it is above the project's root a/b/c",
        );
    }

    #[test]
    fn what_others_can_write_is_not_read_on_the_way_up() {
        let made = tree(&["a/.git/", "a/b/c/", "a/holloway.toml"]);
        set_mode(&made, "a/holloway.toml", 0o666);
        let file = "not a/holloway.toml: others can write to a/holloway.toml (mode 0666)";
        check(&made, file);
        set_mode(&made, "a/holloway.toml", 0o644);
        set_mode(&made, "a", 0o1777);
        check(
            &made,
            "not a/holloway.toml: others can write to a (mode 1777)",
        );
        set_mode(&made, "a", 0o755);
        set_mode(&made, "a/b", 0o775);
        check(
            &made,
            "not a/holloway.toml: others can write to a/b (mode 0775)",
        );
        let project = Project::around(&made.path().join("a/b/c"));
        assert_eq!(project.folder(), made.path().join("a/b/c"));
    }

    #[test]
    fn the_current_folder_was_chosen() {
        let made = tree(&["a/b/c/holloway.toml"]);
        set_mode(&made, "a/b/c", 0o777);
        check(&made, "a/b/c/holloway.toml");
    }

    #[test]
    fn another_user_is_a_stranger_and_the_system_is_none() {
        let own = rustix::process::geteuid().as_raw();
        assert_eq!(stranger(own), None);
        assert_eq!(stranger(0), None);
        assert_eq!(stranger(own + 1), Some(own + 1));
    }
}
