//! How wide is a text, and which glyphs draw it? The embedded fonts answer, for charts
//! on screens as well as for pages on paper.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use rustybuzz::ttf_parser::Tag;
use rustybuzz::{Direction, Face, Feature, UnicodeBuffer};

pub(crate) const REPLACEMENT: char = '\u{fffd}';

/// Words are measured again and again; this many are remembered.
const REMEMBERED_WORDS: usize = 20_000;
/// Enough to see which script or signs are missing.
const REMEMBERED_MISSING: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Style {
    Regular,
    Bold,
    Italic,
    Mono,
    /// For scripts and signs the others lack.
    Fallback,
    /// Regular, with figures of one width that stand below each other.
    Tabular,
}

impl Style {
    pub(crate) const ALL: [Self; 5] = [
        Self::Regular,
        Self::Bold,
        Self::Italic,
        Self::Mono,
        Self::Fallback,
    ];

    /// The font that draws it.
    fn font(self) -> Self {
        if self == Self::Tabular {
            Self::Regular
        } else {
            self
        }
    }

    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Self::Regular | Self::Tabular => include_bytes!("../fonts/Inter-Regular.ttf"),
            Self::Bold => include_bytes!("../fonts/Inter-SemiBold.ttf"),
            Self::Italic => include_bytes!("../fonts/Inter-Italic.ttf"),
            Self::Mono => include_bytes!("../fonts/DejaVuSansMono.ttf"),
            Self::Fallback => include_bytes!("../fonts/DejaVuSans.ttf"),
        }
    }
}

/// Text of one font and one direction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) face: Style,
    pub(crate) text: String,
    pub(crate) glyphs: Vec<Shaped>,
}

/// A glyph with measures in parts of the font size.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shaped {
    pub(crate) glyph: u32,
    pub(crate) range: Range<usize>,
    pub(crate) advance: f32,
    pub(crate) offset: (f32, f32),
}

impl Run {
    pub(crate) fn width(&self) -> f32 {
        self.glyphs.iter().map(|glyph| glyph.advance).sum()
    }
}

/// The fonts, ready to measure.
pub(crate) struct Fonts {
    faces: Vec<(Style, Face<'static>)>,
    widths: RefCell<HashMap<(Style, String), f32>>,
    /// Characters that no font has, in the order they were met.
    missing: RefCell<Vec<char>>,
}

impl Fonts {
    pub(crate) fn new() -> Self {
        let faces = Style::ALL
            .into_iter()
            .filter_map(|face| Some((face, Face::from_slice(face.bytes(), 0)?)));
        Self {
            faces: faces.collect(),
            widths: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// Some of the characters that were asked for and could not be drawn.
    pub(crate) fn missing(&self) -> String {
        self.missing.borrow().iter().collect()
    }

    fn miss(&self, character: char) {
        let mut missing = self.missing.borrow_mut();
        if missing.len() < REMEMBERED_MISSING && !missing.contains(&character) {
            missing.push(character);
        }
    }

    fn face(&self, wanted: Style) -> Option<&Face<'static>> {
        let wanted = wanted.font();
        self.faces
            .iter()
            .find(|(face, _)| *face == wanted)
            .map(|(_, face)| face)
    }

    fn has(&self, face: Style, character: char) -> bool {
        self.face(face)
            .is_some_and(|face| face.glyph_index(character).is_some())
    }

    /// Width at size 1.
    pub(crate) fn width(&self, face: Style, text: &str) -> f32 {
        let key = (face, text.to_owned());
        if let Some(width) = self.widths.borrow().get(&key) {
            return *width;
        }
        let width = self.shape(face, text).iter().map(Run::width).sum();
        let mut widths = self.widths.borrow_mut();
        if widths.len() < REMEMBERED_WORDS && text.len() < 64 {
            widths.insert(key, width);
        }
        width
    }

    /// The glyphs that draw a text, in order from left to right.
    pub(crate) fn shape(&self, face: Style, text: &str) -> Vec<Run> {
        let mut pieces: Vec<(Style, bool, String)> = Vec::new();
        for character in directed(text) {
            let Some((chosen, shown)) = self.choose(face, &character) else {
                continue;
            };
            match pieces.last_mut() {
                Some((last, right, piece)) if *last == chosen && *right == character.right => {
                    piece.push(shown)
                }
                _ => pieces.push((chosen, character.right, shown.to_string())),
            }
        }
        let shaped = pieces
            .into_iter()
            .filter_map(|(face, right, text)| self.shape_run(face, right, text));
        shaped.collect()
    }

    /// The font that has the character; a replacement when none has.
    fn choose(&self, face: Style, directed: &Directed) -> Option<(Style, char)> {
        let character = if directed.letter.is_whitespace() {
            ' '
        } else {
            directed.letter
        };
        // Spaces and signs within right-to-left text stay in one run with its letters.
        let face = if directed.right {
            Style::Fallback
        } else {
            face
        };
        if self.has(face, character) {
            return Some((face, character));
        }
        let others = [Style::Fallback, Style::Regular];
        if let Some(other) = others.into_iter().find(|other| self.has(*other, character)) {
            return Some((other, character));
        }
        // Joiners and variation selectors mean nothing without their glyphs.
        let invisible = matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}' | '\u{1f3fb}'..='\u{1f3ff}');
        if invisible {
            return None;
        }
        self.miss(character);
        Some((Style::Fallback, REPLACEMENT))
    }

