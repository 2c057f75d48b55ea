//! Does anybody behind the frame see the words of a request? In the planner and the flow they
//! travel as a `RequestText`. Here stand the files that open one, and those that take plain text.

use std::collections::BTreeMap;

use super::tree::{Text, assert_none, texts};

/// Readers: everything is open to them.
const READERS: &str = "crates/holloway-planner/src/read";
const GUARDED: [&str; 2] = ["crates/holloway-planner/src/", "crates/holloway-flow/src/"];

/// Files that open a `RequestText` or the wording of a frame, with how often and what for.
const OPENED: [(&str, usize, &str); 4] = [
    (
        "crates/holloway-flow/src/flow/asking.rs",
        1,
        "the search for tools that a model is shown",
    ),
    (
        "crates/holloway-flow/src/model/early.rs",
        1,
        "nothing leaves that the user did not write",
    ),
    (
        "crates/holloway-flow/src/model/prompt/frame.rs",
        1,
        "the prompt for a frame",
    ),
    (
        "crates/holloway-planner/src/frame/wording.rs",
        1,
        "what readers open",
    ),
];

/// Files that make a `RequestText`: the entry of the flow, with and without a model.
const MADE: [(&str, usize, &str); 2] = [
    (
        "crates/holloway-flow/src/flow.rs",
        1,
        "the entry of the flow",
    ),
    (
        "crates/holloway-flow/src/flow/asking.rs",
        1,
        "the entry of the flow with a model",
    ),
];

/// Files with parameters or fields that hold a request as plain text.
const PLAIN: [(&str, usize, &str); 10] = [
    (
        "crates/holloway-flow/src/choose/decision.rs",
        1,
        "the seed of a choice",
    ),
    (
        "crates/holloway-flow/src/choose.rs",
        2,
        "the seed of a choice",
    ),
    (
        "crates/holloway-flow/src/discover.rs",
        2,
        "what a person types into the search for tools",
    ),
    (
        "crates/holloway-flow/src/discreet.rs",
        2,
        "what of a request may be kept",
    ),
    (
        "crates/holloway-flow/src/flow.rs",
        1,
        "the entry of the flow",
    ),
    (
        "crates/holloway-flow/src/flow/asking.rs",
        1,
        "the entry of the flow with a model",
    ),
    (
        "crates/holloway-flow/src/remember.rs",
        1,
        "what is learned from a run that has ended",
    ),
    (
        "crates/holloway-flow/src/remember/constant.rs",
        2,
        "what is learned from a run that has ended",
    ),
    (
        "crates/holloway-flow/src/stored_plan.rs",
        1,
        "what is kept of a request beside its plan",
    ),
    (
        "crates/holloway-planner/src/recall",
        2,
        "requests of past runs",
    ),
];

/// Files that have a text read that is no request.
const READ_AGAIN: [(&str, usize, &str); 2] = [
    (
        "crates/holloway-flow/src/flow/packages.rs",
        1,
        "what a part without a tool names",
    ),
    (
        "crates/holloway-flow/src/remember/constant.rs",
        1,
        "what is learned from a run that has ended",
    ),
];

/// How often something stands in the code of guarded files, readers left out.
fn counted(count: impl Fn(&str) -> usize) -> BTreeMap<String, usize> {
    let is_guarded = |file: &Text| {
        let path = file.path.as_str();
        let guarded = GUARDED.iter().any(|folder| path.starts_with(folder));
        file.is_source() && guarded && !path.starts_with(READERS)
    };
    let files = texts().into_iter().filter(is_guarded);
    files
        .map(|file| (count(file.production()), file.path))
        .filter(|(count, _)| *count > 0)
        .map(|(count, path)| (path, count))
        .collect()
}

