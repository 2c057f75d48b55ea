//! What is an operation called as a tool? By its operation id, made safe; two of
//! the same name are numbered in the order of the description.

use std::collections::HashSet;

/// Longer names are cut; models refuse them.
const MAX_CHARACTERS: usize = 64;

/// Hands out every name once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    pub(crate) fn give(&mut self, wanted: &str) -> String {
        let name = cut(wanted, MAX_CHARACTERS);
        if self.taken.insert(name.clone()) {
            return name;
        }
        let mut number = 2_usize;
        loop {
            let suffix = format!("_{number}");
            let name = cut(wanted, MAX_CHARACTERS - suffix.len()) + &suffix;
            if self.taken.insert(name.clone()) {
                return name;
            }
            number += 1;
        }
    }
}

/// The name an operation asks for.
pub(crate) fn wanted(operation_id: Option<&str>, method: &str, path: &str) -> String {
    let safe = safe(operation_id.unwrap_or_default());
    if safe.is_empty() {
        let path = self::safe(path);
        let method = method.to_ascii_lowercase();
        return if path.is_empty() {
            method
        } else {
            format!("{method}_{path}")
        };
    }
    safe
}

/// Letters, digits, `-`, `.` and single `_` for everything else.
pub(crate) fn safe(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
            if gap && !name.is_empty() {
                name.push('_');
            }
            gap = false;
            name.push(c);
        } else {
            gap = true;
        }
    }
    name
}

fn cut(name: &str, length: usize) -> String {
    name.chars().take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(operation_id: Option<&str>, path: &str, expected: &str) {
        assert_eq!(wanted(operation_id, "GET", path), expected);
    }

    #[test]
    fn names_are_safe() {
        check(Some("listPets"), "/pets", "listPets");
        check(Some("repos/get-content"), "/x", "repos_get-content");
        check(Some("Pets: list (all)"), "/x", "Pets_list_all");
        check(Some("список"), "/pets", "get_pets");
        check(None, "/pets/{petId}/toys", "get_pets_petId_toys");
        check(None, "/", "get");
    }

    #[test]
    fn every_name_is_given_once() {
        let mut names = Names::default();
        let given: Vec<_> = ["a", "a", "a_2", "a"].map(|name| names.give(name)).into();
        assert_eq!(given, ["a", "a_2", "a_2_2", "a_3"]);
        let long = "x".repeat(100);
        assert_eq!(names.give(&long).len(), 64);
        assert!(names.give(&long).ends_with("x_2"));
    }
}
