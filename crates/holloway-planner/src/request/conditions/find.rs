//! Which lines hold a text? "find NOTE in src", "which files in src contain parse", "how often
//! does NOTE appear in src", "is NOTE mentioned anywhere in src".

use super::files::{FOLDERS, folder, folder_here};
use super::phrases::{ARTICLES, Reader};
use super::tokens::{Kind, Token};
use super::{Condition, Counted};

const HOLDS: [&str; 12] = [
    "contain",
    "contains",
    "containing",
    "mention",
    "mentions",
    "mentioning",
    "hold",
    "holds",
    "with",
    "have",
    "use",
    "using",
];
const SEEN: [&str; 9] = [
    "appear",
    "appears",
    "occur",
    "occurs",
    "mentioned",
    "used",
    "defined",
    "found",
    "written",
];
const FINDS: [&str; 7] = ["find", "search", "grep", "list", "show", "look", "locate"];

pub(super) fn find(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let understood = counted(reader, from)
        || counted_holding(reader, from)
        || whether(reader, from)
        || whether_holds(reader, from)
        || which(reader, from)
        || wheres(reader, from)
        || place_first(reader, from)
        || text_first(reader, from);
    if !understood {
        reader.at = from;
    }
    understood
}

fn say(reader: &mut Reader<'_>, text: String, folder: String, from: usize) -> bool {
    reader.say(Condition::Find { text, folder }, from);
    true
}

/// A folder, or one file.
fn place(reader: &mut Reader<'_>) -> Option<String> {
    reader.eat(&["anywhere", "somewhere"]);
    let before = reader.at;
    let led = reader.eat(&["in", "of", "from", "inside", "within"]);
    reader.eat_any(&["the", "file", "my"]);
    let file = reader.now().filter(|token| token.kind == Kind::File);
    if let Some(file) = file.filter(|file| led && !file.is_table() && !file.is_page()) {
        reader.at += 1;
        reader.eat(&FOLDERS);
        return Some(file.raw.clone());
    }
    reader.at = before;
    let all = reader.eat(&["in"]);
    if reader.eat_all(&["all", "files"]) || reader.eat_all(&["the", "files"]) {
        return Some(".".to_owned());
    }
    reader.at = if all { before } else { reader.at };
    folder(reader)
}

/// A text that can only be one to look for: quoted, shouted, a name, a word of code.
fn telling(token: &Token) -> bool {
    let raw = token.raw.as_str();
    let shouts = raw.chars().count() > 2
        && raw
            .chars()
            .all(|letter| letter.is_ascii_uppercase() || letter == '_');
    let code = raw.contains(['_', '(', ':', '#', '@']);
    token.kind == Kind::Quoted || token.kind == Kind::Word && (shouts || code || token.is_capital())
}

/// The text that stands here.
fn text(reader: &mut Reader<'_>, is_said: bool) -> Option<String> {
    let token = reader.now()?;
    let fits = telling(token) || is_said && matches!(token.kind, Kind::Word | Kind::Number(_));
    let harmless = token.kind == Kind::Word && reader.is(reader.at, &ARTICLES);
    if !fits || harmless {
        return None;
    }
    reader.at += 1;
    Some(token.raw.clone())
}

/// "find all NOTE comments in the src folder", "lines with parse in todo.txt".
fn text_first(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    let greps = reader.is(from, &["grep", "search"]);
    if !reader.eat(&FINDS) {
        return false;
    }
    reader.eat_any(&["for", "me"]);
    reader.eat_any(&ARTICLES);
    let lines = reader.eat(&["lines", "line", "mentions", "occurrences", "places", "uses"]);
    // "the lines of todo.txt that contain call"
    let early = if lines { place(reader) } else { None };
    let start = reader.at;
    reader.eat_any(&[
        "of", "that", "where", "the", "text", "word", "string", "phrase",
    ]);
    reader.eat_any(&HOLDS);
    reader.eat_any(&["the", "text", "word", "string", "phrase"]);
    let is_said = greps || lines || reader.at > start;
    let Some(text) = text(reader, is_said) else {
        return false;
    };
    reader.eat(&[
        "comments", "comment", "notes", "markers", "lines", "mentions", "tags",
    ]);
    let place = early
        .or_else(|| place(reader))
        .or_else(|| if greps { folder_here(reader) } else { None });
    match place.filter(|_| reader.ends_here()) {
        Some(folder) => say(reader, text, folder, from),
        None => false,
    }
}

/// "search src for parse".
fn place_first(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    if !reader.eat(&["search", "scan", "grep"]) {
        return false;
    }
    reader.eat(&["through", "in"]);
    reader.eat_any(&["the"]);
    let all = reader.eat_all(&["all", "files"]);
    let file = reader
        .now()
        .filter(|token| token.kind == Kind::File && !token.is_table() && !token.is_page());
    let place = match file {
        _ if all => Some(".".to_owned()),
        Some(file) => {
            reader.at += 1;
            Some(file.raw.clone())
        }
        None => folder_here(reader),
    };
    let Some(place) = place.filter(|_| reader.eat(&["for"])) else {
        return false;
    };
    reader.eat_any(&["the", "text", "word", "string"]);
    match text(reader, true).filter(|_| reader.ends_here()) {
        Some(text) => say(reader, text, place, from),
        None => false,
    }
}

