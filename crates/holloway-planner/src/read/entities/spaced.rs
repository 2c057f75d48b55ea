//! Which names of new files have blanks, without marks around them? "save it as open orders.csv":
//! taken by its last word alone, it would be another file, maybe the one that is read.

use serde_json::json;

use super::EntityKind;
use super::Found;
use super::web::file_names;
use crate::lexicon::lists::List;

/// Words before the last one that may belong to a name.
const WORDS: usize = 3;
static STORES: List = List::named("entity_spaced.stores");
static LEADS: List = List::named("entity_spaced.leads");
/// Words that say what a file is, or that begin something else.
static NO_PART: List = List::named("entity_spaced.no_part");

pub(crate) fn find(found: &mut Found<'_>) {
    let text = found.text;
    for last in file_names(text) {
        let before = text.get(..last.start).unwrap_or_default();
        let Some(start) = start(before) else {
            continue;
        };
        let place = start..last.end;
        let name = text.get(place.clone()).unwrap_or_default();
        found.add(EntityKind::File, place, json!(name), None);
    }
}

/// Where a name begins that goes on after these words.
fn start(before: &str) -> Option<usize> {
    let mut words = before.split_inclusive(' ').rev();
    let mut start = before.len();
    for count in 0..=WORDS {
        let word = words.next()?;
        let bare = word.trim_end();
        if LEADS.contains(&bare.to_lowercase().as_str()) {
            let stores = words.any(|word| STORES.contains(&word.trim().to_lowercase().as_str()));
            return (count > 0 && stores).then_some(start);
        }
        let is_word = bare
            .chars()
            .all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
        let is_part = !NO_PART.contains(&bare.to_lowercase().as_str());
        if bare.is_empty() || !is_word || !is_part {
            return None;
        }
        start -= word.len();
    }
    None
}
