//! How does each block look on paper? It becomes pieces and goes into the flow.

use std::rc::Rc;

use super::flow::{Flow, MOST_PAGES, Page};
use super::item::{Item, Piece};
use super::prose::{Band, kept, single};
use super::sheet::{self, BODY, CHAPTER, Face, MINOR, Paper, SECTION, SMALL};
use super::tags::{Role, Tags};
use crate::chart::{self, Scene};
use crate::clean;
use crate::coded;
use crate::font::{Fonts, Style};
use crate::model::{Action, Block, Callout, Heading, Severity, Tone};
use crate::plan;
use crate::rich::Span;

mod cards;

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
            Block::Actions { items } => self.actions(items, band),
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

    fn actions(&mut self, items: &[Action], band: Band) -> Vec<Piece> {
        let list = self.tags.add(Role::List(true), None);
        let inner = Band {
            x: band.x + 30.0,
            width: band.width - 30.0,
        };
        let mut pieces = Vec::new();
        let (full, rest) = plan::split(items);
        for (index, action) in full.iter().enumerate() {
            let entry = self.tags.add(Role::Entry, Some(list));
            let body = self.tags.add(Role::EntryBody, Some(entry));
            let bold = Face { size: 10.0, ..BODY };
            let mut own = self.lines(
                &[Span::bold(&clean::line(&action.title))],
                inner,
                bold,
                body,
            );
            let facts = facts(action);
            if !facts.is_empty() {
                own.extend(self.lines(&[Span::plain(&facts)], inner, SMALL, body));
            }
            if !action.detail.is_empty() {
                let muted = Face {
                    size: 9.0,
                    leading: 13.0,
                    colour: sheet::INK,
                };
                own.extend(self.lines(&coded::spans(&action.detail), inner, muted, body));
            }
            let mut own = kept(own);
            if let Some(first) = own.first_mut() {
                first.shift(0.0, 6.0);
                first.height += 6.0;
                let number = (index + 1).to_string();
                let face = Face {
                    size: 8.6,
                    leading: 10.0,
                    colour: sheet::ACCENT,
                };
                let (_, width) = single(self, &number, Style::Bold, face, 0.0, 0.0, None);
                let (label, _) = single(
                    self,
                    &number,
                    Style::Bold,
                    face,
                    band.x + 9.5 - width / 2.0,
                    16.2,
                    Some(body),
                );
                first.items.insert(
                    0,
                    Item::Fill {
                        x: band.x,
                        y: 3.6,
                        width: 19.0,
                        height: 19.0,
                        radius: 9.5,
                        colour: 0xe8_eef6,
                    },
                );
                first.items.insert(1, label);
            }
            if let Some(last) = own.last_mut() {
                last.keep = false;
                last.height += 6.5;
                let y = last.height - 0.5;
                last.items.push(Item::Fill {
                    x: band.x,
                    y,
                    width: band.width,
                    height: 0.5,
                    radius: 0.0,
                    colour: sheet::LINE,
                });
            }
            pieces.extend(own);
        }
        pieces.push(Piece::gap(12.0, false));
        if let Some(rest) = rest {
            pieces.extend(self.table(&rest, band));
        }
        pieces
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

fn facts(action: &Action) -> String {
    let named = [
        ("Priority", &action.priority),
        ("Impact", &action.impact),
        ("Effort", &action.effort),
    ];
    let mut facts: Vec<String> = named
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}: {}", clean::line(value)))
        .collect();
    if !action.domain.is_empty() {
        facts.push(clean::line(&action.domain));
    }
    facts.join("  ·  ")
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
