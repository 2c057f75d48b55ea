//! How is JSON read? Token by token into the builder, so that duplicate names,
//! depth and size are noticed on the way and every value keeps its place.

use serde_json::Value;

use super::build::Builder;
use super::{Source, hinted, unreadable};
use crate::limits::Limits;
use crate::place::Position;
use crate::problem::Problem;

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Source, Box<Problem>> {
    let mut reader = Reader {
        text,
        at: 0,
        counted: 0,
        position: Position { line: 1, column: 1 },
        builder: Builder::new(limits),
    };
    reader.read().map_err(|problem| {
        if problem.hint.is_some() {
            problem
        } else {
            hinted(
                problem,
                "check commas, quotes and brackets around this place",
            )
        }
    })?;
    Ok(reader.builder.document())
}

/// What may come next.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Value,
    /// A value, or the end of the list just begun.
    ItemOrEnd,
    Key,
    /// A name, or the end of the mapping just begun.
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    End,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The place that `position` belongs to; counting goes forward only.
    counted: usize,
    position: Position,
    builder: Builder<'a>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Box<Problem>> {
        // The brackets that are open: `{` or `[`.
        let mut open: Vec<u8> = Vec::new();
        let mut next = Next::Value;
        loop {
            self.skip_space();
            let Some(byte) = self.byte() else {
                return if next == Next::End {
                    Ok(())
                } else {
                    Err(self.unexpected(next, &open))
                };
            };
            next = match (next, byte) {
                (Next::KeyOrEnd, b'}') | (Next::ItemOrEnd, b']') => self.close(&mut open)?,
                (Next::CommaOrEnd, b'}') if open.last() == Some(&b'{') => self.close(&mut open)?,
                (Next::CommaOrEnd, b']') if open.last() == Some(&b'[') => self.close(&mut open)?,
                (Next::CommaOrEnd, b',') => {
                    self.at += 1;
                    if open.last() == Some(&b'{') {
                        Next::Key
                    } else {
                        Next::Value
                    }
                }
                (Next::Key | Next::KeyOrEnd, b'"') => {
                    let at = self.here();
                    let name = self.string(at)?;
                    self.builder.key(name, at)?;
                    Next::Colon
                }
                (Next::Colon, b':') => {
                    self.at += 1;
                    Next::Value
                }
                (Next::Value | Next::ItemOrEnd, b'{' | b'[') => self.open(byte, &mut open)?,
                (Next::Value | Next::ItemOrEnd, byte)
                    if !matches!(byte, b',' | b':' | b']' | b'}') =>
                {
                    self.scalar(byte)?;
                    if open.is_empty() {
                        Next::End
                    } else {
                        Next::CommaOrEnd
                    }
                }
                _ => return Err(self.unexpected(next, &open)),
            };
        }
    }

    fn open(&mut self, byte: u8, open: &mut Vec<u8>) -> Result<Next, Box<Problem>> {
        let at = self.here();
        self.at += 1;
        open.push(byte);
        if byte == b'{' {
            self.builder.open_mapping(0, at)?;
            Ok(Next::KeyOrEnd)
        } else {
            self.builder.open_list(0, at)?;
            Ok(Next::ItemOrEnd)
        }
    }

    fn close(&mut self, open: &mut Vec<u8>) -> Result<Next, Box<Problem>> {
        self.at += 1;
        open.pop();
        self.builder.close()?;
        Ok(if open.is_empty() {
            Next::End
        } else {
            Next::CommaOrEnd
        })
    }

    fn scalar(&mut self, first: u8) -> Result<(), Box<Problem>> {
        let at = self.here();
        let value = if first == b'"' {
            Value::String(self.string(at)?)
        } else {
            self.word(at)?
        };
        self.builder.scalar(0, at, value)
    }

    fn string(&mut self, at: Position) -> Result<String, Box<Problem>> {
        let mut end = self.at + 1;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(end) {
                None => return Err(unreadable(at, "the text has no closing quote")),
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let quoted = self.text.get(self.at..=end).unwrap_or_default();
        self.at = end + 1;
        serde_json::from_str(quoted)
            .map_err(|_| unreadable(at, "the text holds a control character or a bad escape"))
    }

    fn word(&mut self, at: Position) -> Result<Value, Box<Problem>> {
        let left = self.text.get(self.at..).unwrap_or_default();
        let is_end =
            |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ']' | '}' | '[' | '{' | '"');
        let end = left.find(is_end).unwrap_or(left.len());
        let word = left.get(..end).unwrap_or_default();
        self.at += end;
        serde_json::from_str(word).map_err(|_| {
            let shown: String = word.chars().take(40).collect();
            unreadable(at, format!("`{shown}` is no value"))
        })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Line and column of the current place.
    fn here(&mut self) -> Position {
        for c in self
            .text
            .get(self.counted..self.at)
            .unwrap_or_default()
            .chars()
        {
            if c == '\n' {
                self.position = Position {
                    line: self.position.line + 1,
                    column: 1,
                };
            } else {
                self.position.column += 1;
            }
        }
        self.counted = self.at;
        self.position
    }

    fn unexpected(&mut self, next: Next, open: &[u8]) -> Box<Problem> {
        let wanted = match (next, open.last()) {
            (Next::Value | Next::ItemOrEnd, _) => "a value",
            (Next::Key | Next::KeyOrEnd, _) => "a field name",
            (Next::Colon, _) => "`:`",
            (Next::CommaOrEnd, Some(b'{')) => "`,` or `}`",
            (Next::CommaOrEnd, _) => "`,` or `]`",
            (Next::End, _) => "the end",
        };
        let found = self
            .text
            .get(self.at..)
            .and_then(|left| left.chars().next());
        let found = found.map_or("the end of the text".to_owned(), |c| {
            format!("`{}`", c.escape_debug())
        });
        let at = self.here();
        unreadable(at, format!("expected {wanted}, found {found}"))
    }
}