    fn shape_run(&self, face: Style, right_to_left: bool, text: String) -> Option<Run> {
        let font = self.face(face)?;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        buffer.guess_segment_properties();
        buffer.set_direction(if right_to_left {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        });
        let tabular = [Feature::new(Tag::from_bytes(b"tnum"), 1, ..)];
        let features: &[Feature] = if face == Style::Tabular {
            &tabular
        } else {
            &[]
        };
        let output = rustybuzz::shape(font, features, buffer);
        let unit = font.units_per_em() as f32;
        let mut starts: Vec<usize> = output
            .glyph_infos()
            .iter()
            .map(|info| info.cluster as usize)
            .collect();
        starts.sort_unstable();
        starts.dedup();
        let glyphs = output
            .glyph_infos()
            .iter()
            .zip(output.glyph_positions())
            .map(|(info, position)| {
                let start = info.cluster as usize;
                let next = starts.partition_point(|other| *other <= start);
                let end = starts.get(next).copied().unwrap_or(text.len());
                Shaped {
                    glyph: info.glyph_id,
                    range: start..end,
                    advance: position.x_advance as f32 / unit,
                    offset: (
                        position.x_offset as f32 / unit,
                        position.y_offset as f32 / unit,
                    ),
                }
            });
        let glyphs = glyphs.collect();
        Some(Run {
            face: face.font(),
            text,
            glyphs,
        })
    }
}

struct Directed {
    letter: char,
    right: bool,
}

/// Each character with its direction; what is neutral between two letters of a
/// right-to-left script belongs to them.
fn directed(text: &str) -> Vec<Directed> {
    let mut characters: Vec<Directed> = text
        .chars()
        .map(|letter| Directed {
            letter,
            right: is_right_to_left(letter),
        })
        .collect();
    if !characters.iter().any(|character| character.right) {
        return characters;
    }
    let mut waiting: Vec<usize> = Vec::new();
    let mut inside = false;
    for index in 0..characters.len() {
        let Some(character) = characters.get(index) else {
            break;
        };
        if character.right {
            for neutral in waiting.drain(..) {
                if let Some(character) = characters.get_mut(neutral) {
                    character.right = true;
                }
            }
            inside = true;
        } else if character.letter.is_alphanumeric() {
            inside = false;
            waiting.clear();
        } else if inside {
            waiting.push(index);
        }
    }
    characters
}

/// Hebrew and Arabic, the scripts the fallback font has of this kind.
pub(crate) fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

/// Does a paragraph start in a right-to-left script?
pub(crate) fn starts_right_to_left(text: &str) -> bool {
    text.chars()
        .find(|character| character.is_alphabetic())
        .is_some_and(is_right_to_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces(text: &str) -> Vec<(Style, String)> {
        let runs = Fonts::new().shape(Style::Regular, text);
        runs.into_iter().map(|run| (run.face, run.text)).collect()
    }

    #[test]
    fn every_character_finds_a_font() {
        assert_eq!(faces("Größe Ωд"), [(Style::Regular, "Größe Ωд".to_owned())]);
        assert_eq!(
            faces("a שלום עולם")[1],
            (Style::Fallback, "שלום עולם".to_owned())
        );
        assert_eq!(faces("x🦀y")[1], (Style::Fallback, "\u{fffd}".to_owned()));
        assert_eq!(faces("漢"), [(Style::Fallback, "\u{fffd}".to_owned())]);
        assert!(faces("\u{fe0f}").is_empty());
    }

    #[test]
    fn widths_add_up_and_ranges_cover_the_text() {
        let fonts = Fonts::new();
        assert!(fonts.width(Style::Bold, "Width") > fonts.width(Style::Regular, "Width"));
        assert!(fonts.width(Style::Regular, "").abs() < f32::EPSILON);
        for text in ["e\u{301}a", "שלום", "مرحبا"] {
            for run in fonts.shape(Style::Regular, text) {
                let covered: usize = run.glyphs.iter().map(|glyph| glyph.range.len()).sum();
                assert!(covered >= run.text.len(), "{text}");
            }
        }
    }
}
