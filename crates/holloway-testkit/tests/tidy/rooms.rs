//! Does everything have its room? Files of a size to read, one public type per name, and words
//! as data. What breaks a rule today stands in `allowed.toml` with a number that may only go down.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::tree::{Text, assert_none, texts};

const LONGEST: usize = 400;
/// Fewer texts in a row are no list of words.
const RUN: usize = 4;

/// What is let pass, until it is gone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    /// Lines of files that are too long.
    long: BTreeMap<String, usize>,
    /// How many public types of one crate have the same name.
    types: BTreeMap<String, usize>,
    /// Words in lists that stand in the code of the planner.
    words: BTreeMap<String, usize>,
}

fn allowed() -> Allowed {
    toml::from_str(include_str!("allowed.toml")).unwrap()
}

/// What is over its number or has none, and numbers that nothing needs any more.
fn against(found: &BTreeMap<String, usize>, allowed: &BTreeMap<String, usize>) -> Vec<String> {
    let grown = found
        .iter()
        .filter(|(what, count)| allowed.get(*what).is_none_or(|most| *count > most))
        .map(|(what, count)| match allowed.get(what) {
            Some(most) => format!("{what}: {count}, {most} are let pass"),
            None => format!("{what}: {count}"),
        });
    let gone = allowed.keys().filter(|what| !found.contains_key(*what));
    let gone = gone.map(|what| format!("{what}: stands in allowed.toml and is in order now"));
    grown.chain(gone).collect()
}

#[test]
fn files_can_be_read_in_one_sitting() {
    let sources = texts().into_iter().filter(Text::is_source);
    let long = sources
        .map(|file| (file.path, file.text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST);
    assert_none(
        &against(&long.collect(), &allowed().long),
        "No file of a crate is longer than 400 lines: look for the idea that splits it. Take out of \
         allowed.toml what is in order.",
    );
}

#[test]
fn a_name_is_one_type() {
    let mut types: BTreeMap<String, usize> = BTreeMap::new();
    for file in texts().iter().filter(|file| file.is_source()) {
        let package = file.path.split('/').nth(1).unwrap_or_default();
        for name in public_types(production(&file.text)) {
            *types.entry(format!("{package}::{name}")).or_default() += 1;
        }
    }
    types.retain(|_, count| *count > 1);
    assert_none(
        &against(&types, &allowed().types),
        "One public type per name inside a crate: name the younger one after what it is. Take out of \
         allowed.toml what is in order.",
    );
}

#[test]
fn words_of_the_planner_are_data() {
    let files = texts().into_iter();
    let files =
        files.filter(|file| file.is_source() && file.path.starts_with("crates/holloway-planner/"));
    let words = files
        .map(|file| (words_in_lists(production(&file.text)), file.path))
        .filter(|(count, _)| *count > 0)
        .map(|(count, path)| (path, count));
    assert_none(
        &against(&words.collect(), &allowed().words),
        "Words belong in crates/holloway-planner/data, where a reader of the language can see them. Take \
         out of allowed.toml what is in order.",
    );
}

/// A file without its tests.
fn production(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

fn public_types(text: &str) -> impl Iterator<Item = &str> {
    let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
    text.lines().filter_map(move |line| {
        let mut rests = kinds.iter().filter_map(|kind| line.strip_prefix(kind));
        let ends = |c: char| !c.is_alphanumeric() && c != '_';
        rests.next()?.split(ends).next()
    })
}

/// How many texts stand in lists: in arrays, in patterns, in arms of a match one after the other.
fn words_in_lists(text: &str) -> usize {
    let (mut all, mut run) = (0, 0);
    for (before, said) in literals(text) {
        if !joins(&before) {
            all += if run >= RUN { run } else { 0 };
            run = 0;
        }
        run += usize::from(said.chars().any(char::is_alphabetic));
    }
    all + if run >= RUN { run } else { 0 }
}

/// Whether what is between two texts makes them neighbours of one list.
fn joins(between: &str) -> bool {
    let between = between.trim();
    let is_sign = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",|&()[].".contains(c);
    let is_arm =
        between.starts_with("=>") && between.ends_with(',') && !between.contains([';', '{']);
    !between.is_empty() && (between.chars().all(is_sign) || is_arm)
}

/// Every text of a source with the code before it; remarks are left out.
fn literals(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut before = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, next)| next);
        } else if first == '\'' && (rest.starts_with("'\"'") || rest.starts_with("'\\\"'")) {
            rest = &rest[rest.find("\"'").unwrap() + 2..];
        } else if first == '"' || is_raw(rest) {
            let (said, next) = literal(rest);
            found.push((std::mem::take(&mut before), said.to_owned()));
            rest = next;
        } else {
            before.push(first);
            rest = after;
        }
    }
    found
}

fn is_raw(rest: &str) -> bool {
    let hashes = rest
        .strip_prefix('r')
        .map(|rest| rest.trim_start_matches('#'));
    hashes.is_some_and(|rest| rest.starts_with('"'))
}

/// A text, and what follows it.
fn literal(rest: &str) -> (&str, &str) {
    let open = rest.find('"').unwrap();
    let inner = &rest[open + 1..];
    if open > 0 {
        let end = format!("\"{}", "#".repeat(open - 1));
        return inner.split_once(end.as_str()).unwrap_or((inner, ""));
    }
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            '"' if !escaped => return (&inner[..at], &inner[at + 1..]),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    (inner, "")
}

#[test]
fn lists_of_words_are_seen() {
    let check = |source: &str, expected: usize| {
        assert_eq!(words_in_lists(source), expected, "{source}");
    };
    check(r#"const A: [&str; 4] = ["a", "b", "c", "d"];"#, 4);
    check("match x { \"a\" | \"b\"\n | \"c\" | \"d\" => 1 }", 4);
    check(
        "match x { \"a\" => One,\n \"b\" => Two,\n \"c\" => One, \"d\" => Two, }",
        4,
    );
    check(r#"[("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]"#, 5);
    check(r#"["a", "b", "c"]"#, 0);
    check(r#"f("a"); f("b"); f("c"); f("d"); f("e")"#, 0);
    check("// [\"a\", \"b\", \"c\", \"d\"]\n", 0);
    check(r#"['"', "a", '\"', "b", "c"]"#, 0);
    check(r##"["a", "b", r#"c"d"#, "e\"", "f"]"##, 5);
}

#[test]
fn numbers_only_go_down() {
    let numbers = |pairs: &[(&str, usize)]| -> BTreeMap<String, usize> {
        let pairs = pairs.iter();
        pairs
            .map(|(what, count)| ((*what).to_owned(), *count))
            .collect()
    };
    let most = numbers(&[("a", 5), ("b", 5), ("c", 5)]);
    let told = against(&numbers(&[("a", 4), ("b", 6), ("d", 1)]), &most);
    assert_eq!(
        told,
        [
            "b: 6, 5 are let pass",
            "d: 1",
            "c: stands in allowed.toml and is in order now"
        ]
    );
}
