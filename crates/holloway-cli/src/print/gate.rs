//! What may leave the program? Text whose every hidden character is shown, and our own colours
//! where a terminal reads. Everything that is printed passes here last, whatever it is made of,
//! so that no caller can forget it.

use holloway_plan::hidden::visible;

use super::paint::sealed;

const ESCAPE: char = '\u{1b}';

/// The text as it may leave. Colours are kept for a terminal only.
pub(crate) fn gate(text: &str, is_terminal: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    // What was read since the last colour: what stands beside a character decides how it is shown.
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(ESCAPE) {
        plain.push_str(before);
        if let Some((code, tail)) = sealed(after) {
            shown.push_str(&visible(&std::mem::take(&mut plain)));
            if is_terminal {
                shown.extend(["\u{1b}[", code, "m"]);
            }
            rest = tail;
        } else {
            plain.push(ESCAPE);
            rest = after;
        }
    }
    plain.push_str(rest);
    shown.push_str(&visible(&plain));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::paint::Paint;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(gate(text, true), expected);
        assert_eq!(gate(text, false), expected);
    }

    #[test]
    fn our_colours_pass_to_a_terminal() {
        let red = Paint::always().red("red");
        let text = format!("{red} and {}", Paint::always().dim("dim"));
        let shown = "\u{1b}[1;31mred\u{1b}[0m and \u{1b}[2mdim\u{1b}[0m";
        assert_eq!(gate(&text, true), shown);
        assert_eq!(gate(&text, false), "red and dim");
    }

    #[test]
    fn nobody_elses_codes_pass() {
        check("\u{1b}[8mhidden\u{1b}[0m", "\\x1b[8mhidden\\x1b[0m");
        check("\u{1b}[1;31mred", "\\x1b[1;31mred");
        check("\u{1b}[1;31;0mred", "\\x1b[1;31;0mred");
        check("\u{1b}]52;c;aGk=\u{7}", "\\x1b]52;c;aGk=\\x07");
        check("\u{1b}]8;;http://x\u{1b}\\y", "\\x1b]8;;http://x\\x1b\\y");
        check("\u{1b}c \u{1b}[9;9Hm \u{1b}", "\\x1bc \\x1b[9;9Hm \\x1b");
        check("\u{9b}31m \u{90}q", "⟨U+009B⟩31m ⟨U+0090⟩q");
    }

    #[test]
    fn a_colour_around_hostile_text_does_not_vouch_for_it() {
        let text = Paint::always().dim("a\u{1b}[8mb\u{202e}");
        let shown = "\u{1b}[2ma\\x1b[8mb⟨U+202E⟩\u{1b}[0m";
        assert_eq!(gate(&text, true), shown);
    }
}
