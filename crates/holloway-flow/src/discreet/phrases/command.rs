//! Where does a line for a terminal or a header of a request tell a secret? `-u ann:hunter2`,
//! `mysql -phunter2`, `Authorization: Bearer …`, `ann:hunter2@host`.

use super::likeness::{core_range, looks_secret};
use super::{Part, bare};
use crate::secret_words::List;

/// So many words before a flag may name its program.
const LINE: usize = 12;
/// A token in a header has at least so many characters.
const TOKEN: usize = 8;
/// The same where the word before is used in sentences too.
const LONG_TOKEN: usize = 12;

/// What the word at this place and the next one tell.
pub(super) fn told(words: &[&str], at: usize) -> Vec<Part> {
    let Some(word) = words.get(at) else {
        return Vec::new();
    };
    let mut found: Vec<Part> = Vec::new();
    found.extend(user_flag(words, at));
    found.extend(client(words, at));
    found.extend(scheme(words, at));
    found.extend(before_host(word).map(|range| (at, range)));
    found
}

/// `-u ann:hunter2`, `-uann:hunter2`, `--user=ann:hunter2`.
fn user_flag(words: &[&str], at: usize) -> Option<Part> {
    let word = words.get(at)?;
    let flag = List::UserFlags.words().find(|flag| {
        let rest = word.strip_prefix(flag);
        rest.is_some_and(|rest| rest.is_empty() || !flag.starts_with("--") || rest.starts_with('='))
    })?;
    let rest = word.get(flag.len()..)?;
    let (place, from) = if rest.is_empty() {
        (at + 1, 0)
    } else {
        (at, flag.len())
    };
    let both = words.get(place)?.get(from..)?;
    let colon = from + both.find(':')?;
    let range = core_range(words.get(place)?, colon + 1)?;
    let password = words.get(place)?.get(range.clone())?;
    let is_id = password.chars().all(|c| c.is_ascii_digit());
    let is_both = both.trim_start_matches(['=', '"', '\'']);
    let ids = is_id && is_both.starts_with(|c: char| c.is_ascii_digit());
    (!ids && !both.contains("://")).then_some((place, range))
}

/// `mysql -phunter2`, `redis-cli -a hunter2`.
fn client(words: &[&str], at: usize) -> Option<Part> {
    let word = words.get(at)?;
    let before = words.get(at.saturating_sub(LINE)..at)?;
    let flag = List::Clients.words().find_map(|client| {
        let (program, flag) = client.split_once('/')?;
        let is_line = before.iter().any(|word| bare(word) == program);
        (is_line && word.starts_with(flag)).then_some(flag)
    })?;
    let (place, from) = if word.len() == flag.len() {
        (at + 1, 0)
    } else {
        (at, flag.len())
    };
    let value = words.get(place)?;
    let range = core_range(value, from)?;
    (!value.get(from..)?.starts_with('-')).then_some((place, range))
}

/// "Bearer abc123…".
fn scheme(words: &[&str], at: usize) -> Option<Part> {
    let word = words.get(at)?;
    let name = bare(word.rsplit([':', '"', '\'']).next()?);
    List::Schemes.has(&name).then_some(())?;
    let next = words.get(at + 1)?;
    let range = core_range(next, 0)?;
    let core = next.get(range.clone())?;
    let is_header = word.contains(['B', 'D']) && matches!(name.as_str(), "bearer" | "basic");
    let fits = |c: char| c.is_ascii_alphanumeric() || "+/=_-.~".contains(c);
    let is_token = if is_header {
        core.len() >= TOKEN && core.chars().all(fits) && is_mixed(core)
    } else {
        core.len() >= LONG_TOKEN && looks_secret(core, false)
    };
    is_token.then_some((at + 1, range))
}

/// Not a word of a sentence.
fn is_mixed(core: &str) -> bool {
    let rest = core.get(1..).unwrap_or_default();
    rest.contains(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '=')
}

/// `ann:hunter2@host`, without what kind of address it is.
fn before_host(word: &str) -> Option<std::ops::Range<usize>> {
    if word.contains("://") {
        return None;
    }
    let host = word.rfind('@')?;
    let colon = word.get(..host)?.find(':')?;
    let user = bare(word.get(..colon)?);
    let has_host = word
        .get(host + 1..)?
        .starts_with(|c: char| c.is_alphanumeric() || c == '[');
    let is_user = !user.is_empty() && !List::Addresses.has(&user) && !user.contains('@');
    (is_user && has_host && host > colon + 1).then_some(colon + 1..host)
}
