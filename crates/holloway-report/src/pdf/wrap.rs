//! Where does a line end? Words of several looks are set side by side until the width
//! is used up, with the widths the fonts really have.

use super::item::{Item, Text};
use super::sheet::{self, Face};
use super::tags::{Role, Tags};
use crate::font::{Fonts, Run, Style, starts_right_to_left};
use crate::model::Align;
use crate::rich::Span;

/// Letters of the monospaced font are larger than their size says.
const CODE_SCALE: f32 = 0.88;

/// A part of a word, of one look.
#[derive(Clone, Debug, PartialEq)]
struct Bit {
    text: String,
    style: Style,
    link: Option<String>,
}

impl Bit {
    fn scale(&self) -> f32 {
        if self.style == Style::Mono {
            CODE_SCALE
        } else {
            1.0
        }
    }

    fn width(&self, fonts: &Fonts, size: f32) -> f32 {
        fonts.width(self.style, &self.text) * size * self.scale()
    }
}

#[derive(Clone, Debug, Default)]
struct Word {
    bits: Vec<Bit>,
    space_before: bool,
    line_before: bool,
}

/// A line that fits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    words: Vec<Word>,
    pub(crate) width: f32,
}

fn style(span: &Span) -> Style {
    match span {
        Span { code: true, .. } => Style::Mono,
        Span { bold: true, .. } => Style::Bold,
        Span { italic: true, .. } => Style::Italic,
        Span { tabular: true, .. } => Style::Tabular,
        _ => Style::Regular,
    }
}

fn words(spans: &[Span]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut next = Word::default();
    let mut finished = true;
    for span in spans {
        for (index, part) in span.text.split('\n').enumerate() {
            if index > 0 {
                next = Word {
                    line_before: true,
                    ..Word::default()
                };
                finished = true;
            }
            for piece in part.split_inclusive(|character: char| {
                character.is_whitespace() && character != '\u{a0}'
            }) {
                let text = piece.trim_end_matches(|character: char| {
                    character.is_whitespace() && character != '\u{a0}'
                });
                if !text.is_empty() {
                    if finished {
                        words.push(std::mem::take(&mut next));
                        finished = false;
                    }
                    let bit = Bit {
                        text: text.to_owned(),
                        style: style(span),
                        link: span.link.clone(),
                    };
                    if let Some(word) = words.last_mut() {
                        word.bits.push(bit);
                    }
                }
                if text.len() < piece.len() {
                    next.space_before = true;
                    finished = true;
                }
            }
        }
    }
    words
}

pub(crate) fn wrap(fonts: &Fonts, spans: &[Span], size: f32, width: f32) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut line = Line::default();
    for word in words(spans) {
        let word_width: f32 = word.bits.iter().map(|bit| bit.width(fonts, size)).sum();
        let gap = line
            .words
            .last()
            .filter(|_| word.space_before)
            .map_or(0.0, |last| space(fonts, last, &word, size));
        let full = line.width + gap + word_width > width && !line.words.is_empty();
        if full || (word.line_before && !(lines.is_empty() && line.words.is_empty())) {
            lines.push(std::mem::take(&mut line));
        }
        if word_width > width {
            broken(fonts, word, size, width, &mut lines, &mut line);
            continue;
        }
        line.width += if line.words.is_empty() { 0.0 } else { gap } + word_width;
        line.words.push(word);
    }
    if !line.words.is_empty() {
        lines.push(line);
    }
    lines
}

/// Between words of one look the space is of that look too.
fn space(fonts: &Fonts, one: &Word, two: &Word, size: f32) -> f32 {
    match (one.bits.last(), two.bits.first()) {
        (Some(one), Some(two)) if one.style == two.style && one.link == two.link => {
            fonts.width(one.style, " ") * size * one.scale()
        }
        _ => fonts.width(Style::Regular, " ") * size,
    }
}

/// A word longer than a line is cut, after a separator where there is one near.
fn broken(
    fonts: &Fonts,
    word: Word,
    size: f32,
    width: f32,
    lines: &mut Vec<Line>,
    line: &mut Line,
) {
    for bit in word.bits {
        let mut rest = bit.text.as_str();
        while !rest.is_empty() {
            let room = width - line.width;
            let end = fitting(fonts, &bit, rest, size, room);
            let end = if end == 0 && line.words.is_empty() {
                rest.chars().next().map_or(rest.len(), char::len_utf8)
            } else {
                end
            };
            if end == 0 {
                lines.push(std::mem::take(line));
                continue;
            }
            let (head, tail) = rest.split_at(end);
            let part = Bit {
                text: head.to_owned(),
                ..bit.clone()
            };
            line.width += part.width(fonts, size);
            line.words.push(Word {
                bits: vec![part],
                ..Word::default()
            });
            rest = tail;
            if !rest.is_empty() {
                lines.push(std::mem::take(line));
            }
        }
    }
}

/// How many bytes of the text fit.
fn fitting(fonts: &Fonts, bit: &Bit, text: &str, size: f32, room: f32) -> usize {
    let mut used = 0.0;
    let mut end = 0;
    let mut separator = 0;
    let mut letter = [0; 4];
    for (index, character) in text.char_indices() {
        used += fonts.width(bit.style, character.encode_utf8(&mut letter)) * size * bit.scale();
        // A little less than the room: letters measured alone leave out kerning.
        if used > room * 0.985 {
            return if separator * 2 > end { separator } else { end };
        }
        end = index + character.len_utf8();
        if matches!(
            character,
            '/' | '-' | '_' | '.' | '?' | '&' | '=' | ',' | ';' | '>'
        ) {
            separator = end;
        }
    }
    end
}

