//! Who is meant? "assign it to hedy", "what Priya committed", the two parties of a contract;
//! and the password that somebody tells.

use super::tokens::Token;
use super::{Found, Request};
use crate::catalogue::parameter::{Parameter, Wants};
use crate::catalogue::shape::Kind;
use crate::frame::EntityKind;
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
