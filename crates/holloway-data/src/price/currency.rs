//! Which currency is meant? Signs and words with the ISO codes they may stand for, the
//! likeliest first.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Codes that are understood as they are; none of them is an English word in capitals.
const CODES: [&str; 40] = [
    "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK",
    "PLN", "CZK", "HUF", "RON", "BGN", "RUB", "UAH", "TRY", "ILS", "BRL", "MXN", "ARS", "CLP",
    "COP", "ZAR", "KRW", "SGD", "HKD", "TWD", "THB", "VND", "IDR", "MYR", "PHP", "AED", "SAR",
    "ISK",
];

/// Signs, which may stand right beside letters and digits.
const SIGNS: [(&str, &[&str]); 26] = [
    ("US$", &["USD"]),
    ("AU$", &["AUD"]),
    ("CA$", &["CAD"]),
    ("NZ$", &["NZD"]),
    ("HK$", &["HKD"]),
    ("MX$", &["MXN"]),
    ("NT$", &["TWD"]),
    ("A$", &["AUD"]),
    ("C$", &["CAD"]),
    ("S$", &["SGD"]),
    ("R$", &["BRL"]),
    (
        "$",
        &[
            "USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP",
        ],
    ),
    ("€", &["EUR"]),
    ("£", &["GBP"]),
    ("¥", &["JPY", "CNY"]),
    ("円", &["JPY"]),
    ("元", &["CNY"]),
    ("₹", &["INR"]),
    ("₽", &["RUB"]),
    ("₩", &["KRW"]),
    ("₺", &["TRY"]),
    ("₴", &["UAH"]),
    ("₪", &["ILS"]),
    ("฿", &["THB"]),
    ("₫", &["VND"]),
    ("₱", &["PHP"]),
];

/// Words, which end where letters end. `kr` does not tell which crown.
const WORDS: [(&str, &[&str]); 16] = [
    ("zł", &["PLN"]),
    ("Kč", &["CZK"]),
    ("Ft", &["HUF"]),
    ("lei", &["RON"]),
    ("лв", &["BGN"]),
    ("руб", &["RUB"]),
    ("kr", &["SEK", "NOK", "DKK", "ISK"]),
    ("Kr", &["SEK", "NOK", "DKK", "ISK"]),
    ("KR", &["SEK", "NOK", "DKK", "ISK"]),
    ("euros", &["EUR"]),
    ("euro", &["EUR"]),
    ("Euro", &["EUR"]),
    ("dollars", &["USD"]),
    ("SFr", &["CHF"]),
    ("Rs", &["INR"]),
    ("Rp", &["IDR"]),
];

/// What `¢` may be a hundredth of.
const CENTS: &[&str] = &["USD", "CAD", "AUD", "NZD"];

/// Currencies that have no cents: three digits after a mark are thousands.
const WITHOUT_CENTS: [&str; 7] = ["JPY", "KRW", "VND", "CLP", "ISK", "IDR", "HUF"];

pub(super) fn is_code(text: &str) -> bool {
    CODES.contains(&text)
}

pub(super) fn has_no_cents(code: &str) -> bool {
    WITHOUT_CENTS.contains(&code)
}

/// A currency as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// How many bytes it takes, with the space to the number.
    pub(super) length: usize,
    /// What it may mean, the likeliest first.
    pub(super) options: &'static [&'static str],
    pub(super) is_code: bool,
}

fn one_of(texts: impl Iterator<Item = &'static str>) -> String {
    texts.map(regex::escape).collect::<Vec<_>>().join("|")
}

const SPACE: &str = r"[ \u{a0}\u{202f}\u{2009}]{0,2}";

/// Written out as literals above: they always compile.
fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let signs = one_of(SIGNS.iter().map(|(sign, _)| *sign));
    let words = one_of(CODES.iter().copied().chain([
        "SFr.", "SFr", "Fr.", "Rs.", "Rs", "Rp.", "Rp", "kr.", "kr", "Kr", "zł", "Kč",
    ]));
    compiled(&format!(
        r"(?:(?:^|[^\p{{L}}\p{{N}}])({words})|({signs})){SPACE}$"
    ))
});

static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let signs = one_of(SIGNS.iter().map(|(sign, _)| *sign));
    let words = one_of(
        CODES
            .iter()
            .copied()
            .chain(WORDS.iter().map(|(word, _)| *word)),
    );
    compiled(&format!(
        r"^{SPACE}(?:({words})(?:$|[^\p{{L}}\p{{N}}])|({signs}))"
    ))
});

