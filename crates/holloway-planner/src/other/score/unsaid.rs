//! What do people leave unsaid? A quantity in grams is a weight, a time in two cities is about
//! zones, and a percentage of a number is to be worked out: tools say so, people do not.

use holloway_search::words::each_word;

use crate::frame::{EntityKind, Frame};
use crate::lexicon::lists::{List, Pairs, Table};
use crate::read::zones::zone_of;

/// Kinds of quantities, and the units that people name.
static UNITS: Table = Table::named("score_unsaid.units");
/// What is asked, and what tools that answer it speak of.
static ASKED: Pairs = Pairs::named("score_unsaid.asked");
static TURNS: List = List::named("score_unsaid.turns");

/// Words that a text does not say and that say what it is about.
pub(super) fn unsaid(frame: &Frame, text: &str) -> String {
    let lower = text.to_lowercase();
    let mut words: Vec<&str> = Vec::new();
    if TURNS.iter().any(|turn| lower.contains(turn)) {
        each_word(&lower, |word| {
            let kind = UNITS.iter().find(|(_, units)| units.contains(&word));
            if let Some((kind, _)) = kind.filter(|(kind, _)| !words.contains(kind)) {
                words.extend(["convert", "unit", kind]);
            }
        });
    }
    words.extend(zones(frame, text));
    let asked = ASKED.iter().filter(|(asked, _)| lower.contains(asked));
    words.extend(asked.map(|(_, words)| *words));
    words.join(" ")
}

/// A time in one city is another in the next; without a time it is the time now.
fn zones(frame: &Frame, text: &str) -> Option<&'static str> {
    let here = || {
        let entities = frame.entities.iter();
        entities.filter(|entity| !entity.text.is_empty() && text.contains(&entity.text))
    };
    let is_city =
        |kind: EntityKind, name: &str| kind == EntityKind::Name && zone_of(name).is_some();
    let cities = here().filter(|entity| is_city(entity.kind, &entity.text));
    let has_time = here().any(|entity| entity.kind == EntityKind::Time);
    match (cities.count(), has_time) {
        (1.., true) => Some("convert time between time zones"),
        (1.., false) if text.to_lowercase().contains("time") => Some("current time in a time zone"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        let frame = crate::read::other::read(request);
        assert_eq!(unsaid(&frame, request), expected);
    }

    #[test]
    fn what_is_left_unsaid_is_added() {
        check("how many pounds are 450 g", "convert unit weight");
        check("what is that in celsius", "convert unit temperature");
        check(
            "If it's 15:30 in Oslo, what is that in Berlin?",
            "convert time between time zones",
        );
        check("what's 17.5% of 2,340", "calculate expression");
        check("list the files", "");
    }
}
