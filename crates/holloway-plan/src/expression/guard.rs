//! Could reading or working out this expression exhaust the machine? Long, deep or
//! many-worded ones are refused before the language's own parser sees them.

use std::borrow::Cow;

use super::product::number_places;
use super::slices::without_slices;
use super::sums::{metered_places, with_inserts};
use super::token::{Kind, Token, next_token};
use crate::problem::did_you_mean;

/// Bytes of one expression.
pub(crate) const BYTES: usize = 16 << 10;
/// Words, numbers, texts and signs of one expression.
const TOKENS: usize = 600;
/// The same for all tags of one template with blocks.
const BLOCK_TOKENS: usize = 3_000;
/// Brackets inside brackets.
const DEPTH: usize = 16;
/// Filters whose work and results stay in proportion to what they are given.
pub(crate) const FILTERS: [&str; 38] = [
    "abs",
    "attr",
    "bool",
    "capitalize",
    "count",
    "d",
    "default",
    "dictsort",
    "first",
    "float",
    "groupby",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "select",
    "selectattr",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
];

/// Statements that neither define, fetch nor collect anything.
const STATEMENTS: [&str; 6] = ["for", "endfor", "if", "elif", "else", "endif"];

/// The expression in a form that is safe to work out, or why there is none.
pub(crate) fn guarded(text: &str) -> Result<Cow<'_, str>, String> {
    if text.len() > BYTES {
        return Err(format!(
            "it has {} bytes; at most {BYTES} are read",
            text.len()
        ));
    }
    let mut tokens = Vec::new();
    let mut left = 0;
    while let Some(token) = next_token(text, left)? {
        left = token.end;
        tokens.push(token);
        if tokens.len() > TOKENS {
            return Err(format!("it is longer than {TOKENS} words and signs"));
        }
    }
    check_depth(&tokens)?;
    check_names(&tokens)?;
    let mut inserts = metered_places(&tokens);
    inserts.extend(number_places(&tokens)?);
    if inserts.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    Ok(Cow::Owned(with_inserts(text, inserts)))
}

/// A template with `{% … %}` blocks, each tag guarded.
pub(crate) fn guarded_blocks(text: &str) -> Result<String, String> {
    blocks(text, guarded)
}

/// The same template for the names in it: without slices.
pub(crate) fn without_slices_in_blocks(text: &str) -> Result<String, String> {
    blocks(text, |inside| Ok(without_slices(inside)))
}

/// A template with the inside of each tag rewritten.
fn blocks(
    text: &str,
    inner: impl for<'t> Fn(&'t str) -> Result<Cow<'t, str>, String>,
) -> Result<String, String> {
    let mut safe = String::with_capacity(text.len());
    let (mut left, mut tokens) = (text, 0);
    while let Some(at) = left.find('{') {
        let (before, tag) = left.split_at(at);
        safe.push_str(before);
        let end_mark = match tag.as_bytes().get(1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            Some(b'#') => "#}",
            _ => {
                safe.push('{');
                left = tag.get(1..).unwrap_or_default();
                continue;
            }
        };
        let (open, inside) = tag.split_at(2);
        let Some(end) = end_of_tag(inside, end_mark, &mut tokens)? else {
            return Err(format!("`{open}` without `{end_mark}`"));
        };
        let (inside, after) = inside.split_at(end);
        if end_mark == "%}" {
            check_statement(inside)?;
        }
        safe.push_str(open);
        if end_mark != "#}" {
            safe.push_str(&inner(inside)?);
        }
        safe.push_str(end_mark);
        left = after.get(2..).unwrap_or_default();
    }
    safe.push_str(left);
    Ok(safe)
}

/// Where a tag ends; marks inside quotes and brackets do not count.
fn end_of_tag(inside: &str, mark: &str, tokens: &mut usize) -> Result<Option<usize>, String> {
    if mark == "#}" {
        return Ok(inside.find(mark));
    }
    let (mut at, mut braces) = (0, 0_usize);
    loop {
        let rest = inside.get(at..).unwrap_or_default();
        let start = at + (rest.len() - rest.trim_start().len());
        if braces == 0
            && inside
                .get(start..)
                .is_some_and(|rest| rest.starts_with(mark))
        {
            return Ok(Some(start));
        }
        let Some(token) = next_token(inside, at)? else {
            return Ok(None);
        };
        *tokens += 1;
        if *tokens > BLOCK_TOKENS {
            return Err(format!(
                "its tags are longer than {BLOCK_TOKENS} words and signs"
            ));
        }
        match token.text {
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            _ => {}
        }
        at = token.end;
    }
}

