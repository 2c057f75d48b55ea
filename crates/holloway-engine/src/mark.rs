//! How does a secret stand in a run? As a mark, `${password#4f0c…}`: whoever reads the journal,
//! a trace or a question sees that something was given and nothing of what it is. Marks are
//! made and filled in outside the machine, which never has the secret itself.

use std::ops::Range;

use serde_json::Value;

const OPEN: &str = "${";
const DIGITS: usize = 16;

/// The mark for a secret of this name. Nobody who has not seen it can guess the number, so that
/// no tool can ask for the secret by writing its mark.
pub fn mark(name: &str, number: u64) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let name = name.chars().map(|c| if fits(c) { c } else { '_' });
    let name: String = name.collect();
    format!("{OPEN}{name}#{number:016x}}}")
}

/// The marks in a text: where they stand, and the names they are for.
pub fn marks(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut done = 0;
    while let Some(at) = text.get(done..).and_then(|rest| rest.find(OPEN)) {
        let start = done + at;
        done = start + OPEN.len();
        let Some(inside) = text.get(done..).and_then(|rest| rest.split_once('}')) else {
            break;
        };
        if let Some(name) = name_in(inside.0) {
            let end = done + inside.0.len() + 1;
            found.push((start..end, name));
            done = end;
        }
    }
    found
}

/// Whether a value is a text with a mark in it: what it must look like cannot be checked before
/// the secret is there.
pub fn is_marked(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !marks(text).is_empty())
}

fn name_in(inside: &str) -> Option<&str> {
    let (name, digits) = inside.rsplit_once('#')?;
    let is_number = digits.len() == DIGITS && digits.chars().all(|c| c.is_ascii_hexdigit());
    (is_number && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_again() {
        let one = mark("api key", 7);
        assert_eq!(one, "${api_key#0000000000000007}");
        let text = format!("a ${{b}} {one}{one} ${{x#12}} ${{");
        let names: Vec<&str> = marks(&text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["api_key", "api_key"]);
        for (range, _) in marks(&text) {
            assert_eq!(text.get(range), Some(one.as_str()));
        }
        assert!(is_marked(&Value::from(one)));
        assert!(!is_marked(&Value::from("${HOME}")) && !is_marked(&Value::from(1)));
    }
}
