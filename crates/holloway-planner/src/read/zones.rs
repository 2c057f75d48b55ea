//! By which zone does a city keep its time? For tools that take `Europe/Oslo` where people
//! say "Oslo".

use crate::lexicon::lists::Pairs;

static ZONES: Pairs = Pairs::named("zones.cities");

/// The zone of a city, or a zone as it stands.
pub(crate) fn zone_of(name: &str) -> Option<&'static str> {
    let plain = name.trim().to_lowercase().replace('_', " ");
    let mut zones = ZONES.iter().map(|(_, zone)| *zone);
    let own = || zones.find(|zone| zone.eq_ignore_ascii_case(name.trim()));
    ZONES.of(&plain).or_else(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cities_keep_the_time_of_their_zone() {
        for (name, expected) in [
            ("Oslo", Some("Europe/Oslo")),
            ("New York", Some("America/New_York")),
            ("San Francisco", Some("America/Los_Angeles")),
            ("europe/oslo", Some("Europe/Oslo")),
            ("Atlantis", None),
        ] {
            assert_eq!(zone_of(name), expected, "{name}");
        }
    }
}
