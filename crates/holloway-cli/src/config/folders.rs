//! Which folders of a list are granted already? Compared by where they really are, because a
//! project can hold a link that leads anywhere.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use holloway_adapters::tools::Folder;
use toml::Value;

/// What both lists grant, and whether that is all of the wanted one.
pub(super) fn granted_already(wanted: &Value, below: Option<&Value>) -> (Vec<Value>, bool) {
    let granted: Vec<Folder> = below.map(read).unwrap_or_default();
    let granted: Vec<Folder> = granted.into_iter().filter_map(real).collect();
    let mut kept: Vec<Folder> = Vec::new();
    let mut is_all = true;
    for folder in read(wanted) {
        let Some(folder) = real(folder) else {
            is_all = false;
            continue;
        };
        let around = granted
            .iter()
            .filter(|one| folder.path.starts_with(&one.path));
        is_all &= around.clone().any(|one| one.writable || !folder.writable);
        kept.extend(granted.iter().filter_map(|one| common(&folder, one)));
    }
    // Of several grants of one folder, the one with which more may be done.
    kept.sort_by(|a, b| (&a.path, b.writable).cmp(&(&b.path, a.writable)));
    kept.dedup_by(|a, b| a.path == b.path);
    let kept = kept
        .into_iter()
        .filter_map(|kept| Value::try_from(kept).ok());
    (kept.collect(), is_all)
}

fn read(list: &Value) -> Vec<Folder> {
    list.clone().try_into().unwrap_or_default()
}

/// What two grants have in common: the inner folder, to be written if both say so.
fn common(one: &Folder, other: &Folder) -> Option<Folder> {
    let inner = if one.path.starts_with(&other.path) {
        one
    } else if other.path.starts_with(&one.path) {
        other
    } else {
        return None;
    };
    Some(Folder {
        path: inner.path.clone(),
        writable: one.writable && other.writable,
    })
}

/// The folder by the path that leads to it without links; nothing if that cannot be told.
fn real(folder: Folder) -> Option<Folder> {
    Some(Folder {
        path: real_path(&folder.path)?,
        writable: folder.writable,
    })
}

/// Of a folder that is not there yet, the part that is.
fn real_path(path: &Path) -> Option<PathBuf> {
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
}
