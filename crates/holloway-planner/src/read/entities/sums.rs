//! Which sums are to be worked out? "17 * 23", "(3 + 4) / 2": an expression is one thing,
//! not two numbers.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use super::EntityKind;
use super::Found;
use crate::lexicon::lists::Pairs;

/// Signs as they are said.
static SPOKEN: Pairs = Pairs::named("entity_sums.spoken");
static SUM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let number = r"\(*\s*\d+(?:[.,]\d+)*\s*\)*";
    let words = SPOKEN.iter().map(|(word, _)| regex::escape(word));
    let words = words.collect::<Vec<_>>().join("|");
    // A dash without blanks joins the parts of a code or a date.
    let sign = format!(r"\s*(?:[*×/÷^%]|\*\*|\s[-+]\s|\+|\b(?:{words})\b)\s*");
    Regex::new(&format!(r"{number}(?:{sign}{number})+")).ok()
});

pub(crate) fn find(found: &mut Found<'_>) {
    let text = found.text;
    for hit in SUM.iter().flat_map(|rule| rule.find_iter(text)) {
        let said = hit.as_str().trim();
        let start = hit.start() + (hit.as_str().len() - hit.as_str().trim_start().len());
        let place = start..start + said.len();
        let (before, after) = found.around(&place);
        let stands_apart = |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric());
        // "1/2/2024" is a date, "10/12" may be one, and "https://a/1/2" an address.
        let slashes = said.chars().filter(|letter| *letter == '/').count();
        let has_blank = said.contains(' ');
        let is_path = before.is_some_and(|it| "/.-_".contains(it));
        if stands_apart(before) && stands_apart(after) && !is_path && (slashes == 0 || has_blank) {
            let value = SPOKEN.iter().fold(said.to_owned(), |text, (word, sign)| {
                text.replace(word, sign)
            });
            found.add(EntityKind::Code, place, json!(value), Some("expression"));
        }
    }
}
