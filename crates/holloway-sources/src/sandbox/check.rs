//! Can this confinement be kept? Looked at before anything is started, so that a
//! mistake is told in words instead of by a program that does not start.

use std::path::{Path, PathBuf};

use super::{Confinement, Kind, SandboxError};

/// Whoever may read or write these may do anything.
const NEVER: &[&str] = &["/", "/proc", "/sys", "/dev", "/etc", "/run"];

pub(super) fn sound(confinement: &Confinement, kind: Kind) -> Result<(), SandboxError> {
    let given = || confinement.readable.iter().chain(&confinement.writable);
    for path in given() {
        names_something(path)?;
    }
    environment(confinement)?;
    if kind == Kind::Unsandboxed {
        return Ok(());
    }
    if !given().any(|path| confinement.folder.starts_with(path)) {
        return Err(SandboxError::new(
            format!(
                "the program is to start in `{}`, which it may neither read nor write",
                confinement.folder.display()
            ),
            "name a folder below a readable or writable one",
        ));
    }
    match kind {
        Kind::Landlock => unmixed(confinement),
        Kind::Bubblewrap | Kind::Unsandboxed => Ok(()),
    }
}

fn names_something(path: &Path) -> Result<(), SandboxError> {
    let plain = path.is_absolute() && !path.components().any(|part| part.as_os_str() == "..");
    if !plain || NEVER.iter().any(|never| Path::new(never) == path) {
        return Err(SandboxError::new(
            format!("`{}` cannot be given to a sandbox", path.display()),
            "name a whole path from the root without `..`, and not a folder of the system itself",
        ));
    }
    path.try_exists().ok().filter(|found| *found).map_or_else(
        || {
            Err(SandboxError::new(
                format!("`{}` is not there", path.display()),
                "make it before the program is started",
            ))
        },
        |_| Ok(()),
    )
}

fn environment(confinement: &Confinement) -> Result<(), SandboxError> {
    for (name, value) in &confinement.environment {
        let sound =
            !name.is_empty() && !name.contains(['=', '\0']) && !value.reveal().contains('\0');
        if !sound {
            return Err(SandboxError::new(
                format!("the variable `{}` cannot be set", name.escape_default()),
                "names have no `=`, and neither names nor values have zero bytes",
            ));
        }
    }
    Ok(())
}

/// Landlock only ever adds rights, so that nothing stays read-only below a writable folder.
fn unmixed(confinement: &Confinement) -> Result<(), SandboxError> {
    let below = |path: &PathBuf| {
        confinement
            .writable
            .iter()
            .any(|writable| path.starts_with(writable))
    };
    match confinement.readable.iter().find(|path| below(path)) {
        None => Ok(()),
        Some(path) => Err(SandboxError::new(
            format!(
                "`{}` cannot be kept read-only, since it is below a writable folder",
                path.display()
            ),
            "install `bubblewrap`, which can, or give another folder",
        )),
    }
}
