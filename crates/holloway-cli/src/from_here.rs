//! Which place does a path mean that was typed or stands in a configuration? One that begins with
//! `~` lies in the home folder, as in a shell; others are meant from a folder on.

use std::path::{Path, PathBuf};

/// The whole path.
pub(crate) fn from_here(here: &Path, path: impl AsRef<Path>) -> PathBuf {
    let home = etcetera::home_dir().ok();
    whole(here, path.as_ref(), home.as_deref())
}

/// `~name` would be the folder of another user, and may be a file that is called so.
fn whole(here: &Path, path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => here.join(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_folder_at_the_start_only() {
        let check = |text: &str, expected: &str| {
            let found = whole(Path::new("/here"), Path::new(text), Some(Path::new("/ada")));
            assert_eq!(found, Path::new(expected));
        };
        check("~/notes.txt", "/ada/notes.txt");
        check("~", "/ada/");
        check("a/~/b", "/here/a/~/b");
        check("~bob/x", "/here/~bob/x");
        check("./~/x", "/here/./~/x");
        check("/etc", "/etc");
        let without = whole(Path::new("/here"), Path::new("~/x"), None);
        assert_eq!(without, Path::new("/here/~/x"));
    }
}
