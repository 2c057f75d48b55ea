//! How is Markdown set? Paragraphs, lists, quotes and code, each line a piece, with no
//! line left alone at the end or the beginning of a page.

use super::blocks::Layout;
use super::item::{Item, Piece, Text};
use super::sheet::{self, BODY, CODE, Face, MINOR, SECTION};
use super::tags::Role;
use super::wrap::{Line, Setting, natural, wrap};
use crate::font::{Run, Style};
use crate::model::{Align, Table};
use crate::rich::{self, Part, Span};

const INDENT: f32 = 14.0;
/// Distance between paragraphs, in parts of the leading.
const APART: f32 = 0.55;

/// The band in which text is set.
#[derive(Clone, Copy)]
pub(crate) struct Band {
    pub(crate) x: f32,
    pub(crate) width: f32,
}

impl Layout<'_> {
    /// Markdown in a band, as pieces that end with a gap.
    pub(crate) fn prose(&mut self, markdown: &str, band: Band, face: Face) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut list: Option<usize> = None;
        for part in rich::parts(markdown) {
            if !matches!(part, Part::Item(..)) {
                list = None;
            }
            match part {
                Part::Paragraph(spans) => {
                    let tag = self.tags.add(Role::Paragraph, None);
                    pieces.extend(self.lines(&spans, band, face, tag));
                    pieces.push(Piece::gap(face.leading * APART, false));
                }
                Part::Heading(level, spans) => {
                    let text = spans
                        .iter()
                        .map(|span| span.text.as_str())
                        .collect::<String>();
                    let tag = self.tags.add(Role::Heading(level + 2, text), None);
                    let bold: Vec<Span> = spans
                        .into_iter()
                        .map(|span| Span { bold: true, ..span })
                        .collect();
                    let face = if level < 2 { SECTION } else { MINOR };
                    pieces.push(Piece::gap(6.0, true));
                    pieces.extend(kept(self.lines(&bold, band, face, tag)));
                    pieces.push(Piece::gap(3.0, true));
                }
                Part::Item(depth, marker, spans) => {
                    let numbered = marker.ends_with('.');
                    let list =
                        *list.get_or_insert_with(|| self.tags.add(Role::List(numbered), None));
                    pieces.extend(self.entry(depth, &marker, &spans, band, face, list));
                }
                Part::Quote(spans) => {
                    let tag = self.tags.add(Role::Quote, None);
                    let inner = Band {
                        x: band.x + INDENT,
                        width: band.width - INDENT,
                    };
                    let muted = Face {
                        colour: sheet::MUTED,
                        ..face
                    };
                    for mut piece in self.lines(&spans, inner, muted, tag) {
                        piece.behind(band.x + 2.0, 2.2, sheet::LINE);
                        pieces.push(piece);
                    }
                    pieces.push(Piece::gap(face.leading * APART, false));
                }
                Part::Code(text) => pieces.extend(self.code(&text, band)),
                Part::Table(rows) => pieces.extend(self.small_table(rows, band)),
                Part::Rule => {
                    let mut rule = Piece {
                        height: 13.0,
                        ..Piece::default()
                    };
                    rule.items.push(Item::Fill {
                        x: band.x,
                        y: 6.0,
                        width: band.width,
                        height: 0.7,
                        radius: 0.0,
                        colour: sheet::LINE,
                    });
                    pieces.push(rule);
                }
            }
        }
        pieces
    }

    fn entry(
        &mut self,
        depth: usize,
        marker: &str,
        spans: &[Span],
        band: Band,
        face: Face,
        list: usize,
    ) -> Vec<Piece> {
        let entry = self.tags.add(Role::Entry, Some(list));
        let body = self.tags.add(Role::EntryBody, Some(entry));
        let left = INDENT * depth.min(6) as f32;
        let inner = Band {
            x: band.x + left,
            width: (band.width - left).max(40.0),
        };
        let mut pieces = self.lines(spans, inner, face, body);
        if let Some(first) = pieces.first_mut()
            && !marker.is_empty()
        {
            let line = wrap(self.fonts, &[Span::plain(marker)], face.size, 60.0);
            let x = inner.x - 5.0 - line.first().map_or(0.0, |line| line.width);
            let setting = Setting {
                fonts: self.fonts,
                face,
                x,
                width: 60.0,
                align: Align::Left,
                tag: body,
            };
            let marks = line
                .iter()
                .flat_map(|line| line.items(&setting, 0.0, &mut self.tags))
                .collect::<Vec<_>>();
            first.items.splice(0..0, marks);
        }
        pieces.push(Piece::gap(face.leading * 0.22, false));
        pieces
    }

    /// The lines of a text, one piece each.
    pub(crate) fn lines(
        &mut self,
        spans: &[Span],
        band: Band,
        face: Face,
        tag: usize,
    ) -> Vec<Piece> {
        let lines = wrap(self.fonts, spans, face.size, band.width);
        let count = lines.len();
        let setting = Setting {
            fonts: self.fonts,
            face,
            x: band.x,
            width: band.width,
            align: natural(spans),
            tag,
        };
        let pieces = lines
            .iter()
            .enumerate()
            .map(|(index, line): (usize, &Line)| Piece {
                height: face.leading,
                items: line.items(&setting, 0.0, &mut self.tags),
                // The first two and the last two lines stay together.
                keep: count > 1 && (index == 0 || index + 2 == count),
                ..Piece::default()
            });
        pieces.collect()
    }

    fn code(&mut self, text: &str, band: Band) -> Vec<Piece> {
        let tag = self.tags.add(Role::Code, None);
        let mut pieces = vec![padding(7.0, true)];
        let room = band.width - 20.0;
        for source in text.lines() {
            for cut in cut(self, source, room) {
                let runs = self.fonts.shape(Style::Mono, &cut);
                let line = Text {
                    x: band.x + 10.0,
                    y: CODE.size + 1.0,
                    size: CODE.size,
                    colour: CODE.colour,
                    runs,
                    tag: Some(tag),
                };
                pieces.push(Piece {
                    height: CODE.leading,
                    items: vec![Item::Text(line)],
                    ..Piece::default()
                });
            }
        }
        if let Some(last) = pieces.last_mut() {
            last.keep = true;
        }
        pieces.push(padding(7.0, false));
        for piece in &mut pieces {
            piece.behind(band.x, band.width, sheet::SOFT);
        }
        pieces.push(Piece::gap(BODY.leading * APART, false));
        pieces
    }

    fn small_table(&mut self, rows: Vec<Vec<Vec<Span>>>, band: Band) -> Vec<Piece> {
        let plain = |cell: Vec<Span>| cell.into_iter().map(|span| span.text).collect::<String>();
        let mut rows = rows
            .into_iter()
            .map(|row| row.into_iter().map(plain).collect::<Vec<String>>());
        let header = rows.next().unwrap_or_default();
        let columns = header.iter().map(|title| crate::model::Column {
            key: title.clone(),
            title: title.clone(),
            ..Default::default()
        });
        let table = Table {
            columns: columns.collect(),
            rows: rows
                .map(|row| row.into_iter().map(serde_json::Value::String).collect())
                .collect(),
            ..Table::default()
        };
        self.table(&table, band)
    }
}

