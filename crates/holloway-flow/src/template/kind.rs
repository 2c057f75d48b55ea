//! Does a literal look like what changes from run to run? Addresses and dates by how they
//! are written, files and words to search for also by the parameter they are given to.

use serde::Serialize;
use serde_json::Value;

/// Longer texts are contents, not names of something.
const LONGEST: usize = 300;

/// What a literal names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Address,
    Mail,
    Date,
    File,
    Words,
}

impl Kind {
    /// For people, at the beginning of a description.
    pub fn words(self) -> &'static str {
        match self {
            Self::Address => "Address",
            Self::Mail => "E-mail address",
            Self::Date => "Date",
            Self::File => "File or folder",
            Self::Words => "Words to look for",
        }
    }
}

/// The kind of a literal given to `parameter`; a list has the kind of all its items.
pub(super) fn kind_of(parameter: &str, value: &Value) -> Option<Kind> {
    match value {
        Value::String(text) => kind_of_text(parameter, text),
        Value::Array(items) => {
            let mut kinds = items.iter().map(|item| match item {
                Value::String(text) => kind_of_text(parameter, text),
                _ => None,
            });
            let first = kinds.next()??;
            kinds.all(|kind| kind == Some(first)).then_some(first)
        }
        _ => None,
    }
}

fn kind_of_text(parameter: &str, text: &str) -> Option<Kind> {
    if text.is_empty() || text.len() > LONGEST || text.contains('\n') || holds_reference(text) {
        return None;
    }
    let has_spaces = text.contains(char::is_whitespace);
    if !has_spaces && is_address(text) {
        return Some(Kind::Address);
    }
    if !has_spaces && is_mail(text) {
        return Some(Kind::Mail);
    }
    if is_date(text) {
        return Some(Kind::Date);
    }
    if is_file(parameter, text) {
        return Some(Kind::File);
    }
    names_words(parameter).then_some(Kind::Words)
}

/// Whether the text is filled in by the plan already.
pub(super) fn holds_reference(text: &str) -> bool {
    ["{{", "{%", "{#", "${"]
        .iter()
        .any(|mark| text.contains(mark))
}

fn is_address(text: &str) -> bool {
    let rest = ["http://", "https://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['))
}

fn is_mail(text: &str) -> bool {
    let Some((person, host)) = text.split_once('@') else {
        return false;
    };
    let host_fits = host.contains('.') && !host.starts_with('.') && !host.ends_with('.');
    !person.is_empty() && host_fits && !host.contains(['@', '/', ':'])
}

/// `2026-11-16`, with or without a time after it.
fn is_date(text: &str) -> bool {
    let Some((day, rest)) = text.split_at_checked(10) else {
        return false;
    };
    let shaped = day.bytes().enumerate().all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    let time = |c: char| c.is_ascii_digit() || "T:.+-Z ".contains(c);
    shaped && (rest.is_empty() || rest.starts_with(['T', ' '])) && rest.chars().all(time)
}

fn is_file(parameter: &str, text: &str) -> bool {
    const PARAMETERS: [&str; 8] = [
        "path",
        "file",
        "folder",
        "directory",
        "dir",
        "filename",
        "database",
        "output",
    ];
    const ENDINGS: [&str; 17] = [
        "csv", "tsv", "json", "jsonl", "yaml", "yml", "txt", "md", "html", "pdf", "xlsx", "svg",
        "png", "xml", "db", "sqlite", "log",
    ];
    let looks_like_one = |c: char| c.is_alphanumeric() || "/._-~ ()".contains(c);
    if !text.chars().all(looks_like_one) {
        return false;
    }
    let parameter = parameter.to_lowercase();
    let last = parameter.rsplit(['_', '-']).next().unwrap_or_default();
    let ending = text
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_lowercase());
    PARAMETERS.contains(&last) || ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

fn names_words(parameter: &str) -> bool {
    const PARAMETERS: [&str; 10] = [
        "query", "q", "search", "keyword", "keywords", "term", "terms", "topic", "question",
        "phrase",
    ];
    let parameter = parameter.to_lowercase();
    let last = parameter.rsplit(['_', '-']).next().unwrap_or_default();
    PARAMETERS.contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parameter: &str, value: &str, expected: Option<Kind>) {
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        assert_eq!(kind_of(parameter, &value), expected, "{parameter}: {value}");
    }

    #[test]
    fn what_changes_from_run_to_run() {
        check("url", "https://example.com/a?b=1", Some(Kind::Address));
        check("base", "http://[::1]:8080/", Some(Kind::Address));
        check(
            "urls",
            r#"["https://a.org/", "https://b.org/"]"#,
            Some(Kind::Address),
        );
        check("to", "ann@example.com", Some(Kind::Mail));
        check("since", "2026-11-16", Some(Kind::Date));
        check("since", "2026-11-16T08:00:00Z", Some(Kind::Date));
        check("path", "out", Some(Kind::File));
        check("out_file", "out/prices.csv", Some(Kind::File));
        check("rows_from", "prices.csv", Some(Kind::File));
        check("query", "light tents", Some(Kind::Words));
        check("search_terms", r#"["light", "dry"]"#, Some(Kind::Words));
    }

    #[test]
    fn what_belongs_to_the_plan() {
        check("url", "{{ input.url }}", None);
        check("url", "https://example.com/{{ page }}", None);
        check("text", "See https://example.com", None);
        check("urls", r#"["https://a.org/", "{{ b }}"]"#, None);
        check("urls", "[]", None);
        check("path", "$.items[*].price", None);
        check("limit", "3", None);
        check("format", "csv", None);
        check("selector", "a[href]", None);
        check("title", "16 November 2026", None);
        check("code", "2026-11-1", None);
        check("handle", "@ann", None);
        check("query", "SELECT 1\nFROM t", None);
    }
}
