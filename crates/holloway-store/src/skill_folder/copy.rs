//! How does a skill get into a library? All its files are copied beside, then the whole
//! folder changes its name, so that a half-copied skill is never seen.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

const MOST_FILES: usize = 500;
const MOST_BYTES: u64 = 20 << 20;
const DEEPEST: usize = 8;
/// Beside a skill these are a project's own: its library, into which the skill may be
/// copied just now, and its history.
const NOT_COPIED: [&str; 2] = [".agents", ".git"];

/// Why a skill was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("there is a skill `{0}` already")]
    Exists(String),
    #[error("`{}` is a link or a special file", .0.display())]
    NoFile(PathBuf),
    #[error(
        "the folder holds more than {MOST_FILES} files, {MOST_BYTES} bytes or {DEEPEST} levels"
    )]
    TooLarge,
    #[error(transparent)]
    Disk(#[from] io::Error),
}

/// Copies the folder `from` into `library` as `name`, which must be the name of a skill.
pub fn copy_skill(
    from: &Path,
    library: &Path,
    name: &str,
    replace: bool,
) -> Result<PathBuf, CopyError> {
    std::fs::create_dir_all(library)?;
    let target = library.join(name);
    let source = Dir::open_ambient_dir(from, ambient_authority())?;
    let library = Dir::open_ambient_dir(library, ambient_authority())?;
    let is_there = library.symlink_metadata(name).is_ok();
    if is_there && !replace {
        return Err(CopyError::Exists(name.to_owned()));
    }
    let beside = format!(".{name}.new");
    remove(&library, &beside)?;
    library.create_dir(&beside)?;
    let mut copier = Copier { files: 0, bytes: 0 };
    let copied = library
        .open_dir(&beside)
        .map_err(CopyError::from)
        .and_then(|into| copier.folder(&source, &into, Path::new(""), 0));
    if let Err(error) = copied {
        remove(&library, &beside)?;
        return Err(error);
    }
    put_in_place(&library, &beside, name, is_there)?;
    Ok(target)
}

/// The old one steps aside first, so that it is still there when the new one cannot come.
fn put_in_place(library: &Dir, beside: &str, name: &str, is_there: bool) -> io::Result<()> {
    if !is_there {
        return library.rename(beside, library, name);
    }
    let aside = format!(".{name}.old");
    remove(library, &aside)?;
    library.rename(name, library, &aside)?;
    if let Err(error) = library.rename(beside, library, name) {
        library.rename(&aside, library, name)?;
        return Err(error);
    }
    remove(library, &aside)
}

fn remove(library: &Dir, name: &str) -> io::Result<()> {
    match library.symlink_metadata(name) {
        Ok(entry) if entry.is_dir() => library.remove_dir_all(name),
        Ok(_) => library.remove_file(name),
        Err(_) => Ok(()),
    }
}

struct Copier {
    files: usize,
    bytes: u64,
}

impl Copier {
    fn folder(
        &mut self,
        from: &Dir,
        into: &Dir,
        place: &Path,
        depth: usize,
    ) -> Result<(), CopyError> {
        if depth > DEEPEST {
            return Err(CopyError::TooLarge);
        }
        for entry in from.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            if depth == 0 && NOT_COPIED.iter().any(|kept| name == *kept) {
                continue;
            }
            let place = place.join(&name);
            self.files += 1;
            if self.files > MOST_FILES {
                return Err(CopyError::TooLarge);
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                into.create_dir(&name)?;
                let inner = into.open_dir(&name)?;
                self.folder(&entry.open_dir()?, &inner, &place, depth + 1)?;
            } else if kind.is_file() {
                self.file(&entry.open()?, &mut into.create(&name)?)?;
            } else {
                return Err(CopyError::NoFile(place));
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        from: &cap_std::fs::File,
        into: &mut cap_std::fs::File,
    ) -> Result<(), CopyError> {
        let left = MOST_BYTES - self.bytes;
        let copied = io::copy(&mut from.take(left + 1), into)?;
        if copied > left {
            return Err(CopyError::TooLarge);
        }
        self.bytes += copied;
        into.flush()?;
        Ok(())
    }
}
