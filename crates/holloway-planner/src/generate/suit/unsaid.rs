//! What do people leave unsaid? A quantity in grams is a weight, a time in two cities is about
//! zones, and a percentage of a number is to be worked out: tools say so, people do not.

use holloway_search::words::each_word;

use crate::request::zones::zone_of;
use crate::request::{Analysis, EntityKind};

/// Kinds of quantities, and the units that people name.
#[rustfmt::skip]
const UNITS: &[(&str, &[&str])] = &[
    ("weight", &["g", "gram", "grams", "kg", "kilo", "kilos", "kilogram", "kilograms", "lb", "lbs", "ounce", "ounces", "oz", "pound", "pounds", "tonnes"]),
    ("volume", &["cup", "cups", "gallon", "gallons", "liter", "liters", "litre", "litres", "milliliters", "millilitres", "ml", "pint", "pints", "tablespoon", "tablespoons", "tbsp", "teaspoon", "teaspoons", "tsp"]),
    ("temperature", &["celsius", "fahrenheit", "kelvin"]),
    ("length", &["centimeters", "centimetres", "cm", "feet", "inch", "inches", "kilometers", "kilometres", "km", "meters", "metres", "mile", "miles", "yards"]),
];
/// What is asked, and what tools that answer it speak of.
const ASKED: [(&str, &str); 6] = [
    ("square root", "sqrt"),
    ("% of", "calculate expression"),
    ("percent of", "calculate expression"),
    ("how long ago", "relative time"),
    ("how big", "file size"),
    ("how large", "file size"),
];
const TURNS: [&str; 6] = ["how many", "how much", "convert", "what", " in ", " to "];

/// Words that a text does not say and that say what it is about.
pub(super) fn unsaid(analysis: &Analysis, text: &str) -> String {
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
    words.extend(zones(analysis, text));
    let asked = ASKED.iter().filter(|(asked, _)| lower.contains(asked));
    words.extend(asked.map(|(_, words)| *words));
    words.join(" ")
}

/// A time in one city is another in the next; without a time it is the time now.
fn zones(analysis: &Analysis, text: &str) -> Option<&'static str> {
    let here = || {
        let entities = analysis.entities.iter();
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
    use crate::request::named;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        let analysis = Analysis {
            entities: named(request),
            request: request.to_owned(),
            ..Analysis::default()
        };
        assert_eq!(unsaid(&analysis, request), expected);
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
