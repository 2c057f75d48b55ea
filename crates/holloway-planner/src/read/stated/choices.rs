//! Which of the values that a parameter lists does a request ask for, in whatever words?
//! "the average" for `mean`, "biggest first" for `descending`, "PNGs" for `png`; and which
//! switches: "including subfolders".

use std::ops::Range;

use holloway_search::words::stem;
use serde_json::{Value, json};

use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Kind;
use crate::lexicon::lists::{List, Table};

/// What people say, by the words that schemas have for it.
static SAYINGS: Table = Table::named("said_choices.sayings");
/// Names of switches and what turns them on.
static SWITCHES: Table = Table::named("said_choices.switches");

pub(super) fn chosen(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    if parameter.kind == Kind::Boolean {
        return switched(request, parameter);
    }
    let listed = listed(parameter);
    let mut found = Vec::new();
    for (text, value) in &listed {
        for (names, sayings) in SAYINGS.iter() {
            let lower = text.to_lowercase();
            if !names.split_whitespace().any(|name| name == lower) {
                continue;
            }
            let said = sayings.iter().filter_map(|saying| mention(request, saying));
            found.extend(said.map(|place| Found::new(value.clone(), place)));
        }
        if let Some(place) = own_words(request, parameter, text) {
            found.push(Found::new(value.clone(), place));
        }
    }
    // The longest way of saying it is the one that is meant.
    found.sort_by_key(|found| usize::MAX - found.place.len());
    found
}

/// The values that a parameter lists: as choices, or in what is said about it.
fn listed(parameter: &Parameter<'_>) -> Vec<(String, Value)> {
    static FREE: Table = Table::named("said_choices.free");
    let choices = parameter.choices.iter();
    let choices =
        choices.filter_map(|choice| Some((choice.as_str()?.to_owned(), Value::clone(choice))));
    let choices: Vec<(String, Value)> = choices.collect();
    if !choices.is_empty() || parameter.kind != Kind::Text {
        return choices;
    }
    // `"jpeg" or "png"`, and names that leave little room: a strategy, an operation.
    let about = parameter.shape.text("description");
    let quoted = about.split(['"', '\'', '`']).skip(1).step_by(2);
    let plain = |word: &&str| {
        !word.is_empty()
            && word.len() < 20
            && word.chars().all(|it| it.is_ascii_lowercase() || it == '_')
    };
    let mut listed: Vec<&str> = quoted.filter(plain).collect();
    let known = FREE
        .iter()
        .find(|(name, _)| parameter.words.last().is_some_and(|word| word == name));
    if listed.is_empty() {
        listed.extend(
            known
                .into_iter()
                .flat_map(|(_, values)| values.iter().copied()),
        );
    }
    if listed.len() < 2 {
        return Vec::new();
    }
    listed
        .into_iter()
        .map(|text| (text.to_owned(), json!(text)))
        .collect()
}

/// The words of a value themselves, one after the other, also inside "squash-merge".
fn own_words(request: &Request<'_>, parameter: &Parameter<'_>, text: &str) -> Option<Range<usize>> {
    let wanted: Vec<String> = super::terms(text);
    let (own, start) = request.own_text();
    let mut words: Vec<(String, Range<usize>)> = Vec::new();
    let mut from = None;
    for (at, letter) in own.char_indices().chain([(own.len(), ' ')]) {
        match (from, letter.is_alphanumeric()) {
            (None, true) => from = Some(at),
            (Some(begin), false) => {
                let word = own.get(begin..at).unwrap_or_default().to_lowercase();
                words.push((stem(&word), start + begin..start + at));
                from = None;
            }
            _ => {}
        }
    }
    if wanted.is_empty() || wanted.len() == 1 && text.len() < 3 {
        return None;
    }
    // What names the tool or another parameter was not said for this one.
    let is_common = wanted.iter().all(|word| request.tool.contains(word));
    if is_common && !parameter.required {
        return None;
    }
    let hit = words.windows(wanted.len()).find(|window| {
        window
            .iter()
            .zip(&wanted)
            .all(|((word, _), wanted)| word == wanted)
    })?;
    let place = hit.first()?.1.start..hit.last()?.1.end;
    // Not inside what is quoted, or the name of a file.
    let in_entity = request.frame.entities.iter().any(|entity| {
        let inside = entity.place.start <= place.start && place.end <= entity.place.end;
        inside && entity.place.len() > place.len() + 2
    });
    (!in_entity).then_some(place)
}

/// A switch that is turned on in other words than its name.
fn switched(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static EMPTY: List = List::named("said_choices.empty");
    let bare: Vec<&str> = parameter
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| !EMPTY.contains(word))
        .collect();
    let name = bare.join("_");
    let mut found = Vec::new();
    for (switch, sayings) in SWITCHES.iter() {
        if *switch != name {
            continue;
        }
        let said = sayings.iter().filter_map(|saying| mention(request, saying));
        found.extend(said.map(|place| Found::new(json!(!is_denied(request, &place)), place)));
    }
    found
}

fn is_denied(request: &Request<'_>, place: &Range<usize>) -> bool {
    static DENIALS: List = List::named("bind_candidates.denials");
    let before = request.text().get(..place.start).unwrap_or_default();
    let last = before.split_whitespace().rev().take(2);
    last.map(str::to_lowercase)
        .any(|word| DENIALS.contains(&word.as_str()))
}

/// Where the call's own clause says this.
fn mention(request: &Request<'_>, saying: &str) -> Option<Range<usize>> {
    let (own, start) = request.own_text();
    let lower = own.to_lowercase();
    if lower.len() != own.len() {
        return None;
    }
    let apart = |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric());
    let hit = lower.match_indices(saying).find(|(at, _)| {
        let before = lower.get(..*at).and_then(|text| text.chars().next_back());
        let after = lower
            .get(at + saying.len()..)
            .and_then(|text| text.chars().next());
        apart(before) && apart(after)
    });
    let hit = hit.map(|(at, _)| start + at..start + at + saying.len());
    hit.or_else(|| apart_by_one(&lower, start, saying))
}

/// "biggest stuff first" for "biggest first".
fn apart_by_one(lower: &str, start: usize, saying: &str) -> Option<Range<usize>> {
    let (first, last) = saying
        .split_once(' ')
        .filter(|(_, last)| *last == "first")?;
    let at = lower.find(first)?;
    let rest = lower.get(at..)?;
    let mut words = rest.split_whitespace().skip(2).take(2);
    let follows = words.any(|word| word.trim_end_matches([',', '.', '!', '?']) == last);
    let end = rest.find(" first")? + " first".len();
    follows.then_some(start + at..start + at + end)
}