/// A line of code is cut anywhere: its spaces count.
fn cut(layout: &Layout<'_>, source: &str, room: f32) -> Vec<String> {
    let letter = layout.fonts.width(Style::Mono, "m") * CODE.size;
    let most = (room / letter).floor().max(1.0) as usize;
    let letters: Vec<char> = source.replace('\t', "    ").chars().collect();
    if letters.is_empty() {
        return vec![String::new()];
    }
    letters
        .chunks(most)
        .map(|part| part.iter().collect())
        .collect()
}

fn padding(height: f32, keep: bool) -> Piece {
    Piece {
        height,
        keep,
        ..Piece::default()
    }
}

pub(crate) fn kept(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for piece in &mut pieces {
        piece.keep = true;
    }
    pieces
}

/// Text on one line, without breaking it.
pub(crate) fn single(
    layout: &Layout<'_>,
    text: &str,
    style: Style,
    face: Face,
    x: f32,
    baseline: f32,
    tag: Option<usize>,
) -> (Item, f32) {
    let runs = layout.fonts.shape(style, text);
    let width = runs.iter().map(Run::width).sum::<f32>() * face.size;
    let item = Item::Text(Text {
        x,
        y: baseline,
        size: face.size,
        colour: face.colour,
        runs,
        tag,
    });
    (item, width)
}
