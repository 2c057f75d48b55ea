//! How does each block look on paper? It becomes pieces and goes into the flow.

use std::rc::Rc;

use super::flow::{Flow, MOST_PAGES, Page};
use super::item::{Item, Piece};
use super::prose::{Band, kept};
use super::sheet::{self, BODY, CHAPTER, Face, MINOR, Paper, SECTION, SMALL};
use super::tags::{Role, Tags};
use crate::chart::{self, Scene};
use crate::clean;
use crate::font::Fonts;
use crate::model::{Block, Callout, Heading, Severity, Tone};
use crate::rich::Span;

mod actions;
mod cards;
mod image;

pub(crate) struct Layout<'a> {
    pub(crate) fonts: &'a Fonts,
    pub(crate) flow: Flow,
    pub(crate) tags: Tags,
    paper: Paper,
    break_next: bool,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(fonts: &'a Fonts, paper: Paper) -> Self {
        Self {
            fonts,
            flow: Flow::new(paper.text_height()),
            tags: Tags::default(),
            paper,
            break_next: false,
        }
    }

    pub(crate) fn band(&self) -> Band {
        Band {
            x: 0.0,
            width: self.paper.text_width(),
        }
    }

    pub(crate) fn block(&mut self, block: &Block) {
        let band = self.band();
        let mut pieces = match block {
            Block::Heading(heading) => self.heading(heading, band),
            Block::Paragraph { text } => self.prose(text, band, BODY),
            Block::Table(table) => self.table(table, band),
            Block::Figures { items } => self.figures(items, band),
            Block::Chart(chart) => self.drawing(chart.scene(), band),
            Block::Findings(findings) => self.findings(findings, band),
            Block::Scores { items } if items.is_empty() => Vec::new(),
            Block::Scores { items } => self.drawing(chart::gauges(items), band),
            Block::Actions { items, start } => self.actions(items, *start, band),
            Block::Images { items } => self.images(items, band),
            Block::Callout(callout) => self.callout(callout, band),
            Block::PageBreak => {
                self.break_next = true;
                Vec::new()
            }
        };
        if let Some(first) = pieces.first_mut() {
            first.break_before |= std::mem::take(&mut self.break_next);
        }
        for piece in pieces {
            self.flow.push(piece);
        }
    }

    pub(crate) fn finish(mut self) -> (Vec<Page>, Tags) {
        if self.flow.is_full() {
            let tag = self.tags.add(Role::Paragraph, None);
            let note = format!("The document ends here: it is longer than {MOST_PAGES} pages.");
            let pieces = self.lines(&[Span::plain(&note)], self.band(), SMALL, tag);
            let mut pages = self.flow.finish();
            let place = Page {
                pieces: pieces.into_iter().map(|piece| (0.0, piece)).collect(),
            };
            pages.truncate(MOST_PAGES - 1);
            pages.push(place);
            return (pages, self.tags);
        }
        (self.flow.finish(), self.tags)
    }

    fn heading(&mut self, heading: &Heading, band: Band) -> Vec<Piece> {
        let level = heading.level.clamp(1, 3);
        let text = clean::line(&heading.text);
        let (face, above, below) = match level {
            1 => (CHAPTER, 22.0, 7.0),
            2 => (SECTION, 14.0, 5.0),
            _ => (MINOR, 10.0, 3.0),
        };
        let tag = self.tags.add(Role::Heading(level + 1, text.clone()), None);
        let mut lines = kept(self.lines(&[Span::bold(&text)], band, face, tag));
        if lines.is_empty() {
            lines.push(Piece {
                height: 0.1,
                keep: true,
                ..Piece::default()
            });
        }
        if let Some(first) = lines.first_mut() {
            first.heading = Some((level, text));
        }
        lines.insert(0, Piece::gap(above, true));
        lines.push(Piece::gap(below, true));
        lines
    }

    fn drawing(&mut self, scene: Scene, band: Band) -> Vec<Piece> {
        // A page has room for the drawing and the heading above it: they stay together.
        let room = self.paper.text_height() - 80.0;
        let scale = (band.width / scene.width as f32).min(room / scene.height as f32);
        let width = scene.width as f32 * scale;
        let height = scene.height as f32 * scale;
        let described = [scene.title.as_str(), scene.description.as_str()]
            .iter()
            .filter(|text| !text.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join(". ");
        let tag = self.tags.add(Role::Figure(described), None);
        let x = band.x + (band.width - width) / 2.0;
        let piece = Piece {
            height,
            items: vec![Item::Drawing {
                x,
                y: 0.0,
                scale,
                scene: Rc::new(scene),
                tag,
            }],
            ..Piece::default()
        };
        vec![Piece::gap(6.0, true), piece, Piece::gap(14.0, false)]
    }

    fn callout(&mut self, callout: &Callout, band: Band) -> Vec<Piece> {
        let tone = tone_ink(callout.tone);
        let inner = Band {
            x: band.x + 16.0,
            width: band.width - 30.0,
        };
        let mut pieces = vec![Piece {
            height: 9.0,
            keep: true,
            ..Piece::default()
        }];
        if !callout.title.is_empty() {
            let tag = self.tags.add(Role::Paragraph, None);
            let face = Face {
                colour: tone,
                ..MINOR
            };
            pieces.extend(kept(self.lines(
                &[Span::bold(&clean::line(&callout.title))],
                inner,
                face,
                tag,
            )));
            pieces.push(Piece {
                height: 2.0,
                keep: true,
                ..Piece::default()
            });
        }
        let mut text = self.prose(&callout.text, inner, BODY);
        if text.last().is_some_and(|piece| piece.gap) {
            text.pop();
        }
        for piece in &mut text {
            // Within the colour a distance is part of the box.
            piece.gap = false;
        }
        if let Some(last) = text.last_mut() {
            last.keep = true;
        }
        pieces.extend(text);
        pieces.push(Piece {
            height: 10.0,
            ..Piece::default()
        });
        for piece in &mut pieces {
            piece.behind(band.x, 3.0, tone);
            piece.behind(band.x, band.width, sheet::SOFT);
        }
        pieces.insert(0, Piece::gap(6.0, true));
        pieces.push(Piece::gap(12.0, false));
        pieces
    }
}

pub(crate) fn tone_ink(tone: Tone) -> u32 {
    match tone {
        Tone::Good => 0x12_7a5c,
        Tone::Fair => 0x9a_6400,
        Tone::Poor => 0xb8_321f,
        Tone::Neutral => sheet::ACCENT,
    }
}

/// Dark enough for white letters on it.
pub(crate) fn severity_ink(severity: Severity) -> u32 {
    match severity {
        Severity::Critical => 0x9b_1c3c,
        Severity::Serious => 0xb4_481d,
        Severity::Moderate => 0x8a_6200,
        Severity::Minor => 0x47_709d,
    }
}
