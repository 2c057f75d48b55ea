//! How are findings set on paper? Severity, rule and mend first, then the places.

use super::blocks::{Layout, severity_ink};
use super::item::{Item, Piece};
use super::prose::{Band, kept, single};
use super::sheet::{self, BODY, Face, MINOR, SECTION, SMALL};
use super::tags::Role;
use crate::clean;
use crate::coded;
use crate::font::Style;
use crate::grouping::{Group, Spot, groups, tally};
use crate::model::{Findings, Severity};
use crate::rich::Span;

const INSET: f32 = 14.0;
/// Paper is read from start to end; more places of one rule stand in the page and the workbook.
const MOST_PLACES: usize = 4;

impl Layout<'_> {
    pub(crate) fn findings(&mut self, findings: &Findings, band: Band) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if !findings.title.is_empty() {
            let title = clean::line(&findings.title);
            let tag = self.tags.add(Role::Heading(3, title.clone()), None);
            pieces.extend(kept(self.lines(&[Span::bold(&title)], band, SECTION, tag)));
            pieces.push(Piece::gap(4.0, true));
        }
        if findings.items.is_empty() {
            let tag = self.tags.add(Role::Paragraph, None);
            pieces.extend(self.lines(&[Span::plain("Nothing was found.")], band, SMALL, tag));
            pieces.push(Piece::gap(10.0, false));
            return pieces;
        }
        pieces.push(self.tally(findings, band));
        pieces.push(Piece::gap(8.0, true));
        for group in groups(&findings.items, MOST_PLACES) {
            pieces.extend(self.group(&group, band));
        }
        pieces
    }

    fn tally(&mut self, findings: &Findings, band: Band) -> Piece {
        let tag = self.tags.add(Role::Paragraph, None);
        let mut piece = Piece {
            height: 18.0,
            keep: true,
            ..Piece::default()
        };
        let mut x = band.x;
        for (severity, count) in tally(&findings.items) {
            let text = format!("{count} {}", severity.name().to_lowercase());
            let width = self.pill(&mut piece, &text, severity, (x, 1.0), tag);
            x += width + 6.0;
        }
        piece
    }

    /// A small label in the colour of its severity; returns its width.
    fn pill(
        &mut self,
        piece: &mut Piece,
        text: &str,
        severity: Severity,
        at: (f32, f32),
        tag: usize,
    ) -> f32 {
        let face = Face {
            size: 7.4,
            leading: 10.0,
            colour: 0xff_ffff,
        };
        let (label, width) = single(
            self,
            text,
            Style::Bold,
            face,
            at.0 + 6.5,
            at.1 + 9.6,
            Some(tag),
        );
        let whole = width + 13.0;
        piece.items.push(Item::Fill {
            x: at.0,
            y: at.1,
            width: whole,
            height: 14.0,
            radius: 7.0,
            colour: severity_ink(severity),
        });
        piece.items.push(label);
        whole
    }

    fn group(&mut self, group: &Group, band: Band) -> Vec<Piece> {
        let inner = Band {
            x: band.x + INSET,
            width: band.width - INSET,
        };
        let tag = self
            .tags
            .add(Role::Heading(4, group.heading().to_owned()), None);
        let mut head = Piece {
            height: 18.0,
            keep: true,
            ..Piece::default()
        };
        let pill = self.pill(
            &mut head,
            group.severity.name(),
            group.severity,
            (inner.x, 1.5),
            tag,
        );
        let rule = clean::shorten(group.heading(), 70);
        let (name, _) = single(
            self,
            &rule,
            Style::Bold,
            MINOR,
            inner.x + pill + 7.0,
            12.2,
            Some(tag),
        );
        head.items.push(name);
        let mut pieces = vec![head];
        let facts = self.tags.add(Role::Paragraph, None);
        let mut told = vec![Span::plain(&group.facts())];
        if !group.link.is_empty() {
            told.push(Span::plain(" · "));
            told.push(Span {
                link: Some(group.link.clone()),
                ..Span::plain(group.link_text())
            });
        }
        pieces.extend(kept(self.lines(&told, inner, SMALL, facts)));
        if !group.why.is_empty() {
            let why = self.tags.add(Role::Paragraph, None);
            pieces.extend(kept(self.lines(
                &coded::spans(&group.why),
                inner,
                BODY,
                why,
            )));
        }
        if !group.mend.is_empty() {
            let mend = self.tags.add(Role::Paragraph, None);
            pieces.push(Piece {
                height: 2.0,
                keep: true,
                ..Piece::default()
            });
            let mut spans = vec![Span::bold("Mend: ")];
            spans.extend(coded::spans(&group.mend));
            pieces.extend(kept(self.lines(&spans, inner, BODY, mend)));
        }
        pieces.push(Piece {
            height: 2.0,
            keep: true,
            ..Piece::default()
        });
        for spot in &group.places {
            pieces.extend(self.spot(spot, inner));
        }
        if group.hidden() > 0 {
            let more = self.tags.add(Role::Paragraph, None);
            pieces.extend(self.lines(
                &[Span::plain(&format!("and {} more", group.hidden()))],
                inner,
                SMALL,
                more,
            ));
        }
        if let Some(last) = pieces.last_mut() {
            last.keep = false;
        }
        for piece in &mut pieces {
            piece.behind(band.x, 2.5, severity_ink(group.severity));
        }
        pieces.push(Piece::gap(15.0, false));
        pieces
    }

    fn spot(&mut self, spot: &Spot, band: Band) -> Vec<Piece> {
        let tag = self.tags.add(Role::Paragraph, None);
        let mut spans = Vec::new();
        if !spot.page.is_empty() {
            spans.push(Span {
                link: clean::outside_link(&spot.page),
                ..Span::plain(&spot.page)
            });
        }
        if !spot.element.is_empty() {
            let gap = if spans.is_empty() { "" } else { "  " };
            spans.push(Span::plain(gap));
            spans.push(Span {
                code: true,
                ..Span::plain(&spot.element)
            });
        }
        if !spot.evidence.is_empty() {
            let gap = if spans.is_empty() { "" } else { "\n" };
            spans.push(Span::plain(&format!("{gap}{}", spot.evidence)));
        }
        let mut pieces = kept(self.lines(&spans, band, SMALL, tag));
        if let Some(first) = pieces.first_mut() {
            first.shift(0.0, 3.0);
            first.height += 3.0;
            first.items.insert(
                0,
                Item::Fill {
                    x: band.x,
                    y: 0.5,
                    width: band.width,
                    height: 0.5,
                    radius: 0.0,
                    colour: sheet::LINE,
                },
            );
        }
        if let Some(last) = pieces.last_mut() {
            last.keep = false;
            last.height += 2.5;
        }
        pieces
    }
}
