//! Where and how large? "the second slide", "at row 10", "a 4 by 3 table"; and which of two
//! numbers comes first.

use serde_json::{Value, json};

use super::numbers::LIMITS;
use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::lexicon::lists::List;

/// "the second slide" for `slide_index`, "page 3" is no ordinal.
pub(super) fn ordinal(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static ORDINALS: List = List::named("said_places.ordinals");
    if !parameter.is_number() {
        return Vec::new();
    }
    let is_index = parameter.words.last().is_some_and(|word| word == "index");
    let mut found = Vec::new();
    for (at, token) in request.tokens.iter().enumerate() {
        let which = ORDINALS.iter().position(|word| *word == token.lower);
        let Some((which, next)) = which.zip(request.tokens.get(at + 1)) else {
            continue;
        };
        let speaks = parameter.stems.contains(&next.stem) && next.kind.is_none();
        let from_one = parameter.description.contains("1-based")
            || parameter.shape.word("minimum").and_then(Value::as_i64) == Some(1);
        let counts = parameter
            .words
            .iter()
            .any(|word| LIMITS.contains(&word.as_str()));
        if speaks && !counts {
            let number = which + usize::from(!is_index || from_one);
            found.push(Found::new(json!(number), token.place.start..next.place.end));
        }
    }
    found
}
