//! How is text shown that may hide something? Every character that is not seen
//! becomes `⟨U+200B⟩`, and a long text is shortened.

/// Characters that take part in a text without being seen.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E000}'..='\u{F8FF}'
        | '\u{E0000}'..='\u{10FFFF}'
    ) || (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
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
