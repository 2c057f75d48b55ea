//! How are the references in a text replaced by their values, within the room that is left?

use std::fmt::Write as _;
use std::sync::Arc;

use minijinja::{Environment, ErrorKind};
use serde_json::Value;

use super::{Piece, Template};
use crate::expression::{
    Capped, Expression, ExpressionError, LANGUAGE, LONG_TEXTS, Names, guarded_blocks, is_too_large,
    reason_of, render, scope_of,
};
use crate::size::take_bytes;

pub(super) fn fill_text(
    pieces: &[Piece],
    names: &dyn Names,
    room: &mut usize,
) -> Result<String, ExpressionError> {
    let mut text = Capped::new(*room);
    // A large value has to be fetched; not twice for `{{a}}{{a}}`.
    let mut last: Option<(&Expression, Arc<Value>)> = None;
    for piece in pieces {
        let (fits, source) = match piece {
            Piece::Text(part) => (text.write_str(part).is_ok(), part.as_str()),
            Piece::Value(expression) => {
                let value = match last.take() {
                    Some((known, value)) if known == expression => value,
                    _ => expression.value(names)?,
                };
                last = Some((expression, Arc::clone(&value)));
                let fits = match &*value {
                    Value::String(part) => text.write_str(part).is_ok(),
                    other => serde_json::to_writer(&mut text, other).is_ok(),
                };
                (fits, expression.text())
            }
        };
        if !fits {
            return Err(ExpressionError::input_too_large(source, names.room()));
        }
    }
    let text = text.into_text();
    take_bytes(text.len(), room);
    Ok(text)
}

/// Fills a long text with references and blocks; for tools, which have more time than the machine.
pub fn render_text(text: &str, names: &dyn Names) -> Result<String, ExpressionError> {
    let Template::Blocks { names: own, .. } = Template::parse_blocks(text)? else {
        return Ok(text.to_owned());
    };
    fill_with(&LONG_TEXTS, text, &own, names, names.room())
}

pub(super) fn fill_blocks(
    text: &str,
    own: &[String],
    names: &dyn Names,
    room: &mut usize,
) -> Result<String, ExpressionError> {
    let filled = fill_with(&LANGUAGE, text, own, names, *room)?;
    take_bytes(filled.len(), room);
    Ok(filled)
}

fn fill_with(
    language: &Environment<'static>,
    text: &str,
    own: &[String],
    names: &dyn Names,
    room: usize,
) -> Result<String, ExpressionError> {
    let failed = |reason: String| ExpressionError::Failed {
        text: text.to_owned(),
        reason,
    };
    let too_large = || ExpressionError::too_large(text, names.room());
    let safe = guarded_blocks(text).map_err(failed)?;
    let (scope, left) = scope_of(own.iter(), names).ok_or_else(too_large)?;
    render(language, &safe, scope, room.min(left)).map_err(|error| match error.kind() {
        _ if is_too_large(&error) => too_large(),
        ErrorKind::UndefinedError => ExpressionError::Missing(reason_of(&error)),
        ErrorKind::OutOfFuel => ExpressionError::endless(text),
        _ => failed(reason_of(&error)),
    })
}
