//! Of which words and signs is an expression made? As much of the language's
//! grammar as is needed to judge an expression before it is read.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Word,
    Text,
    Open,
    Close,
    Sign,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) end: usize,
}

/// The token that begins at or after `from`.
pub(super) fn next_token(text: &str, from: usize) -> Result<Option<Token<'_>>, String> {
    let rest = text.get(from..).unwrap_or_default();
    let start = from + (rest.len() - rest.trim_start().len());
    let rest = text.get(start..).unwrap_or_default();
    let Some(first) = rest.chars().next() else {
        return Ok(None);
    };
    let (kind, length) = match first {
        '"' | '\'' => (
            Kind::Text,
            quoted_length(rest, first).ok_or("a quote is not closed")?,
        ),
        '(' | '[' | '{' => (Kind::Open, 1),
        ')' | ']' | '}' => (Kind::Close, 1),
        c if c.is_alphanumeric() || c == '_' => (Kind::Word, word_length(rest)),
        '*' if rest.starts_with("**") => (Kind::Sign, 2),
        c => (Kind::Sign, c.len_utf8()),
    };
    let text = rest.get(..length).unwrap_or_default();
    Ok(Some(Token {
        kind,
        text,
        end: start + length,
    }))
}

fn quoted_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A name or number; `1e-5` is one number.
fn word_length(rest: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    let exponent = word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(['e', 'E']);
    match after.strip_prefix(['-', '+']) {
        Some(digits) if exponent => end + 1 + digits.find(|c| !is_part(c)).unwrap_or(digits.len()),
        _ => end,
    }
}
