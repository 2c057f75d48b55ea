//! What does a goal ask, without what it names? Where something is, and how much of it, says nothing
//! about what is to be done with it.

use crate::frame::{Entity, EntityKind};

/// A text without numbers, days, codes, addresses and files.
pub(super) fn without_values(entities: &[Entity], text: &str) -> String {
    use EntityKind::{Code, Date, Email, File, Money, Number, Path, Quantity, Time, Url};
    let places = [Url, Email, Path, File];
    let values = [Number, Quantity, Money, Date, Time, Code];
    let text = without(entities, text, &places);
    without(entities, &text, &values)
}

/// A text without what it quotes.
pub(super) fn without_quotes(entities: &[Entity], text: &str) -> String {
    without(entities, text, &[EntityKind::Quoted])
}

fn without(entities: &[Entity], text: &str, kinds: &[EntityKind]) -> String {
    let mut text = text.to_owned();
    let named = entities
        .iter()
        .filter(|entity| kinds.contains(&entity.kind));
    for entity in named.filter(|entity| !entity.text.is_empty()) {
        text = text.replace(&entity.text, " ");
    }
    text
}

pub(super) fn is_file(entity: &Entity) -> bool {
    matches!(entity.kind, EntityKind::File | EntityKind::Path)
}

/// The two halves of `octocat/hello-world`.
pub(super) fn owner_and_name(entity: &Entity) -> Option<(&str, &str)> {
    use EntityKind::{Code, File, Path, Url};
    if !matches!(entity.kind, Path | File | Code | Url) {
        return None;
    }
    let text = entity.text.as_str();
    let text = text.strip_prefix("https://github.com/").unwrap_or(text);
    let (owner, name) = text.split_once('/')?;
    let plain = |part: &str| {
        let letters = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        !part.is_empty() && !part.starts_with('.') && part.chars().all(letters)
    };
    (plain(owner) && plain(name)).then_some((owner, name))
}
