//! Which words of a short text are code? Those between two backticks; everything else
//! stays as it is.

use crate::clean;
use crate::rich::Span;

/// Whether it is code, and the text.
fn parts(text: &str) -> Vec<(bool, String)> {
    let pieces: Vec<&str> = text.split('`').collect();
    // Without its partner, the last backtick is only a sign.
    let paired = pieces.len() - usize::from(pieces.len().is_multiple_of(2));
    let mut parts: Vec<(bool, String)> = pieces
        .iter()
        .take(paired)
        .enumerate()
        .map(|(index, piece)| (index % 2 == 1, (*piece).to_owned()))
        .collect();
    if let (Some((_, last)), Some(rest)) = (parts.last_mut(), pieces.get(paired)) {
        last.push('`');
        last.push_str(rest);
    }
    parts.retain(|(_, text)| !text.is_empty());
    parts
}

pub(crate) fn html(text: &str) -> String {
    let parts = parts(&clean::clean(text)).into_iter();
    parts
        .map(|(code, text)| {
            let text = clean::escape(&text);
            if code {
                format!("<code>{text}</code>")
            } else {
                text
            }
        })
        .collect()
}

pub(crate) fn spans(text: &str) -> Vec<Span> {
    let parts = parts(text).into_iter();
    parts
        .map(|(code, text)| Span {
            code,
            ..Span::plain(&text)
        })
        .collect()
}

pub(crate) fn markdown(text: &str) -> String {
    let parts = parts(&clean::line(text)).into_iter();
    parts
        .map(|(code, text)| {
            if code {
                format!("`{text}`")
            } else {
                // The spaces beside code belong to the text.
                let start = if text.starts_with(' ') { " " } else { "" };
                let end = if text.ends_with(' ') && text.len() > 1 {
                    " "
                } else {
                    ""
                };
                format!("{start}{}{end}", crate::markdown::text(&text))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_make_code() {
        let check = |text: &str, expected_html: &str, expected_markdown: &str| {
            assert_eq!(html(text), expected_html);
            assert_eq!(markdown(text), expected_markdown);
        };
        check(
            "Add `<html lang>` now",
            "Add <code>&lt;html lang&gt;</code> now",
            "Add `<html lang>` now",
        );
        check("a ` b", "a ` b", "a \\` b");
        check(
            "`a` `b` `",
            "<code>a</code> <code>b</code> `",
            "`a` `b` \\`",
        );
        check("", "", "");
        let spans: Vec<(bool, String)> = spans("x `y`")
            .into_iter()
            .map(|span| (span.code, span.text))
            .collect();
        assert_eq!(spans, [(false, "x ".to_owned()), (true, "y".to_owned())]);
    }
}
