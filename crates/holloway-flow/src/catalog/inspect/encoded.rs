//! Is there something encoded that a reader cannot check? Base64, hex, escapes,
//! data addresses, and orders written backwards or by a letter shift.

use super::texts::Text;
use super::{Findings, Suspicion, order, visible};

/// Encoded text is suspicious from this many readable characters on.
const READABLE: usize = 16;
/// Whatever it decodes to, this much of it has no place in a definition.
const BASE64_MOST: usize = 160;
const HEX_MOST: usize = 160;
/// Escapes in a row.
const MOST_ESCAPES: usize = 6;

pub(super) fn look(text: &Text, findings: &mut Findings) {
    let found = runs(&text.chars)
        .or_else(|| escapes(&text.chars))
        .or_else(|| data_address(&text.chars))
        .or_else(|| turned(&text.chars));
    if let Some(shown) = found {
        findings.add(Suspicion::Encoded, &text.place, shown);
    }
}

fn shown(written: &str, decoded: &str) -> String {
    let written = visible::shortened(written, 60);
    if decoded.is_empty() {
        return written;
    }
    format!("{written} reads: {}", visible::shortened(decoded, 120))
}

/// Long unbroken runs of the letters of base64 or hex.
fn runs(chars: &[char]) -> Option<String> {
    let is_inside = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_');
    chars.split(|c| !is_inside(c)).find_map(|run| {
        if run.len() < READABLE {
            return None;
        }
        let written: String = run.iter().collect();
        hex(&written).or_else(|| base64(&written))
    })
}

fn hex(written: &str) -> Option<String> {
    let digits = written.strip_prefix("0x").unwrap_or(written);
    if !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let pairs: Vec<char> = digits.chars().collect();
    let bytes = pairs.chunks(2).filter_map(|pair| {
        let pair: String = pair.iter().collect();
        u8::from_str_radix(&pair, 16).ok()
    });
    let decoded = readable(bytes.collect());
    // A number written in decimal digits alone may happen to decode.
    let has_letters = digits.chars().any(|c| c.is_ascii_alphabetic());
    match decoded {
        Some(text) if has_letters || digits.len() > 64 => Some(shown(written, &text)),
        _ => (digits.len() > HEX_MOST).then(|| shown(written, "")),
    }
}

fn base64(written: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0_u32, 0);
    for c in written.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        held = (held << 6 | u32::from(value)) & 0xFFFF;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    if let Some(text) = readable(bytes) {
        return Some(shown(written, &text));
    }
    let varied = [
        written.chars().any(|c| c.is_ascii_uppercase()),
        written.chars().any(|c| c.is_ascii_lowercase()),
        written.chars().any(|c| c.is_ascii_digit()),
    ];
    // Names and paths are long, too, but have separators.
    let solid = !written.contains(['_', '-']) && written.matches('/').count() * 12 < written.len();
    (written.len() > BASE64_MOST && solid && varied == [true; 3]).then(|| shown(written, ""))
}

/// The text that bytes spell, if they spell one of some length.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_text = |c: char| c.is_ascii_graphic() || matches!(c, ' ' | '\n' | '\r' | '\t');
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    let long = text.len() >= READABLE * 3 / 4;
    (long && text.chars().all(is_text) && letters * 2 > text.len()).then_some(text)
}

/// Characters written as numbers, one after the other.
fn escapes(chars: &[char]) -> Option<String> {
    let text: String = chars.iter().collect();
    [
        percent as fn(&str) -> Option<(usize, u32)>,
        entity,
        backslash,
        binary,
    ]
    .into_iter()
    .find_map(|escape| escape_run(&text, escape))
}

fn escape_run(text: &str, escape: fn(&str) -> Option<(usize, u32)>) -> Option<String> {
    let mut at = 0;
    while at < text.len() {
        let rest = text.get(at..)?;
        let (mut length, mut decoded) = (0, String::new());
        while let Some((more, code)) = rest.get(length..).and_then(escape) {
            length += more;
            decoded.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
        }
        if decoded.chars().count() >= MOST_ESCAPES {
            return Some(shown(rest.get(..length)?, &decoded));
        }
        let step = rest.chars().next().map_or(1, char::len_utf8);
        at += length.max(step);
    }
    None
}

/// `%41`.
fn percent(text: &str) -> Option<(usize, u32)> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    Some((3, u32::from_str_radix(digits, 16).ok()?))
}

/// `&#65;`, `&#x41;`.
fn entity(text: &str) -> Option<(usize, u32)> {
    let inside = text.strip_prefix("&#")?;
    let (number, _) = inside.split_once(';')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    Some((number.len() + 3, code))
}

/// `\u0041`, `\x41`.
fn backslash(text: &str) -> Option<(usize, u32)> {
    let (digits, length) = match (text.strip_prefix("\\u"), text.strip_prefix("\\x")) {
        (Some(rest), _) => (rest.get(..4)?, 6),
        (_, Some(rest)) => (rest.get(..2)?, 4),
        _ => return None,
    };
    Some((length, u32::from_str_radix(digits, 16).ok()?))
}

/// `01000001 `.
fn binary(text: &str) -> Option<(usize, u32)> {
    let digits = text.get(..8)?;
    let code = u32::from_str_radix(digits, 2).ok()?;
    let blank = text.get(8..9).is_some_and(|next| next == " ");
    Some((8 + usize::from(blank), code))
}

/// `data:…;base64,…`.
fn data_address(chars: &[char]) -> Option<String> {
    let start = super::hidden::find(chars, 0, "data:")?;
    let rest: String = chars.get(start..)?.iter().take(400).collect();
    let (head, payload) = rest.split_once(',')?;
    let length = payload.chars().take_while(|c| !c.is_whitespace()).count();
    let is_address = head.contains('/') && !head.contains(char::is_whitespace);
    (is_address && length >= READABLE).then(|| shown(&rest, ""))
}

/// An order written backwards, or with every letter moved by thirteen.
fn turned(chars: &[char]) -> Option<String> {
    let backwards: Vec<char> = chars.iter().rev().copied().collect();
    let moved: Vec<char> = chars.iter().map(|c| rotated(*c)).collect();
    let written: String = chars.iter().collect();
    [backwards, moved].into_iter().find_map(|turned| {
        let (start, end) = order::find(&turned)?;
        let reads: String = turned.get(start..end)?.iter().collect();
        Some(shown(&written, &reads))
    })
}

fn rotated(c: char) -> char {
    let base = match c {
        'a'..='z' => b'a',
        'A'..='Z' => b'A',
        _ => return c,
    };
    char::from((c as u8 - base + 13) % 26 + base)
}
