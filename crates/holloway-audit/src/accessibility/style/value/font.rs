//! What do declarations say about the font: weight, size, family, and the shorthand of all?

use cssparser::{Parser, Token};

use super::super::length::{self, Length};
use super::{FontSize, Value, Weight};

pub(super) fn weight(input: &mut Parser) -> Option<Weight> {
    match input.next().ok()? {
        Token::Number { value, .. } => Some(Weight::Exact(*value)),
        Token::Ident(word) => match word.to_ascii_lowercase().as_str() {
            "normal" => Some(Weight::Exact(400.0)),
            "bold" => Some(Weight::Exact(700.0)),
            "bolder" => Some(Weight::Bolder),
            "lighter" => Some(Weight::Lighter),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn font_size(input: &mut Parser) -> Option<FontSize> {
    let start = input.state();
    if let Some(length) = length::parse(input) {
        return Some(FontSize::Length(length));
    }
    input.reset(&start);
    let word = input.expect_ident().ok()?.to_ascii_lowercase();
    let pixels = match word.as_str() {
        "xx-small" => 9.0,
        "x-small" => 10.0,
        "small" => 13.0,
        "medium" => 16.0,
        "large" => 18.0,
        "x-large" => 24.0,
        "xx-large" => 32.0,
        "xxx-large" => 48.0,
        "larger" => return Some(FontSize::Factor(1.2)),
        "smaller" => return Some(FontSize::Factor(1.0 / 1.2)),
        _ => return None,
    };
    Some(FontSize::Length(Length::px(pixels)))
}

pub(super) fn family(input: &mut Parser) -> Option<String> {
    let first = input.expect_ident_or_string().ok()?;
    Some(first.to_ascii_lowercase())
}

pub(super) fn font(input: &mut Parser) -> Vec<Value> {
    let mut values = vec![
        Value::FontWeight(Weight::Exact(400.0)),
        Value::Italic(false),
    ];
    loop {
        let start = input.state();
        if let Some(size) = font_size(input) {
            values.push(Value::FontSize(size));
            break;
        }
        input.reset(&start);
        match input.next() {
            Ok(Token::Number { value, .. }) => {
                values.push(Value::FontWeight(Weight::Exact(*value)))
            }
            Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("bold") => {
                values.push(Value::FontWeight(Weight::Exact(700.0)));
            }
            Ok(Token::Ident(word)) if word.eq_ignore_ascii_case("italic") => {
                values.push(Value::Italic(true));
            }
            Ok(_) => {}
            // Without a size it is a system font, or nothing.
            Err(_) => return Vec::new(),
        }
    }
    let start = input.state();
    if input.expect_delim('/').is_ok() {
        let _line_height = input.next();
    } else {
        input.reset(&start);
    }
    values.extend(family(input).map(Value::FontFamily));
    values
}
