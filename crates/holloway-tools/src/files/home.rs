//! Where is `~`? In the home folder, as in a shell; it opens nothing that is not granted.

use std::borrow::Cow;
use std::path::Path;

use super::super::Grants;

/// A path that begins with `~` lies in the home folder, as in a shell.
pub(super) fn from_home<'a>(grants: &Grants, path: &'a str) -> Cow<'a, str> {
    let in_home = Path::new(path).strip_prefix("~").ok();
    match in_home.zip(grants.protected.home()) {
        Some((rest, home)) => {
            let whole = home.join(rest).display().to_string();
            // `notes/` is a folder to be made, `notes` may be a file.
            let end = if path.ends_with('/') { "/" } else { "" };
            Cow::Owned(whole.trim_end_matches('/').to_owned() + end)
        }
        None => Cow::Borrowed(path),
    }
}

#[cfg(test)]
mod tests {
    use holloway_engine::failure::FailureName;

    use super::super::super::{Folder, Grants, Protected};
    use super::super::{Access, locate};

    #[test]
    fn a_tilde_is_the_home_folder_and_no_grant() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().canonicalize().unwrap();
        std::fs::create_dir(home.join("work")).unwrap();
        let grants = Grants {
            folders: vec![Folder {
                path: home.join("work"),
                writable: true,
            }],
            protected: Protected::default().with_home(&home),
            ..Grants::default()
        };
        let inside = locate(&grants, "~/work/a.txt", Access::Write).unwrap();
        assert_eq!(inside.real, home.join("work/a.txt"));
        let other = locate(&grants, "~/other/a.txt", Access::Read)
            .err()
            .unwrap();
        assert_eq!(other.name, FailureName::Denied);
        // Nobody else's home folder.
        let named = locate(&grants, "~ada", Access::Read).unwrap();
        assert!(named.real.ends_with("work/~ada"));
    }
}
