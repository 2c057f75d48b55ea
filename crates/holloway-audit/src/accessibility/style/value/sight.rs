//! Which clips and moves take a box out of sight?

use cssparser::{Parser, Token};

/// `rect(…)` with at most a pixel in it, as visually hidden text is cut to.
pub(super) fn rectangle(input: &mut Parser) -> bool {
    input.expect_function_matching("rect").is_ok()
}

/// `translate…()` to the left or upwards by all of its size, or far.
pub(super) fn moves_away(input: &mut Parser) -> bool {
    let mut away = false;
    while let Ok(token) = input.next() {
        let Token::Function(name) = token else {
            continue;
        };
        let translates = name.to_ascii_lowercase().starts_with("translate");
        let inner = input.parse_nested_block(|input| {
            let mut far = false;
            while let Ok(token) = input.next() {
                far |= match token {
                    Token::Percentage { unit_value, .. } => *unit_value <= -1.0,
                    Token::Dimension { value, .. } => *value <= -400.0,
                    _ => false,
                };
            }
            Ok::<_, cssparser::ParseError<()>>(far)
        });
        away |= translates && inner.unwrap_or(false);
    }
    away
}

pub(super) fn inset(input: &mut Parser) -> bool {
    let start = input.state();
    let name = input
        .expect_function()
        .map(|name| name.to_ascii_lowercase());
    if !name.is_ok_and(|name| name == "inset") {
        input.reset(&start);
        return false;
    }
    let inner = input.parse_nested_block(|input| {
        let first = input.next().cloned();
        while input.next().is_ok() {}
        Ok::<_, cssparser::ParseError<()>>(matches!(
            first,
            Ok(Token::Percentage { unit_value, .. }) if unit_value >= 0.5
        ))
    });
    inner.unwrap_or(false)
}
