//! Which pieces of the vocabulary make up a text? WordPiece as BERT cuts: lower
//! case, no accents, punctuation and Chinese characters apart, longest piece first.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::words::is_ideograph;

/// A longer word is no word.
const WORD_AT_MOST: usize = 100;
/// Words remembered with their pieces, so that hostile texts cannot fill the memory.
const REMEMBERED_AT_MOST: usize = 100_000;

/// The pieces that texts are cut into; the number of a piece is its row.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// Pieces that begin a word.
    heads: FxHashMap<Box<str>, u32>,
    /// Pieces that go on with one, without their `##`.
    tails: FxHashMap<Box<str>, u32>,
    /// Bytes of the longest piece.
    longest: usize,
}

impl Vocabulary {
    /// From the pieces in the order of their rows.
    pub fn new<'a>(pieces: impl Iterator<Item = &'a str>) -> Self {
        let mut vocabulary = Self::default();
        for (row, piece) in pieces.enumerate() {
            let (map, text) = match piece.strip_prefix("##") {
                Some(tail) if !tail.is_empty() => (&mut vocabulary.tails, tail),
                _ => (&mut vocabulary.heads, piece),
            };
            map.insert(Box::from(text), row as u32);
            vocabulary.longest = vocabulary.longest.max(text.len());
        }
        vocabulary
    }

    /// The pieces of a text; words that cannot be made of pieces are left out.
    pub fn cut(&self, text: &str) -> Vec<u32> {
        let mut rows = Vec::new();
        each_token(text, |token| self.cut_word(token, &mut rows));
        rows
    }

    /// How far the vocabulary can speak of a text.
    pub fn understands(&self, text: &str) -> Understood {
        let mut understood = Understood::default();
        let mut all = 0.0f32;
        let mut rows = Vec::new();
        each_token(text, |token| {
            let Some(first) = token.chars().next().filter(|first| first.is_alphanumeric()) else {
                return;
            };
            all += 1.0;
            rows.clear();
            self.cut_word(token, &mut rows);
            // What the pieces say was learned from English.
            if !rows.is_empty() && !is_ideograph(first) {
                understood.known += 1.0;
                understood.sure += 1.0 / rows.len() as f32;
            }
        });
        understood.known /= all.max(1.0);
        understood.sure /= all.max(1.0);
        understood
    }

    fn cut_word(&self, word: &str, rows: &mut Vec<u32>) {
        let before = rows.len();
        if word.len() > WORD_AT_MOST && word.chars().count() > WORD_AT_MOST {
            return;
        }
        let mut rest = word;
        while !rest.is_empty() {
            let map = if rest.len() == word.len() {
                &self.heads
            } else {
                &self.tails
            };
            let Some((row, length)) = self.longest_piece(rest, map) else {
                rows.truncate(before);
                return;
            };
            rows.push(row);
            rest = rest.get(length..).unwrap_or_default();
        }
    }

    fn longest_piece(&self, rest: &str, map: &FxHashMap<Box<str>, u32>) -> Option<(u32, usize)> {
        let mut lengths = (1..=rest.len().min(self.longest)).rev();
        lengths.find_map(|length| Some((*map.get(rest.get(..length)?)?, length)))
    }
}

/// How far a text is understood, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Understood {
    /// The share of words that have a meaning.
    pub known: f32,
    /// The same, but a word that had to be cut counts only in part: its meaning is a guess.
    pub sure: f32,
}

/// Cuts many texts, each word but once.
#[derive(Debug)]
pub struct Cutter<'a> {
    vocabulary: &'a Vocabulary,
    known: FxHashMap<Box<str>, Box<[u32]>>,
}

impl<'a> Cutter<'a> {
    pub fn new(vocabulary: &'a Vocabulary) -> Self {
        Self {
            vocabulary,
            known: FxHashMap::default(),
        }
    }

