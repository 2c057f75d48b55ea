//! Is there text that a person reading the definition does not see? Invisible
//! characters, control sequences, comments, and text pushed out of sight.

use super::texts::Text;
use super::visible::is_invisible;
use super::{Findings, Suspicion};

/// Blanks in a row, or lines in a row, that push what follows out of sight.
const MOST_BLANKS: usize = 60;
const MOST_LINES: usize = 8;
/// Marks on one letter.
const MOST_MARKS: usize = 4;
/// A comment of fewer words is an example of one.
const COMMENT_WORDS: usize = 4;

pub(super) fn look(text: &Text, findings: &mut Findings) {
    let spots = [
        invisible(&text.chars),
        blanks(&text.chars),
        marks(&text.chars),
        comment(&text.chars),
        styled(&text.chars),
    ];
    if let Some((start, end)) = spots.into_iter().flatten().next() {
        findings.add_part(Suspicion::HiddenText, text, start, end);
    }
}

fn invisible(chars: &[char]) -> Option<(usize, usize)> {
    let right_to_left = chars.iter().any(|c| matches!(c, '\u{0590}'..='\u{08FF}'));
    let at = |index: usize| chars.get(index).copied();
    let position = (0..chars.len()).find(|&index| {
        let before = index.checked_sub(1).and_then(at);
        at(index).is_some_and(|c| {
            let lonely_return = c == '\r' && at(index + 1).is_some_and(|next| next != '\n');
            lonely_return
                || (is_invisible(c) && !is_at_home(c, before, at(index + 1), right_to_left))
                    && !in_a_flag(chars, index)
        })
    })?;
    Some((position, position + 1))
}

/// Invisible characters that honest writing needs: emoji, joined scripts, text
/// that runs from right to left.
fn is_at_home(c: char, before: Option<char>, after: Option<char>, right_to_left: bool) -> bool {
    let follows_a_letter = before.is_some_and(|b| !is_invisible(b) && !b.is_whitespace());
    let beyond_latin = |c: Option<char>| c.is_some_and(|c| c as u32 > 0x2FF);
    match c {
        // The presentation of an emoji or of a Chinese character, one for each.
        '\u{FE0E}' | '\u{FE0F}' => follows_a_letter,
        '\u{FE00}'..='\u{FE0D}' | '\u{E0100}'..='\u{E01EF}' => {
            before.is_some_and(|b| matches!(b, '\u{2E80}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}'))
        }
        '\u{200C}' | '\u{200D}' => beyond_latin(before) && beyond_latin(after),
        '\u{200E}' | '\u{200F}' | '\u{061C}' => right_to_left && before != Some(c),
        _ => false,
    }
}

/// Flags of regions are written with tags: a black flag, two to six tags, an end tag.
fn in_a_flag(chars: &[char], index: usize) -> bool {
    let is_tag = |c: &char| matches!(c, '\u{E0030}'..='\u{E007A}' | '\u{E007F}');
    let before = chars.get(..index).unwrap_or_default();
    let tags = before.iter().rev().take_while(|c| is_tag(c)).count();
    let flag = before.iter().rev().nth(tags);
    chars.get(index).is_some_and(is_tag) && tags < 7 && flag == Some(&'\u{1F3F4}')
}

/// Long runs of blanks or empty lines with something behind them.
fn blanks(chars: &[char]) -> Option<(usize, usize)> {
    let (mut blanks, mut lines) = (0, 0);
    for (index, c) in chars.iter().enumerate() {
        match c {
            '\n' => (lines, blanks) = (lines + 1, 0),
            c if c.is_whitespace() => blanks += 1,
            _ if blanks > MOST_BLANKS || lines > MOST_LINES => return Some((index, index + 60)),
            _ => (lines, blanks) = (0, 0),
        }
    }
    None
}

/// Letters buried under marks.
fn marks(chars: &[char]) -> Option<(usize, usize)> {
    let is_mark = |c: &char| matches!(c, '\u{0300}'..='\u{036F}' | '\u{20D0}'..='\u{20F0}');
    let window = chars.windows(MOST_MARKS);
    let position = { window }.position(|window| window.iter().all(is_mark))?;
    Some((position, position + MOST_MARKS))
}

/// A comment in HTML or Markdown: not shown where the text is rendered.
fn comment(chars: &[char]) -> Option<(usize, usize)> {
    let find = |from: usize, word: &str| find(chars, from, word);
    if let Some(start) = find(0, "[//]: #").or_else(|| find(0, "[comment]: #")) {
        return Some((start, chars.len()));
    }
    let mut from = 0;
    while let Some(start) = find(from, "<!--") {
        let end = find(start, "-->").unwrap_or(chars.len());
        let inside: String = chars
            .get(start + 4..end)
            .unwrap_or_default()
            .iter()
            .collect();
        if inside.split_whitespace().count() >= COMMENT_WORDS {
            return Some((start, end));
        }
        from = end.max(start + 4);
    }
    None
}

/// Markup that hides what it encloses.
fn styled(chars: &[char]) -> Option<(usize, usize)> {
    const HIDING: [&str; 6] = [
        "display:none",
        "display: none",
        "visibility:hidden",
        "font-size:0",
        "font-size: 0",
        "opacity:0\"",
    ];
    let tag = find(chars, 0, "<")?;
    let start = HIDING.iter().find_map(|word| find(chars, tag, word))?;
    Some((start, start + 40))
}

/// Where a word starts, whatever its case.
pub(super) fn find(chars: &[char], from: usize, word: &str) -> Option<usize> {
    let word: Vec<char> = word.chars().collect();
    let rest = chars.get(from..)?;
    let is_here = |window: &[char]| {
        let mut pairs = window.iter().zip(&word);
        pairs.all(|(a, b)| a.to_ascii_lowercase() == *b)
    };
    Some(from + rest.windows(word.len().max(1)).position(is_here)?)
}
