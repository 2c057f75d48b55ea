//! Where in a sentence does somebody tell a secret? "my password is hunter2", "token: abc123",
//! "the PIN for the door is 4711". What only speaks about a secret stays: "the password is wrong".

use std::ops::Range;

use holloway_search::words::each_word;

use super::REDACTED;
use crate::secret_words::List;

/// Words between the name of a secret and "is": "for the admin account".
const BETWEEN: usize = 5;
/// So many words make a phrase.
const PHRASE: usize = 3;
/// Shorter words are seldom a secret without a sign in them.
const SHORTEST: usize = 4;
const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '„', '‘', '’', '«'];
/// What ends a sentence or a part of it; an exclamation mark may belong to a secret.
const ENDS: [char; 7] = ['.', ',', ';', '?', ')', ']', ':'];

/// Which parts of which words are secrets. The words are those of a request, without blanks.
pub(super) fn told(words: &[&str]) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        if let Some(name) = Name::at(words, at) {
            found.extend(name.secret(words));
        } else if is_scheme(words, at) {
            found.extend(word_range(words, at + 1).map(|range| (at + 1, range)));
        }
    }
    found
}

/// The name of a secret in a sentence, and what stands right behind it.
struct Name {
    /// The word behind it; the same word if the secret is written together with its name.
    next: usize,
    /// Where the rest of that word begins.
    from: usize,
    /// What follows is a secret whatever it looks like.
    is_sure: bool,
    is_phrase: bool,
    /// A colon or an equals sign has been read.
    is_linked: bool,
}

impl Name {
    fn at(words: &[&str], at: usize) -> Option<Self> {
        let word = words.get(at)?;
        if word.contains("://") {
            return None;
        }
        let mark = word.find([':', '=']);
        let head = word.get(..mark.unwrap_or(word.len()))?;
        let parts = parts_of(head);
        let last = parts.last()?;
        let before = match parts.len() {
            1 => at.checked_sub(1).and_then(|before| words.get(before)),
            _ => None,
        };
        let before = before.map(|word| parts_of(word).pop().unwrap_or_default());
        let before = before.or_else(|| parts.iter().rev().nth(1).cloned());
        let before = before.unwrap_or_default();
        let opens = last == "key" && List::Opening.has(&before);
        let phrase = List::Phrases.has(last) || (last == "phrase" && List::Phrases.has(&before));
        let is_phrase = phrase && (last == "phrase" || last.contains("phrase"));
        let is_sure = opens || is_phrase || List::Said.has(last) || List::Said.has(&parts.concat());
        let place = last == "token" && List::Places.has(&before);
        if place || !(is_sure || List::Perhaps.has(last)) {
            return None;
        }
        let rest = mark.map(|mark| mark + 1).filter(|from| *from < word.len());
        Some(Self {
            next: if rest.is_some() { at } else { at + 1 },
            from: rest.unwrap_or(0),
            is_sure,
            is_phrase,
            is_linked: mark.is_some(),
        })
    }

    fn secret(&self, words: &[&str]) -> Vec<(usize, Range<usize>)> {
        let (mut at, mut linked) = (self.next, self.is_linked);
        if !linked && self.ends_before(words) {
            return Vec::new();
        }
        if !linked && let Some(link) = link_after_purpose(words, at) {
            at = link;
        }
        while words.get(at).is_some_and(|word| is_link(word)) {
            (at, linked) = (at + 1, true);
        }
        while linked && words.get(at).is_some_and(|word| is_scheme_word(word)) && at > self.next {
            at += 1;
        }
        let Some(word) = words.get(at) else {
            return Vec::new();
        };
        let from = if at == self.next { self.from } else { 0 };
        let rest = word.get(from..).unwrap_or_default();
        if let Some(quoted) = quoted(words, at, from) {
            return quoted;
        }
        let core = rest.trim_matches(|c| ENDS.contains(&c) || QUOTES.contains(&c));
        let most = if self.is_phrase { words.len() } else { 1 };
        let all = several(words, at, from, most);
        // "correct" alone says how it is, "correct horse battery" is one.
        let is_state = List::States.has(&core.to_lowercase()) && all.len() < PHRASE;
        let is_secret = match (self.is_sure, linked) {
            _ if core.is_empty() || is_state || core == REDACTED => false,
            (true, true) => true,
            _ => looks_secret(core),
        };
        if is_secret { all } else { Vec::new() }
    }

    /// Whether the sentence ends with the name.
    fn ends_before(&self, words: &[&str]) -> bool {
        let name = self.next.checked_sub(1).and_then(|at| words.get(at));
        name.is_some_and(|word| word.ends_with(['.', ',', ';', '!', '?']))
    }
}

/// "for the admin account is": where "is" stands.
fn link_after_purpose(words: &[&str], at: usize) -> Option<usize> {
    let first = words.get(at)?.to_lowercase();
    List::About.has(&first).then_some(())?;
    let rest = words.get(at..)?.iter().take(BETWEEN);
    let mut place = at;
    for word in rest {
        if is_link(word) {
            return Some(place);
        }
        place += 1;
        if word.ends_with(':') {
            return Some(place);
        }
        if word.ends_with(ENDS) {
            return None;
        }
    }
    words.get(place).filter(|word| is_link(word)).map(|_| place)
}

