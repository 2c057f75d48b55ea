//! What does a reader see of an element? The computed values that checks ask for.

use super::cascade::digest;
use super::color::{Color, Paint};
use super::length::Length;
use super::value::{Display, FontSize, Position, Side, Value, Weight};

/// Text moved further than this is not on the screen.
const FAR: f32 = -400.0;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) display: Display,
    pub(crate) hidden: bool,
    pub(crate) color: Color,
    /// The colour, or the background, is something only a browser can work out.
    pub(crate) unknown_color: bool,
    pub(crate) unknown_background: bool,
    pub(crate) background: Color,
    background_paint: Paint,
    pub(crate) image: bool,
    pub(crate) font_size: f32,
    pub(crate) root_size: f32,
    pub(crate) weight: f32,
    pub(crate) italic: bool,
    pub(crate) family: u64,
    pub(crate) opacity: f32,
    pub(crate) position: Position,
    pub(crate) underline: bool,
    pub(crate) border: bool,
    pub(crate) outline: bool,
    pub(crate) shadow: bool,
    pub(crate) content: bool,
    away: bool,
    clip: bool,
    overflow_hidden: bool,
    width: Option<f32>,
    height: Option<f32>,
    max_height: Option<f32>,
    start: Option<f32>,
    end: Option<f32>,
    top: Option<f32>,
    indent: f32,
    /// A painted box before or after the element lies on or under its text.
    pub(crate) covered: bool,
    /// There is generated content before or after the element.
    pub(crate) beside: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            display: Display::Inline,
            hidden: false,
            color: Color::BLACK,
            unknown_color: false,
            unknown_background: false,
            background: Color::CLEAR,
            background_paint: Paint::Solid(Color::CLEAR),
            image: false,
            font_size: 16.0,
            root_size: 16.0,
            weight: 400.0,
            italic: false,
            family: 0,
            opacity: 1.0,
            position: Position::Static,
            underline: false,
            border: false,
            outline: false,
            shadow: false,
            content: false,
            away: false,
            clip: false,
            overflow_hidden: false,
            width: None,
            height: None,
            max_height: None,
            start: None,
            end: None,
            top: None,
            indent: 0.0,
            covered: false,
            beside: false,
        }
    }
}

impl Style {
    /// What an element has before any rule: inherited values, the rest as at the start.
    pub(crate) fn inherited(around: &Self) -> Self {
        Self {
            hidden: around.hidden,
            color: around.color,
            unknown_color: around.unknown_color,
            font_size: around.font_size,
            root_size: around.root_size,
            weight: around.weight,
            italic: around.italic,
            family: around.family,
            indent: around.indent,
            ..Self::default()
        }
    }

    pub(crate) fn set(&mut self, value: &Value, around: &Self) {
        let pixels = |length: &Length| length.resolve(self.font_size, self.root_size, 1000.0);
        match value {
            Value::Display(display) => self.display = *display,
            Value::Hidden(hidden) => self.hidden = *hidden,
            Value::Color(paint) => self.paint_text(*paint, around),
            Value::Background(paint) => self.background_paint = *paint,
            Value::BackgroundImage(image) => self.image = *image,
            Value::FontSize(size) => self.font_size = self.sized(size, around),
            Value::FontWeight(weight) => self.weight = weighted(*weight, around.weight),
            Value::Italic(italic) => self.italic = *italic,
            Value::FontFamily(family) => self.family = digest(family),
            Value::Opacity(opacity) => self.opacity = *opacity,
            Value::Position(position) => self.position = *position,
            Value::Underline(underline) => self.underline = *underline,
            Value::Border(border) => self.border = *border,
            Value::Outline(outline) => self.outline = *outline,
            Value::Shadow(shadow) => self.shadow = *shadow,
            Value::Clip(clip) => self.clip = *clip,
            Value::Overflow(hidden) => self.overflow_hidden = *hidden,
            Value::Width(length) => self.width = Some(pixels(length)),
            Value::Height(length) => self.height = Some(pixels(length)),
            Value::MaxHeight(length) => self.max_height = Some(pixels(length)),
            Value::Side(Side::Start, length) => self.start = Some(pixels(length)),
            Value::Side(Side::End, length) => self.end = Some(pixels(length)),
            Value::Side(Side::Top, length) => self.top = Some(pixels(length)),
            Value::Indent(length) => self.indent = pixels(length),
            Value::Content(content) => self.content = *content,
            Value::Away(away) => self.away = *away,
            Value::Inherit(property) => self.take_from(property, around),
            Value::Initial(property) => self.take_from(property, &Self::default()),
        }
    }

    fn paint_text(&mut self, paint: Paint, around: &Self) {
        self.unknown_color = paint == Paint::Unknown;
        match paint {
            Paint::Solid(color) => self.color = color,
            Paint::Current => {
                self.color = around.color;
                self.unknown_color = around.unknown_color;
            }
            Paint::Unknown => {}
        }
    }

