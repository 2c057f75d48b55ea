//! What is said about files that are no tables? How many words they have, which are the
//! largest, which lines hold a text.

use super::phrases::{ARTICLES, Reader};
use super::tokens::{Kind, counted};
use super::{Comparison, Condition, Counted, Keep};

const FOLDERS: [&str; 4] = ["folder", "directory", "dir", "folders"];
const LARGE: [&str; 3] = ["largest", "biggest", "heaviest"];
const COUNTED: [(&[&str], Counted); 5] = [
    (&["words", "word"], Counted::Words),
    (&["lines", "line"], Counted::Lines),
    (&["characters", "letters"], Counted::Characters),
    (&["sentences", "sentence"], Counted::Sentences),
    (&["paragraphs", "paragraph"], Counted::Paragraphs),
];

/// Reads what is said; at most one thing.
pub(super) fn read(reader: &mut Reader<'_>) {
    reader.at = 0;
    while reader.at < reader.tokens.len() && reader.found.is_empty() {
        let before = reader.at;
        let understood = count(reader) || largest(reader) || find(reader);
        if !understood {
            reader.at = before + 1;
        }
    }
}

/// "count the words in notes.txt", "how many files are in this folder".
fn count(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let asked = reader.eat_all(&["how", "many"])
        || reader.eat_all(&["number", "of"])
        || reader.eat(&["count"]);
    if !asked {
        return false;
    }
    reader.eat(&["of"]);
    reader.eat_any(&ARTICLES);
    if reader.eat(&["files"]) {
        reader.eat_any(&["are", "there", "is"]);
        let Some(folder) = folder(reader) else {
            reader.at = from;
            return false;
        };
        reader.say(Condition::Files { folder }, from);
        reader.say(Condition::Keep(only_files()), from);
        reader.say(Condition::Count(Counted::Files), from);
        return true;
    }
    let counted = COUNTED.iter().find(|(words, _)| reader.eat(words));
    let files = reader
        .tokens
        .iter()
        .filter(|token| token.kind == Kind::File);
    if let Some((_, counted)) = counted.filter(|_| files.count() == 1) {
        let end = reader.at;
        reader.eat_any(&["are", "there", "is", "does", "do", "has", "have"]);
        // "how many words begin with a" asks for something else.
        let is_all = reader.eat_place() || reader.eat_file();
        if !is_all {
            reader.at = from;
            return false;
        }
        reader.at = end;
        reader.say(Condition::Count(*counted), from);
        true
    } else {
        reader.at = from;
        false
    }
}

fn only_files() -> Keep {
    Keep {
        column: "kind".to_owned(),
        comparison: Comparison::Equal,
        value: "file".into(),
        or: false,
    }
}

/// "the five largest files in this folder".
fn largest(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let mut limit = reader.now().and_then(counted);
    reader.at += usize::from(limit.is_some());
    let down = reader.eat(&LARGE);
    let up = !down && reader.eat(&["smallest"]);
    if limit.is_none() {
        limit = reader.now().and_then(counted);
        reader.at += usize::from(limit.is_some());
    }
    let one = reader.is(reader.at, &["file"]);
    if !(down || up) || !reader.eat(&["files", "file"]) {
        reader.at = from;
        return false;
    }
    let folder = folder(reader).unwrap_or_else(|| ".".to_owned());
    let limit = limit.unwrap_or(if one { 1 } else { 10 });
    reader.say(Condition::Files { folder }, from);
    reader.say(Condition::Keep(only_files()), from);
    let column = "size".to_owned();
    reader.say(
        Condition::Sort {
            column,
            descending: down,
        },
        from,
    );
    reader.say(Condition::First(limit), from);
    true
}

/// "find all NOTE comments in the src folder", "search for \"retry\" in docs/".
fn find(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.eat(&["find", "search", "grep", "list", "show", "look"]) {
        return false;
    }
    reader.eat(&["for", "me"]);
    reader.eat_any(&ARTICLES);
    let lines = reader.eat(&["lines", "mentions", "occurrences", "places", "uses"]);
    reader.eat_any(&[
        "of",
        "with",
        "that",
        "containing",
        "contain",
        "mention",
        "the",
        "text",
        "word",
        "where",
    ]);
    let Some(token) = reader.now() else {
        reader.at = from;
        return false;
    };
    let shouts = token.kind == Kind::Word
        && token.raw.chars().count() > 2
        && token
            .raw
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter == '_');
    let text = token.raw.clone();
    reader.at += 1;
    let comments = reader.eat(&[
        "comments", "comment", "notes", "markers", "lines", "mentions", "tags",
    ]);
    let is_text = token.kind == Kind::Quoted || shouts || (lines && token.kind == Kind::Word);
    let folder = folder(reader);
    if let Some(folder) = folder.filter(|_| is_text || (comments && shouts)) {
        reader.say(Condition::Find { text, folder }, from);
        true
    } else {
        reader.at = from;
        false
    }
}

/// "in the src folder", "in this folder", "under docs/".
fn folder(reader: &mut Reader<'_>) -> Option<String> {
    let before = reader.at;
    let led = reader.eat(&["in", "under", "inside", "below", "of", "within"]);
    reader.eat_any(&["all", "files", "of", "the", "in"]);
    let found = folder_here(reader).filter(|_| led);
    if found.is_none() {
        reader.at = before;
    }
    found
}

fn folder_here(reader: &mut Reader<'_>) -> Option<String> {
    const HERE: [&str; 3] = ["this", "current", "working"];
    if reader.eat_any_of(&HERE) {
        return reader.eat(&FOLDERS).then(|| ".".to_owned());
    }
    if reader.eat(&FOLDERS)
        && !matches!(
            reader.now().map(|token| &token.kind),
            Some(Kind::Word | Kind::File | Kind::Quoted)
        )
    {
        return Some(".".to_owned());
    }
    let token = reader.now()?;
    let is_name = matches!(token.kind, Kind::Word | Kind::File | Kind::Quoted);
    let name = token.raw.clone();
    let was_said = reader
        .at
        .checked_sub(1)
        .is_some_and(|at| reader.is(at, &FOLDERS));
    reader.at += 1;
    let is_folder =
        reader.eat(&FOLDERS) || was_said || token.kind == Kind::File || name.contains('/');
    (is_name && is_folder).then_some(name)
}