/// Everything up to the closing quote, if a quote is opened here.
fn quoted(words: &[&str], at: usize, from: usize) -> Option<Vec<(usize, Range<usize>)>> {
    let rest = words.get(at)?.get(from..)?;
    let open = rest.chars().next().filter(|c| QUOTES.contains(c))?;
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate().skip(at) {
        let start = if place == at {
            from + open.len_utf8()
        } else {
            0
        };
        let inside = word.get(start..)?;
        let close = inside.rfind(QUOTES);
        let end = close.map_or(word.len(), |close| start + close);
        if end > start && word.get(start..end) != Some(REDACTED) {
            found.push((place, start..end));
        }
        if close.is_some() {
            return Some(found);
        }
    }
    None
}

/// The secret, and if it has several words, all of them up to the end of the sentence.
fn several(words: &[&str], at: usize, from: usize, most: usize) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate().skip(at).take(most) {
        let start = if place == at { from } else { 0 };
        if place > at && ["and", "then", "to", "for", "so", "but", REDACTED].contains(word) {
            break;
        }
        found.extend(core_range(word, start).map(|range| (place, range)));
        if word.ends_with(ENDS) {
            break;
        }
    }
    found
}

/// "Bearer abc123…".
fn is_scheme(words: &[&str], at: usize) -> bool {
    let is_before = words.get(at).is_some_and(|word| is_scheme_word(word));
    let next = words
        .get(at + 1)
        .and_then(|word| word.get(core_range(word, 0)?));
    is_before && next.is_some_and(|next| next.len() >= 12 && looks_secret(next))
}

fn is_scheme_word(word: &str) -> bool {
    List::Schemes.has(&word.to_lowercase())
}

fn is_link(word: &str) -> bool {
    List::Links.has(&word.to_lowercase())
}

fn word_range(words: &[&str], at: usize) -> Option<Range<usize>> {
    core_range(words.get(at)?, 0)
}

/// A word without the marks at its ends. Signs at the end may belong to a secret.
fn core_range(word: &str, from: usize) -> Option<Range<usize>> {
    let rest = word.get(from..)?;
    let start = from + (rest.len() - rest.trim_start_matches(QUOTES).len());
    let core = word.get(start..)?;
    let core = core.trim_end_matches(|c| ENDS.contains(&c) || QUOTES.contains(&c));
    (!core.is_empty()).then(|| start..start + core.len())
}

/// Letters with digits, capitals inside or signs; nothing that a sentence would have.
fn looks_secret(core: &str) -> bool {
    let letters: Vec<char> = core.chars().collect();
    let has = |test: fn(&char) -> bool| letters.iter().any(test);
    let inner = letters.windows(2);
    let mut inner = inner.filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
    let turns = inner.any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    let is_sign = |c: &char| c.is_ascii_punctuation() && !"-'/._".contains(*c);
    letters.len() >= SHORTEST && (has(char::is_ascii_digit) || turns || letters.iter().any(is_sign))
}

fn parts_of(word: &str) -> Vec<String> {
    let mut parts = Vec::new();
    each_word(word, |part| parts.push(part.to_lowercase()));
    parts
}

#[cfg(test)]
mod tests {
    use super::super::discreet;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        let found = discreet(request);
        assert_eq!(found.text, expected);
        assert_eq!(found.taken_out > 0, request != expected, "{request}");
        assert_eq!(discreet(expected).text, expected);
    }

    #[test]
    fn what_somebody_tells_goes() {
        for (request, expected) in [
            (
                "my password is hunter2, log in",
                "my password is REDACTED, log in",
            ),
            ("the password is swordfish", "the password is REDACTED"),
            (
                "Password: swordfish. Then go",
                "Password: REDACTED. Then go",
            ),
            ("password:swordfish", "password:REDACTED"),
            ("my token: abc123def", "my token: REDACTED"),
            (
                "my token is abc123def and go",
                "my token is REDACTED and go",
            ),
            ("API key is 0f9e8d7c", "API key is REDACTED"),
            ("use the api key swordfish1", "use the api key REDACTED"),
            ("key=a1b2c3d4 please", "key=REDACTED please"),
            ("the pin is 4711", "the pin is REDACTED"),
            (
                "with password \"open sesame\" now",
                "with password \"REDACTED REDACTED\" now",
            ),
            (
                "password for the admin account is tiger",
                "password for the admin account is REDACTED",
            ),
            ("password should be tiger", "password should be REDACTED"),
            (
                "log in as ann with password h7nter!",
                "log in as ann with password REDACTED",
            ),
            (
                "Authorization: Bearer abcdef0123456789",
                "Authorization: Bearer REDACTED",
            ),
            (
                "send Bearer abcdef0123456789 along",
                "send Bearer REDACTED along",
            ),
            (
                "the passphrase is correct horse battery, use it",
                "the passphrase is REDACTED REDACTED REDACTED, use it",
            ),
            ("mein Passwort ist geheim1", "mein Passwort ist REDACTED"),
            ("client_secret = sw0rdfish", "client_secret = REDACTED"),
        ] {
            check(request, expected);
        }
    }

    #[test]
    fn what_speaks_about_secrets_stays() {
        for request in [
            "check whether the password is required",
            "the password is wrong and the token is expired",
            "add a password to the PDF",
            "find the password field in the form",
            "count the tokens in notes.txt and show the key columns",
            "sort by key: name, then date",
            "the password must be at least 12 characters long",
            "explain what a pin is",
            "the secret is out: sales doubled in 2026",
            "is the API key stored in config.toml?",
            "use the next page token to go on",
            "a basic introduction to authentication tokens",
            "password policy of the company, in English",
        ] {
            check(request, request);
        }
    }
}
