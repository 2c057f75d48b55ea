//! Which phrases can begin with a word? So that only those are followed that can fit; and which
//! words does a language know, and which of them change what is asked for?

use rustc_hash::{FxHashMap, FxHashSet};

use super::Lexicon;
use super::pattern::Piece;

/// A pattern: the place of its phrase, and its place in the phrase.
pub(crate) type Place = (usize, usize);

/// Patterns by what they can begin with, and the words of all patterns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    words: FxHashMap<String, Vec<Place>>,
    /// Words of which any form will do, by their stem.
    stems: FxHashMap<String, Vec<Place>>,
    holes: Vec<(String, Vec<Place>)>,
    vocabulary: FxHashSet<String>,
    /// Words of lists that say what is wanted, or turn it round.
    telling: FxHashSet<String>,
}

impl Index {
    pub(super) fn of(lexicon: &Lexicon) -> Self {
        let mut index = Self::default();
        for (number, phrase) in lexicon.phrases.iter().enumerate() {
            for (place, pattern) in phrase.patterns.iter().enumerate() {
                index.begin(&pattern.pieces, (number, place), lexicon);
                index.learn(&pattern.pieces, lexicon);
            }
        }
        index.learn_lists(lexicon);
        for word in &lexicon.words.everyday {
            index.telling.remove(word);
        }
        index
    }

    /// Patterns that can begin with this word.
    pub(crate) fn of_word<'a>(
        &'a self,
        word: &'a str,
        lexicon: &'a Lexicon,
    ) -> impl Iterator<Item = Place> + 'a {
        let written = self.words.get(word).into_iter().flatten();
        let forms = lexicon
            .stems(word)
            .filter_map(|stem| self.stems.get(stem))
            .flatten();
        written.chain(forms).copied()
    }

    /// Patterns that can begin with a hole, by its kind.
    pub(crate) fn of_holes(&self) -> impl Iterator<Item = (&str, &[Place])> {
        self.holes
            .iter()
            .map(|(kind, places)| (kind.as_str(), places.as_slice()))
    }

    /// Whether any phrase or list has this word.
    pub(crate) fn knows(&self, word: &str, lexicon: &Lexicon) -> bool {
        lexicon
            .stems(word)
            .any(|stem| self.vocabulary.contains(stem))
    }

    pub(crate) fn vocabulary(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.iter().map(String::as_str)
    }

    /// Whether the word can change what is asked for.
    pub(crate) fn tells(&self, word: &str, lexicon: &Lexicon) -> bool {
        lexicon.is_negation(word) || lexicon.stems(word).any(|stem| self.telling.contains(stem))
    }

    /// Notes what a pattern can begin with; whether these pieces can be left out altogether.
    fn begin(&mut self, pieces: &[Piece], place: Place, lexicon: &Lexicon) -> bool {
        for piece in pieces {
            let open = match piece {
                Piece::Word { text, any_form } => {
                    if *any_form {
                        for stem in lexicon.stems(text) {
                            note(self.stems.entry(stem.to_owned()).or_default(), place);
                        }
                    } else {
                        note(self.words.entry(text.clone()).or_default(), place);
                    }
                    false
                }
                Piece::Any(ways) => {
                    let mut open = false;
                    for way in ways {
                        open |= self.begin(way, place, lexicon);
                    }
                    open
                }
                Piece::Maybe(inside) => {
                    self.begin(inside, place, lexicon);
                    true
                }
                Piece::Hole { kind, .. } => {
                    match self.holes.iter_mut().find(|(known, _)| known == kind) {
                        Some((_, places)) => note(places, place),
                        None => self.holes.push((kind.clone(), vec![place])),
                    }
                    false
                }
            };
            if !open {
                return false;
            }
        }
        true
    }

    fn learn(&mut self, pieces: &[Piece], lexicon: &Lexicon) {
        for piece in pieces {
            match piece {
                Piece::Word { text, .. } => {
                    self.vocabulary
                        .extend(lexicon.stems(text).map(str::to_owned));
                }
                Piece::Any(ways) => ways.iter().for_each(|way| self.learn(way, lexicon)),
                Piece::Maybe(inside) => self.learn(inside, lexicon),
                Piece::Hole { .. } => {}
            }
        }
    }

    fn learn_lists(&mut self, lexicon: &Lexicon) {
        let words = &lexicon.words;
        let lists = [
            &words.fillers,
            &words.negations,
            &words.rows,
            &words.column_tails,
            &words.known_by,
        ];
        let lists = lists.into_iter().flatten();
        let keys = words
            .numbers
            .keys()
            .chain(words.ordinals.keys())
            .chain(words.months.keys());
        let keys = keys.chain(words.weekdays.keys()).chain(words.forms.keys());
        let keys = keys
            .chain(words.column_words.keys())
            .chain(words.periods.keys())
            .chain(words.charts.keys());
        let keys = keys
            .chain(words.units.keys())
            .chain(words.domains.keys())
            .chain(words.relative.keys());
        let named = keys
            .chain(words.superlatives.keys())
            .chain(words.functions.keys());
        for word in lists.chain(named).flat_map(|entry| entry.split(' ')) {
            self.vocabulary.insert(word.to_owned());
        }
        let telling = words
            .superlatives
            .keys()
            .chain(words.relative.keys())
            .chain(words.units.keys());
        let telling = telling
            .chain(words.forms.keys())
            .chain(words.charts.keys())
            .chain(words.functions.keys());
        for word in telling
            .chain(&words.negations)
            .flat_map(|entry| entry.split(' '))
        {
            if !lexicon.is_filler(word) {
                self.telling.insert(word.to_owned());
            }
        }
    }
}

fn note(places: &mut Vec<Place>, place: Place) {
    if places.last() != Some(&place) {
        places.push(place);
    }
}
