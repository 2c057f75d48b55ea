//! Which bytes does a word stand for whose five characters hold four bytes? Ascii85, base85 of
//! RFC 1924 (Python's `b85encode`) and Z85.

use std::sync::LazyLock;

use super::View;

/// Six bytes in base85.
const SHORTEST: usize = 8;
/// Marks behind a word that may not belong to it.
const MARKS: usize = 3;

const RFC_1924: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const Z85: &[u8; 85] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

pub(super) fn base85(view: &View) -> Vec<View> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in 0..=view.bytes.len() {
        let is_end = view.bytes.get(end).is_none_or(u8::is_ascii_whitespace);
        if is_end {
            let word = view.bytes.get(start..end).unwrap_or_default();
            if word.len() >= SHORTEST && !is_prose(word) {
                // Brackets and quotes behind the last group would be read as part of it.
                let marks = word
                    .iter()
                    .rev()
                    .take_while(|byte| byte.is_ascii_punctuation());
                for cut in 0..=marks.count().min(MARKS) {
                    found.extend(alphabets(&view.part(start..end - cut)));
                }
            }
            start = end + 1;
        }
    }
    found
}

/// A word of a sentence: letters, with a mark or two at its ends.
fn is_prose(word: &[u8]) -> bool {
    let inner = word.trim_ascii();
    let inner = inner.get(1..inner.len().saturating_sub(1));
    inner.is_some_and(|inner| inner.iter().all(u8::is_ascii_lowercase))
}

/// What each byte stands for as a digit; [`NONE`] if it is none.
type Digits = [u8; 256];
const NONE: u8 = u8::MAX;

static ALPHABETS: LazyLock<[Digits; 3]> = LazyLock::new(|| {
    let ascii85: Vec<u8> = (b'!'..=b'u').collect();
    [digits(&ascii85), digits(RFC_1924), digits(Z85)]
});

fn digits(alphabet: &[u8]) -> Digits {
    let mut digits = [NONE; 256];
    for (value, byte) in (0..).zip(alphabet) {
        if let Some(digit) = digits.get_mut(usize::from(*byte)) {
            *digit = value;
        }
    }
    digits
}

fn alphabets(word: &View) -> Vec<View> {
    let mut found = Vec::new();
    for offset in 0..5 {
        let part = word.part(offset..word.bytes.len());
        found.extend(ALPHABETS.iter().map(|digits| decoded(&part, digits)));
    }
    found
}

fn decoded(word: &View, alphabet: &Digits) -> View {
    let mut view = View::default();
    let mut digits: Vec<(u32, (usize, usize))> = Vec::with_capacity(5);
    for (byte, from) in word.bytes.iter().zip(&word.from) {
        let digit = alphabet.get(usize::from(*byte)).copied();
        if let Some(digit) = digit.filter(|digit| *digit != NONE) {
            digits.push((u32::from(digit), *from));
        }
        if digits.len() == 5 {
            group(&digits, &mut view);
            digits.clear();
        }
    }
    group(&digits, &mut view);
    view
}

/// Up to five digits; of a group that is not full, as many bytes as it has digits less one.
fn group(digits: &[(u32, (usize, usize))], view: &mut View) {
    let (Some((_, first)), Some((_, last))) = (digits.first(), digits.last()) else {
        return;
    };
    let from = (first.0, last.1);
    let all = digits.iter().map(|(digit, _)| *digit);
    let all = all.chain(std::iter::repeat(84)).take(5);
    let number = all.fold(0_u64, |number, digit| number * 85 + u64::from(digit));
    // What is too large was never encoded so.
    let bytes = u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes();
    for byte in bytes.iter().take(digits.len() - 1) {
        view.push(*byte, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_are_decoded() {
        let check = |word: &str, expected: &str| {
            let found = base85(&View::of(word, 0));
            let is_it = |view: &View| view.bytes.starts_with(expected.as_bytes());
            assert!(found.iter().any(is_it), "{word}");
        };
        check("BOu!rD]j7BEbo7", "hello world");
        check("Xk~0{Zy<MXa%^NF", "hello world!");
        check("{\"BOu!rD]j7BEbo7\"}", "hello world");
        assert!(base85(&View::of("extraordinary, circumstances", 0)).is_empty());
    }
}
