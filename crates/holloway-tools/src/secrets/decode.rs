//! Which bytes could a text stand for? Every common encoding is undone wherever it may begin,
//! and what comes out is decoded again, so that encodings of encodings are seen through. Each
//! byte knows the part of the text that it came from.
//!
//! Invariant: the work is bounded by the length of the text, whatever the text is.

mod digits;
mod escapes;
pub(super) mod folds;
mod lists;
mod words;

use std::ops::Range;

use super::needles::{Needles, Place};

/// How often what was decoded is decoded again.
const DEEPEST: usize = 3;
/// Fewer bytes hold no secret that is looked for.
const SHORTEST: usize = 6;
/// Texts are looked at in parts of this length; neighbours share the second one.
const WINDOW: usize = 64 << 10;
const OVERLAP: usize = 8 << 10;
/// Decoded bytes for each byte of a part; after that only the part itself is decoded.
const MOST: usize = 200;

/// Bytes, each with its place in the text.
#[derive(Default)]
struct View {
    bytes: Vec<u8>,
    from: Vec<(usize, usize)>,
}

impl View {
    fn of(text: &str, start: usize) -> Self {
        let places = (start..).take(text.len());
        Self {
            bytes: text.as_bytes().to_vec(),
            from: places.map(|place| (place, place + 1)).collect(),
        }
    }

    fn push(&mut self, byte: u8, from: (usize, usize)) {
        self.bytes.push(byte);
        self.from.push(from);
    }

    /// The place in the text that the bytes from `first` to `last` came from.
    fn place(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        let from = self.from.get(first..=last)?;
        let start = from.iter().map(|(start, _)| *start).min()?;
        let end = from.iter().map(|(_, end)| *end).max()?;
        Some((start, end))
    }

    fn part(&self, range: Range<usize>) -> Self {
        Self {
            bytes: self.bytes.get(range.clone()).unwrap_or_default().to_vec(),
            from: self.from.get(range).unwrap_or_default().to_vec(),
        }
    }

    /// Stretches of plain characters: only they can be an encoding of something.
    fn stretches(&self) -> Vec<Self> {
        let is_plain = |byte: &u8| matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' '..=b'~');
        let mut found = Vec::new();
        let mut start = 0;
        for end in 0..=self.bytes.len() {
            if !self.bytes.get(end).is_some_and(is_plain) {
                if end - start >= SHORTEST {
                    found.push(self.part(start..end));
                }
                start = end + 1;
            }
        }
        found
    }
}

/// Looks at everything that the text may stand for, and gives back places in the text.
pub(super) fn find(text: &str, needles: &Needles) -> Vec<Place> {
    let mut found = Vec::new();
    let mut start = 0;
    while text.len() - start >= SHORTEST {
        let end = text.floor_char_boundary(start + WINDOW);
        let part = text.get(start..end).unwrap_or_default();
        let window = View::of(part, start);
        let mut search = Search {
            needles,
            found: Vec::new(),
            left: window.bytes.len().saturating_mul(MOST),
        };
        search.view(&window, 0);
        search.folds(part, start);
        // The same place is found in many ways.
        search
            .found
            .sort_by_key(|(range, what)| (range.start, range.end, *what));
        search.found.dedup();
        found.extend(search.found);
        if end >= text.len() {
            break;
        }
        start = text.floor_char_boundary(end - OVERLAP);
    }
    let found = found.into_iter();
    found
        .map(|(range, what)| (whole(text, &range), what))
        .collect()
}

/// Whole characters, and what fills up the last group of an encoding.
fn whole(text: &str, found: &Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(found.start);
    let end = text.ceil_char_boundary(found.end);
    let rest = text.get(end..).unwrap_or_default();
    start
        ..end
            + rest
                .bytes()
                .take_while(|byte| *byte == b'=')
                .take(6)
                .count()
}

struct Search<'a> {
    needles: &'a Needles,
    found: Vec<Place>,
    left: usize,
}

impl Search<'_> {
    /// What a text says without signs between its letters, or in letters of another form.
    fn folds(&mut self, text: &str, start: usize) {
        let plain = folds::plain(text, start);
        if !text.is_ascii() {
            let found = self.needles.find_decoded(&plain.bytes);
            self.note(&plain, found);
        }
        for view in folds::every_second(&plain) {
            let found = self.needles.find_decoded(&view.bytes);
            self.note(&view, found);
        }
        let letters = folds::letters(&plain);
        let mut found = self.needles.find_letters(&letters.bytes);
        found.retain(|(range, what)| {
            self.needles.is_long(*what) || folds::is_regular(&letters, range)
        });
        self.note(&letters, found);
    }

    fn note(&mut self, view: &View, found: Vec<Place>) {
        for (range, what) in found {
            let last = range.end.saturating_sub(1);
            let place = view.place(range.start, last);
            self.found
                .extend(place.map(|(start, end)| (start..end, what)));
        }
    }

    fn view(&mut self, view: &View, depth: usize) {
        let found = self.needles.find_decoded(&view.bytes);
        self.note(view, found);
        if depth == DEEPEST {
            return;
        }
        for decoder in DECODERS {
            for decoded in decoder(view) {
                self.decoded(&decoded, depth + 1);
            }
        }
    }

    fn decoded(&mut self, decoded: &View, depth: usize) {
        let cost = decoded.bytes.len();
        if cost < SHORTEST || (depth > 1 && self.left < cost) {
            return;
        }
        self.left = self.left.saturating_sub(cost);
        self.view_or_stretches(decoded, depth);
    }

    /// The whole is looked at as it is, and decoded only where it could be an encoding.
    fn view_or_stretches(&mut self, decoded: &View, depth: usize) {
        self.view(decoded, DEEPEST);
        if depth < DEEPEST {
            for stretch in decoded.stretches() {
                for decoder in DECODERS {
                    for inner in decoder(&stretch) {
                        self.decoded(&inner, depth + 1);
                    }
                }
            }
        }
    }
}

/// Gives back what the bytes stand for, once for each place where the encoding may begin.
type Decoder = fn(&View) -> Vec<View>;

const DECODERS: [Decoder; 9] = [
    digits::base64,
    digits::base32,
    digits::base32hex,
    digits::hex,
    digits::binary,
    lists::numbers,
    words::base85,
    escapes::undone,
    escapes::without_gaps,
];