/// The currency right before a number that begins at `end`.
pub(super) fn before(text: &str, end: usize) -> Option<Mark> {
    // Far enough for the longest mark, a space on either side and a letter before.
    let start = floor(text, end.saturating_sub(24));
    let near = text.get(start..end)?;
    let found = BEFORE.as_ref()?.captures(near)?;
    let mark = found.get(1).or_else(|| found.get(2))?;
    // A lone `$` with letters before it is part of a name.
    let letter = near
        .get(..mark.start())
        .and_then(|before| before.chars().next_back());
    if found.get(2).is_some() && letter.is_some_and(char::is_alphabetic) {
        return code_and_sign(near, mark.start(), of(&found, 0)?.options);
    }
    of(&found, near.len() - mark.start())
}

/// `USD$5`: the code right before the sign, when the sign may mean it.
fn code_and_sign(near: &str, sign: usize, options: &[&str]) -> Option<Mark> {
    let head = near.get(..sign)?;
    let code = CODES
        .iter()
        .find(|code| options.contains(code) && head.ends_with(**code))?;
    let start = sign - code.len();
    let is_apart = near
        .get(..start)?
        .chars()
        .next_back()
        .is_none_or(|letter| !letter.is_alphanumeric());
    is_apart.then_some(Mark {
        length: near.len() - start,
        options: std::slice::from_ref(code),
        is_code: true,
    })
}

/// `50¢` and `99p` after a number that ends at `start`: hundredths of a currency.
pub(super) fn hundredths(text: &str, start: usize, digits: usize) -> Option<Mark> {
    let rest = text.get(start..)?;
    let of = |length, options| Mark {
        length,
        options,
        is_code: false,
    };
    for sign in ["¢", " ¢", "￠"] {
        if rest.starts_with(sign) {
            return Some(of(sign.len(), CENTS));
        }
    }
    // `1080p` is a picture: only amounts below a pound are written so.
    let ends = !rest.chars().nth(1).is_some_and(char::is_alphanumeric);
    (digits <= 2 && rest.starts_with('p') && ends).then(|| of(1, &["GBP"]))
}

/// The currency right after a number that ends at `start`.
pub(super) fn after(text: &str, start: usize) -> Option<Mark> {
    let end = floor(text, start.saturating_add(24).min(text.len()));
    let near = text.get(start..end)?;
    let found = AFTER.as_ref()?.captures(near)?;
    let mark = found.get(1).or_else(|| found.get(2))?;
    // In `5 $10` the sign belongs to the number that follows it.
    let next = near.get(mark.end()..).and_then(|rest| rest.chars().next());
    if found.get(2).is_some() && next.is_some_and(|next| next.is_ascii_digit()) {
        return None;
    }
    of(&found, mark.end())
}

fn of(found: &Captures<'_>, length: usize) -> Option<Mark> {
    let mark = found
        .get(1)
        .or_else(|| found.get(2))?
        .as_str()
        .trim_end_matches('.');
    if let Some(code) = CODES.iter().find(|code| **code == mark) {
        let options = std::slice::from_ref(code);
        return Some(Mark {
            length,
            options,
            is_code: true,
        });
    }
    let known = SIGNS.iter().chain(&WORDS).find(|(sign, _)| *sign == mark);
    let options = match known {
        Some((_, options)) => *options,
        None if mark == "Fr" => &["CHF"],
        None => return None,
    };
    Some(Mark {
        length,
        options,
        is_code: false,
    })
}

/// The nearest boundary of a character at or below `at`.
pub(super) fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_beside_numbers() {
        let before = |text: &str| before(text, text.len()).map(|mark| mark.options[0]);
        let after = |text: &str| after(text, 0).map(|mark| mark.options[0]);
        assert!(BEFORE.is_some() && AFTER.is_some());
        assert_eq!(before("only € "), Some("EUR"));
        assert_eq!(before("US$"), Some("USD"));
        assert_eq!(before("price EUR "), Some("EUR"));
        assert_eq!(before("aEUR "), None);
        assert_eq!(before("var$"), None);
        assert_eq!(before("Fr. "), Some("CHF"));
        assert_eq!(after(" kr."), Some("SEK"));
        assert_eq!(after(" krimi"), None);
        assert_eq!(after("€/kg"), Some("EUR"));
        assert_eq!(after(" $10"), None);
        assert_eq!(after(" ft"), None);
    }
}
