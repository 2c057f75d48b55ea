//! Is the database file there as a whole, and can it be written? SQLite takes an empty file for a
//! new database, and one of a form that it does not know for a read-only one; both are damage here.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};

/// The smallest page, and so the smallest database.
const SMALLEST: u64 = 512;
const MAGIC: &[u8] = b"SQLite format 3\0";
/// Where the header says by whom the file can be written and read: 1 without a log, 2 with one.
const FORMS: std::ops::Range<usize> = 18..20;

/// What is wrong with the file.
pub(super) struct Complaint {
    pub(super) reason: String,
    /// Whether what is in it can be read all the same.
    pub(super) is_readable: bool,
}

/// What is wrong with the database as a file; nothing if there is none and never was.
pub(super) fn complaint(database: &Path) -> io::Result<Option<Complaint>> {
    let unreadable = |reason: &str| {
        Ok(Some(Complaint {
            reason: reason.to_owned(),
            is_readable: false,
        }))
    };
    let file = match open_file(database) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut log = database.as_os_str().to_owned();
            log.push("-wal");
            let has_log = fs::metadata(log).is_ok_and(|log| log.len() > 0);
            return if has_log {
                unreadable("it is missing, but its log is there")
            } else {
                Ok(None)
            };
        }
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return unreadable(&error.to_string());
        }
        Err(error) => return Err(error),
    };
    let bytes = file.metadata()?.len();
    let mut header = Vec::new();
    file.take(100).read_to_end(&mut header)?;
    if bytes == 0 {
        return unreadable("it is empty");
    }
    if bytes < SMALLEST {
        return unreadable(&format!("it ends after {bytes} bytes"));
    }
    let forms = header.get(FORMS).unwrap_or_default();
    // What is no database at all is for SQLite to say.
    let is_odd = header.starts_with(MAGIC) && !matches!(forms, [1, 1] | [2, 2]);
    Ok(is_odd.then(|| Complaint {
        reason: format!("its header has an unknown form ({forms:?}), so that it cannot be written"),
        is_readable: true,
    }))
}

/// Opens a file to read it. Anything but a file is refused: a pipe would be waited for, and a link
/// leads elsewhere.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let no_file = || io::Error::new(io::ErrorKind::InvalidData, "it is not a file");
    let opened = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        rustix::io::Errno::LOOP | rustix::io::Errno::NXIO => no_file(),
        other => other.into(),
    })?;
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode);
    if kind == FileType::RegularFile {
        Ok(opened.into())
    } else {
        Err(no_file())
    }
}
