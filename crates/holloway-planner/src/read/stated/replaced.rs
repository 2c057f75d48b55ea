//! What is replaced by what? "replace foo with bar", "swap port 8080 for 9090", "put Peter
//! wherever it says [NAME]".

use std::ops::Range;

use serde_json::json;

use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Kind;
use crate::lexicon::lists::{List, Patterns};

static RULES: Patterns = Patterns::named("said_replaced.rules");

pub(super) fn replaced(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static GOES: List = List::named("said_replaced.goes");
    static COMES: List = List::named("said_replaced.comes");
    let replaces = |parameter: &Parameter<'_>| {
        let is = |words: &[&str]| {
            let first = parameter.words.first().map_or("", String::as_str);
            words.contains(&first)
        };
        let is_text = parameter.kind == Kind::Text && !parameter.wants.is_strict();
        (is_text && is(&GOES), is_text && is(&COMES))
    };
    let (goes, comes) = replaces(parameter);
    // One alone may be anything.
    let has_both = request.parameters.iter().any(|other| replaces(other).0)
        && request.parameters.iter().any(|other| replaces(other).1);
    if !has_both || !(goes || comes) {
        return Vec::new();
    }
    let (own, start) = request.own_text();
    let hit = RULES.iter().find_map(|rule| rule.captures(own));
    let part = hit
        .as_ref()
        .and_then(|hit| hit.name(if goes { "old" } else { "new" }));
    let found = part.map(|part| {
        let place = bare(own, part.range());
        let text = own.get(place.clone()).unwrap_or_default();
        Found::new(json!(text), start + place.start..start + place.end)
    });
    found.into_iter().collect()
}

/// Without the quotation marks around it; brackets belong to what is replaced.
fn bare(text: &str, place: Range<usize>) -> Range<usize> {
    let said = text.get(place.clone()).unwrap_or_default();
    let marks = ['"', '\'', '“', '”', '`'];
    let left = said.len() - said.trim_start_matches(marks).len();
    let right = said.len() - said.trim_end_matches(marks).len();
    if left + right >= said.len() {
        return place;
    }
    place.start + left..place.end - right
}
