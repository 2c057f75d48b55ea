//! Which piece stands on which page? Pieces that belong together stay together; a
//! table's header comes again on each page.

use super::item::Piece;

/// A document longer than this is cut, and says so.
pub(crate) const MOST_PAGES: usize = 600;

#[derive(Default)]
pub(crate) struct Page {
    /// Distance from the top of the text, and what stands there.
    pub(crate) pieces: Vec<(f32, Piece)>,
}

pub(crate) struct Flow {
    height: f32,
    pub(crate) pages: Vec<Page>,
    y: f32,
    /// Pieces that wait for the one they are kept with.
    waiting: Vec<Piece>,
}

impl Flow {
    pub(crate) fn new(height: f32) -> Self {
        Self {
            height,
            pages: vec![Page::default()],
            y: 0.0,
            waiting: Vec::new(),
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.pages.len() >= MOST_PAGES
    }

    pub(crate) fn push(&mut self, piece: Piece) {
        let keep = piece.keep;
        self.waiting.push(piece);
        if !keep {
            self.settle();
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Page> {
        self.settle();
        self.pages
    }

    fn settle(&mut self) {
        let group = std::mem::take(&mut self.waiting);
        let needed: f32 = group.iter().map(|piece| piece.height).sum();
        let breaks = group.iter().any(|piece| piece.break_before);
        let too_high = self.y + needed > self.height && needed <= self.height;
        if self.y > 0.0 && (breaks || too_high) {
            self.turn();
        }
        for piece in group {
            self.place(piece);
        }
    }

    fn turn(&mut self) {
        self.pages.push(Page::default());
        self.y = 0.0;
    }

    fn place(&mut self, piece: Piece) {
        if self.is_full() {
            return;
        }
        if self.y > 0.0 && self.y + piece.height > self.height && !piece.gap {
            self.turn();
        }
        if self.y == 0.0 {
            if piece.gap {
                return;
            }
            if let Some(header) = &piece.repeat {
                let header = header.silent();
                let height = header.height;
                self.put(header, height);
            }
        }
        let height = piece.height;
        self.put(piece, height);
    }

    fn put(&mut self, piece: Piece, height: f32) {
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            page.pieces.push((y, piece));
        }
        self.y += height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn check(pieces: &[(f32, bool)], expected: &[usize]) {
        let mut flow = Flow::new(100.0);
        for (height, keep) in pieces {
            flow.push(Piece {
                height: *height,
                keep: *keep,
                ..Piece::default()
            });
        }
        let found: Vec<usize> = flow.finish().iter().map(|page| page.pieces.len()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn pieces_that_belong_together_stay_together() {
        check(&[(60.0, false), (30.0, true), (20.0, false)], &[1, 2]);
        check(&[(60.0, false), (30.0, false), (20.0, false)], &[2, 1]);
        check(&[(150.0, false), (10.0, false)], &[1, 1]);
        check(&[(60.0, true), (60.0, true), (60.0, false)], &[1, 1, 1]);
        check(&[], &[0]);
    }

    #[test]
    fn a_header_comes_again_on_every_page() {
        let header = Rc::new(Piece {
            height: 20.0,
            ..Piece::default()
        });
        let mut flow = Flow::new(100.0);
        flow.push(Piece {
            keep: true,
            ..(*header).clone()
        });
        for _ in 0..6 {
            flow.push(Piece {
                height: 30.0,
                repeat: Some(Rc::clone(&header)),
                ..Piece::default()
            });
        }
        let found: Vec<usize> = flow.finish().iter().map(|page| page.pieces.len()).collect();
        assert_eq!(found, [3, 3, 3]);
    }
}
