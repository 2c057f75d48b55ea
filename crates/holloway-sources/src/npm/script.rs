//! Which program runs in the worker? Ours, carried in the binary and written beside
//! the modules of the package, so that it finds them as any program there would.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const FILES: [(&str, &str); 5] = [
    ("worker.mjs", include_str!("worker/worker.mjs")),
    ("describe.mjs", include_str!("worker/describe.mjs")),
    ("schema.mjs", include_str!("worker/schema.mjs")),
    ("values.mjs", include_str!("worker/values.mjs")),
    ("guard.mjs", include_str!("worker/guard.mjs")),
];

/// Writes the worker into the package's folder unless it is there; returns its path.
/// The folder's name follows from the content: another Holloway has its own.
pub(super) fn write(package: &Path) -> io::Result<PathBuf> {
    let folder = package.join(format!(".worker-{}", digest()));
    if !is_complete(&folder) {
        fs::create_dir_all(&folder)?;
        for (name, text) in FILES {
            replace(&folder, name, text)?;
        }
    }
    Ok(folder.join("worker.mjs"))
}

/// In one step, for a worker that starts meanwhile.
fn replace(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let unfinished = folder.join(format!("{name}.{}", std::process::id()));
    fs::write(&unfinished, text)?;
    fs::rename(unfinished, folder.join(name))
}

fn is_complete(folder: &Path) -> bool {
    FILES
        .iter()
        .all(|(name, text)| fs::read(folder.join(name)).is_ok_and(|found| found == text.as_bytes()))
}

fn digest() -> String {
    let mut hasher = blake3::Hasher::new();
    for (_, text) in FILES {
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(12).collect()
}
