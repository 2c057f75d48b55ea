//! What does a request name? Addresses, files, amounts, dates, quoted words and names, each
//! with its place; one rule per file, the more telling rules first, no two overlapping.

use std::ops::Range;

use serde_json::Value;

use crate::frame::{Entity, EntityKind};

mod called;
mod dates;
mod label;
mod names;
mod numbers;
mod quoted;
mod spaced;
mod sums;
mod web;

/// Nobody reads more; what comes after is left out.
const ENTITIES_AT_MOST: usize = 200;

/// Everything the text names, in the order it stands there.
pub(crate) fn entities(text: &str) -> Vec<Entity> {
    let mut found = Found::new(text);
    quoted::find(&mut found);
    spaced::find(&mut found);
    called::find(&mut found);
    web::find(&mut found);
    dates::find(&mut found);
    sums::find(&mut found);
    numbers::find_amounts(&mut found);
    numbers::find_codes(&mut found);
    names::find(&mut found);
    numbers::find_numbers(&mut found);
    let mut entities = found.entities;
    entities.sort_by_key(|entity| entity.place.start);
    entities.truncate(ENTITIES_AT_MOST);
    for entity in &mut entities {
        if entity.label.is_none() {
            entity.label = label::label(text, entity);
        }
    }
    entities
}

/// What the rules have found so far.
struct Found<'a> {
    text: &'a str,
    taken: Vec<bool>,
    entities: Vec<Entity>,
}

impl<'a> Found<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            taken: vec![false; text.len()],
            entities: Vec::new(),
        }
    }

    fn is_free(&self, place: Range<usize>) -> bool {
        let taken = self.taken.get(place.clone());
        !place.is_empty() && taken.is_some_and(|taken| !taken.contains(&true))
    }

    /// Adds what stands at a place, unless something else was found there before.
    fn add(&mut self, kind: EntityKind, place: Range<usize>, value: Value, label: Option<&str>) {
        let Some(text) = self.text.get(place.clone()) else {
            return;
        };
        if !self.is_free(place.clone()) || self.entities.len() >= 4 * ENTITIES_AT_MOST {
            return;
        }
        if let Some(taken) = self.taken.get_mut(place.clone()) {
            taken.fill(true);
        }
        self.entities.push(Entity {
            kind,
            text: text.to_owned(),
            value,
            place,
            label: label.map(str::to_owned),
        });
    }

    /// The characters around a place.
    fn around(&self, place: &Range<usize>) -> (Option<char>, Option<char>) {
        let before = self.text.get(..place.start);
        let after = self.text.get(place.end..);
        (
            before.and_then(|text| text.chars().next_back()),
            after.and_then(|text| text.chars().next()),
        )
    }
}

#[cfg(test)]
mod tests;
