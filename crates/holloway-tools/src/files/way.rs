//! Where does a path lead inside an opened folder? Followed part by part, each folder opened
//! before the next part is looked at, so that nothing that changes meanwhile leads elsewhere.
//! Invariant: what is returned lies in the folder, and no link is on the way to it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::fs::{Dir, MetadataExt as _};
use rustix::fs::{Mode, OFlags, openat};

use super::super::protected::Identity;

/// As many as Linux follows.
const LINKS: usize = 40;

/// What becomes of the last part of a path if it is a link or a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// Where it leads is meant.
    Follow,
    /// It is meant itself.
    Keep,
}

/// Where a path has led.
pub(super) struct Arrival {
    /// The last folder that is there.
    pub(super) directory: Dir,
    /// How that folder is called, from the opened folder on.
    pub(super) inside: PathBuf,
    /// What is meant in it: one name, several if they are not there yet, or `.` for itself.
    pub(super) rest: PathBuf,
    /// Every folder that was opened on the way.
    pub(super) passed: Vec<Identity>,
    /// A link was followed.
    pub(super) has_links: bool,
}

struct Walk {
    root: Dir,
    opened: Vec<(Dir, OsString)>,
    ahead: VecDeque<OsString>,
    links: usize,
}

pub(super) fn follow(root: Dir, path: &Path, last: Last) -> io::Result<Arrival> {
    let mut walk = Walk {
        root,
        opened: Vec::new(),
        ahead: VecDeque::new(),
        links: 0,
    };
    walk.plan(path)?;
    while let Some(part) = walk.ahead.pop_front() {
        if let Some(name) = walk.step(part, last)? {
            return walk.arrive(name);
        }
    }
    walk.arrive(PathBuf::from("."))
}

impl Walk {
    /// Puts the parts of a path before what is still ahead.
    fn plan(&mut self, path: &Path) -> io::Result<()> {
        for component in path.components().rev() {
            match component {
                Component::Normal(name) => self.ahead.push_front(name.to_owned()),
                Component::ParentDir => self.ahead.push_front("..".into()),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => return Err(escaped()),
            }
        }
        Ok(())
    }

    fn here(&self) -> &Dir {
        self.opened.last().map_or(&self.root, |(folder, _)| folder)
    }

    /// Goes one part further; returns what is meant here if the way ends.
    fn step(&mut self, part: OsString, last: Last) -> io::Result<Option<PathBuf>> {
        if part == ".." {
            return self.opened.pop().map(|_| None).ok_or_else(escaped);
        }
        let is_last = self.ahead.is_empty();
        let found = match self.here().symlink_metadata(&part) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.missing(part, error).map(Some);
            }
            Err(error) => return Err(error),
        };
        if is_last && last == Last::Keep {
            return Ok(Some(part.into()));
        }
        if found.is_symlink() {
            self.links += 1;
            if self.links > LINKS {
                return Err(io::Error::other("too many links"));
            }
            let target = self.here().read_link_contents(&part)?;
            self.plan(&target)?;
            return Ok(None);
        }
        if found.is_dir() {
            let folder = open_folder(self.here(), &part)?;
            self.opened.push((folder, part));
            return Ok(None);
        }
        // Below a file nothing is there; whoever opens it is told.
        self.missing(part, io::ErrorKind::NotADirectory.into())
            .map(Some)
    }

    /// What is not there yet cannot lead anywhere but down.
    fn missing(&mut self, part: OsString, error: io::Error) -> io::Result<PathBuf> {
        let mut rest = PathBuf::from(part);
        for part in self.ahead.drain(..) {
            if part == ".." {
                return Err(error);
            }
            rest.push(part);
        }
        Ok(rest)
    }

    fn arrive(self, rest: PathBuf) -> io::Result<Arrival> {
        let mut passed = vec![identity(&self.root)?];
        let mut inside = PathBuf::new();
        let mut directory = self.root;
        for (folder, name) in self.opened {
            passed.push(identity(&folder)?);
            inside.push(name);
            directory = folder;
        }
        Ok(Arrival {
            directory,
            inside,
            rest,
            passed,
            has_links: self.links > 0,
        })
    }
}

/// Refuses a link that has just taken the folder's place.
pub(super) fn open_folder(above: &Dir, name: impl rustix::path::Arg) -> io::Result<Dir> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(above, name, flags, Mode::empty())?;
    Ok(Dir::from_std_file(folder.into()))
}

pub(super) fn identity(folder: &Dir) -> io::Result<Identity> {
    let metadata = folder.dir_metadata()?;
    Ok((metadata.dev(), metadata.ino()))
}

/// As the capability layer says it, without an error number of the system.
fn escaped() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the path leads out")
}
