//! Is a word the name of a secret, and of what kind? Words before it may belong to the name: "api
//! key", "mot de passe", "pass phrase".

use super::PHRASE;
use super::likeness::ENDS;
use crate::secret_words::{List, names_secret, speaks_of_secret, words_of};

/// What kind of name stands somewhere.
pub(super) struct Spoken {
    pub(super) first: usize,
    pub(super) is_sure: bool,
    pub(super) is_phrase: bool,
    pub(super) is_number: bool,
}

impl Spoken {
    /// Names of several words are read together with the words before: "mot de passe".
    pub(super) fn of(words: &[&str], at: usize, head: &str) -> Option<Self> {
        let own = words_of(head);
        let last = own.last()?;
        let one = last.strip_suffix('s').unwrap_or(last);
        let mut first = at;
        let mut parts = own.clone();
        let mut joined = String::new();
        let mut is_sure = false;
        for _ in 0..PHRASE {
            is_sure |= parts.iter().rev().take(PHRASE).any(|part| {
                joined.insert_str(0, part);
                List::Said.has(&joined)
            });
            let before = first.checked_sub(1).and_then(|before| words.get(before));
            let Some(before) = before.filter(|word| !is_sure && !word.ends_with(ENDS)) else {
                break;
            };
            parts = words_of(before);
            first -= 1;
        }
        if !is_sure {
            first = at;
        }
        let before = match own.len() {
            1 => at.checked_sub(1).and_then(|before| words.get(before)),
            _ => None,
        };
        let before = before.and_then(|word| words_of(word).pop());
        let before = before.or_else(|| own.iter().rev().nth(1).cloned());
        let before = before.unwrap_or_default();
        let opens = one == "key" && List::Opening.has(&before);
        let phrase = List::Phrases.has(last) || (last == "phrase" && List::Phrases.has(&before));
        let is_phrase =
            phrase && last.contains("phrase") || joined == "passphrase" || last == "mnemonic";
        let other = matches!(one, "key" | "code") && List::Others.has(&before);
        let place = one == "token" && List::Places.has(&before);
        let is_sure = opens || is_phrase || is_sure;
        let is_name = is_sure
            || List::Perhaps.has(last)
            || own.len() > 1 && names_secret(head)
            || head.contains('=')
            || speaks_of_secret(head) && own.len() > 1;
        if place || other || !is_name {
            return None;
        }
        Some(Self {
            first,
            is_sure,
            is_phrase,
            is_number: List::Digits.has(last) || List::Digits.has(&joined),
        })
    }
}

/// A name in a script that is written without blanks.
pub(super) fn is_dense(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'))
}
