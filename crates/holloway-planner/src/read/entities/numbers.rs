//! Which amounts are named? Money, numbers with units, phone numbers and codes, plain
//! numbers and number words.

use std::sync::LazyLock;

use holloway_search::words::is_empty_word;
use regex::Regex;
use serde_json::{Number, Value, json};

use super::EntityKind;
use super::Found;
use crate::lexicon::lists::{List, Pairs};

const NUMBER: &str = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?";
/// Regular expressions of units, and the words for amounts and currencies with what they mean.
static UNITS: List = List::named("entity_numbers.units");
static SCALES: Pairs = Pairs::named("entity_numbers.scales");
static CURRENCIES: Pairs = Pairs::named("entity_numbers.currencies");
static TENS: List = List::named("entity_numbers.tens");
static ORDINALS: List = List::named("entity_numbers.ordinals");
static SEVERAL: Pairs = Pairs::named("entity_numbers.several");
static WORDS: Pairs = Pairs::named("entity_numbers.words");

static AMOUNTS: LazyLock<Option<[Regex; 4]>> = LazyLock::new(|| {
    let scale = format!(r"(?<s> ?(?:{})\b)?", one_of(SCALES.iter()));
    let units = UNITS.join("|");
    let signs = r"(?<c>US\$|[$€£¥₹])";
    let after = format!("(?<c>{})", one_of(CURRENCIES.iter()));
    Some([
        Regex::new(&format!(r"(?i){signs}\s?(?<n>{NUMBER}){scale}")).ok()?,
        Regex::new(&format!(r"(?i)(?<n>{NUMBER}){scale}\s?{after}")).ok()?,
        Regex::new(&format!(
            r"(?i)(?<n>-?(?:{NUMBER}))[ -]?(?<u>(?:{units})\b|%|°\s?[cf]\b)"
        ))
        .ok()?,
        Regex::new(&format!(
            r"(?<n>-?(?:{NUMBER}))(?:k|K|{})?",
            ORDINALS.join("|")
        ))
        .ok()?,
    ])
});
static CODES: LazyLock<Option<[Regex; 2]>> = LazyLock::new(|| {
    Some([
        Regex::new(
            r"\+\d[\d() -]{6,18}\d|\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\b\d{3,5}[- ]\d{6,8}\b",
        )
        .ok()?,
        Regex::new(r"[A-Za-z0-9#][A-Za-z0-9_.:-]*[A-Za-z0-9]").ok()?,
    ])
});
static SPELLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let (tens, words) = (TENS.join("|"), one_of(WORDS.iter().chain(SEVERAL.iter())));
    Regex::new(&format!(r"(?i)\b(?:(?<t>{tens})[- ])?(?<w>{words})\b")).ok()
});

/// An alternative of all words, the longer ones first: a word may begin another.
fn one_of<'a>(words: impl Iterator<Item = &'a (&'static str, &'static str)>) -> String {
    let mut words: Vec<String> = words.map(|(word, _)| regex::escape(word)).collect();
    words.sort_by_key(|word| usize::MAX - word.len());
    words.join("|")
}

/// Money and numbers with units.
pub(crate) fn find_amounts(found: &mut Found<'_>) {
    let Some([before, after, unit, _]) = &*AMOUNTS else {
        return;
    };
    for rule in [before, after] {
        for hit in rule.captures_iter(found.text) {
            let (Some(whole), Some(number), Some(sign)) =
                (hit.get(0), hit.name("n"), hit.name("c"))
            else {
                continue;
            };
            let scale = hit.name("s").map_or("", |scale| scale.as_str().trim());
            if stands_alone(found, whole.range())
                && let Some(value) = scaled(number.as_str(), scale)
            {
                found.add(
                    EntityKind::Money,
                    whole.range(),
                    value,
                    Some(currency(sign.as_str())),
                );
            }
        }
    }
    for hit in unit.captures_iter(found.text) {
        let (Some(whole), Some(number), Some(unit)) = (hit.get(0), hit.name("n"), hit.name("u"))
        else {
            continue;
        };
        // "5k" and "2m" are numbers; "5 m" is a length.
        let is_scale =
            SCALES.of(&unit.as_str().to_lowercase()).is_some() && whole.len() == number.len() + 1;
        if stands_alone(found, whole.range())
            && !is_scale
            && let Some(value) = scaled(number.as_str(), "")
        {
            found.add(
                EntityKind::Quantity,
                whole.range(),
                value,
                Some(unit.as_str()),
            );
        }
    }
}

/// Phone numbers and identifiers: letters and digits in one word.
pub(crate) fn find_codes(found: &mut Found<'_>) {
    let Some([phone, word]) = &*CODES else {
        return;
    };
    for hit in phone.find_iter(found.text) {
        if stands_alone(found, hit.range()) {
            found.add(
                EntityKind::Code,
                hit.range(),
                json!(hit.as_str()),
                Some("phone"),
            );
        }
    }
    for hit in word.find_iter(found.text) {
        if stands_alone(found, hit.range()) && is_code(hit.as_str()) {
            found.add(EntityKind::Code, hit.range(), json!(hit.as_str()), None);
        }
    }
}