/// "which files in src contain parse", "which lines of todo.txt mention budget".
fn which(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    let asks = reader.eat(&["which", "what"]) || reader.eat(&FINDS);
    reader.eat_any(&ARTICLES);
    let lines = asks && reader.eat(&["lines", "line"]);
    if !asks || !lines && !reader.eat(&["files", "file"]) {
        return false;
    }
    let early = if lines { place(reader) } else { folder(reader) };
    // Nobody asks for the lines of all files without saying where.
    if lines && early.is_none() {
        return false;
    }
    reader.eat(&["that", "which"]);
    if !reader.eat(&HOLDS) {
        return false;
    }
    reader.eat_any(&["the", "text", "word", "string"]);
    let Some(text) = text(reader, true) else {
        return false;
    };
    let place = early.or_else(|| folder(reader));
    if !reader.ends_here() {
        return false;
    }
    say(reader, text, place.unwrap_or_else(|| ".".to_owned()), from)
}

/// "where is parse mentioned in src".
fn wheres(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    if !reader.eat(&["where"]) || !reader.eat(&["is", "are", "do", "does"]) {
        return false;
    }
    reader.eat_any(&["the", "text", "word"]);
    let Some(text) = text(reader, true).filter(|_| reader.eat(&SEEN)) else {
        return false;
    };
    match place(reader).filter(|_| reader.ends_here()) {
        Some(folder) => say(reader, text, folder, from),
        None => false,
    }
}

/// "how often does parse appear in src".
fn counted(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    let asks = reader.eat_all(&["how", "often"]) || reader.eat_all(&["how", "many", "times"]);
    if !asks || !reader.eat(&["does", "do", "is", "are", "did", "was"]) {
        return false;
    }
    reader.eat_any(&["the", "text", "word"]);
    let Some(text) = text(reader, true).filter(|_| reader.eat(&SEEN)) else {
        return false;
    };
    let Some(folder) = place(reader).filter(|_| reader.ends_here()) else {
        return false;
    };
    // In one file every time is counted, of many the lines.
    let is_file = reader.tokens.iter().any(|token| {
        token.kind == Kind::File && token.raw == folder && !reader.known.is_folder(&folder)
    });
    let counted = if is_file && !folder.ends_with('/') {
        Counted::Times
    } else {
        Counted::Matches
    };
    say(reader, text, folder, from);
    reader.say(Condition::Count(counted), from);
    true
}

/// "how many lines of todo.txt contain call", "how many files in src mention parse".
fn counted_holding(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    if !reader.eat_all(&["how", "many"]) && !reader.eat(&["count"]) {
        return false;
    }
    reader.eat_any(&ARTICLES);
    let files = reader.eat(&["files"]);
    if !files && !reader.eat(&["lines"]) {
        return false;
    }
    let early = place(reader);
    reader.eat(&["that", "which"]);
    let Some(text) = held(reader) else {
        return false;
    };
    let Some(folder) = early
        .or_else(|| place(reader))
        .filter(|_| reader.ends_here())
    else {
        return false;
    };
    say(reader, text, folder, from);
    let counted = if files {
        Counted::Files
    } else {
        Counted::Matches
    };
    reader.say(Condition::Count(counted), from);
    true
}

/// "contain the word call".
fn held(reader: &mut Reader<'_>) -> Option<String> {
    if !reader.eat(&HOLDS) {
        return None;
    }
    reader.eat_any(&["the", "text", "word", "string", "phrase"]);
    text(reader, true)
}

/// "is NOTE mentioned anywhere in src", "is there a NOTE in todo.txt": the lines say it.
fn whether(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    if from > 0 || !reader.eat(&["is", "are", "does", "do", "was"]) {
        return false;
    }
    let there = reader.eat(&["there"]);
    reader.eat_any(&ARTICLES);
    let mentions = there && reader.eat(&["mention", "mentions", "occurrence", "occurrences"]);
    reader.eat(&["of"]);
    reader.eat_any(&["the", "text", "word"]);
    // "is there a problem in src" is no search for a word.
    let Some(text) = text(reader, mentions || !there) else {
        return false;
    };
    if !there && !reader.eat(&SEEN) {
        return false;
    }
    match place(reader).filter(|_| reader.ends_here()) {
        Some(folder) => say(reader, singular(text), folder, from),
        None => false,
    }
}

/// "does todo.txt mention call", "does any file in src contain parse".
fn whether_holds(reader: &mut Reader<'_>, from: usize) -> bool {
    reader.at = from;
    if from > 0 || !reader.eat(&["does", "do"]) {
        return false;
    }
    let any = reader.eat_any_of(&["any", "some"]);
    let files = any && reader.eat_any_of(&["of", "the", "files", "file"]);
    let place = if files {
        place(reader)
    } else {
        reader.eat_any(&["the", "file"]);
        file_here(reader).or_else(|| folder_here(reader))
    };
    let Some(folder) = place else {
        return false;
    };
    match held(reader).filter(|_| reader.ends_here()) {
        Some(text) => say(reader, singular(text), folder, from),
        None => false,
    }
}

fn file_here(reader: &mut Reader<'_>) -> Option<String> {
    let file = reader
        .now()
        .filter(|token| token.kind == Kind::File && !token.is_table() && !token.is_page())?;
    reader.at += 1;
    Some(file.raw.clone())
}

/// Several of what is shouted: NOTEs.
fn singular(text: String) -> String {
    match text.strip_suffix('s') {
        Some(one) if one.len() > 2 && one.chars().all(|letter| letter.is_ascii_uppercase()) => {
            one.to_owned()
        }
        _ => text,
    }
}
