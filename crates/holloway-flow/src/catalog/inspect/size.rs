//! Is a definition longer than any honest one? The longest description among 500
//! real tools has under 4,000 characters.

use serde_json::Value;

use super::texts::{DEEPEST, LONGEST_TEXT, MOST_TEXTS};
use super::{Findings, Suspicion, visible};
use crate::catalog::admit::difference::pointer_part;
use crate::catalog::offer::Offer;

const MOST_BYTES: usize = 200_000;
/// The longest name of a parameter.
const LONGEST_KEY: usize = 200;

pub(super) fn look(offer: &Offer, findings: &mut Findings) {
    let name = offer.id.name();
    if name.chars().count() > LONGEST_KEY {
        findings.add(Suspicion::Oversized, "", visible::shortened(name, 80));
    }
    let mut measured = Measured::default();
    measured.add("", &offer.definition, 0);
    if measured.bytes > MOST_BYTES {
        let shown = format!("about {} bytes; {MOST_BYTES} are the most", measured.bytes);
        findings.add(Suspicion::Oversized, "", shown);
    }
    if measured.texts > MOST_TEXTS {
        let shown = format!("{} texts; {MOST_TEXTS} are the most", measured.texts);
        findings.add(Suspicion::Oversized, "", shown);
    }
    if measured.too_deep {
        let shown = format!("deeper than {DEEPEST} levels");
        findings.add(Suspicion::Oversized, "", shown);
    }
    for (place, length) in measured.long {
        let shown = format!("{length} characters");
        findings.add(Suspicion::Oversized, &place, shown);
    }
}

#[derive(Default)]
struct Measured {
    bytes: usize,
    texts: usize,
    too_deep: bool,
    long: Vec<(String, usize)>,
}

impl Measured {
    fn add(&mut self, place: &str, value: &Value, depth: usize) {
        // Nothing below is looked at, which keeps the stack short; so it must be said.
        if depth > DEEPEST {
            self.too_deep = true;
            return;
        }
        match value {
            Value::String(text) => self.add_text(place, text, LONGEST_TEXT),
            Value::Array(items) => {
                for item in items {
                    self.add(place, item, depth + 1);
                }
            }
            Value::Object(fields) => {
                for (key, field) in fields {
                    let start: String = key.chars().take(LONGEST_KEY).collect();
                    let place = format!("{place}/{}", pointer_part(&start));
                    self.add_text(&place, key, LONGEST_KEY);
                    self.add(&place, field, depth + 1);
                }
            }
            _ => self.bytes += 5,
        }
    }

    fn add_text(&mut self, place: &str, text: &str, longest: usize) {
        self.bytes += text.len() + 3;
        self.texts += 1;
        if text.len() > longest && self.long.len() < 3 {
            let length = text.chars().count();
            if length > longest {
                self.long.push((place.to_owned(), length));
            }
        }
    }
}
