//! What does a declaration say about visibility, colour and text? Only the properties
//! that a check reads are kept; the others are passed over.

use cssparser::{Parser, Token};

use super::color::{self, Color, Paint};
use super::length::{self, Length};

mod font;
mod sight;
use font::{family, font, font_size, weight};
use sight::{inset, moves_away, rectangle};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Display {
    None,
    Contents,
    Inline,
    /// Laid out inside as a block, outside as a word.
    InlineBlock,
    Block,
    /// A part of a table.
    Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    Static,
    Relative,
    Absolute,
    Fixed,
}

/// One longhand property with what it is set to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Display(Display),
    Hidden(bool),
    Color(Paint),
    Background(Paint),
    BackgroundImage(bool),
    FontSize(FontSize),
    FontWeight(Weight),
    Italic(bool),
    FontFamily(String),
    Opacity(f32),
    Position(Position),
    Underline(bool),
    Border(bool),
    Outline(bool),
    Shadow(bool),
    Clip(bool),
    Overflow(bool),
    Width(Length),
    Height(Length),
    MaxHeight(Length),
    Side(Side, Length),
    Indent(Length),
    Content(bool),
    /// Moved out of its place by its own size or more.
    Away(bool),
    Inherit(&'static str),
    Initial(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Start,
    End,
    Top,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FontSize {
    Length(Length),
    /// Relative to the parent: `larger` and `smaller`.
    Factor(f32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Weight {
    Exact(f32),
    Bolder,
    Lighter,
}

/// The properties that are read; shorthands included.
const PROPERTIES: [&str; 37] = [
    "background",
    "background-color",
    "background-image",
    "border",
    "border-bottom",
    "border-bottom-style",
    "border-bottom-width",
    "border-style",
    "border-width",
    "box-shadow",
    "clip",
    "clip-path",
    "color",
    "content",
    "display",
    "font",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "height",
    "left",
    "max-height",
    "opacity",
    "outline",
    "outline-style",
    "outline-width",
    "overflow",
    "position",
    "right",
    "text-decoration",
    "text-decoration-line",
    "text-indent",
    "top",
    "transform",
    "visibility",
    "width",
];

/// The name as this module knows it, if it is read at all.
pub(crate) fn property(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let index = PROPERTIES.binary_search(&lower.as_str()).ok()?;
    PROPERTIES.get(index).copied()
}

/// What a declaration means; nothing for values that are not understood.
pub(crate) fn parse(property: &'static str, input: &mut Parser) -> Vec<Value> {
    let start = input.state();
    if let Ok(word) = input.expect_ident() {
        match word.to_ascii_lowercase().as_str() {
            "inherit" => return vec![Value::Inherit(property)],
            "initial" => return vec![Value::Initial(property)],
            "unset" | "revert" | "revert-layer" if inherits(property) => {
                return vec![Value::Inherit(property)];
            }
            "unset" => return vec![Value::Initial(property)],
            "revert" | "revert-layer" => return Vec::new(),
            _ => {}
        }
    }
    input.reset(&start);
    match property {
        "background" => background(input),
        "font" => font(input),
        _ => single(property, input).into_iter().collect(),
    }
}

pub(crate) fn inherits(property: &str) -> bool {
    matches!(
        property,
        "color"
            | "font"
            | "font-family"
            | "font-size"
            | "font-style"
            | "font-weight"
            | "text-indent"
            | "visibility"
    )
}

fn single(property: &str, input: &mut Parser) -> Option<Value> {
    match property {
        "display" => display(input).map(Value::Display),
        "visibility" => {
            let word = input.expect_ident().ok()?;
            Some(Value::Hidden(!word.eq_ignore_ascii_case("visible")))
        }
        "color" => color::parse(input).map(Value::Color),
        "background-color" => color::parse(input).map(Value::Background),
        "background-image" => Some(Value::BackgroundImage(!says(input, "none"))),
        "font-size" => font_size(input).map(Value::FontSize),
        "font-weight" => weight(input).map(Value::FontWeight),
        "font-style" => Some(Value::Italic(!says(input, "normal"))),
        "font-family" => family(input).map(Value::FontFamily),
        "opacity" => opacity(input).map(Value::Opacity),
        "position" => position(input).map(Value::Position),
        "text-decoration" | "text-decoration-line" => Some(Value::Underline(any_word(
            input,
            &["underline", "line-through", "overline"],
        ))),
        "border"
        | "border-bottom"
        | "border-style"
        | "border-width"
        | "border-bottom-style"
        | "border-bottom-width" => Some(Value::Border(line(input))),
        "outline" | "outline-style" | "outline-width" => Some(Value::Outline(line(input))),
        "box-shadow" => Some(Value::Shadow(!says(input, "none"))),
        "clip" => Some(Value::Clip(!says(input, "auto") && rectangle(input))),
        "clip-path" => Some(Value::Clip(inset(input))),
        "overflow" => Some(Value::Overflow(any_word(input, &["hidden", "clip"]))),
        "width" => length::parse(input).map(Value::Width),
        "height" => length::parse(input).map(Value::Height),
        "max-height" if says(input, "none") => Some(Value::Initial("max-height")),
        "max-height" => length::parse(input).map(Value::MaxHeight),
        "left" => length::parse(input).map(|length| Value::Side(Side::Start, length)),
        "right" => length::parse(input).map(|length| Value::Side(Side::End, length)),
        "top" => length::parse(input).map(|length| Value::Side(Side::Top, length)),
        "text-indent" => length::parse(input).map(Value::Indent),
        "content" => Some(Value::Content(
            !says(input, "none") && !says(input, "normal"),
        )),
        "transform" => Some(Value::Away(moves_away(input))),
        _ => None,
    }
}

/// Whether the value is this one word; leaves the input as it was.
fn says(input: &mut Parser, expected: &str) -> bool {
    let start = input.state();
    let said = input.expect_ident_matching(expected).is_ok();
    input.reset(&start);
    said
}

fn any_word(input: &mut Parser, words: &[&str]) -> bool {
    let mut found = false;
    while let Ok(token) = input.next() {
        if let Token::Ident(word) = token {
            found |= words.iter().any(|known| word.eq_ignore_ascii_case(known));
        }
    }
    found
}

fn display(input: &mut Parser) -> Option<Display> {
    let word = input.expect_ident().ok()?.to_ascii_lowercase();
    Some(match word.as_str() {
        "none" => Display::None,
        "contents" => Display::Contents,
        "inline" | "ruby" => Display::Inline,
        "inline-block" | "inline-flex" | "inline-grid" | "inline-table" => Display::InlineBlock,
        "table" | "block" | "flex" | "grid" | "list-item" | "flow-root" => Display::Block,
        part if part.starts_with("table-") => Display::Part,
        "-webkit-box" | "-webkit-flex" | "-ms-flexbox" => Display::Block,
        _ => return None,
    })
}

fn position(input: &mut Parser) -> Option<Position> {
    let word = input.expect_ident().ok()?.to_ascii_lowercase();
    Some(match word.as_str() {
        "static" => Position::Static,
        "relative" | "sticky" | "-webkit-sticky" => Position::Relative,
        "absolute" => Position::Absolute,
        "fixed" => Position::Fixed,
        _ => return None,
    })
}

fn opacity(input: &mut Parser) -> Option<f32> {
    match input.next().ok()? {
        Token::Number { value, .. } => Some(value.clamp(0.0, 1.0)),
        Token::Percentage { unit_value, .. } => Some(unit_value.clamp(0.0, 1.0)),
        _ => None,
    }
}

/// Whether a border or an outline is drawn: it has a style, and a width above zero.
fn line(input: &mut Parser) -> bool {
    let mut drawn = false;
    let mut count = 0;
    while let Ok(token) = input.next() {
        count += 1;
        match token {
            Token::Ident(word)
                if word.eq_ignore_ascii_case("none")
                    || word.eq_ignore_ascii_case("hidden")
                    || word.eq_ignore_ascii_case("transparent") =>
            {
                return false;
            }
            Token::Number { value: 0.0, .. } | Token::Dimension { value: 0.0, .. }
                if count == 1 =>
            {
                return false;
            }
            _ => drawn = true,
        }
    }
    drawn
}

/// The colour may stand anywhere in the shorthand; what is left out is reset.
fn background(input: &mut Parser) -> Vec<Value> {
    let mut paint = Paint::Solid(Color::CLEAR);
    let mut image = false;
    loop {
        let start = input.state();
        if let Some(found) = color::parse(input).filter(|found| *found != Paint::Unknown) {
            paint = found;
            continue;
        }
        input.reset(&start);
        match input.next() {
            Ok(Token::UnquotedUrl(_)) => image = true,
            Ok(Token::Function(name)) => {
                let name = name.to_ascii_lowercase();
                if name.contains("color") || name == "light-dark" {
                    paint = Paint::Unknown;
                } else if name == "url" || name.contains("gradient") || name.contains("image") {
                    image = true;
                }
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    vec![Value::Background(paint), Value::BackgroundImage(image)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expected: &str) {
        let known = property(name).unwrap();
        let values = parse(known, &mut Parser::new(text));
        assert_eq!(format!("{values:?}"), expected, "{name}: {text}");
    }

    #[test]
    fn declarations_are_read() {
        check("display", "inline-flex", "[Display(InlineBlock)]");
        check("display", "sideways", "[]");
        check("visibility", "collapse", "[Hidden(true)]");
        check("opacity", "50%", "[Opacity(0.5)]");
        check("font-weight", "bolder", "[FontWeight(Bolder)]");
        check(
            "text-decoration",
            "underline dotted red",
            "[Underline(true)]",
        );
        check("text-decoration", "none", "[Underline(false)]");
        check("border-bottom", "1px solid", "[Border(true)]");
        check("border", "0", "[Border(false)]");
        check("outline", "none", "[Outline(false)]");
        check("clip", "rect(0, 0, 0, 0)", "[Clip(true)]");
        check("clip-path", "inset(50%)", "[Clip(true)]");
        check("clip-path", "inset(10%)", "[Clip(false)]");
        check("color", "unset", "[Inherit(\"color\")]");
        check("display", "initial", "[Initial(\"display\")]");
        check(
            "background",
            "url(a.png) no-repeat",
            "[Background(Solid(Color { red: 0.0, green: 0.0, blue: 0.0, alpha: 0.0 })), BackgroundImage(true)]",
        );
        check(
            "font",
            "italic bold 12px/1.5 Arial, sans-serif",
            "[FontWeight(Exact(400.0)), Italic(false), Italic(true), FontWeight(Exact(700.0)), \
             FontSize(Length(Sum { px: 12.0, em: 0.0, rem: 0.0, share: 0.0 })), FontFamily(\"arial\")]",
        );
    }

    #[test]
    fn the_list_of_properties_is_sorted() {
        assert!(PROPERTIES.is_sorted());
    }
}
