//! Where does an expression make a value without a filter? With `+` and `~`, and with slices. A filter
//! that charges for what it is given is put behind both sides of the former, and behind the latter.

use super::meter::METER_FILTER;
use super::product::{closing, end_of_operand, is_operand_end};
use super::token::{Kind, Token};

/// A text that is put into an expression, and where.
pub(super) type Insert = (usize, String);

/// The places where the meter goes.
pub(super) fn metered_places(tokens: &[Token<'_>]) -> Vec<Insert> {
    let mut places: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if token.text == "[" && token.kind == Kind::Open {
            places.extend(end_of_slice(tokens, index));
        }
        if token.kind != Kind::Sign || !matches!(token.text, "+" | "~") {
            continue;
        }
        let left = index.checked_sub(1).and_then(|before| tokens.get(before));
        let Some(left) = left.filter(|left| is_operand_end(left)) else {
            continue;
        };
        if !is_test(tokens, index) {
            places.push(left.end);
        }
        // A test, for which there is no end, gives yes or no.
        places.extend(end_of_operand(tokens, index + 1));
    }
    places.sort_unstable();
    places.dedup();
    let insert = |place| (place, format!("|{METER_FILTER}"));
    places.into_iter().map(insert).collect()
}

/// Where the value ends that the slice at `open` is a part of, if it is one: `a[1:].b[0]`.
fn end_of_slice(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let left = open.checked_sub(1).and_then(|before| tokens.get(before))?;
    let mut last = closing(tokens, open).ok()?;
    let mut depth = 0_usize;
    let is_slice = tokens.get(open..last)?.iter().any(|token| {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 1 && token.text == ":"
    });
    if !is_slice || !is_operand_end(left) {
        return None;
    }
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    loop {
        match text(last + 1) {
            "." => last += 2,
            "[" => last = closing(tokens, last + 1).ok()?,
            _ => return tokens.get(last).map(|token| token.end),
        }
    }
}

/// Whether what stands before the sign at `index` is the name of a test, as in `a is number`.
fn is_test(tokens: &[Token<'_>], index: usize) -> bool {
    let word = |back: usize| {
        let token = index.checked_sub(back).and_then(|at| tokens.get(at));
        token.map_or("", |token| token.text)
    };
    word(2) == "is" || (word(2) == "not" && word(3) == "is")
}

/// The text with everything put in.
pub(super) fn with_inserts(text: &str, mut inserts: Vec<Insert>) -> String {
    inserts.sort_by_key(|(at, _)| *at);
    let added: usize = inserts.iter().map(|(_, insert)| insert.len()).sum();
    let mut whole = String::with_capacity(text.len() + added);
    let mut from = 0;
    for (at, insert) in inserts {
        whole.push_str(text.get(from..at).unwrap_or_default());
        whole.push_str(&insert);
        from = at;
    }
    whole.push_str(text.get(from..).unwrap_or_default());
    whole
}
