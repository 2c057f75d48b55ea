//! Which addresses, paths and files are named?

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use super::EntityKind;
use super::Found;

/// Endings of the names of files.
const ENDINGS: &str = "xlsx|xlsm|xls|ods|csv|tsv|docx|doc|odt|rtf|pptx|ppt|odp|pdf|txt|log|md|jsonl|json|\
    yaml|yml|xml|html|htm|css|png|jpe?g|gif|webp|bmp|svg|heic|tiff?|mp3|wav|ogg|flac|m4a|mp4|mov|mkv|avi|\
    webm|zip|tar\\.gz|tar|gz|tgz|7z|rar|db|sqlite3?|sql|parquet|py|js|tsx?|jsx|rs|go|java|rb|cpp|hpp|cs|php|\
    sh|bat|ipynb|ics|toml|ini|env|conf|cfg|lock|tmpl|tex|bib|epub|eml|pem|key|wasm|exe|dll|proto|tmp|bak";
const DOMAINS: &str = "com|org|net|io|dev|app|edu|gov|info|biz|co\\.uk|co|de|fr|uk|eu|nl|es|it|ch|at|jp|ca|au|ai|me|tv|xyz|shop|site";

static RULES: LazyLock<Vec<(EntityKind, Regex)>> = LazyLock::new(|| {
    let rules = [
        (
            EntityKind::Url,
            r#"(?i)\b(?:https?|ftp|wss?|file)://[^\s<>"'`“”«»|\\^{}]+"#.to_owned(),
        ),
        (
            EntityKind::Url,
            r"(?i)\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+:[\w~][\w./~-]*".to_owned(),
        ),
        (
            EntityKind::Email,
            r"(?i)\b[\w.+%-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}\b".to_owned(),
        ),
        (
            EntityKind::Path,
            r"(?:~|\.{1,2})?/[\w.@~+*%-]+(?:/[\w.@~+*%-]+)*/?|~/|[A-Za-z]:\\[^\s,;]+".to_owned(),
        ),
        (
            EntityKind::Path,
            format!(r"(?i)\b[\w.@+-]+(?:/[\w.@+-]+)*/[\w@+-][\w.@+-]*\.(?:{ENDINGS})\b"),
        ),
        (
            EntityKind::Url,
            format!(
                r"(?i)\b(?:www\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:{DOMAINS})\b(?::\d+)?(?:/[^\s<>,;]*)?"
            ),
        ),
        (
            EntityKind::Url,
            r"(?i)\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d{2,5})(?:/[^\s<>,;]*)?".to_owned(),
        ),
        (
            EntityKind::File,
            format!(r"(?i)\b[\w@+-][\w.@+-]*\.(?:{ENDINGS})\b"),
        ),
        (
            EntityKind::File,
            r"\b(?:Makefile|Dockerfile|README|LICENSE|CHANGELOG)\b".to_owned(),
        ),
    ];
    let read = |(kind, rule): (EntityKind, String)| Some((kind, Regex::new(&rule).ok()?));
    rules.into_iter().filter_map(read).collect()
});

/// Words that may stand in the name of a file; a longer text is a sentence.
const WORDS_AT_MOST: usize = 6;

static WITH_BLANKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = r"[\w@+~./(-][\w.,@+~&()'/-]*";
    Regex::new(&format!(
        r"(?i)^(?:{words} +)+[\w(&-][\w.,@+~&()'-]*\.(?:{ENDINGS})$"
    ))
    .ok()
});

pub(crate) fn find(found: &mut Found<'_>) {
    for (kind, rule) in &*RULES {
        for hit in rule.find_iter(found.text) {
            let text = trimmed(hit.as_str(), *kind);
            let place = hit.start()..hit.start() + text.len();
            let (before, after) = found.around(&place);
            let inside_word =
                before.is_some_and(|it| it.is_alphanumeric() || it == '/' || it == '@');
            let goes_on = *kind == EntityKind::File && after == Some('(');
            if inside_word || goes_on || text.len() < 2 || is_slash_between(text, before) {
                continue;
            }
            found.add(*kind, place, json!(text), None);
        }
    }
}

/// `and/or`: a slash after a letter begins no path, and neither does one in `</b>`.
fn is_slash_between(text: &str, before: Option<char>) -> bool {
    text.starts_with('/') && before.is_some_and(|it| it == '<' || it == ')' || it == '.')
}

/// Where names of files stand, each in one word.
pub(crate) fn file_names(text: &str) -> Vec<Range<usize>> {
    let rules = RULES.iter().filter(|(kind, _)| *kind == EntityKind::File);
    let hits = rules.flat_map(|(_, rule)| rule.find_iter(text));
    hits.map(|hit| hit.range()).collect()
}

/// Without the marks of the sentence around it.
fn trimmed(text: &str, kind: EntityKind) -> &str {
    let mut text = text.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*']);
    if kind == EntityKind::Url {
        while text.ends_with(')') && !text.contains('(')
            || text.ends_with(']') && !text.contains('[')
        {
            text = text
                .trim_end_matches([')', ']'])
                .trim_end_matches(['.', ',', ';']);
        }
    }
    text
}

/// Is the text one address, path or file and nothing else?
pub(crate) fn is_whole(text: &str) -> bool {
    let whole = |(_, rule): &(EntityKind, Regex)| {
        let hit = rule.find(text);
        hit.is_some_and(|hit| hit.start() == 0 && hit.end() == text.len())
    };
    !text.contains(char::is_whitespace) && RULES.iter().any(whole)
}

/// Is the text the name of a file in several words and nothing else?
pub(crate) fn is_name_with_blanks(text: &str) -> bool {
    let is_short = text.split_whitespace().count() <= WORDS_AT_MOST;
    let rule = WITH_BLANKS.as_ref();
    is_short && rule.is_some_and(|rule| rule.is_match(text))
}