    /// The pieces of a text, one after the other.
    pub fn cut(&mut self, text: &str, mut visit: impl FnMut(u32)) {
        let Self { vocabulary, known } = self;
        if known.len() > REMEMBERED_AT_MOST {
            known.clear();
        }
        each_token(text, |token| {
            if let Some(rows) = known.get(token) {
                rows.iter().copied().for_each(&mut visit);
                return;
            }
            let mut rows = Vec::new();
            vocabulary.cut_word(token, &mut rows);
            rows.iter().copied().for_each(&mut visit);
            known.insert(Box::from(token), rows.into_boxed_slice());
        });
    }
}

/// Lower case without accents.
fn bare(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    let lower = text.to_lowercase();
    let bare = lower.nfd().filter(|letter| !is_combining_mark(*letter));
    Cow::Owned(bare.collect())
}

/// Words, marks of punctuation and Chinese characters.
fn each_token(text: &str, mut visit: impl FnMut(&str)) {
    let text = bare(text);
    let mut begin = 0;
    for (at, letter) in text.char_indices() {
        let stands_alone = letter.is_whitespace() || letter.is_control() || is_mark(letter);
        if !stands_alone && !is_ideograph(letter) {
            continue;
        }
        let end = at + letter.len_utf8();
        if let Some(word) = text.get(begin..at).filter(|word| !word.is_empty()) {
            visit(word);
        }
        if !letter.is_whitespace() && !letter.is_control() {
            visit(text.get(at..end).unwrap_or_default());
        }
        begin = end;
    }
    if let Some(word) = text.get(begin..).filter(|word| !word.is_empty()) {
        visit(word);
    }
}

/// Marks of punctuation; other signs, such as in `°F`, belong to their word.
fn is_mark(letter: char) -> bool {
    let is_foreign = matches!(
        letter,
        '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{205e}'
            | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
            | '\u{fe30}'..='\u{fe61}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}'
            | '\u{ff3b}'..='\u{ff3f}' | '\u{ff5b}'..='\u{ff65}'
    );
    letter.is_ascii_punctuation() || is_foreign
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let pieces = [
            "un", "##able", "##a", "##ffable", "weather", "##s", ".", "天", "气", "cafe", "upload",
        ];
        Vocabulary::new(pieces.into_iter())
    }

    #[track_caller]
    fn check(text: &str, expected: &[u32]) {
        let vocabulary = vocabulary();
        assert_eq!(vocabulary.cut(text), expected, "{text}");
        let mut cutter = Cutter::new(&vocabulary);
        for _ in 0..2 {
            let mut rows = Vec::new();
            cutter.cut(text, |row| rows.push(row));
            assert_eq!(rows, expected, "{text}, remembered");
        }
    }

    #[test]
    fn the_longest_piece_is_taken_first() {
        check("unable", &[0, 1]);
        check("unaffable weathers.", &[0, 2, 3, 4, 5, 6]);
        check("upload", &[10]);
    }

    #[test]
    fn a_word_without_pieces_is_left_out_as_a_whole() {
        check("unxyz weather", &[4]);
        check("ables", &[]);
        check(&"weather".repeat(40), &[]);
    }

    #[test]
    fn what_is_understood_is_a_share() {
        let understood = |text| {
            let understood = vocabulary().understands(text);
            (understood.known, understood.sure)
        };
        assert_eq!(understood("upload weather"), (1.0, 1.0));
        assert_eq!(understood("unable weather"), (1.0, 0.75));
        assert_eq!(understood("weather, xyz!"), (0.5, 0.5));
        assert_eq!(understood("天气 weather 天"), (0.25, 0.25));
        assert_eq!(understood("…"), (0.0, 0.0));
    }

    #[test]
    fn accents_case_and_scripts() {
        check("CAFÉ", &[9]);
        check("天气weather", &[7, 8, 4]);
        check("\u{0}\u{202e} \t", &[]);
        check("weather…weather，weather", &[4, 4, 4]);
        check("°weather", &[]);
        check("", &[]);
    }
}
