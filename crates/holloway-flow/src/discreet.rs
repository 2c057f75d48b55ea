//! What of a request may be kept, shown and sent to a model? All but keys: user and password
//! of addresses, values in them that open doors, what is plainly a token, and what a sentence
//! tells ("my password is …"). Characters that nobody sees go too, and of a very long request
//! only the beginning stays.

mod phrases;

use holloway_plan::hidden::is_hidden;
use holloway_search::clauses::bounded;

use phrases::likeness::{QUOTES, is_placeholder};

use crate::secret_words::{begins_like_a_key, speaks_of_secret};

/// What stands where a key stood.
pub const REDACTED: &str = "REDACTED";
/// Of a remembered request, this many characters tell what was wanted.
const REMEMBERED: usize = 2_000;
/// Beside a run, this many.
const SHOWN: usize = 200;
/// Shorter values are seldom random.
const TOKEN_AT_LEAST: usize = 20;
/// The same for what begins like a key.
const KEY_AT_LEAST: usize = 12;

/// Between the parts of an address.
const MARKS: [char; 5] = ['/', '?', '&', ';', '#'];
/// After an address in a sentence.
const ENDS: [char; 10] = [')', ']', '>', '"', '\'', ',', '.', '!', '”', '’'];

/// A request without what nobody should keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discreet {
    pub text: String,
    /// How many keys were taken out.
    pub taken_out: usize,
}

/// Takes out what nobody should keep.
pub fn discreet(request: &str) -> Discreet {
    let plain: String = request.chars().filter_map(plain).collect();
    let plain = bounded(&plain);
    let parts: Vec<&str> = plain.split_inclusive(char::is_whitespace).collect();
    let words: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
    let told = phrases::told(&words);
    let mut discreet = Discreet::default();
    for (place, (part, word)) in parts.iter().zip(&words).enumerate() {
        let blank = part.get(word.len()..).unwrap_or_default();
        match told.iter().find(|(at, _)| *at == place) {
            Some((_, secret)) => discreet.told(word, secret),
            None => discreet.word(word),
        }
        discreet.text.push_str(blank);
    }
    discreet
}

/// As much of a request as is remembered.
pub fn remembered(request: &str) -> String {
    let text = discreet(request).text;
    text.chars().take(REMEMBERED).collect()
}

/// A text as it is shown beside a run.
pub fn briefly(text: &str) -> String {
    discreet(text).text.chars().take(SHOWN).collect()
}

/// What may stand in a text: nothing that steers a terminal, turns words round or is not seen.
fn plain(letter: char) -> Option<char> {
    match letter {
        '\t' | '\r' => Some(' '),
        letter => (!is_hidden(letter)).then_some(letter),
    }
}

impl Discreet {
    /// A word of a sentence that tells a secret.
    fn told(&mut self, word: &str, secret: &std::ops::Range<usize>) {
        self.taken_out += 1;
        let before = word.get(..secret.start).unwrap_or_default();
        let after = word.get(secret.end..).unwrap_or_default();
        self.text.extend([before, REDACTED, after]);
    }

    /// What stands between two blanks: often an address, at times one inside another.
    fn word(&mut self, word: &str) {
        for (place, part) in word.split("://").enumerate() {
            let part = if place == 0 {
                part
            } else {
                self.text.push_str("://");
                self.without_user(part)
            };
            for piece in part.split_inclusive(MARKS) {
                self.piece(piece);
            }
        }
    }

    /// A part of an address or a word, and the mark after it.
    fn piece(&mut self, piece: &str) {
        let body = piece.trim_end_matches(MARKS);
        let mark = piece.get(body.len()..).unwrap_or_default();
        match body.split_once('=') {
            Some((name, value)) => self.value(name, value),
            None => self.bare(body),
        }
        self.text.push_str(mark);
    }

    /// Without a name only what begins like a key is taken for one, also behind other words:
    /// `backup-sk_live_…`.
    fn bare(&mut self, word: &str) {
        let core = word.trim_matches(|mark: char| !mark.is_ascii_alphanumeric());
        let starts = core.char_indices().filter(|(at, _)| {
            let before = core.get(..*at).and_then(|text| text.chars().next_back());
            before.is_none_or(|mark| !mark.is_ascii_alphanumeric())
        });
        let mut keys = starts.filter_map(|(at, _)| core.get(at..).filter(|key| is_key(key)));
        if let Some(key) = keys.next() {
            self.taken_out += 1;
            self.text.push_str(&word.replacen(key, REDACTED, 1));
        } else {
            self.text.push_str(word);
        }
    }

    fn value(&mut self, name: &str, value: &str) {
        // What ends the sentence is no part of the value.
        let core = value.trim_end_matches(ENDS);
        let after = value.get(core.len()..).unwrap_or_default();
        let secret = speaks_of_secret(name) || is_key(core) || is_random(core);
        let is_placeholder = is_placeholder(core.trim_matches(QUOTES));
        let secret = secret && !core.is_empty() && !is_placeholder;
        self.taken_out += usize::from(secret);
        let shown = if secret { REDACTED } else { core };
        self.text.extend([name, "=", shown, after]);
    }

    /// What follows user and password.
    fn without_user<'a>(&mut self, rest: &'a str) -> &'a str {
        let mut host = rest;
        // What is left may look like user and password again, once.
        while let Some(shorter) = end_of_user(host).and_then(|at| host.get(at + 1..)) {
            self.taken_out += 1;
            host = shorter;
        }
        host
    }
}

