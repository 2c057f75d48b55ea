//! Where in a sentence does somebody tell a secret? Near the name of one, before or after it, with
//! any word between: "my password is hunter2", "use hunter2 as the password", "token: abc123".
//! What only speaks about a secret stays: "the password is wrong", "reset the password".

mod command;
pub(super) mod likeness;
mod quotes;
mod spoken;

use std::ops::Range;

use crate::secret_words::{List, names_secret, speaks_of_secret};
use likeness::{ENDS, QUOTES, core_range, is_placeholder, looks_secret};
use quotes::{quoted, quoted_before, several};
use spoken::{Spoken, is_dense};

/// Words between the name of a secret and "is": "for the admin account".
const BETWEEN: usize = 5;
/// So many words behind a name or a link may stand before the secret.
const REACH: usize = 6;
/// So many words make a phrase.
const PHRASE: usize = 3;
/// So many words before a name belong to it or lead to it.
const BEFORE: usize = 5;

/// A part of a word, by the number of the word.
type Part = (usize, Range<usize>);

/// Which parts of which words are secrets. The words are those of a request, without blanks.
pub(super) fn told(words: &[&str]) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    for at in 0..words.len() {
        found.extend(command::told(words, at));
        if let Some(name) = Name::at(words, at) {
            let after = name.after(words);
            found.extend(if after.is_empty() {
                name.before(words)
            } else {
                after
            });
        }
    }
    // The widest part of each word, once.
    found.sort_by_key(|(at, range)| (*at, range.start, usize::MAX - range.end));
    found.dedup_by_key(|(at, _)| *at);
    found
}

/// The name of a secret in a sentence, and what stands right behind it.
struct Name {
    /// The first word of it.
    first: usize,
    /// The word behind it; the same word if the secret is written together with its name.
    next: usize,
    /// Where the rest of that word begins.
    from: usize,
    /// What follows is a secret whatever it looks like.
    is_sure: bool,
    is_phrase: bool,
    /// Numbers are secrets of this kind.
    is_number: bool,
    /// A colon or an equals sign has been read.
    is_linked: bool,
}

impl Name {
    fn at(words: &[&str], at: usize) -> Option<Self> {
        let word = words.get(at)?;
        if word.contains("://") {
            return None;
        }
        if !word.is_ascii()
            && let Some(name) = Self::inside(word, at)
        {
            return Some(name);
        }
        let mark = word.find([':', '=', '>', '：']);
        let head = word.get(..mark.unwrap_or(word.len()))?;
        let rest = mark.and_then(|mark| Some(mark + word.get(mark..)?.chars().next()?.len_utf8()));
        let rest = rest.filter(|from| *from < word.len());
        let spoken = Spoken::of(words, at, head)?;
        let is_flag = head.starts_with('-') && names_secret(head);
        let is_header = mark.is_some() && head.contains('-') && names_secret(head);
        let is_setting = rest.is_some() && word.contains('=') && speaks_of_secret(head);
        // A name in quotes without a value is only spoken about.
        if mark.is_none() && head.starts_with(QUOTES) && head.ends_with(QUOTES) {
            return None;
        }
        Some(Self {
            first: spoken.first,
            next: if rest.is_some() { at } else { at + 1 },
            from: rest.unwrap_or(0),
            is_sure: spoken.is_sure || is_flag || is_header || is_setting,
            is_phrase: spoken.is_phrase,
            is_number: spoken.is_number,
            is_linked: mark.is_some() || is_flag,
        })
    }

    /// In scripts without blanks, the name may be a part of a word: "密码是hunter2".
    fn inside(word: &str, at: usize) -> Option<Self> {
        let lower = word.to_lowercase();
        let names = List::Said.words().filter(|name| is_dense(name));
        let (name, start) = names
            .filter_map(|name| Some((name, lower.find(name)?)))
            .max_by_key(|(name, _)| name.len())?;
        let end = start + name.len();
        let rest = word.get(end..)?;
        let skipped = rest.find(|c: char| c.is_ascii_graphic() && c != ':' && c != '=');
        Some(Self {
            first: at,
            next: if skipped.is_some() { at } else { at + 1 },
            from: skipped.map_or(0, |skipped| end + skipped),
            is_sure: true,
            is_phrase: false,
            is_number: List::Digits.has(name),
            is_linked: !rest.is_empty(),
        })
    }

    /// The secret behind the name.
    fn after(&self, words: &[&str]) -> Vec<Part> {
        let mut search = After {
            words,
            at: self.next,
            from: self.from,
            is_linked: self.is_linked,
            may_be_plain: true,
            must_end: false,
        };
        if !self.is_linked && self.ends_before(words) {
            return Vec::new();
        }
        if !self.is_linked
            && let Some(link) = link_after_purpose(words, self.next)
        {
            (search.at, search.is_linked) = (link, true);
        }
        for step in 0..=REACH {
            let Some(word) = words.get(search.at) else {
                break;
            };
            let rest = word.get(search.from..).unwrap_or_default();
            let is_near = step == 0 || search.is_linked;
            if is_near && let Some(quoted) = quoted(words, search.at, search.from) {
                return quoted;
            }
            if search.passes(rest, self) {
                search.go_on();
                continue;
            }
            match self.judged(&search) {
                Judged::Secret(parts) => return parts,
                Judged::Ends => break,
                Judged::Passed => search.go_on(),
            }
        }
        Vec::new()
    }

