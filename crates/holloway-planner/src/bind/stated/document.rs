//! Which data does a request carry with it? `{"hello": "world"}` and `[1, 2]` as they are
//! written, for whoever takes a value, or the text of one.

use std::ops::Range;

use serde_json::{Deserializer, Value, json};

use super::{Found, Request};
use crate::bind::parameter::Parameter;
use crate::bind::shape::Kind;
use crate::lexicon::lists::List;

/// Names of parameters that take data of any shape.
static TAKES: List = List::named("said_document.takes");
/// Of these, those that take it as text.
static TEXTS: List = List::named("said_document.texts");

pub(super) fn carried(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let found = documents(request.text()).into_iter();
    if takes_value(parameter) {
        return found
            .map(|(place, value)| Found::new(value, place))
            .collect();
    }
    // Where one parameter takes the value itself, the text of it is not meant.
    let is_text = parameter.kind == Kind::Text && parameter.choices.is_empty();
    let other = request.parameters.iter().any(takes_value);
    if !is_text || other || !is_one_of(parameter, &TEXTS) {
        return Vec::new();
    }
    let text = |place: Range<usize>| {
        let text = request.text().get(place.clone())?;
        Some(Found::new(json!(text), place))
    };
    found.filter_map(|(place, _)| text(place)).collect()
}

fn takes_value(parameter: &Parameter<'_>) -> bool {
    let takes = matches!(parameter.kind, Kind::Any | Kind::Object | Kind::List);
    takes && is_one_of(parameter, &TAKES)
}

fn is_one_of(parameter: &Parameter<'_>, names: &[&str]) -> bool {
    let last = parameter.words.last();
    last.is_some_and(|word| names.contains(&word.as_str()))
}

/// The objects and lists of a text, with their places.
fn documents(text: &str) -> Vec<(Range<usize>, Value)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(['{', '['])) {
        let start = at + start;
        at = start + 1;
        let rest = text.get(start..).unwrap_or_default();
        let mut read = Deserializer::from_str(rest).into_iter::<Value>();
        if let Some(Ok(value)) = read.next() {
            at = start + read.byte_offset();
            found.push((start..at, value));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_found_where_it_is_whole() {
        let check = |text: &str, expected: &[Value]| {
            let found: Vec<Value> = documents(text)
                .into_iter()
                .map(|(_, value)| value)
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            r#"post {"hello": "world"} to http://a.example/"#,
            &[json!({"hello": "world"})],
        );
        check(
            r#"send [1, {"a": 2}] and {}"#,
            &[json!([1, {"a": 2}]), json!({})],
        );
        check("fill {name} into a [link](x)", &[]);
        check("an open { brace", &[]);
    }
}