fn check_statement(inside: &str) -> Result<(), String> {
    let inside = inside.trim_start_matches(['-', '+']).trim_start();
    let end = inside
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(inside.len());
    let word = inside.get(..end).unwrap_or_default();
    if STATEMENTS.contains(&word) {
        return Ok(());
    }
    let shown: String = word.chars().take(40).collect();
    Err(format!(
        "`{{% {shown} %}}` is not part of the plan language; `for` and `if` are"
    ))
}

fn check_depth(tokens: &[Token<'_>]) -> Result<(), String> {
    let mut depth = 0_usize;
    for token in tokens {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return Err(format!("brackets are nested more than {DEPTH} levels deep"));
        }
    }
    Ok(())
}

/// Words that may stand before a bracket without being called.
const OPERATORS: [&str; 7] = ["and", "or", "not", "in", "is", "if", "else"];

/// A filter that does not exist would otherwise be noticed only when the step runs.
fn check_names(tokens: &[Token<'_>]) -> Result<(), String> {
    let before = |at: usize| {
        at.checked_sub(1)
            .and_then(|at| tokens.get(at))
            .map_or("", |token| token.text)
    };
    for (at, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.kind == Kind::Word)
    {
        let shown: String = token.text.chars().take(60).collect();
        match before(at) {
            "|" if !FILTERS.contains(&token.text) => {
                let hint = did_you_mean(token.text, FILTERS)
                    .map(|hint| format!("; {hint}"))
                    .unwrap_or_default();
                return Err(format!("there is no filter `{shown}`{hint}"));
            }
            "|" | "is" => {}
            "not" if before(at - 1) == "is" => {}
            _ if OPERATORS.contains(&token.text) => {}
            _ if tokens.get(at + 1).is_some_and(|next| next.text == "(") => {
                return Err(format!(
                    "`{shown}(…)`: there are no functions, only filters such as `| length`"
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = guarded(text).map_or_else(|reason| reason, Cow::into_owned);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn only_known_filters_are_called() {
        check(
            "a | lenght",
            "there is no filter `lenght`; did you mean `length`?",
        );
        check("a | indent(9)", "there is no filter `indent`");
        check(
            "range(9)",
            "`range(…)`: there are no functions, only filters such as `| length`",
        );
        check(
            "a.b(9)",
            "`b(…)`: there are no functions, only filters such as `| length`",
        );
        let fine =
            "a is divisibleby(3) and (b is not divisibleby(2)) or not (c in (1, 2)) | default(1)";
        check(fine, fine);
        check("a ~ -b.c[0] | upper", "a|metered ~ -b.c[0] | upper|metered");
        check("a is odd + (b is odd)", "a is odd + (b is odd)|metered");
        check(
            "[a[1:].b[0][:2], c[x[0]], {'a': 1}['a']] | length",
            "[a[1:].b[0][:2]|metered, c[x[0]], {'a': 1}['a']] | length",
        );
    }

    #[test]
    fn blocks_are_guarded_tag_by_tag() {
        let check = |text: &str, expected: &str| {
            let found = guarded_blocks(text).unwrap_or_else(|reason| reason);
            assert_eq!(found, expected, "{text}");
        };
        check("a * b {{a * b}} {", "a * b {{a|number * b|number}} {");
        check(
            "{% for x in a -%}{{ {'a': {'%}': x}} }}{%- endfor %}",
            "{% for x in a -%}{{ {'a': {'%}': x}} }}{%- endfor %}",
        );
        check("{# {{ a * b }} #}x", "{##}x");
        check(
            "{% include 'x' %}",
            "`{% include %}` is not part of the plan language; `for` and `if` are",
        );
        check(
            "{%- set a = 1 %}",
            "`{% set %}` is not part of the plan language; `for` and `if` are",
        );
        check("{% if a", "`{%` without `%}`");
    }
}
