//! Where does one message end and the next begin? Lines of a server's output,
//! each bounded, whatever the server writes.
//!
//! Invariant: `next` may be dropped at any await without losing a byte.

use std::ops::Range;

use tokio::io::{AsyncRead, AsyncReadExt as _};

const CHUNK: usize = 64 * 1024;
/// How much of a line that is too long is kept at its start and at its end, to see
/// which request it answers.
const EDGE: usize = 256;
/// How many times the limit is read past before the server is given up.
const PATIENCE: usize = 16;

/// What was found next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A line, without its end; see [`Lines::bytes`].
    Line(Range<usize>),
    /// A line longer than the limit, which was skipped: its start and its end.
    TooLong {
        head: Vec<u8>,
        tail: Vec<u8>,
    },
    /// The line does not end, however long one reads.
    Endless,
    End,
}

/// Cuts a stream into lines.
pub(super) struct Lines<R> {
    reader: R,
    limit: usize,
    buffer: Vec<u8>,
    /// Where the line that is being read begins.
    start: usize,
    /// Up to where no line end was found.
    scanned: usize,
    skipping: Option<Skipping>,
    ended: bool,
}

struct Skipping {
    head: Vec<u8>,
    tail: Vec<u8>,
    read: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            limit,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            skipping: None,
            ended: false,
        }
    }

    pub(super) fn bytes(&self, line: Range<usize>) -> &[u8] {
        self.buffer.get(line).unwrap_or_default()
    }

    /// The next line. What an earlier one pointed to is gone.
    pub(super) async fn next(&mut self) -> Found {
        loop {
            if let Some(found) = self.cut() {
                return found;
            }
            if self.ended {
                return self.last();
            }
            self.make_room();
            match self.reader.read_buf(&mut self.buffer).await {
                Ok(0) | Err(_) => self.ended = true,
                Ok(_) => {}
            }
        }
    }

    /// A line that is whole in the buffer, or the news that there will be none.
    fn cut(&mut self) -> Option<Found> {
        let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
        let Some(offset) = fresh.iter().position(|byte| *byte == b'\n') else {
            self.scanned = self.buffer.len();
            return self.overflow();
        };
        let line = self.start..self.scanned + offset;
        self.start = line.end + 1;
        self.scanned = self.start;
        if let Some(mut skipping) = self.skipping.take() {
            skipping.take(self.buffer.get(line).unwrap_or_default());
            return Some(skipping.found());
        }
        if line.len() > self.limit {
            let mut skipping = Skipping::new();
            skipping.take(self.buffer.get(line).unwrap_or_default());
            return Some(skipping.found());
        }
        Some(Found::Line(line))
    }

    /// Lets go of what was read of a line that is already too long.
    fn overflow(&mut self) -> Option<Found> {
        let length = self.buffer.len() - self.start;
        if self.skipping.is_none() && length <= self.limit {
            return None;
        }
        let skipping = self.skipping.get_or_insert_with(Skipping::new);
        skipping.take(self.buffer.get(self.start..).unwrap_or_default());
        self.buffer.clear();
        self.start = 0;
        self.scanned = 0;
        (skipping.read > self.limit.saturating_mul(PATIENCE)).then_some(Found::Endless)
    }

    /// What came after the last line end.
    fn last(&mut self) -> Found {
        if let Some(skipping) = self.skipping.take() {
            return skipping.found();
        }
        let line = self.start..self.buffer.len();
        self.start = self.buffer.len();
        if line.is_empty() {
            Found::End
        } else {
            Found::Line(line)
        }
    }

    fn make_room(&mut self) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        // A long line is gone, and so is the room it took.
        if self.buffer.is_empty() && self.buffer.capacity() > 16 * CHUNK {
            self.buffer = Vec::new();
        }
        if self.buffer.capacity() - self.buffer.len() < CHUNK / 4 {
            self.buffer.reserve(CHUNK);
        }
    }
}

impl Skipping {
    fn new() -> Self {
        Self {
            head: Vec::new(),
            tail: Vec::new(),
            read: 0,
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.read += bytes.len();
        let room = EDGE - self.head.len();
        self.head.extend(bytes.iter().take(room));
        let from = bytes.len().saturating_sub(EDGE);
        self.tail.extend(bytes.iter().skip(from));
        let surplus = self.tail.len().saturating_sub(EDGE);
        self.tail.drain(..surplus);
    }

    fn found(self) -> Found {
        Found::TooLong {
            head: self.head,
            tail: self.tail,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;

    use super::*;

    /// What is found in `input`, written in pieces of `piece` bytes.
    async fn check(input: &[u8], piece: usize, expected: &[&str]) {
        let (mut writer, reader) = tokio::io::duplex(piece);
        let input = input.to_vec();
        let writing = tokio::spawn(async move { writer.write_all(&input).await });
        let mut lines = Lines::new(reader, 10);
        let mut found = Vec::new();
        loop {
            found.push(match lines.next().await {
                Found::Line(line) => String::from_utf8_lossy(lines.bytes(line)).into_owned(),
                Found::TooLong { head, tail } => format!("too long {} {}", head.len(), tail.len()),
                Found::Endless => "endless".to_owned(),
                Found::End => break,
            });
            if found.last().is_some_and(|last| last == "endless") {
                break;
            }
        }
        drop(lines);
        writing.await.unwrap().ok();
        assert_eq!(found, expected, "in pieces of {piece}");
    }

    #[tokio::test]
    async fn lines_are_cut_and_bounded() {
        for piece in [1, 3, 7, 4096] {
            check(b"", piece, &[]).await;
            check(b"one\n\ntwo\nrest", piece, &["one", "", "two", "rest"]).await;
            check(b"0123456789\nok\n", piece, &["0123456789", "ok"]).await;
            check(b"0123456789a\nok\n", piece, &["too long 11 11", "ok"]).await;
            check(b"0123456789a", piece, &["too long 11 11"]).await;
        }
    }

    #[tokio::test]
    async fn a_line_without_end_is_given_up() {
        check(&vec![b'x'; 1000], 5, &["endless"]).await;
    }

    #[tokio::test]
    async fn a_dropped_read_loses_nothing() {
        let (mut writer, reader) = tokio::io::duplex(64);
        let mut lines = Lines::new(reader, 100);
        writer.write_all(b"half").await.unwrap();
        tokio::select! {
            biased;
            _ = lines.next() => panic!("there is no line yet"),
            () = std::future::ready(()) => {}
        }
        writer.write_all(b" and half\n").await.unwrap();
        let Found::Line(line) = lines.next().await else {
            panic!("no line");
        };
        assert_eq!(lines.bytes(line), b"half and half");
    }
}
