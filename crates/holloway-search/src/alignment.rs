//! How well do a request and a tool cover each other, word by word? A word is covered
//! as far as the other side has the same one or one that is near in meaning.

use rustc_hash::FxHashMap;

use crate::lexical::{Held, Lexical, Term};
use crate::table::{Table, to_length_one};
use crate::vectors::{Vector, Vectors};
use crate::words::{each_word, is_empty_word, stem};

/// Words less alike have nothing to do with each other.
const ALIKE_AT_LEAST: f32 = 0.2;
/// Of a long request only the most telling words are compared.
const ASKED_AT_MOST: usize = 32;

/// What the terms of a catalogue mean, and how much each one tells.
#[derive(Debug)]
pub struct Wording {
    meanings: Vectors,
    tells: Vec<f32>,
}

/// A word of a request.
#[derive(Clone, Debug)]
pub struct Asked {
    term: Option<Term>,
    meaning: Vector,
    tells: f32,
}

/// How far each is covered by the other side, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cover {
    /// The name of the tool, by the request.
    pub name: f32,
    /// Its description, by the request.
    pub description: f32,
    /// The request, by all that the tool says.
    pub request: f32,
}

impl Wording {
    pub fn of(lexical: &Lexical, table: &Table) -> Self {
        let mut wording = Self {
            meanings: Vectors::new(table.dimensions()),
            tells: Vec::with_capacity(lexical.forms().len()),
        };
        for (term, form) in lexical.forms().iter().enumerate() {
            let (meaning, tells) = understood(table, form, lexical.rarity(Some(term as Term)));
            wording.meanings.push(&meaning);
            wording.tells.push(tells);
        }
        wording
    }

    /// The words of a request, each but once.
    pub fn asked(lexical: &Lexical, table: &Table, request: &str) -> Vec<Asked> {
        let mut stems: Vec<String> = Vec::new();
        let mut asked = Vec::new();
        each_word(request, |word| {
            let stem = stem(word);
            if is_empty_word(word) || stems.contains(&stem) {
                return;
            }
            let term = lexical.term(&stem);
            let (meaning, tells) = understood(table, word, lexical.rarity(term));
            stems.push(stem);
            asked.push(Asked {
                term,
                meaning,
                tells,
            });
        });
        asked.sort_by(|one, other| other.tells.total_cmp(&one.tells));
        asked.truncate(ASKED_AT_MOST);
        asked
    }

    /// For each of these tools, how well it and the request cover each other.
    pub fn covers(&self, lexical: &Lexical, asked: &[Asked], tools: &[usize]) -> Vec<Cover> {
        if asked.is_empty() {
            return vec![Cover::default(); tools.len()];
        }
        let mut rows: FxHashMap<Term, usize> = FxHashMap::default();
        let mut alike: Vec<f32> = Vec::new();
        for held in tools.iter().flat_map(|tool| lexical.held(*tool)) {
            // Tools have many words in common: each is compared but once.
            rows.entry(held.term).or_insert_with(|| {
                let begin = alike.len();
                alike.extend(asked.iter().map(|asked| self.likeness(asked, held.term)));
                begin
            });
        }
        let cover = |tool: &usize| {
            let words = lexical.held(*tool).iter().filter_map(|held| {
                let begin = *rows.get(&held.term)?;
                let alike = alike.get(begin..begin + asked.len())?;
                let tells = *self.tells.get(held.term as usize)?;
                Some((*held, tells, alike))
            });
            cover(words, asked)
        };
        tools.iter().map(cover).collect()
    }

    fn likeness(&self, asked: &Asked, term: Term) -> f32 {
        if asked.term == Some(term) {
            return 1.0;
        }
        let near = self.meanings.near(&asked.meaning, term as usize);
        ((near - ALIKE_AT_LEAST) / (1.0 - ALIKE_AT_LEAST)).clamp(0.0, 1.0)
    }
}

