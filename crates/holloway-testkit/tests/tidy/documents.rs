//! Do documents lead where they say, and do they know every example?

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::tree::{Text, assert_none, read, root, texts};

#[test]
fn links_lead_somewhere() {
    let mut breaches = Vec::new();
    let documents = texts();
    for document in documents.iter().filter(|file| file.is_kind("md")) {
        for link in links(&document.text) {
            if let Some(why) = broken(document, &link) {
                breaches.push(format!("{}: `{link}` {why}", document.path));
            }
        }
    }
    assert_none(&breaches, "Correct the link, or add what it leads to.");
}

#[test]
fn every_example_is_mentioned() {
    let documents = read("README.md") + &read("docs/plan-format.md");
    let is_plan = |path: &str| {
        let ending = path.rsplit('.').next().unwrap_or_default();
        path.starts_with("examples/") && ["yaml", "yml", "json"].contains(&ending)
    };
    let unknown: Vec<String> = texts()
        .into_iter()
        .map(|file| file.path)
        .filter(|path| is_plan(path) && !documents.contains(path.as_str()))
        .collect();
    assert_none(
        &unknown,
        "Link the example in docs/plan-format.md or README.md, by its path from the root.",
    );
}

#[test]
fn the_readme_shows_the_first_plan_as_it_is() {
    let shown = read("README.md").contains(&read("examples/first.yaml"));
    assert!(
        shown,
        "README.md shows another plan than examples/first.yaml: copy the file into its `yaml` block."
    );
}

fn broken(document: &Text, link: &str) -> Option<&'static str> {
    let (file, anchor) = link
        .split_once('#')
        .map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let folder = Path::new(&document.path).parent().unwrap();
    let target = if file.is_empty() {
        PathBuf::from(&document.path)
    } else {
        straightened(&folder.join(file))?
    };
    let target = root().join(target);
    if !target.exists() {
        return Some("leads to no file");
    }
    let anchor = anchor.filter(|_| target.extension().is_some_and(|ending| ending == "md"))?;
    let headings = anchors(&std::fs::read_to_string(&target).unwrap());
    (!headings.contains(anchor)).then_some("leads to no heading")
}

/// A path without `..`; nothing if it leads out of the repository.
fn straightened(path: &Path) -> Option<PathBuf> {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => straight.pop().then_some(())?,
            Component::CurDir => {}
            other => straight.push(other),
        }
    }
    Some(straight)
}

/// Lines outside fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_block = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        !fence && !in_block
    })
}

/// The relative targets of links and pictures.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let without_code: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let inline = without_code
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'));
        found.extend(inline.map(|(target, _)| target.to_owned()));
        for attribute in ["src=\"", "href=\"", "srcset=\""] {
            let values = line
                .split(attribute)
                .skip(1)
                .filter_map(|rest| rest.split_once('"'));
            found.extend(values.map(|(target, _)| target.to_owned()));
        }
    }
    found.retain(|target| !target.contains("://") && !target.starts_with("mailto:"));
    found
}

/// The anchors that headings get.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    let slug = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(slug).collect()
}

#[test]
fn the_readers_of_this_file_read_right() {
    let text =
        "See [a](b.md#c-d), `[x](y)` and ![p](p.svg).\n```\n[no](no.md)\n```\n<img src=\"q.svg\">";
    assert_eq!(links(text), ["b.md#c-d", "p.svg", "q.svg"]);
    assert!(anchors("## Skipping and failing\n# The `run`").contains("skipping-and-failing"));
    assert_eq!(straightened(Path::new("docs/../a/./b")), Some("a/b".into()));
    assert_eq!(straightened(Path::new("../a")), None);
}