/// Where the mark after user and password stands.
fn end_of_user(rest: &str) -> Option<usize> {
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let authority = rest.get(..end).unwrap_or(rest);
    let port = authority.rsplit_once(':').map_or("", |(_, port)| port);
    // A password with a slash in it makes what is before the slash look like a host.
    let odd = !port.is_empty() && !port.chars().all(|digit| digit.is_ascii_digit());
    let hidden = odd && !authority.starts_with('[');
    let whole = if hidden { rest } else { authority };
    authority.rfind('@').or_else(|| whole.rfind('@'))
}

/// Whether a text begins like the key of a well-known service.
fn is_key(text: &str) -> bool {
    begins_like_a_key(text)
        && text.len() >= KEY_AT_LEAST
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && text.contains(|c: char| c.is_ascii_digit())
}

/// Whether letters and digits change about as often as chance would have it.
fn is_random(text: &str) -> bool {
    let sort = |c: char| match c {
        'a'..='z' => 0_u8,
        'A'..='Z' => 1,
        _ => 2,
    };
    let mut sorts: Vec<u8> = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '%' {
            // A letter that is written in code.
            letters.nth(1);
        } else if letter.is_ascii_alphanumeric() {
            sorts.push(sort(letter));
        }
    }
    let changes = sorts.windows(2).filter(|pair| pair.first() != pair.last());
    sorts.len() >= TOKEN_AT_LEAST && sorts.contains(&2) && changes.count() * 4 >= sorts.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        let found = discreet(request);
        assert_eq!(found.text, expected);
        let taken_out = usize::from(request != expected);
        assert_eq!(found.taken_out.min(1), taken_out, "{request}");
        assert_eq!(discreet(expected).text, expected);
    }

    #[track_caller]
    fn stays(request: &str) {
        check(request, request);
    }

    #[test]
    fn user_and_password_go() {
        check(
            "audit https://ann:pw@a.example/x now",
            "audit https://a.example/x now",
        );
        check("see (ftp://ann@a.example)", "see (ftp://a.example)");
        check(
            "load postgres://u:p@db:5432/shop",
            "load postgres://db:5432/shop",
        );
        check("see https://u:p/w@a.example/x", "see https://a.example/x");
        check("see https://u:p@w@a.example", "see https://a.example");
        check("see https://u@v:p#w@a.example", "see https://a.example");
    }

    #[test]
    fn values_that_open_doors_go() {
        check(
            "get https://a.example/?token=abc&page=2",
            "get https://a.example/?token=REDACTED&page=2",
        );
        check(
            "get https://a.example/?api_key=1&X-Amz-Signature=9.",
            "get https://a.example/?api_key=REDACTED&X-Amz-Signature=REDACTED.",
        );
        check(
            "get https://a.example/#accessToken=abc",
            "get https://a.example/#accessToken=REDACTED",
        );
        check(
            "get https://a.example/?x=9f86d081884c7d659a2feaa0c55ad015",
            "get https://a.example/?x=REDACTED",
        );
        check(
            "get https://b.example/?to=https://u:p@a.example/x&token=1",
            "get https://b.example/?to=https://a.example/x&token=REDACTED",
        );
        check(
            "log in with password=hunter2",
            "log in with password=REDACTED",
        );
        check(
            "post with sk-abcdefgh12345678, please",
            "post with REDACTED, please",
        );
        check(
            "call https://a.example/bot/ghp_0123456789abcdef/send",
            "call https://a.example/bot/REDACTED/send",
        );
    }

    #[test]
    fn keys_behind_other_words_go() {
        check(
            "read backup-sk_live_0123456789abcdef.txt",
            "read backup-REDACTED",
        );
        check(
            "list keys_ghp_0123456789abcdef/old/x.txt",
            "list keys_REDACTED/old/x.txt",
        );
        stays("read desk-plan-2026-for-all.txt and task_list_2026_01.csv");
    }

    #[test]
    fn what_is_no_key_stays() {
        stays("audit http://127.0.0.1:8080/ for SEO,\nthen write to ann@a.example");
        stays("see http://[::1]:8080/a?b=c&sort=price#top, and https://a.example/@ann");
        stays("see https://a.example/?q=a-rather-long-name-of-an-article-in-2026&lang=en");
        stays("see https://a.example/?next=https%3A%2F%2Fb.example%2Fpage%2F2");
        stays("the key= of sk-learn and a token");
        stays("see https://a.example/?token=");
    }

    #[test]
    fn marks_that_steer_go_and_length_is_bounded() {
        let found = discreet("a\u{1b}[2Jb\u{7}\tc\u{202e}d\r\n");
        assert_eq!(found.text, "a[2Jb cd \n");
        let long = "word ".repeat(100_000);
        assert_eq!(discreet(&long).text.chars().count(), 16_000);
        assert_eq!(remembered(&long).chars().count(), REMEMBERED);
    }

    #[test]
    fn any_text_is_borne() {
        use proptest::prelude::*;
        proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }, |(text in "\\PC{0,80}", tail in "[a-z:/?#@&=;é ]{0,60}")| {
            let request = format!("{text} http://{tail}");
            let once = discreet(&request).text;
            prop_assert_eq!(discreet(&once).text, once);
        });
    }
}
