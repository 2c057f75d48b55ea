//! Which word was meant that is written wrongly? One that a language knows and that differs by
//! one slip of the hand. Words of the tables, names and texts in quotes are left alone.

use rustc_hash::FxHashSet;

use super::holes::name_words;
use super::tokens::{Token, TokenKind};
use crate::frame::scene::Scene;
use crate::lexicon::Lexicon;

/// Letters from which on two letters may be swapped.
const SWAPPING: usize = 4;
/// Letters from which on a letter may be missing or doubled.
const MISSING: usize = 6;

/// Puts the words right that `lower` has.
pub(super) fn put_right(tokens: &mut [Token], lexicon: &Lexicon, scene: &Scene) {
    let mut there: Option<FxHashSet<String>> = None;
    for (place, token) in tokens.iter_mut().enumerate() {
        if token.kind != TokenKind::Word {
            continue;
        }
        if let Some(known) = lexicon.words.spellings.get(&token.lower) {
            token.lower.clone_from(known);
            continue;
        }
        let is_name = place > 0 && token.text.starts_with(char::is_uppercase);
        let is_word = token.lower.chars().all(char::is_alphabetic);
        if is_name || !is_word || lexicon.index().knows(&token.lower, lexicon) {
            continue;
        }
        let there = there.get_or_insert_with(|| words_of(scene));
        if lexicon.stems(&token.lower).any(|stem| there.contains(stem)) {
            continue;
        }
        if let Some(meant) = meant(&token.lower, lexicon) {
            token.lower = meant;
        }
    }
}

/// Whether the word stands there otherwise than it was written.
pub(super) fn was_put_right(token: &Token) -> bool {
    token.kind == TokenKind::Word && token.lower != token.text.to_lowercase().replace('’', "'")
}

fn words_of(scene: &Scene) -> FxHashSet<String> {
    let mut words = FxHashSet::default();
    for file in &scene.files {
        words.extend(name_words(&file.name));
        for column in &file.columns {
            words.extend(name_words(&column.name));
            words.extend(column.values.iter().flat_map(|value| name_words(value)));
        }
    }
    words
}

/// The one word of the language that is a slip away.
fn meant(word: &str, lexicon: &Lexicon) -> Option<String> {
    let mut near = lexicon
        .index()
        .vocabulary()
        .filter(|known| is_slip(word, known));
    let first = near.next()?;
    let only = near.all(|other| lexicon.same(other, first));
    only.then(|| first.to_owned())
}

/// Two letters swapped, or one missing or too many. Another letter makes another word.
pub(super) fn is_slip(word: &str, known: &str) -> bool {
    if word.len().abs_diff(known.len()) > 1 || word.chars().next() != known.chars().next() {
        return false;
    }
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    let same = word
        .iter()
        .zip(&known)
        .take_while(|(one, other)| one == other)
        .count();
    let rest = |letters: &[char], from: usize| letters.get(from..).unwrap_or_default().to_vec();
    if word.len() == known.len() {
        let swapped =
            word.get(same) == known.get(same + 1) && word.get(same + 1) == known.get(same);
        return word.len() >= SWAPPING
            && swapped
            && rest(&word, same + 2) == rest(&known, same + 2);
    }
    let (short, long) = if word.len() < known.len() {
        (&word, &known)
    } else {
        (&known, &word)
    };
    short.len() + 1 >= MISSING
        && short.len() + 1 == long.len()
        && rest(short, same) == rest(long, same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_known_from_other_words() {
        for (word, known, slip) in [
            ("remvoe", "remove", true),
            ("wrods", "words", true),
            ("sumarize", "summarize", true),
            ("duplicats", "duplicates", true),
            ("shoe", "show", false),
            ("from", "form", true),
            ("lists", "list", false),
            ("sort", "short", false),
            ("price", "prime", false),
        ] {
            assert_eq!(is_slip(word, known), slip, "{word} {known}");
        }
    }
}
