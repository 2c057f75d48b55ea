//! How are figures laid out as cards in a row?

use super::super::item::{Item, Piece, Text};
use super::super::prose::Band;
use super::super::sheet::{self, Face, SMALL};
use super::super::tags::Role;
use super::{Layout, tone_ink};
use crate::clean;
use crate::figure;
use crate::font::{Run, Style};
use crate::model::{Figure, Tone};

impl Layout<'_> {
    pub(super) fn figures(&mut self, items: &[Figure], band: Band) -> Vec<Piece> {
        let mut pieces = vec![Piece::gap(4.0, true)];
        let per_row = match items.len() {
            0..=4 => items.len().max(1),
            5 | 6 | 9 => 3,
            _ => 4,
        };
        for row in items.chunks(per_row) {
            let between = 9.0;
            let width = (band.width - between * (per_row - 1) as f32) / per_row as f32;
            let mut piece = Piece {
                height: 62.0,
                ..Piece::default()
            };
            for (index, item) in row.iter().enumerate() {
                let x = band.x + (width + between) * index as f32;
                self.card(&mut piece, item, Band { x, width });
            }
            pieces.push(piece);
            pieces.push(Piece::gap(between, false));
        }
        pieces.push(Piece::gap(7.0, false));
        pieces
    }

    fn card(&mut self, piece: &mut Piece, item: &Figure, band: Band) {
        let tag = self.tags.add(Role::Paragraph, None);
        let tone = tone_ink(item.tone);
        let stripe = if item.tone == Tone::Neutral {
            sheet::LINE
        } else {
            tone
        };
        piece.items.push(Item::Fill {
            x: band.x,
            y: 0.0,
            width: band.width,
            height: 62.0,
            radius: 0.0,
            colour: sheet::SOFT,
        });
        piece.items.push(Item::Fill {
            x: band.x,
            y: 0.0,
            width: band.width,
            height: 2.0,
            radius: 0.0,
            colour: stripe,
        });
        let room = band.width - 20.0;
        let value = figure::with_unit(&figure::text(&item.value), &item.unit);
        let change = Face {
            colour: if item.tone == Tone::Neutral {
                sheet::MUTED
            } else {
                tone
            },
            ..SMALL
        };
        let value_face = Face {
            size: 17.0,
            leading: 20.0,
            colour: sheet::INK,
        };
        for (text, style, face, y) in [
            (clean::line(&item.label), Style::Regular, SMALL, 16.5),
            (clean::line(&value), Style::Bold, value_face, 37.0),
            (clean::line(&item.change), Style::Regular, change, 52.5),
        ] {
            if !text.is_empty() {
                piece
                    .items
                    .push(self.squeezed(&text, style, face, (band.x + 10.0, y), room, tag));
            }
        }
    }

    /// Smaller, then cut, until it fits.
    fn squeezed(
        &self,
        text: &str,
        style: Style,
        face: Face,
        at: (f32, f32),
        room: f32,
        tag: usize,
    ) -> Item {
        let mut text = clean::shorten(text, 120);
        let mut size = face.size;
        let width = |text: &str, size: f32| self.fonts.width(style, text) * size;
        while width(&text, size) > room && size > face.size * 0.7 {
            size *= 0.95;
        }
        while width(&text, size) > room && text.chars().count() > 3 {
            text = clean::shorten(&text, text.chars().count() - 1);
        }
        let runs: Vec<Run> = self.fonts.shape(style, &text);
        Item::Text(Text {
            x: at.0,
            y: at.1,
            size,
            colour: face.colour,
            runs,
            tag: Some(tag),
        })
    }
}
