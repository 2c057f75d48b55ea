//! What does a text say once letters of other forms are plain ones (full-width, bold, circled),
//! and once the signs between its letters are set aside (`C-a-n-a-r-y`)?

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::View;

/// A text in the plain form of its letters.
pub(in crate::secrets) fn compatible_text(text: &str) -> String {
    text.nfkc().collect()
}

/// The letters and digits of a text, plain and small.
pub(in crate::secrets) fn letters_of(text: &str) -> String {
    let plain = compatible_text(text);
    let letters = plain.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The text in the plain form of its letters; `start` is its own place.
pub(super) fn plain(text: &str, start: usize) -> View {
    if text.is_ascii() {
        return View::of(text, start);
    }
    let mut view = View::default();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        // A letter and the accents behind it are one.
        let mut end = at + letter.len_utf8();
        while let Some((next, mark)) = letters.next_if(|(_, next)| is_combining_mark(*next)) {
            end = next + mark.len_utf8();
        }
        let from = (start + at, start + end);
        for letter in text.get(at..end).unwrap_or_default().nfkc() {
            put(&mut view, letter, from);
        }
    }
    view
}

fn put(view: &mut View, letter: char, from: (usize, usize)) {
    for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
        view.push(byte, from);
    }
}

/// The characters at even places, and those at odd ones.
pub(super) fn every_second(view: &View) -> [View; 2] {
    let mut halves = [View::default(), View::default()];
    let mut number = 0;
    each(view, |letter, from| {
        if let Some(half) = halves.get_mut(number % 2) {
            put(half, letter, from);
        }
        number += 1;
    });
    halves
}

/// Only the letters and digits, small.
pub(super) fn letters(view: &View) -> View {
    let mut letters = View::default();
    each(view, |letter, from| {
        if letter.is_alphanumeric() {
            for small in letter.to_lowercase() {
                put(&mut letters, small, from);
            }
        }
    });
    letters
}

fn each(view: &View, mut visit: impl FnMut(char, (usize, usize))) {
    let text = std::str::from_utf8(&view.bytes).unwrap_or_default();
    for (at, letter) in text.char_indices() {
        if let Some(from) = view.from.get(at) {
            visit(letter, *from);
        }
    }
}

/// Whether something stands between all letters of a part, or between none.
pub(super) fn is_regular(view: &View, range: &Range<usize>) -> bool {
    let from = view.from.get(range.clone()).unwrap_or_default();
    let steps = from.windows(2).filter_map(|pair| match pair {
        [one, next] if one != next => Some(next.0 > one.1),
        _ => None,
    });
    let (gaps, none): (Vec<bool>, Vec<bool>) = steps.partition(|is_gap| *is_gap);
    gaps.is_empty() || none.is_empty()
}
