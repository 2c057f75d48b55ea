//! Which words does a text consist of? Identifiers come apart (`getUserID`,
//! `git_diff`), accents and endings go, words that fit everything are left out.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Words that fit everything and so say nothing.
#[rustfmt::skip]
const EMPTY_WORDS: [&str; 185] = [
    "a", "able", "about", "after", "again", "against", "all", "already", "also", "always", "am",
    "an", "and", "another", "any", "anyone", "anything", "are", "as", "at", "be", "because",
    "been", "before", "being", "between", "both", "by", "can", "come", "could", "d", "did",
    "didn", "do", "does", "doesn", "don", "down", "during", "each", "ever", "every", "everyone",
    "everything", "first", "for", "from", "get", "give", "go", "going", "had", "has", "have",
    "he", "help", "her", "here", "hers", "him", "his", "how", "i", "id", "if", "im", "in",
    "into", "is", "isn", "it", "its", "ive", "just", "know", "last", "let", "like", "ll", "m",
    "make", "many", "may", "maybe", "me", "might", "more", "most", "much", "must", "my", "need",
    "never", "no", "not", "nothing", "now", "of", "off", "often", "on", "once", "one", "only",
    "or", "other", "our", "out", "over", "own", "please", "put", "quite", "re", "really", "s",
    "same", "see", "shall", "she", "should", "since", "so", "some", "someone", "something",
    "still", "such", "sure", "t", "take", "tell", "than", "that", "the", "their", "theirs",
    "them", "then", "there", "these", "they", "thing", "things", "this", "those", "through",
    "to", "today", "tomorrow", "too", "two", "under", "until", "up", "us", "use", "used",
    "using", "ve", "very", "want", "wanted", "was", "way", "we", "were", "what", "when",
    "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "won", "would",
    "yesterday", "yet", "you", "your",
];

/// Endings and what stands in their place; the first that fits is taken off.
const ENDINGS: [(&str, &str); 12] = [
    ("ational", "ate"),
    ("ization", "ize"),
    ("ations", "ate"),
    ("ation", "ate"),
    ("ings", ""),
    ("ing", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ers", "er"),
    ("ed", ""),
    ("es", "e"),
    ("s", ""),
];
/// What must be left of a word when its ending goes.
const STEM_AT_LEAST: usize = 3;

/// Lower case without accents, each letter one character again.
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let bare = text.nfd().filter(|letter| !is_combining_mark(*letter));
    Cow::Owned(bare.nfc().collect())
}

/// Every word of a text in lower case; identifiers come apart.
pub fn each_word(text: &str, mut visit: impl FnMut(&str)) {
    let text = plain(text);
    let mut word = String::new();
    let mut before = Kind::Other;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let kind = Kind::of(letter);
        let next = letters.peek().copied().map_or(Kind::Other, Kind::of);
        if !word.is_empty() && begins_word(before, kind, next) {
            visit(&word);
            word.clear();
        }
        if kind != Kind::Other {
            word.extend(letter.to_lowercase());
        }
        before = kind;
    }
    if !word.is_empty() {
        visit(&word);
    }
}

/// The stemmed words that say something.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    each_word(text, |word| {
        if !is_empty_word(word) {
            terms.push(stem(word));
        }
    });
    terms
}

pub fn is_empty_word(word: &str) -> bool {
    EMPTY_WORDS.binary_search(&word).is_ok()
}

/// The words of an identifier with spaces between them.
pub fn spaced(identifier: &str) -> String {
    let mut spaced = String::with_capacity(identifier.len() + 8);
    let mut before = Kind::Other;
    let mut letters = identifier.chars().peekable();
    while let Some(letter) = letters.next() {
        let kind = Kind::of(letter);
        let next = letters.peek().copied().map_or(Kind::Other, Kind::of);
        let camel = matches!(before, Kind::Lower | Kind::Digit) && kind == Kind::Upper
            || before == Kind::Upper && kind == Kind::Upper && next == Kind::Lower;
        if camel {
            spaced.push(' ');
        }
        let joins = matches!(letter, '_' | '-' | '/' | '.' | ':' | '@');
        spaced.push(if joins { ' ' } else { letter });
        before = kind;
    }
    spaced
}

/// `searches`, `searching` and `searched` become one term; it need not be a word.
pub fn stem(word: &str) -> String {
    if !word.is_ascii() {
        return word.to_owned();
    }
    let fits = |(ending, _): &&(&str, &str)| {
        word.len() >= ending.len() + STEM_AT_LEAST && word.ends_with(ending)
    };
    let mut stem = word.to_owned();
    if let Some((ending, instead)) = ENDINGS.iter().find(fits) {
        stem.truncate(word.len() - ending.len());
        stem.push_str(instead);
    }
    if stem.len() > 4 && stem.ends_with('e') {
        stem.pop();
    }
    if let [.., one, other] = stem.as_bytes()
        && one == other
        && stem.len() > 3
        && b"bdgmnprt".contains(one)
    {
        stem.pop();
    }
    stem
}

/// Chinese characters are words of their own.
pub(crate) fn is_ideograph(letter: char) -> bool {
    matches!(u32::from(letter), 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x2fa1f)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Ideograph,
    Other,
}

impl Kind {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            _ if letter.is_ascii() => Self::Other,
            _ if is_ideograph(letter) => Self::Ideograph,
            _ if letter.is_uppercase() => Self::Upper,
            _ if letter.is_alphabetic() => Self::Lower,
            _ if letter.is_numeric() => Self::Digit,
            _ => Self::Other,
        }
    }
}

/// Whether a letter begins a new word, given what stands before and after it.
fn begins_word(before: Kind, kind: Kind, next: Kind) -> bool {
    match (before, kind) {
        (Kind::Ideograph, _) => true,
        (Kind::Upper, Kind::Upper) => next == Kind::Lower,
        (Kind::Upper, Kind::Lower) => false,
        (before, kind) => before != kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut words = Vec::new();
        each_word(text, |word| words.push(word.to_owned()));
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn identifiers_come_apart() {
        check("getUserID", &["get", "user", "id"]);
        check("HTMLParser2Go", &["html", "parser", "2", "go"]);
        check("git_diff-staged/all", &["git", "diff", "staged", "all"]);
        check("mp3", &["mp", "3"]);
    }

    #[test]
    fn any_script_has_words() {
        check("Crème brûlée", &["creme", "brulee"]);
        check("查询天气ok", &["查", "询", "天", "气", "ok"]);
        check("Погода в Осло", &["погода", "в", "осло"]);
        check("날씨", &["날씨"]);
        check(" \u{0}…\u{202e}!", &[]);
    }

    #[test]
    fn identifiers_are_spaced_as_they_are_cut() {
        assert_eq!(spaced("getUserID"), "get User ID");
        assert_eq!(spaced("@scope/XMLHttp_request"), " scope XML Http request");
    }

    #[test]
    fn forms_of_a_word_become_one_term() {
        let one = |words: &[&str]| {
            let mut stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            stems.dedup();
            stems
        };
        assert_eq!(
            one(&["search", "searches", "searched", "searching"]),
            ["search"]
        );
        assert_eq!(
            one(&["translate", "translation", "translations"]),
            ["translat"]
        );
        assert_eq!(one(&["city", "cities"]), ["city"]);
        assert_eq!(one(&["running", "run"]), ["run"]);
        assert_eq!(stem("gas"), "gas");
    }

    #[test]
    fn terms_are_what_says_something() {
        assert_eq!(terms("Could you please get me the weather?"), ["weather"]);
        assert!(EMPTY_WORDS.is_sorted());
    }
}
