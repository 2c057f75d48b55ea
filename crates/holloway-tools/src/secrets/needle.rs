//! How is a secret found in a text that does not show it plainly? By expressions
//! that allow every common encoding of each character; they are made once for a
//! secret, when a text is first cleaned of it. In bytes that were decoded it is looked for as
//! it is, backwards, turned by thirteen letters, and in UTF-16; and by its letters alone.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use regex::{Regex, RegexBuilder};

use super::decode::folds::{compatible_text, letters_of};
use super::effort;

/// Shorter secrets are only looked for as words of their own.
const SHORT: usize = 6;
/// Shorter ones still are not looked for at all.
const SHORTEST: usize = 4;
/// Longer ones are looked for piece by piece: a key file may come back in part.
const PIECE: usize = 64;
const MOST_BYTES: usize = 64 << 20;
/// Shorter ones are not put together from several fields; numbers happen to stand side by side.
const SPREAD: usize = 8;
const SPREAD_NUMBER: usize = 12;

/// One secret to be found.
pub(super) struct Needle {
    value: String,
    name: String,
    expressions: OnceLock<Vec<Regex>>,
}

impl Needle {
    pub(super) fn new(value: &str, name: &str) -> Self {
        Self {
            value: value.trim().to_owned(),
            name: name.to_owned(),
            expressions: OnceLock::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is looked for in other spellings too.
    pub(super) fn may_be_encoded(&self) -> bool {
        self.value.chars().count() >= SHORT
    }

    /// Whether it is long enough that pieces of it, put together, are no accident.
    pub(super) fn may_be_spread(&self) -> bool {
        let is_number = self.value.chars().all(|c| c.is_ascii_digit());
        let least = if is_number { SPREAD_NUMBER } else { SPREAD };
        self.value.chars().count() >= least
    }

    /// Every form that is looked for in decoded bytes; capitals do not matter.
    pub(super) fn forms(&self) -> Vec<Vec<u8>> {
        let characters: Vec<char> = self.value.chars().collect();
        if characters.len() < SHORT {
            return Vec::new();
        }
        pieces(&characters).flat_map(forms).collect()
    }

    /// Its letters and digits, forwards and backwards, where they are enough to know it by.
    pub(super) fn letters(&self) -> Vec<String> {
        let letters: Vec<char> = letters_of(&self.value).chars().collect();
        if letters.len() < SHORT {
            return Vec::new();
        }
        let both = |piece: &[char]| [piece.iter().collect(), piece.iter().rev().collect()];
        pieces(&letters).flat_map(both).collect()
    }

    /// Where it stands in a text, in any encoding.
    pub(super) fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let expressions = self.expressions.get_or_init(|| expressions(&self.value));
        effort::add(text.len() * (1 + expressions.len()));
        // As it is, without an expression: this must hold whatever becomes of those.
        let plain = self
            .may_be_encoded()
            .then(|| text.match_indices(self.value.as_str()));
        let plain = plain.into_iter().flatten();
        let plain = plain.map(|(start, found)| start..start + found.len());
        let encoded = expressions.iter().flat_map(|one| one.find_iter(text));
        plain.chain(encoded.map(|found| found.range()))
    }
}

fn expressions(value: &str) -> Vec<Regex> {
    let characters: Vec<char> = value.chars().collect();
    if characters.len() < SHORTEST {
        return Vec::new();
    }
    if characters.len() < SHORT {
        let word = format!(
            r"(?-i)\b{{start-half}}{}\b{{end-half}}",
            regex::escape(value)
        );
        return built(&word).into_iter().collect();
    }
    pieces(&characters)
        .flat_map(|piece| {
            let backwards: Vec<char> = piece.iter().rev().copied().collect();
            [
                spelled(piece),
                spelled(&backwards),
                hex(piece),
                base64(piece),
            ]
        })
        .filter_map(|written| built(&written))
        .collect()
}

fn forms(piece: &[char]) -> Vec<Vec<u8>> {
    let text: String = piece.iter().collect();
    let backwards: String = piece.iter().rev().collect();
    let turned: String = piece.iter().copied().map(turned).collect();
    let mut forms: Vec<Vec<u8>> = [&text, &backwards, &turned]
        .map(|form| form.as_bytes().to_vec())
        .into();
    // Of plain letters the zeros are left out before.
    if !text.is_ascii() {
        let compatible = compatible_text(&text);
        forms.extend((compatible != text).then(|| compatible.into_bytes()));
        let units: Vec<u16> = text.encode_utf16().collect();
        forms.push(units.iter().flat_map(|unit| unit.to_le_bytes()).collect());
        forms.push(units.iter().flat_map(|unit| unit.to_be_bytes()).collect());
    }
    forms
}

/// The letter thirteen places on.
fn turned(c: char) -> char {
    let turn = |first: u8, c: char| char::from((c as u8 - first + 13) % 26 + first);
    match c {
        'a'..='z' => turn(b'a', c),
        'A'..='Z' => turn(b'A', c),
        c => c,
    }
}

/// Pieces of about the same length, so that the last is not too short to look for.
fn pieces(characters: &[char]) -> impl Iterator<Item = &[char]> {
    let count = characters.len().div_ceil(PIECE).max(1);
    characters.chunks(characters.len().div_ceil(count).max(1))
}

fn built(written: &str) -> Option<Regex> {
    RegexBuilder::new(written)
        .case_insensitive(true)
        .size_limit(MOST_BYTES)
        .dfa_size_limit(MOST_BYTES)
        .build()
        .ok()
}

/// Blanks and line breaks, plain or escaped, that may stand between any two characters.
const BETWEEN: &str = r"(?:\s|\\+[nrt])*";

/// Each character as it is, in percent, JSON, HTML or `\x` spelling, in upper or lower case.
fn spelled(piece: &[char]) -> String {
    let spellings: Vec<String> = piece.iter().map(|c| spellings(*c)).collect();
    spellings.join(BETWEEN)
}

fn spellings(c: char) -> String {
    let mut either = format!(r"(?:\\*{}", regex::escape(&c.to_string()));
    for c in [c, swapped(c)] {
        // Writing to a text cannot fail.
        let _ = write!(either, "|{}", percent(c));
        let mut units = [0; 2];
        let json = c.encode_utf16(&mut units).iter();
        let json: Vec<String> = json.map(|unit| format!(r"\\+u{unit:04x}")).collect();
        let json = json.concat();
        let code = c as u32;
        let _ = write!(either, r"|{json}|&#0*{code};|&#x0*{code:x};|\\+x{code:02x}");
    }
    let named = match c {
        '&' => "|&amp;",
        '<' => "|&lt;",
        '>' => "|&gt;",
        '"' => "|&quot;",
        '\'' => "|&apos;",
        '\n' => r"|\s+|\\+n",
        c if c.is_whitespace() => r"|\s+|\+|\\+[nrt]",
        _ => "",
    };
    either.push_str(named);
    either.push(')');
    either
}

/// The same letter in the other case.
fn swapped(c: char) -> char {
    let other = if c.is_lowercase() {
        c.to_uppercase().next()
    } else {
        c.to_lowercase().next()
    };
    other.unwrap_or(c)
}

/// `%41`; encoded twice, `%2541`.
fn percent(c: char) -> String {
    let mut bytes = [0; 4];
    let bytes = c.encode_utf8(&mut bytes).bytes();
    let bytes: Vec<String> = bytes.map(|byte| format!("%(?:25)*{byte:02x}")).collect();
    bytes.concat()
}

/// Two digits for each byte, in any case, with blanks or colons between.
fn hex(piece: &[char]) -> String {
    let text: String = piece.iter().collect();
    let bytes: Vec<String> = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(r"(?:[\s:,-]|0x|\\+x)*")
}

/// Standard and URL-safe, wherever in three bytes it begins: only the digits that
/// the secret alone decides are looked for, the few beside them go along.
fn base64(piece: &[char]) -> String {
    let text: String = piece.iter().collect();
    let aligned: Vec<String> = (0..3)
        .map(|offset| aligned(text.as_bytes(), offset))
        .collect();
    format!("(?-i:{})", aligned.join("|"))
}

fn aligned(bytes: &[u8], offset: usize) -> String {
    const DIGIT: &str = "[A-Za-z0-9+/_-]";
    let mut padded = vec![0; offset];
    padded.extend_from_slice(bytes);
    let first = (offset * 8).div_ceil(6);
    let last = padded.len() * 8 / 6;
    let digits = STANDARD_NO_PAD.encode(&padded);
    let digits: Vec<String> = digits
        .chars()
        .take(last)
        .skip(first)
        .map(|digit| match digit {
            '+' => r"(?:[+-]|%2[bB])".to_owned(),
            '/' => r"(?:\\*/|_|%2[fF])".to_owned(),
            digit => digit.to_string(),
        })
        .collect();
    // Whole groups before and after belong to what the secret was encoded with.
    format!(
        "{DIGIT}{{0,{first}}}{}{DIGIT}?(?:=|%3[dD]){{0,2}}",
        digits.join(BETWEEN)
    )
}
