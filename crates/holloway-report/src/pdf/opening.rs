//! How does a document open? Title, what it is about, when and by whom, the summary, and
//! the contents when there are many parts.

use super::blocks::Layout;
use super::contents;
use super::item::{Item, Piece};
use super::prose::{Band, kept};
use super::sheet::{self, LEAD, SMALL, SUBTITLE, TITLE};
use super::tags::Role;
use crate::clean;
use crate::model::Report;
use crate::rich::Span;

pub(crate) fn place(layout: &mut Layout<'_>, report: &Report) {
    let band = layout.band();
    let title = clean::line(&report.title);
    let tag = layout.tags.add(Role::Heading(1, title.clone()), None);
    let mut pieces = vec![Piece {
        height: 6.0,
        keep: true,
        ..Piece::default()
    }];
    pieces.extend(kept(layout.lines(&[Span::bold(&title)], band, TITLE, tag)));
    let byline = crate::html::byline(report);
    for (text, face, gap) in [
        (clean::line(&report.subtitle), SUBTITLE, 4.0),
        (byline.join(" · "), SMALL, 6.0),
    ] {
        if !text.is_empty() {
            let tag = layout.tags.add(Role::Paragraph, None);
            pieces.push(Piece::gap(gap, true));
            pieces.extend(kept(layout.lines(&[Span::plain(&text)], band, face, tag)));
        }
    }
    pieces.push(accent(band));
    if !report.summary.trim().is_empty() {
        pieces.extend(layout.prose(&report.summary, band, LEAD));
        pieces.push(Piece::gap(8.0, false));
    }
    pieces.extend(contents::list(layout, report, band));
    for piece in pieces {
        layout.flow.push(piece);
    }
}

fn accent(band: Band) -> Piece {
    let mut piece = Piece {
        height: 30.0,
        ..Piece::default()
    };
    piece.items.push(Item::Fill {
        x: band.x,
        y: 12.0,
        width: band.width,
        height: 2.0,
        radius: 0.0,
        colour: sheet::ACCENT,
    });
    piece
}
