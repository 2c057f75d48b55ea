//! How is an order recognised however it is worded? By words that stand near each
//! other in one sentence. A pattern is written `ignore|forget ~4 previous|prior instruction*`.
//!
//! `a|b` is any of these words, `word*` any beginning with it, `~4` at most four words
//! between, `_` any word but `this`; `!` in front: not where the sentence forbids it.

use std::collections::HashMap;

use super::phrases::{PHRASES, Written};
use super::words::{STOP, Word};

/// Letters of a first word by which patterns are found.
const KEY: usize = 3;

/// Patterns, ready to be looked for.
pub(super) struct Patterns {
    list: Vec<Pattern>,
    by_first_letters: HashMap<String, Vec<usize>>,
}

struct Pattern {
    unless_forbidden: bool,
    elements: Vec<Element>,
}

enum Element {
    OneOf(Vec<Choice>),
    /// What a tool says of itself begins with `this`.
    AnyButThis,
    Gap(usize),
}

enum Choice {
    Whole(String),
    Beginning(String),
}

impl Choice {
    fn fits(&self, word: &str) -> bool {
        match self {
            Self::Whole(whole) => word == whole,
            Self::Beginning(start) => word.starts_with(start.as_str()),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Whole(text) | Self::Beginning(text) => text,
        }
    }
}

impl Patterns {
    pub(super) fn new(written: &Written) -> Self {
        let mut patterns = Self {
            list: Vec::new(),
            by_first_letters: HashMap::new(),
        };
        for pattern in written.full() {
            patterns.add(&pattern);
        }
        patterns
    }

    fn add(&mut self, written: &str) {
        let (unless_forbidden, written) = match written.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, written),
        };
        let elements: Vec<Element> = written.split_whitespace().map(element).collect();
        if let Some(Element::OneOf(choices)) = elements.first() {
            for choice in choices {
                let listed = self.by_first_letters.entry(key(choice.text())).or_default();
                if listed.last() != Some(&self.list.len()) {
                    listed.push(self.list.len());
                }
            }
        }
        self.list.push(Pattern {
            unless_forbidden,
            elements,
        });
    }

    /// The first place where a pattern fits, by the positions of characters.
    pub(super) fn find(&self, words: &[Word]) -> Option<(usize, usize)> {
        words.iter().enumerate().find_map(|(at, word)| {
            let candidates = self.by_first_letters.get(&key(&word.text))?;
            let patterns = candidates.iter().filter_map(|index| self.list.get(*index));
            let end = { patterns }.find_map(|pattern| pattern.fits(words, at))?;
            let last = words.get(end.saturating_sub(1)).unwrap_or(word);
            Some((word.start, last.end))
        })
    }
}

fn key(word: &str) -> String {
    word.chars().take(KEY).collect()
}

fn element(written: &str) -> Element {
    if let Some(number) = written.strip_prefix('~') {
        return Element::Gap(number.parse().unwrap_or(0));
    }
    if written == "_" {
        return Element::AnyButThis;
    }
    let choice = |word: &str| match word.strip_suffix('*') {
        Some(start) => Choice::Beginning(start.to_owned()),
        None => Choice::Whole(word.to_owned()),
    };
    Element::OneOf(written.split('|').map(choice).collect())
}

impl Pattern {
    fn fits(&self, words: &[Word], at: usize) -> Option<usize> {
        let end = fits(&self.elements, words, at)?;
        (!self.unless_forbidden || !is_forbidden(words, at)).then_some(end)
    }
}

/// Where the elements end when they begin at this word.
fn fits(elements: &[Element], words: &[Word], at: usize) -> Option<usize> {
    match elements {
        [] => Some(at),
        [Element::Gap(most), rest @ ..] => (0..=*most).find_map(|skipped| {
            let between = words.get(at..at + skipped)?;
            let in_sentence = between.iter().all(|word| word.text != STOP);
            in_sentence.then(|| fits(rest, words, at + skipped))?
        }),
        [Element::AnyButThis, rest @ ..] => {
            let word = words.get(at)?.text.as_str();
            (word != STOP && word != "this").then(|| fits(rest, words, at + 1))?
        }
        [Element::OneOf(choices), rest @ ..] => {
            let word = words.get(at)?;
            let here = choices.iter().any(|choice| choice.fits(&word.text));
            here.then(|| fits(rest, words, at + 1))?
        }
    }
}

/// "Never send without the user's consent" forbids what it names.
fn is_forbidden(words: &[Word], at: usize) -> bool {
    let before = words.get(..at).unwrap_or_default();
    let mut sentence = before.iter().rev().take_while(|word| word.text != STOP);
    sentence.any(|word| PHRASES.forbidding.contains(&word.text))
}
