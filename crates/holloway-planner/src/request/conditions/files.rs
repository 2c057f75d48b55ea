//! What is said about files that are no tables? How many words they have, which a folder holds,
//! which are the largest, what is to be taken out of them.

use super::cuts::numbers;
use super::phrases::{ARTICLES, Reader};
use super::tokens::{Kind, counted};
use super::{Comparison, Condition, Counted, Keep, Picked};

pub(super) const FOLDERS: [&str; 4] = ["folder", "directory", "dir", "folders"];
const LARGE: [&str; 4] = ["largest", "biggest", "heaviest", "longest"];
const SMALL: [&str; 2] = ["smallest", "shortest"];
const COUNTED: [(&[&str], Counted); 5] = [
    (&["words", "word"], Counted::Words),
    (&["lines", "line"], Counted::Lines),
    (&["characters", "letters"], Counted::Characters),
    (&["sentences", "sentence"], Counted::Sentences),
    (&["paragraphs", "paragraph"], Counted::Paragraphs),
];
/// What files of a kind end with.
const KINDS: [(&str, &str); 15] = [
    ("python", "py"),
    ("rust", "rs"),
    ("markdown", "md"),
    ("javascript", "js"),
    ("typescript", "ts"),
    ("text", "txt"),
    ("excel", "xlsx"),
    ("java", "java"),
    ("go", "go"),
    ("ruby", "rb"),
    ("php", "php"),
    ("html", "html"),
    ("css", "css"),
    ("pdf", "pdf"),
    ("log", "log"),
];
const ENDINGS: [&str; 22] = [
    "py", "rs", "md", "js", "ts", "txt", "xlsx", "java", "go", "rb", "php", "html", "css", "pdf",
    "log", "csv", "json", "yaml", "toml", "png", "jpg", "xml",
];

