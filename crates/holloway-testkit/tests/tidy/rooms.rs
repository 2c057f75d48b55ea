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
    /// Names of a data format that stand in lists; no words of a language.
    format: BTreeMap<String, Format>,
}

/// A list of these names alone is part of a format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format {
    names: Vec<String>,
    /// Which format it is.
    of: String,
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
        for name in public_types(file.production()) {
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
    let allowed = allowed();
    let count = |file: &Text| {
        let names = allowed.format.get(&file.path).map(|format| &format.names);
        words_in_lists(file.production(), names.map_or(&[], Vec::as_slice))
    };
    let words = files
        .map(|file| (count(&file), file.path))
        .filter(|(count, _)| *count > 0)
        .map(|(count, path)| (path, count));
    assert_none(
        &against(&words.collect(), &allowed.words),
        "Words belong in crates/holloway-planner/data, where a reader of the language can see them. Take \
         out of allowed.toml what is in order.",
    );
}

#[test]
fn alternatives_of_words_are_data() {
    let crates = ["planner", "flow", "cli"].map(|name| format!("crates/holloway-{name}/src/"));
    let is_ours = |file: &Text| crates.iter().any(|folder| file.path.starts_with(folder));
    let files = texts().into_iter();
    let files = files.filter(|file| file.is_source() && is_ours(file));
    let found = files.filter_map(|file| {
        let said = literals(file.production()).into_iter();
        let count: usize = said.map(|(_, said)| alternatives(&said)).sum();
        (count > 0).then(|| format!("{}: {count}", file.path))
    });
    assert_none(
        &found.collect::<Vec<_>>(),
        "A pattern with words of a language belongs in the data of its crate: in the planner, a \
         `Patterns` in crates/holloway-planner/data.",
    );
}

/// How many words a text spells out as alternatives of a pattern.
fn alternatives(said: &str) -> usize {
    let word = |alternative: &&str| {
        let own = alternative.trim_start_matches("?:");
        let own = own.split_once('>').map_or(own, |(_, own)| own);
        let own = own.replace(r"\b", "");
        let is_part = |c: char| c.is_alphabetic() || " '’?".contains(c);
        own.chars().filter(|c| c.is_alphabetic()).count() > 1 && own.chars().all(is_part)
    };
    let groups = said.split(['(', ')']).filter(|group| group.contains('|'));
    let counts = groups.map(|group| group.split('|').filter(word).count());
    counts.filter(|count| *count > 1).sum()
}

#[test]
fn alternatives_are_seen() {
    let check = |said: &str, expected: usize| assert_eq!(alternatives(said), expected, "{said}");
    check("monday|tuesday|wednesday", 3);
    check(r"(?i)\b(?:repos?|project)\s+(?<how>called|named)", 4);
    check(r"\s|:|\bis\b|\bat\b", 2);
    check("the day after|(?:next|last) (?:week|{days})", 2);
    check("(?:k|K|m)|[ap]|`[^`]+`", 0);
    check("who is asked", 0);
}

fn public_types(text: &str) -> impl Iterator<Item = &str> {
    let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
    text.lines().filter_map(move |line| {
        let mut rests = kinds.iter().filter_map(|kind| line.strip_prefix(kind));
        let ends = |c: char| !c.is_alphanumeric() && c != '_';
        rests.next()?.split(ends).next()
    })
}

/// How many texts stand in lists that are not made of these names alone.
fn words_in_lists(text: &str, names: &[String]) -> usize {
    let lists = lists(text).into_iter();
    let is_foreign = |list: &Vec<String>| list.iter().any(|said| !names.contains(said));
    lists.filter(is_foreign).map(|list| list.len()).sum()
}

/// The texts of every list: in arrays, in patterns, in arms of a match one after the other.
fn lists(text: &str) -> Vec<Vec<String>> {
    let mut lists: Vec<Vec<String>> = vec![Vec::new()];
    for (before, said) in literals(text) {
        if !joins(&before) {
            lists.push(Vec::new());
        }
        if said.chars().any(char::is_alphabetic) {
            lists.last_mut().unwrap().push(said);
        }
    }
    lists.retain(|list| list.len() >= RUN);
    lists
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
fn names_of_formats_are_needed_and_explained() {
    let files = texts();
    let mut breaches = Vec::new();
    for (path, format) in &allowed().format {
        let code = files.iter().find(|file| file.path == *path);
        let code = code.map_or("", Text::production);
        let lists: Vec<Vec<String>> = lists(code);
        let is_listed = |name: &&String| !lists.iter().any(|list| list.contains(name));
        let gone = format.names.iter().filter(is_listed);
        breaches.extend(gone.map(|name| format!("{path}: `{name}` stands in no list")));
        if format.of.split_whitespace().count() < 3 {
            breaches.push(format!("{path}: `of` does not say which format it is"));
        }
    }
    assert_none(
        &breaches,
        "Take out of `[format]` in allowed.toml what is not there any more.",
    );
}

#[test]
fn names_of_a_format_are_no_words() {
    let names = ["a", "b", "c", "d"].map(str::to_owned);
    assert_eq!(words_in_lists(r#"["a", "b", "c", "d"]"#, &names), 0);
    assert_eq!(words_in_lists(r#"["a", "b", "c", "e"]"#, &names), 4);
}

#[test]
fn lists_of_words_are_seen() {
    let check = |source: &str, expected: usize| {
        assert_eq!(words_in_lists(source, &[]), expected, "{source}");
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
