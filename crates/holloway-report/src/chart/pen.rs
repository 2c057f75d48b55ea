//! How is a scene built up? A pen adds shapes and knows how wide text is.

use super::scene::{Anchor, Colour, Scene, Shape, Step};
use crate::clean;
use crate::font::{Fonts, Style};

/// Screens without the font draw text a little wider than measured.
const SAFETY: f64 = 1.04;

pub(crate) struct Pen {
    fonts: Fonts,
    shapes: Vec<Shape>,
}

/// Size, weight and colour of a text.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) colour: Colour,
}

pub(crate) const TITLE: Hand = Hand {
    size: 15.0,
    bold: true,
    colour: Colour::Ink,
};
pub(crate) const LABEL: Hand = Hand {
    size: 12.0,
    bold: false,
    colour: Colour::Muted,
};
pub(crate) const VALUE: Hand = Hand {
    size: 12.0,
    bold: true,
    colour: Colour::Ink,
};

impl Pen {
    pub(crate) fn new() -> Self {
        Self {
            fonts: Fonts::new(),
            shapes: Vec::new(),
        }
    }

    pub(crate) fn width(&self, text: &str, hand: Hand) -> f64 {
        let style = if hand.bold {
            Style::Bold
        } else {
            Style::Regular
        };
        f64::from(self.fonts.width(style, text)) * hand.size * SAFETY
    }

    /// The text, cut with an ellipsis to what fits.
    pub(crate) fn fitted(&self, text: &str, hand: Hand, room: f64) -> String {
        let text = clean::shorten(&clean::line(text), 200);
        if self.width(&text, hand) <= room {
            return text;
        }
        let count = text.chars().count();
        let cut = |kept: usize| clean::shorten(&text, kept + 1);
        // Width grows with length: the longest that fits is found by halving.
        let (mut low, mut high) = (0, count);
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if self.width(&cut(middle), hand) <= room {
                low = middle;
            } else {
                high = middle;
            }
        }
        cut(low.max(1))
    }

    pub(crate) fn text(&mut self, at: (f64, f64), anchor: Anchor, hand: Hand, content: &str) {
        self.shapes.push(Shape::Text {
            x: at.0,
            y: at.1,
            size: hand.size,
            bold: hand.bold,
            anchor,
            colour: hand.colour,
            upright: false,
            content: content.to_owned(),
        });
    }

    pub(crate) fn upright_text(&mut self, at: (f64, f64), hand: Hand, content: &str) {
        self.text(at, Anchor::Middle, hand, content);
        if let Some(Shape::Text { upright, .. }) = self.shapes.last_mut() {
            *upright = true;
        }
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour, width: f64) {
        self.shapes.push(Shape::Line {
            from,
            to,
            colour,
            width,
            dashed: false,
        });
    }

    pub(crate) fn bar(
        &mut self,
        at: (f64, f64),
        size: (f64, f64),
        radius: f64,
        fill: Colour,
        note: &str,
    ) {
        // A radius beyond half of a side would turn the bar inside out.
        let radius = radius.min(size.0 / 2.0).min(size.1 / 2.0).max(0.0);
        self.shapes.push(Shape::Box {
            x: at.0,
            y: at.1,
            width: size.0,
            height: size.1,
            radius,
            fill,
            note: note.to_owned(),
        });
    }

    pub(crate) fn path(
        &mut self,
        steps: Vec<Step>,
        fill: Option<(Colour, f64)>,
        stroke: Option<(Colour, f64)>,
        note: &str,
    ) {
        self.shapes.push(Shape::Path {
            steps,
            fill,
            stroke,
            note: note.to_owned(),
        });
    }

    pub(crate) fn dot(
        &mut self,
        at: (f64, f64),
        radius: f64,
        fill: Option<(Colour, f64)>,
        stroke: Option<(Colour, f64)>,
        note: &str,
    ) {
        self.shapes.push(Shape::Dot {
            x: at.0,
            y: at.1,
            radius,
            fill,
            stroke,
            note: note.to_owned(),
        });
    }

    pub(crate) fn finish(self, height: f64, title: String, description: String) -> Scene {
        Scene {
            width: super::WIDTH,
            height,
            title,
            description,
            shapes: self.shapes,
        }
    }
}
