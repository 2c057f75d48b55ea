//! Which tools without a server belong together? Those whose names begin with the same
//! word and that mean about the same: `hotel_search` and `hotel_booking`, but not all that
//! begins with `create`.

use rustc_hash::FxHashMap;

use crate::entry::{Entry, Field};
use crate::fusion::ALONE;
use crate::vectors::Vectors;
use crate::words::{each_word, stem};

/// A word that more names begin with says what is done rather than with what.
const TOOLS_AT_MOST: usize = 12;
/// How alike the tools of a family are in the mean, each with each other one.
const ALIKE_AT_LEAST: f32 = 0.5;

/// The families of a catalogue.
#[derive(Debug, Default)]
pub struct Families {
    /// The places of each family's tools.
    pub tools: Vec<Vec<usize>>,
    /// What each family is about.
    pub meanings: Vectors,
}

impl Families {
    pub fn of(entries: &[Entry], vectors: &Vectors) -> Self {
        let mut by_word: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (tool, entry) in entries.iter().enumerate() {
            if let Some(word) = first_word(entry) {
                by_word.entry(word).or_default().push(tool);
            }
        }
        let mut families: Vec<Vec<usize>> = by_word.into_values().collect();
        families.retain(|tools| (2..=TOOLS_AT_MOST).contains(&tools.len()));
        families.retain(|tools| likeness(tools, vectors) >= ALIKE_AT_LEAST);
        // In the order of the catalogue, whatever the order of the words was.
        families.sort_unstable();
        let mut of_tool = vec![ALONE; entries.len()];
        for (number, tools) in families.iter().enumerate() {
            for tool in tools {
                if let Some(place) = of_tool.get_mut(*tool) {
                    *place = number as u32;
                }
            }
        }
        Self {
            tools: families,
            meanings: vectors.means(&of_tool),
        }
    }
}

/// The word that a name of several words begins with; none for the tools of a server.
fn first_word(entry: &Entry) -> Option<String> {
    if !entry.server.is_empty() {
        return None;
    }
    let mut first = None;
    let mut count = 0;
    each_word(&entry.text(Field::Name), |word| {
        first.get_or_insert_with(|| stem(word));
        count += 1;
    });
    first.filter(|_| count > 1)
}

/// The mean likeness of each tool to each other one.
fn likeness(tools: &[usize], vectors: &Vectors) -> f32 {
    let mut sum = 0.0;
    let mut pairs = 0.0f32;
    for (number, tool) in tools.iter().enumerate() {
        let Some(one) = vectors.get(*tool) else {
            continue;
        };
        for other in tools.iter().skip(number + 1) {
            sum += vectors.near(&one, *other);
            pairs += 1.0;
        }
    }
    sum / pairs.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::Vector;

    #[track_caller]
    fn check(tools: &[(&str, &str, [f32; 2])], expected: &[Vec<usize>]) {
        let mut vectors = Vectors::new(2);
        let mut entries = Vec::new();
        for (name, server, vector) in tools {
            vectors.push(&Vector::of(vector));
            entries.push(Entry {
                id: (*name).to_owned(),
                server: (*server).to_owned(),
                ..Entry::default()
            });
        }
        let families = Families::of(&entries, &vectors);
        assert_eq!(families.tools, expected);
        assert_eq!(families.meanings.len(), expected.len());
    }

    const EAST: [f32; 2] = [1.0, 0.0];
    const NORTH: [f32; 2] = [0.0, 1.0];

    #[test]
    fn names_that_begin_alike_and_mean_alike_are_a_family() {
        check(
            &[
                ("train_search", "", NORTH),
                ("hotel_search", "", EAST),
                ("book", "", EAST),
                ("HotelBooking", "", [0.8, 0.6]),
            ],
            &[vec![1, 3]],
        );
    }

    #[test]
    fn what_means_other_things_or_has_a_server_is_none() {
        check(
            &[("create_file", "", EAST), ("create_user", "", NORTH)],
            &[],
        );
        check(&[("git_log", "git", EAST), ("git_diff", "git", EAST)], &[]);
        check(&[("git", "", EAST), ("git", "", EAST)], &[]);
        check(&[], &[]);
    }

    #[test]
    fn a_word_that_many_names_begin_with_makes_no_family() {
        let tools = [("get_it", "", EAST); TOOLS_AT_MOST + 1];
        check(&tools, &[]);
        check(&tools[1..], &[(0..TOOLS_AT_MOST).collect()]);
    }
}
