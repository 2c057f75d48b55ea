//! What stands on a page? Items, in pieces that are never cut.

use std::rc::Rc;

use crate::chart::Scene;
use crate::font::Run;

/// Coordinates from the left edge of the text and the upper edge of the piece.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Fill {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        radius: f32,
        colour: u32,
    },
    Text(Text),
    /// Where a click leads out of the document.
    Link {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        target: String,
        tag: usize,
    },
    Drawing {
        x: f32,
        y: f32,
        scale: f32,
        scene: Rc<Scene>,
        tag: usize,
    },
    Picture {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        pixels: krilla::image::Image,
        tag: usize,
    },
    /// The number of the page where a heading stands, ending at `x`.
    PageOf {
        x: f32,
        y: f32,
        size: f32,
        colour: u32,
        heading: usize,
        width: f32,
        tag: usize,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) x: f32,
    /// Of the baseline.
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) colour: u32,
    pub(crate) runs: Vec<Run>,
    pub(crate) tag: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) height: f32,
    pub(crate) items: Vec<Item>,
    /// Stands on the same page as the next piece.
    pub(crate) keep: bool,
    /// Only distance: vanishes at the top of a page.
    pub(crate) gap: bool,
    /// Comes first when a page begins with this piece.
    pub(crate) repeat: Option<Rc<Piece>>,
    pub(crate) break_before: bool,
    /// Level and text of a heading that stands here.
    pub(crate) heading: Option<(u8, String)>,
}

impl Piece {
    pub(crate) fn gap(height: f32, keep: bool) -> Self {
        Self {
            height,
            keep,
            gap: true,
            ..Self::default()
        }
    }

    /// Moves everything in it.
    pub(crate) fn shift(&mut self, right: f32, down: f32) {
        for item in &mut self.items {
            let (x, y) = match item {
                Item::Fill { x, y, .. }
                | Item::Link { x, y, .. }
                | Item::Drawing { x, y, .. }
                | Item::Picture { x, y, .. }
                | Item::PageOf { x, y, .. } => (x, y),
                Item::Text(text) => (&mut text.x, &mut text.y),
            };
            *x += right;
            *y += down;
        }
    }

    /// Puts a colour behind the whole piece, across `width`.
    pub(crate) fn behind(&mut self, x: f32, width: f32, colour: u32) {
        // A hair higher than the piece: neighbours must not show a seam.
        self.items.insert(
            0,
            Item::Fill {
                x,
                y: 0.0,
                width,
                height: self.height + 0.4,
                radius: 0.0,
                colour,
            },
        );
    }

    /// For a repeated header: what was read once is not read again.
    pub(crate) fn silent(&self) -> Self {
        let mut copy = self.clone();
        for item in &mut copy.items {
            if let Item::Text(text) = item {
                text.tag = None;
            }
        }
        copy
    }
}
