//! Which places are out of reach of every tool, whatever is granted? Those where Holloway
//! keeps its keys, journals and settings. They are recognised by name and by what they are,
//! so that no link, mount or other spelling leads into them.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use super::sensitive::{Sensitive, linked_from, places_of};

/// What a file or folder is on this machine, however it is called.
pub(crate) type Identity = (u64, u64);

/// A second name is looked for among so many files; with more of them every file that has two
/// names counts as one of ours.
const MOST_FILES: usize = 100_000;

/// The folders of Holloway itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protected {
    own: Vec<PathBuf>,
    home: Option<PathBuf>,
    /// Where sensitive places of the home folder really are, if that is elsewhere.
    elsewhere: Vec<Sensitive>,
}

impl Protected {
    /// Folders that need not be there yet; paths are whole.
    pub fn new(own: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            own: own.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Knows the home folder as well: its start-up files and keys are often links to others.
    #[must_use]
    pub fn with_home(mut self, home: &Path) -> Self {
        let home = resolved(home);
        self.elsewhere = linked_from(&home);
        self.home = Some(home);
        self
    }

    /// The resolved home folder, if it is known.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The sensitive places of the home folder that a resolved path belongs to under another
    /// name.
    pub(crate) fn linked(&self, real: &Path) -> impl Iterator<Item = Sensitive> {
        let found = self.elsewhere.iter();
        found
            .filter(|place| real.starts_with(&place.place))
            .cloned()
    }

    /// Whether a path leads to or into a sensitive place, as it is written, as it is resolved, or
    /// through a link of the home folder.
    pub fn is_sensitive(&self, path: &Path) -> bool {
        let is_listed = |path: &Path| !places_of(path, self.home()).is_empty();
        let real = resolved(path);
        is_listed(&plain(path)) || is_listed(&real) || self.linked(&real).next().is_some()
    }

    /// Whether a resolved path is one of these places, or lies in one. `passed` are the folders
    /// that were opened on the way.
    pub(crate) fn holds(&self, real: &Path, passed: &[Identity]) -> bool {
        if self.own.is_empty() {
            return false;
        }
        let by_name = self
            .own
            .iter()
            .any(|own| real.starts_with(own) || real.starts_with(resolved(own)));
        by_name || self.is_passed(real, passed) || self.is_hard_link(real)
    }

    /// Whether a path leads into one of these places or contains one.
    pub fn touches(&self, path: &Path) -> bool {
        let real = resolved(path);
        let is_above = |own: &PathBuf| own.starts_with(&real) || resolved(own).starts_with(&real);
        self.holds(&real, &[]) || self.own.iter().any(is_above)
    }

    /// Whether one of the folders on the way is such a place under another name.
    fn is_passed(&self, real: &Path, passed: &[Identity]) -> bool {
        let own: Vec<Identity> = self.own.iter().filter_map(|own| identity(own)).collect();
        let named = real.ancestors().filter_map(identity);
        let mut on_the_way = passed.iter().copied().chain(named);
        !own.is_empty() && on_the_way.any(|passed| own.contains(&passed))
    }

    /// Whether a file is one of those in these folders under a second name.
    fn is_hard_link(&self, real: &Path) -> bool {
        let Ok(metadata) = fs::symlink_metadata(real) else {
            return false;
        };
        if !metadata.is_file() || metadata.nlink() < 2 {
            return false;
        }
        let wanted = identity_of(&metadata);
        self.own.iter().any(|own| has_within(own, wanted))
    }
}

/// Whether a file is somewhere below a folder. Only files with a second name are looked for, so
/// that this is rare.
fn has_within(folder: &Path, wanted: Identity) -> bool {
    let mut folders = vec![folder.to_owned()];
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            looked_at += 1;
            // Not followed if it is a link: where it leads is not ours.
            let Ok(found) = entry.metadata() else {
                continue;
            };
            if identity_of(&found) == wanted || looked_at > MOST_FILES {
                return true;
            }
            if found.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    false
}

fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|found| identity_of(&found))
}

fn identity_of(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

/// A path without links as far as it is there; the rest stays as it is.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let Ok(real) = above.canonicalize() {
            let rest = path.strip_prefix(above).unwrap_or(Path::new(""));
            return plain(&real.join(rest));
        }
    }
    plain(path)
}

/// A whole path without `.` and `..`.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_an_own_place_is_recognised() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let own = root.join("data");
        fs::create_dir_all(own.join("blobs/aa")).unwrap();
        for (file, second) in [("secrets.json", "second-name"), ("blobs/aa/bb", "deep")] {
            fs::write(own.join(file), "{}").unwrap();
            fs::hard_link(own.join(file), root.join(second)).unwrap();
        }
        fs::write(root.join("notes.txt"), "").unwrap();
        fs::hard_link(root.join("notes.txt"), root.join("notes-too.txt")).unwrap();
        std::os::unix::fs::symlink(&own, root.join("alias")).unwrap();
        let missing = root.join("settings");
        let protected = Protected::new([root.join("alias"), missing.clone()]);
        for inside in [
            own.clone(),
            own.join("blobs/new"),
            root.join("second-name"),
            root.join("deep"),
            missing.join("holloway.toml"),
        ] {
            assert!(protected.holds(&inside, &[]), "{}", inside.display());
        }
        let passed = identity(&own).unwrap();
        assert!(protected.holds(Path::new("/elsewhere/secrets.json"), &[passed]));
        for outside in ["notes.txt", "notes-too.txt", "data-not/x"] {
            assert!(!protected.holds(&root.join(outside), &[]), "{outside}");
        }
        assert!(protected.touches(&root) && !protected.touches(&root.join("data-not")));
        assert!(!Protected::default().holds(&own, &[]));
    }
}
