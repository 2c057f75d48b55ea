//! How much of this HTML may be parsed? The rules of HTML let short text cost long work:
//! deep nesting, many attributes, formatting that is never closed. The parser is given
//! the text piece by piece, and no more once its work goes past the bounds.

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenSink;
use html5ever::{ParseOpts, Parser, parse_document};
use scraper::Html;

use super::counting::Counting;
use super::tags::{Tag, declaration, find};

/// More HTML than this is not read.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Elements nested deeper than this are not read; browsers stop at 512.
pub const MAX_DEPTH: usize = 512;

/// Of one element; the parser compares each attribute with all before it.
pub(super) const MAX_ATTRIBUTES: usize = 1000;

/// Steps the parser may take: names it looks at, nodes it makes or moves. Ordinary pages
/// take one per byte or fewer, tables without end tags about four.
const FREE_STEPS: u64 = 2_000_000;
const STEPS_PER_BYTE: u64 = 16;

/// The work is looked at after so many bytes: no more elements than may be nested.
const PIECE: usize = 1024;

/// What a file may begin with to tell the order of its bytes.
const MARK: char = '\u{feff}';

/// These hold text that looks like tags and is none.
pub(super) const RAW: [&str; 10] = [
    "script",
    "style",
    "textarea",
    "title",
    "noscript",
    "iframe",
    "xmp",
    "noembed",
    "noframes",
    "plaintext",
];

/// HTML as far as it was parsed.
pub struct Parsed {
    pub html: Html,
    /// How many bytes of the text were read.
    pub read: usize,
    /// Whether that is all of it.
    pub complete: bool,
    /// What the parser did, in steps of about the same length.
    pub steps: u64,
}

/// Parses `text` as far as that is safe, as a browser would read it.
pub fn parse(text: &str) -> Parsed {
    parse_in(text, most_steps(text))
}

/// In proportion to the text: what takes time with the square of it does not get far.
fn most_steps(text: &str) -> u64 {
    FREE_STEPS + STEPS_PER_BYTE * text.len().min(MAX_BYTES) as u64
}

fn parse_in(text: &str, most_steps: u64) -> Parsed {
    let front = text
        .get(..text.floor_char_boundary(MAX_BYTES))
        .unwrap_or(text);
    // The mark at the start is no text. The parser would drop one from every piece.
    let mark = if front.starts_with(MARK) {
        MARK.len_utf8()
    } else {
        0
    };
    let mut options = ParseOpts::default();
    options.tokenizer.discard_bom = false;
    let mut reading = Reading {
        text: front,
        fed: mark,
        safe: mark,
        parser: parse_document(Counting::new(most_steps), options),
    };
    let end = reading.read();
    reading.feed(end);
    let sink = &reading.parser.tokenizer.sink.sink;
    let (read, steps) = (reading.safe, sink.steps());
    Parsed {
        complete: read == text.len(),
        html: reading.parser.finish(),
        read,
        steps,
    }
}

struct Reading<'a> {
    text: &'a str,
    /// So much was given to the parser.
    fed: usize,
    /// So much of that was within the bounds.
    safe: usize,
    parser: Parser<Counting>,
}

impl Reading<'_> {
    /// Reads tag by tag, and gives back up to where that is safe.
    fn read(&mut self) -> usize {
        let text = self.text;
        let mut at = 0;
        while let Some(length) = text.get(at..).and_then(|rest| rest.find('<')) {
            let found = at + length;
            let deep = self.parser.tokenizer.sink.sink.is_deep();
            if deep || found.saturating_sub(self.fed) > PIECE {
                self.feed(found);
            }
            if self.is_over() {
                return self.fed;
            }
            let rest = text.get(found..).unwrap_or_default();
            if let Some(length) = self.declaration(rest, found) {
                at = found + length;
                continue;
            }
            let Some(tag) = Tag::read(rest) else {
                at = found + 1;
                continue;
            };
            if tag.attributes > MAX_ATTRIBUTES {
                return found;
            }
            at = found + tag.length;
            if tag.opens(&RAW) {
                // Whether these are elements like others, only the parser knows.
                self.feed(at);
                if self.is_raw() {
                    match self.raw_end(at, tag.name) {
                        Ok(end) => at = end,
                        Err(end) => return end,
                    }
                }
            }
        }
        text.len()
    }

    fn declaration(&mut self, rest: &str, found: usize) -> Option<usize> {
        let foreign = rest.starts_with("<![CDATA[") && {
            self.feed(found);
            let builder = &self.parser.tokenizer.sink;
            builder.adjusted_current_node_present_but_not_in_html_namespace()
        };
        declaration(rest, foreign)
    }

    /// Where the text of a `script` and its like ends; an error is where reading has to end.
    fn raw_end(&mut self, from: usize, name: &str) -> Result<usize, usize> {
        let text = self.text;
        let mut at = from;
        while let Some(found) = find(text, at, "</") {
            at = found + 2;
            let behind = text.get(at..).unwrap_or_default();
            let named = behind
                .get(..name.len())
                .is_some_and(|given| given.eq_ignore_ascii_case(name));
            let rest = behind.get(name.len()..).unwrap_or_default();
            if !named || !rest.starts_with([' ', '\t', '\n', '\r', '\u{c}', '/', '>']) {
                continue;
            }
            // Comments in scripts can hide it: only the parser knows.
            let plain = rest.trim_ascii_start().starts_with('>');
            let end = self.raw_end_by(at + name.len(), plain)?;
            if !self.is_raw() {
                return Ok(end);
            }
        }
        Ok(text.len())
    }

    /// Gives the parser what is up to the next `>`. If the end tag holds more than its
    /// name, its own `>` may be a later one: then up to each of them, while it may be.
    fn raw_end_by(&mut self, from: usize, plain: bool) -> Result<usize, usize> {
        let text = self.text;
        let mut at = from;
        let mut gaps = 0;
        while let Some(found) = find(text, at, ">") {
            let inside = text.get(at..found).unwrap_or_default().bytes();
            gaps += inside
                .filter(|byte| matches!(byte, b'/' | b'"' | b'\'') || byte.is_ascii_whitespace())
                .count();
            if !plain && gaps > MAX_ATTRIBUTES {
                return Err(at);
            }
            at = found + 1;
            self.feed(at);
            if plain || !self.is_raw() || self.is_over() {
                return Ok(at);
            }
        }
        let gaps = text.get(at..).unwrap_or_default().len() / 2;
        if !plain && gaps > MAX_ATTRIBUTES {
            return Err(at);
        }
        Ok(text.len())
    }

    /// Gives the parser what is before `end`, unless it has done too much already.
    fn feed(&mut self, end: usize) {
        while self.fed < end && !self.is_over() {
            let next = if end - self.fed < 2 * PIECE {
                end
            } else {
                self.text.floor_char_boundary(self.fed + PIECE)
            };
            let piece = self.text.get(self.fed..next).unwrap_or_default();
            self.parser.process(StrTendril::from_slice(piece));
            self.fed = next;
            if !self.is_over() {
                self.safe = next;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.parser.tokenizer.sink.sink.is_over()
    }

    fn is_raw(&self) -> bool {
        self.parser.tokenizer.sink.sink.is_raw()
    }
}

#[cfg(test)]
mod tests;
