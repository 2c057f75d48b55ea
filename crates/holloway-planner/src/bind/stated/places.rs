//! Where and how large? "the second slide", "at row 10", "a 4 by 3 table"; and which of two
//! numbers comes first.

use serde_json::{Value, json};

use super::numbers::{LIMITS, plain, previous};
use super::tokens::Token;
use super::{Found, Request};
use crate::bind::parameter::Parameter;
use crate::read::entities::EntityKind;
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

/// "4 by 3" for rows and columns, or for width and height.
pub(super) fn sized(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static FIRST: List = List::named("said_places.first");
    static SECOND: List = List::named("said_places.second");
    let is = |words: &[&str]| {
        parameter
            .words
            .iter()
            .any(|word| words.contains(&word.as_str()))
    };
    if !parameter.is_number() || !is(&FIRST) && !is(&SECOND) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, token) in request.tokens.iter().enumerate() {
        let (by, other) = (request.tokens.get(at + 1), request.tokens.get(at + 2));
        let (Some(by), Some(other)) = (by, other) else {
            break;
        };
        let is_by = matches!(by.lower.as_str(), "by" | "x" | "×") && by.kind.is_none();
        if is_by && token.is_number() && other.is_number() {
            let chosen = if is(&FIRST) { token } else { other };
            found.push(Found::new(chosen.value.clone(), chosen.place.clone()));
        }
    }
    found
}

/// "at row 10", "starting at 5" for where something begins.
pub(super) fn located(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static PLACES: List = List::named("said_places.places");
    static LEADS: List = List::named("said_places.leads");
    let last = parameter.words.last().map_or("", String::as_str);
    if !parameter.is_number() || !PLACES.contains(&last) {
        return Vec::new();
    }
    let fits = |(at, token): &(usize, &Token)| {
        let before = previous(request, *at);
        token.kind == Some(EntityKind::Number)
            && before.is_some_and(|before| LEADS.contains(&before))
    };
    let tokens = request.tokens.iter().enumerate().filter(fits);
    let found = tokens.map(|(_, token)| Found::new(token.value.clone(), token.place.clone()));
    found.collect()
}

/// The two numbers of "80 times 0.15" and of "subtract 5 from 20".
pub(super) fn operands(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let numbers: Vec<&Parameter<'_>> = request
        .parameters
        .iter()
        .filter(|one| one.required && one.is_number())
        .collect();
    let [first, second] = numbers.as_slice() else {
        return Vec::new();
    };
    let is_first = first.name == parameter.name;
    if !is_first && second.name != parameter.name || parameter.words.len() > 1 {
        return Vec::new();
    }
    let sum = request
        .tokens
        .iter()
        .find(|token| token.label.as_deref() == Some("expression"));
    if let Some(sum) = sum {
        let text = sum.value.as_str().unwrap_or_default();
        let parts = text.split(|letter: char| "*/+^%".contains(letter) || letter == '-');
        let parts: Vec<f64> = parts.filter_map(|part| part.trim().parse().ok()).collect();
        let [left, right] = parts.as_slice() else {
            return Vec::new();
        };
        // Each has a half of the expression to itself.
        let middle = sum.place.start + sum.place.len() / 2;
        return if is_first {
            vec![Found::new(plain(*left), sum.place.start..middle)]
        } else {
            vec![Found::new(plain(*right), middle..sum.place.end)]
        };
    }
    let said: Vec<&Token> = request
        .tokens
        .iter()
        .filter(|token| token.is_number())
        .collect();
    let [one, other] = said.as_slice() else {
        return Vec::new();
    };
    let verb = request
        .tokens
        .first()
        .map_or("", |token| token.lower.as_str());
    let between = request.text().get(one.place.end..other.place.start);
    let turned = matches!(verb, "subtract" | "take" | "deduct")
        && between.is_some_and(|text| text.trim() == "from");
    let chosen = if is_first == turned { other } else { one };
    vec![Found::new(chosen.value.clone(), chosen.place.clone())]
}
