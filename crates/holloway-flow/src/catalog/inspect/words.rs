//! What does a text say once its disguise is off? Words in lower case, lookalike
//! letters folded, names taken apart, addresses and files reduced to their kind.

use super::lookalike::{folded, is_twin};
use super::visible::is_invisible;

/// Ends a sentence; no gap of a pattern reaches across it.
pub(super) const STOP: &str = ".";

/// A word and the characters it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub start: usize,
    pub end: usize,
}

/// The words of a text.
pub(super) fn of(chars: &[char]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let begins = at == 0 || !chars.get(at - 1).is_some_and(|c| is_part_of_address(*c));
        let address = if begins { address(chars, at) } else { None };
        if let Some((kind, end)) = address {
            push(&mut words, kind, at, end);
            at = end;
        } else if c.is_alphanumeric() {
            let end = end_of_word(chars, at);
            add_word(&mut words, chars, at, end);
            at = end;
        } else {
            if ends_sentence(chars, at) {
                push(&mut words, STOP, at, at + 1);
            }
            at += 1;
        }
    }
    joined(words)
}

fn push(words: &mut Vec<Word>, text: &str, start: usize, end: usize) {
    words.push(Word {
        text: text.to_owned(),
        start,
        end,
    });
}

fn ends_sentence(chars: &[char], at: usize) -> bool {
    let next = chars.get(at + 1);
    match chars.get(at) {
        Some('.' | '!' | '?' | ';') => next.is_none_or(|c| c.is_whitespace()),
        Some('。' | '！' | '？' | '；') => true,
        // An empty line or an item of a list begins something new.
        Some('\n') => {
            let rest = chars.get(at + 1..).unwrap_or_default();
            let first = rest.iter().find(|c| **c == '\n' || !c.is_whitespace());
            matches!(first, Some('\n' | '-' | '*' | '•' | '#'))
        }
        _ => false,
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '`' | 'ʼ')
}

/// Where a word ends: at a separator, or before a capital inside a name.
fn end_of_word(chars: &[char], start: usize) -> usize {
    let at = |index: usize| chars.get(index).copied();
    let mut end = start + 1;
    while let Some(c) = at(end) {
        let before = at(end - 1).unwrap_or(' ');
        let inner = is_apostrophe(c) && at(end + 1).is_some_and(char::is_alphabetic);
        if !(c.is_alphanumeric() || is_invisible(c) || inner) {
            break;
        }
        if before.is_lowercase() && c.is_uppercase() && !is_twin(c) {
            break;
        }
        end += 1;
    }
    end
}

/// One word as written, as one or two plain words: `don't` is `do not`.
fn add_word(words: &mut Vec<Word>, chars: &[char], start: usize, end: usize) {
    let written = chars.get(start..end).unwrap_or_default();
    let has_latin = written.iter().any(char::is_ascii_alphabetic);
    let seen = written.iter().copied().filter(|c| !is_invisible(*c));
    // A word of another script stays as it is: it may be an order in its own language.
    let looks_latin = seen
        .clone()
        .all(|c| folded(c).is_ascii() || is_apostrophe(c));
    let plain = |c: char| match c {
        c if is_apostrophe(c) => '\'',
        c if has_latin || looks_latin => folded(c),
        c => c.to_lowercase().next().unwrap_or(c),
    };
    let text = without_digits(seen.map(plain).collect());
    let (first, second) = match text.as_str() {
        "dont" => ("do", Some("not")),
        "cannot" | "can't" => ("can", Some("not")),
        text => match text.strip_suffix("n't") {
            Some(stem) => (stem, Some("not")),
            None => (stem(text), None),
        },
    };
    push(words, first, start, end);
    if let Some(second) = second {
        push(words, second, start, end);
    }
}

/// `user's` is `user`, `l'utilisateur` is `utilisateur`.
fn stem(text: &str) -> &str {
    match text.split_once('\'') {
        Some((head, tail)) if head.chars().count() <= 2 && tail.chars().count() > 2 => tail,
        Some((head, _)) => head,
        None => text,
    }
}

