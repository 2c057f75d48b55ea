//! Do source files say what they are for, and hold to what all of them hold to?

use super::tree::{Text, assert_none, texts};

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 8] = [
    "util", "utils", "common", "helper", "helpers", "misc", "manager", "stuff",
];

fn breaches(is_breach: impl Fn(&Text) -> Option<String>) -> Vec<String> {
    texts()
        .iter()
        .filter_map(|file| is_breach(file).map(|what| format!("{}: {what}", file.path)))
        .collect()
}

#[test]
fn every_file_opens_with_its_question() {
    let silent = breaches(|file| {
        let wrong = file.is_in_src() && !file.text.starts_with("//!");
        wrong.then(|| "does not begin with `//!`".to_owned())
    });
    assert_none(
        &silent,
        "Begin each file with one to five lines of `//!`: the question it answers, its place, its invariant.",
    );
}

#[test]
fn modules_are_named_by_their_file() {
    let hidden = breaches(|file| (file.name() == "mod.rs").then(|| "is a `mod.rs`".to_owned()));
    assert_none(&hidden, "Use `name.rs` beside a folder `name/`.");
}

#[test]
fn names_say_what_is_inside() {
    let empty = breaches(|file| {
        let stem = file.name().split('.').next().unwrap_or_default();
        EMPTY_NAMES
            .contains(&stem)
            .then(|| "has a name that says nothing".to_owned())
    });
    assert_none(
        &empty,
        "Name the file after the one question it answers; split it if there are two.",
    );
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not break its own rule.
    let marks = ["TO_DO", "FIX_ME", "to_do!(", "unimple_mented!(", "db_g!("];
    let marks = marks.map(|mark| mark.replace('_', ""));
    let unfinished = breaches(|file| {
        let has = |line: &&str| marks.iter().any(|mark| line.contains(mark.as_str()));
        let found = || file.text.lines().enumerate().find(|(_, line)| has(line));
        let (number, line) = file.is_in_src().then(found)??;
        Some(format!("line {}: {}", number + 1, line.trim()))
    });
    assert_none(
        &unfinished,
        "Do it, or leave it out; what is planned is not noted in the source.",
    );
}

#[test]
fn nothing_depends_on_one_machine() {
    // Homes of people and machines, and registries that a build may reach through a mirror.
    let words = [
        "/ro_ot/",
        "/ho_me/",
        "/Us_ers/",
        "crates_.io",
        "npm_js",
        "py_pi.",
        "pythonhosted_.org",
    ];
    let words = words.map(|word| word.replace('_', ""));
    let tied = breaches(|file| {
        if file.name() == "Cargo.lock" {
            return None;
        }
        let has = |line: &&str| words.iter().any(|word| is_word(line, word));
        let (number, line) = file.text.lines().enumerate().find(|(_, line)| has(line))?;
        Some(format!("line {}: {}", number + 1, line.trim()))
    });
    assert_none(
        &tied,
        "Leave out paths of one machine and hosts of registries.",
    );
}

/// A home is a path of its own, not a folder of that name inside another path.
fn is_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !word.starts_with('/') || !before.is_some_and(|c| c.is_alphanumeric() || "}.~]".contains(c))
    })
}