/// The widest word, for columns that must not cut it.
pub(crate) fn widest_word(fonts: &Fonts, text: &str, style: Style, size: f32) -> f32 {
    text.split_whitespace()
        .take(50)
        .map(|word| fonts.width(style, word) * size)
        .fold(0.0, f32::max)
}

/// Text that begins in a right-to-left script begins at the right.
pub(crate) fn natural(spans: &[Span]) -> Align {
    let letters = |span: &&Span| span.text.chars().any(char::is_alphabetic);
    let first = spans.iter().find(letters);
    if first.is_some_and(|span| starts_right_to_left(&span.text)) {
        Align::Right
    } else {
        Align::Left
    }
}

/// Where a line is set.
pub(crate) struct Setting<'a> {
    pub(crate) fonts: &'a Fonts,
    pub(crate) face: Face,
    pub(crate) x: f32,
    pub(crate) width: f32,
    pub(crate) align: Align,
    pub(crate) tag: usize,
}

impl Line {
    /// The items that draw this line with its upper edge at `y`.
    pub(crate) fn items(&self, setting: &Setting<'_>, y: f32, tags: &mut Tags) -> Vec<Item> {
        let Setting { fonts, face, .. } = setting;
        let baseline = y + (face.leading - face.size) / 2.0 + face.size * 0.82;
        let mut x = setting.x
            + match setting.align {
                Align::Right => (setting.width - self.width).max(0.0),
                Align::Center => ((setting.width - self.width) / 2.0).max(0.0),
                _ => 0.0,
            };
        let mut items = Vec::new();
        let mut link: Option<(String, usize)> = None;
        let space = fonts.width(Style::Regular, " ") * face.size;
        for (bit, space_before) in self.merged() {
            if space_before {
                x += space;
            }
            let size = face.size * bit.scale();
            let runs = fonts.shape(bit.style, &bit.text);
            let width: f32 = runs.iter().map(Run::width).sum::<f32>() * size;
            let tag = match &bit.link {
                None => setting.tag,
                Some(target) => match &link {
                    Some((last, tag)) if last == target => *tag,
                    _ => tags.add(Role::Link, Some(setting.tag)),
                },
            };
            link = bit.link.clone().map(|target| (target, tag));
            if bit.style == Style::Mono {
                items.push(Item::Fill {
                    x: x - 1.5,
                    y: baseline - size * 0.95,
                    width: width + 3.0,
                    height: size * 1.3,
                    radius: 2.0,
                    colour: sheet::SOFT,
                });
            }
            if let Some(target) = &bit.link {
                items.push(Item::Fill {
                    x,
                    y: baseline + 1.4,
                    width,
                    height: 0.5,
                    radius: 0.0,
                    colour: sheet::LINK,
                });
                items.push(Item::Link {
                    x,
                    y: baseline - face.size,
                    width,
                    height: face.size * 1.3,
                    target: target.clone(),
                    tag,
                });
            }
            let colour = if bit.link.is_some() {
                sheet::LINK
            } else {
                face.colour
            };
            items.push(Item::Text(Text {
                x,
                y: baseline,
                size,
                colour,
                runs,
                tag: Some(tag),
            }));
            x += width;
        }
        items
    }

    /// Neighbours of the same look as one text; scripts that join letters need that.
    fn merged(&self) -> Vec<(Bit, bool)> {
        let mut merged: Vec<(Bit, bool)> = Vec::new();
        for (index, word) in self.words.iter().enumerate() {
            for (number, bit) in word.bits.iter().enumerate() {
                let space = word.space_before && number == 0 && index > 0;
                match merged.last_mut() {
                    Some((last, _)) if last.style == bit.style && last.link == bit.link => {
                        if space {
                            last.text.push(' ');
                        }
                        last.text.push_str(&bit.text);
                    }
                    _ => merged.push((bit.clone(), space)),
                }
            }
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::format_collect, reason = "a test reads better so")]
    fn lines(spans: &[Span], width: f32) -> Vec<String> {
        let lines = wrap(&Fonts::new(), spans, 10.0, width);
        for line in &lines {
            assert!(
                line.width <= width.max(10.0) + 0.01,
                "{} > {width}",
                line.width
            );
        }
        let text = |line: &Line| {
            line.merged()
                .iter()
                .map(|(bit, space)| format!("{}{}", if *space { " " } else { "" }, bit.text))
                .collect()
        };
        lines.iter().map(text).collect()
    }

    #[test]
    fn lines_end_between_words() {
        let spans = [
            Span::plain("one two "),
            Span::bold("three"),
            Span::plain(", four\nfive"),
        ];
        assert_eq!(lines(&spans, 60.0), ["one two", "three, four", "five"]);
        assert_eq!(lines(&[Span::plain("  ")], 60.0), Vec::<String>::new());
        assert_eq!(lines(&[Span::plain("a\n\nb")], 60.0), ["a", "b"]);
    }

    #[test]
    fn a_word_longer_than_the_line_is_cut() {
        let long = "https://shop.example/a/very/long/address/without/any/space";
        let found = lines(&[Span::plain(long)], 100.0);
        assert!(found.len() > 2 && found.concat() == long, "{found:?}");
        assert!(found[0].ends_with(['/', '.']), "{found:?}");
        assert_eq!(lines(&[Span::plain("xyz")], 1.0).concat(), "xyz");
    }
}
