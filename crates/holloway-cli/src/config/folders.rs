//! Which folders of a list are granted already? Compared by where they really are, because a
//! project can hold a link that leads anywhere. A sensitive place is granted only by its own name:
//! whoever grants a folder above it has not said that.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use holloway_tools::{Folder, Protected, deciding};
use toml::Value;

/// What two lists of folders have in common.
pub(crate) struct Shared {
    /// By the paths that lead there without links.
    pub(crate) kept: Vec<Folder>,
    /// Those of the wanted folders that are not granted as they are wanted.
    pub(crate) lacking: Vec<Folder>,
}

impl Shared {
    pub(crate) fn of(wanted: &[Folder], granted: &[Folder]) -> Self {
        let granted: Vec<Folder> = granted.iter().filter_map(real).collect();
        let is_sensitive = sensitive_here();
        let (mut usable, mut lacking) = (Vec::new(), Vec::new());
        for folder in wanted {
            let found = real(folder).filter(|real| {
                let is_itself = granted.iter().any(|one| one.path == real.path);
                is_itself || !is_sensitive(&folder.path)
            });
            let around = found
                .as_ref()
                .and_then(|real| deciding(&granted, &real.path));
            if !around.is_some_and(|one| one.writable || !folder.writable) {
                lacking.push(folder.clone());
            }
            usable.extend(found);
        }
        let mut paths = BTreeSet::new();
        for one in &usable {
            paths.extend(granted.iter().filter_map(|other| inner(one, other)));
        }
        let may_write =
            |list: &[Folder], path: &Path| deciding(list, path).is_some_and(|one| one.writable);
        let kept = paths.into_iter().map(|path| Folder {
            writable: may_write(&usable, path) && may_write(&granted, path),
            path: path.to_owned(),
        });
        Self {
            kept: kept.collect(),
            lacking,
        }
    }
}

/// What both lists grant, and whether that is all of the wanted one.
pub(super) fn granted_already(wanted: &Value, below: Option<&Value>) -> (Vec<Value>, bool) {
    let granted = below.map(read).unwrap_or_default();
    let Shared { kept, lacking } = Shared::of(&read(wanted), &granted);
    let kept = kept
        .into_iter()
        .filter_map(|kept| Value::try_from(kept).ok());
    (kept.collect(), lacking.is_empty())
}

pub(super) fn read(list: &Value) -> Vec<Folder> {
    list.clone().try_into().unwrap_or_default()
}

fn sensitive_here() -> impl Fn(&Path) -> bool {
    let mut known = Protected::default();
    if let Ok(home) = etcetera::home_dir() {
        known = known.with_home(&home);
    }
    move |path| known.is_sensitive(path)
}

/// The path of the folder that lies in the other.
fn inner<'a>(one: &'a Folder, other: &'a Folder) -> Option<&'a Path> {
    if one.path.starts_with(&other.path) {
        Some(&one.path)
    } else if other.path.starts_with(&one.path) {
        Some(&other.path)
    } else {
        None
    }
}

/// The folder by the path that leads to it without links; nothing if that cannot be told.
fn real(folder: &Folder) -> Option<Folder> {
    Some(Folder {
        path: real_path(&folder.path)?,
        writable: folder.writable,
    })
}

