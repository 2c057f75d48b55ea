//! Which names does `rows[:count]` need? The language tells the names in every other form of
//! expression, but not what a slice is taken of; so names are looked for in the same
//! expression with lists in place of slices.

use std::borrow::Cow;

use super::token::{Kind, Token, next_token};

/// The expression with `[[a, b]]` for `[a:b]`. It has the same names and no use beside them.
pub(crate) fn without_slices(text: &str) -> Cow<'_, str> {
    if !text.contains(':') {
        return Cow::Borrowed(text);
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Ok(Some(token)) = next_token(text, at) {
        at = token.end;
        tokens.push(token);
    }
    let slices = slices(&tokens);
    if slices.iter().all(|role| *role == Role::Plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(rewritten(text, &tokens, &slices))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Plain,
    Opens,
    Parts,
    Closes,
}

/// What each token is to a slice.
fn slices(tokens: &[Token<'_>]) -> Vec<Role> {
    let mut roles = vec![Role::Plain; tokens.len()];
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let mut put = |at: usize, role: Role| {
            if let Some(own) = roles.get_mut(at) {
                *own = role;
            }
        };
        match token.kind {
            Kind::Open => open.push((at, false)),
            Kind::Close => {
                if let Some((start, true)) = open.pop() {
                    put(start, Role::Opens);
                    put(at, Role::Closes);
                }
            }
            Kind::Sign if token.text == ":" => {
                let inner = open.last_mut();
                let is_list = |start: usize| tokens.get(start).is_some_and(|it| it.text == "[");
                if let Some((_, parted)) = inner.filter(|(start, _)| is_list(*start)) {
                    *parted = true;
                    put(at, Role::Parts);
                }
            }
            Kind::Sign | Kind::Word | Kind::Text => {}
        }
    }
    roles
}

fn rewritten(text: &str, tokens: &[Token<'_>], roles: &[Role]) -> String {
    let mut told = String::with_capacity(text.len() + roles.len());
    let mut done = 0;
    let mut is_empty = false;
    for (token, role) in tokens.iter().zip(roles) {
        let start = token.end - token.text.len();
        told.push_str(text.get(done..start).unwrap_or_default());
        done = token.end;
        // A part that is left out stands for one end.
        if is_empty && matches!(role, Role::Parts | Role::Closes) {
            told.push('0');
        }
        is_empty = matches!(role, Role::Opens | Role::Parts);
        told.push_str(match role {
            Role::Plain => token.text,
            Role::Opens => "[[",
            Role::Parts => ",",
            Role::Closes => "]]",
        });
    }
    told.push_str(text.get(done..).unwrap_or_default());
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_become_lists() {
        let check = |text: &str, expected: &str| assert_eq!(without_slices(text), expected);
        check("rows[:3]", "rows[[0,3]]");
        check("a.b[x : y.z] | length", "a.b[[x , y.z]] | length");
        check("a[1:][::2]", "a[[1,0]][[0,0,2]]");
        check("{'a': 1}['a'] + b[0]", "{'a': 1}['a'] + b[0]");
        check(
            "a[{'k': b[1:]}.k] if 1 else 2",
            "a[{'k': b[[1,0]]}.k] if 1 else 2",
        );
    }
}
