//! Folders in, documents out; nothing from outside of them.

use std::fs;

use holloway_flow::skills::{Skills, shipped::Shipped};
use tempfile::TempDir;

use super::*;

const SKILL: &str = "---\nname: tents\ndescription: About tents.\n---\n## Pitch\nFlat ground.\n";

fn library() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("tents/scripts")).unwrap();
    fs::write(folder.path().join("tents/SKILL.md"), SKILL).unwrap();
    fs::write(folder.path().join("tents/scripts/pitch.sh"), "echo").unwrap();
    folder
}

#[test]
fn folders_without_the_file_are_passed_over() {
    let folder = library();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::create_dir(folder.path().join(".hidden")).unwrap();
    fs::write(folder.path().join("README.md"), "x").unwrap();
    let ours = SkillFolder::new(folder.path(), Origin::User);
    let skills = Skills::gather(&[&Shipped, &ours]);
    assert_eq!(skills.remarks(), []);
    assert_eq!(skills.iter().count(), 14);
    assert_eq!(
        skills.get("tents").map(|skill| skill.origin),
        Some(Origin::User)
    );
    let gone = SkillFolder::new(folder.path().join("nowhere"), Origin::User);
    assert!(gone.documents().is_empty());
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (library(), library());
    let path = folder.path();
    symlink(outside.path().join("tents"), path.join("linked")).unwrap();
    fs::create_dir(path.join("file")).unwrap();
    symlink(
        outside.path().join("tents/SKILL.md"),
        path.join("file/SKILL.md"),
    )
    .unwrap();
    fs::create_dir_all(path.join("odd/SKILL.md")).unwrap();
    let documents = SkillFolder::new(path, Origin::Project).documents();
    let told: Vec<(&str, Option<&str>)> = documents
        .iter()
        .map(|document| {
            (
                document.folder.as_str(),
                document.content.as_ref().err().map(String::as_str),
            )
        })
        .collect();
    let refused = Some("the file may not be read, or a link leads out of its folder");
    assert_eq!(
        told,
        [
            ("file", refused),
            ("linked", refused),
            ("odd", Some("`SKILL.md` is no file")),
            ("tents", None),
        ]
    );
}

#[test]
fn large_files_are_not_read_whole() {
    let folder = library();
    fs::write(
        folder.path().join("tents/SKILL.md"),
        "x".repeat(MOST_BYTES * 2),
    )
    .unwrap();
    let document = SkillFolder::single(&folder.path().join("tents"), Origin::User);
    assert_eq!(
        document.content.map(|content| content.len()),
        Ok(MOST_BYTES + 1)
    );
}

#[test]
fn a_copy_is_whole_and_replaces_only_when_told() {
    let (from, into) = (library(), TempDir::new().unwrap());
    let from = from.path().join("tents");
    let library = into.path().join("a/skills");
    let copied = copy_skill(&from, &library, "tents", false).unwrap();
    assert_eq!(
        fs::read_to_string(copied.join("scripts/pitch.sh")).unwrap(),
        "echo"
    );
    let again = copy_skill(&from, &library, "tents", false);
    assert!(matches!(again, Err(CopyError::Exists(_))));
    fs::remove_dir_all(from.join("scripts")).unwrap();
    copy_skill(&from, &library, "tents", true).unwrap();
    assert!(!copied.join("scripts").exists());
    assert_eq!(fs::read_dir(&library).unwrap().count(), 1);
}

#[test]
fn a_skill_is_copied_into_the_project_it_lies_in() {
    let from = library();
    let from = from.path().join("tents");
    fs::create_dir_all(from.join(".git")).unwrap();
    let library = from.join(".agents/skills");
    for replace in [false, true] {
        let copied = copy_skill(&from, &library, "tents", replace).unwrap();
        let mut names: Vec<_> = fs::read_dir(copied)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["SKILL.md", "scripts"]);
        assert_eq!(fs::read_dir(&library).unwrap().count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_copied() {
    let (from, into) = (library(), TempDir::new().unwrap());
    let from = from.path().join("tents");
    std::os::unix::fs::symlink("/etc/hostname", from.join("scripts/name")).unwrap();
    let refused = copy_skill(&from, into.path(), "tents", false);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "`scripts/name` is a link or a special file"
    );
    assert_eq!(fs::read_dir(into.path()).unwrap().count(), 0);
}