/// Of a folder that is not there yet, the part that is.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(real) => Some(real),
        // A link that leads nowhere may lead anywhere tomorrow.
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
            let Some(Component::Normal(name)) = path.components().next_back() else {
                return None;
            };
            Some(real_path(path.parent()?)?.join(name))
        }
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wanted folders that are kept, with `:rw` where they may be written; `…` where not all
    /// of it is.
    #[track_caller]
    fn check(below: &[(&str, bool)], wanted: &[(&str, bool)], expected: &str) {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("work/inner")).unwrap();
        std::fs::create_dir_all(root.join("other")).unwrap();
        std::fs::create_dir_all(root.join("work/.ssh")).unwrap();
        std::fs::write(root.join("work/.env"), "").unwrap();
        std::os::unix::fs::symlink(".ssh", root.join("work/keys")).unwrap();
        std::os::unix::fs::symlink("inner", root.join("work/.aws")).unwrap();
        std::os::unix::fs::symlink("/", root.join("work/everything")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("work/dangling")).unwrap();
        std::os::unix::fs::symlink("inner", root.join("work/link")).unwrap();
        let list = |folders: &[(&str, bool)]| {
            let folders = folders.iter().map(|(path, writable)| Folder {
                path: root.join(path),
                writable: *writable,
            });
            Value::try_from(folders.collect::<Vec<_>>()).unwrap()
        };
        let (kept, is_all) = granted_already(&list(wanted), Some(&list(below)));
        let kept: Vec<Folder> = Value::Array(kept).try_into().unwrap();
        let shown = kept.iter().map(|folder| {
            let path = folder.path.strip_prefix(&root).unwrap().display();
            format!("{path}{}", if folder.writable { ":rw" } else { "" })
        });
        let mut shown = shown.collect::<Vec<_>>().join(" ");
        if !is_all {
            shown.push('…');
        }
        assert_eq!(shown, expected, "{wanted:?} over {below:?}");
    }

    const WORK: &[(&str, bool)] = &[("work", true)];

    #[test]
    fn what_lies_inside_is_granted_already() {
        check(WORK, &[("work/inner", true)], "work/inner:rw");
        check(WORK, &[("work/inner", false)], "work/inner");
        check(WORK, &[("work/not-yet/made", true)], "work/not-yet/made:rw");
        check(WORK, &[], "");
    }

    #[test]
    fn what_lies_outside_is_not() {
        check(
            WORK,
            &[("other", false), ("work/inner", false)],
            "work/inner…",
        );
        check(WORK, &[("work/../other", false)], "…");
        check(WORK, &[("work/not-yet/../../other", false)], "…");
    }

    #[test]
    fn of_what_lies_around_it_the_granted_part_counts() {
        check(WORK, &[("/", true)], "work:rw…");
        check(WORK, &[("", false)], "work…");
        check(
            WORK,
            &[("/", false), ("work/inner", true)],
            "work work/inner:rw…",
        );
    }

    #[test]
    fn links_count_as_where_they_lead() {
        check(WORK, &[("work/everything", true)], "work:rw…");
        check(WORK, &[("work/everything/etc", false)], "…");
        check(WORK, &[("work/dangling", true)], "…");
        check(WORK, &[("work/link", true)], "work/inner:rw");
    }

    #[test]
    fn reading_is_not_writing() {
        let below = &[("work", false), ("work/inner", true)];
        check(below, &[("work", true)], "work work/inner:rw…");
        check(below, &[("work/inner", true)], "work/inner:rw");
    }

    #[test]
    fn the_innermost_grant_decides_what_may_be_written() {
        let below = &[("work", true), ("work/inner", false)];
        for wanted in [("work/inner", true), ("work/inner/deeper", true)] {
            let (path, _) = wanted;
            check(below, &[wanted], &format!("{path}…"));
        }
        check(below, &[("work", true)], "work:rw work/inner");
        let kept = &[("work", true), ("work/inner", false)];
        check(WORK, kept, "work:rw work/inner");
    }

    #[test]
    fn a_folder_above_a_sensitive_place_does_not_grant_it() {
        for sensitive in [
            "work/.env",
            "work/.ssh",
            "work/.ssh/known_hosts",
            "work/.SSH/new",
            "work/inner/../.env",
            "work/keys",
            "work/keys/new",
            // The name counts as well as what it leads to.
            "work/.aws",
            "work/inner/.netrc",
        ] {
            check(WORK, &[(sensitive, false)], "…");
            check(
                WORK,
                &[("work/inner", true), (sensitive, true)],
                "work/inner:rw…",
            );
        }
        // Granted by name below, it is granted; what is in it is less than that, but another name.
        let below = &[("work", true), ("work/.ssh", false)];
        check(below, &[("work/.ssh", false)], "work/.ssh");
        check(below, &[("work/.ssh", true)], "work/.ssh…");
        check(below, &[("work/.ssh/known_hosts", false)], "…");
        check(below, &[("work", true)], "work:rw work/.ssh");
    }
}
