//! What stands where? A list of chapters with their pages, for documents of many parts.

use super::blocks::Layout;
use super::item::{Item, Piece};
use super::prose::{Band, single};
use super::sheet::{self, BODY, Face, MINOR};
use super::tags::Role;
use crate::clean;
use crate::font::Style;
use crate::model::{Block, Report};
use crate::rich::Span;

const FEWEST: usize = 6;
const MOST: usize = 60;
const LINE: Face = Face {
    leading: 15.0,
    ..BODY
};

pub(crate) fn list(layout: &mut Layout<'_>, report: &Report, band: Band) -> Vec<Piece> {
    let headings = report.blocks.iter().filter_map(|block| match block {
        Block::Heading(heading) => Some(heading),
        _ => None,
    });
    let shown: Vec<_> = headings
        .enumerate()
        .filter(|(_, heading)| heading.level <= 2)
        .collect();
    if shown.len() < FEWEST {
        return Vec::new();
    }
    let tag = layout.tags.add(Role::Paragraph, None);
    let mut pieces = super::prose::kept(layout.lines(&[Span::bold("Contents")], band, MINOR, tag));
    pieces.push(Piece::gap(3.0, true));
    for (number, heading) in shown.into_iter().take(MOST) {
        let indent = if heading.level > 1 { 14.0 } else { 0.0 };
        let colour = if heading.level > 1 {
            sheet::MUTED
        } else {
            sheet::INK
        };
        let face = Face { colour, ..LINE };
        let text = fitted(layout, &heading.text, band.width - indent - 40.0);
        let tag = layout.tags.add(Role::Paragraph, None);
        let link = layout.tags.add(Role::Link, Some(tag));
        let (item, width) = single(
            layout,
            &text,
            Style::Regular,
            face,
            band.x + indent,
            11.0,
            Some(link),
        );
        let from = band.x + indent + width + 6.0;
        let to = band.x + band.width - 26.0;
        let mut piece = Piece {
            height: LINE.leading,
            ..Piece::default()
        };
        piece.items.push(item);
        if to > from {
            piece.items.push(Item::Fill {
                x: from,
                y: 10.6,
                width: to - from,
                height: 0.4,
                radius: 0.0,
                colour: sheet::LINE,
            });
        }
        piece.items.push(Item::PageOf {
            x: band.x + band.width,
            y: 11.0,
            size: face.size,
            colour,
            heading: number,
            width: band.width,
            tag: link,
        });
        pieces.push(piece);
    }
    pieces.push(Piece::gap(14.0, false));
    pieces
}

fn fitted(layout: &Layout<'_>, text: &str, room: f32) -> String {
    let mut text = clean::shorten(&clean::line(text), 120);
    while layout.fonts.width(Style::Regular, &text) * LINE.size > room && text.chars().count() > 8 {
        text = clean::shorten(&text, text.chars().count() * 9 / 10);
    }
    text
}
