//! What does `var(--x)` stand for here? Custom properties in force at the element that
//! is being styled, each remembered with where it was set, so that leaving an element
//! takes them back.

use rustc_hash::FxHashMap;

use super::sheet::{Declaration, Kind};
use crate::accessibility::tree::Tree;

/// References inside references are followed this far; a circle ends here too.
const DEEPEST: usize = 12;
/// A value does not grow past this, however often it refers to others.
const LONGEST: usize = 4_000;
/// Texts looked at for one value: with empty fallbacks it need not grow to take forever.
const MOST_STEPS: usize = 1_000;

/// Custom properties by name: where they were set, innermost last.
#[derive(Default)]
pub(crate) struct Scope {
    values: FxHashMap<String, Vec<(usize, String)>>,
    /// The elements around that set some, with the names.
    open: Vec<(usize, Vec<String>)>,
}

impl Scope {
    /// Leaves the elements that `index` is not inside of, then sets what `blocks` declare.
    pub(crate) fn enter(&mut self, tree: &Tree, index: usize, blocks: &[&[Declaration]]) {
        while let Some((_, names)) = self.open.pop_if(|(open, _)| tree.end(*open) <= index) {
            for name in names {
                if let Some(values) = self.values.get_mut(&name) {
                    values.pop();
                }
            }
        }
        let mut names = Vec::new();
        for important in [false, true] {
            for declaration in blocks.iter().copied().flatten() {
                if let Kind::Variable(name, text) = &declaration.kind
                    && declaration.important == important
                {
                    self.set(index, name, text, &mut names);
                }
            }
        }
        if !names.is_empty() {
            self.open.push((index, names));
        }
    }

    fn set(&mut self, index: usize, name: &str, text: &str, names: &mut Vec<String>) {
        let values = match self.values.get_mut(name) {
            Some(values) => values,
            None => self.values.entry(name.to_owned()).or_default(),
        };
        match values.last_mut() {
            Some((owner, value)) if *owner == index => text.clone_into(value),
            _ => {
                values.push((index, text.to_owned()));
                names.push(name.to_owned());
            }
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.values.get(name)?.last()?;
        Some(String::as_str(value)).filter(|value| *value != "initial")
    }

    /// The text with every reference replaced; none where one has no value.
    pub(crate) fn fill(&self, text: &str) -> Option<String> {
        let mut left = MOST_STEPS;
        self.fill_at(text, 0, &mut left)
    }

    fn fill_at(&self, text: &str, depth: usize, left: &mut usize) -> Option<String> {
        if depth > DEEPEST || text.len() > LONGEST || *left == 0 {
            return None;
        }
        *left -= 1;
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("var(") {
            filled.push_str(before);
            let (inner, behind) = split_at_close(after);
            let (name, fallback) = match inner.split_once(',') {
                Some((name, fallback)) => (name.trim(), Some(fallback.trim())),
                None => (inner.trim(), None),
            };
            let value = self
                .get(name)
                .and_then(|value| self.fill_at(value, depth + 1, left));
            let value = match (value, fallback) {
                (Some(value), _) => value,
                (None, Some(fallback)) => self.fill_at(fallback, depth + 1, left)?,
                (None, None) => return None,
            };
            filled.push_str(&value);
            if filled.len() > LONGEST {
                return None;
            }
            rest = behind;
        }
        filled.push_str(rest);
        Some(filled)
    }
}

/// Splits behind an open parenthesis: what is inside it, and what follows.
fn split_at_close(text: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => {
                let behind = text.get(at + 1..).unwrap_or_default();
                return (text.get(..at).unwrap_or_default(), behind);
            }
            b')' => depth -= 1,
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let mut scope = Scope::default();
        let values = [
            ("--red", "#f00"),
            ("--text", "var(--red)"),
            ("--round", "var(--round)"),
            ("--size", "calc(1px + var(--none, 2px))"),
        ];
        for (name, value) in values {
            scope.set(0, name, value, &mut Vec::new());
        }
        assert_eq!(scope.fill(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn references_are_replaced() {
        check("var(--red)", Some("#f00"));
        check("1px solid var( --text )", Some("1px solid #f00"));
        check("var(--none, var(--red))", Some("#f00"));
        check("var(--size)", Some("calc(1px + 2px)"));
        check("var(--none)", None);
        check("var(--round)", None);
        check("var(--round, blue)", Some("blue"));
        check("plain", Some("plain"));
    }

    #[test]
    fn references_that_multiply_are_given_up() {
        let mut scope = Scope::default();
        let wide = "var(--a,)".repeat(8);
        scope.set(0, "--a", &wide, &mut Vec::new());
        assert_eq!(scope.fill("var(--a)"), None);
        assert_eq!(scope.fill(&"var(--b, x)".repeat(20)), Some("x".repeat(20)));
    }
}
