//! What is in a folder and below it? Every entry is looked at once, without following links, and
//! no more of them than a bound allows.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cap_std::fs::{Dir, DirEntry, Metadata};
use serde_json::{Value, json};

use super::super::super::Grants;
use super::super::search::ends_so;
use super::super::way::{identity, open_folder};
use super::super::{Place, may_descend};
use super::kind;

/// Entries of folders that are being collected.
pub(super) struct Walk<'a> {
    pub(super) grants: &'a Grants,
    pub(super) recursive: bool,
    /// Only files whose names end so; everything if there are none.
    pub(super) endings: &'a [String],
    /// How many entries may still be looked at.
    pub(super) room: usize,
    pub(super) found: Vec<Found>,
}

/// A file, folder or link that was found.
pub(super) struct Found {
    /// As the other tools take it.
    pub(super) path: PathBuf,
    kind: &'static str,
    pub(super) size: u64,
    pub(super) modified: Option<SystemTime>,
}

impl Found {
    pub(super) fn is_file(&self) -> bool {
        self.kind == "file"
    }

    pub(super) fn told(&self) -> Value {
        let mut told = json!({
            "path": self.path.display().to_string(),
            "kind": self.kind,
            "size": self.size,
        });
        let modified = self
            .modified
            .and_then(|time| jiff::Timestamp::try_from(time).ok());
        if let (Some(modified), Some(told)) = (modified, told.as_object_mut()) {
            // Whole seconds, so that texts sort as times do.
            let modified = modified.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
            told.insert("modified".to_owned(), modified.into());
        }
        told
    }
}

/// A folder that is being listed.
struct Open {
    directory: Dir,
    /// As it was given.
    path: PathBuf,
    /// As it is.
    real: PathBuf,
}

impl Open {
    /// Whether its contents may be listed too.
    fn may_be_entered(&self, grants: &Grants) -> bool {
        let identity = identity(&self.directory);
        identity.is_ok_and(|identity| may_descend(grants, &self.real, &[identity]))
    }
}

impl Walk<'_> {
    /// Collects what is there; returns whether something was left out for want of room.
    pub(super) fn run(&mut self, place: &Place, path: &str) -> io::Result<bool> {
        let start = Open {
            directory: place.directory.open_dir(&place.relative)?,
            path: PathBuf::from(path),
            real: place.real.clone(),
        };
        let mut waiting = vec![start];
        while let Some(folder) = waiting.pop() {
            if self.visit(&folder, &mut waiting)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Notes the entries of one folder, and the folders among them as waiting.
    fn visit(&mut self, folder: &Open, waiting: &mut Vec<Open>) -> io::Result<bool> {
        for entry in folder.directory.read_dir(".")? {
            let entry = entry?;
            let Some(room) = self.room.checked_sub(1) else {
                return Ok(true);
            };
            self.room = room;
            // An entry may vanish between being listed and being looked at.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let path = join(&folder.path, &entry);
            if self.recursive && metadata.is_dir() {
                let below = open_folder(&folder.directory, entry.file_name());
                let below = below.ok().map(|directory| Open {
                    directory,
                    path: path.clone(),
                    real: folder.real.join(entry.file_name()),
                });
                waiting.extend(below.filter(|folder| folder.may_be_entered(self.grants)));
            }
            if self.is_wanted(&path, &metadata) {
                self.found.push(Found {
                    path,
                    kind: kind(&metadata),
                    size: metadata.len(),
                    modified: metadata
                        .modified()
                        .ok()
                        .map(cap_std::time::SystemTime::into_std),
                });
            }
        }
        Ok(false)
    }

    fn is_wanted(&self, path: &Path, metadata: &Metadata) -> bool {
        self.endings.is_empty() || (metadata.is_file() && ends_so(path, self.endings))
    }
}

fn join(path: &Path, entry: &DirEntry) -> PathBuf {
    if path == Path::new(".") {
        PathBuf::from(entry.file_name())
    } else {
        path.join(entry.file_name())
    }
}
