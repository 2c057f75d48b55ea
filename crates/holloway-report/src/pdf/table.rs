//! How does a table fit the page? Columns get the width their text asks for, cells wrap,
//! the header comes again on every page.

use std::rc::Rc;

use super::blocks::Layout;
use super::item::{Item, Piece};
use super::prose::Band;
use super::sheet::{self, CELL, Face, MINOR, SMALL};
use super::tags::Role;
use super::wrap::{Setting, natural, widest_word, wrap};
use crate::clean::shorten;
use crate::font::Style;
use crate::grid::Grid;
use crate::model::{Align, Column, Table};
use crate::rich::Span;

const BETWEEN: f32 = 12.0;
const PADDING: f32 = 3.6;
/// A cell longer than this would not fit any page.
const MOST_LINES: usize = 40;
const LONGEST_CELL: usize = 3000;
/// Up to this many characters a text stays on one line.
const SHORT: usize = 14;
/// Rows that are looked at to find the widths.
const SAMPLE: usize = 200;

impl Layout<'_> {
    pub(crate) fn table(&mut self, table: &Table, band: Band) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if !table.title.is_empty() {
            let tag = self.tags.add(Role::Paragraph, None);
            let title = self.lines(
                &[Span::bold(&crate::clean::line(&table.title))],
                band,
                MINOR,
                tag,
            );
            pieces.push(Piece::gap(4.0, true));
            pieces.extend(super::prose::kept(title));
            pieces.push(Piece::gap(2.0, true));
        }
        let grid = Grid::new(table);
        let tag = self.tags.add(Role::Table, None);
        if grid.columns.is_empty() || grid.len() == 0 {
            let tag = self.tags.add(Role::Paragraph, None);
            pieces.extend(self.lines(&[Span::plain("No rows")], band, SMALL, tag));
        } else {
            pieces.extend(self.rows(&grid, band, tag));
        }
        if !table.note.is_empty() {
            let tag = self.tags.add(Role::Paragraph, None);
            pieces.push(Piece::gap(4.0, true));
            pieces.extend(self.lines(&[Span::plain(&table.note)], band, SMALL, tag));
        }
        pieces.push(Piece::gap(12.0, false));
        pieces
    }

    fn rows(&mut self, grid: &Grid<'_>, band: Band, tag: usize) -> Vec<Piece> {
        let face = match grid.columns.len() {
            0..=7 => CELL,
            8..=10 => Face {
                size: 7.4,
                leading: 10.2,
                ..CELL
            },
            _ => Face {
                size: 6.2,
                leading: 8.6,
                ..CELL
            },
        };
        let between = if grid.columns.len() > 10 {
            BETWEEN / 2.0
        } else {
            BETWEEN
        };
        let widths = self.widths(
            grid,
            face,
            band.width - between * (grid.columns.len() - 1) as f32,
        );
        let mut places = Vec::new();
        let mut x = band.x;
        for width in widths {
            places.push(Band { x, width });
            x += width + between;
        }
        let titles: Vec<String> = grid
            .columns
            .iter()
            .map(|column| column.title.clone())
            .collect();
        let head = Face {
            colour: sheet::MUTED,
            ..face
        };
        let mut header = self.row(&titles, &grid.columns, &places, head, (tag, true));
        header.items.push(line(band, header.height - 1.0, 1.0));
        header.keep = true;
        let repeat = Rc::new(header.clone());
        let mut pieces = vec![header];
        for row in grid.rows() {
            let mut piece = self.row(&grid.texts(row), &grid.columns, &places, face, (tag, false));
            piece.items.push(line(band, piece.height - 0.5, 0.5));
            piece.repeat = Some(Rc::clone(&repeat));
            pieces.push(piece);
        }
        pieces
    }

    /// One row; `role` is the table's tag and whether this is its header.
    fn row(
        &mut self,
        cells: &[String],
        columns: &[Column],
        places: &[Band],
        face: Face,
        role: (usize, bool),
    ) -> Piece {
        let row = self.tags.add(Role::Row, Some(role.0));
        let mut piece = Piece::default();
        let mut most = 1;
        for ((cell, column), place) in cells.iter().zip(columns).zip(places) {
            let cell_role = if role.1 { Role::HeaderCell } else { Role::Cell };
            let tag = self.tags.add(cell_role, Some(row));
            let text = shorten(cell, LONGEST_CELL);
            let span = if role.1 {
                Span::bold(&text)
            } else {
                Span {
                    tabular: column.align == Align::Right,
                    ..Span::plain(&text)
                }
            };
            // Left as settled, except that right-to-left text starts at its right.
            let align = if column.align == Align::Left {
                natural(std::slice::from_ref(&span))
            } else {
                column.align
            };
            let mut lines = wrap(self.fonts, &[span], face.size, place.width);
            lines.truncate(MOST_LINES);
            most = most.max(lines.len());
            let setting = Setting {
                fonts: self.fonts,
                face,
                x: place.x,
                width: place.width,
                align,
                tag,
            };
            for (index, line) in lines.iter().enumerate() {
                let y = PADDING + face.leading * index as f32;
                piece.items.extend(line.items(&setting, y, &mut self.tags));
            }
        }
        piece.height = face.leading * most as f32 + 2.0 * PADDING;
        piece
    }

    /// What each column gets of the room: all it wants when that fits, otherwise its
    /// longest word and a share of the rest.
    fn widths(&self, grid: &Grid<'_>, face: Face, room: f32) -> Vec<f32> {
        let mut wanted = Vec::new();
        let mut least = Vec::new();
        for (index, column) in grid.columns.iter().enumerate() {
            let title = self.fonts.width(Style::Bold, &column.title) * face.size;
            let mut full = title;
            let short = column.title.chars().count() <= SHORT;
            let mut word = if short {
                title
            } else {
                widest_word(self.fonts, &column.title, Style::Bold, face.size)
            };
            for row in grid.rows().iter().take(SAMPLE) {
                let text = shorten(&grid.text(row, index), 300);
                full = full.max(self.fonts.width(Style::Tabular, &text) * face.size);
                // A number or a date that wraps is hard to read.
                let whole = column.align == Align::Right || text.chars().count() <= SHORT;
                let widest = if whole {
                    self.fonts.width(Style::Tabular, &text) * face.size
                } else {
                    widest_word(self.fonts, &text, Style::Tabular, face.size)
                };
                word = word.max(widest);
            }
            wanted.push((full + 1.0).min(room));
            least.push((word + 1.0).min(room * 0.4).min(full + 1.0));
        }
        shared(&wanted, &least, room)
    }
}

fn line(band: Band, y: f32, height: f32) -> Item {
    Item::Fill {
        x: band.x,
        y,
        width: band.width,
        height,
        radius: 0.0,
        colour: sheet::LINE,
    }
}

fn shared(wanted: &[f32], least: &[f32], room: f32) -> Vec<f32> {
    let all: f32 = wanted.iter().sum();
    let needed: f32 = least.iter().sum();
    if all <= room {
        let more = (room - all) / wanted.len().max(1) as f32;
        return wanted.iter().map(|width| width + more).collect();
    }
    if needed >= room {
        return least.iter().map(|width| width * room / needed).collect();
    }
    let part = (room - needed) / (all - needed);
    wanted
        .iter()
        .zip(least)
        .map(|(wanted, least)| least + (wanted - least) * part)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_is_shared_out() {
        let check = |wanted: &[f32], least: &[f32], expected: &[f32]| {
            assert_eq!(shared(wanted, least, 100.0), expected)
        };
        check(&[20.0, 40.0], &[20.0, 10.0], &[40.0, 60.0]);
        check(&[20.0, 200.0], &[20.0, 40.0], &[20.0, 80.0]);
        check(&[150.0, 150.0], &[100.0, 100.0], &[50.0, 50.0]);
    }
}