fn is_code(word: &str) -> bool {
    static COUNTED: List = List::named("entity_numbers.counted");
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let unlettered = word.trim_start_matches(|it: char| it.is_ascii_digit());
    let is_counted = ORDINALS.contains(&unlettered) || COUNTED.contains(&unlettered);
    if word.starts_with('#') {
        return word.len() >= 2;
    }
    // `978-3-16-148410-0`, `192.168.178.213`
    let is_grouped = letters == 0
        && (word.split('-').count() >= 4
            || word.split('.').count() == 4 && !word.contains(['-', ':']));
    digits > 0 && letters > 0 && word.len() >= 2 && !is_counted || is_grouped
}

/// Plain numbers, in digits and in words.
pub(crate) fn find_numbers(found: &mut Found<'_>) {
    if let Some([.., plain]) = &*AMOUNTS {
        for hit in plain.captures_iter(found.text) {
            let (Some(whole), Some(number)) = (hit.get(0), hit.name("n")) else {
                continue;
            };
            let text = whole.as_str();
            let scale = if text.ends_with(['k', 'K']) { "k" } else { "" };
            let mut place = whole.range();
            // A dash between two numbers is no minus.
            let (before, _) = found.around(&place);
            let mut digits = number.as_str();
            if digits.starts_with('-')
                && before.is_some_and(|it| !it.is_whitespace() && !"([=,".contains(it))
            {
                place.start += 1;
                digits = digits.trim_start_matches('-');
            }
            if stands_alone(found, place.clone())
                && let Some(value) = scaled(digits, scale)
            {
                found.add(EntityKind::Number, place, value, None);
            }
        }
    }
    let Some(spelled) = &*SPELLED else {
        return;
    };
    for hit in spelled.captures_iter(found.text) {
        let (Some(whole), Some(word)) = (hit.get(0), hit.name("w")) else {
            continue;
        };
        let tens = hit.name("t").map_or(0, |tens| worth(tens.as_str()));
        if !is_pronoun(found.text, whole.range(), whole.as_str()) {
            let value = json!(tens + worth(word.as_str()));
            found.add(EntityKind::Number, whole.range(), value, None);
        }
    }
}

fn worth(word: &str) -> i64 {
    let word = word.to_lowercase();
    let worth = WORDS.of(&word).or_else(|| SEVERAL.of(&word));
    worth.map_or(0, |worth| worth.parse().unwrap_or_default())
}

/// "the one", "one of them", "no one": no number is meant.
fn is_pronoun(text: &str, place: std::ops::Range<usize>, word: &str) -> bool {
    static BEFORE: List = List::named("entity_numbers.before");
    if !word.eq_ignore_ascii_case("one") {
        return false;
    }
    let before = text
        .get(..place.start)
        .and_then(|text| text.split_whitespace().next_back());
    let after = text
        .get(place.end..)
        .and_then(|text| text.split_whitespace().next());
    let follows = text
        .get(place.end..)
        .is_some_and(|text| text.starts_with(' '));
    let says_nothing = |word: &str| is_empty_word(&word.to_lowercase()) || word == "single";
    let is_in = |list: &[&str], word: Option<&str>| {
        word.is_some_and(|word| list.contains(&word.to_lowercase().as_str()))
    };
    !follows || is_in(&BEFORE, before) || after.is_some_and(says_nothing)
}

/// Not part of a longer word or number.
fn stands_alone(found: &Found<'_>, place: std::ops::Range<usize>) -> bool {
    let (before, after) = found.around(&place);
    let text = found.text.get(place.clone()).unwrap_or_default();
    let joins = |it: char| it.is_alphanumeric() || it == '_';
    let ends_in_sign = text.ends_with(|it: char| !it.is_alphanumeric());
    let rest = found.text.get(place.end..).unwrap_or_default();
    let goes_on = rest.starts_with(['.', ','])
        && rest.chars().nth(1).is_some_and(|it| it.is_ascii_digit())
        && !rest.starts_with(", ");
    before.is_none_or(|it| !joins(it) && it != '.')
        && (ends_in_sign || after.is_none_or(|it| !joins(it)))
        && !goes_on
}

fn scaled(digits: &str, scale: &str) -> Option<Value> {
    let digits = digits.replace(',', "");
    let factor = match scale.to_lowercase().as_str() {
        "" => {
            if let Ok(whole) = digits.parse::<i64>() {
                return Some(json!(whole));
            }
            1.0
        }
        scale => SCALES.of(scale)?.parse().ok()?,
    };
    let number = digits.parse::<f64>().ok()? * factor;
    if number.fract() == 0.0 && number.abs() < 1e15 && factor > 1.0 {
        return Some(json!(number as i64));
    }
    Number::from_f64(number).map(Value::Number)
}

fn currency(sign: &str) -> &'static str {
    CURRENCIES.of(&sign.to_lowercase()).unwrap_or_default()
}
