//! Which words does a request consist of? One tokeniser for all of reading: words, numbers,
//! names of files, addresses, quoted texts and marks, each with its place.

use std::ops::Range;

/// More is not read.
const MOST_TOKENS: usize = 400;

/// A piece of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// As written; a quoted text without its quotes.
    pub text: String,
    pub lower: String,
    /// In bytes of the request.
    pub at: Range<usize>,
    pub kind: TokenKind,
    /// Carries nothing by itself, in the language and among the tables of the request.
    pub idle: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Number,
    /// A name with an ending, or a path.
    File,
    Url,
    Email,
    Quoted,
    Mark,
}

const OPENING: &str = "\"“„«‘`'";
const CLOSING: &str = "\"”“»’`'";

/// Takes a request apart.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if found.len() >= MOST_TOKENS {
            break;
        }
        let Some(first) = rest.chars().next() else {
            break;
        };
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if let Some((inside, end)) = quoted(rest, first) {
            let token = token(TokenKind::Quoted, inside, at..at + end);
            found.push(token);
            at += end;
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        chunk(rest.get(..end).unwrap_or(rest), at, &mut found);
        at += end;
    }
    found
}

fn token(kind: TokenKind, text: &str, at: Range<usize>) -> Token {
    Token {
        text: text.to_owned(),
        lower: text.to_lowercase().replace('’', "'"),
        at,
        kind,
        idle: false,
    }
}

/// The text between quotes at the beginning, and where it ends.
fn quoted(rest: &str, first: char) -> Option<(&str, usize)> {
    let place = OPENING.chars().position(|mark| mark == first)?;
    let close = CLOSING.chars().nth(place)?;
    let start = first.len_utf8();
    let inside = rest.get(start..)?;
    let end = inside.char_indices().find(|(at, c)| {
        let after = inside
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        *c == close && !after.is_some_and(char::is_alphanumeric)
    })?;
    let text = inside.get(..end.0)?;
    let fits = !text.trim().is_empty() && !text.contains('\n');
    fits.then(|| (text, start + end.0 + close.len_utf8()))
}

/// What stands between blanks: marks around, then one thing, or a word with what hangs on it.
fn chunk(text: &str, start: usize, found: &mut Vec<Token>) {
    let is_edge = |c: char| !c.is_alphanumeric() && !"/~.*_%$€£#<>=+-".contains(c);
    let head = text.len() - text.trim_start_matches(is_edge).len();
    for (at, mark) in text.get(..head).unwrap_or_default().char_indices() {
        push_mark(mark, start + at, found);
    }
    let inside = text.get(head..).unwrap_or_default();
    let is_tail = |c: char| !c.is_alphanumeric() && !"/*_%+".contains(c);
    let core = inside.trim_end_matches(is_tail);
    if !core.contains(char::is_alphanumeric) && !core.starts_with(['/', '~']) {
        for (at, mark) in inside.char_indices() {
            push_mark(mark, start + head + at, found);
        }
        return;
    }
    body(core, start + head, found);
    let tail = head + core.len();
    for (at, mark) in text.get(tail..).unwrap_or_default().char_indices() {
        push_mark(mark, start + tail + at, found);
    }
}

fn push_mark(mark: char, at: usize, found: &mut Vec<Token>) {
    let text = mark.to_string();
    found.push(token(TokenKind::Mark, &text, at..at + mark.len_utf8()));
}

fn body(text: &str, start: usize, found: &mut Vec<Token>) {
    let range = start..start + text.len();
    let kind = if is_url(text) {
        TokenKind::Url
    } else if is_email(text) {
        TokenKind::Email
    } else if is_number(text) {
        TokenKind::Number
    } else if is_file(text) {
        TokenKind::File
    } else if let Some(cut) = inner_cut(text) {
        let (one, other) = text.split_at(cut);
        body(one, start, found);
        let mark_length = other.chars().next().map_or(0, char::len_utf8);
        let mark = other.get(..mark_length).unwrap_or_default();
        found.push(token(
            TokenKind::Mark,
            mark,
            start + cut..start + cut + mark_length,
        ));
        let rest = other.get(mark_length..).unwrap_or_default();
        if !rest.is_empty() {
            chunk(rest, start + cut + mark_length, found);
        }
        return;
    } else if let Some(stem) = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")) {
        found.push(token(TokenKind::Word, stem, start..start + stem.len()));
        found.push(token(TokenKind::Mark, "'s", start + stem.len()..range.end));
        return;
    } else {
        TokenKind::Word
    };
    found.push(token(kind, text, range));
}

/// Where a mark stands between two words: `(orders.csv),only`, `a/b`, `price>5`.
fn inner_cut(text: &str) -> Option<usize> {
    let cut = text.find(|c: char| "/,;:()<>=!?&+*[]{}|\\\"".contains(c))?;
    (cut > 0 || text.len() > 1).then_some(cut)
}

