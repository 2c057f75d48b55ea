//! What is put together, and what is made of it? "total amount per region" for a tool that
//! groups rows.

use serde_json::{Value, json};

use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Kind;
use crate::lexicon::lists::{Pairs, Patterns};

static BY: Patterns = Patterns::named("said_grouped.by");
static FIGURES: Pairs = Pairs::named("said_grouped.figures");
static FIGURE: Patterns = Patterns::named("said_grouped.figure");

pub(super) fn grouped(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let first = parameter.words.first().map_or("", String::as_str);
    let text = request.text();
    let figure = FIGURE.iter().find_map(|rule| rule.captures(text));
    if first.starts_with("group") && matches!(parameter.kind, Kind::List | Kind::Text) {
        let hit = BY.iter().find_map(|rule| rule.captures(text));
        let column = hit.as_ref().and_then(|hit| hit.name("column"));
        let found = column.map(|column| {
            let value = match parameter.kind {
                Kind::List => json!([column.as_str()]),
                _ => json!(column.as_str()),
            };
            Found::new(value, column.range())
        });
        return found.into_iter().collect();
    }
    let is_free = parameter
        .shape
        .forms()
        .first()
        .is_some_and(|form| form.fields().next().is_none());
    if !first.starts_with("aggregat") || parameter.kind != Kind::Object || !is_free {
        return Vec::new();
    }
    let found = figure.and_then(|hit| {
        let (figure, column) = (hit.name("figure")?, hit.name("column")?);
        let name = FIGURES.of(&figure.as_str().to_lowercase())?;
        // Some take several figures of a column, some one.
        let form = parameter.shape.forms().into_iter().next()?;
        let of_one = form
            .word("additionalProperties")
            .map(|inner| form.at(inner).kind());
        let figures = if of_one == Some(Kind::List) {
            json!([name])
        } else {
            json!(name)
        };
        let mut value = serde_json::Map::new();
        value.insert(column.as_str().to_owned(), figures);
        Some(Found::new(
            Value::Object(value),
            figure.start()..column.end(),
        ))
    });
    found.into_iter().collect()
}
