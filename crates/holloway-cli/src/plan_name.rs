//! What may a plan be called that is kept? A name that can be typed after any command and stand in
//! any list.

use crate::error::CliError;
use crate::print::one_line;

/// How long a name may be.
const MOST_OF_A_NAME: usize = 64;

/// Refuses what cannot be the name of such a thing.
pub(crate) fn refuse_odd(name: &str, of_what: &str) -> Result<(), CliError> {
    if is_name(name) {
        return Ok(());
    }
    let message = format!("`{}` cannot be the name of {of_what}", one_line(name, 80));
    Err(CliError::usage("input-invalid", message).hint(
        "a letter or a digit comes first, then at most 63 letters, digits, dots, dashes and underscores",
    ))
}

fn is_name(name: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    name.len() <= MOST_OF_A_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: bool) {
        assert_eq!(is_name(name), expected, "{name}");
    }

    #[test]
    fn names_can_be_typed() {
        check("site-audit_2.1", true);
        check(&"a".repeat(64), true);
        check(&"a".repeat(65), false);
        for bad in ["", "-x", ".x", "a b", "a/b", "ü", "a\u{1b}"] {
            check(bad, false);
        }
    }
}
