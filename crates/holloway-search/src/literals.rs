//! What does a request say apart from its literals? Addresses and file names become
//! the kind of thing they are: `report.xlsx` is about spreadsheets, not about reports.

use std::borrow::Cow;

/// Words for what a file is, by the endings of its name.
const KINDS: [(&str, &[&str]); 21] = [
    ("excel spreadsheet", &["xlsx", "xls", "xlsm", "ods"]),
    ("csv table", &["csv", "tsv"]),
    ("word document", &["docx", "doc", "odt", "rtf"]),
    ("powerpoint presentation slides", &["pptx", "ppt", "odp"]),
    ("pdf document", &["pdf"]),
    ("text", &["txt", "log"]),
    ("markdown", &["md"]),
    ("json", &["json", "jsonl"]),
    ("yaml", &["yaml", "yml"]),
    ("xml", &["xml"]),
    ("html web page", &["html", "htm"]),
    (
        "image",
        &[
            "png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "heic", "tiff",
        ],
    ),
    ("audio", &["mp3", "wav", "ogg", "flac", "m4a"]),
    ("video", &["mp4", "mov", "mkv", "avi", "webm"]),
    ("archive", &["zip", "tar", "gz", "tgz", "7z", "rar"]),
    ("database sqlite", &["db", "sqlite", "sqlite3"]),
    ("sql", &["sql"]),
    (
        "code",
        &[
            "py", "js", "ts", "tsx", "jsx", "rs", "go", "java", "rb", "c", "cpp", "h", "cs", "php",
            "sh",
        ],
    ),
    ("notebook jupyter", &["ipynb"]),
    ("calendar", &["ics"]),
    ("config", &["toml", "ini", "env", "conf"]),
];
const OPENING: &[char] = &['"', '\'', '(', '[', '{', '<', '`'];
const CLOSING: &[char] = &[
    '.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '"', '\'', '`',
];
const ADDRESSES: [&str; 3] = ["http://", "https://", "www."];
const PATHS: [&str; 4] = ["/", "~/", "./", "../"];

/// The request with each literal replaced; white space and the marks around stay.
pub fn without_literals(request: &str) -> String {
    let mut plain = String::with_capacity(request.len());
    for piece in request.split_inclusive(char::is_whitespace) {
        let opened = piece.trim_start_matches(OPENING);
        let closed = opened.trim_end_matches(char::is_whitespace);
        let word = closed.trim_end_matches(CLOSING);
        match meant(&word.to_lowercase()) {
            Some(words) => {
                let before = piece.len() - opened.len();
                plain.push_str(piece.get(..before).unwrap_or_default());
                plain.push_str(&words);
                plain.push_str(opened.get(word.len()..).unwrap_or_default());
            }
            None => plain.push_str(piece),
        }
    }
    plain
}

/// The words that stand for a literal; nothing if the word is none.
fn meant(word: &str) -> Option<Cow<'static, str>> {
    let (stem, ending) = word.rsplit_once('.').unwrap_or_default();
    let kind = KINDS.iter().find(|(_, endings)| endings.contains(&ending));
    let starts = |beginnings: &[&str]| beginnings.iter().any(|begin| word.starts_with(begin));
    if starts(&ADDRESSES) {
        let kind = kind.map(|(kind, _)| format!(" {ending} {kind}"));
        return Some(Cow::Owned(format!("url{}", kind.unwrap_or_default())));
    }
    if is_mail_address(word) {
        return Some(Cow::Borrowed("email address"));
    }
    let is_name = |letter: char| is_word(letter) || "./~-".contains(letter);
    match kind {
        Some((kind, _)) if !stem.is_empty() && word.chars().all(is_name) => {
            Some(Cow::Owned(format!("file {ending} {kind}")))
        }
        _ if starts(&PATHS) && word.chars().count() > 2 => Some(Cow::Borrowed("file path")),
        _ => None,
    }
}

fn is_mail_address(word: &str) -> bool {
    let Some((name, host)) = word.split_once('@') else {
        return false;
    };
    let is_part = |part: &str| {
        let is_host = |letter| is_word(letter) || letter == '-';
        !part.is_empty() && part.chars().all(is_host)
    };
    let is_name = |letter: char| is_word(letter) || ".+-".contains(letter);
    let is_named = !name.is_empty() && name.chars().all(is_name);
    is_named && host.contains('.') && host.split('.').all(is_part)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        assert_eq!(without_literals(request), expected);
    }

    #[test]
    fn files_and_addresses_become_what_they_are() {
        check(
            "Keep \"a/report.xlsx\", please",
            "Keep \"file xlsx excel spreadsheet\", please",
        );
        check("load HTTPS://x.org/a.PNG", "load url png image");
        check("see www.example.org.", "see url.");
        check(
            "write to ann.b@mail.example.org!\nnow",
            "write to email address!\nnow",
        );
        check("make ~/site and /etc/hosts", "make file path and file path");
    }

    #[test]
    fn other_words_stay_as_they_are() {
        for request in [
            "",
            "  two  spaces\tand a tab ",
            "version 1.5 and/or 3.0",
            ".csv / . ./",
            "a@b and @x.y",
            "node.js? no: (x=y).csv",
            "你好。",
        ] {
            let expected = request.replace("node.js", "file js code");
            check(request, &expected);
        }
    }
}