    fn judged(&self, search: &After<'_>) -> Judged {
        let (words, at) = (search.words, search.at);
        let Some(range) = words.get(at).and_then(|word| core_range(word, search.from)) else {
            return Judged::Passed;
        };
        let word = words.get(at).copied().unwrap_or_default();
        let core = word.get(range).unwrap_or_default();
        let most = if self.is_phrase { words.len() } else { 1 };
        let all = several(words, at, search.from, most);
        // "correct" alone says how it is, "correct horse battery" is one.
        let is_state = List::States.has(&core.to_lowercase()) && all.len() < PHRASE;
        if is_state || is_placeholder(core) || (core.starts_with('-') && self.is_linked) {
            return Judged::Ends;
        }
        let is_plain = self.is_sure
            && search.may_be_plain
            && (search.is_linked || self.follows_a_person(words, at))
            && (!search.must_end || ends_clause(words, at));
        if is_plain || looks_secret(core, self.is_number) {
            return Judged::Secret(all);
        }
        // The user before the password: "login ann@a.example hunter2".
        let is_user = !self.is_sure && (search.is_linked || core.contains('@'));
        if word.ends_with(ENDS) || !is_user {
            return Judged::Ends;
        }
        Judged::Passed
    }

    /// "log in as ann with password swordfish".
    fn follows_a_person(&self, words: &[&str], at: usize) -> bool {
        let from = self.first.saturating_sub(BEFORE);
        let mut before = words.get(from..self.first).unwrap_or_default().iter();
        at == self.next
            && before.any(|word| List::People.has(&bare(word)))
            && ends_clause(words, at)
    }

    /// Whether the sentence ends with the name.
    fn ends_before(&self, words: &[&str]) -> bool {
        let name = self.next.checked_sub(1).and_then(|at| words.get(at));
        name.is_some_and(|word| word.ends_with(['.', ',', ';', '!', '?', ')']))
    }

    /// The secret before the name: "use … as the password", "… is the password".
    fn before(&self, words: &[&str]) -> Vec<Part> {
        let mut at = self.first;
        let mut joined = None;
        for _ in 0..BEFORE {
            let Some(word) = at.checked_sub(1).and_then(|before| words.get(before)) else {
                return Vec::new();
            };
            let lower = bare(word);
            if word.ends_with(['.', '!', '?', ';']) {
                return Vec::new();
            }
            at -= 1;
            if List::Joining.has(&lower) {
                joined = at.checked_sub(1);
                break;
            }
            if !List::Articles.has(&lower) {
                return Vec::new();
            }
        }
        let Some(at) = joined else {
            return Vec::new();
        };
        if let Some(quoted) = quoted_before(words, at) {
            return quoted;
        }
        let Some(range) = words.get(at).and_then(|word| core_range(word, 0)) else {
            return Vec::new();
        };
        let core = words.get(at).and_then(|word| word.get(range.clone()));
        let core = core.unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let begins = before.is_none_or(|before| {
            List::Using.has(&bare(before)) || before.ends_with([',', '.', ':', ';'])
        });
        let is_state = List::States.has(&core.to_lowercase());
        let is_plain = self.is_sure && begins && !is_state && ends_clause(words, self.next - 1);
        let is_secret = !is_placeholder(core) && (is_plain || looks_secret(core, self.is_number));
        if is_secret {
            vec![(at, range)]
        } else {
            Vec::new()
        }
    }
}

enum Judged {
    Secret(Vec<Part>),
    /// Nothing is told here.
    Ends,
    Passed,
}

/// The way from a name to what may be its secret.
struct After<'a> {
    words: &'a [&'a str],
    at: usize,
    from: usize,
    is_linked: bool,
    /// An ordinary word may be the secret.
    may_be_plain: bool,
    /// If so, only at the end of a part of a sentence.
    must_end: bool,
}

impl After<'_> {
    fn go_on(&mut self) {
        (self.at, self.from) = (self.at + 1, 0);
    }

    /// Whether a word only leads to the secret.
    fn passes(&mut self, word: &str, name: &Name) -> bool {
        let lower = word.to_lowercase();
        let trimmed = lower.trim_end_matches([':', ',']);
        if word.is_empty() {
            return true;
        }
        if List::Links.has(&lower) || List::Links.has(trimmed) || lower == ":" || lower == "=" {
            self.is_linked = true;
            return true;
        }
        if self.is_linked && List::Schemes.has(trimmed) {
            return true;
        }
        if !List::Fillers.has(trimmed) {
            return false;
        }
        if matches!(trimmed, "to" | "as" | "auf") {
            let from = name.first.saturating_sub(BEFORE);
            let mut before = self.words.get(from..self.at).unwrap_or_default().iter();
            self.is_linked |= before.any(|word| List::Changing.has(&bare(word)));
            self.may_be_plain = true;
            self.must_end = true;
        } else if List::States.has(trimmed) {
            self.may_be_plain = false;
        }
        true
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

/// Whether a part of a sentence ends with this word.
fn ends_clause(words: &[&str], at: usize) -> bool {
    const GO_ON: [&str; 14] = [
        "and", "then", "to", "on", "at", "for", "so", "but", "und", "et", "y", "e", "en", "i",
    ];
    let ends = words
        .get(at)
        .is_some_and(|word| word.ends_with(ENDS) || word.ends_with(['!', '”']));
    let next = words.get(at + 1);
    ends || next.is_none_or(|next| GO_ON.contains(next))
}

fn is_link(word: &str) -> bool {
    List::Links.has(word.to_lowercase().trim_end_matches(':'))
}

/// A word in lower case, without marks around it.
fn bare(word: &str) -> String {
    let is_mark = |c: char| ENDS.contains(&c) || QUOTES.contains(&c) || c == '(';
    word.trim_matches(is_mark).to_lowercase()
}

#[cfg(test)]
mod tests;
