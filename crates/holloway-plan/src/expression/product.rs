//! How is `*` kept from repeating texts and lists? A filter that lets only numbers
//! through is put behind both of its sides.

use super::sums::Insert;
use super::token::{Kind, Token};

/// The filter that lets numbers through and nothing else.
pub(super) const NUMBER_FILTER: &str = "number";

/// Where the number filter goes: behind both sides of every `*`.
pub(super) fn number_places(tokens: &[Token<'_>]) -> Result<Vec<Insert>, String> {
    let mut marks: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Sign || !matches!(token.text, "*" | "**") {
            continue;
        }
        let left = index.checked_sub(1).and_then(|before| tokens.get(before));
        let Some(left) = left.filter(|left| is_operand_end(left)) else {
            return Err(format!("`{}` needs a number on its left", token.text));
        };
        if token.text == "*" {
            marks.push(left.end);
            marks.push(end_of_operand(tokens, index + 1)?);
        }
    }
    marks.sort_unstable();
    marks.dedup();
    let insert = |place| (place, format!("|{NUMBER_FILTER}"));
    Ok(marks.into_iter().map(insert).collect())
}

pub(super) fn is_operand_end(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Word | Kind::Text | Kind::Close)
}

/// Where the operand that begins at token `at` ends: a sign, a value, then fields, calls and filters.
pub(super) fn end_of_operand(tokens: &[Token<'_>], mut at: usize) -> Result<usize, String> {
    let text_at = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let kind_at = |at: usize| tokens.get(at).map(|token| token.kind);
    while text_at(at) == "-" {
        at += 1;
    }
    at = match kind_at(at) {
        Some(Kind::Word | Kind::Text) => at,
        Some(Kind::Open) => closing(tokens, at)?,
        _ => return Err("`*` needs a number on its right".to_owned()),
    };
    loop {
        match (text_at(at + 1), kind_at(at + 2)) {
            ("." | "|", Some(Kind::Word)) => at += 2,
            ("(" | "[", _) => at = closing(tokens, at + 1)?,
            ("is", _) => return Err("put brackets around the test beside `*`".to_owned()),
            _ => break,
        }
    }
    tokens
        .get(at)
        .map(|token| token.end)
        .ok_or_else(|| "`*` needs a number on its right".to_owned())
}

pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Result<usize, String> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Ok(at);
        }
    }
    Err("a bracket is not closed".to_owned())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::guard::guarded;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = guarded(text).map_or_else(|reason| reason, Cow::into_owned);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn both_sides_of_a_product_are_numbers() {
        check("a.b - 1", "a.b - 1");
        check("a * b", "a|number * b|number");
        check("2 * items|length", "2|number * items|length|number");
        check(
            "a.b[0] * -c.d[1].e ** 2",
            "a.b[0]|number * -c.d[1].e|number ** 2",
        );
        check(
            "(a + 1) * (b - 1) * c",
            "(a|metered + 1|metered)|number * (b - 1)|number * c|number",
        );
        check(
            "a * 1e-5 + 1.5*x",
            "a|number * 1e-5|metered|number + 1.5|metered|number*x|number",
        );
        check("'a * b' ~ \"*\"", "'a * b'|metered ~ \"*\"|metered");
        check("a|f(*b)", "there is no filter `f`");
        check("a|map(*b)", "`*` needs a number on its left");
        check("a|map(**b)", "`**` needs a number on its left");
        check("a * b is number", "put brackets around the test beside `*`");
        check("a *", "`*` needs a number on its right");
        check("a * (b", "a bracket is not closed");
        check("'a", "a quote is not closed");
    }
}