/// Files that have more of it than they may.
fn beyond(found: &BTreeMap<String, usize>, allowed: &[(&str, usize, &str)]) -> Vec<String> {
    let mut left: Vec<(&str, usize)> = allowed
        .iter()
        .map(|(path, most, _)| (*path, *most))
        .collect();
    let mut breaches = Vec::new();
    for (path, count) in found {
        let known = left.iter_mut().find(|(known, _)| path.starts_with(known));
        match known {
            Some((_, most)) if *most >= *count => *most -= count,
            Some((_, most)) => breaches.push(format!("{path}: {count}, {most} may be")),
            None => breaches.push(format!("{path}: {count}")),
        }
    }
    let gone = left.iter().filter(|(_, left)| *left > 0);
    breaches.extend(gone.map(|(path, left)| format!("{path}: {left} fewer than are listed")));
    breaches
}

/// Parameters and fields that are called after the request and hold text.
fn plain_requests(code: &str) -> usize {
    let is_text = |kind: &str| {
        let mut words = kind.split(|c: char| !c.is_alphanumeric());
        !kind.contains("::") && words.any(|word| ["str", "String"].contains(&word))
    };
    let takes = |part: &str| {
        let Some((name, kind)) = part.split_once(": ") else {
            return false;
        };
        let name = name.split_whitespace().last().unwrap_or_default();
        ["request", "raw"].contains(&name) && is_text(kind)
    };
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("let "));
    lines
        .flat_map(|line| line.split([',', '(', '{']))
        .filter(|part| takes(part))
        .count()
}

#[test]
fn only_readers_and_prompts_open_a_request() {
    let opened = counted(|code| code.matches("open_words").count());
    assert_none(
        &beyond(&opened, &OPENED),
        "Take a frame, or the text of a goal: only readers and prompts see the words of a request.",
    );
    let made = counted(|code| code.matches("RequestText::new").count());
    assert_none(
        &beyond(&made, &MADE),
        "The entry of the flow makes the `RequestText`; hand it on.",
    );
}

#[test]
fn nobody_takes_a_request_as_plain_text() {
    assert_none(
        &beyond(&counted(plain_requests), &PLAIN),
        "Take a frame, the text of a goal, or hand a `RequestText` on without opening it.",
    );
}

#[test]
fn planners_are_not_handed_a_request() {
    let planner = "crates/holloway-planner/src/";
    let mut handed = counted(|code| code.matches("RequestText").count());
    handed.retain(|path, _| path.starts_with(planner));
    assert_none(
        &beyond(&handed, &[]),
        "Planning begins with the frame: nothing outside `read` knows a `RequestText`.",
    );
}

#[test]
fn nobody_has_a_request_read_again() {
    let again =
        |code: &str| code.matches("other::read").count() + code.matches("read::named").count();
    assert_none(
        &beyond(&counted(again), &READ_AGAIN),
        "Take the goals and entities of the frame: its words were read once.",
    );
}

#[test]
fn plain_requests_are_seen() {
    let check = |code: &str, expected: usize| assert_eq!(plain_requests(code), expected, "{code}");
    check("fn plan(&self, request: &str) -> Planned {", 1);
    check("struct A<'a> {\n    pub(super) request: &'a str,\n}", 1);
    check("pub fn f(\n    raw: String,\n    other: u8,\n) {", 1);
    check("fn f<'r>(&self, at: u8, request: Option<&'r str>) {", 1);
    check("    request: String::new(),", 0);
    check("let request: String = words.chars().collect();", 0);
    check("fn plan(&self, request: &RequestText, frame: &Frame) {", 0);
}

#[test]
fn what_is_beyond_its_list_is_told() {
    let found = BTreeMap::from([("a/b.rs".to_owned(), 2), ("c.rs".to_owned(), 1)]);
    let listed = [("a/", 2, "why"), ("d.rs", 1, "why")];
    assert_eq!(
        beyond(&found, &listed),
        ["c.rs: 1", "d.rs: 1 fewer than are listed"]
    );
    assert_eq!(
        beyond(&found, &[("a/", 1, "why"), ("c.rs", 1, "why")]),
        ["a/b.rs: 2, 1 may be", "a/: 1 fewer than are listed"]
    );
}
