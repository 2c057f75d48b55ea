//! How is text shown that may hide something? Every character that is not seen
//! becomes `⟨U+200B⟩`, and a long text is shortened.

use holloway_plan::hidden::is_hidden;

/// Characters that take part in a text without being seen, and those that look as each font
/// wants it.
pub fn is_invisible(c: char) -> bool {
    let by_font = matches!(c, '\u{2800}' | '\u{E000}'..='\u{F8FF}' | '\u{E1000}'..='\u{10FFFF}');
    by_font || (is_hidden(c) && c != '\r')
}

/// `⟨U+200B⟩`.
pub fn code_point(c: char) -> String {
    format!("⟨U+{:04X}⟩", c as u32)
}

/// All characters on one line, the invisible ones by their code point.
pub fn all<'a>(text: impl IntoIterator<Item = &'a char>) -> String {
    let mut shown = String::new();
    for &c in text {
        match c {
            '\n' => shown.push('⏎'),
            '\r' | '\t' => shown.push_str(&code_point(c)),
            c if is_invisible(c) => shown.push_str(&code_point(c)),
            c => shown.push(c),
        }
    }
    shown
}

/// The whole text on one line.
pub fn whole(text: &str) -> String {
    shortened(text, usize::MAX)
}

/// The text on one line, at most so many characters of it.
pub fn shortened(text: &str, limit: usize) -> String {
    let start: Vec<char> = text.chars().take(limit).collect();
    let mut shown = all(&start);
    if text.chars().nth(limit).is_some() {
        shown.push('…');
    }
    shown
}

/// What stands around the characters from `start` to `end` of a text.
pub fn excerpt(text: &[char], start: usize, end: usize) -> String {
    const AROUND: usize = 30;
    const MOST: usize = 160;
    let first = start.saturating_sub(AROUND);
    let last = (end + AROUND).min(first + MOST).min(text.len());
    let mut shown = String::new();
    if first > 0 {
        shown.push('…');
    }
    shown.push_str(&all(text.get(first..last).unwrap_or_default()));
    if last < text.len() {
        shown.push('…');
    }
    shown
}