pub(crate) fn is_url(text: &str) -> bool {
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['))
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !host.contains('@') && !name.contains('/')
    })
}

fn is_number(text: &str) -> bool {
    let bare = text.trim_start_matches(['$', '€', '£', '-', '+']);
    let bare = bare.trim_end_matches(['%', '€', '$', '£']);
    bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
        && !bare.ends_with(['.', ','])
        || is_iso_date(text)
}

/// `2024-01-31`.
pub(crate) fn is_iso_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut digits = |length: usize| {
        parts
            .next()
            .is_some_and(|part| part.len() == length && part.chars().all(|c| c.is_ascii_digit()))
    };
    digits(4) && digits(2) && digits(2) && parts.next().is_none()
}

/// A path, or a name with an ending of letters that could be one of a file.
fn is_file(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || "._-~/*+@ ".contains(c);
    if !text.chars().all(is_name) || text.contains("..") && !text.contains('/') {
        return false;
    }
    let absolute = text.starts_with('/') || text.starts_with("~/") || text.starts_with("./");
    if absolute {
        return text.len() > 1;
    }
    let last = text
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(text);
    let ended = crate::frame::scene::ending(last).is_some_and(|ending| {
        ending.chars().any(char::is_alphabetic)
            && last.rsplit_once('.').is_some_and(|(stem, _)| {
                stem.len() > 1 || stem == "*" || text.contains('/') || ending.len() > 1
            })
    });
    ended || text.ends_with('/') && text.len() > 1 || text.matches('/').count() > 1
}

/// A number as it is written: `1,234.5`, `$20`, `5%`; with a decimal comma `1.234,5`.
pub(crate) fn number_of(text: &str, comma: bool) -> Option<f64> {
    let bare = text.trim_start_matches(['$', '€', '£', '+']);
    let bare = bare.trim_end_matches(['%', '€', '$', '£']);
    let (thousands, decimal) = if comma { ('.', ',') } else { (',', '.') };
    let grouped = bare.split(thousands).skip(1).all(|part| {
        part.split(decimal)
            .next()
            .is_some_and(|digits| digits.len() == 3)
    });
    let bare = if grouped {
        bare.replace(thousands, "").replace(decimal, ".")
    } else {
        bare.replace(',', ".")
    };
    bare.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = tokens(text);
        let shown: Vec<String> = found
            .iter()
            .map(|token| match token.kind {
                TokenKind::Word => token.text.clone(),
                kind => format!("{kind:?}:{}", token.text),
            })
            .collect();
        assert_eq!(shown, expected, "{text}");
        for token in &found {
            assert!(text[token.at.clone()].contains(&token.text), "{token:?}");
        }
    }

    #[test]
    fn requests_come_apart() {
        check("Show orders.csv.", &["Show", "File:orders.csv", "Mark:."]);
        check(
            "who's over 1,200.50 (see a/b.csv)?",
            &[
                "who",
                "Mark:'s",
                "over",
                "Number:1,200.50",
                "Mark:(",
                "see",
                "File:a/b.csv",
                "Mark:)",
                "Mark:?",
            ],
        );
        check(
            "in \"North West\", 5%",
            &["in", "Quoted:North West", "Mark:,", "Number:5%"],
        );
        check(
            "http://a.example/x?y=1, please",
            &["Url:http://a.example/x?y=1", "Mark:,", "please"],
        );
        check(
            "mail a@b.example 2024-01-31",
            &["mail", "Email:a@b.example", "Number:2024-01-31"],
        );
        check(
            "price>5 and/or don't",
            &[
                "price", "Mark:>", "Number:5", "and", "Mark:/", "or", "don't",
            ],
        );
        check(
            "*.csv ~/notes/ e.g. /etc/passwd",
            &[
                "File:*.csv",
                "File:~/notes/",
                "e.g",
                "Mark:.",
                "File:/etc/passwd",
            ],
        );
        check("a * b - 2", &["a", "Mark:*", "b", "Mark:-", "Number:2"]);
        check("it's 3.5 kg", &["it", "Mark:'s", "Number:3.5", "kg"]);
    }

    #[test]
    fn numbers_are_read_as_written() {
        for (text, comma, number) in [
            ("1,234.5", false, 1234.5),
            ("$20", false, 20.0),
            ("5%", false, 5.0),
            ("3,5", false, 3.5),
            ("350000", false, 350_000.0),
            ("3,5", true, 3.5),
            ("1.234,50", true, 1234.5),
            ("2.500", true, 2500.0),
            ("2.5", true, 2.5),
        ] {
            assert_eq!(number_of(text, comma), Some(number), "{text}");
        }
    }
}
