//! Which characters steer a terminal or hide something, and how are they shown? The list is
//! `hidden.txt`. Everything people or pipes get from plans, tools, files and servers is made
//! visible with it; joiners stay where they are part of a spelling or of an emoji.

use std::fmt::Write as _;
use std::sync::LazyLock;

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("hidden.txt")));

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';
const SELECTORS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];
const KEYCAP: char = '\u{20e3}';

/// The ranges of the list, by section.
#[derive(Default)]
struct Table {
    hidden: Vec<(u32, u32)>,
    joining: Vec<(u32, u32)>,
    pictures: Vec<(u32, u32)>,
}

impl Table {
    fn read(list: &str) -> Self {
        let mut table = Self::default();
        let mut nowhere = Vec::new();
        let mut section = "";
        for line in list.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']');
            } else if let Some(range) = range(line) {
                let ranges = match section {
                    "hidden" => &mut table.hidden,
                    "joining" => &mut table.joining,
                    "pictures" => &mut table.pictures,
                    _ => &mut nowhere,
                };
                ranges.push(range);
            }
        }
        table
    }
}

/// `200B-200F what it is`; nothing for other lines.
fn range(line: &str) -> Option<(u32, u32)> {
    let word = line.split_whitespace().next()?;
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let number = |text: &str| u32::from_str_radix(text, 16).ok();
    Some((number(first)?, number(last)?))
}

fn is_in(ranges: &[(u32, u32)], c: char) -> bool {
    let code = c as u32;
    ranges
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&code))
}

/// Whether a character is not seen or changes how the text around it is read.
pub fn is_hidden(c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\t' => false,
        c => is_in(&TABLE.hidden, c),
    }
}

/// Text with every hidden character as people can read it: `\x1b`, `⟨U+202E⟩`. Line breaks and
/// tabs stay; a line break of two characters becomes one.
pub fn visible(text: &str) -> String {
    replaced(text, |c, shown| {
        // Writing to a text cannot fail.
        let _ = match c {
            c if c.is_ascii() => write!(shown, "\\x{:02x}", c as u32),
            c => write!(shown, "⟨U+{:04X}⟩", c as u32),
        };
    })
}

/// JSON or a quoted text of YAML with every hidden character as an escape: `\u202e`.
pub fn escaped(json: &str) -> String {
    replaced(json, |c, shown| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(shown, "\\u{unit:04x}");
        }
    })
}

fn replaced(text: &str, mut put: impl FnMut(char, &mut String)) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let after = letters.peek().copied();
        if !is_hidden(c) || belongs(before, c, after) {
            shown.push(c);
            before = Some(c);
        } else {
            if (c, after) != ('\r', Some('\n')) {
                put(c, &mut shown);
            }
            before = None;
        }
    }
    shown
}

