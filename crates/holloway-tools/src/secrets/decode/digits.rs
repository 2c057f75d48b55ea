//! Which bytes do digits stand for that hold the same number of bits each? Base64, base32,
//! hexadecimal and binary, with whatever people put between the digits.

use super::{SHORTEST, View};

/// A digit and where it stands.
type Digit = (u8, (usize, usize));

/// Standard and URL-safe.
pub(super) fn base64(view: &View) -> Vec<View> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    decoded(view, 6, value, |byte| byte.is_ascii_whitespace())
}

pub(super) fn base32(view: &View) -> Vec<View> {
    let value = |byte: u8| match byte.to_ascii_uppercase() {
        letter @ b'A'..=b'Z' => Some(letter - b'A'),
        digit @ b'2'..=b'7' => Some(digit - b'2' + 26),
        _ => None,
    };
    decoded(view, 5, value, is_gap)
}

pub(super) fn base32hex(view: &View) -> Vec<View> {
    let value = |byte: u8| match byte.to_ascii_uppercase() {
        digit @ b'0'..=b'9' => Some(digit - b'0'),
        letter @ b'A'..=b'V' => Some(letter - b'A' + 10),
        _ => None,
    };
    decoded(view, 5, value, is_gap)
}

/// In any case; `0x`, `\x`, `%`, `U+`, `&#x`, brackets, quotes and separators may stand between.
pub(super) fn hex(view: &View) -> Vec<View> {
    let value = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let is_between = |byte: u8| is_gap(byte) || br#"\%&#;=+xXuU{}[]()'"<>,.:|/$"#.contains(&byte);
    decoded(&without_prefix(view), 4, value, is_between)
}

pub(super) fn binary(view: &View) -> Vec<View> {
    let value = |byte: u8| matches!(byte, b'0' | b'1').then(|| byte - b'0');
    decoded(view, 1, value, |byte| {
        is_gap(byte) || b",;[]".contains(&byte)
    })
}

fn is_gap(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'-' || byte == b'_'
}

/// The zero of `0x` is no digit.
fn without_prefix(view: &View) -> View {
    let mut without = View::default();
    for (index, (byte, from)) in view.bytes.iter().zip(&view.from).enumerate() {
        let next = view.bytes.get(index + 1);
        let is_prefix = *byte == b'0' && matches!(next, Some(b'x' | b'X'));
        without.push(if is_prefix { b' ' } else { *byte }, *from);
    }
    without
}

fn decoded(
    view: &View,
    bits: usize,
    value: impl Fn(u8) -> Option<u8>,
    is_between: impl Fn(u8) -> bool,
) -> Vec<View> {
    let mut found = Vec::new();
    let mut run: Vec<Digit> = Vec::new();
    for (byte, from) in view.bytes.iter().zip(&view.from) {
        match value(*byte) {
            Some(digit) => run.push((digit, *from)),
            None if is_between(*byte) => {}
            None => found.extend(aligned(&std::mem::take(&mut run), bits)),
        }
    }
    found.extend(aligned(&run, bits));
    found
}

/// What the digits stand for, begun at each of the first ones that could begin a byte.
fn aligned(run: &[Digit], bits: usize) -> Vec<View> {
    if run.len() * bits < SHORTEST * 8 {
        return Vec::new();
    }
    // As many digits as fit a whole number of bytes.
    let group = match bits {
        6 => 4,
        4 => 2,
        _ => 8,
    };
    (0..group)
        .map(|offset| joined(run.get(offset..).unwrap_or_default(), bits))
        .collect()
}

fn joined(run: &[Digit], bits: usize) -> View {
    let mut view = View::default();
    let (mut held, mut count, mut start) = (0_u32, 0, None);
    for (digit, from) in run {
        held = (held << bits) | u32::from(*digit);
        count += bits;
        let begun = *start.get_or_insert(from.0);
        if count >= 8 {
            count -= 8;
            view.push((held >> count) as u8, (begun, from.1));
            held &= (1 << count) - 1;
            // The rest of this digit belongs to the next byte.
            start = (count > 0).then_some(from.0);
        }
    }
    view
}