/// `pr3vi0us` reads `previous`.
fn without_digits(text: String) -> String {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if digits == 0 || digits * 2 >= text.chars().count() {
        return text;
    }
    let letter = |c: char| match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        c => c,
    };
    text.chars().map(letter).collect()
}

/// `i g n o r e` is one word.
fn joined(words: Vec<Word>) -> Vec<Word> {
    const FEWEST: usize = 5;
    let is_letter = |word: &Word| word.text.chars().count() == 1 && word.text != STOP;
    let mut whole: Vec<Word> = Vec::with_capacity(words.len());
    let mut run: Vec<Word> = Vec::new();
    let flush = |run: &mut Vec<Word>, whole: &mut Vec<Word>| {
        if let (true, Some(first), Some(last)) = (run.len() >= FEWEST, run.first(), run.last()) {
            let text = run.iter().map(|word| word.text.as_str()).collect();
            let (start, end) = (first.start, last.end);
            whole.push(Word { text, start, end });
            run.clear();
        }
        whole.append(run);
    };
    for word in words {
        let follows = run.last().is_none_or(|last| word.start <= last.end + 1);
        if !is_letter(&word) || !follows {
            flush(&mut run, &mut whole);
        }
        if is_letter(&word) {
            run.push(word);
        } else {
            whole.push(word);
        }
    }
    flush(&mut run, &mut whole);
    whole
}

fn is_part_of_address(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '@' | '~' | ':' | '%' | '+')
}

/// An address, a mailbox or a file worth stealing that starts here.
fn address(chars: &[char], start: usize) -> Option<(&'static str, usize)> {
    let rest = chars.get(start..)?;
    let is_inside = |c: &&char| is_part_of_address(**c) || matches!(c, '?' | '=' | '&' | '#');
    let length = rest.iter().take_while(is_inside).count();
    let chunk: String = rest.get(..length)?.iter().map(|c| folded(*c)).collect();
    let trimmed = chunk.trim_end_matches(['.', ':', '?', '-']);
    let kind = kind_of(trimmed)?;
    Some((kind, start + trimmed.chars().count()))
}

fn kind_of(chunk: &str) -> Option<&'static str> {
    const EXAMPLES: [&str; 5] = ["example.", "localhost", "127.0.0.1", "schema.org", "w3.org"];
    // Stores of keys and passwords that an honest description rarely needs.
    const TREASURES: [&str; 31] = [
        ".ssh/",
        "id_rsa",
        "id_ed25519",
        "id_ecdsa",
        ".aws/",
        "etc/passwd",
        "etc/shadow",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".gnupg",
        ".kube/config",
        ".docker/config",
        "_history",
        ".cursor/",
        "mcp.json",
        "claude_desktop_config",
        "wallet.dat",
        "keychain",
        "cookies.sqlite",
        "credentials.json",
        "/environ",
        ".vault-token",
        "tfstate",
        "authorized_keys",
        "secrets.y",
        ".config/gcloud",
        ".pgpass",
        "login.keyring",
        "shadow.bak",
    ];
    let is_example = EXAMPLES.iter().any(|word| chunk.contains(word));
    if chunk.contains("://") || chunk.starts_with("www.") {
        return (!is_example).then_some("<url>");
    }
    if let Some((user, host)) = chunk.split_once('@')
        && !user.is_empty()
        && host.contains('.')
        && !host.contains('/')
    {
        return (!is_example).then_some("<mail>");
    }
    let file = chunk.rsplit('/').next().unwrap_or_default();
    if file == ".env" || file.starts_with(".env.") {
        return Some("<dotenv>");
    }
    let is_file = chunk.contains(['.', '/', '~']) || chunk.starts_with("id_");
    let is_treasure = file == ".ssh" || TREASURES.iter().any(|word| chunk.contains(word));
    (is_file && is_treasure).then_some("<treasure>")
}
