//! How is an action plan set on paper? A number in a circle, what to do, how urgent it is, and
//! the places where it is needed.

use super::super::item::{Item, Piece};
use super::super::prose::{Band, kept, single};
use super::super::sheet::{self, BODY, Face, SMALL};
use super::super::tags::Role;
use super::Layout;
use crate::clean;
use crate::coded;
use crate::font::Style;
use crate::model::{Action, Spot};
use crate::plan;
use crate::rich::Span;

const INSET: f32 = 30.0;
const DETAIL: Face = Face {
    size: 9.0,
    leading: 13.0,
    colour: sheet::INK,
};
const NUMBER: Face = Face {
    size: 8.6,
    leading: 10.0,
    colour: sheet::ACCENT,
};

impl Layout<'_> {
    pub(super) fn actions(&mut self, items: &[Action], start: usize, band: Band) -> Vec<Piece> {
        let list = self.tags.add(Role::List(true), None);
        let (full, rest) = plan::split(items, start);
        let mut pieces = Vec::new();
        for (index, action) in full.iter().enumerate() {
            pieces.extend(self.action(action, start + index, list, band));
        }
        pieces.push(Piece::gap(12.0, false));
        if let Some(rest) = rest {
            pieces.extend(self.table(&rest, band));
        }
        pieces
    }

    fn action(&mut self, action: &Action, number: usize, list: usize, band: Band) -> Vec<Piece> {
        let inner = Band {
            x: band.x + INSET,
            width: band.width - INSET,
        };
        let entry = self.tags.add(Role::Entry, Some(list));
        let body = self.tags.add(Role::EntryBody, Some(entry));
        let bold = Face { size: 10.0, ..BODY };
        let title = clean::line(&action.title);
        let mut own = self.lines(&[Span::bold(&title)], inner, bold, body);
        let facts = facts(action);
        if !facts.is_empty() {
            own.extend(self.lines(&[Span::plain(&facts)], inner, SMALL, body));
        }
        if !action.detail.is_empty() {
            own.extend(self.lines(&coded::spans(&action.detail), inner, DETAIL, body));
        }
        let mut own = kept(own);
        for place in &action.places {
            own.extend(self.place(place, inner, body));
        }
        if action.more > 0 {
            let more = format!("and {} more", action.more);
            own.extend(self.lines(&[Span::plain(&more)], inner, SMALL, body));
        }
        self.framed(own, number, body, band)
    }

    fn place(&mut self, place: &Spot, band: Band, tag: usize) -> Vec<Piece> {
        let mut spans = Vec::new();
        if !place.page.is_empty() {
            let page = clean::shorten(&clean::line(&place.page), 110);
            spans.push(Span {
                link: clean::outside_link(&place.page),
                ..Span::plain(&page)
            });
        }
        for (is_element, text) in [(true, &place.element), (false, &place.evidence)] {
            if text.is_empty() {
                continue;
            }
            let gap = if spans.is_empty() { "" } else { "   " };
            spans.push(Span::plain(gap));
            let is_code = is_element || text.starts_with('<');
            spans.push(Span {
                code: is_code,
                ..Span::plain(&clean::shorten(&clean::line(text), 160))
            });
        }
        let mut pieces = self.lines(&spans, band, SMALL, tag);
        if let Some(first) = pieces.first_mut() {
            first.shift(0.0, 1.5);
            first.height += 1.5;
        }
        pieces
    }

    /// With the number before and a line below.
    fn framed(&mut self, pieces: Vec<Piece>, number: usize, tag: usize, band: Band) -> Vec<Piece> {
        let mut pieces = pieces;
        if let Some(first) = pieces.first_mut() {
            first.shift(0.0, 6.0);
            first.height += 6.0;
            let number = number.to_string();
            let (_, width) = single(self, &number, Style::Bold, NUMBER, 0.0, 0.0, None);
            let x = band.x + 9.5 - width / 2.0;
            let (label, _) = single(self, &number, Style::Bold, NUMBER, x, 16.2, Some(tag));
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
        if let Some(last) = pieces.last_mut() {
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
        pieces
    }
}

fn facts(action: &Action) -> String {
    let named = [
        ("Priority: ", &action.priority),
        ("", &action.impact),
        ("Effort: ", &action.effort),
        ("", &action.domain),
    ];
    let facts: Vec<String> = named
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}{}", clean::line(value)))
        .collect();
    facts.join("  ·  ")
}
