//! Who is meant? "assign it to hedy", "what Priya committed", the two parties of a contract;
//! and the password that somebody tells.

use serde_json::json;

use super::tokens::Token;
use super::{Found, Request};
use crate::bind::parameter::{Parameter, Wants};
use crate::bind::shape::Kind;
use crate::read::entities::EntityKind;
use crate::lexicon::lists::List;

/// "Alder Labs disclosing", and the only person where one is wanted.
pub(super) fn beside(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    static PEOPLE: List = List::named("said_people.people");
    if parameter.kind != Kind::Text || parameter.wants.is_strict() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let own = |stem: &String| {
        let others = request
            .parameters
            .iter()
            .filter(|other| other.stems.contains(stem));
        parameter.stems.contains(stem) && others.count() == 1
    };
    let names = request.tokens.iter().enumerate();
    let names = names.filter(|(_, token)| {
        token.kind == Some(EntityKind::Name)
            && request.is_own(&token.place)
            && !request.tool.contains(&token.stem)
    });
    let names: Vec<(usize, &Token)> = names.collect();
    for (at, token) in &names {
        let next = request.tokens.get(at + 1).filter(|_| !token.stops);
        let follows = next.is_some_and(|next| next.lower.ends_with("ing") && own(&next.stem));
        if follows {
            found.push(Found::new(token.value.clone(), token.place.clone()));
        }
    }
    let is_person = parameter
        .words
        .iter()
        .any(|word| PEOPLE.contains(&word.as_str()));
    // Who or what is known something about.
    let is_entity = parameter.required && parameter.words == ["entity", "name"];
    let is_person = is_person || is_entity;
    if let ([(_, only)], true) = (names.as_slice(), is_person) {
        found.push(Found::new(only.value.clone(), only.place.clone()));
    }
    // Two of a kind are named in the order that they are asked for: two parties.
    let alike = request.parameters.iter().filter(|other| {
        other.required && other.words.len() > 1 && other.words.last() == parameter.words.last()
    });
    let alike: Vec<&str> = alike.map(|other| other.name).collect();
    if let ([(_, one), (_, other)], [first, second], true) = (
        names.as_slice(),
        alike.as_slice(),
        parameter.wants == Wants::Anything,
    ) {
        let named = [(*first, *one), (*second, *other)];
        let own = named.iter().find(|(name, _)| *name == parameter.name);
        found.extend(own.map(|(_, token)| Found::new(token.value.clone(), token.place.clone())));
    }
    found
}

/// "assign it to hedy" for those who are to do it.
pub(super) fn assigned(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let last = parameter.words.last().map_or("", String::as_str);
    if !matches!(last, "assignee" | "assignees") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, token) in request.tokens.iter().enumerate() {
        let before = request
            .tokens
            .get(at.saturating_sub(2)..at)
            .unwrap_or_default();
        let assigns = before
            .iter()
            .any(|before| before.lower.starts_with("assign"));
        let next = request
            .tokens
            .get(at + 1)
            .filter(|_| assigns && token.lower == "to");
        found.extend(next.map(|next| {
            let name = next.text(request.text()).trim_start_matches('@').to_owned();
            let value = if parameter.kind == Kind::List {
                json!([name])
            } else {
                json!(name)
            };
            Found::new(value, next.place.clone())
        }));
    }
    found
}

/// The password where only the word for it, or none, stands beside: "it's opensesame".
pub(super) fn password(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let last = parameter.words.last().map_or("", String::as_str);
    if !parameter.required || !matches!(last, "password" | "passphrase" | "pin" | "secret") {
        return Vec::new();
    }
    let after_is = request.tokens.windows(2).find_map(|pair| match pair {
        [is, said] if matches!(is.lower.as_str(), "it's" | "it’s") => Some(said),
        _ => None,
    });
    let mut codes = request
        .tokens
        .iter()
        .filter(|token| token.kind == Some(EntityKind::Code) && request.is_own(&token.place));
    let only = codes.next().filter(|_| codes.next().is_none());
    let found = after_is
        .or(only)
        .map(|token| Found::new(json!(token.text(request.text())), token.place.clone()));
    found.into_iter().collect()
}