    fn sized(&self, size: &FontSize, around: &Self) -> f32 {
        let size = match size {
            FontSize::Length(length) => {
                length.resolve(around.font_size, self.root_size, around.font_size)
            }
            FontSize::Factor(factor) => around.font_size * factor,
        };
        if size.is_finite() { size.clamp(0.0, 10_000.0) } else { around.font_size }
    }

    fn take_from(&mut self, property: &str, from: &Self) {
        match property {
            "display" => self.display = from.display,
            "visibility" => self.hidden = from.hidden,
            "color" => {
                self.color = from.color;
                self.unknown_color = from.unknown_color;
            }
            "background-color" => self.background_paint = from.background_paint,
            "background" => {
                self.background_paint = from.background_paint;
                self.image = from.image;
            }
            "background-image" => self.image = from.image,
            "font-size" => self.font_size = from.font_size,
            "font-weight" => self.weight = from.weight,
            "font-style" => self.italic = from.italic,
            "font-family" => self.family = from.family,
            "font" => {
                self.font_size = from.font_size;
                self.weight = from.weight;
                self.italic = from.italic;
                self.family = from.family;
            }
            "opacity" => self.opacity = from.opacity,
            "position" => self.position = from.position,
            "text-decoration" | "text-decoration-line" => self.underline = from.underline,
            "outline" | "outline-style" => self.outline = from.outline,
            "border" | "border-bottom" => self.border = from.border,
            "overflow" => self.overflow_hidden = from.overflow_hidden,
            "clip" | "clip-path" => self.clip = from.clip,
            "width" => self.width = from.width,
            "height" => self.height = from.height,
            "max-height" => self.max_height = from.max_height,
            "transform" => self.away = from.away,
            _ => {}
        }
    }

    /// Works out what depends on other values of the same element.
    pub(crate) fn settle(&mut self, is_root: bool) {
        self.unknown_background = self.background_paint == Paint::Unknown;
        self.background = match self.background_paint {
            Paint::Solid(color) => color,
            Paint::Current => self.color,
            Paint::Unknown => Color::CLEAR,
        };
        if is_root {
            self.root_size = self.font_size;
        }
    }

    pub(crate) fn set_background(&mut self, color: Color) {
        self.background_paint = Paint::Solid(color);
    }

    /// Width and height, where both are given.
    pub(crate) fn fixed_size(&self) -> Option<(f32, f32)> {
        Some((self.width?, self.height?))
    }

    /// Laid over what is around it from its upper corner on.
    pub(crate) fn starts_at_corner(&self) -> bool {
        let corner = |side: Option<f32>| side.is_some_and(|side| side.abs() < 1.0);
        corner(self.top) && (corner(self.start) || corner(self.end))
    }

    /// Cut to nothing or moved off the screen: for screen readers only.
    pub(crate) fn is_off_screen(&self) -> bool {
        let lifted = self.is_lifted();
        let tiny = |size: Option<f32>| size.is_some_and(|size| size <= 1.0);
        let far = |side: Option<f32>| side.is_some_and(|side| side <= FAR);
        (lifted && (self.clip || self.away))
            || (tiny(self.width) && tiny(self.height) && self.overflow_hidden)
            || (lifted && (far(self.start) || far(self.end) || far(self.top)))
    }

    /// Text pushed out of its box, with an image in its place.
    pub(crate) fn is_indented_away(&self) -> bool {
        self.indent <= FAR || (self.indent >= 900.0 && self.overflow_hidden)
    }

    /// No room for anything inside.
    pub(crate) fn is_flat(&self) -> bool {
        let none = |size: Option<f32>| size.is_some_and(|size| size <= 0.0);
        self.overflow_hidden && (none(self.width) || none(self.height) || none(self.max_height))
    }

    /// Taken out of the flow: what is behind it is not what is around it.
    pub(crate) fn is_lifted(&self) -> bool {
        matches!(self.position, Position::Absolute | Position::Fixed)
    }

    pub(crate) fn paints(&self) -> bool {
        let solid = match self.background_paint {
            Paint::Solid(color) => color.alpha > 0.0,
            Paint::Current | Paint::Unknown => true,
        };
        let small = |size: Option<f32>| size.is_some_and(|size| size <= 12.0);
        (solid || self.image) && !(small(self.width) || small(self.height))
    }

    pub(crate) fn is_bold(&self) -> bool {
        self.weight >= 700.0
    }

    /// 18 point, or 14 point in bold.
    pub(crate) fn is_large(&self) -> bool {
        let points = (self.font_size * 72.0).ceil() / 96.0;
        points >= 18.0 || (self.is_bold() && points >= 14.0)
    }

    pub(crate) fn is_block(&self) -> bool {
        matches!(self.display, Display::Block | Display::Part)
    }
}

fn weighted(weight: Weight, around: f32) -> f32 {
    match weight {
        Weight::Exact(exact) => exact,
        Weight::Bolder if around < 350.0 => 400.0,
        Weight::Bolder if around < 550.0 => 700.0,
        Weight::Bolder => 900.0_f32.max(around),
        Weight::Lighter if around < 550.0 => 100.0_f32.min(around),
        Weight::Lighter if around < 750.0 => 400.0,
        Weight::Lighter => 700.0,
    }
}