/// What a word means, and how much it tells: by how rare it is here and by what the table
/// has learned.
fn understood(table: &Table, word: &str, rarity: f32) -> (Vector, f32) {
    let mut sum = table.sum(word);
    let length = to_length_one(&mut sum);
    (Vector::of(&sum), rarity * length)
}

/// From the words of a tool, each with what it tells and how alike it is to each word asked.
fn cover<'a>(words: impl Iterator<Item = (Held, f32, &'a [f32])>, asked: &[Asked]) -> Cover {
    let (mut name, mut description) = (Share::default(), Share::default());
    let mut nearest = vec![0.0f32; asked.len()];
    for (held, tells, alike) in words {
        let mut covered = 0.0f32;
        for (nearest, alike) in nearest.iter_mut().zip(alike) {
            covered = covered.max(*alike);
            *nearest = nearest.max(*alike);
        }
        if held.in_name {
            name.add(tells, covered);
        }
        if held.in_description {
            description.add(tells, covered);
        }
    }
    let mut request = Share::default();
    for (asked, nearest) in asked.iter().zip(nearest) {
        request.add(asked.tells, nearest);
    }
    Cover {
        name: name.value(),
        description: description.value(),
        request: request.value(),
    }
}

/// A mean by weight.
#[derive(Default)]
struct Share {
    sum: f32,
    all: f32,
}

impl Share {
    fn add(&mut self, weight: f32, value: f32) {
        self.sum += weight * value;
        self.all += weight;
    }

    fn value(&self) -> f32 {
        self.sum / self.all.max(1e-6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Entry;
    use crate::table::tests::small_table;

    #[track_caller]
    fn check(request: &str, expected: [[f32; 3]; 2]) {
        let table = small_table(&[
            ("rain", [127, 0, 0, 0]),
            ("umbrella", [76, 102, 0, 0]),
            ("mail", [0, 0, 127, 0]),
            ("send", [0, 0, 0, 127]),
        ]);
        let entry = |name: &str, description: &str| Entry {
            id: name.to_owned(),
            name: name.to_owned(),
            description: description.to_owned(),
            ..Entry::default()
        };
        let lexical = Lexical::build(&[entry("send_mail", "Sends it"), entry("rain", "")]);
        let wording = Wording::of(&lexical, &table);
        let asked = Wording::asked(&lexical, &table, request);
        let covers = wording.covers(&lexical, &asked, &[0, 1]);
        for (cover, expected) in covers.iter().zip(expected) {
            let found = [cover.name, cover.description, cover.request];
            let near = |(one, other): (&f32, f32)| (one - other).abs() < 0.02;
            assert!(
                found.iter().zip(expected).all(near),
                "{request}: {found:?} instead of {expected:?}"
            );
        }
    }

    #[test]
    fn both_sides_are_covered_by_the_words_they_share() {
        check("send it", [[0.5, 1.0, 1.0], [0.0, 0.0, 0.0]]);
        check("send mail", [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]);
        check("send rain", [[0.5, 1.0, 0.5], [1.0, 0.0, 0.5]]);
    }

    #[test]
    fn near_words_cover_in_part() {
        // Their likeness is 0.6, of which 0.2 is chance; `umbrella` is in no tool.
        check("an umbrella", [[0.0; 3], [0.5, 0.0, 0.5]]);
    }

    #[test]
    fn nothing_covers_nothing() {
        check("", [[0.0; 3]; 2]);
        check("the unheard", [[0.0; 3]; 2]);
    }

    #[test]
    fn of_a_long_request_the_most_telling_words_count() {
        let table = small_table(&[("rain", [127, 0, 0, 0]), ("a", [1, 0, 0, 0])]);
        let lexical = Lexical::build(&[]);
        let words: Vec<String> = (0..100).map(|number| format!("unheard{number}")).collect();
        let request = format!("{} rain", words.join(" "));
        let asked = Wording::asked(&lexical, &table, &request);
        assert_eq!(asked.len(), ASKED_AT_MOST);
        assert!(asked[0].tells > 0.0 && asked[1].tells < asked[0].tells);
    }
}