/// Reads what is said; at most one thing.
pub(super) fn read(reader: &mut Reader<'_>) {
    reader.at = 0;
    while reader.at < reader.tokens.len() && reader.found.is_empty() {
        let before = reader.at;
        let understood = super::find::find(reader)
            || count(reader)
            || largest(reader)
            || ranked(reader)
            || listed(reader)
            || lines(reader)
            || picked(reader);
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
    if files(reader, from) {
        reader.say(Condition::Count(Counted::Files), from);
        return true;
    }
    let counted = COUNTED.iter().find(|(words, _)| reader.eat(words));
    if let Some((_, counted)) = counted.filter(|_| reader.only_file().is_some()) {
        let end = reader.at;
        reader.eat_any(&["are", "there", "is", "does", "do", "has", "have"]);
        // "how many words begin with a" asks for something else.
        let is_all = reader.eat_place() || reader.eat_file() || reader.ends_here();
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

/// "the first 3 lines of todo.txt", "lines 2 to 4 of todo.txt".
fn lines(reader: &mut Reader<'_>) -> bool {
    let start = reader.at;
    let stretch = from_an_end(reader).or_else(|| {
        reader.at = start;
        let (first, last) = reader.eat(&["line", "lines"]).then(|| numbers(reader))??;
        Some((Some(as_place(first - 1)?), Some(as_place(last)?)))
    });
    let text = reader.only_file().filter(|file| !file.is_page());
    let all = stretch.filter(|_| text.is_some() && reader.eat_place() && reader.ends_here());
    let Some((from, to)) = all else {
        reader.at = start;
        return false;
    };
    reader.say(Condition::Lines { from, to }, start);
    // "…, then count how many contain ERROR" would be asked of all lines.
    let goes_on = (reader.at..reader.tokens.len()).any(|at| {
        reader.is(
            at,
            &[
                "count",
                "many",
                "contain",
                "contains",
                "containing",
                "mention",
            ],
        )
    });
    reader.unclear |= goes_on;
    true
}

/// "the first 3 lines", "last line".
fn from_an_end(reader: &mut Reader<'_>) -> Option<(Option<i64>, Option<i64>)> {
    let first = reader.eat(&["first", "top"]);
    let last = !first && reader.eat(&["last", "bottom", "final"]);
    let number = reader.now().and_then(counted);
    reader.at += usize::from(number.is_some());
    let said = (first || last) && reader.eat(&["line", "lines"]);
    let number = as_place(number.unwrap_or(1)).filter(|_| said)?;
    Some(if first {
        (None, Some(number))
    } else {
        (Some(-number), None)
    })
}

fn as_place(number: u64) -> Option<i64> {
    i64::try_from(number).ok()
}

/// "list the files in docs bigger than 10 kB", "find all rust files".
fn listed(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.eat(&["list", "show", "find", "which", "what", "print", "display"]) {
        return false;
    }
    reader.eat(&["me"]);
    reader.eat_any(&ARTICLES);
    let found = files(reader, from);
    if !found {
        reader.at = from;
    }
    found
}

/// "and count them": a list says how many it holds.
fn eat_count(reader: &mut Reader<'_>) {
    let from = reader.at;
    reader.eat_any(&["and", "then", "also"]);
    let counted = reader.eat_all(&["count", "them"])
        || reader.eat_all(&["tell", "me", "how", "many", "there", "are"])
        || reader.eat_all(&["say", "how", "many", "there", "are"]);
    if !counted || !reader.ends_here() {
        reader.at = from;
    }
}

/// "md files are in docs larger than 400 bytes".
fn files(reader: &mut Reader<'_>, from: usize) -> bool {
    let begin = reader.at;
    let ending = reader.now().and_then(|token| {
        let word = token.word.trim_start_matches('.');
        let kind = KINDS.iter().find(|(kind, _)| *kind == word);
        let own = ENDINGS.iter().find(|own| **own == word);
        kind.map(|(_, ending)| *ending).or(own.copied())
    });
    reader.at += usize::from(ending.is_some());
    if !reader.eat(&["files", "file"]) {
        reader.at = begin;
        return false;
    }
    reader.eat_any(&["are", "there", "is", "do", "we", "have"]);
    let owner = owner(reader);
    let mut name = named(reader);
    let mut size = size_said(reader);
    let folder = owner.or_else(|| folder(reader));
    name = name.or_else(|| named(reader));
    size = size.or_else(|| size_said(reader));
    let is_said = folder.is_some() || ending.is_some() || name.is_some();
    // Just to list a folder is an ordinary request, unless only we know that it is one.
    let plain = ending.is_none() && name.is_none() && size.is_none();
    let counts = reader.is(from, &["how", "number", "count"]);
    let known = |folder: &String| reader.known.is_folder(folder);
    let is_ordinary = plain && !counts && !folder.as_ref().is_some_and(known);
    if !is_said || is_ordinary || !reader.ends_here() {
        reader.at = begin;
        return false;
    }
    eat_count(reader);
    let deep = ending.is_some() || name.is_some();
    let folder = folder.unwrap_or_else(|| ".".to_owned());
    reader.say(Condition::Files { folder, deep }, from);
    reader.say(Condition::Keep(only_files()), from);
    let ends = ending.map(|ending| format!(".{ending}")).or(name);
    if let Some(ends) = ends {
        let keep = kept("path", Comparison::EndsWith, ends.into());
        reader.say(Condition::Keep(keep), from);
    }
    if let Some((comparison, bytes)) = size {
        let keep = kept("size", comparison, bytes.into());
        reader.say(Condition::Keep(keep), from);
    }
    true
}

/// "does docs have".
fn owner(reader: &mut Reader<'_>) -> Option<String> {
    let before = reader.at;
    let asked = reader.eat(&["does", "do"]);
    reader.eat_any(&["the"]);
    let folder = if asked { folder_here(reader) } else { None };
    let owned = reader.eat(&["have", "contain", "hold", "has"]);
    let folder = folder.filter(|_| owned);
    if folder.is_none() {
        reader.at = before;
    }
    folder
}

fn size_said(reader: &mut Reader<'_>) -> Option<(Comparison, u64)> {
    let before = reader.at;
    reader.eat_any(&["that", "which", "are", "is"]);
    let size = size(reader);
    if size.is_none() {
        reader.at = before;
    }
    size
}

fn named(reader: &mut Reader<'_>) -> Option<String> {
    let before = reader.at;
    let said = reader.eat(&["named", "called"]) || reader.eat_all(&["with", "the", "name"]);
    let token = reader
        .now()
        .filter(|token| said && matches!(token.kind, Kind::File | Kind::Quoted | Kind::Word));
    reader.at = token.map_or(before, |_| reader.at + 1);
    token.map(|token| token.raw.clone())
}

/// "bigger than 10 kB", in bytes.
fn size(reader: &mut Reader<'_>) -> Option<(Comparison, u64)> {
    let before = reader.at;
    let more = reader.eat(&["larger", "bigger", "greater", "more"]) && reader.eat(&["than"])
        || reader.eat(&["over", "above"]);
    let less = !more
        && (reader.eat(&["smaller", "less"]) && reader.eat(&["than"])
            || reader.eat(&["under", "below"]));
    let bytes = if more || less { bytes(reader) } else { None };
    if bytes.is_none() {
        reader.at = before;
    }
    let comparison = if more {
        Comparison::More
    } else {
        Comparison::Less
    };
    bytes.map(|bytes| (comparison, bytes))
}

fn bytes(reader: &mut Reader<'_>) -> Option<u64> {
    let token = reader.now()?;
    reader.at += 1;
    let (number, unit) = if let Kind::Number(number) = &token.kind {
        let unit = reader.now().filter(|token| token.kind == Kind::Word);
        let unit = unit.map(|token| token.word.clone()).unwrap_or_default();
        reader.at += usize::from(factor(&unit).is_some());
        (number.as_f64()?, unit)
    } else {
        let digits = token.word.find(|letter: char| letter.is_alphabetic())?;
        let (number, unit) = token.word.split_at_checked(digits)?;
        (number.parse().ok()?, unit.to_owned())
    };
    let bytes = number * factor(&unit)?;
    (0.0..1e15).contains(&bytes).then_some(bytes as u64)
}

fn factor(unit: &str) -> Option<f64> {
    Some(match unit {
        "b" | "byte" | "bytes" => 1.0,
        "kb" | "k" | "kilobyte" | "kilobytes" => 1e3,
        "mb" | "m" | "megabyte" | "megabytes" => 1e6,
        "gb" | "g" | "gigabyte" | "gigabytes" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    })
}

fn kept(column: &str, comparison: Comparison, value: serde_json::Value) -> Keep {
    Keep {
        column: column.to_owned(),
        comparison,
        value,
        or: false,
    }
}

fn only_files() -> Keep {
    kept("kind", Comparison::Equal, "file".into())
}

/// "the five largest files in this folder".
fn largest(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let mut limit = reader.now().and_then(counted);
    reader.at += usize::from(limit.is_some());
    let down = reader.eat(&LARGE);
    let up = !down && reader.eat(&SMALL);
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
    say_largest(reader, folder, (down, limit), from);
    true
}

/// "which of the files in logs is the largest", "list the files in data, then show me the
/// biggest one".
fn ranked(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let found = ranked_in(reader);
    match found {
        Some((folder, ranks)) if reader.ends_here() => {
            say_largest(reader, folder, ranks, from);
            true
        }
        _ => {
            reader.at = from;
            false
        }
    }
}

fn ranked_in(reader: &mut Reader<'_>) -> Option<(String, (bool, u64))> {
    reader.eat(&["first"]);
    let asks = reader.eat(&["which", "what"]);
    if !asks && !reader.eat(&["list", "show", "find", "print", "display"]) {
        return None;
    }
    reader.eat_any(&["me", "one", "of"]);
    reader.eat_any(&ARTICLES);
    if !reader.eat(&["files", "file"]) {
        return None;
    }
    let folder = folder(reader)?;
    let joined = if asks {
        reader.eat(&["is", "are"])
    } else {
        let comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
        reader.at += usize::from(comma);
        reader.eat_any_of(&["and", "then", "show", "tell", "give", "me", "print"])
    };
    reader.eat_any(&ARTICLES);
    let number = reader.now().and_then(counted);
    reader.at += usize::from(number.is_some());
    let down = reader.eat(&LARGE);
    let said = down || reader.eat(&SMALL);
    reader.eat(&["one", "ones", "file", "files"]);
    let limit = number.unwrap_or(1);
    (joined && said).then_some((folder, (down, limit)))
}

fn say_largest(reader: &mut Reader<'_>, folder: String, ranks: (bool, u64), from: usize) {
    let (down, limit) = ranks;
    let deep = false;
    reader.say(Condition::Files { folder, deep }, from);
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
}

/// "extract all headings from notes.md", "find all email addresses in notes.md".
fn picked(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    if !reader.eat(&["extract", "list", "find", "get", "show", "collect", "pull"]) {
        return false;
    }
    reader.eat_any(&["out", "me"]);
    reader.eat_any(&ARTICLES);
    let what = match () {
        () if reader.eat(&["headings", "headlines", "headers", "titles"]) => Picked::Headings,
        () if reader.eat_all(&["table", "of", "contents"]) => Picked::Headings,
        () if reader.eat(&["emails", "e-mails"]) => Picked::Emails,
        () if (reader.eat(&["email", "e-mail", "mail"])) && reader.eat(&["addresses"]) => {
            Picked::Emails
        }
        () if reader.eat_all(&["phone", "numbers"]) => Picked::Phones,
        () => {
            reader.at = from;
            return false;
        }
    };
    let end = reader.at;
    let placed = reader.eat_place() || reader.eat(&["on"]) && reader.eat_file();
    if !placed || reader.only_file().is_none() || !reader.ends_here() {
        reader.at = from;
        return false;
    }
    reader.at = reader.at.max(end);
    reader.say(Condition::Pick(what), from);
    true
}

/// "in the src folder", "in this folder", "under docs/".
pub(super) fn folder(reader: &mut Reader<'_>) -> Option<String> {
    let before = reader.at;
    let led = reader.eat(&["in", "under", "inside", "below", "of", "within", "from"]);
    reader.eat_any(&["all", "files", "of", "the", "in", "my"]);
    let found = folder_here(reader).filter(|_| led);
    if found.is_none() {
        reader.at = before;
    }
    found
}

pub(super) fn folder_here(reader: &mut Reader<'_>) -> Option<String> {
    const HERE: [&str; 3] = ["this", "current", "working"];
    if reader.eat_any_of(&HERE) {
        return reader.eat(&FOLDERS).then(|| ".".to_owned());
    }
    if reader.eat(&["here"]) {
        return Some(".".to_owned());
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
    let is_folder = reader.eat(&FOLDERS)
        || was_said
        || token.kind == Kind::File
        || name.contains('/')
        || reader.known.is_folder(&name);
    (is_name && is_folder).then_some(name)
}