/// Whether a hidden character is part of a spelling or of an emoji here.
fn belongs(before: Option<char>, c: char, after: Option<char>) -> bool {
    let Some(before) = before else {
        return false;
    };
    let is_picture = |c: char| is_in(&TABLE.pictures, c);
    let is_joining = |c: char| is_in(&TABLE.joining, c);
    let is_after = |test: &dyn Fn(char) -> bool| after.is_some_and(test);
    match c {
        NON_JOINER => is_joining(before) && is_after(&is_joining),
        JOINER if is_joining(before) => is_after(&is_joining),
        JOINER => (is_picture(before) || SELECTORS.contains(&before)) && is_after(&is_picture),
        c if SELECTORS.contains(&c) => {
            is_picture(before) || after == Some(KEYCAP) && matches!(before, '0'..='9' | '#' | '*')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(visible(text), expected);
        assert_eq!(visible(expected), expected, "shown twice");
    }

    #[test]
    fn what_steers_a_terminal_is_shown() {
        check("a\u{1b}[8mhidden\u{1b}[0m", "a\\x1b[8mhidden\\x1b[0m");
        check("\u{9b}2J\u{7f}\u{8}\u{7}", "⟨U+009B⟩2J\\x7f\\x08\\x07");
        check("pay 10\rpay 99", "pay 10\\x0dpay 99");
        check("two\r\nlines\twide\n", "two\nlines\twide\n");
        check("\r\r\n", "\\x0d\n");
    }

    #[test]
    fn what_turns_or_hides_text_is_shown() {
        check("a\u{202e}b\u{2066}c", "a⟨U+202E⟩b⟨U+2066⟩c");
        check("a\u{200b}\u{feff}\u{2060}b", "a⟨U+200B⟩⟨U+FEFF⟩⟨U+2060⟩b");
        check("x\u{200d}y \u{200c}", "x⟨U+200D⟩y ⟨U+200C⟩");
        check("\u{e0041}\u{e0100}\u{fe01}", "⟨U+E0041⟩⟨U+E0100⟩⟨U+FE01⟩");
        check("a\u{2028}b\u{2029}\u{61c}", "a⟨U+2028⟩b⟨U+2029⟩⟨U+061C⟩");
        check("a\u{fe0f}\u{200d}🙂", "a⟨U+FE0F⟩⟨U+200D⟩🙂");
    }

    #[test]
    fn spellings_and_emoji_stay() {
        for text in [
            "نامه‌ای",
            "क्‍ष and മലയാളം",
            "👩‍👩‍👧 ❤️ ☎︎ 1️⃣ 🏳️‍🌈 👍🏽",
            "Grüße, 日本語, ✓ – „“ é ⠋ ╭─╮ \u{e0b0}",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn json_stays_the_same_data() {
        let value =
            serde_json::json!({"a": "\u{1b}[8m\u{9b}\u{202e}\u{7f}\u{e0041}\n\t ❤️", "b": "\r"});
        let text = escaped(&format!("{value:#}"));
        assert!(
            !text.chars().any(|c| is_hidden(c) && c != '\u{fe0f}'),
            "{text}"
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            value
        );
    }

    /// Unicode 16: what a program may leave out when it shows a text (Default_Ignorable_Code_Point),
    /// what formats (general category Cf) without a shape of its own, and other blanks.
    #[test]
    fn the_list_has_what_unicode_calls_invisible() {
        let ignorable = "00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F \
            3164 FE00-FE0F FEFF FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF";
        let formats = "FFF9-FFFB 13430-1343F E0001 E0020-E007F";
        let blanks = "2028-2029 2800 13441-13446 16FE4 1D159";
        let ranges = [ignorable, formats, blanks].map(str::split_whitespace);
        let mut looked_at = 0;
        for (first, last) in ranges.into_iter().flatten().filter_map(range) {
            for c in (first..=last).filter_map(char::from_u32) {
                assert!(is_hidden(c), "U+{:04X}", c as u32);
                assert_eq!(
                    visible(&format!("a{c}b")),
                    format!("a⟨U+{:04X}⟩b", c as u32)
                );
                looked_at += 1;
            }
        }
        assert!(looked_at > 4_000, "{looked_at}");
        // Signs of category Cf that have a shape.
        for c in "\u{600}\u{6dd}\u{70f}\u{8e2}\u{110bd}\u{2801}\u{3000}".chars() {
            assert!(!is_hidden(c), "U+{:04X}", c as u32);
        }
    }

    #[test]
    fn the_list_is_read_whole() {
        let list = include_str!("hidden.txt");
        let lines = list
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with('['));
        for line in lines.clone() {
            let (first, last) = range(line).unwrap();
            assert!(first <= last && line.contains(' '), "{line}");
        }
        let read = TABLE.hidden.len() + TABLE.joining.len() + TABLE.pictures.len();
        assert_eq!(read, lines.count());
        let controls = ('\0'..='\u{ff}').filter(|c| c.is_control());
        let open: Vec<char> = controls.filter(|c| !is_hidden(*c)).collect();
        assert_eq!(open, ['\t', '\n']);
    }
}
