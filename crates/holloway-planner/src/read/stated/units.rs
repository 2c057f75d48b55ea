//! From what into what? Units, currencies and languages, in the words that the parameter
//! takes: "3 cups to milliliters", "100 dollars in euros", "into French".

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::tokens::Token;
use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
use crate::lexicon::lists::{List, Pairs, Rows};
use crate::read::zones::zone_of;

/// Names of the same unit, the usual sign first.
static UNITS: Rows = Rows::named("said_units.units");
static LANGUAGES: Pairs = Pairs::named("said_units.languages");

/// Whether a name says where something comes from, or what it becomes.
fn pole(parameter: &Parameter<'_>) -> Option<bool> {
    static FROM: List = List::named("said_units.from");
    static INTO: List = List::named("said_units.into");
    match (parameter.is_called(&FROM), parameter.is_called(&INTO)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// `from_unit` and `to_unit`.
pub(super) fn unit(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static NO_UNITS: List = List::named("said_units.no_units");
    let of_unit = |parameter: &Parameter<'_>| {
        parameter
            .words
            .iter()
            .any(|word| word == "unit" || word == "units")
    };
    if parameter.kind != Kind::Text || !of_unit(parameter) && !choices_are_units(parameter) {
        return Vec::new();
    }
    let Some(is_from) = pole(parameter) else {
        return Vec::new();
    };
    let source = request.tokens.iter().find(|token| {
        token.kind == Some(EntityKind::Quantity)
            && token
                .label
                .as_deref()
                .is_some_and(|label| group(label).is_some())
    });
    if is_from {
        let label = source.and_then(|token| token.label.as_deref());
        let found = source.zip(label.and_then(|label| as_taken(parameter, label)));
        // The number of the quantity is another argument.
        let place = |token: &Token| token.place.end.saturating_sub(1)..token.place.end;
        return found
            .map(|(token, value)| Found::new(value, place(token)))
            .into_iter()
            .collect();
    }
    let own = source.and_then(|token| group(token.label.as_deref()?));
    let others = request
        .tokens
        .iter()
        .filter(|token| token.kind.is_none() || token.kind == Some(EntityKind::Name));
    // "in" is a unit only where nothing else can be one.
    let others = others.filter(|token| !NO_UNITS.contains(&token.lower.as_str()));
    let others = others.filter(|token| group(&token.lower).is_some_and(|group| Some(group) != own));
    let found = others.filter_map(|token| {
        Some(Found::new(
            as_taken(parameter, &token.lower)?,
            token.place.clone(),
        ))
    });
    found.collect()
}

fn choices_are_units(parameter: &Parameter<'_>) -> bool {
    let mut choices = parameter
        .choices
        .iter()
        .filter_map(|choice| choice.as_str());
    parameter.choices.len() > 1 && choices.all(|choice| group(choice).is_some())
}

fn group(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let word = word.strip_prefix("degrees ").unwrap_or(&word);
    UNITS.iter().position(|group| group.contains(&word))
}

/// The unit in the word that the parameter takes.
fn as_taken(parameter: &Parameter<'_>, said: &str) -> Option<Value> {
    let names = UNITS.get(group(said)?)?;
    let is_same = |text: &str| names.contains(&text.to_lowercase().as_str());
    if !parameter.choices.is_empty() {
        let choice = parameter
            .choices
            .iter()
            .find(|choice| choice.as_str().is_some_and(is_same));
        return choice.map(|choice| Value::clone(choice));
    }
    let mut listed = parameter
        .description
        .split(|letter: char| !letter.is_alphanumeric() && !"/°_".contains(letter));
    let listed = listed.find(|word| word.len() > 1 && is_same(word));
    Some(json!(listed.unwrap_or(said)))
}

/// `timezone`: the zone that a city keeps its time by.
pub(super) fn zone(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let name = parameter.name.to_lowercase().replace(['_', '-'], "");
    let of_zone = name.ends_with("timezone") || matches!(name.as_str(), "tz" | "zone");
    if parameter.kind != Kind::Text || !of_zone {
        return Vec::new();
    }
    let zones = request.tokens.iter().filter_map(|token| {
        let zone = zone_of(&token.text(request.text()))?;
        Some(Found::new(json!(zone), token.place.clone()))
    });
    let zones: Vec<Found> = zones.collect();
    let Some(is_from) = pole(parameter) else {
        return zones;
    };
    // "when it is 9:00 in Oslo": the city that stands with the time is where it comes from.
    let mut tokens = request.tokens.iter();
    let time = tokens.find(|token| token.kind == Some(EntityKind::Time));
    let after = |zone: &&Found| time.is_some_and(|time| zone.place.start > time.place.start);
    let from = zones.iter().find(after).or(zones.first()).cloned();
    let other = |zone: &&Found| Some(*zone) != from.as_ref();
    let chosen = if is_from {
        from.clone()
    } else {
        zones.iter().find(other).cloned()
    };
    chosen.into_iter().collect()
}

/// `target_language`: by name or by code, as the parameter says.
pub(super) fn language(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static CODES: List = List::named("said_units.codes");
    static LEADS: List = List::named("said_units.leads");
    static NAMES: List = List::named("said_units.names_of_languages");
    let speaks = parameter.is_called(&NAMES);
    if parameter.kind != Kind::Text || !speaks {
        return Vec::new();
    }
    let wants_code = parameter.description.contains("code") || parameter.says(&CODES);
    let mut found = Vec::new();
    for (at, token) in request.tokens.iter().enumerate() {
        let Some((_, code)) = LANGUAGES.iter().find(|(name, _)| *name == token.lower) else {
            continue;
        };
        let lead = at.checked_sub(1).and_then(|at| request.tokens.get(at));
        let lead = lead.map_or("", |lead| lead.lower.as_str());
        let fits = match pole(parameter) {
            Some(true) => lead == "from",
            Some(false) => lead != "from",
            None => LEADS.contains(&lead),
        };
        let value = if wants_code {
            json!(*code)
        } else {
            json!(token.text(request.text()))
        };
        let chosen = parameter.choices.iter().find(|choice| {
            choice.as_str().is_some_and(|choice| {
                choice.eq_ignore_ascii_case(code) || stem(&choice.to_lowercase()) == token.stem
            })
        });
        let value = chosen.map_or(value, |choice| Value::clone(choice));
        if fits {
            found.push(Found::new(value, token.place.clone()));
        }
    }
    found
}
