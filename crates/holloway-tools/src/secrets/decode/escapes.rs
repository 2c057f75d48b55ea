//! Which bytes do escapes stand for that are mixed with plain characters? Percent signs, quoted
//! printable, entities of HTML, escapes of JSON and of programming languages; and what is a
//! text without the characters that nobody sees between its letters?

use holloway_plan::hidden::is_hidden;

use super::View;

/// The text with every escape undone; nothing where there is none.
pub(super) fn undone(view: &View) -> Vec<View> {
    let mut plain = View::default();
    let mut index = 0;
    let mut any = false;
    while let Some(byte) = view.bytes.get(index) {
        let rest = view.bytes.get(index..).unwrap_or_default();
        let found = match byte {
            b'%' | b'=' | b'&' | b'\\' | b'U' | b'u' => escape(rest),
            _ => None,
        };
        let (code, length) = found.unwrap_or((Some(u32::from(*byte)), 1));
        any |= found.is_some();
        if let (Some(code), Some(from)) = (code, view.place(index, index + length - 1)) {
            put(&mut plain, code, found.is_some(), from);
        }
        index += length;
    }
    if any { vec![plain] } else { Vec::new() }
}

/// A code below 256 may be a byte of a longer character, so it stays one.
fn put(view: &mut View, code: u32, is_escape: bool, from: (usize, usize)) {
    match (u8::try_from(code), char::from_u32(code)) {
        (Ok(byte), _) => view.push(byte, from),
        (_, Some(letter)) if is_escape => {
            for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                view.push(byte, from);
            }
        }
        _ => {}
    }
}

/// What an escape stands for, if it stands for anything, and how long it is.
fn escape(text: &[u8]) -> Option<(Option<u32>, usize)> {
    let after = |prefix: &str| text.strip_prefix(prefix.as_bytes());
    let fixed = |prefix: &str, length: usize, radix: u32| {
        let digits = after(prefix)?.get(..length)?;
        Some((Some(number(digits, radix)?), prefix.len() + length))
    };
    let until = |prefix: &str, end: u8, radix: u32| {
        let rest = after(prefix)?;
        let length = rest.iter().take(10).position(|byte| *byte == end)?;
        let digits = rest.get(..length).filter(|digits| !digits.is_empty())?;
        Some((Some(number(digits, radix)?), prefix.len() + length + 1))
    };
    let named = NAMED
        .iter()
        .find_map(|(name, code)| after(name).map(|_| (code.map(u32::from), name.len())));
    named
        .or_else(|| fixed("%", 2, 16))
        .or_else(|| fixed("=", 2, 16))
        .or_else(|| until("&#x", b';', 16))
        .or_else(|| until("&#X", b';', 16))
        .or_else(|| until("&#", b';', 10))
        .or_else(|| until("\\u{", b'}', 16))
        .or_else(|| until("\\x{", b'}', 16))
        .or_else(|| fixed("\\x", 2, 16))
        .or_else(|| fixed("\\u", 4, 16))
        .or_else(|| fixed("\\U", 8, 16))
        .or_else(|| fixed("U+", 4, 16))
        .or_else(|| fixed("u+", 4, 16))
        .or_else(|| fixed("\\", 3, 8))
}

/// Escapes by name; a soft line break stands for nothing.
const NAMED: [(&str, Option<u8>); 15] = [
    ("&amp;", Some(b'&')),
    ("&lt;", Some(b'<')),
    ("&gt;", Some(b'>')),
    ("&quot;", Some(b'"')),
    ("&apos;", Some(b'\'')),
    ("=\r\n", None),
    ("=\n", None),
    ("\\n", Some(b'\n')),
    ("\\r", Some(b'\r')),
    ("\\t", Some(b'\t')),
    ("\\\"", Some(b'"')),
    ("\\'", Some(b'\'')),
    ("\\/", Some(b'/')),
    ("\\\\", Some(b'\\')),
    ("\\\n", None),
];

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    let is_digit = |c: char| c.is_digit(radix);
    text.chars().all(is_digit).then_some(())?;
    u32::from_str_radix(text, radix).ok()
}

/// Without zeros (UTF-16) and characters that are not seen, and then without blanks too; nothing
/// where there are none.
pub(super) fn without_gaps(view: &View) -> Vec<View> {
    let mut dense = View::default();
    let mut any = false;
    let mut put = |at: usize, length: usize| {
        for index in at..at + length {
            if let (Some(byte), Some(from)) = (view.bytes.get(index), view.from.get(index)) {
                dense.push(*byte, *from);
            }
        }
    };
    if let Ok(text) = std::str::from_utf8(&view.bytes) {
        for (at, letter) in text.char_indices() {
            any |= is_hidden(letter) && letter != '\r';
            if !is_hidden(letter) && !letter.is_whitespace() {
                put(at, letter.len_utf8());
            }
        }
    } else {
        for (at, byte) in view.bytes.iter().enumerate() {
            any |= *byte == 0;
            if *byte != 0 && !byte.is_ascii_whitespace() {
                put(at, 1);
            }
        }
    }
    if any { vec![dense] } else { Vec::new() }
}
