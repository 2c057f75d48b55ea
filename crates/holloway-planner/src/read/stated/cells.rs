//! Which cells of a sheet does a request name? "A1:F20" for a range, "D2" for one cell; and
//! whatever looks like the example that a parameter gives of itself.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Kind;
use crate::lexicon::lists::List;

static CELLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\$?[A-Z]{1,3}\$?[1-9]\d{0,6}(?:(?::| to )\$?[A-Z]{1,3}\$?[1-9]\d{0,6})?").ok()
});

pub(super) fn cells(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static RANGES: List = List::named("said_cells.ranges");
    static SINGLE: List = List::named("said_cells.single");
    static SHEETS: List = List::named("said_cells.sheets");
    static CELL: List = List::named("said_cells.cell");
    if parameter.kind != Kind::Text || !parameter.choices.is_empty() {
        return Vec::new();
    }
    let example = CELLS.iter().find_map(|rule| {
        let about = parameter.shape.text("description");
        rule.find(about).map(|hit| hit.as_str().contains(':'))
    });
    let mut others = request.parameters.iter();
    let of_sheets = others.any(|other| other.is_called(&SHEETS));
    if !of_sheets || !parameter.says(&CELL) && example.is_none() && !parameter.is_called(&CELL) {
        return Vec::new();
    }
    let wants_range =
        parameter.is_called(&RANGES) || example == Some(true) && !parameter.is_called(&SINGLE);
    let wants_cell =
        parameter.is_called(&SINGLE) || example == Some(false) && !parameter.is_called(&RANGES);
    let text = request.text();
    let hits = CELLS.iter().flat_map(|rule| rule.find_iter(text));
    let fits = hits.filter(|hit| {
        let apart =
            |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric() && it != '-');
        let before = text
            .get(..hit.start())
            .and_then(|text| text.chars().next_back());
        let after = text.get(hit.end()..).and_then(|text| text.chars().next());
        let is_range = hit.as_str().contains([':', ' ']);
        apart(before) && apart(after) && if is_range { wants_range } else { wants_cell }
    });
    fits.map(|hit| Found::new(json!(hit.as_str().replace(" to ", ":")), hit.range()))
        .collect()
}
