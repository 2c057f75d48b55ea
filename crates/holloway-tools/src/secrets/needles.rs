//! Where does any of several secrets stand in a text? All of them are looked for at once, so that
//! each byte is looked at a fixed number of times, however many secrets there are and however
//! often they stand there.

use std::ops::Range;
use std::sync::Arc;

use aho_corasick::AhoCorasick;

use super::needle::Needle;
use super::{decode, effort};

/// A place and the number of the secret that stands there.
pub(super) type Place = (Range<usize>, usize);

/// Secrets to be found.
#[derive(Default)]
pub(super) struct Needles {
    all: Vec<Arc<Needle>>,
    forms: Option<Search>,
    letters: Option<Search>,
}

/// Many texts that are looked for together, each with the number of its secret.
struct Search {
    automaton: AhoCorasick,
    owners: Vec<usize>,
}

impl Search {
    fn new<T: AsRef<[u8]>>(patterns: Vec<(T, usize)>) -> Option<Self> {
        let (texts, owners): (Vec<T>, Vec<usize>) = patterns.into_iter().unzip();
        if owners.is_empty() {
            return None;
        }
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(texts)
            .ok()?;
        Some(Self { automaton, owners })
    }

    /// All places; those of one secret that overlap are one.
    fn find(&self, bytes: &[u8]) -> Vec<Place> {
        effort::add(bytes.len());
        let mut found: Vec<Place> = Vec::new();
        for one in self.automaton.find_overlapping_iter(bytes) {
            let Some(owner) = self.owners.get(one.pattern().as_usize()) else {
                continue;
            };
            match found.last_mut() {
                Some((last, own)) if own == owner && one.start() < last.end => {
                    *last = last.start.min(one.start())..last.end.max(one.end());
                }
                _ => found.push((one.range(), *owner)),
            }
        }
        found
    }
}

impl Needles {
    pub(super) fn new(all: Vec<Arc<Needle>>) -> Self {
        let forms = all.iter().enumerate().flat_map(|(number, needle)| {
            let forms = needle.forms().into_iter();
            forms.map(move |form| (form, number))
        });
        let letters = all.iter().enumerate().flat_map(|(number, needle)| {
            let letters = needle.letters().into_iter();
            letters.map(move |letters| (letters, number))
        });
        Self {
            forms: Search::new(forms.collect()),
            letters: Search::new(letters.collect()),
            all,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether one of them is long enough to be put together from several texts.
    pub(super) fn may_be_spread(&self) -> bool {
        self.all.iter().any(|needle| needle.may_be_spread())
    }

    /// Whether this one is.
    pub(super) fn is_long(&self, number: usize) -> bool {
        let needle = self.all.get(number);
        needle.is_some_and(|needle| needle.may_be_spread())
    }

    /// Where secrets stand in a text, in any encoding.
    pub(super) fn find(&self, text: &str) -> Vec<Place> {
        let mut found = self.find_shown(text);
        if self.forms.is_some() {
            found.extend(decode::find(text, self));
        }
        found
    }

    /// The same without undoing any encoding.
    pub(super) fn find_shown(&self, text: &str) -> Vec<Place> {
        let all = self.all.iter().enumerate();
        all.flat_map(|(number, needle)| needle.find(text).map(move |range| (range, number)))
            .collect()
    }

    /// Where they stand in bytes that were decoded.
    pub(super) fn find_decoded(&self, bytes: &[u8]) -> Vec<Place> {
        let search = self.forms.as_ref();
        search.map_or_else(Vec::new, |search| search.find(bytes))
    }

    /// Where they stand among the letters and digits of a text.
    pub(super) fn find_letters(&self, letters: &[u8]) -> Vec<Place> {
        let search = self.letters.as_ref();
        search.map_or_else(Vec::new, |search| search.find(letters))
    }

    /// The places with names in place of numbers.
    pub(super) fn named(&self, found: Vec<Place>) -> Vec<(Range<usize>, &str)> {
        let found = found.into_iter();
        found
            .filter_map(|(range, number)| Some((range, self.all.get(number)?.name())))
            .collect()
    }
}
