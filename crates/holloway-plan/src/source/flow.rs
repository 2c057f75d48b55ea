//! Would the YAML parser have to hold too much at once? What stands in brackets may
//! turn out to be a field name, so the parser keeps all of it until the bracket is
//! closed, at about a hundred bytes for each sign. This counts the signs beforehand.

use super::{hinted, too_large};
use crate::place::Position;
use crate::problem::Problem;

/// Signs within one outermost pair of brackets.
const MOST: usize = 400_000;

/// Refuses brackets that hold more than the parser should keep.
pub(super) fn refuse_hoards(text: &str) -> Result<(), Box<Problem>> {
    let mut counter = Counter::default();
    for (at, byte) in text.bytes().enumerate() {
        counter.take(byte);
        if counter.signs > MOST {
            let problem = too_large(
                position(text, at),
                format!("brackets that hold more than {MOST} signs"),
            );
            return Err(hinted(
                problem,
                "write one line for each field, or write the plan as JSON",
            ));
        }
    }
    Ok(())
}

fn position(text: &str, at: usize) -> Position {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |line| line.chars().count())
        + 1;
    Position { line, column }
}

#[derive(Default)]
struct Counter {
    depth: usize,
    signs: usize,
    quote: Option<u8>,
    escaped: bool,
    /// The byte before.
    before: u8,
    /// The last byte of this line that is no space; 0 at its start.
    last: u8,
}

impl Counter {
    fn take(&mut self, byte: u8) {
        if let Some(quote) = self.quote {
            if self.escaped {
                self.escaped = false;
            } else if byte == quote {
                self.quote = None;
            } else {
                self.escaped = byte == b'\\' && quote == b'"';
            }
        } else if self.depth > 0 {
            self.inside(byte);
        } else if matches!(byte, b'[' | b'{') && matches!(self.last, 0 | b':' | b'-' | b'?') {
            self.depth = 1;
            self.signs = 1;
        }
        self.before = byte;
        match byte {
            b'\n' => self.last = 0,
            b' ' | b'\t' | b'\r' => {}
            _ => self.last = byte,
        }
    }

    fn inside(&mut self, byte: u8) {
        let starts = matches!(
            self.before,
            b' ' | b'\n' | b'\t' | b'\r' | b',' | b':' | b'[' | b'{' | b']' | b'}'
        );
        match byte {
            b'[' | b'{' => {
                self.depth += 1;
                self.signs += 1;
            }
            b']' | b'}' => {
                self.depth -= 1;
                self.signs += 1;
            }
            b',' => self.signs += 1,
            // A field: its name, its value, and the mapping it may begin.
            b':' => self.signs += 3,
            b'"' | b'\'' if starts => {
                self.signs += 1;
                self.quote = Some(byte);
            }
            b'&' | b'*' | b'!' if starts => self.signs += 2,
            b' ' | b'\n' | b'\t' | b'\r' => {}
            _ if starts => self.signs += 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, signs: usize) {
        let mut counter = Counter::default();
        text.bytes().for_each(|byte| counter.take(byte));
        assert_eq!(
            (counter.signs, counter.depth, counter.quote),
            (signs, 0, None),
            "{text}"
        );
    }

    #[test]
    fn only_brackets_that_begin_a_value_count() {
        check("a: b [c, d]\n", 0);
        check("a: [b, c]\n", 5);
        check("a: [[], {}]", 7);
        check("- {a: 'x, y', b: \"z\\\"]\"}", 13);
        check("a: [don't, \"\\\\\", x]", 7);
        check("{a: b}", 7);
    }
}
