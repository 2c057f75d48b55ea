//! What may a sheet be called? Short, without signs that have a meaning, and only once.

use std::collections::HashSet;

use crate::clean;

/// Excel's own bound.
const LONGEST: usize = 31;

#[derive(Default)]
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    pub(crate) fn free(&mut self, wanted: &str) -> String {
        let plain: String = clean::line(wanted)
            .chars()
            .map(|letter| {
                if "[]:*?/\\".contains(letter) {
                    ' '
                } else {
                    letter
                }
            })
            .collect();
        let plain = clean::line(&plain);
        let plain = plain.trim_matches('\'');
        // Excel keeps this name for itself.
        let base = if plain.is_empty() || plain.eq_ignore_ascii_case("history") {
            "Sheet"
        } else {
            plain
        };
        let mut name = cut(base, LONGEST);
        let mut number = 1;
        while !self.taken.insert(name.to_lowercase()) {
            number += 1;
            let ending = format!(" {number}");
            name = format!("{}{ending}", cut(base, LONGEST - ending.len()));
        }
        name
    }
}

/// Excel counts in UTF-16.
fn cut(text: &str, most: usize) -> String {
    let mut used = 0;
    let kept = text.chars().take_while(|letter| {
        used += letter.len_utf16();
        used <= most
    });
    kept.collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sheet_gets_a_name_excel_takes() {
        let mut names = Names::default();
        let long = "A title that is much longer than thirty-one characters";
        let found: Vec<String> = ["a/b:[c]", "A B  C", "", "history", long, long, "'x'"]
            .iter()
            .map(|name| names.free(name))
            .collect();
        let expected = [
            "a b c",
            "A B C 2",
            "Sheet",
            "Sheet 2",
            "A title that is much longer tha",
            "A title that is much longer t 2",
            "x",
        ];
        assert_eq!(found, expected);
    }
}
