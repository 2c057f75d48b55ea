//! How are skills read from folders and put into them? A library is a folder of folders,
//! each with a `SKILL.md`. Nothing outside of the folder is read, whatever links say, and
//! what is copied is bounded.

mod copy;

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use holloway_flow::skills::read::MOST_BYTES;
use holloway_flow::skills::{Document, FILE, Origin, SkillLibrary};

pub use copy::{CopyError, copy_skill};

/// Folders of one library that are looked at.
const MOST_SKILLS: usize = 500;

/// A folder of skills.
#[derive(Clone, Debug)]
pub struct SkillFolder {
    path: PathBuf,
    origin: Origin,
}

impl SkillFolder {
    /// A folder that is not there holds no skills.
    pub fn new(path: impl Into<PathBuf>, origin: Origin) -> Self {
        Self {
            path: path.into(),
            origin,
        }
    }

    /// The skill in one folder of its own.
    pub fn single(folder: &Path, origin: Origin) -> Document {
        let name = folder.file_name().unwrap_or_default();
        let content = Dir::open_ambient_dir(folder, ambient_authority())
            .map_err(|error| told(&error))
            .and_then(|folder| content_of(&folder));
        document(folder, name, origin, content)
    }
}

impl SkillLibrary for SkillFolder {
    fn documents(&self) -> Vec<Document> {
        let Ok(library) = Dir::open_ambient_dir(&self.path, ambient_authority()) else {
            return Vec::new();
        };
        let entries = library.entries().into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name());
        // What begins with a dot is hidden, or a copy that was never finished.
        let mut names: Vec<_> = names
            .filter(|name| !name.as_encoded_bytes().starts_with(b"."))
            .take(MOST_SKILLS)
            .collect();
        names.sort();
        let found = |name: &std::ffi::OsString| {
            let content = match library.open_dir(name) {
                Ok(folder) if folder.symlink_metadata(FILE).is_err() => return None,
                Ok(folder) => content_of(&folder),
                // A file beside the folders is no skill; a link out of the library is told.
                Err(_) if !is_link(&library, name) => return None,
                Err(error) => Err(told(&error)),
            };
            Some(document(&self.path.join(name), name, self.origin, content))
        };
        names.iter().filter_map(found).collect()
    }
}

fn is_link(folder: &Dir, name: &OsStr) -> bool {
    let entry = folder.symlink_metadata(name);
    entry.is_ok_and(|entry| entry.file_type().is_symlink())
}

fn document(
    folder: &Path,
    name: &OsStr,
    origin: Origin,
    content: Result<Vec<u8>, String>,
) -> Document {
    Document {
        folder: name.to_string_lossy().into_owned(),
        origin,
        place: folder.join(FILE).display().to_string(),
        content,
    }
}

/// At most a little more than is read, so that too much is noticed.
fn content_of(folder: &Dir) -> Result<Vec<u8>, String> {
    // Opening a pipe would wait for its writer.
    let entry = folder.metadata(FILE).map_err(|error| told(&error))?;
    if !entry.is_file() {
        return Err("`SKILL.md` is no file".to_owned());
    }
    let file = folder.open(FILE).map_err(|error| told(&error))?;
    let mut content = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    let read = file.take(most).read_to_end(&mut content);
    read.map_err(|error| told(&error))?;
    Ok(content)
}

fn told(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no `SKILL.md`".to_owned(),
        // What cap-std says about a path or link that leads out.
        io::ErrorKind::PermissionDenied => {
            "the file may not be read, or a link leads out of its folder".to_owned()
        }
        _ => format!("the file cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests;
